#include "engine/collide/box_manifold.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/collide/manifold.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

// Part of the faces' smallest half edge within which corners are one. Smaller, and the rounding of
// aligned boxes shows; larger, and resolved features merge.
constexpr double kSnap = 1e-4;
// Faces are parallel when depths differ by less than this part of their size: a body at rest must
// not change its corners. It is the error that the signed distance may then have.
constexpr double kFaceLevel = 5e-7;
// Areas closer than this part are the same: the earlier choice wins.
constexpr double kSameArea = 1e-4;

// Corners of the faces' overlap as the clipping leaves them. Labels name the side that leads to
// the next corner: 0 to 3 an edge of the incident face, 4 to 7 a side of the reference face.
struct Corner {
  double u, v, gap;
  uint32_t side;
};

struct Polygon {
  uint32_t count = 0;
  Corner corners[10];  // exact arithmetic needs 8; rounding may bend the outline inwards
};

// Keeps the part with sign·coordinate <= limit (Sutherland and Hodgman), coordinate u or v.
void Clip(double Corner::*coordinate, double sign, double limit, uint32_t side, Polygon* polygon) {
  bool all_inside = true;
  for (uint32_t i = 0; i < polygon->count; ++i) {
    all_inside = all_inside && sign * polygon->corners[i].*coordinate <= limit;
  }
  if (all_inside) return;
  Polygon kept;
  for (uint32_t i = 0; i < polygon->count && kept.count < 9; ++i) {
    const Corner& a = polygon->corners[i];
    const Corner& b = polygon->corners[i + 1 == polygon->count ? 0 : i + 1];
    const double x_a = sign * a.*coordinate, x_b = sign * b.*coordinate;
    const bool a_inside = x_a <= limit, b_inside = x_b <= limit;
    if (a_inside) kept.corners[kept.count++] = a;
    if (a_inside == b_inside) continue;
    const double s = (limit - x_a) / (x_b - x_a);
    Corner cut = {a.u + s * (b.u - a.u), a.v + s * (b.v - a.v), a.gap + s * (b.gap - a.gap),
                  a_inside ? side : a.side};
    cut.*coordinate = sign * limit;
    kept.corners[kept.count++] = cut;
  }
  *polygon = kept;
}

// The two boxes as reference and incident one, in the frame of the reference.
struct Faces {
  Vec3 half_r, half_i;
  Mat3 R_RI;
  Vec3 p_RI, n_R;  // n from the reference to the incident box
  bool reference_is_b;
};

// Names a vertex or an edge crossing in terms of A and B.
uint32_t NameVertex(const Faces& faces, bool of_reference, uint32_t vertex, uint32_t other_face) {
  return of_reference == faces.reference_is_b ? VertexOfBFeature(vertex, other_face)
                                              : VertexOfAFeature(vertex, other_face);
}

void AddPoint(const BoxPoint& point, BoxManifold* manifold) {
  for (int i = 0; i < manifold->count; ++i) {
    BoxPoint& other = manifold->points[i];
    if (other.feature != point.feature) continue;
    // the deeper one of two that share a vertex
    if (point.gap < other.gap) other = point;
    return;
  }
  manifold->points[manifold->count++] = point;
}

// Drops corners that lie on the line between their neighbours and are no deeper than they.
void DropStraightCorners(double snap, BoxManifold* manifold) {
  BoxPoint* points = manifold->points;
  for (int i = 0; i < manifold->count && manifold->count > 2;) {
    const BoxPoint& before = points[i == 0 ? manifold->count - 1 : i - 1];
    const BoxPoint& after = points[i + 1 == manifold->count ? 0 : i + 1];
    const Vec2 line = after.uv - before.uv, d = points[i].uv - before.uv;
    const double across = line.x() * d.y() - line.y() * d.x(), along = line.dot(d);
    const double length2 = line.squaredNorm();
    const bool straight = across * across <= snap * snap * length2 && along > 0 && along < length2;
    if (straight && points[i].gap >= std::min(before.gap, after.gap) - 1e-8 * snap) {
      std::move(points + i + 1, points + manifold->count, points + i);
      --manifold->count;
    } else {
      ++i;
    }
  }
}

