// The ground of one snapshot, and what is common to all builders of its picture.
#include "render/scene/draw_list.h"

#include <algorithm>
#include <cmath>

#include "engine/core/rotation.h"
#include "render/scene/meshes.h"
#include "render/scene/surface_extent.h"

namespace slip::render {
namespace {

constexpr double kFloorBelowBelt = 0.42;  // [m] under a full-grown conveyor

float Linear(float c) { return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f); }

/// A square of ground around the camera's target, with the grid tied to the surface's point.
void AppendGround(const DrawContext& context, const Ground& floor, DrawList* list) {
  const Camera& camera = context.camera;
  const Vec3 n = floor.normal.normalized();
  if (n.dot(camera.eye_W() - floor.point) <= 0) return;  // seen from below it would hide the scene
  const Mat3 axes = AxesFromNormal(n);
  const Vec3 target = camera.spec().target;
  const double extent = 14 * camera.spec().distance + 4;
  // in the side view the ground is a block, otherwise it would be edge-on and vanish
  const double thickness = camera.orthographic() ? 4 * camera.spec().distance : 0.001;
  const Vec3 top = target - n.dot(target - floor.point) * n;
  Pose pose;
  pose.p = top - 0.5 * thickness * n;
  pose.q = Quat(axes);
  SolidInstance ground =
      MakeSolid(camera, pose, Vec3(extent, extent, 0.5 * thickness), 0, context.colours.ground);
  const double spacing = GridSpacing(camera.spec().distance);
  // ten lines are the pattern's longest period, so the offset may wrap there
  const double period = 10 * spacing;
  ground.params[0] = static_cast<float>(std::fmod(axes.col(0).dot(top - floor.point), period));
  ground.params[1] = static_cast<float>(std::fmod(axes.col(1).dot(top - floor.point), period));
  ground.params[2] = static_cast<float>(spacing);
  list->ground.push_back(ground);
}

}  // namespace

int LeadOf(const DrawContext& context) {
  return context.run_ghost ? -1 : LeadChannel(context.snapshot, context.request);
}

ChannelStyle StyleIn(const DrawContext& context, int channel) {
  if (context.foreign >= 0) return ForeignStyle(context.request.theme, context.foreign);
  if (context.run_ghost) return RunGhostStyle(context.request.theme);
  return StyleOfChannel(context.snapshot, channel, context.request.theme);
}

Mat3 AxesFromNormal(const Vec3& normal) {
  const Vec3 n = normal.normalized();
  // the grid's first direction stays as close to world x as the plane allows
  Vec3 e = Vec3::UnitX() - n.x() * n;
  if (e.norm() < 1e-3) e = Vec3::UnitY() - n.y() * n;
  e.normalize();
  Mat3 axes;
  axes << e, n.cross(e), n;
  return axes;
}

Ground ChooseFloor(const DrawContext& context, bool* is_surface) {
  const Model& model = *context.snapshot.model;
  const Vec3 up = context.camera.up_W();
  *is_surface = false;
  double lowest = 1e300;
  for (const Surface& surface : model.surfaces) {
    if (surface.drive < 0 && !IsSlope(context, surface)) continue;
    const SurfaceExtent extent = BeltExtent(context, surface);
    const Mat3 axes = BeltAxes(surface);
    double end = up.dot(surface.point);
    for (int i = 0; i < 2; ++i) {
      const double rise = up.dot(axes.col(i));
      end += std::min(rise * extent.low[i], rise * extent.high[i]);
    }
    lowest = std::min(lowest, end - kFloorBelowBelt * ConveyorScale(surface));
  }
  for (const Surface& surface : model.surfaces) {
    if (surface.drive < 0 && !IsSlope(context, surface) &&
        surface.normal.normalized().dot(up) > 0.9) {
      *is_surface = true;
      return {surface.point, surface.normal};
    }
  }
  return {lowest * up, up};
}

