// Two rabbits of our own, made of ellipsoids: the cloud of the grasp scene and a closed mesh. The
// files in assets/ are these: the tests BunnyFiles.* compare. To write them anew:
//   SLIPSCOPE_ASSETS=write build/release/slipscope_tests --gtest_filter='BunnyFiles*'
#pragma once

#include <vector>

#include "engine/core/types.h"
#include "tests/support/geometry.h"

namespace slip::test {

/// The ellipsoids of the half x >= 0 of the cloud's rabbit [m]: body, head, ear, tail, bump of the
/// shoulder. y points to the nose, the floor is z = 0.
struct Ellipsoid {
  Vec3 center, radii;
  /// Below 1 inside, 1 on the surface.
  double Level(const Vec3& p) const { return (p - center).cwiseQuotient(radii).squaredNorm(); }
};
std::vector<Ellipsoid> BunnyParts();

/// 992 points: 496 with x > 0, then their mirror images. The first is the only one farthest out in
/// x, where a flat pad touches; the next two are feet on the floor.
std::vector<Vec3> MakeBunnyCloud();

/// The same parts, both ears and shoulders, and four paws, blended into one closed surface.
Soup MakeBunnyMesh();

}  // namespace slip::test
