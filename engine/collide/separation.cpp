#include "engine/collide/separation.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

namespace slip {
namespace {

/// Enough for two cylinders rim to rim; polyhedra need far fewer.
constexpr int kMaxIterations = 128;
/// Of the size: below this distance the direction of GJK's vector suffers from rounding.
constexpr double kNear = 1e-7;
/// Of the size: accepted doubt about a distance whose search rounding ended.
constexpr double kStalled = 1e-9;

struct Simplex {
  int count = 0;
  std::array<DifferencePoint, 4> points;
  std::array<double, 4> weights = {};
};

// The nearest point to the origin of a simplex, as weights of its corners.
struct Nearest {
  Vec3 v = Vec3::Zero();
  std::array<double, 4> weights = {};
};

using Corners = std::array<int, 4>;

Nearest OnPoint(const Simplex& s, int i) {
  Nearest nearest;
  nearest.v = s.points[i].w;
  nearest.weights[i] = 1;
  return nearest;
}

Nearest OnSegment(const Simplex& s, int i, int j) {
  const Vec3& p = s.points[i].w;
  const Vec3 t = s.points[j].w - p;
  const double length2 = t.squaredNorm();
  const double u = length2 > 0 ? -p.dot(t) / length2 : 0;
  if (u <= 0) return OnPoint(s, i);
  if (u >= 1) return OnPoint(s, j);
  Nearest nearest;
  nearest.weights[i] = 1 - u;
  nearest.weights[j] = u;
  // p minus its part along t: exact where 1 - u and u would cancel
  nearest.v = p + u * t;
  return nearest;
}

Nearest Closer(const Nearest& a, const Nearest& b) {
  return b.v.squaredNorm() < a.v.squaredNorm() ? b : a;
}

Nearest OnTriangle(const Simplex& s, int i, int j, int k) {
  const Vec3 &a = s.points[i].w, &b = s.points[j].w, &c = s.points[k].w;
  const Vec3 n = (b - a).cross(c - a);
  const double n2 = n.squaredNorm();
  if (n2 > 0) {
    // areas of the projection along the largest component of n, signed volumes in the plane
    const Vec3 foot = a.dot(n) / n2 * n;
    Eigen::Index axis = 0;
    n.cwiseAbs().maxCoeff(&axis);
    const Eigen::Index x = (axis + 1) % 3, y = (axis + 2) % 3;
    const auto area = [x, y](const Vec3& p, const Vec3& q, const Vec3& r) {
      return (q[x] - p[x]) * (r[y] - p[y]) - (q[y] - p[y]) * (r[x] - p[x]);
    };
    const double total = n[axis];
    const double u = area(foot, b, c) / total, v = area(a, foot, c) / total;
    const double w = area(a, b, foot) / total;
    if (u > 0 && v > 0 && w > 0) {
      Nearest nearest;
      nearest.weights[i] = u / (u + v + w);
      nearest.weights[j] = v / (u + v + w);
      nearest.weights[k] = w / (u + v + w);
      nearest.v = foot;
      return nearest;
    }
  }
  return Closer(Closer(OnSegment(s, j, k), OnSegment(s, k, i)), OnSegment(s, i, j));
}

Nearest OnTetrahedron(const Simplex& s, bool* inside) {
  const Vec3 &a = s.points[0].w, &b = s.points[1].w, &c = s.points[2].w, &d = s.points[3].w;
  const auto volume = [](const Vec3& p, const Vec3& q, const Vec3& r) { return p.dot(q.cross(r)); };
  const double total = volume(b - a, c - a, d - a);
  const double w[4] = {volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)};
  const double sign = total > 0 ? 1 : -1;
  *inside = total != 0 && std::all_of(w, w + 4, [&](double x) { return sign * x > 0; });
  if (*inside) return {};
  constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  Nearest best;
  best.v.setConstant(kInfinity);
  for (int i = 0; i < 4; ++i)
    if (total == 0 || sign * w[i] <= 0)
      best = Closer(best, OnTriangle(s, kFaces[i][0], kFaces[i][1], kFaces[i][2]));
  return best;
}

// Drops the corners that the nearest point does not need.
void Reduce(const Nearest& nearest, Simplex* s) {
  int kept = 0;
  for (int i = 0; i < s->count; ++i)
    if (nearest.weights[i] > 0) {
      s->points[kept] = s->points[i];
      s->weights[kept++] = nearest.weights[i];
    }
  s->count = kept;
}

}  // namespace

Separation CalcSeparation(const ConvexCore& a, const ConvexCore& b, double limit) {
  DifferenceSupport support(a, b);
  Separation result;
  const double size = support.size();
  const double tolerance = 1e-12 * size;
  Simplex s;
  // two points are at a distance, whatever it is
  Vec3 v = b.p - a.p;
  if (size <= 0) {
    result.distance = v.norm();
    result.a = a.p, result.b = b.p;
    result.valid = result.distance > 0;
    if (result.valid) result.n = v / result.distance;
    return result;
  }
  if (v.squaredNorm() < tolerance * tolerance) v = Vec3::UnitX();
  double shortest = kInfinity;
  bool overlap = false, converged = false;
  for (int i = 0; i < kMaxIterations; ++i) {
    const DifferencePoint point = support(-v);
    const double length = v.norm();
    const double reach = v.dot(point.w) / length;  // C lies beyond this along v
    if (reach > limit) {
      result.distance = kInfinity;
      return result;
    }
    converged = s.count > 0 && length - reach <= std::max(tolerance, 1e-13 * length);
    if (converged) break;
    bool known = false;
    for (int k = 0; k < s.count; ++k) known = known || s.points[k].w == point.w;
    if (known) break;
    const Simplex before = s;
    s.points[s.count++] = point;
    Nearest nearest;
    if (s.count == 1) nearest = OnPoint(s, 0);
    if (s.count == 2) nearest = OnSegment(s, 0, 1);
    if (s.count == 3) nearest = OnTriangle(s, 0, 1, 2);
    if (s.count == 4) nearest = OnTetrahedron(s, &overlap);
    if (overlap) break;
    const double now = nearest.v.norm();
    if (now >= shortest) {
      s = before;  // rounding: the last step was the best
      break;
    }
    shortest = now;
    Reduce(nearest, &s);
    v = nearest.v;
    if (now <= kNear * size) overlap = true;
    if (overlap) break;
  }
  if (overlap) {
    result = ExpandPolytope(&support);
    if (result.valid) return result;
    // flat C: whatever GJK found, unless the origin lies in it
    if (v.norm() <= tolerance) return result;
  }
  const double length = v.norm();
  if (!overlap && !converged) {
    // a sliver of a simplex, as on the rim of a cylinder that all but touches
    const double reach = v.dot(support(-v).w) / length;
    if (length - reach > kStalled * size) {
      const Separation expanded = ExpandPolytope(&support);
      if (expanded.valid && expanded.distance > reach) return expanded;
    }
  }
  result.distance = length;
  result.n = v / result.distance;
  result.a.setZero();
  result.b.setZero();
  for (int k = 0; k < s.count; ++k) {
    result.a += s.weights[k] * s.points[k].a;
    result.b += s.weights[k] * s.points[k].b;
  }
  result.valid = true;
  return result;
}

}  // namespace slip
