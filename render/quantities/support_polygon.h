// How a robot stands: the convex hull of the points that carry it, its centre of mass, and where
// gravity takes that to the ground. A robot at rest falls when the projection leaves the hull.
#pragma once

#include <optional>
#include <vector>

#include "render/scene/draw_list.h"

namespace slip::render {

struct Support {
  Vec3 com_W;     ///< of all its links [m]
  Vec3 ground_W;  ///< where the line of gravity through it meets the surface that carries most
  Vec3 normal_W;  ///< of that surface
  /// Corners of the hull of the loaded contact points, as seen along gravity: counter-clockwise
  /// from above. Two when they lie on a line. Their heights are their own.
  std::vector<Vec3> corners_W;
  int points = 0;  ///< how many carry load
  /// Horizontal distance of ground_W from the hull's border [m]: positive inside, negative outside
  /// and for hulls without area. NaN while nothing carries load.
  double margin = 0;
};

/// Contact points that carry less than this share of the robot's weight do not count.
inline constexpr double kLeastLoad = 1e-3;

/// Of a robot that stands free, by its contacts with surfaces and bodies that do not move. Nothing
/// for a fixed base, without gravity, without a surface below, or when a pose is not finite.
std::optional<Support> CalcSupport(const Model& model, const Robot& robot,
                                   const ChannelFrame& frame, const Vec3& gravity_W);

/// Adds polygons, centres of mass and their projections of the shown channels; returns the reading
/// of the lead: of the robot that the selected body belongs to, else of the first.
SupportReading AppendSupport(const DrawContext& context, DrawList* list);

}  // namespace slip::render
