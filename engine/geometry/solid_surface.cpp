#include "engine/geometry/solid_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "engine/core/numbers.h"

namespace slip {
namespace {

/// The angle of a product of complex numbers, with all its turns.
class AngleSum {
 public:
  /// The angle of x + iy, which is atan2(y, x).
  void Add(double x, double y) {
    if (y == 0) {
      if (x < 0) half_turns_ += std::signbit(y) ? -1 : 1;
      return;
    }
    const double re = re_ * x - im_ * y, im = re_ * y + im_ * x;
    // both turn the same way, and come out on the other side
    if (im_ >= 0 && y > 0 && im < 0) half_turns_ += 2;
    if (im_ < 0 && y < 0 && im >= 0) half_turns_ -= 2;
    const double shorter = 1 / (std::abs(re) + std::abs(im));
    re_ = shorter * re, im_ = shorter * im;
  }
  double Turns() const { return std::atan2(im_, re_) / (2 * std::numbers::pi) + 0.5 * half_turns_; }

 private:
  double re_ = 1, im_ = 0;
  int half_turns_ = 0;
};

/// Edges that are run through once each way are gone.
std::vector<std::array<int, 2>> CancelEdges(std::vector<std::array<int, 2>> edges) {
  const auto undirected = [](const std::array<int, 2>& e) -> std::pair<int, int> {
    return std::minmax(e[0], e[1]);
  };
  std::sort(edges.begin(), edges.end(), [&](const auto& a, const auto& b) {
    const std::pair<int, int> ka = undirected(a), kb = undirected(b);
    return ka != kb ? ka < kb : a < b;
  });
  std::vector<std::array<int, 2>> left;
  for (std::size_t i = 0; i < edges.size();) {
    const std::pair<int, int> key = undirected(edges[i]);
    int net = 0;
    for (; i < edges.size() && undirected(edges[i]) == key; ++i)
      net += edges[i][0] < edges[i][1] ? 1 : -1;
    for (; net > 0; --net) left.push_back({key.first, key.second});
    for (; net < 0; ++net) left.push_back({key.second, key.first});
  }
  return left;
}

/// A corner from the point that is asked about, and its distance.
struct Seen {
  explicit Seen(const Vec3& from_p) : p(from_p), far(from_p.norm()) {}
  Vec3 p;
  double far;
};

/// The solid angle of a triangle is twice the angle of a complex number [Van Oosterom, Strackee
/// 1983].
void AddTriangle(const Seen& a, const Seen& b, const Seen& c, AngleSum* sum) {
  sum->Add(
      a.far * b.far * c.far + a.p.dot(b.p) * c.far + b.p.dot(c.p) * a.far + c.p.dot(a.p) * b.far,
      a.p.dot(b.p.cross(c.p)));
}

double CalcTriangleDistance(const std::array<Vec3, 3>& t, const Vec3& p) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]);
  const double area = n.norm();
  bool above = area > 0;
  double nearest = kInfinity;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &a = t[i], &b = t[(i + 1) % 3];
    above = above && n.dot((b - a).cross(p - a)) >= 0;
    const double length = (b - a).squaredNorm();
    const double at = length > 0 ? std::clamp((p - a).dot(b - a) / length, 0.0, 1.0) : 0;
    nearest = std::min(nearest, (p - a - at * (b - a)).norm());
  }
  return above ? std::abs(n.dot(p - t[0])) / area : nearest;
}

}  // namespace

SolidSurface::SolidSurface(std::vector<Vec3> vertices, std::vector<std::array<int, 3>> triangles)
    : vertices_(std::move(vertices)), triangles_(std::move(triangles)) {
  if (triangles_.empty()) return;
  std::vector<Vec3> centers;
  centers.reserve(triangles_.size());
  for (const auto& t : triangles_)
    centers.push_back((At(vertices_, t[0]) + At(vertices_, t[1]) + At(vertices_, t[2])) / 3);
  order_.resize(triangles_.size());
  std::iota(order_.begin(), order_.end(), 0);
  Build(0, static_cast<int>(triangles_.size()), centers);
}

int SolidSurface::Build(int first, int last, const std::vector<Vec3>& centers) {
  constexpr int kLeaf = 8;
  const int index = static_cast<int>(tree_.size());
  tree_.emplace_back();
  Node node;
  node.first = first, node.last = last;
  Eigen::AlignedBox3d spread;
  for (int i = first; i < last; ++i) {
    const int t = At(order_, i);
    spread.extend(At(centers, t));
    for (const int v : At(triangles_, t)) node.box.extend(At(vertices_, v));
  }
  std::vector<Edge> edges;
  if (last - first > kLeaf) {
    int axis = 0;
    spread.sizes().maxCoeff(&axis);
    const int middle = first + (last - first) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last,
                     [&](int a, int b) {
                       const double ca = At(centers, a)[axis], cb = At(centers, b)[axis];
                       return ca != cb ? ca < cb : a < b;
                     });
    const int left = Build(first, middle, centers);
    node.right = Build(middle, last, centers);
    edges = At(tree_, left).rim;
    const std::vector<Edge>& more = At(tree_, node.right).rim;
    edges.insert(edges.end(), more.begin(), more.end());
  } else {
    for (int i = first; i < last; ++i) {
      const auto& t = At(triangles_, At(order_, i));
      for (std::size_t k = 0; k < 3; ++k) edges.push_back({t[k], t[(k + 1) % 3]});
    }
  }
  node.rim = CancelEdges(std::move(edges));
  At(tree_, index) = std::move(node);
  return index;
}

