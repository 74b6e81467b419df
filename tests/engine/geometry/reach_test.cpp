// The polytope of the points that reach farthest is within their hull, and most of it.
#include "engine/geometry/reach.h"

#include <gtest/gtest.h>

#include "engine/geometry/solid_piece.h"
#include "tests/support/geometry.h"

namespace slip::test {
namespace {

TEST(Reach, ItsPolytopeIsNearlyTheHull) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    std::vector<Vec3> points;
    const Vec3 size(random.Uniform(0.4, 1), random.Uniform(0.4, 1), random.Uniform(0.4, 1));
    for (int k = 0; k < 300; ++k) points.push_back(random.InBox(0.5).cwiseProduct(size));
    const std::uint32_t mask = Reach::MaskFor(points.size());
    EXPECT_EQ(mask, 511u);
    Reach first, second;
    for (std::size_t k = 0; k < points.size(); ++k)
      (k % 2 == 0 ? first : second).Extend(Reach(points[k], k, mask));
    const auto point_of = [&](std::size_t k) { return points[k]; };
    const double part = first.CalcVolume(mask, point_of);
    first.Extend(second);
    const double volume = first.CalcVolume(mask, point_of), hull = CalcHullVolume(points);
    EXPECT_LE(part, volume * 1.05);
    EXPECT_LE(volume, hull * (1 + 1e-9));
    EXPECT_GE(volume, 0.8 * hull);
  }
}

TEST(Reach, NoPointsHaveNoVolume) {
  EXPECT_EQ(Reach().CalcVolume(7, [](std::size_t) { return Vec3(Vec3::Zero()); }), 0);
}

}  // namespace
}  // namespace slip::test
