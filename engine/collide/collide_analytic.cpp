#include "engine/collide/collide_analytic.h"

#include <algorithm>
#include <cmath>

#include "engine/collide/closest_points.h"

namespace slip {
namespace {

// Closer axes than this part of the radii have no direction between them, only rounding.
constexpr double kCoincident = 1e-12;
// Capsules are side by side below this sine of the angle between them.
constexpr double kParallelAxes = 1e-3;

Segment CalcAxis(const Shape& capsule, const Pose& X_WC) {
  return {X_WC.p, X_WC.q.toRotationMatrix().col(0), 0.5 * capsule.length};
}

// A ball at p_W against the surface that is `surface` away from its centre.
void AppendBall(const Vec3& p_W, double radius, double phi, const Vec3& n_out_W, uint32_t feature,
                double margin, PairContacts* out) {
  if (phi - radius > margin) return;
  out->push_back({p_W - 0.5 * (radius + phi) * n_out_W, -n_out_W, phi - radius, feature});
}

}  // namespace

void CollideSphereSphere(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                         double margin, PairContacts* out) {
  const Vec3 d = X_WB.p - X_WA.p;
  const double reach = a.radius + b.radius, distance2 = d.squaredNorm();
  const double most = reach + margin;
  if (most < 0 || distance2 > most * most) return;
  const double distance = std::sqrt(distance2);
  const Vec3 n = distance > kCoincident * reach ? Vec3(d / distance) : Vec3::UnitZ();
  const double phi = distance - reach;
  out->push_back({X_WA.p + (a.radius + 0.5 * phi) * n, n, phi, 0});
}

void CollideSphereBox(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                      double margin, PairContacts* out) {
  const Mat3 R_WB = X_WB.q.toRotationMatrix();
  const Vec3 p_B = R_WB.transpose() * (X_WA.p - X_WB.p), half = 0.5 * b.size;
  // one face plane farther away than the reach settles most pairs
  if ((p_B.cwiseAbs() - half).maxCoeff() > a.radius + margin) return;
  const PointDistance point = CalcPointBox(p_B, half);
  AppendBall(X_WA.p, a.radius, point.phi, R_WB * point.n, 0, margin, out);
}

void CollideSphereCapsule(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                          double margin, PairContacts* out) {
  const PointDistance point = CalcPointSegment(X_WA.p, CalcAxis(b, X_WB));
  AppendBall(X_WA.p, a.radius, point.phi - b.radius, point.n, 0, margin, out);
}

void CollideCapsuleCapsule(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                           double margin, PairContacts* out) {
  const double reach = a.radius + b.radius;
  const double far = reach + margin + 0.5 * (a.length + b.length);
  if ((X_WB.p - X_WA.p).squaredNorm() > far * far) return;
  const Segment axis_a = CalcAxis(a, X_WA), axis_b = CalcAxis(b, X_WB);
  const SegmentPoints near = CalcNearest(axis_a, axis_b);
  const Vec3 d = axis_b.At(near.t) - axis_a.At(near.s);
  const double distance = d.norm();
  if (distance - reach > margin) return;

  // axes that meet are parted across both, parallel ones across either
  Vec3 n = d / distance;
  if (distance <= kCoincident * reach) {
    const Vec3 across = axis_a.u.cross(axis_b.u);
    n = across.norm() > 1e-9 ? across.normalized() : CalcPerpendicular(axis_a.u);
  }
  const auto append = [&](const Vec3& on_a, const Vec3& on_b, double gap, uint32_t feature) {
    if (gap > margin) return;
    out->push_back({0.5 * (on_a + on_b + (a.radius - b.radius) * n), n, gap, feature});
  };

  // side by side: both ends of the stretch that they share along A
  const double c = axis_a.u.dot(axis_b.u);
  if ((axis_b.u - c * axis_a.u).squaredNorm() < kParallelAxes * kParallelAxes) {
    const double middle = axis_a.u.dot(axis_b.c - axis_a.c), half = axis_b.h * std::abs(c);
    const double ends[2] = {std::max(-axis_a.h, middle - half), std::min(axis_a.h, middle + half)};
    if (ends[1] - ends[0] > kParallelAxes * std::max(axis_a.h, axis_b.h)) {
      Vec3 on_a[2], on_b[2];
      double gap[2];
      for (int e = 0; e < 2; ++e) {
        on_a[e] = axis_a.At(ends[e]);
        on_b[e] = axis_b.At((ends[e] - middle) / c);
        gap[e] = n.dot(on_b[e] - on_a[e]) - reach;
      }
      // at the very ends the closest points may lie outside of the shared stretch
      if (std::min(gap[0], gap[1]) <= distance - reach + 1e-11 * (far + distance)) {
        for (int e = 0; e < 2; ++e) append(on_a[e], on_b[e], gap[e], e == 0 ? 1 : 2);
        return;
      }
    }
  }
  append(axis_a.At(near.s), axis_b.At(near.t), distance - reach, 0);
}

void CollidePlaneSphere(const Plane& plane, const Shape& b, const Pose& X_WB, double margin,
                        PairContacts* out) {
  const double phi = plane.normal.dot(X_WB.p - plane.point) - b.radius;
  if (phi > margin) return;
  out->push_back({X_WB.p - (b.radius + 0.5 * phi) * plane.normal, plane.normal, phi, 0});
}

void CollidePlaneCapsule(const Plane& plane, const Shape& b, const Pose& X_WB, double margin,
                         PairContacts* out) {
  const Segment axis = CalcAxis(b, X_WB);
  for (const uint32_t end : {0u, 1u}) {
    if (end == 1 && axis.h == 0) return;
    const Vec3 p = axis.At(end == 0 ? -axis.h : axis.h);
    const double phi = plane.normal.dot(p - plane.point) - b.radius;
    if (phi > margin) continue;
    out->push_back({p - (b.radius + 0.5 * phi) * plane.normal, plane.normal, phi, end});
  }
}

void CollidePlaneBox(const Plane& plane, const Shape& b, const Pose& X_WB, double margin,
                     PairContacts* out) {
  const Mat3 R_WB = X_WB.q.toRotationMatrix();
  const Vec3 n_B = R_WB.transpose() * plane.normal, half = 0.5 * b.size;
  const double height = plane.normal.dot(X_WB.p - plane.point);
  if (height - n_B.cwiseAbs().dot(half) > margin) return;
  // the face that looks down most, and its four vertices
  int k = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::abs(n_B[i]) > std::abs(n_B[k]) + 1e-9) k = i;
  }
  const uint32_t down = n_B[k] > 0 ? 0 : 1;
  for (uint32_t vertex = 0; vertex < 8; ++vertex) {
    if (((vertex >> k) & 1u) != down) continue;
    const Vec3 p_B((vertex & 1u) != 0 ? half.x() : -half.x(),
                   (vertex & 2u) != 0 ? half.y() : -half.y(),
                   (vertex & 4u) != 0 ? half.z() : -half.z());
    const double phi = height + n_B.dot(p_B);
    if (phi > margin) continue;
    out->push_back({X_WB.p + R_WB * p_B - 0.5 * phi * plane.normal, plane.normal, phi, vertex});
  }
}

