// What tells quickly that a point is not above a plane: rows of planes.
#pragma once

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
    return most.maxCoeff();
  }
  /// The first plane above which the point is so high.
  std::size_t FindHeight(double height) const {
    std::size_t k = 0;
    while (this->height(k) != height) ++k;
    return k;
  }
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
};

}  // namespace slip
