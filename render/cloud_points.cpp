// Points of a cloud as they are drawn.
#include "render/cloud_points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

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
    std::swap(order[i - 1], order[static_cast<std::size_t>(Scramble(&state) % i)]);
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

Thinned ThinCloud(int points, int most) {
  if (points <= most || most < 1) return {points, 1};
  return {most, static_cast<float>(std::sqrt(static_cast<double>(points) / most))};
}

}  // namespace slip::render
