#include "render/scene/robot_looks.h"

#include <algorithm>
#include <numbers>

#include "engine/core/numbers.h"
#include "engine/geometry/mesh.h"

namespace slip::render {
namespace {

// Of a mesh so many triangles stand for all.
constexpr std::size_t kTriangles = 64;

/// About how much there is to see of a shape [m²]. The ball around it says little: letters are
/// thin, and may stand far from the frame that they are drawn in.
double AreaOf(const Body& body) {
  const Shape& shape = body.shape;
  const double r = shape.radius;
  switch (shape.kind) {
    case ShapeKind::kBox: {
      const Vec3& s = shape.size;
      return 2 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x());
    }
    case ShapeKind::kSphere:
      return 4 * std::numbers::pi * r * r;
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
      return 2 * std::numbers::pi * r * (shape.length + r);
    case ShapeKind::kTriangleMesh: {
      const TriangleMesh& mesh = *shape.triangles;
      const std::size_t count = mesh.triangles.size();
      const std::size_t stride = std::max<std::size_t>(1, count / kTriangles);
      double area = 0;
      for (std::size_t i = 0; i < count; i += stride) {
        const auto& corners = mesh.triangles[i];
        const Vec3& a = At(mesh.vertices, corners[0]);
        const Vec3 ab = At(mesh.vertices, corners[1]) - a, ac = At(mesh.vertices, corners[2]) - a;
        area += 0.5 * static_cast<double>(stride) * ab.cross(ac).norm();
      }
      return area;
    }
    case ShapeKind::kConvex:
    case ShapeKind::kPointCloud:
      break;
  }
  return 4 * body.bound * body.bound;
}

}  // namespace

double LuminanceOf(const std::array<double, 4>& c) {
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

std::vector<RobotLook> LookAtRobots(const Model& model) {
  std::vector<RobotLook> looks(model.robots.size());
  std::vector<double> light(looks.size(), 0), area(looks.size(), 0);
  for (int i = 0; i < model.drawn(); ++i) {
    const Body& body = model.Drawn(i);
    if (body.robot < 0) continue;
    const Shape& shape = body.shape;
    if (shape.kind == ShapeKind::kTriangleMesh && shape.triangles) {
      std::size_t& finest = At(looks, body.robot).finest;
      finest = std::max(finest, shape.triangles->triangles.size());
    }
    const double opacity = OpacityOf(body);
    if (!body.visible || !(opacity > 0)) continue;
    const double share = opacity * AreaOf(body);
    At(area, body.robot) += share;
    // what has no colour of its own has a light one
    At(light, body.robot) += share * (body.colour ? LuminanceOf(*body.colour) : 1);
  }
  for (std::size_t r = 0; r < looks.size(); ++r)
    if (area[r] > 0) looks[r].luminance = light[r] / area[r];
  return looks;
}

std::span<const RobotLook> KnownLooks::Of(const std::shared_ptr<const Model>& model) {
  if (of_.lock() != model) {
    looks_ = LookAtRobots(*model);
    of_ = model;
  }
  return looks_;
}

}  // namespace slip::render
