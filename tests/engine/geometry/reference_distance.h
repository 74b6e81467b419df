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

  static double Dot(const Vec3& a, const Vec3& b) {
    const double *x = a.data(), *y = b.data();
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  }

  double CalcDistance(const Vec3& d) const {
    const int n = static_cast<int>(g_.size());
    int choices = 1;
    for (int i = 0; i < n; ++i) choices *= 3;
    double best = HUGE_VAL;
    for (int choice = 0; choice < choices; ++choice) {
      Vec3 fixed = d;
      int free[6], free_count = 0;
      for (int i = 0, digits = choice; i < n; ++i, digits /= 3) {
        const std::size_t at = static_cast<std::size_t>(i);
        if (digits % 3 == 2) free[free_count++] = i;
        if (digits % 3 == 1) fixed += g_[at];
        if (digits % 3 == 0) fixed -= g_[at];
      }
      if (free_count > 3) continue;
      best = std::min(best, Solve(fixed, free, free_count));
    }
    return best;
  }

  // min |fixed + Σ λ g| over the free generators by Gram-Schmidt; infinite when some |λ| > 1.
  double Solve(const Vec3& fixed, const int* free, int count) const {
    Vec3 q[3];
    double r[3][3] = {}, lambda[3] = {};
    Vec3 rest = fixed;
    double along[3] = {};
    for (int i = 0; i < count; ++i) {
      const Vec3& g = g_[static_cast<std::size_t>(free[i])];
      q[i] = g;
      for (int pass = 0; pass < 2; ++pass) {
        for (int j = 0; j < i; ++j) {
          const double part = Dot(q[j], q[i]);
          r[j][i] += part;
          q[i] -= part * q[j];
        }
      }
      r[i][i] = std::sqrt(Dot(q[i], q[i]));
      if (r[i][i] < 1e-11 * std::sqrt(Dot(g, g))) return HUGE_VAL;
      q[i] /= r[i][i];
      along[i] = -Dot(q[i], rest);
      rest += along[i] * q[i];
    }
    for (int i = count - 1; i >= 0; --i) {
      double sum = along[i];
      for (int j = i + 1; j < count; ++j) sum -= r[i][j] * lambda[j];
      lambda[i] = sum / r[i][i];
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
        for (const Vec3& g : g_) width += std::abs(Dot(g, n));
        depth = std::min(depth, width - std::abs(Dot(d, n)));
      }
    }
    return std::max(depth, 0.0);
  }

  Vec3 d_;
  double radius_ = 0;
  std::vector<Vec3> g_;
};

}  // namespace slip::test
