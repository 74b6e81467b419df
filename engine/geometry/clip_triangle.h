// Triangles on both sides of a plane.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/core/types.h"

namespace slip {

using Corners = std::array<Vec3, 3>;

inline double SixVolumes(const Vec3& a, const Vec3& b, const Vec3& c) { return a.dot(b.cross(c)); }

/// Points closer to a plane are on it.
inline constexpr double kOnPlane = 1e-9;

inline double Snap(double height) { return std::abs(height) <= kOnPlane ? 0 : height; }

/// A triangle's part on the lower side of a plane, three or four corners in order, and which of
/// them are on the plane.
struct Clipped {
  std::array<Vec3, 4> corners;
  std::array<bool, 4> on{};
  int count = 0;

  void Add(const Vec3& p, bool is_on) {
    corners[ToIndex(count)] = p;
    on[ToIndex(count++)] = is_on;
  }
};

inline Clipped ClipBelow(const Corners& t, const std::array<double, 3>& heights) {
  Clipped out;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (heights[i] <= 0) out.Add(t[i], heights[i] == 0);
    if (heights[i] * heights[j] < 0) {
      // the same point from whichever side it is asked for
      const bool forward = heights[i] < 0;
      const std::size_t low = forward ? i : j, high = forward ? j : i;
      const double share = heights[low] / (heights[low] - heights[high]);
      out.Add(t[low] + share * (t[high] - t[low]), true);
    }
  }
  return out;
}

enum class PlaneSide { kBelow, kAbove, kBoth };

/// A triangle within the plane belongs to the material, which is behind it.
inline PlaneSide SideOf(const Corners& t, const std::array<double, 3>& heights,
                        const Vec3& normal) {
  const auto [low, high] = std::minmax({heights[0], heights[1], heights[2]});
  if (low == 0 && high == 0)
    return (t[1] - t[0]).cross(t[2] - t[0]).dot(normal) > 0 ? PlaneSide::kBelow : PlaneSide::kAbove;
  if (high <= 0) return PlaneSide::kBelow;
  return low >= 0 ? PlaneSide::kAbove : PlaneSide::kBoth;
}

}  // namespace slip
