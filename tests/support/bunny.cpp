#include "tests/support/bunny.h"

#include <map>

namespace slip::test {
namespace {

/// Points on each part of the whole ellipsoid, before those that do not count are left out.
constexpr std::array<int, 5> kFibonacciPoints = {2080, 800, 360, 240, 320};
constexpr int kKept = 493;

Vec3 FibonacciPoint(int i, int n) {
  const double zeta = 1 - 2 * (i + 0.5) / n;
  const double theta = kPi * (1 + std::sqrt(5.0)) * (i + 0.5);
  const double r = std::sqrt(1 - zeta * zeta);
  return {r * std::cos(theta), r * std::sin(theta), zeta};
}

Vec3 Mirrored(const Vec3& p) { return {-p.x(), p.y(), p.z()}; }

/// How wide two parts of the mesh flow into each other [m].
constexpr double kBlend = 0.016;
/// Edge of the cells the mesh is made from [m].
constexpr double kCell = 0.0036;

// About the distance from an ellipsoid: exact to first order at its surface [I. Quilez,
// "Ellipsoids", the bound k0 (k0 - 1)/k1].
double EllipsoidDistance(const Ellipsoid& part, const Vec3& p) {
  const Vec3 d = (p - part.center).cwiseQuotient(part.radii);
  const double k0 = d.norm(), k1 = d.cwiseQuotient(part.radii).norm();
  return k1 > 0 ? k0 * (k0 - 1) / k1 : -part.radii.minCoeff();
}

class BunnySurface {
 public:
  BunnySurface() : parts_(BunnyParts()) {
    // ears as blunt as the cells can show
    parts_[2] = {{0.0135, 0.042, 0.138}, {0.0095, 0.011, 0.030}};
    parts_.push_back({{0.019, 0.030, 0.013}, {0.0105, 0.018, 0.013}});
    parts_.push_back({{0.021, -0.026, 0.014}, {0.0115, 0.024, 0.014}});
    const std::size_t half = parts_.size();
    for (std::size_t i = 0; i < half; ++i)
      if (parts_[i].center.x() != 0)
        parts_.push_back({Mirrored(parts_[i].center), parts_[i].radii});
  }

  /// -b log Σ exp(-d/b): a smooth least distance. Summed in pairs of mirror images, so that the
  /// mesh is its own mirror image to the bit.
  double operator()(const Vec3& p) const { return (Side(p) + Side(Mirrored(p))) / 2; }

  Vec3 Gradient(const Vec3& p) const {
    constexpr double kStep = 1e-6;
    Vec3 gradient;
    for (int i = 0; i < 3; ++i) {
      const Vec3 d = kStep * Vec3::Unit(i);
      gradient[i] = ((*this)(p + d) - (*this)(p - d)) / (2 * kStep);
    }
    return gradient;
  }

 private:
  double Side(const Vec3& p) const {
    double sum = 0;
    for (const Ellipsoid& part : parts_)
      sum += std::exp(-EllipsoidDistance(part, p) / (kBlend / 4));
    return -kBlend / 4 * std::log(sum);
  }

  std::vector<Ellipsoid> parts_;
};

// Dual contouring without normals ("surface nets", S. Gibson 1998): a vertex in every cell that the
// surface crosses, a square around every edge of the grid that it crosses.
class SurfaceNets {
 public:
  Soup Make() {
    for (int k = 0; k < kNodes.z(); ++k)
      for (int j = 0; j < kNodes.y(); ++j)
        for (int i = 0; i < kNodes.x(); ++i) value_.push_back(surface_(Node({i, j, k})));
    for (int k = 1; k + 1 < kNodes.z(); ++k)
      for (int j = 1; j + 1 < kNodes.y(); ++j)
        for (int i = 1; i + 1 < kNodes.x(); ++i)
          for (int axis = 0; axis < 3; ++axis) AddEdge({i, j, k}, axis);
    for (int round = 0; round < 4; ++round) Relax();
    for (const auto& corners : squares_) Cut(corners);
    return soup_;
  }

 private:
  using Index = Eigen::Vector3i;

  // symmetric about x = 0, which nodes lie on
  Vec3 Node(const Index& at) const {
    return {kCell * (at.x() - (kNodes.x() - 1) / 2), -0.078 + kCell * at.y(),
            -0.007 + kCell * at.z()};
  }
  double Value(const Index& at) const {
    return value_[at.x() + kNodes.x() * (at.y() + kNodes.y() * at.z())];
  }

