// Capsule against box. Apart: the point of the capsule's axis that is nearest to the box. Axis
// inside: the shortest exit, over the box's faces and the planes that an edge and the axis span
// (the faces of the Minkowski difference of box and segment). The manifold is the axis projected
// along that direction on the face below it, or on the edge that it runs along.
#include <algorithm>
#include <cmath>

#include "engine/collide/box_manifold.h"
#include "engine/collide/closest_points.h"
#include "engine/collide/collide_analytic.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

// As parts of the bodies' size: an axis must be better by kAxisTie to be preferred over earlier
// ones; below kNoAxis a distance has no direction of its own; cuts within kCornerSnap of an end are
// it.
constexpr double kAxisTie = 1e-11;
constexpr double kNoAxis = 1e-10;
constexpr double kCornerSnap = 1e-4;
// The axis runs along an edge below this sine of the angle between them.
constexpr double kParallelTilt = 1e-3;

// Features 0 and 1 are the ends of the capsule.
constexpr uint32_t kEdgeFeature = 16, kVertexFeature = 32, kFaceFeature = 48;

// All in the box's frame.
struct CapsuleAxis {
  double separation = -kInfinity;
  Vec3 n = Vec3::UnitZ();  // from the box to the segment
};

// The direction in which box and segment are farthest apart, or least deep in each other.
CapsuleAxis FindCapsuleAxis(const Segment& segment, const Vec3& half, double tie) {
  CapsuleAxis best;
  for (int k = 0; k < 3; ++k) {
    const double s = std::abs(segment.c[k]) - half[k] - segment.h * std::abs(segment.u[k]);
    if (s <= best.separation + tie) continue;
    best.separation = s;
    best.n.setZero();
    best.n[k] = segment.c[k] < 0 ? -1 : 1;
  }
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double length = std::hypot(segment.u[i], segment.u[j]);
    if (length < 1e-10) continue;
    // e_k × u
    const double n_i = -segment.u[j] / length, n_j = segment.u[i] / length;
    const double t = segment.c[i] * n_i + segment.c[j] * n_j;
    const double s = std::abs(t) - half[i] * std::abs(n_i) - half[j] * std::abs(n_j);
    if (s <= best.separation + tie) continue;
    best.separation = s;
    best.n.setZero();
    best.n[i] = t < 0 ? -n_i : n_i;
    best.n[j] = t < 0 ? -n_j : n_j;
  }
  return best;
}

struct CapsulePoints {
  int count = 0;
  struct {
    Vec3 on_segment, on_box;
    double gap;  // from the segment
    uint32_t feature;
  } points[3];

  void Add(const Vec3& on_segment, const Vec3& on_box, const Vec3& n, uint32_t feature) {
    const double gap = n.dot(on_segment - on_box);
    int i = 0;
    while (i < count && points[i].feature != feature) ++i;
    if (i < count && points[i].gap <= gap) return;
    points[i] = {on_segment, on_box, gap, feature};
    count = std::max(count, i + 1);
  }
};

// Both ends of the stretch where the segment runs along the box's edge of axis k.
void AddAlongEdge(const Segment& segment, const Vec3& half, const Vec3& n, int k, double snap,
                  CapsulePoints* points) {
  Vec3 edge;
  uint32_t vertex = 0;
  for (int i = 0; i < 3; ++i) {
    edge[i] = n[i] > 0 ? half[i] : -half[i];
    if (n[i] > 0 && i != k) vertex |= 1u << i;
  }
  const double reach = segment.h * std::abs(segment.u[k]);
  const double low = segment.c[k] - reach, high = segment.c[k] + reach;
  if (std::min(high, half[k]) - std::max(low, -half[k]) <= snap) return;
  for (const bool upper : {false, true}) {
    const double end = upper ? high : low, side = upper ? half[k] : -half[k];
    const bool at_end = upper ? end <= side + snap : end >= side - snap;
    const double x = upper ? std::min(end, side) : std::max(end, side);
    edge[k] = x;
    const bool positive_end = upper == (segment.u[k] > 0);
    const uint32_t feature =
        at_end ? (positive_end ? 1 : 0) : kVertexFeature + (vertex | (upper ? 1u << k : 0u));
    points->Add(segment.At((x - segment.c[k]) / segment.u[k]), edge, n, feature);
  }
}

