// Quickhull on triangles. Planes are kept in extended precision: a sliver as low as the tolerance
// then still has a normal that is right to the tolerance.
#include "engine/geometry/convex_hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/core/thread_stop.h"
#include "engine/geometry/hull_planes.h"

namespace slip {
namespace {

/// Of the extent. Smaller, and rounding in slivers decides what is visible; larger, and corners
/// of fine meshes are lost.
constexpr double kHullTolerance = 1e-9;
/// Facets that have their place from the start: to move them takes long.
constexpr std::size_t kPlacedFacets = 16384;

/// Least thickness of a body, and width of a surface, of its length. Inertia is made of squared
/// lengths, so this leaves it the last four digits of a double, and facets are merged when flat to
/// a millionth.
constexpr double kLeastThickness = 2e-6;

template <class Real>
struct HullFacetOf {
  std::array<int, 3> corners = {};
  std::array<int, 3> neighbors = {-1, -1, -1};  // beyond corner i to i+1
  Eigen::Matrix<Real, 3, 1> normal = Eigen::Matrix<Real, 3, 1>::Zero();
  Real offset = 0;
  int outside = -1;  // first point of the list of points above this facet
  int farthest = -1;
  Real height = 0;                  // of the farthest point
  Vec3 near_normal = Vec3::Zero();  // the plane in double
  double near_offset = 0;
  bool alive = true;
  bool visible = false;
};

/// Four points as far apart as a search one after the other finds them.
struct Spread {
  std::array<int, 4> corners = {};
  double length = 0;     ///< between the first two [m]
  double width = 0;      ///< of the third from their line [m]
  double thickness = 0;  ///< of the fourth from their plane [m]
};

Spread FindSpread(std::span<const Vec3> points) {
  const auto farthest = [&](int* best, auto&& distance) {
    double largest = -1;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double d = distance(points[i]);
      if (d > largest) *best = static_cast<int>(i), largest = d;
    }
    return largest;
  };
  Spread spread;
  auto& [a, b, c, d] = spread.corners;
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) box.extend(p);
  const Vec3 center = box.center();
  farthest(&a, [&](const Vec3& p) { return (p - center).norm(); });
  const Vec3& origin = At(points, a);
  spread.length = farthest(&b, [&](const Vec3& p) { return (p - origin).norm(); });
  const Vec3 along = (At(points, b) - origin).normalized();
  spread.width = farthest(&c, [&](const Vec3& p) { return along.cross(p - origin).norm(); });
  const Vec3 normal = along.cross(At(points, c) - origin).normalized();
  spread.thickness = farthest(&d, [&](const Vec3& p) { return std::abs(normal.dot(p - origin)); });
  return spread;
}

/// Why there is no hull of so many points, or empty.
std::string FindFlatness(const Spread& spread, std::size_t points, double tolerance) {
  if (points < 4) return fmt::format("{} points span no volume", points);
  if (spread.length <= 0) return "all points are in one place";
  if (spread.width <= tolerance) return "all points are on one line";
  if (spread.thickness <= tolerance) return "all points are in one plane";
  return {};
}

Error NotFinite() {
  return {.message = "a coordinate is not finite", .hint = "export the mesh again"};
}

Error NoHull(const std::string& problem) {
  return {.message = "no convex hull: " + problem, .hint = "a body needs a thickness"};
}

/// In double where hulls are rough and only compared.
template <class Real>
class QuickHull {
 public:
  QuickHull(std::span<const Vec3> points, double rough)
      : points_(points), rough_(rough), next_(points.size(), -1) {}

  /// Empty on success, otherwise why there is no hull.
  std::string Run() {
    Eigen::AlignedBox3d box;
    for (const Vec3& p : points_) box.extend(p);
    center_ = box.center();
    tolerance_ = kHullTolerance * box.sizes().maxCoeff();
    height_error_ = kHeightError * box.sizes().maxCoeff();
    centered_.reserve(points_.size());
    for (const Vec3& p : points_) centered_.push_back(p - center_);
    if (std::string problem = MakeFirstTetrahedron(); !problem.empty()) return problem;
    while (!pending_.empty()) {
      const int f = pending_.back();
      pending_.pop_back();
      while (facets_[f].alive && facets_[f].outside >= 0 && facets_[f].height > least_) {
        if (ThreadStop::Asked()) return "it was stopped";
        AddPoint(f);
      }
    }
    return {};
  }