  void AddEdge(const Index& from, int axis) {
    const Index to = from + Index::Unit(axis);
    const bool inside = Value(from) < 0;
    if (inside == (Value(to) < 0)) return;
    const Index u = Index::Unit((axis + 1) % 3), v = Index::Unit((axis + 2) % 3);
    std::array<int, 4> corners = {Vertex(from), Vertex(from - u), Vertex(from - u - v),
                                  Vertex(from - v)};
    if (!inside) std::swap(corners[1], corners[3]);
    squares_.push_back(corners);
  }

  // Along the shorter diagonal, which is the same on both sides of the mirror.
  void Cut(const std::array<int, 4>& c) {
    const auto gap = [&](int a, int b) {
      return (soup_.vertices[c[a]] - soup_.vertices[c[b]]).norm();
    };
    const int first = gap(0, 2) > gap(1, 3) + 1e-9 ? 1 : 0;
    soup_.triangles.push_back({c[first], c[first + 1], c[first + 2]});
    soup_.triangles.push_back({c[first], c[first + 2], c[(first + 3) % 4]});
  }

  // Every vertex to the middle of its neighbours, then back to the surface.
  void Relax() {
    std::vector<Vec3> sum(soup_.vertices.size(), Vec3::Zero());
    std::vector<int> count(sum.size(), 0);
    for (const auto& corners : squares_)
      for (int i = 0; i < 4; ++i) {
        sum[corners[i]] +=
            soup_.vertices[corners[(i + 1) % 4]] + soup_.vertices[corners[(i + 3) % 4]];
        count[corners[i]] += 2;
      }
    for (std::size_t v = 0; v < sum.size(); ++v) {
      Vec3 p = sum[v] / count[v];
      for (int i = 0; i < 6; ++i) {
        const Vec3 g = surface_.Gradient(p);
        const Vec3 step = surface_(p) / g.squaredNorm() * g;
        p -= std::min(1.0, kCell / 4 / std::max(step.norm(), 1e-12)) * step;
      }
      soup_.vertices[v] = p;
    }
  }

  // Of the cell whose lowest corner this is.
  int Vertex(const Index& cell) {
    const auto [known, fresh] = vertex_.try_emplace({cell.x(), cell.y(), cell.z()},
                                                    static_cast<int>(soup_.vertices.size()));
    if (!fresh) return known->second;
    Vec3 sum = Vec3::Zero();
    int crossings = 0;
    for (int axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 4; ++side) {
        Index from = cell;
        from[(axis + 1) % 3] += side & 1;
        from[(axis + 2) % 3] += side >> 1;
        const Index to = from + Index::Unit(axis);
        const double a = Value(from), b = Value(to);
        if ((a < 0) == (b < 0)) continue;
        sum += Node(from) + a / (a - b) * (Node(to) - Node(from));
        ++crossings;
      }
    soup_.vertices.push_back(sum / crossings);
    return known->second;
  }

  const Index kNodes = {35, 48, 52};
  BunnySurface surface_;
  std::vector<double> value_;
  std::map<std::array<int, 3>, int> vertex_;
  std::vector<std::array<int, 4>> squares_;
  Soup soup_;
};

}  // namespace

std::vector<Ellipsoid> BunnyParts() {
  return {{{0, 0, 0.050}, {0.035, 0.055, 0.045}},
          {{0, 0.050, 0.095}, {0.024, 0.028, 0.026}},
          {{0.012, 0.042, 0.140}, {0.007, 0.010, 0.032}},
          {{0, -0.056, 0.050}, {0.012, 0.012, 0.012}},
          {{0.031, 0.025, 0.060}, {0.011, 0.011, 0.011}}};
}

std::vector<Vec3> MakeBunnyCloud() {
  const std::vector<Ellipsoid> parts = BunnyParts();
  std::vector<Vec3> found;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const int n = kFibonacciPoints[part];
    for (int i = 0; i < n; ++i) {
      const Vec3 p = parts[part].center + parts[part].radii.cwiseProduct(FibonacciPoint(i, n));
      bool kept = p.x() > 1e-4 && p.z() > 0.006 && p.x() < 0.0415;
      for (std::size_t other = 0; other < parts.size(); ++other)
        if (other != part && parts[other].Level(p) < 1) kept = false;
      if (kept) found.push_back(p);
    }
  }
  std::vector<Vec3> cloud = {{0.042, 0.025, 0.060}, {0.020, 0.030, 0}, {0.020, -0.030, 0}};
  for (std::size_t k = 0; k < kKept; ++k) cloud.push_back(found[k * found.size() / kKept]);
  for (std::size_t i = 0; i < 496; ++i) cloud.push_back(Mirrored(cloud[i]));
  return cloud;
}

Soup MakeBunnyMesh() { return SurfaceNets().Make(); }

}  // namespace slip::test