std::optional<Ground> GroundOf(const Snapshot& snapshot, const Camera& camera) {
  if (!snapshot.model) return std::nullopt;
  const ViewRequest request;
  const DrawContext context{snapshot, request, camera, {}, ColoursOf(request.theme)};
  bool any_belt = false, is_surface = false;
  for (const Surface& surface : snapshot.model->surfaces) {
    const Vec3 n = surface.normal.normalized();
    const bool belt = surface.drive >= 0 || IsSlope(context, surface);
    if (!belt && n.dot(camera.up_W()) > 0.5) return Ground{surface.point, n};
    any_belt = any_belt || belt;
  }
  if (!any_belt) return std::nullopt;
  const Ground floor = ChooseFloor(context, &is_surface);
  return Ground{floor.point, floor.normal.normalized()};
}

void SetColour(const Colour& colour, float out[4]) {
  out[0] = Linear(colour.r);
  out[1] = Linear(colour.g);
  out[2] = Linear(colour.b);
  out[3] = colour.a;
}

SolidInstance MakeSolid(const Camera& camera, const Pose& X_WB, const Vec3& half, double radius,
                        const Colour& colour) {
  SolidInstance solid{};
  const Mat3 R = X_WB.q.toRotationMatrix();
  const Vec3 p = X_WB.p - camera.spec().target;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) solid.rows[i][j] = static_cast<float>(R(i, j));
    solid.rows[i][3] = static_cast<float>(p[i]);
    solid.half[i] = static_cast<float>(half[i]);
  }
  solid.radius = static_cast<float>(radius);
  SetColour(colour, solid.colour);
  return solid;
}

SolidInstance MakeBar(const Camera& camera, const Vec3& from_W, const Vec3& to_W, double radius,
                      const Colour& colour) {
  const Vec3 d = to_W - from_W;
  Pose pose;
  pose.p = 0.5 * (from_W + to_W);
  if (d.norm() > 1e-12) pose.q = RotationBetween(Vec3::UnitX(), d);
  return MakeSolid(camera, pose, Vec3(0.5 * d.norm() + radius, radius, radius), radius, colour);
}

double GridSpacing(double camera_distance) {
  if (camera_distance < 0.7) return 0.05;
  return camera_distance < 14 ? 0.1 : 1.0;
}

std::vector<SolidInstance>& SolidSet::Of(const Shape& shape) {
  const void* mesh = OwnMeshOf(shape);
  for (Own& set : own) {
    if (OwnMeshOf(*set.shape) == mesh) return set.instances;
  }
  own.push_back({&shape, {}});
  return own.back().instances;
}

std::size_t SolidSet::size() const {
  std::size_t count = 0;
  for (const auto& instances : shared) count += instances.size();
  for (const Own& set : own) count += set.instances.size();
  return count;
}

void SolidSet::clear() {
  for (auto& instances : shared) instances.clear();
  own.clear();  // its shapes belong to a model that may be gone
}

void DrawList::clear() {
  for (SolidSet* set : {&solids, &casters, &ghosts, &shapes}) set->clear();
  for (auto* instances : {&panes, &belts, &ground, &marks}) instances->clear();
  strokes.clear();
  arrows.clear();
  cones.clear();
  lines.clear();
  shadows.clear();
  ghosts_in_front = false;
}

void BuildScene(const DrawContext& context, DrawList* list) {
  list->clear();
  if (!context.snapshot.model) return;
  AppendBodies(context, list);

  bool floor_is_surface = false, any_belt = false;
  const Ground floor = ChooseFloor(context, &floor_is_surface);
  for (const Surface& surface : context.snapshot.model->surfaces) {
    if (surface.drive >= 0 || IsSlope(context, surface)) {
      AppendConveyor(context, surface, floor, list);
      any_belt = true;
    } else if (surface.normal.normalized().dot(context.camera.up_W()) > 0.5) {
      AppendGround(context, {surface.point, surface.normal}, list);
    } else {
      AppendPane(context, surface, list);
    }
  }
  if (any_belt && !floor_is_surface) AppendGround(context, floor, list);
}

}  // namespace slip::render
