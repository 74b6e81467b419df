// The tree of balls over a cloud: split at the median of the longest side.
#include <algorithm>
#include <numeric>

#include "engine/collide/cloud_query.h"

namespace slip {

CloudTree::CloudTree(std::span<const Vec3> points_B, const StopPoll* stop)
    : points_(points_B.begin(), points_B.end()) {
  index_.resize(points_.size());
  std::iota(index_.begin(), index_.end(), 0);
  if (points_.empty()) return;
  Build(0, size(), stop);
  if (!whole_) return;
  const int places = (size() + kLanes - 1) / kLanes * kLanes;
  for (int axis = 0; axis < 3; ++axis) {
    coordinates_[axis].reserve(places);
    for (const int i : index_) coordinates_[axis].push_back(points_[i][axis]);
    // the last lanes repeat a point and are never looked at
    coordinates_[axis].resize(places, coordinates_[axis].back());
  }
  for (const Vec3& p : points_) radius_ = std::max(radius_, p.norm());
}

// Returns the node over index_[first, last).
int CloudTree::Build(int first, int last, const StopPoll* stop) {
  constexpr int kLarge = 4096;  // points whose node takes a while
  const int node = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  if (whole_ && last - first >= kLarge) whole_ = !IsStopped(stop);
  if (!whole_) return node;
  Eigen::AlignedBox3d box;
  for (int i = first; i < last; ++i) box.extend(points_[index_[i]]);
  Node made{.center = box.center(), .first = first, .count = last - first};
  for (int i = first; i < last; ++i)
    made.radius = std::max(made.radius, (points_[index_[i]] - made.center).norm());
  // covers what rounding and a quaternion that is not quite unit make of it
  made.radius *= 1 + 1e-8;
  if (made.count > kLeaf) {
    Eigen::Index axis = 0;
    box.sizes().maxCoeff(&axis);
    // the left half is whole leaves
    const int leaves = (made.count + kLeaf - 1) / kLeaf;
    const int middle = first + (leaves + 1) / 2 * kLeaf;
    std::nth_element(index_.begin() + first, index_.begin() + middle, index_.begin() + last,
                     [&](int a, int b) {
                       const double pa = points_[a][axis], pb = points_[b][axis];
                       return pa != pb ? pa < pb : a < b;  // the same tree everywhere
                     });
    Build(first, middle, stop);
    made.first = Build(middle, last, stop);
    made.count = 0;
  }
  nodes_[node] = made;
  return node;
}

}  // namespace slip
