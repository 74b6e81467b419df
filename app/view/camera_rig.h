// The camera of the picture, and what moves it beside the user: bodies that travel, channels that
// are fanned out.
#pragma once

#include "app/session/session.h"
#include "app/state/view_state.h"
#include "engine/core/types.h"
#include "render/scene/camera.h"
#include "render/scene/keep_in_view.h"

namespace slip::app {

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

struct CameraRig {
  render::Camera camera;
  bool flies = true;                  ///< to where it is sent; not where motion is reduced
  Compare framed = Compare::kSingle;  ///< what the camera has been placed for
  Vec3 unfanned = Vec3::Zero();       ///< taken off the target: channels are not fanned out [m]
  Vec3 travelled = Vec3::Zero();      ///< how far the camera has followed a body [m]
  int followed = -1;                  ///< the body that it follows
  KeepInView keep_in_view;

  /// How far the camera is from where the scene's own view, or one that is kept, has it [m].
  Vec3 moved() const { return travelled - unfanned; }
  /// The view without that: as it is kept, written and copied.
  CameraSpec Unmoved() const;
};

/// Makes the shift the user's own and ends following: the user moves the camera.
void EndKeepInView(CameraRig* rig);
/// Follows again, from the camera as it is, all that moves, or one body.
void BeginKeepInView(CameraRig* rig, int body = -1);
/// The scene's own view, at the place that a followed body has reached.
CameraSpec HomeView(const Session& session, const CameraRig& rig);
/// Takes over a view that was kept: one of the user's own stays as it is, whatever travels.
void SetView(const Session& session, const CameraSpec& view, CameraRig* rig);

}  // namespace slip::app