BoxManifold CalcOverlap(const Faces& faces, uint32_t face_r, uint32_t face_i) {
  const uint32_t k = face_r / 2, u = (k + 1) % 3, v = (k + 2) % 3;
  const uint32_t m = face_i / 2, m1 = (m + 1) % 3, m2 = (m + 2) % 3;
  const double side_r = face_r % 2 != 0 ? 1 : -1, side_i = face_i % 2 != 0 ? 1 : -1;
  const double half_u = faces.half_r[u], half_v = faces.half_r[v], half_k = faces.half_r[k];

  // the incident face's vertices, projected along n on the reference face
  const Vec3 centre = faces.p_RI + side_i * faces.half_i[m] * faces.R_RI.col(m);
  const Vec3 e1 = faces.half_i[m1] * faces.R_RI.col(m1);
  const Vec3 e2 = faces.half_i[m2] * faces.R_RI.col(m2);
  const Vec3 vertices[4] = {centre - e1 - e2, centre + e1 - e2, centre + e1 + e2, centre - e1 + e2};
  const uint32_t base = (face_i % 2) << m;
  const uint32_t vertex_index[4] = {base, base | 1u << m1, base | 1u << m1 | 1u << m2,
                                    base | 1u << m2};
  const double per_height = 1 / (side_r * faces.n_R[k]);
  const double slope_u = faces.n_R[u], slope_v = faces.n_R[v];
  Polygon polygon;
  polygon.count = 4;
  for (uint32_t i = 0; i < 4; ++i) {
    const double gap = (side_r * vertices[i][k] - half_k) * per_height;
    polygon.corners[i] = {vertices[i][u] - gap * slope_u, vertices[i][v] - gap * slope_v, gap, i};
  }
  const Polygon incident = polygon;
  Clip(&Corner::u, 1, half_u, 4, &polygon);
  Clip(&Corner::u, -1, half_u, 5, &polygon);
  Clip(&Corner::v, 1, half_v, 6, &polygon);
  Clip(&Corner::v, -1, half_v, 7, &polygon);

  // name every corner, merging those of one name
  const double snap = kSnap * std::min({half_u, half_v, faces.half_i[m1], faces.half_i[m2]});
  const uint32_t face_bit = (face_r % 2) << k;
  BoxManifold manifold;
  for (uint32_t i = 0; i < polygon.count; ++i) {
    const Corner& corner = polygon.corners[i];
    int near_i = -1;
    for (int j = 0; j < 4; ++j) {
      if (std::abs(corner.u - incident.corners[j].u) <= snap &&
          std::abs(corner.v - incident.corners[j].v) <= snap) {
        near_i = j;
      }
    }
    const bool near_r = half_u - std::abs(corner.u) <= snap && half_v - std::abs(corner.v) <= snap;
    uint32_t feature = 0;
    if (near_r && (faces.reference_is_b || near_i < 0)) {
      const uint32_t vertex =
          face_bit | (corner.u > 0 ? 1u << u : 0u) | (corner.v > 0 ? 1u << v : 0u);
      feature = NameVertex(faces, true, vertex, face_i);
    } else if (near_i >= 0) {
      feature = NameVertex(faces, false, vertex_index[near_i], face_r);
    } else {
      // one of the two sides that meet here is the incident face's
      const uint32_t in = polygon.corners[i == 0 ? polygon.count - 1 : i - 1].side;
      const uint32_t e = in < 4 ? in : corner.side % 4, s = in < 4 ? corner.side : in;
      const uint32_t edge_i = EdgeIndex(e % 2 == 0 ? m1 : m2, vertex_index[e]);
      const uint32_t plus = s % 2 == 0 ? 1u : 0u;
      const uint32_t edge_r =
          s < 6 ? EdgeIndex(v, face_bit | plus << u) : EdgeIndex(u, face_bit | plus << v);
      feature = faces.reference_is_b ? EdgesFeature(edge_i, edge_r) : EdgesFeature(edge_r, edge_i);
    }
    BoxPoint point;
    point.p_A[k] = side_r * half_k;
    point.p_A[u] = corner.u;
    point.p_A[v] = corner.v;
    point.p_A += 0.5 * corner.gap * faces.n_R;
    point.gap = corner.gap;
    point.feature = feature;
    point.uv = Vec2(corner.u, corner.v);
    AddPoint(point, &manifold);
  }
  DropStraightCorners(snap, &manifold);
  return manifold;
}

}  // namespace

uint32_t FaceAlong(const Vec3& direction) {
  uint32_t k = 0;
  for (uint32_t i = 1; i < 3; ++i) {
    if (std::abs(direction[i]) > std::abs(direction[k]) + 1e-9) k = i;
  }
  return 2 * k + (direction[k] > 0 ? 1u : 0u);
}

BoxManifold CalcManifold(const BoxPair& pair, const Vec3& n_A) {
  const Vec3 n_B = pair.R_AB.transpose() * n_A;
  const uint32_t face_a = FaceAlong(n_A), face_b = FaceAlong(-n_B);
  // the face that n fits better is the reference, A's if in doubt
  if (std::abs(n_B[face_b / 2]) <= std::abs(n_A[face_a / 2]) + 1e-9) {
    return CalcOverlap({pair.half_a, pair.half_b, pair.R_AB, pair.p_AB, n_A, false}, face_a,
                       face_b);
  }
  const Mat3 R_BA = pair.R_AB.transpose();
  BoxManifold manifold = CalcOverlap(
      {pair.half_b, pair.half_a, R_BA, -(R_BA * pair.p_AB), -n_B, true}, face_b, face_a);
  for (int i = 0; i < manifold.count; ++i) {
    manifold.points[i].p_A = pair.p_AB + pair.R_AB * manifold.points[i].p_A;
  }
  return manifold;
}

