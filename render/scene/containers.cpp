// Walls of containers. They must not hide the pile: seen from outside only their edges are drawn.
#include <algorithm>
#include <cmath>

#include "render/scene/surface_extent.h"

namespace slip::render {
namespace {

constexpr float kFrameGlow = 0.6f;  // thin bars would be lost in their own shade
constexpr double kPaneAlpha = 0.13;
constexpr double kLargestFitted = 3;   // a wall that nothing bounds is not drawn [m]
constexpr double kFittedHeight = 0.6;  // of its length
constexpr double kSlab = 0.2;          // a box thinner than this share of its other edges is a wall

/// A rectangle in space: centre and two half edges.
struct Rectangle {
  Vec3 centre, u, v;
};

void AppendFrame(const DrawContext& context, const Rectangle& r, DrawList* list) {
  const double width = 2 * r.u.norm(), height = 2 * r.v.norm();
  const double t = std::clamp(0.006 * std::min(width, height), 0.0008, 0.006);
  Mat3 axes;
  axes << r.u.normalized(), r.v.normalized(), r.u.cross(r.v).normalized();
  const Quat q(axes);
  auto& solids = list->solids.Of(Mesh::kBlock);
  const std::size_t first = solids.size();
  for (double side : {1.0, -1.0}) {
    solids.push_back(MakeSolid(context.camera, {r.centre + side * r.u, q},
                               Vec3(t, 0.5 * height + t, t), 0, context.colours.frame));
    solids.push_back(MakeSolid(context.camera, {r.centre + side * r.v, q},
                               Vec3(0.5 * width - t, t, t), 0, context.colours.frame));
  }
  for (std::size_t i = first; i < solids.size(); ++i) solids[i].params[1] = kFrameGlow;
}

void AppendGlass(const DrawContext& context, const Rectangle& r, double alpha, DrawList* list) {
  Mat3 axes;
  axes << r.u.normalized(), r.v.normalized(), r.u.cross(r.v).normalized();
  list->panes.push_back(MakeSolid(context.camera, {r.centre, Quat(axes)},
                                  Vec3(r.u.norm(), r.v.norm(), 0.0005), 0,
                                  context.colours.frame.WithAlpha(static_cast<float>(alpha))));
}

/// Cuts the line p + s way, s in [low, high], to the front of a plane.
void Clip(const Vec3& p, const Vec3& way, const Surface& plane, double* low, double* high) {
  const Vec3 n = plane.normal.normalized();
  const double slope = n.dot(way), at = n.dot(p - plane.point);
  if (std::abs(slope) < 1e-6) return;
  if (slope > 0) {
    *low = std::max(*low, -at / slope);
  } else {
    *high = std::min(*high, -at / slope);
  }
}

}  // namespace

void AppendPane(const DrawContext& context, const Surface& surface, DrawList* list) {
  const Vec3 up = context.camera.up_W(), n = surface.normal.normalized();
  if (n.dot(up) < -0.5) return;  // a lid would cover all
  Vec3 u = surface.belt_axis - surface.belt_axis.dot(n) * n;
  if (surface.display_given && u.norm() < 1e-6) return;
  u = surface.display_given ? Vec3(u.normalized()) : Vec3(up.cross(n).normalized());
  const Vec3 v = n.cross(u);
  if (!u.allFinite() || !v.allFinite()) return;
  SurfaceExtent extent{-0.5 * surface.display_size, 0.5 * surface.display_size};
  Mat3 axes;
  axes << u, v, n;
  if (surface.display_given)
    GoOnUnderBodies(context, surface.point, axes, WallStep(extent), &extent);
  for (const Surface& other : context.snapshot.model->surfaces) {
    if (&other == &surface || other.drive >= 0) continue;
    const bool ground = other.normal.normalized().dot(up) > 0.5;
    // what lies below the ground is not seen; lengths not given end at the neighbours
    if (!ground && surface.display_given) continue;
    Clip(surface.point, u, other, &extent.low.x(), &extent.high.x());
    Clip(surface.point, v, other, &extent.low.y(), &extent.high.y());
  }
  if (!surface.display_given) {
    const double length = extent.high.x() - extent.low.x();
    if (length > kLargestFitted) return;
    extent.high.y() = std::min(extent.high.y(), extent.low.y() + kFittedHeight * length);
    // beside and below it are its neighbours
    SurfaceExtent grown = extent;
    GoOnUnderBodies(context, surface.point, axes, WallStep(extent), &grown);
    extent.high.y() = grown.high.y();
  }
  const Vec2 half = extent.Half(), middle = extent.Middle();
  if (!(half.x() > 0) || !(half.y() > 0)) return;
  const Rectangle r{surface.point + middle.x() * u + middle.y() * v, half.x() * u, half.y() * v};
  AppendFrame(context, r, list);
  if (n.dot(context.camera.eye_W() - surface.point) > 0) {
    AppendGlass(context, r, kPaneAlpha, list);
  }
}

bool IsGlassWall(const Camera& camera, const Body& body, const Pose& X_WB) {
  if (body.Moves() || body.shape.kind != ShapeKind::kBox) return false;
  int thin = 0;
  const Vec3& size = body.shape.size;
  const double least = size.minCoeff(&thin);
  if (least > kSlab * std::min(size[(thin + 1) % 3], size[(thin + 2) % 3])) return false;
  const Vec3 n = X_WB.q * Vec3::Unit(thin);
  if (std::abs(n.dot(camera.up_W())) > 0.5) return false;
  // it hides something when the eye and what it looks at are on different sides
  return n.dot(camera.eye_W() - X_WB.p) * n.dot(camera.spec().target - X_WB.p) < 0;
}

bool AppendWall(const DrawContext& context, const Body& body, const Pose& X_WB, DrawList* list) {
  if (!IsGlassWall(context.camera, body, X_WB)) return false;
  int thin = 0;
  body.shape.size.minCoeff(&thin);
  const Vec3 half = 0.5 * body.shape.size;
  const int a = (thin + 1) % 3, b = (thin + 2) % 3;
  const Rectangle r{X_WB.p, half[a] * (X_WB.q * Vec3::Unit(a)), half[b] * (X_WB.q * Vec3::Unit(b))};
  AppendFrame(context, r, list);
  AppendGlass(context, r, 0.5 * kPaneAlpha, list);
  return true;
}

}  // namespace slip::render
