// Signed distance of spheres, capsules and boxes by brute force, sharing nothing with the engine.
// The difference of two such bodies is d + Σ λ_i g_i, |λ_i| <= 1, grown by the radii: a zonotope of
// at most six generators. Distance: the least-squares solution of every choice of free and fixed λ;
// the feasible ones are upper bounds, and the true one is among them. Penetration: the distance to
// every face, whose normals are the cross products of two generators.
#pragma once

#include <cmath>
#include <vector>

#include "engine/geometry/shape.h"

namespace slip::test {

class ReferenceDistance {
 public:
  ReferenceDistance(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB)
      : d_(X_WB.p - X_WA.p) {
    Add(a, X_WA);
    Add(b, X_WB);
  }

  /// Of B moved by the given vector.
  double Calc(const Vec3& move = Vec3::Zero()) const {
    const Vec3 d = d_ + move;
    const double distance = CalcDistance(d);
    return (distance > 1e-12 ? distance : -CalcDepth(d)) - radius_;
  }

 private:
  void Add(const Shape& shape, const Pose& X) {
    const Mat3 R = X.q.toRotationMatrix();
    if (shape.kind == ShapeKind::kBox) {
      for (int k = 0; k < 3; ++k) g_.push_back(0.5 * shape.size[k] * R.col(k));
    } else {
      radius_ += shape.radius;
      if (shape.kind == ShapeKind::kCapsule && shape.length > 0) {
        g_.push_back(0.5 * shape.length * R.col(0));
      }
    }
  }

  // Plain numbers: tests are not optimised, and this runs a million times.
  struct Point {
    double x, y, z;
  };
  static double Dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  static void Add(double s, const Point& b, Point* a) {
    a->x += s * b.x;
    a->y += s * b.y;
    a->z += s * b.z;
  }

  double CalcDistance(const Vec3& d) const {
    Choice choice;
    return Choose(0, {d.x(), d.y(), d.z()}, &choice);
  }

  struct Choice {
    int count = 0;
    Point q[3];      // orthonormal directions of the free generators
    double r[3][3];  // generator i = sum of r[j][i] q[j]
  };

  // The least over all choices for the generators from i on; `at` is the sum of the fixed ones.
  double Choose(std::size_t i, const Point& at, Choice* choice) const {
    if (i == g_.size()) return Solve(at, *choice);
    const Point g = {g_[i].x(), g_[i].y(), g_[i].z()};
    double best = HUGE_VAL;
    for (const double side : {-1.0, 1.0}) {
      Point next = at;
      Add(side, g, &next);
      best = std::min(best, Choose(i + 1, next, choice));
    }
    const int n = choice->count;
    if (n == 3) return best;
    Point q = g;
    for (int j = 0; j < n; ++j) choice->r[j][n] = 0;
    for (int pass = 0; pass < 2; ++pass) {
      for (int j = 0; j < n; ++j) {
        const double part = Dot(choice->q[j], q);
        choice->r[j][n] += part;
        Add(-part, choice->q[j], &q);
      }
    }
    const double length = std::sqrt(Dot(q, q));
    if (length < 1e-11 * std::sqrt(Dot(g, g))) return best;
    choice->r[n][n] = length;
    choice->q[n] = {q.x / length, q.y / length, q.z / length};
    choice->count = n + 1;
    best = std::min(best, Choose(i + 1, at, choice));
    choice->count = n;
    return best;
  }

  // min |at + Σ λ g| over the free generators; infinite when some |λ| > 1.
  static double Solve(const Point& at, const Choice& choice) {
    Point rest = at;
    double along[3], lambda[3];
    for (int i = 0; i < choice.count; ++i) {
      along[i] = -Dot(choice.q[i], rest);
      Add(along[i], choice.q[i], &rest);
    }
    for (int i = choice.count - 1; i >= 0; --i) {
      double sum = along[i];
      for (int j = i + 1; j < choice.count; ++j) sum -= choice.r[i][j] * lambda[j];
      lambda[i] = sum / choice.r[i][i];
      if (std::abs(lambda[i]) > 1 + 1e-13) return HUGE_VAL;
    }
    return std::sqrt(Dot(rest, rest));
  }

  double CalcDepth(const Vec3& d) const {
    if (g_.size() < 3) return 0;
    double depth = HUGE_VAL;
    for (std::size_t i = 0; i < g_.size(); ++i) {
      for (std::size_t j = i + 1; j < g_.size(); ++j) {
        const Vec3 across = g_[i].cross(g_[j]);
        if (across.norm() < 1e-11 * g_[i].norm() * g_[j].norm()) continue;
        const Vec3 n = across.normalized();
        double width = 0;
        for (const Vec3& g : g_) width += std::abs(g.dot(n));
        depth = std::min(depth, width - std::abs(d.dot(n)));
      }
    }
    return std::max(depth, 0.0);
  }

  Vec3 d_;
  double radius_ = 0;
  std::vector<Vec3> g_;
};

}  // namespace slip::test