  std::vector<std::array<int, 3>> Triangles() const {
    std::vector<std::array<int, 3>> triangles;
    for (const HullFacet& facet : facets_)
      if (facet.alive) triangles.push_back(facet.corners);
    return triangles;
  }

 private:
  using Vec3L = Eigen::Matrix<Real, 3, 1>;
  using HullFacet = HullFacetOf<Real>;

  Vec3L Point(int i) const { return At(centered_, i).template cast<Real>(); }
  Real Height(const HullFacet& facet, int i) const {
    return facet.normal.dot(Point(i)) - facet.offset;
  }
  /// By its height in double, unless that is too near.
  bool IsAbove(const HullFacet& facet, int i) const {
    const double near = facet.near_normal.dot(At(centered_, i)) - facet.near_offset;
    if (std::abs(near - tolerance_) > height_error_) return near > tolerance_;
    return Height(facet, i) > tolerance_;
  }

  HullFacet MakeFacet(int a, int b, int c) const {
    HullFacet facet;
    facet.corners = {a, b, c};
    const Vec3L pa = Point(a), pb = Point(b), pc = Point(c);
    const Vec3L n = (pb - pa).cross(pc - pa);
    const Real length = n.norm();
    facet.normal = length > 0 ? Vec3L(n / length) : Vec3L(Vec3L::Zero());
    facet.offset = facet.normal.dot(pa);
    facet.near_normal = facet.normal.template cast<double>();
    facet.near_offset = static_cast<double>(facet.offset);
    return facet;
  }

  std::string MakeFirstTetrahedron() {
    const int count = static_cast<int>(points_.size());
    if (points_.size() < 4) return FindFlatness({}, points_.size(), tolerance_);
    const Spread spread = FindSpread(points_);
    if (std::string flat = FindFlatness(spread, points_.size(), tolerance_); !flat.empty())
      return flat;
    const auto [a, b, c, d] = spread.corners;
    least_ = rough_ * spread.thickness;
    facets_.reserve(std::min(2 * points_.size(), kPlacedFacets));
    const Vec3 normal = (points_[b] - points_[a]).cross(points_[c] - points_[a]);
    const bool above = normal.dot(points_[d] - points_[a]) > 0;
    const int p = above ? c : b, q = above ? b : c;
    facets_ = {MakeFacet(a, p, q), MakeFacet(a, q, d), MakeFacet(q, p, d), MakeFacet(p, a, d)};
    facets_[0].neighbors = {3, 2, 1};
    facets_[1].neighbors = {0, 2, 3};
    facets_[2].neighbors = {0, 3, 1};
    facets_[3].neighbors = {0, 1, 2};
    fresh_ = {0, 1, 2, 3};
    TakePlanes();
    for (int i = 0; i < count; ++i) Assign(i);
    AddPending();
    return {};
  }

  void TakePlanes() {
    planes_.Clear(fresh_.size());
    for (std::size_t k = 0; k < fresh_.size(); ++k)
      planes_.Set(k, facets_[fresh_[k]].near_normal, facets_[fresh_[k]].near_offset);
  }

  // Puts point i on the list of the fresh facet that it is highest above.
  void Assign(int i) {
    const double highest = planes_.Measure(At(centered_, i));
    Real best = tolerance_;
    HullFacet* above = nullptr;
    if constexpr (std::is_same_v<Real, double>) {
      if (highest > best) best = highest, above = &facets_[fresh_[planes_.FindHeight(highest)]];
      TakePoint(i, best, above);
      return;
    }
    const double limit = std::max(tolerance_, highest - height_error_);
    if (limit == tolerance_ && highest < tolerance_ - height_error_) return;
    for (std::size_t k = 0; k < fresh_.size(); ++k) {
      if (planes_.height(k) < limit - height_error_) continue;
      HullFacet& facet = facets_[fresh_[k]];
      const Real height = Height(facet, i);
      if (height > best) best = height, above = &facet;
    }
    TakePoint(i, best, above);
  }