namespace {

// Four of more than four corners, as places in the outline.
using Four = std::array<int, 4>;

// A corner that overlaps, and so carries load, outweighs four that only touch.
constexpr int kTouches = 1, kOverlaps = 5 * kTouches;

// Corners in cyclic order, with what the choice depends on.
struct FaceOutline {
  int count;
  double u[BoxManifold::kMost], v[BoxManifold::kMost];
  int weight[BoxManifold::kMost];
  bool deep[BoxManifold::kMost];  // it or another such corner stays

  double TwiceArea(const Four& of) const {
    const auto& [a, b, c, d] = of;
    return std::abs((u[c] - u[a]) * (v[d] - v[b]) - (v[c] - v[a]) * (u[d] - u[b]));
  }
  bool HasDeep(const Four& of) const {
    return deep[of[0]] || deep[of[1]] || deep[of[2]] || deep[of[3]];
  }
  int Weight(const Four& of) const {
    return weight[of[0]] + weight[of[1]] + weight[of[2]] + weight[of[3]];
  }
};

// The four of largest area that have the weight and a deep corner.
Four ChooseLargest(const FaceOutline& outline, int weight) {
  double best = -1;
  Four chosen = {0, 1, 2, 3};
  const int n = outline.count;
  for (int a = 0; a < n - 3; ++a) {
    for (int c = a + 2; c < n - 1; ++c) {
      for (int b = a + 1; b < c; ++b) {
        for (int d = c + 1; d < n; ++d) {
          const Four four = {a, b, c, d};
          const double area = outline.TwiceArea(four);
          if (area <= best || outline.Weight(four) < weight || !outline.HasDeep(four)) continue;
          best = area * (1 + kSameArea);
          chosen = four;
        }
      }
    }
  }
  return chosen;
}

// The four that stay of n corners in cyclic order.
Four ChooseFour(const BoxPoint* points, int n, const HeldFeatures& held) {
  double deepest = points[0].gap, highest = deepest, extent = 0;
  for (int i = 1; i < n; ++i) {
    deepest = std::min(deepest, points[i].gap);
    highest = std::max(highest, points[i].gap);
    extent = std::max(extent, (points[i].uv - points[0].uv).lpNorm<1>());
  }
  // the deepest corner stays, unless the faces are parallel
  const double deep = highest - deepest <= kFaceLevel * extent ? highest : deepest;
  HoldRule rule(deepest, extent);
  FaceOutline outline;
  outline.count = n;
  Four kept;
  for (int i = 0; i < n; ++i) {
    const double gap = points[i].gap;
    outline.u[i] = points[i].uv.x();
    outline.v[i] = points[i].uv.y();
    outline.weight[i] = (rule.Touches(gap) ? kTouches : 0) + (rule.Overlaps(gap) ? kOverlaps : 0);
    outline.deep[i] = gap <= deep;
    const bool is_held = held.Has(points[i].feature);
    if (is_held && rule.held() < 4) At(kept, rule.held()) = i;
    rule.Add(gap, is_held);
  }
  const Four best = ChooseLargest(outline, kTouches * std::min(rule.touching(), 4) +
                                               kOverlaps * std::min(rule.overlapping(), 4));
  const bool good = rule.Holds() && outline.TwiceArea(kept) >= kHeldArea * outline.TwiceArea(best);
  return good ? kept : best;
}

}  // namespace

void ReduceManifold(double margin, const HeldFeatures& held, BoxManifold* manifold) {
  BoxPoint* points = manifold->points;
  const auto beyond = [margin](const BoxPoint& point) { return point.gap > margin; };
  int n = static_cast<int>(std::remove_if(points, points + manifold->count, beyond) - points);
  const auto by_feature = [](const BoxPoint& a, const BoxPoint& b) {
    return a.feature < b.feature;
  };
  if (n > 4) {
    // start and sense of the outline by name, so that equal areas fall alike whoever was reference
    std::rotate(points, std::min_element(points, points + n, by_feature), points + n);
    if (points[1].feature > points[n - 1].feature) std::reverse(points + 1, points + n);
    const Four chosen = ChooseFour(points, n, held);
    for (int i = 0; i < 4; ++i) points[i] = points[At(chosen, i)];
    n = 4;
  }
  std::sort(points, points + n, by_feature);
  manifold->count = n;
}

}  // namespace slip
