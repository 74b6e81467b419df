// The balls' bounds in pixels against the room, a few times over: a shift changes what is behind.
#include "render/scene/keep_in_view.h"

#include <algorithm>
#include <cmath>

namespace slip::render {
namespace {

constexpr int kPasses = 6;
constexpr double kBehindZoom = 1.5;  // of a ball behind the eye nothing better is known

struct BallBounds {
  Vec2 low = Vec2::Constant(1e30), high = Vec2::Constant(-1e30);  // [px]
  double depth = 0;                                               // mean [m]
  int seen = 0, behind = 0;
};

BallBounds CalcBallBounds(const Camera& camera, const Viewport& viewport,
                          std::span<const Ball> balls) {
  BallBounds bounds;
  for (const Ball& ball : balls) {
    if (!ball.p_W.allFinite() || !std::isfinite(ball.radius)) continue;
    const auto pixel = camera.Project(ball.p_W, viewport);
    if (!pixel) {
      ++bounds.behind;
      continue;
    }
    const Vec2 reach = Vec2::Constant(ball.radius / camera.MetresPerPixel(pixel->z(), viewport));
    bounds.low = bounds.low.cwiseMin(pixel->head<2>() - reach);
    bounds.high = bounds.high.cwiseMax(pixel->head<2>() + reach);
    bounds.depth += pixel->z();
    ++bounds.seen;
  }
  if (bounds.seen > 0) bounds.depth /= bounds.seen;
  return bounds;
}

/// How far [low, high] is outside of [min, max]; of what does not fit, the middle counts.
double Outside(double low, double high, double min, double max) {
  if (high - low > max - min) return 0.5 * (low + high) - 0.5 * (min + max);
  return low < min ? low - min : std::max(0.0, high - max);
}

}  // namespace

Camera Shifted(const Camera& camera, const ViewShift& shift) {
  if (shift == ViewShift{}) return camera;
  Camera shifted = camera;
  CameraSpec spec = camera.spec();
  spec.target += shift.way;
  spec.distance *= shift.zoom;
  shifted.Set(spec);
  return shifted;
}

std::optional<Room> BoundsOf(const Camera& camera, const Viewport& viewport,
                             std::span<const Ball> balls) {
  const BallBounds bounds = CalcBallBounds(camera, viewport, balls);
  if (bounds.seen == 0) return std::nullopt;
  return Room{bounds.low, bounds.high};
}

ViewShift CalcKeepInView(const Camera& camera, const Viewport& viewport, const Room& room,
                         std::span<const Ball> balls, double most_zoom, bool* fits) {
  *fits = true;
  ViewShift shift;
  const Vec2 size = room.max - room.min;
  if (viewport.empty() || !(size.minCoeff() > 1)) return shift;
  for (int pass = 0; pass < kPasses; ++pass) {
    const Camera now = Shifted(camera, shift);
    const BallBounds bounds = CalcBallBounds(now, viewport, balls);
    if (bounds.seen + bounds.behind == 0) return shift;
    double farther = bounds.behind > 0 ? kBehindZoom : 1;
    if (bounds.seen > 0) {
      const Vec2 way(Outside(bounds.low.x(), bounds.high.x(), room.min.x(), room.max.x()),
                     Outside(bounds.low.y(), bounds.high.y(), room.min.y(), room.max.y()));
      const double scale = now.MetresPerPixel(bounds.depth, viewport);
      const Vec3 right = now.right_W(), up = right.cross(now.forward_W());
      shift.way += scale * (way.x() * right - way.y() * up);
      farther = std::max(farther, (bounds.high - bounds.low).cwiseQuotient(size).maxCoeff());
    }
    if (!(shift.way.allFinite())) return {};
    if (farther > 1 + 1e-3) {
      const double wanted = shift.zoom * farther;
      *fits = wanted <= most_zoom;
      shift.zoom = std::min(wanted, most_zoom);
    }
  }
  return shift;
}

}  // namespace slip::render
