// The camera that keeps bodies in the picture by itself.
#pragma once

#include "engine/core/types.h"
#include "render/keep_in_view.h"

namespace slip::app {

struct Ui;

/// What is added to the window's camera in every pane, so that bodies which travel stay in the
/// picture. It is not part of the user's view: nothing that is kept or written holds it.
struct KeepInView {
  bool on = true;        ///< until the user moves the camera; the scene's own view brings it back
  int body = -1;         ///< the one that is kept in view; -1 = all that move
  bool settled = false;  ///< has been in place since the scene was opened
  render::ViewShift shift;
  /// Where the bodies were in the picture when the scene was opened, in shares of it: its author
  /// wants them there, however near to the border.
  render::Room start{Vec2::Ones(), Vec2::Zero()};
};

/// Makes the shift the user's own and ends following: the user moves the camera.
void EndKeepInView(Ui* ui);
/// Follows again, from the camera as it is, all that moves, or one body.
void BeginKeepInView(Ui* ui, int body = -1);

}  // namespace slip::app
