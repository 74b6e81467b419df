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

struct Picked {
  Selection selection, hover;
  int hover_body = -1;   ///< under the mouse in a table; -1 = none
  int hover_link = -1;   ///< of the joint whose row is under the mouse
  int follow_body = -1;  ///< the camera goes along with it; -1 = as the scene asks
};

}  // namespace slip::app