// Both ends of the part of the segment whose projection along n falls on the face.
void AddAlongFace(const Segment& segment, const Vec3& half, const Vec3& n, uint32_t face,
                  double snap, CapsulePoints* points) {
  const uint32_t k = face / 2;
  const double side = face % 2 != 0 ? 1 : -1;
  const double per_height = 1 / (side * n[k]);
  const double gap_c = (side * segment.c[k] - half[k]) * per_height;
  const double gap_u = side * segment.u[k] * per_height;
  const Vec3 c = segment.c - gap_c * n, u = segment.u - gap_u * n;
  double ends[2] = {-segment.h, segment.h};
  uint32_t features[2] = {0, 1};
  for (uint32_t i = 0; i < 3; ++i) {
    if (i == k) continue;
    const double limit = half[i] + 1e-12 * (half[i] + segment.h);
    if (std::abs(u[i]) * segment.h < 1e-12 * limit) {
      if (std::abs(c[i]) > limit) return;
      continue;
    }
    for (const double sign : {-1.0, 1.0}) {
      // sign·(c + t·u) <= limit
      const double t = (sign * limit - c[i]) / u[i];
      const int e = sign * u[i] > 0 ? 1 : 0;
      if (e == 1 ? t >= ends[1] : t <= ends[0]) continue;
      ends[e] = t;
      if (segment.h - std::abs(t) < snap && (t > 0) == (e == 1)) continue;
      const uint32_t vertex = (side > 0 ? 1u << k : 0u) | (sign > 0 ? 1u << i : 0u);
      features[e] = kEdgeFeature + EdgeIndex(3 - k - i, vertex);
    }
  }
  if (ends[1] < ends[0]) return;
  const bool is_dot = ends[1] - ends[0] <= snap;
  for (int e = 0; e < 2; ++e) {
    // of a mere dot only the deeper end; between two edges it is their vertex
    if (is_dot && (gap_u > 0) != (e == 0)) continue;
    uint32_t feature = features[e];
    if (is_dot && std::min(features[0], features[1]) >= kEdgeFeature) {
      const Vec3 p = c + ends[e] * u;
      feature = kVertexFeature;
      for (uint32_t i = 0; i < 3; ++i) {
        if (i == k ? side > 0 : p[i] > 0) feature += 1u << i;
      }
    } else if (is_dot) {
      feature = std::min(features[0], features[1]);
    }
    const double gap = gap_c + ends[e] * gap_u;
    const Vec3 on_segment = segment.At(ends[e]);
    points->Add(on_segment, on_segment - gap * n, n, feature);
  }
}

// The feature of the box that is nearest to p.
uint32_t NameBoxFeature(const Vec3& p, const Vec3& half) {
  uint32_t vertex = 0, axis = 0, inside = 0;
  for (uint32_t k = 0; k < 3; ++k) {
    if (p[k] > 0) vertex |= 1u << k;
    if (std::abs(p[k]) < half[k]) axis = k, ++inside;
  }
  if (inside == 0) return kVertexFeature + vertex;
  return inside == 1 ? kEdgeFeature + EdgeIndex(axis, vertex) : kFaceFeature;
}

}  // namespace

void CollideCapsuleBox(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                       double margin, PairContacts* out) {
  const Mat3 R_WB = X_WB.q.toRotationMatrix();
  const Vec3 half = 0.5 * b.size;
  const Segment segment = {R_WB.transpose() * (X_WA.p - X_WB.p),
                           R_WB.transpose() * X_WA.q.toRotationMatrix().col(0), 0.5 * a.length};
  const double reach = a.radius + margin;
  if ((segment.c.cwiseAbs() - segment.h * segment.u.cwiseAbs() - half).maxCoeff() > reach) return;

  // the distance of the segment, and the direction it is measured in
  const double size = half.maxCoeff() + segment.h;
  const double t = CalcNearestToBox(segment, half);
  const Vec3 nearest = segment.At(t);
  const Vec3 on_box = nearest.cwiseMin(half).cwiseMax(-half);
  const double distance = (nearest - on_box).norm();
  if (distance > reach) return;
  CapsuleAxis axis = {distance, (nearest - on_box) / distance};
  if (distance <= kNoAxis * size) {
    axis = FindCapsuleAxis(segment, half, kAxisTie * size);
    if (axis.separation >= 0 || distance > 0) axis.separation = distance;
  }
  if (axis.separation > reach) return;

  const double snap = kCornerSnap * (segment.h > 0 ? std::min(segment.h, half.minCoeff()) : size);
  CapsulePoints points;
  int k = 0;
  axis.n.cwiseAbs().minCoeff(&k);
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const bool along_edge = std::hypot(segment.u[i], segment.u[j]) < kParallelTilt &&
                          std::abs(axis.n[k]) < 2 * kParallelTilt &&
                          std::min(std::abs(axis.n[i]), std::abs(axis.n[j])) > 10 * kParallelTilt;
  if (along_edge) {
    AddAlongEdge(segment, half, axis.n, k, snap, &points);
  } else {
    AddAlongFace(segment, half, axis.n, FaceAlong(axis.n), snap, &points);
  }

  // the nearest points themselves, where the projection misses them
  double least = kInfinity;
  for (int p = 0; p < points.count; ++p) least = std::min(least, points.points[p].gap);
  if (least > axis.separation + kNoAxis * size) {
    const bool at_end = segment.h - std::abs(t) <= snap;
    const uint32_t feature = at_end ? (t > 0 ? 1 : 0) : NameBoxFeature(nearest, half);
    points.Add(nearest, nearest - axis.separation * axis.n, axis.n, feature);
  }
  const Vec3 n_W = R_WB * axis.n;
  for (int p = 0; p < points.count; ++p) {
    const auto& point = points.points[p];
    const double phi = point.gap - a.radius;
    if (phi > margin) continue;
    const Vec3 p_B = 0.5 * (point.on_segment + point.on_box - a.radius * axis.n);
    out->push_back({X_WB.p + R_WB * p_B, -n_W, phi, point.feature});
  }
}

}  // namespace slip
