// Box against box. The 15 axes of the separating-axis theorem give the penetration of overlapping
// boxes exactly, and a lower bound of the distance of separated ones; where the facing features do
// not attain that bound, vertices are nearest, and they are compared one by one.
#include <algorithm>
#include <cmath>

#include "engine/collide/box_manifold.h"
#include "engine/collide/closest_points.h"
#include "engine/collide/collide_analytic.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

// As parts of the boxes' size. An axis must be better by kTie to be preferred over faces and over
// A's: rounding must not choose. A manifold attains a distance within kAttained, which leaves room
// for what ties cost.
constexpr double kTie = 1e-11;
constexpr double kAttained = 1e-10;
// Edges closer to parallel than this span no axis that faces do not.
constexpr double kParallelEdges = 1e-10;

struct Axis {
  double separation = -kInfinity;
  Vec3 n_A = Vec3::UnitZ();  // from A to B
};

// The unit axis e_i × b_j and the distance of the boxes along it; false where the edges are
// parallel or nobody needs it, being at most `least`.
bool CalcEdgeAxis(const BoxPair& pair, int i, int j, double least, Axis* axis) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const Mat3& R = pair.R_AB;
  const double n1 = -R(i2, j), n2 = R(i1, j), length2 = n1 * n1 + n2 * n2;
  if (length2 < kParallelEdges * kParallelEdges) return false;
  const double t = pair.p_AB[i1] * n1 + pair.p_AB[i2] * n2;
  const double a = pair.half_a[i1] * std::abs(n1) + pair.half_a[i2] * std::abs(n2);
  double b = 0;
  if (length2 > 1e-6) {
    b = pair.half_b[j1] * std::abs(R(i, j2)) + pair.half_b[j2] * std::abs(R(i, j1));
  } else {
    // for small angles (e_i × b_j)·b_l only, as R is not orthogonal to that accuracy
    for (int l = 0; l < 3; ++l) b += pair.half_b[l] * std::abs(n1 * R(i1, l) + n2 * R(i2, l));
  }
  const double scaled = std::abs(t) - a - b;
  // |n| <= 1: a negative separation only grows more negative
  if (scaled <= std::min(least, 0.0)) return false;
  const double inverse = 1 / std::sqrt(length2);
  if (scaled * inverse <= least) return false;
  axis->separation = scaled * inverse;
  axis->n_A.setZero();
  axis->n_A[i1] = t < 0 ? -n1 * inverse : n1 * inverse;
  axis->n_A[i2] = t < 0 ? -n2 * inverse : n2 * inverse;
  return true;
}

// The axis of largest separation; none when that is beyond the margin.
bool FindAxis(const BoxPair& pair, double tie, double margin, Axis* best) {
  const Mat3 abs_R = pair.R_AB.cwiseAbs();
  const Vec3 p_BA_B = pair.R_AB.transpose() * pair.p_AB;
  const Vec3 of_a = pair.p_AB.cwiseAbs() - pair.half_a - abs_R * pair.half_b;
  const Vec3 of_b = p_BA_B.cwiseAbs() - pair.half_b - abs_R.transpose() * pair.half_a;
  if (std::max(of_a.maxCoeff(), of_b.maxCoeff()) > margin) return false;
  int face = 0;
  double separation = of_a[0];
  for (int k = 1; k < 6; ++k) {
    const double s = k < 3 ? of_a[k] : of_b[k - 3];
    if (s > separation + tie) separation = s, face = k;
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (!CalcEdgeAxis(pair, i, j, std::max(separation, best->separation) + tie, best)) continue;
      if (best->separation > margin) return false;
    }
  }
  if (best->separation > separation) return true;
  best->separation = separation;
  if (face < 3) {
    best->n_A = Vec3::Zero();
    best->n_A[face] = pair.p_AB[face] < 0 ? -1 : 1;
  } else {
    const int k = face - 3;
    best->n_A = p_BA_B[k] < 0 ? Vec3(-pair.R_AB.col(k)) : Vec3(pair.R_AB.col(k));
  }
  return true;
}

struct ClosestPair {
  double distance = kInfinity;
  Vec3 on_a_A = Vec3::Zero(), on_b_A = Vec3::Zero();
  int kind = 0;  // 1: vertex of B, 2: vertex of A, 3: edges
  uint32_t vertex_a = 0, vertex_b = 0, edge_a = 0, edge_b = 0;
};

