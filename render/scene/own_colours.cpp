#include "render/scene/own_colours.h"

#include <algorithm>
#include <numbers>

#include "engine/core/numbers.h"
#include "engine/geometry/mesh.h"

namespace slip::render {
namespace {

// A robot that is darker than `robot` on average is dark as a whole. Its colours below `dark` come
// to lie between `least` and `dark`: light enough beside a dark ground, and to show its relief
// before a light one.
constexpr OwnColours::Lift kBeforeDark{0.15, 0.35, 0.25}, kBeforeLight{0.05, 0.15, 0.07};

double Luminance(const std::array<double, 4>& c) {
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

// Of a mesh so many triangles stand for all: this is worked out for every picture.
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

OwnColours::OwnColours(const Model& model, Theme theme)
    : lift_(theme == Theme::kDark ? kBeforeDark : kBeforeLight) {
  std::vector<double> light(model.robots.size(), 0), area(model.robots.size(), 0);
  for (int i = 0; i < model.drawn(); ++i) {
    const Body& body = model.Drawn(i);
    const double opacity = OpacityOf(body);
    if (!body.visible || body.robot < 0 || !(opacity > 0)) continue;
    const double share = opacity * AreaOf(body);
    At(area, body.robot) += share;
    // what has no colour of its own has a light one
    At(light, body.robot) += share * (body.colour ? Luminance(*body.colour) : 1);
  }
  for (std::size_t r = 0; r < area.size(); ++r)
    lifted_.push_back(area[r] > 0 && light[r] < lift_.robot * area[r]);
}

std::array<float, 3> OwnColours::Of(const Body& body) const {
  const std::array<double, 4>& own = *body.colour;
  const double was = Luminance(own);
  const double lift =
      Lifts(body.robot) && was < lift_.dark ? lift_.least * (1 - was / lift_.dark) : 0;
  std::array<float, 3> out{};
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<float>(std::min(1.0, own[i] + lift));
  return out;
}

}  // namespace slip::render
