// How far points reach along directions all around, and which of them does: the corners of a
// polytope within their hull, at a small part of what the hull takes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/core/types.h"

namespace slip {

/// The last bits of a distance are the number of the point that is so far away: the farther of two
/// is then the greater number, whichever point it is.
class Reach {
 public:
  static constexpr int kSteps = 5, kDirections = 6 * kSteps * kSteps + 2;

  /// The bits that numbers of points below `count` need.
  static std::uint32_t MaskFor(std::size_t count) {
    return (std::uint32_t{1} << std::bit_width(count)) - 1;
  }

  /// Of no point.
  Reach();
  /// Of one point; `number` is within the mask.
  Reach(const Vec3& p, std::size_t number, std::uint32_t mask);

  void Extend(const Reach& other) {
    for (int r = 0; r < kRows; ++r) {
      const Row &a = other.rows_[r], &b = rows_[r];
      rows_[r] = a > b ? a : b;
    }
  }

  /// Of the polytope of the points that reach farthest; 0 without points. `point_of` says where one
  /// is by its number.
  template <class PointOf>
  double CalcVolume(std::uint32_t mask, PointOf&& point_of) const {
    if (rows_[0][0] <= kNowhere) return 0;
    std::array<Vec3, kDirections> points;
    for (int k = 0; k < kDirections; ++k) {
      const float key = rows_[k / 4][k % 4];
      At(points, k) = point_of(std::size_t{std::bit_cast<std::uint32_t>(key) & mask});
    }
    return VolumeOf(points);
  }

 private:
  // four directions side by side
  using Row = float __attribute__((vector_size(16)));
  using Bits = std::uint32_t __attribute__((vector_size(16)));
  static constexpr int kRows = kDirections / 4;
  static_assert(kDirections % 4 == 0);
  static constexpr float kNowhere = -1e30F;
  struct Directions;
  static const Directions& AllDirections();
  static double VolumeOf(const std::array<Vec3, kDirections>& points);

  Row rows_[kRows];
};

}  // namespace slip