  // Puts point i on the list of a facet, none = on no list.
  void TakePoint(int i, Real best, HullFacet* above) {
    if (above == nullptr) return;
    next_[i] = above->outside;
    above->outside = i;
    if (best > above->height) above->height = best, above->farthest = i;
  }

  // Extends the hull to the farthest point above facet f: the facets it sees make way for a fan.
  void AddPoint(int f) {
    const int apex = facets_[f].farthest;
    visible_.assign(1, f);
    facets_[f].visible = true;
    horizon_.clear();
    for (std::size_t k = 0; k < visible_.size(); ++k)
      for (int beyond : facets_[visible_[k]].neighbors)
        if (!facets_[beyond].visible && IsAbove(facets_[beyond], apex)) {
          facets_[beyond].visible = true;
          visible_.push_back(beyond);
        }
    for (int v : visible_)
      for (int i = 0; i < 3; ++i) {
        const HullFacet& facet = facets_[v];
        if (!facets_[facet.neighbors[i]].visible)
          horizon_.push_back({facet.corners[i], facet.corners[(i + 1) % 3], facet.neighbors[i]});
      }
    if (!SortHorizon()) {
      // rounding made the horizon touch itself: the point is within tolerance of the hull
      for (int v : visible_) facets_[v].visible = false;
      DropPoint(f, apex);
      return;
    }
    const int loop = static_cast<int>(horizon_.size());
    fresh_.clear();
    for (int i = 0; i < loop; ++i) {
      if (free_.empty()) {
        free_.push_back(static_cast<int>(facets_.size()));
        facets_.emplace_back();
      }
      fresh_.push_back(free_.back());
      free_.pop_back();
    }
    for (int i = 0; i < loop; ++i) {
      const auto& [from, to, outer] = horizon_[i];
      HullFacet facet = MakeFacet(from, to, apex);
      facet.neighbors = {outer, fresh_[(i + 1) % loop], fresh_[(i + loop - 1) % loop]};
      for (int j = 0; j < 3; ++j)
        if (facets_[outer].corners[j] == to && facets_[outer].corners[(j + 1) % 3] == from)
          facets_[outer].neighbors[j] = fresh_[i];
      facets_[fresh_[i]] = facet;
    }
    TakePlanes();
    for (int v : visible_) {
      int next = -1;
      for (int i = facets_[v].outside; i >= 0; i = next) {
        next = next_[i];
        if (i != apex) Assign(i);
      }
      facets_[v].outside = -1;
      facets_[v].alive = facets_[v].visible = false;
    }
    free_.insert(free_.end(), visible_.begin(), visible_.end());
    AddPending();
  }

  void AddPending() {
    for (const int i : fresh_)
      if (facets_[i].outside >= 0 && facets_[i].height > least_) pending_.push_back(i);
  }

  // Orders the horizon's edges into one loop; false if they do not form one.
  bool SortHorizon() {
    start_.resize(points_.size(), -1);
    bool simple = true;
    for (std::size_t i = 0; i < horizon_.size(); ++i) {
      simple = simple && start_[horizon_[i].from] < 0;
      start_[horizon_[i].from] = static_cast<int>(i);
    }
    sorted_.clear();
    for (int i = 0; simple && sorted_.size() < horizon_.size();) {
      sorted_.push_back(horizon_[i]);
      i = start_[horizon_[i].to];
      simple = i >= 0 && (i != 0 || sorted_.size() == horizon_.size());
    }
    for (const Edge& edge : horizon_) start_[edge.from] = -1;
    if (simple) horizon_.swap(sorted_);
    return simple;
  }

