// What tells quickly that a point is not above a plane: rows of planes, and boxes about points.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/core/types.h"

namespace slip {

/// Heights in double are right to so much of the extent.
inline constexpr double kHeightError = 1e-14;

/// Planes side by side, so that several heights of a point are one operation.
class PlaneRows {
 public:
  /// Until they are set, heights above them are -∞.
  void Clear(std::size_t count) {
    Row none;
    none.x = none.y = none.z = Heights::Zero();
    none.offset = Heights::Constant(kInfinity);
    rows_.assign((count + kRow - 1) / kRow, none);
  }
  void Set(std::size_t k, const Vec3& normal, double offset) {
    Row& row = rows_[k / kRow];
    const auto at = static_cast<Eigen::Index>(k % kRow);
    row.x[at] = normal.x(), row.y[at] = normal.y(), row.z[at] = normal.z();
    row.offset[at] = offset;
  }
  /// The heights of a point above all of them; the greatest one.
  double Measure(const Vec3& p) {
    Heights most = Heights::Constant(-kInfinity);
    for (Row& row : rows_) {
      row.height = row.x * p.x() + row.y * p.y() + row.z * p.z() - row.offset;
      most = most.max(row.height);
    }
    return highest_ = most.maxCoeff();
  }
  double highest() const { return highest_; }
  double height(std::size_t k) const {
    return rows_[k / kRow].height[static_cast<Eigen::Index>(k % kRow)];
  }

 private:
  static constexpr std::size_t kRow = 4;
  using Heights = Eigen::Array<double, kRow, 1>;
  struct Row {
    Heights x, y, z, offset, height;
  };
  std::vector<Row> rows_;
  double highest_ = 0;
};

/// Boxes about points that follow each other, and about such boxes: most planes have few of them
/// near.
class PointBlocks {
 public:
  explicit PointBlocks(std::span<const Vec3> points) : points_(points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i % kBlock == 0) blocks_.emplace_back();
      if (i % (kBlock * kBlock) == 0) groups_.emplace_back();
      blocks_.back().extend(points[i]);
      groups_.back().extend(points[i]);
    }
  }
  bool AnyBeyond(const Vec3& normal, double offset) const {
    const auto reaches = [&](const Eigen::AlignedBox3d& box) {
      // a trifle more than rounding
      return normal.dot(box.center()) + normal.cwiseAbs().dot(box.sizes()) / 2 >
             offset - kHeightError * (std::abs(offset) + box.sizes().maxCoeff());
    };
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (!reaches(groups_[g])) continue;
      for (std::size_t b = g * kBlock; b < std::min((g + 1) * kBlock, blocks_.size()); ++b) {
        if (!reaches(blocks_[b])) continue;
        const std::size_t end = std::min((b + 1) * kBlock, points_.size());
        for (std::size_t i = b * kBlock; i < end; ++i)
          if (normal.dot(points_[i]) > offset) return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t kBlock = 32;
  std::span<const Vec3> points_;
  std::vector<Eigen::AlignedBox3d> blocks_, groups_;
};

}  // namespace slip
