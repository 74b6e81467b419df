// Points of a cloud as they are drawn.
#include "render/scene/cloud_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "engine/core/numbers.h"
#include "engine/geometry/mesh.h"

namespace slip::render {
namespace {

// Of the distance of neighbours: balls that overlap a little look like a surface.
constexpr double kOfSpacing = 0.8;
constexpr double kUnknownRadius = 1e-3;  // where neither size nor spacing is known [m]

/// SplitMix64 (G. Steele and others, 2014): the order must be the same on every machine.
uint64_t Scramble(uint64_t* state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Points that are seen nearer to each other than this cover each other but for specks [px].
constexpr double kSeenApart = 2.5;

/// Times `spacing`: at random places 92 % of a surface are covered, and what lies behind shows
/// through.
constexpr double kCovering = 0.9;
/// The same where single points are to be seen: those of a grid overlap a little.
constexpr double kTouching = 0.7;

/// Sizes of two groups that follow each other differ by this factor in all points until then.
const double kGroupShare = std::pow(2.0, -0.25);

/// Bits of x with two others between each (G. Morton, 1966).
uint64_t Spread(uint64_t x) {
  x &= 0x1FFFFF;
  x = (x | x << 32) & 0x1F00000000FFFF;
  x = (x | x << 16) & 0x1F0000FF0000FF;
  x = (x | x << 8) & 0x100F00F00F00F00F;
  x = (x | x << 4) & 0x10C30C30C30C30C3;
  return (x | x << 2) & 0x1249249249249249;
}

/// A place along a curve through all cells of a box: neighbours on it are neighbours in space.
uint64_t AlongCurve(const Vec3& p, const Vec3& low, double extent) {
  const auto cell = [&](int i) {
    return extent > 0 ? static_cast<uint64_t>((p[i] - low[i]) / extent * 0x1FFFFF) : 0;
  };
  return Spread(cell(0)) | Spread(cell(1)) << 1 | Spread(cell(2)) << 2;
}

}  // namespace

double DisplayRadius(const Shape& shape) {
  if (shape.cloud == nullptr) return 0;
  const PointCloud& cloud = *shape.cloud;
  if (cloud.radius > 0) return cloud.radius;
  return cloud.spacing > 0 ? kOfSpacing * cloud.spacing : kUnknownRadius;
}

std::vector<float> MakeCloudVertices(const PointCloud& cloud) {
  std::vector<float> vertices;
  if (cloud.points.empty()) return vertices;
  Vec3 low = cloud.points.front(), high = low;
  for (const Vec3& p : cloud.points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  Eigen::Index axis = 0;
  const double extent = (high - low).maxCoeff(&axis);
  std::vector<uint32_t> order(cloud.points.size());
  std::iota(order.begin(), order.end(), 0u);
  uint64_t state = 1;
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], At(order, Scramble(&state) % i));
  }
  const auto n = static_cast<int>(order.size());
  std::vector<uint64_t> place(order.size());
  for (std::size_t i = 0; i < place.size(); ++i)
    place[i] = AlongCurve(cloud.points[i], low, extent);
  for (int end = n; end > 0;) {
    const int begin = CloudPrefix(n, end - 1);
    std::sort(order.begin() + begin, order.begin() + end, [&](uint32_t a, uint32_t b) {
      return place[a] != place[b] ? place[a] < place[b] : a < b;
    });
    end = begin;
  }
  vertices.reserve(4 * order.size());
  for (const uint32_t i : order) {
    const Vec3& p = cloud.points[i];
    for (int k = 0; k < 3; ++k) vertices.push_back(static_cast<float>(p[k]));
    const double along = extent > 0 ? (p[axis] - low[axis]) / extent : 0;
    vertices.push_back(static_cast<float>(along));
  }
  return vertices;
}

int CloudPrefix(int points, int most) {
  if (most >= points) return points;
  for (int k = 1;; ++k) {
    const int count = static_cast<int>(std::lround(points * std::pow(kGroupShare, k)));
    if (count <= most) return count;
  }
}

Thinned ThinCloud(int points, int most) {
  if (points <= most || most < 1) return {points, 1};
  const int count = std::max(1, CloudPrefix(points, most));
  return {count, static_cast<float>(std::sqrt(static_cast<double>(points) / count))};
}

// From the distances of some points to their eighth neighbour: on a surface, 8 lie on pi d^2.
double CalcMeanSpacing(std::span<const Vec3> points) {
  constexpr std::size_t kSample = 48, kNeighbour = 8;
  if (points.size() <= kNeighbour) return 0;
  const std::size_t stride = std::max<std::size_t>(1, points.size() / kSample);
  std::vector<double> found;
  for (std::size_t i = 0; i < points.size() && found.size() < kSample; i += stride) {
    std::array<double, kNeighbour + 1> nearest;  // ascending, itself first
    nearest.fill(kInfinity);
    for (const Vec3& p : points) {
      const double d2 = (p - points[i]).squaredNorm();
      if (!(d2 < nearest.back())) continue;
      std::size_t k = kNeighbour;
      for (; k > 0 && nearest[k - 1] > d2; --k) nearest[k] = nearest[k - 1];
      nearest[k] = d2;
    }
    found.push_back(nearest.back());
  }
  const auto middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
  std::nth_element(found.begin(), middle, found.end());
  return std::sqrt(M_PI * *middle / static_cast<double>(kNeighbour));
}

int CountSeen(int points, double pixels) {
  const double share = pixels / kSeenApart;
  if (!(share > 0) || share >= 1) return points;
  return std::max(1, static_cast<int>(points * share * share));
}

double CoveringRadius(double spacing, bool thinned) {
  return (thinned ? kCovering : kTouching) * spacing;
}

}  // namespace slip::render
