#include "engine/collide/closest_points.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

// Directions of differences shorter than this [m] are rounding noise, or their squares underflow.
constexpr double kNoDirection = 1e-13;

}  // namespace

Vec3 CalcPerpendicular(const Vec3& u) {
  // u × e_k with the axis least aligned with u; upwards as far as possible for horizontal u
  const Vec3 a = u.cwiseAbs();
  const Vec3 e = a.y() <= a.x() && a.y() <= a.z() ? Vec3::UnitY()
                 : a.x() <= a.z()                 ? Vec3::UnitX()
                                                  : Vec3::UnitZ();
  return u.cross(e).normalized();
}

double CalcNearest(const Segment& segment, const Vec3& p) {
  return std::clamp((p - segment.c).dot(segment.u), -segment.h, segment.h);
}

SegmentPoints CalcNearest(const Segment& a, const Segment& b) {
  const Vec3 w = b.c - a.c;
  // parts of b that are perpendicular to a: no cancellation however small the angle
  const double c = a.u.dot(b.u), along = w.dot(a.u);
  const Vec3 v = b.u - c * a.u, offset = w - along * a.u;
  const double sin2 = v.squaredNorm();
  SegmentPoints points;
  if (sin2 > 1e-30) points.t = std::clamp(-offset.dot(v) / sin2, -b.h, b.h);
  points.s = along + points.t * c;
  if (std::abs(points.s) > a.h) {
    points.s = std::clamp(points.s, -a.h, a.h);
    points.t = std::clamp((points.s * a.u - w).dot(b.u), -b.h, b.h);
  }
  return points;
}

// f(t) = Σ_k max(|c_k + t·u_k| - half_k, 0)² is convex and piecewise quadratic: bisect its
// breakpoints, then its derivative is linear.
double CalcNearestToBox(const Segment& segment, const Vec3& half) {
  const Vec3 &c = segment.c, &u = segment.u;
  const auto slope = [&](double t) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double x = c[k] + t * u[k];
      sum += u[k] * (x - std::clamp(x, -half[k], half[k]));
    }
    return sum;
  };
  double low = -segment.h, high = segment.h;
  double slope_low = slope(low), slope_high = slope(high);
  if (slope_low >= 0) return low;
  if (slope_high <= 0) return high;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(u[k]) * segment.h < 1e-300) continue;
    for (const double side : {-half[k], half[k]}) {
      const double t = (side - c[k]) / u[k];
      if (!(t > low && t < high)) continue;
      const double s = slope(t);
      (s < 0 ? low : high) = t;
      (s < 0 ? slope_low : slope_high) = s;
    }
  }
  const double t = low - slope_low * (high - low) / (slope_high - slope_low);
  return std::clamp(t, low, high);
}

PointDistance CalcPointBox(const Vec3& p, const Vec3& half) {
  const Vec3 outside = p - p.cwiseMin(half).cwiseMax(-half);
  const double distance = outside.norm();
  if (distance > 0) return {distance, outside / distance};
  int face = 0;
  const Vec3 depth = half - p.cwiseAbs();
  for (int k = 1; k < 3; ++k) {
    if (depth[k] < depth[face]) face = k;
  }
  Vec3 n = Vec3::Zero();
  n[face] = p[face] < 0 ? -1 : 1;
  return {-depth[face], n};
}

PointDistance CalcPointSegment(const Vec3& p, const Segment& segment) {
  const Vec3 d = p - segment.At(CalcNearest(segment, p));
  const double distance = d.norm();
  if (distance < kNoDirection) return {distance, CalcPerpendicular(segment.u)};
  return {distance, d / distance};
}

}  // namespace slip
