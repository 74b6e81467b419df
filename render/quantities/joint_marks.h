// Axes of joints with one coordinate, and what their motors give: an arc about the axis of a
// revolute joint, an arrow along that of a prismatic one, as long as the share of its effort limit.
#pragma once

#include <optional>

#include "render/scene/draw_list.h"

namespace slip::render {

/// The arc of a motor at its limit [rad]: its head must not meet its tail.
inline constexpr double kFullArc = 1.5 * M_PI;

struct JointMark {
  Vec3 origin_W;  ///< [m]
  Vec3 axis_W;    ///< unit; positive coordinates turn about it by the right hand, or move along it
  bool turns = false;
  /// Of the motor over its limit: positive along or about the axis, -1 to 1. Zero without a limit.
  double effort = 0;
};

/// Nothing for a joint that is not of this model or whose pose is not finite.
std::optional<JointMark> CalcJointMark(const Model& model, const JointFrame& joint,
                                       const Pose& X_WB);

/// Adds an arc about an axis (unit), as long as the share that a torque has of its limit, -1 to 1;
/// the whole of it is faint. Next to nothing has none.
void AppendTorque(const DrawContext& context, const Vec3& centre_W, const Vec3& axis_W,
                  double share, const Colour& colour, DrawList* list);

/// Adds the marks of all joints where they are asked for, else of the selected body's joint.
void AppendJointMarks(const DrawContext& context, DrawList* list);

}  // namespace slip::render
