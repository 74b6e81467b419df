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

/// One conveyor on its way into the list.
class Conveyor {
 public:
  Conveyor(const DrawContext& context, const Surface& surface, DrawList* list)
      : context_(context),
        surface_(surface),
        boxes_(list->solids.Of(Mesh::kBox)),
        list_(list),
        scale_(ConveyorScale(surface)),
        extent_(BeltExtent(context, surface)),
        half_(extent_.Half()),
        axes_(BeltAxes(surface)),
        q_(axes_),
        origin_(surface.point + axes_.leftCols<2>() * extent_.Middle()) {}

  bool sound() const { return axes_.allFinite(); }

  void AddBelt() {
    const double t = kBeltHalfThickness * scale_;
    SolidInstance belt = MakeSolid(context_.camera, PoseAt(0, 0, -t), Vec3(half_.x(), half_.y(), t),
                                   0.006 * scale_, context_.colours.belt);
    belt.params[2] = static_cast<float>(kSlatPitch * scale_);
    belt.params[3] = static_cast<float>(Phase());
    (surface_.drive >= 0 ? list_->belts : boxes_).push_back(belt);
  }

  /// Rails, and plates: the belt itself is shaded as one flat surface, so its ends stay covered.
  void AddFrame() {
    const double s = scale_, z = -(kRailDrop + kRailHalfHeight) * s;
    const double rail_y = half_.y() + kRailHalfWidth * s;
    for (const double side : {-1.0, 1.0}) {
      AddBox(PoseAt(0, side * rail_y, z),
             Vec3(half_.x() - kBeltHalfThickness * s, kRailHalfWidth * s, kRailHalfHeight * s),
             0.006 * s);
    }
    for (const double end : {-1.0, 1.0}) {
      AddBox(PoseAt(end * (half_.x() + 0.004 * s), 0, z),
             Vec3(0.012 * s, half_.y() + 2 * kRailHalfWidth * s, kRailHalfHeight * s), 0.006 * s);
    }
  }

  /// They follow gravity, not the belt.
  void AddLegs(const Ground& floor) {
    const Legs legs = LegsOf(surface_);
    const double rounding = 1e-6 * legs.distance;
    const auto number = [&](double x) { return (x - legs.first) / legs.distance; };
    const long first = std::lround(std::ceil(number(extent_.low.x() + legs.inset - rounding)));
    const long last = std::lround(std::floor(number(extent_.high.x() - legs.inset + rounding)));
    const double eye = std::clamp(axes_.col(0).dot(context_.camera.eye_W() - surface_.point),
                                  extent_.low.x(), extent_.high.x());
    const long begin = std::clamp(std::lround(number(eye)) - kMostLegs / 2, first,
                                  std::max(first, last - kMostLegs));
    for (long i = begin; i <= std::min(last, begin + kMostLegs); ++i)
      AddPair(legs.first + static_cast<double>(i) * legs.distance - extent_.Middle().x(), floor);
  }

 private:
  /// From the middle of what is drawn.
  Pose PoseAt(double x, double y, double z) const { return {origin_ + axes_ * Vec3(x, y, z), q_}; }

  void AddBox(const Pose& pose, const Vec3& half, double rounding) {
    boxes_.push_back(MakeSolid(context_.camera, pose, half, rounding, context_.colours.frame));
  }

  /// Where the lead channel's drive has carried the slats.
  double Phase() const {
    const int lead = LeadChannel(context_.snapshot, context_.request);
    if (surface_.drive < 0 || lead >= static_cast<int>(context_.snapshot.channels.size())) return 0;
    const ChannelFrame& frame = At(context_.snapshot.channels, lead);
    if (surface_.drive >= static_cast<int>(frame.config.surfaces.size())) return 0;
    const double moved = At(frame.config.surfaces, surface_.drive).Displacement(frame.time);
    return std::isfinite(moved) ? std::fmod(moved - extent_.Middle().x(), kSlatPitch * scale_) : 0;
  }

  /// Two legs with a bar between them.
  void AddPair(double x, const Ground& floor) {
    const double s = scale_;
    const Vec3 up = floor.normal.normalized();
    for (const double side : {-1.0, 1.0}) {
      const Vec3 top = PoseAt(x, side * (half_.y() - 0.02 * s), -2 * kBeltHalfThickness * s).p;
      const double height = up.dot(top - floor.point);
      if (height < 0.02 * s) continue;
      const Pose leg{top - 0.5 * height * up, RotationBetween(axes_.col(2), up) * q_};
      AddBox(leg, Vec3(kLegHalfWidth * s, kLegHalfWidth * s, 0.5 * height), 0.004 * s);
    }
    const Vec3 between = PoseAt(x, 0, -2 * kBeltHalfThickness * s).p;
    const double height = up.dot(between - floor.point);
    if (height < 0.1 * s) return;
    AddBox({between - 0.55 * height * up, q_}, Vec3(0.018 * s, half_.y() - 0.02 * s, 0.018 * s),
           0.003 * s);
  }

  const DrawContext& context_;
  const Surface& surface_;
  std::vector<SolidInstance>& boxes_;
  DrawList* list_;
  double scale_;
  SurfaceExtent extent_;
  Vec2 half_;
  Mat3 axes_;
  Quat q_;
  Vec3 origin_;
};

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
  Conveyor conveyor(context, surface, list);
  if (!conveyor.sound()) return;
  conveyor.AddBelt();
  conveyor.AddFrame();
  conveyor.AddLegs(floor);
}

}  // namespace slip::render