// Seen from outside their box, triangles cover what any others with the same rim do [Jacobson,
// Kavan, Sorkine-Hornung 2013]: those from each edge of it to the middle of the box.
double SolidSurface::CalcWinding(const Vec3& p) const {
  AngleSum sum;
  std::vector<int> open;
  if (!tree_.empty()) open.push_back(0);
  const auto see = [&](int v) { return Seen(At(vertices_, v) - p); };
  while (!open.empty()) {
    const int index = open.back();
    open.pop_back();
    const Node& node = At(tree_, index);
    if (!node.box.contains(p)) {
      const Seen middle(node.box.center() - p);
      for (const Edge& edge : node.rim) AddTriangle(see(edge[0]), see(edge[1]), middle, &sum);
    } else if (node.right >= 0) {
      open.push_back(node.right);
      open.push_back(index + 1);
    } else {
      for (int i = node.first; i < node.last; ++i) {
        const auto& t = At(triangles_, At(order_, i));
        AddTriangle(see(t[0]), see(t[1]), see(t[2]), &sum);
      }
    }
  }
  return sum.Turns();
}

std::vector<double> SolidSurface::FindCrossings(const Vec3& a, const Vec3& b) const {
  // rounding takes no crossing away
  constexpr double kSlack = 1e-6;
  std::vector<double> crossings;
  const Vec3 way = b - a;
  const auto crosses_box = [&](const Eigen::AlignedBox3d& box) {
    double low = 0, high = 1;
    for (int i = 0; i < 3; ++i) {
      const double from = box.min()[i] - kSlack - a[i], to = box.max()[i] + kSlack - a[i];
      if (std::abs(way[i]) < 1e-12) {
        if (from > 0 || to < 0) return false;
        continue;
      }
      const auto [first, last] = std::minmax({from / way[i], to / way[i]});
      low = std::max(low, first), high = std::min(high, last);
    }
    return low <= high;
  };
  std::vector<int> open;
  if (!tree_.empty()) open.push_back(0);
  while (!open.empty()) {
    const int index = open.back();
    open.pop_back();
    const Node& node = At(tree_, index);
    if (!crosses_box(node.box)) continue;
    if (node.right >= 0) {
      open.push_back(node.right);
      open.push_back(index + 1);
      continue;
    }
    for (int i = node.first; i < node.last; ++i) {
      const auto& t = At(triangles_, At(order_, i));
      const Vec3 p = At(vertices_, t[0]) - a, q = At(vertices_, t[1]) - a,
                 r = At(vertices_, t[2]) - a;
      // volumes of the way with the three edges
      const double u = way.dot(p.cross(q)), v = way.dot(q.cross(r)), w = way.dot(r.cross(p));
      const double sum = u + v + w, slack = kSlack * (std::abs(u) + std::abs(v) + std::abs(w));
      const bool within = sum > 0 ? std::min({u, v, w}) >= -slack : std::max({u, v, w}) <= slack;
      if (!within || sum == 0) continue;
      const double share = p.dot(q.cross(r)) / sum;
      if (share > 0 && share < 1) crossings.push_back(share);
    }
  }
  std::sort(crossings.begin(), crossings.end());
  return crossings;
}

double SolidSurface::CalcDistance(const Vec3& p) const {
  double nearest = kInfinity;
  std::vector<int> open;
  if (!tree_.empty()) open.push_back(0);
  while (!open.empty()) {
    const int index = open.back();
    open.pop_back();
    const Node& node = At(tree_, index);
    if (node.box.squaredExteriorDistance(p) > nearest * nearest) continue;
    if (node.right >= 0) {
      int near = index + 1, far = node.right;
      if (At(tree_, far).box.squaredExteriorDistance(p) <
          At(tree_, near).box.squaredExteriorDistance(p))
        std::swap(near, far);
      open.push_back(far);
      open.push_back(near);
      continue;
    }
    for (int i = node.first; i < node.last; ++i) {
      const auto& t = At(triangles_, At(order_, i));
      nearest = std::min(
          nearest,
          CalcTriangleDistance({At(vertices_, t[0]), At(vertices_, t[1]), At(vertices_, t[2])}, p));
    }
  }
  return nearest;
}

}  // namespace slip
