#include "engine/urdf/urdf_axes.h"

#include "engine/core/numbers.h"
#include "engine/geometry/shape.h"

namespace slip {
namespace {

// Of the box's diagonal: covers are left out of meshes, and boxes of long shapes are narrow.
constexpr double kMargin = 0.05;

bool IsOutside(const RobotLink& link, const std::vector<RobotShape>& shapes) {
  Vec3 low = Vec3::Constant(kInfinity), high = -low;
  for (const RobotShape& shape : shapes) {
    Vec3 min, max;
    CalcBounds(shape.shape, shape.X_LS, &min, &max);
    low = low.cwiseMin(min);
    high = high.cwiseMax(max);
  }
  const double margin = kMargin * (high - low).norm();
  return ((link.p_LC - low).array() < -margin).any() || ((link.p_LC - high).array() > margin).any();
}

}  // namespace

int CountMassesOutside(const RobotDescription& robot) {
  int count = 0;
  for (const RobotLink& link : robot.links) {
    const std::vector<RobotShape>& shapes =
        link.collisions.empty() ? link.visuals : link.collisions;
    if (link.mass > 0 && !shapes.empty() && IsOutside(link, shapes)) ++count;
  }
  return count;
}

}  // namespace slip
