// A moving surface drawn as a conveyor: slats that show its motion, rails, legs on the floor; and a
// slope drawn likewise.
#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/core/rotation.h"
#include "render/scene/surface_extent.h"

namespace slip::render {
namespace {
// Dimensions of a full-grown conveyor (1.2 m wide or more), scaled down for smaller ones [m].
constexpr double kSlatPitch = 0.12;
constexpr double kBeltHalfThickness = 0.024;
constexpr double kRailHalfWidth = 0.022, kRailHalfHeight = 0.055;
constexpr double kRailDrop = 0.005;  // rails stay below the belt, so that a gap is seen from beside
constexpr double kLegHalfWidth = 0.03;
constexpr long kMostLegs = 40;  // pairs; those nearest to the eye
// A surface that leans less is level to the eye [cosine].
constexpr double kLevel = 0.9995;
}  // namespace

bool IsSlope(const DrawContext& context, const Surface& surface) {
  const Snapshot& snapshot = context.snapshot;
  if (surface.drive >= 0 || !surface.display_given || !snapshot.model->robots.empty()) return false;
  const Vec3 n = surface.normal.normalized();
  const double level = n.dot(context.camera.up_W());
  if (!(level > 0.5 && level < kLevel)) return false;
  const Vec3 u = (surface.belt_axis - surface.belt_axis.dot(n) * n).normalized();
  const Vec3 v = n.cross(u);
  if (!u.allFinite()) return false;
  // the surface goes on beyond what is drawn of it: nothing may stand on air
  for (const ChannelFrame& frame : snapshot.channels) {
    for (const BodyFrame& body : frame.bodies) {
      const Vec3 p = body.X_WB.p - surface.point;
      if (std::abs(u.dot(p)) > 0.5 * surface.display_size.x() ||
          std::abs(v.dot(p)) > 0.5 * surface.display_size.y()) {
        return false;
      }
    }
  }
  return true;
}

double ConveyorScale(const Surface& surface) {
  return std::clamp(surface.display_size.y() / 1.2, 0.15, 1.0);
}

void AppendConveyor(const DrawContext& context, const Surface& surface, const Ground& floor,
                    DrawList* list) {
  const Camera& camera = context.camera;
  const SceneColours& colours = context.colours;
  const double s = ConveyorScale(surface);
  const SurfaceExtent extent = BeltExtent(context, surface);
  const Vec2 middle = extent.Middle();
  const double half_x = extent.Half().x(), half_y = extent.Half().y();
  const Mat3 axes = BeltAxes(surface);
  if (!axes.allFinite()) return;
  const Vec3 n = axes.col(2);
  const Quat q(axes);
  // from the middle of what is drawn
  const Vec3 origin = surface.point + axes.leftCols<2>() * middle;
  const auto at = [&](double x, double y, double z) {
    return Pose{origin + axes * Vec3(x, y, z), q};
  };

  const double t = kBeltHalfThickness * s;
  // belt, its slats where the lead channel's drive has carried them
  double phase = 0;
  const int lead = LeadChannel(context.snapshot, context.request);
  if (surface.drive >= 0 && lead < static_cast<int>(context.snapshot.channels.size())) {
    const ChannelFrame& frame = At(context.snapshot.channels, lead);
    if (surface.drive < static_cast<int>(frame.config.surfaces.size())) {
      const auto& drive = At(frame.config.surfaces, surface.drive);
      const double moved = drive.Displacement(frame.time);
      if (std::isfinite(moved)) phase = std::fmod(moved - middle.x(), kSlatPitch * s);
    }
  }
  SolidInstance belt =
      MakeSolid(camera, at(0, 0, -t), Vec3(half_x, half_y, t), 0.006 * s, colours.belt);
  belt.params[2] = static_cast<float>(kSlatPitch * s);
  belt.params[3] = static_cast<float>(phase);
  if (surface.drive >= 0) {
    list->belts.push_back(belt);
  } else {
    list->solids.Of(Mesh::kBox).push_back(belt);
  }

  // rails
  const double rail_y = half_y + kRailHalfWidth * s;
  for (double side : {-1.0, 1.0}) {
    list->solids.Of(Mesh::kBox)
        .push_back(MakeSolid(camera, at(0, side * rail_y, -(kRailDrop + kRailHalfHeight) * s),
                             Vec3(half_x - t, kRailHalfWidth * s, kRailHalfHeight * s), 0.006 * s,
                             colours.frame));
  }

  // end plates: the belt itself is shaded as one flat surface, so its ends stay covered
  for (double end : {-1.0, 1.0}) {
    list->solids.Of(Mesh::kBox)
        .push_back(MakeSolid(camera,
                             at(end * (half_x + 0.004 * s), 0, -(kRailDrop + kRailHalfHeight) * s),
                             Vec3(0.012 * s, half_y + 2 * kRailHalfWidth * s, kRailHalfHeight * s),
                             0.006 * s, colours.frame));
  }

  // legs follow gravity, not the belt
  const Vec3 up = floor.normal.normalized();
  const Legs legs = LegsOf(surface);
  const double rounding = 1e-6 * legs.distance;
  const auto number = [&](double x) { return (x - legs.first) / legs.distance; };
  const long first = std::lround(std::ceil(number(extent.low.x() + legs.inset - rounding)));
  const long last = std::lround(std::floor(number(extent.high.x() - legs.inset + rounding)));
  const double eye =
      std::clamp(axes.col(0).dot(camera.eye_W() - surface.point), extent.low.x(), extent.high.x());
  const long begin = std::clamp(std::lround(number(eye)) - kMostLegs / 2, first,
                                std::max(first, last - kMostLegs));
  for (long i = begin; i <= std::min(last, begin + kMostLegs); ++i) {
    const double x = legs.first + static_cast<double>(i) * legs.distance - middle.x();
    for (double side : {-1.0, 1.0}) {
      const Vec3 top = at(x, side * (half_y - 0.02 * s), -2 * t).p;
      const double height = up.dot(top - floor.point);
      if (height < 0.02 * s) continue;
      Pose leg = at(0, 0, 0);
      leg.p = top - 0.5 * height * up;
      leg.q = RotationBetween(n, up) * q;
      list->solids.Of(Mesh::kBox)
          .push_back(MakeSolid(camera, leg,
                               Vec3(kLegHalfWidth * s, kLegHalfWidth * s, 0.5 * height), 0.004 * s,
                               colours.frame));
    }
    // cross bar
    const Vec3 between = at(x, 0, -2 * t).p;
    const double height = up.dot(between - floor.point);
    if (height < 0.1 * s) continue;
    list->solids.Of(Mesh::kBox)
        .push_back(MakeSolid(camera, Pose{between - 0.55 * height * up, q},
                             Vec3(0.018 * s, half_y - 0.02 * s, 0.018 * s), 0.003 * s,
                             colours.frame));
  }
}

}  // namespace slip::render
