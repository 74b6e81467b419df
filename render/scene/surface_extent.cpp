// A surface has no end, what stands for it in the picture has one: it goes on under the bodies that
// have come past it, so that none seems to stand on air.
#include "render/scene/surface_extent.h"

#include <algorithm>
#include <cmath>

namespace slip::render {
namespace {

// A body is on a surface while its middle is nearer than that [radii of the ball around it].
constexpr double kNear = 1.5;
// So far a picture follows [m].
constexpr double kFarthest = 1e4;
// Full-grown legs stand so far apart, the outermost so far from the ends [m].
constexpr double kLegDistance = 1.3, kLegInset = 0.16;
// Sideways a belt, and any way a wall, goes on by this share of its size.
constexpr double kShare = 0.25;

/// Moves `end` by whole steps until `at` is before it.
void GoOn(double at, double step, double direction, double* end) {
  const double over = direction * (std::clamp(at, -kFarthest, kFarthest) - *end);
  if (over > 0 && step > 0) *end += direction * step * std::ceil(over / step);
}

}  // namespace

void GoOnUnderBodies(const DrawContext& context, const Vec3& point, const Mat3& axes,
                     const Vec2& step, SurfaceExtent* extent) {
  const Snapshot& snapshot = context.snapshot;
  const Model& model = *snapshot.model;
  const int channels = std::min(static_cast<int>(snapshot.channels.size()), Snapshot::kMaxChannels);
  for (int c = 0; c < channels; ++c) {
    if (!ChannelShown(snapshot, context.request, c)) continue;
    for (int b = 0; b < model.drawn(); ++b) {
      const Body& body = model.Drawn(b);
      if (!body.Moves() || !body.visible || context.request.hidden.Has(body.Owner(b))) continue;
      const Vec3 p = axes.transpose() * (DrawnPose(snapshot, context.request, c, b).p - point);
      if (!(std::abs(p.z()) < kNear * body.bound)) continue;
      for (int i = 0; i < 2; ++i) {
        GoOn(p[i] - body.bound, step[i], -1, &extent->low[i]);
        GoOn(p[i] + body.bound, step[i], 1, &extent->high[i]);
      }
    }
  }
}

Legs LegsOf(const Surface& surface) {
  const double s = ConveyorScale(surface);
  const double half = std::max(0.5 * surface.display_size.x(), 0.05);
  const auto pairs = std::max(2L, std::lround(2 * half / (kLegDistance * s)) + 1);
  const double inset = std::min(kLegInset * s, 0.4 * half), outermost = half - inset;
  return {-outermost, 2 * outermost / static_cast<double>(pairs - 1), inset};
}

Mat3 BeltAxes(const Surface& surface) {
  const Vec3 n = surface.normal.normalized();
  const Vec3 axis = (surface.belt_axis - surface.belt_axis.dot(n) * n).normalized();
  Mat3 axes;
  axes << axis, n.cross(axis), n;
  return axes;
}

SurfaceExtent BeltExtent(const DrawContext& context, const Surface& surface) {
  SurfaceExtent extent;
  extent.high = (0.5 * surface.display_size).cwiseMax(0.05);
  extent.low = -extent.high;
  const Mat3 axes = BeltAxes(surface);
  // a slope ends where it ends: what leaves it is drawn on the ground
  if (surface.drive < 0 || !axes.allFinite()) return extent;
  const Vec2 step(LegsOf(surface).distance, kShare * (extent.high.y() - extent.low.y()));
  GoOnUnderBodies(context, surface.point, axes, step, &extent);
  return extent;
}

Vec2 WallStep(const SurfaceExtent& extent) { return kShare * (extent.high - extent.low); }

}  // namespace slip::render