void CollideProbes(std::span<const Vec3> p_AP, double radius, const Pose& X_WA, const Shape& b,
                   const Pose& X_WB, double margin, PairContacts* out) {
  if (b.kind != ShapeKind::kSphere && b.kind != ShapeKind::kBox && b.kind != ShapeKind::kCapsule) {
    return;
  }
  const Mat3 R_WA = X_WA.q.toRotationMatrix(), R_WB = X_WB.q.toRotationMatrix();
  const Mat3 R_BA = R_WB.transpose() * R_WA;
  const Vec3 p_BA = R_WB.transpose() * (X_WA.p - X_WB.p), half = 0.5 * b.size;
  // a sphere is a capsule without length
  const double half_length = b.kind == ShapeKind::kCapsule ? 0.5 * b.length : 0;
  const Segment axis = {Vec3::Zero(), Vec3::UnitX(), half_length};
  for (uint32_t i = 0; i < p_AP.size(); ++i) {
    const Vec3 p_B = p_BA + R_BA * p_AP[i];
    PointDistance point;
    if (b.kind == ShapeKind::kBox) {
      if ((p_B.cwiseAbs() - half).maxCoeff() > radius + margin) continue;
      point = CalcPointBox(p_B, half);
    } else {
      point = CalcPointSegment(p_B, axis);
      point.phi -= b.radius;
    }
    AppendBall(X_WA.p + R_WA * p_AP[i], radius, point.phi, R_WB * point.n, i, margin, out);
  }
}

}  // namespace slip
