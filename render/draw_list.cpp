// Bodies and ground of one snapshot as mesh instances.
#include "render/draw_list.h"

#include <algorithm>
#include <cmath>

namespace slip::render {
namespace {

constexpr double kEdgeRadius = 0.004;     // of drawn boxes [m]
constexpr double kFloorBelowBelt = 0.42;  // [m] under a full-grown conveyor

float Linear(float c) { return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f); }

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

SolidInstance MakeBody(const Camera& camera, const Shape& shape, const Pose& pose,
                       const Colour& colour, bool* round) {
  *round = shape.kind != ShapeKind::kBox;
  const double r = shape.radius;
  switch (shape.kind) {
    case ShapeKind::kBox: {
      return MakeSolid(camera, pose, 0.5 * shape.size, BoxEdgeRadius(shape), colour);
    }
    case ShapeKind::kSphere: {
      SolidInstance solid = MakeSolid(camera, pose, Vec3::Constant(r), r, colour);
      solid.params[0] = 1;
      return solid;
    }
    case ShapeKind::kCapsule: {
      SolidInstance solid = MakeSolid(camera, pose, Vec3(0.5 * shape.length + r, r, r), r, colour);
      solid.params[0] = 2;
      return solid;
    }
    case ShapeKind::kCylinder:
    case ShapeKind::kConvex:
    case ShapeKind::kTriangleMesh:
    case ShapeKind::kPointCloud:
      break;
  }
  return {};
}

/// Two-tone ball at the centre of mass, as on a crash-test dummy.
void AppendCentreOfMass(const DrawContext& context, const Pose& pose, DrawList* list) {
  const double r = 0.006 * std::max(context.camera.Depth(pose.p), 0.0);
  SolidInstance ball = MakeSolid(context.camera, pose, Vec3::Constant(r), r, Colour::Hex(0xFFFFFF));
  ball.params[0] = 3;
  ball.params[1] = 0.7f;
  list->marks.push_back(ball);
}

const Colour& NeutralColour(const SceneColours& colours, ShapeKind kind) {
  if (kind == ShapeKind::kSphere) return colours.sphere;
  if (kind == ShapeKind::kCapsule) return colours.capsule;
  return colours.box;
}

/// A square of ground around the camera's target, with the grid tied to the surface's point.
void AppendGround(const DrawContext& context, const Floor& floor, DrawList* list) {
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

/// Floor for the conveyors: a resting surface below them, or one invented at leg length.
Floor ChooseFloor(const DrawContext& context, bool* is_surface) {
  const Model& model = *context.snapshot.model;
  const Vec3 up = context.camera.up_W();
  *is_surface = false;
  double lowest = 1e300;
  for (const Surface& surface : model.surfaces) {
    if (surface.drive < 0) continue;
    const Vec3 n = surface.normal.normalized();
    const Vec3 a = 0.5 * surface.display_size.x() * surface.belt_axis;
    const Vec3 b = 0.5 * surface.display_size.y() * n.cross(surface.belt_axis);
    const double reach = std::abs(up.dot(a)) + std::abs(up.dot(b));
    lowest =
        std::min(lowest, up.dot(surface.point) - reach - kFloorBelowBelt * ConveyorScale(surface));
  }
  for (const Surface& surface : model.surfaces) {
    if (surface.drive < 0 && surface.normal.normalized().dot(up) > 0.9) {
      *is_surface = true;
      return {surface.point, surface.normal};
    }
  }
  return {lowest * up, up};
}

}  // namespace

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
  if (d.norm() > 1e-12) pose.q = Quat::FromTwoVectors(Vec3::UnitX(), d);
  return MakeSolid(camera, pose, Vec3(0.5 * d.norm() + radius, radius, radius), radius, colour);
}

double BoxEdgeRadius(const Shape& shape) {
  return std::min(kEdgeRadius, 0.08 * shape.size.minCoeff());
}

double GridSpacing(double camera_distance) {
  if (camera_distance < 0.7) return 0.05;
  return camera_distance < 14 ? 0.1 : 1.0;
}

DrawList BuildScene(const DrawContext& context) {
  DrawList list;
  const Snapshot& snapshot = context.snapshot;
  if (!snapshot.model) return list;
  const Model& model = *snapshot.model;
  const ViewOptions& options = context.options;
  const int lead = LeadChannel(snapshot, options);

  struct Ghost {
    double depth;
    Solid solid;
  };
  std::vector<Ghost> ghosts;
  for (int c = 0; c < std::min(static_cast<int>(snapshot.channels.size()), kMaxChannels); ++c) {
    if (!ChannelShown(snapshot, options, c)) continue;
    const Colour model_colour = StyleOfChannel(snapshot, c, options.theme).colour;
    for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
      const Shape& shape = model.bodies[static_cast<std::size_t>(b)].shape;
      const Pose pose = DrawnPose(snapshot, options, c, b);
      const bool ghost = c != lead || options.transparent;
      Colour colour = c == lead && !options.tint_lead ? NeutralColour(context.colours, shape.kind)
                                                      : model_colour;
      if (ghost) colour.a = context.colours.ghost_alpha;
      bool round = false;
      SolidInstance solid = MakeBody(context.camera, shape, pose, colour, &round);
      if (options.com_marks && c == lead) AppendCentreOfMass(context, pose, &list);
      if (ghost) {
        solid.params[1] = 0.35f;
        ghosts.push_back({context.camera.Depth(pose.p), {solid, round}});
      } else {
        (round ? list.round : list.flat).push_back(solid);
      }
    }
  }
  std::sort(ghosts.begin(), ghosts.end(),
            [](const Ghost& a, const Ghost& b) { return a.depth > b.depth; });
  for (const Ghost& ghost : ghosts) list.ghosts.push_back(ghost.solid);

  bool floor_is_surface = false, any_belt = false;
  const Floor floor = ChooseFloor(context, &floor_is_surface);
  for (const Surface& surface : model.surfaces) {
    if (surface.drive >= 0) {
      AppendConveyor(context, surface, floor, &list);
      any_belt = true;
    } else if (surface.normal.normalized().dot(context.camera.up_W()) > 0.5) {
      AppendGround(context, {surface.point, surface.normal}, &list);
    } else {
      // walls and lids: a pane that does not hide what is behind it
      Pose pose;
      pose.q = Quat(AxesFromNormal(surface.normal));
      pose.p = surface.point - 0.002 * surface.normal.normalized();
      const Colour colour = context.colours.frame.WithAlpha(0.18f);
      const SolidInstance pane = MakeSolid(
          context.camera, pose,
          Vec3(0.5 * surface.display_size.x(), 0.5 * surface.display_size.y(), 0.002), 0, colour);
      list.ghosts.insert(list.ghosts.begin(), Solid{pane, false});
    }
  }
  if (any_belt && !floor_is_surface) AppendGround(context, floor, &list);
  return list;
}

}  // namespace slip::render
