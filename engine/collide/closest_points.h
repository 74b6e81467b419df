// Closest points of points, segments and boxes: the kernels under the analytic pairs.
#pragma once

#include "engine/core/types.h"

namespace slip {

/// The points c + s·u, |s| <= h.
struct Segment {
  Vec3 c = Vec3::Zero();
  Vec3 u = Vec3::UnitX();  ///< unit
  double h = 0;            ///< half its length [m], may be zero

  Vec3 At(double s) const { return c + s * u; }
};

/// A point seen from a body: signed distance to its surface, and the unit direction in which the
/// distance grows. The nearest surface point is p - phi·n.
struct PointDistance {
  double phi = 0;
  Vec3 n = Vec3::UnitZ();
};

struct SegmentPoints {
  double s = 0, t = 0;  ///< places on the first and on the second segment
};

/// Unit and perpendicular to the unit vector u, the same one every time.
Vec3 CalcPerpendicular(const Vec3& u);

/// The place on the segment that is nearest to p.
double CalcNearest(const Segment& segment, const Vec3& p);

/// Backward stable at any angle: an error is never larger than what rounding the directions causes.
/// Parallel segments give some closest pair.
SegmentPoints CalcNearest(const Segment& a, const Segment& b);

/// The place on the segment that is nearest to the box |x| <= half; the first one of several.
double CalcNearestToBox(const Segment& segment, const Vec3& half);

/// Inside, n is the normal of the nearest face: minimal translation. Ties: x before y before z,
/// positive before negative.
PointDistance CalcPointBox(const Vec3& p, const Vec3& half);

/// Distance to the segment itself. On the segment, n is CalcPerpendicular of it.
PointDistance CalcPointSegment(const Vec3& p, const Segment& segment);

}  // namespace slip