// The closest points of boxes that touch at most: vertices against boxes, and the edges that
// support the nearly best edge axes.
ClosestPair CalcClosest(const BoxPair& pair, double separation, double tie) {
  ClosestPair closest;
  const Mat3& R = pair.R_AB;
  const auto offer = [&](const Vec3& on_a, const Vec3& on_b, int kind) {
    const double distance = (on_b - on_a).norm();
    if (distance >= closest.distance - tie) return false;
    closest = {distance, on_a, on_b, kind};
    return true;
  };
  for (uint32_t vertex = 0; vertex < 8; ++vertex) {
    const Vec3 on_b = pair.p_AB + R * VertexOf(pair.half_b, vertex);
    const Vec3 on_a = on_b.cwiseMin(pair.half_a).cwiseMax(-pair.half_a);
    if (offer(on_a, on_b, 1)) closest.vertex_b = vertex;
  }
  for (uint32_t vertex = 0; vertex < 8; ++vertex) {
    const Vec3 on_a = VertexOf(pair.half_a, vertex);
    const Vec3 p_B = R.transpose() * (on_a - pair.p_AB);
    const Vec3 on_b = pair.p_AB + R * p_B.cwiseMin(pair.half_b).cwiseMax(-pair.half_b);
    if (offer(on_a, on_b, 2)) closest.vertex_a = vertex;
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      Axis axis;
      if (!CalcEdgeAxis(pair, i, j, separation - 100 * tie, &axis)) continue;
      const Vec3 n_B = R.transpose() * axis.n_A;
      uint32_t vertex_a = 0, vertex_b = 0;
      for (int k = 0; k < 3; ++k) {
        if (axis.n_A[k] > 0) vertex_a |= 1u << k;
        if (n_B[k] < 0) vertex_b |= 1u << k;
      }
      Vec3 centre_a = VertexOf(pair.half_a, vertex_a), centre_b = VertexOf(pair.half_b, vertex_b);
      centre_a[i] = 0;
      centre_b[j] = 0;
      const Segment edge_a = {centre_a, Vec3::Unit(i), pair.half_a[i]};
      const Segment edge_b = {pair.p_AB + R * centre_b, R.col(j), pair.half_b[j]};
      const SegmentPoints near = CalcNearest(edge_a, edge_b);
      if (offer(edge_a.At(near.s), edge_b.At(near.t), 3)) {
        closest.edge_a = EdgeIndex(static_cast<uint32_t>(i), vertex_a);
        closest.edge_b = EdgeIndex(static_cast<uint32_t>(j), vertex_b);
      }
    }
  }
  return closest;
}

double CalcLeastGap(const BoxManifold& manifold) {
  double gap = kInfinity;
  for (int i = 0; i < manifold.count; ++i) gap = std::min(gap, manifold.points[i].gap);
  return gap;
}

void AddWitness(const BoxPair& pair, const ClosestPair& closest, const Axis& axis,
                BoxManifold* manifold) {
  BoxPoint point;
  point.p_A = 0.5 * (closest.on_a_A + closest.on_b_A);
  point.gap = axis.separation;
  if (closest.kind == 1) {
    point.feature = VertexOfBFeature(closest.vertex_b, FaceAlong(axis.n_A));
  } else if (closest.kind == 2) {
    point.feature =
        VertexOfAFeature(closest.vertex_a, FaceAlong(pair.R_AB.transpose() * -axis.n_A));
  } else {
    point.feature = EdgesFeature(closest.edge_a, closest.edge_b);
  }
  for (int i = 0; i < manifold->count; ++i) {
    if (manifold->points[i].feature != point.feature) continue;
    manifold->points[i].p_A = point.p_A;
    manifold->points[i].gap = point.gap;
    return;
  }
  manifold->points[manifold->count++] = point;
}

}  // namespace

void CollideBoxBox(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                   double margin, PairContacts* out, const HeldFeatures& held) {
  const Mat3 R_WA = X_WA.q.toRotationMatrix();
  BoxPair pair;
  pair.half_a = 0.5 * a.size;
  pair.half_b = 0.5 * b.size;
  pair.p_AB = R_WA.transpose() * (X_WB.p - X_WA.p);
  // a face of A that separates settles most pairs before B's rotation matters
  const double radius_b = pair.half_b.norm();
  if ((pair.p_AB.cwiseAbs() - pair.half_a).maxCoeff() > radius_b + margin) return;
  pair.R_AB = R_WA.transpose() * X_WB.q.toRotationMatrix();

  const double size = pair.half_a.maxCoeff() + radius_b, tie = kTie * size;
  Axis axis;
  if (!FindAxis(pair, tie, margin, &axis)) return;
  BoxManifold manifold = CalcManifold(pair, axis.n_A);
  if (CalcLeastGap(manifold) > axis.separation + kAttained * size) {
    const ClosestPair closest = CalcClosest(pair, axis.separation, tie);
    if (closest.distance > std::max(axis.separation, 0.0)) {
      if (closest.distance > margin && axis.separation > -kAttained * size) return;
      // boxes that touch keep the axis: their distance has no direction
      if (axis.separation > -kAttained * size) axis.separation = closest.distance;
      if (closest.distance > kAttained * size && axis.separation > 0) {
        axis.n_A = (closest.on_b_A - closest.on_a_A) / closest.distance;
        manifold = CalcManifold(pair, axis.n_A);
      }
    }
    if (CalcLeastGap(manifold) > axis.separation + tie) {
      AddWitness(pair, closest, axis, &manifold);
    }
  }
  ReduceManifold(margin, held, &manifold);
  const Vec3 n_W = R_WA * axis.n_A;
  for (int i = 0; i < manifold.count; ++i) {
    const BoxPoint& point = manifold.points[i];
    out->push_back({X_WA.p + R_WA * point.p_A, n_W, point.gap, point.feature});
  }
}

}  // namespace slip
