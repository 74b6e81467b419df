// Signed distance of two convex cores. Apart: GJK [Gilbert, Johnson, Keerthi 1988] with signed
// volumes [Montanari et al. 2017]. Overlapping or closer than rounding allows: an expanding
// polytope in the manner of [van den Bergen 2001]. Both work on the set of differences
// C = {b - a}, whose distance from the origin is wanted.
#pragma once

#include "engine/collide/convex_core.h"

namespace slip {

struct Separation {
  /// Between the cores, negative when they overlap [m]. Infinite when above the limit asked for.
  double distance = 0;
  Vec3 n = Vec3::UnitZ();  ///< unit, from A into B: b - a = distance n
  Vec3 a = Vec3::Zero();   ///< witness on A
  Vec3 b = Vec3::Zero();   ///< witness on B
  bool overlap = false;    ///< the polytope was used
  bool valid = true;       ///< false: C is flat and holds the origin
};

/// Good to about 1e-10 of the sizes. No heap.
Separation CalcSeparation(const ConvexCore& a, const ConvexCore& b, double limit);

/// A vertex of C with the points it comes from.
struct DifferencePoint {
  Vec3 w, a, b;
};

class DifferenceSupport {
 public:
  DifferenceSupport(const ConvexCore& a, const ConvexCore& b) : a_(a), b_(b) {}
  DifferencePoint operator()(const Vec3& direction) {
    DifferencePoint point;
    point.a = CalcSupport(a_, -direction, &hint_a_);
    point.b = CalcSupport(b_, direction, &hint_b_);
    point.w = point.b - point.a;
    return point;
  }
  /// Of C; what tolerances are relative to [m].
  double size() const { return a_.size + b_.size; }

 private:
  const ConvexCore& a_;
  const ConvexCore& b_;
  int hint_a_ = 0, hint_b_ = 0;
};

/// Distance = max over unit n of min over C of n·w, by expansion. When the origin is outside C
/// this is a lower bound, exact where a face of C is nearest.
Separation ExpandPolytope(DifferenceSupport* support);

}  // namespace slip
