// What the mouse does in the picture: pulls of bodies, and drags of a robot's targets.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/types.h"
#include "engine/method/config.h"

namespace slip::app {

/// A pull with the mouse spring: the button is down on a body, and then the mouse moves.
struct Pull {
  bool pressed = false;  ///< not yet moved: nothing is sent, so that a click changes nothing
  bool active = false;
  bool twist = false;  ///< turns the body instead
  bool waits = false;  ///< for the run to go on: until then it would only leave a mark
  int axis = -1;       ///< 0 to 2: only along, or about, x, y or z
  int body = -1;
  Vec3 p_BP = Vec3::Zero();
  Vec3 p_WA = Vec3::Zero();
  Vec3 p_WS = Vec3::Zero();  ///< anchor when the axis was locked
  Quat q_WA = Quat::Identity();
  Vec3 offset = Vec3::Zero();  ///< fan-out of the channel that was grabbed [m]
  Grab spring;                 ///< what is asked of the engine, or will be when the run goes on
};

/// A handle of a robot's targets: one of its slides, all of them in the plane of the picture, or
/// the opening of its fingers.
struct HandlePart {
  static constexpr int kPlane = -1, kOpening = -2;
  int robot = -1;      ///< index into Model::robots; -1 = none
  int slide = kPlane;  ///< from the world on, or one of the above
  int side = 1;        ///< of the opening: +1 the leading finger's end, -1 the other's
  explicit operator bool() const { return robot >= 0; }
  bool Is(int of_robot, int of_slide) const { return robot == of_robot && slide == of_slide; }
};

/// The handle under the mouse, and the one that it drags.
struct TargetDrag {
  HandlePart hot, held;
  int pane = 0;                 ///< that it is dragged in
  Vec3 p_WS = Vec3::Zero();     ///< point that was grabbed, as drawn [m]
  std::vector<double> targets;  ///< as set then: of the slides, or of the opening [m]
  /// What was asked for in this frame, by path: the session has it only after the frame.
  std::vector<std::pair<std::string, double>> asked;
};

struct MouseState {
  Pull pull;
  TargetDrag target_drag;
  // Saved.
  bool drag_needs_ctrl = false;
  double frequency = 4;  ///< of the mouse spring [Hz]
  double limit = 10;     ///< its largest force over the body's weight
};

}  // namespace slip::app
