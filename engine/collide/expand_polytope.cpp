// The expanding polytope: a polyhedron inside C grows where it is nearest to the origin until C
// does not reach beyond that facet.
#include <algorithm>
#include <cmath>

#include "engine/collide/separation.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr int kMaxVertices = 200;
constexpr int kMaxFacets = 2 * kMaxVertices;
/// Of the size: accepted gap between the facet and C.
constexpr double kGap = 1e-11;
/// Of the size: a point this little above a facet counts as in it.
constexpr double kFlat = 1e-13;

struct Facet {
  std::array<int, 3> corners;
  std::array<int, 3> neighbors;  // beyond corner i to i+1
  Vec3 normal;
  double offset;  // of the plane: negative when the origin is outside
  bool alive;
  bool visible;
};

struct Edge {
  int from, to, outer;
};

class Polytope {
 public:
  explicit Polytope(double size) : flat_(kFlat * size) {}

  bool Start(DifferenceSupport* support) {
    const auto& s = *support;
    const double least = 1e-9 * s.size();
    points_[0] = (*support)(Vec3::UnitX());
    points_[1] = (*support)(-Vec3::UnitX());
    Vec3 along = points_[1].w - points_[0].w;
    if (along.norm() < least) return false;
    along.normalize();
    const Vec3 u = along.unitOrthogonal(), v = along.cross(u);
    double best = least;
    for (const Vec3& d : {u, v, Vec3(-u), Vec3(-v)}) {
      const DifferencePoint point = (*support)(d);
      const double distance = along.cross(point.w - points_[0].w).norm();
      if (distance > best) best = distance, points_[2] = point;
    }
    if (best <= least) return false;
    const Vec3 normal = along.cross(points_[2].w - points_[0].w).normalized();
    double height = 0;
    for (const double sign : {1.0, -1.0}) {
      const DifferencePoint point = (*support)(sign * normal);
      const double h = normal.dot(point.w - points_[0].w);
      if (std::abs(h) > std::abs(height)) height = h, points_[3] = point;
    }
    if (std::abs(height) <= least) return false;
    if (height > 0) std::swap(points_[1], points_[2]);
    point_count_ = 4;
    constexpr int kCorners[4][3] = {{0, 1, 2}, {0, 2, 3}, {2, 1, 3}, {1, 0, 3}};
    constexpr int kNeighbors[4][3] = {{3, 2, 1}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
    for (int f = 0; f < 4; ++f) {
      facets_[f] = MakeFacet(kCorners[f][0], kCorners[f][1], kCorners[f][2]);
      for (int i = 0; i < 3; ++i) facets_[f].neighbors[i] = kNeighbors[f][i];
    }
    facet_count_ = 4;
    return true;
  }

  int Nearest() const {
    int best = 0;
    double offset = kInfinity;
    for (int f = 0; f < facet_count_; ++f)
      if (facets_[f].alive && facets_[f].offset < offset) best = f, offset = facets_[f].offset;
    return best;
  }

  const Facet& facet(int f) const { return facets_[f]; }

  // The points on both bodies where the origin's foot lies, from the facet that holds the foot:
  // of facets in one plane only one does. `outward` is the direction of the foot.
  void FindWitness(double reach, const Vec3& outward, Separation* result) const {
    double best = -kInfinity;
    for (int f = 0; f < facet_count_; ++f) {
      const Facet& facet = facets_[f];
      if (!facet.alive || facet.offset > reach || facet.normal.dot(outward) < 0.99) continue;
      const DifferencePoint &a = points_[facet.corners[0]], &b = points_[facet.corners[1]],
                            &c = points_[facet.corners[2]];
      const Vec3 foot = facet.offset * facet.normal;
      const auto area = [&](const Vec3& p, const Vec3& q) {
        return facet.normal.dot((p - foot).cross(q - foot));
      };
      double u = area(b.w, c.w), v = area(c.w, a.w), w = area(a.w, b.w);
      // how far inside, in units of length
      const double inside =
          std::min({u / (c.w - b.w).norm(), v / (a.w - c.w).norm(), w / (b.w - a.w).norm()});
      if (!(inside > best)) continue;
      best = inside;
      u = std::max(u, 0.0), v = std::max(v, 0.0), w = std::max(w, 0.0);
      const double total = u + v + w;
      if (!(total > 0)) continue;
      result->a = (u * a.a + v * b.a + w * c.a) / total;
      result->b = (u * a.b + v * b.b + w * c.b) / total;
    }
  }

  // False when the polytope is full or rounding spoils the horizon.
  bool Add(int seed, const DifferencePoint& point) {
    if (point_count_ == kMaxVertices) return false;
    const int apex = point_count_;
    points_[apex] = point;
    visible_count_ = 0;
    MarkVisible(seed);
    for (int k = 0; k < visible_count_; ++k)
      for (int other : facets_[visible_[k]].neighbors) {
        const Facet& facet = facets_[other];
        if (!facet.visible && facet.normal.dot(point.w) - facet.offset > flat_) MarkVisible(other);
      }
    if (!SortHorizon() || facet_count_ + edge_count_ > kMaxFacets + visible_count_) return false;
    ++point_count_;
    // dead facets make room first
    std::array<int, kMaxFacets>& fresh = fresh_;
    for (int i = 0; i < edge_count_; ++i) {
      fresh[i] = i < visible_count_ ? visible_[i] : facet_count_++;
    }
    for (int i = 0; i < visible_count_; ++i) facets_[visible_[i]].alive = false;
    for (int i = 0; i < edge_count_; ++i) {
      const Edge& edge = edges_[i];
      Facet facet = MakeFacet(edge.from, edge.to, apex);
      facet.neighbors = {edge.outer, fresh[(i + 1) % edge_count_],
                         fresh[(i + edge_count_ - 1) % edge_count_]};
      for (int j = 0; j < 3; ++j)
        if (facets_[edge.outer].corners[j] == edge.to &&
            facets_[edge.outer].corners[(j + 1) % 3] == edge.from)
          facets_[edge.outer].neighbors[j] = fresh[i];
      facets_[fresh[i]] = facet;
    }
    return true;
  }

 private:
  Facet MakeFacet(int a, int b, int c) const {
    Facet facet;
    facet.corners = {a, b, c};
    facet.alive = true;
    facet.visible = false;
    const Vec3& pa = points_[a].w;
    const Vec3 n = (points_[b].w - pa).cross(points_[c].w - pa);
    const double length = n.norm();
    // a facet without area is never the nearest and never seen
    facet.normal = length > 0 ? Vec3(n / length) : Vec3(Vec3::Zero());
    facet.offset = length > 0 ? facet.normal.dot(pa) : kInfinity;
    return facet;
  }

  void MarkVisible(int f) {
    facets_[f].visible = true;
    visible_[visible_count_++] = f;
  }

  bool SortHorizon() {
    edge_count_ = 0;
    bool simple = true;
    start_.fill(-1);
    for (int k = 0; k < visible_count_; ++k) {
      const Facet& facet = facets_[visible_[k]];
      for (int i = 0; i < 3; ++i) {
        if (facets_[facet.neighbors[i]].visible) continue;
        simple = simple && start_[facet.corners[i]] < 0 && edge_count_ < kMaxVertices;
        if (!simple) break;
        start_[facet.corners[i]] = edge_count_;
        edges_[edge_count_++] = {facet.corners[i], facet.corners[(i + 1) % 3], facet.neighbors[i]};
      }
    }
    // walk the loop, ordering the edges in place
    int found = 0;
    for (int i = 0; simple && found < edge_count_; ++found) {
      loop_[found] = edges_[i];
      i = start_[edges_[i].to];
      simple = i >= 0 && (i != 0 || found + 1 == edge_count_);
    }
    for (int i = 0; i < edge_count_; ++i) edges_[i] = loop_[i];
    if (!simple || edge_count_ < 3) {
      for (int k = 0; k < visible_count_; ++k) facets_[visible_[k]].visible = false;
      return false;
    }
    return true;
  }

  double flat_;
  int point_count_ = 0, facet_count_ = 0, visible_count_ = 0, edge_count_ = 0;
  std::array<DifferencePoint, kMaxVertices> points_;
  std::array<Facet, kMaxFacets + kMaxVertices> facets_;
  std::array<int, kMaxFacets> visible_, fresh_;
  std::array<int, kMaxVertices> start_;
  std::array<Edge, kMaxVertices> edges_, loop_;
};

}  // namespace

Separation ExpandPolytope(DifferenceSupport* support) {
  Separation result;
  result.overlap = true;
  Polytope polytope(support->size());
  result.valid = polytope.Start(support);
  if (!result.valid) return result;
  const double gap = kGap * support->size();
  // C's reach along any direction bounds the depth from above, the polytope's from below
  double depth = kInfinity;
  for (int i = 0; i < kMaxVertices; ++i) {
    const int f = polytope.Nearest();
    const Vec3 normal = polytope.facet(f).normal;
    const double offset = polytope.facet(f).offset;
    const DifferencePoint point = (*support)(normal);
    const double reach = normal.dot(point.w);
    if (reach < depth) {
      depth = reach;
      result.n = -normal;
      result.a = point.a;
      result.b = point.b;
    }
    if (reach - offset <= gap || !polytope.Add(f, point)) break;
  }
  result.distance = -depth;
  polytope.FindWitness(depth + gap, -result.n, &result);
  return result;
}

}  // namespace slip
