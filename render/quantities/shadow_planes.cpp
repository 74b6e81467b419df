// What takes shadows in a picture.
#include <algorithm>

#include "render/quantities/shadows.h"
#include "render/scene/surface_extent.h"

namespace slip::render {
namespace {

constexpr std::size_t kMostPlanes = 8;
constexpr double kLevelFace = 0.5;  // cosine from which a face takes shadows

}  // namespace

std::vector<ShadowPlane> ShadowPlanes(const DrawContext& context) {
  std::vector<ShadowPlane> planes;
  const Model& model = *context.snapshot.model;
  const Vec3 up = context.camera.up_W();
  bool any_belt = false, floor_is_surface = false;
  const auto add = [&](const ShadowPlane& plane) {
    // from below nothing of it is seen, and edge-on nothing on it
    const Vec3 n = plane.axes.col(2);
    const double over = context.camera.orthographic() ? -n.dot(context.camera.forward_W())
                                                      : n.dot(context.camera.eye_W() - plane.point);
    if (over > 1e-6 && plane.axes.allFinite() && planes.size() < kMostPlanes)
      planes.push_back(plane);
  };
  for (const Surface& surface : model.surfaces) {
    const Vec3 n = surface.normal.normalized();
    ShadowPlane plane{surface.point, AxesFromNormal(n)};
    if (surface.drive >= 0 || IsSlope(context, surface)) {
      any_belt = true;
      const SurfaceExtent extent = BeltExtent(context, surface);
      plane.axes = BeltAxes(surface);
      plane.point += plane.axes.leftCols<2>() * extent.Middle();
      plane.half = extent.Half();
    } else if (n.dot(up) <= kLevelFace) {
      continue;
    }
    add(plane);
  }
  if (any_belt) {
    const Ground floor = ChooseFloor(context, &floor_is_surface);
    if (!floor_is_surface) add({floor.point, AxesFromNormal(floor.normal)});
  }
  // tables, floors of bins
  const int lead = LeadChannel(context.snapshot, context.request);
  for (int b = 0; b < model.drawn(); ++b) {
    const Body& body = model.Drawn(b);
    if (body.Moves() || body.shape.kind != ShapeKind::kBox || !body.visible) continue;
    if (context.request.hidden.Has(body.Owner(b))) continue;
    const Pose pose = DrawnPose(context.snapshot, context.request, lead, b);
    if (IsGlassWall(context.camera, body, pose)) continue;
    const Mat3 R = pose.q.toRotationMatrix();
    int k = 0;
    (R.transpose() * up).cwiseAbs().maxCoeff(&k);
    const double side = R.col(k).dot(up) > 0 ? 1 : -1;
    const Vec3 half = 0.5 * body.shape.size;
    ShadowPlane plane;
    plane.axes << R.col((k + 1) % 3), side * R.col((k + 2) % 3), side * R.col(k);
    plane.point = pose.p + half[k] * plane.axes.col(2);
    plane.half = Vec2(half[(k + 1) % 3], half[(k + 2) % 3]);
    if (plane.axes.col(2).dot(up) > kLevelFace) add(plane);
  }
  return planes;
}

}  // namespace slip::render
