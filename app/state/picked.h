// What the user points at and has selected: shared by tables, picture and plots.
#pragma once

#include "engine/sim/snapshot.h"

namespace slip::app {

/// A contact or body that the user pointed at; -1 = none.
struct Selection {
  int body = -1;
  ContactKey key = -1;
  int channel = -1;
};

/// A link that a list asks to be seen.
struct ShownLink {
  int body = -1;      ///< -1 = none
  double until = 0;   ///< so long it is marked, on the session's clock [s]
  bool asked = true;  ///< the camera has not gone there yet
};

struct Picked {
  Selection selection, hover;
  int hover_body = -1;  ///< under the mouse in a table; -1 = none
  int hover_link = -1;  ///< of the joint whose row is under the mouse
  ShownLink shown_link = {};
  int follow_body = -1;  ///< the camera goes along with it; -1 = as the scene asks
};

}  // namespace slip::app