  void DropPoint(int f, int point) {
    HullFacet& facet = facets_[f];
    int list = facet.outside;
    facet.outside = facet.farthest = -1;
    facet.height = 0;
    for (int next = -1; list >= 0; list = next) {
      next = next_[list];
      if (list == point) continue;
      next_[list] = facet.outside;
      facet.outside = list;
      if (const Real height = Height(facet, list); height > facet.height)
        facet.height = height, facet.farthest = list;
    }
  }

  struct Edge {
    int from, to, outer;
  };
  std::span<const Vec3> points_;
  double rough_ = 0;
  Vec3 center_ = Vec3::Zero();
  double tolerance_ = 0;
  double least_ = 0;            // height of a point for which the hull is extended [m]
  double height_error_ = 0;     // of heights in double [m]
  std::vector<Vec3> centered_;  // the points from their centre
  std::vector<HullFacet> facets_;
  PlaneRows planes_;               // of the fresh facets
  std::vector<int> fresh_, free_;  // facets just made; places of dead ones
  std::vector<int> pending_;       // facets that may have points above them
  std::vector<int> next_;          // in the list of points above a facet
  std::vector<int> visible_, start_;
  std::vector<Edge> horizon_, sorted_;
};

}  // namespace

Result<std::vector<std::array<int, 3>>> CalcHullTriangles(std::span<const Vec3> points,
                                                          double rough) {
  for (const Vec3& p : points)
    if (!p.allFinite()) return NotFinite();
  // where points may stand out, double precision is enough, unless its rounding finds no hull
  if (rough > 0)
    if (QuickHull<double> hull(points, rough); hull.Run().empty()) return hull.Triangles();
  QuickHull<long double> hull(points, rough);
  if (std::string problem = hull.Run(); !problem.empty()) return NoHull(problem);
  return hull.Triangles();
}

double CalcRoughHullVolume(std::span<const Vec3> points, double rough) {
  QuickHull<double> hull(points, rough);
  if (!hull.Run().empty()) return 0;
  double volume = 0;
  const Vec3& origin = points.front();
  for (const auto& [a, b, c] : hull.Triangles())
    volume += (At(points, a) - origin).dot((At(points, b) - origin).cross(At(points, c) - origin));
  return volume / 6;
}

Status CheckHull(std::span<const Vec3> points) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) {
    if (!p.allFinite()) return NotFinite();
    box.extend(p);
  }
  const Spread spread = points.size() < 4 ? Spread() : FindSpread(points);
  const std::string flat = FindFlatness(
      spread, points.size(), points.empty() ? 0 : kHullTolerance * box.sizes().maxCoeff());
  if (!flat.empty()) return NoHull(flat);
  return Ok{};
}

Result<ConvexMesh> CalcConvexHull(std::span<const Vec3> points, double rough) {
  Result<std::vector<std::array<int, 3>>> triangles = CalcHullTriangles(points, rough);
  if (!triangles) return triangles.errors();
  return MergeCoplanar(points, *triangles);
}

Status CheckThickness(std::span<const Vec3> points, MeshUse use, double radius) {
  if (points.empty()) return Ok{};
  Spread spread = FindSpread(points);
  for (double* extent : {&spread.length, &spread.width, &spread.thickness}) *extent += 2 * radius;
  const bool sheet = use == MeshUse::kSurface;
  const double least = sheet ? spread.width : std::min(spread.width, spread.thickness);
  if (least >= kLeastThickness * spread.length) return Ok{};
  return Error{
      .message = fmt::format("its convex hull has no {} in double precision: {:.3g} m long and "
                             "{:.3g} m {}; at least {:.0e} of the length is needed",
                             sheet ? "area" : "volume", spread.length, least,
                             sheet ? "wide" : "thick", kLeastThickness),
      .hint = "is a coordinate wrong? else thicken it, or use a capsule or a box"};
}

ConvexMesh MakeConvexBox(const Vec3& size) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.emplace_back(
        Vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5).cwiseProduct(size));
  return CalcConvexHull(corners).value();
}

}  // namespace slip
