// What is inside a surface and how far it is, against plain sums; and cuts that are guessed,
// against those that are made.
#include "engine/geometry/solid_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "engine/core/thread_stop.h"
#include "engine/geometry/convex_parts.h"
#include "engine/geometry/cut_guess.h"
#include "engine/geometry/solid_piece.h"
#include "tests/support/concave.h"
#include "tests/support/mesh_files.h"

namespace slip::test {
namespace {

double PlainWinding(const Soup& soup, const Vec3& p) {
  double sum = 0;
  for (const auto& t : soup.triangles) {
    const Vec3 a = At(soup.vertices, t[0]) - p, b = At(soup.vertices, t[1]) - p,
               c = At(soup.vertices, t[2]) - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum +=
        std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (2 * std::numbers::pi);
}

double PlainDistance(const Soup& soup, const Vec3& p) {
  double nearest = kInfinity;
  for (const auto& t : soup.triangles)
    nearest = std::min(nearest, SolidSurface(soup.vertices, {t}).CalcDistance(p));
  return nearest;
}

TEST(SolidSurface, WindingIsTheSumOfAllSolidAngles) {
  Soup torn = RingSoup(24, 0.1, 0.06, 0.03);
  torn.triangles.resize(torn.triangles.size() * 2 / 3);
  for (const Soup& soup : {RingSoup(24, 0.1, 0.06, 0.03), torn, TraySoup(),
                           Together(TraySoup(), TraySoup(), {0.01, 0.02, 0.005})}) {
    const SolidSurface surface(soup.vertices, soup.triangles);
    Random random(4);
    for (int i = 0; i < 500; ++i) {
      const Vec3 p = random.InBox(0.15);
      EXPECT_NEAR(surface.CalcWinding(p), PlainWinding(soup, p), 1e-9) << p.transpose();
    }
    // where several boxes end
    for (const Vec3& p : soup.vertices)
      EXPECT_NEAR(surface.CalcWinding(p), PlainWinding(soup, p), 1e-9) << p.transpose();
  }
}

TEST(SolidSurface, DistanceIsThatOfTheNearestTriangle) {
  const Soup soup = RingSoup(24, 0.1, 0.06, 0.03);
  const SolidSurface surface(soup.vertices, soup.triangles);
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = random.InBox(0.2);
    EXPECT_EQ(surface.CalcDistance(p), PlainDistance(soup, p));
  }
}

TEST(SolidSurface, BetweenItsCrossingsNothingChanges) {
  const Soup soup = Together(RingSoup(24, 0.1, 0.06, 0.03), TraySoup(), {0.05, 0, 0.01});
  const SolidSurface surface(soup.vertices, soup.triangles);
  Random random(8);
  std::size_t found = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3 a = random.InBox(0.3), way = random.InBox(0.3);
    std::vector<double> crossings = surface.FindCrossings(a, a + way);
    EXPECT_TRUE(std::is_sorted(crossings.begin(), crossings.end()));
    found += crossings.size();
    crossings.push_back(1);
    double from = 0;
    for (const double to : crossings) {
      if (to - from > 1e-6)
        EXPECT_NEAR(surface.CalcWinding(a + (from + 1e-7) * way),
                    surface.CalcWinding(a + (to - 1e-7) * way), 1e-3);
      from = to;
    }
  }
  EXPECT_GT(found, 50u);
}

TEST(CutGuess, VolumesAreThoseOfTheCutAndHullsNearly) {
  for (const Soup& soup : {TraySoup(), RingSoup(24, 0.1, 0.06, 0.03)}) {
    const auto search = std::make_shared<SolidSurface>(soup.vertices, soup.triangles);
    const SolidPiece whole(soup.vertices, soup.triangles, search);
    // a piece with caps and corners of its own
    const SolidPiece piece = whole.CutBelow({Vec3(1, 0.2, 0.1).normalized(), 0.011});
    Random random(6);
    for (const SolidPiece* one : {&whole, &piece}) {
      CutGuess guess(*one);
      for (int i = 0; i < 40; ++i) {
        const CutPlane plane{random.Direction(), random.Uniform(-0.03, 0.03)};
        const auto made = one->Try(plane), guessed = guess.Guess(plane);
        for (const auto& [is, was] :
             {std::pair(guessed.below, made.below), std::pair(guessed.above, made.above)}) {
          EXPECT_NEAR(is.volume, was.volume, 1e-9 * one->volume());
          EXPECT_NEAR(is.reflex, was.reflex, 1e-9 * (1 + one->reflex()));
          EXPECT_LE(is.hull, 1.02 * was.hull + 1e-9 * one->hull_volume());
          EXPECT_GE(is.hull, 0.85 * was.hull - 0.01 * one->hull_volume());
        }
      }
    }
  }
}

// Each point that is added to a hull asks once: so many are what the search takes.
TEST(ConvexParts, FewOfTheCutsAreTried) {
  const TriangleMesh mesh = Clean(RingSoup(48, 0.1, 0.06, 0.03));
  int asked = 0;
  const ThreadStop stop(StopPoll([&asked] { return ++asked < 0; }));
  ASSERT_TRUE(FindConvexParts(mesh).ok());
  EXPECT_LT(asked, 15000);
  EXPECT_GT(asked, 100);
}

}  // namespace
}  // namespace slip::test
