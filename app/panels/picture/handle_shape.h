// Where the handles of a robot's targets are in a picture, and which one is under the mouse.
#pragma once

#include <vector>

#include "app/session/target_handles.h"
#include "app/view/pane.h"

namespace slip::app {

// Design pixels: the arrow of a slide, and how near the mouse must come to a handle.
inline constexpr float kHandleLength = 62, kHandleReach = 8;

/// A robot's handles on the screen [px].
struct HandleShape {
  struct Arrow {
    ImVec2 from, to;
    bool shown = false;
  };
  ImVec2 middle, palm;
  bool shown = false;
  std::vector<Arrow> arrows;  // as TargetHandles::slides
  Arrow opening;              // to the leading finger, from the other one
};

float Distance(ImVec2 a, ImVec2 b);

/// Of a robot that is drawn `offset` away from where it is [m].
HandleShape ShapeOf(const Pane& pane, const TargetHandles& handles, const Vec3& offset);
/// The nearest part of a robot's handles within reach.
HandlePart HitHandle(const TargetHandles& handles, const HandleShape& shape, ImVec2 mouse);

}  // namespace slip::app
