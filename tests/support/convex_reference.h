// Support functions and separations written for the tests alone: slow, simple, independent.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/collide/collide_convex.h"
#include "tests/support/geometry.h"

namespace slip::test {

struct Placed {
  Shape shape;
  Pose pose;
};

inline double MaxAlong(const Placed& body, const Vec3& n_W) {
  const Shape& s = body.shape;
  const Vec3 n = body.pose.q.conjugate() * n_W;
  const double center = n_W.dot(body.pose.p), half = s.length / 2 * std::abs(n.x());
  switch (s.kind) {
    case ShapeKind::kBox:
      return center + 0.5 * n.cwiseAbs().dot(s.size);
    case ShapeKind::kCapsule:
      return center + half + s.radius;
    case ShapeKind::kCylinder:
      return center + half + s.radius * std::hypot(n.y(), n.z());
    case ShapeKind::kConvex: {
      double best = -1e300;
      for (const Vec3& p : s.convex->vertices) best = std::max(best, n.dot(p));
      return center + best;
    }
    default:
      return center + s.radius;
  }
}

/// How far B must not move along -n to touch A. The signed distance is the largest of these.
inline double CalcGap(const Placed& a, const Placed& b, const Vec3& n) {
  return -MaxAlong(b, -n) - MaxAlong(a, n);
}

/// The largest gap near `n`, by a search that only compares.
inline double ClimbGap(const Placed& a, const Placed& b, Vec3 n, double step) {
  double best = CalcGap(a, b, n);
  while (step > 1e-11) {
    const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
    bool better = false;
    for (int i = 0; i < 12 && !better; ++i) {
      const double angle = kPi * i / 6;
      const Vec3 m = (n + step * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
      if (const double gap = CalcGap(a, b, m); gap > best) best = gap, n = m, better = true;
    }
    if (!better) step *= 0.5;
  }
  return best;
}

inline double DistanceOf(const Placed& body, const Vec3& p_W) {
  Vec3 normal;
  return CalcPointDistance(body.shape, body.pose.q.conjugate() * (p_W - body.pose.p), &normal);
}

inline Shape Sphere(double radius) { return {.kind = ShapeKind::kSphere, .radius = radius}; }
inline Shape Box(const Vec3& size) { return {.kind = ShapeKind::kBox, .size = size}; }
inline Shape Capsule(double radius, double length) {
  return {.kind = ShapeKind::kCapsule, .radius = radius, .length = length};
}
inline Shape Cylinder(double radius, double length) {
  return {.kind = ShapeKind::kCylinder, .radius = radius, .length = length};
}
inline Shape Convex(ConvexMesh mesh) {
  return {.kind = ShapeKind::kConvex, .convex = std::make_shared<ConvexMesh>(std::move(mesh))};
}

/// Bodies of 1 cm to 1 m; `kind` 5 is a hull of many corners.
inline Shape RandomShape(Random* random, int kind) {
  const auto length = [random] { return std::pow(10, random->Uniform(-2, 0)); };
  if (kind == 0) return Sphere(length() / 2);
  if (kind == 1) return Box({length(), length(), length()});
  const double second = kind == 2 || kind == 3 ? length() : 0;  // one by one, see Random
  if (kind == 2) return Capsule(length() / 2, second);
  if (kind == 3) return Cylinder(length() / 2, second);
  return Convex(RandomHull(random, kind == 4 ? 12 : 200, length()));
}

/// The next of many bodies of one kind. A hull of many corners takes longer to make than to
/// collide: it serves four rounds, at other attitudes.
inline void NextShape(Random* random, int kind, int round, Shape* shape) {
  if (kind < 5 || round % 4 == 0) *shape = RandomShape(random, kind);
}

/// What signed distances of random convex pairs agree to [m].
inline constexpr double kDistanceTolerance = 1e-6;

/// Kinds of RandomShape whose pairs have no closed form, as (a, b) with a <= b.
inline std::vector<std::pair<int, int>> ConvexKindPairs() {
  std::vector<std::pair<int, int>> pairs;
  for (int a = 0; a < 6; ++a)
    for (int b = std::max(a, 3); b < 6; ++b) pairs.emplace_back(a, b);
  return pairs;
}

inline std::string KindPairName(const testing::TestParamInfo<std::pair<int, int>>& pair) {
  const char* names[] = {"Sphere", "Box", "Capsule", "Cylinder", "Hull", "FineHull"};
  return std::string(names[pair.param.first]) + names[pair.param.second];
}

/// B is moved along a random direction until the gap along it is `gap`.
inline void PlaceAtGap(Random* random, double gap, Placed* a, Placed* b) {
  *a = {a->shape, {random->InBox(0.3), random->Rotation()}};
  *b = {b->shape, {a->pose.p + random->InBox(0.02), random->Rotation()}};
  const Vec3 n = random->Direction();
  b->pose.p += (gap - CalcGap(*a, *b, n)) * n;
}

inline PairContacts Collide(const Placed& a, const Placed& b, double margin) {
  PairContacts contacts;
  CollideConvex(a.shape, a.pose, b.shape, b.pose, margin, &contacts);
  return contacts;
}

inline const PairContact& Deepest(const PairContacts& contacts) {
  return *std::min_element(contacts.begin(), contacts.end(),
                           [](const auto& x, const auto& y) { return x.phi < y.phi; });
}

/// A pose moved and turned by about `size`.
inline Pose Tremble(Random* random, const Pose& pose, double size) {
  const Quat turn(Eigen::AngleAxisd(size, random->Direction()));
  return {pose.p + size * random->Direction(), (turn * pose.q).normalized()};
}

}  // namespace slip::test
