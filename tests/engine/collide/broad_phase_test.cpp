// The broad phase against all pairs, in every regime: few, many, mixed sizes, giants, far-flung.
#include "engine/collide/broad_phase.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/alloc_guard.h"

namespace slip {
namespace {

std::vector<BodyPair> BruteForcePairs(const std::vector<Bounds>& boxes) {
  std::vector<BodyPair> pairs;
  for (uint32_t i = 0; i < boxes.size(); ++i) {
    for (uint32_t j = i + 1; j < boxes.size(); ++j) {
      if (boxes[i].is_static && boxes[j].is_static) continue;
      bool overlap = true;
      for (int k = 0; k < 3; ++k) {
        overlap =
            overlap && boxes[i].min[k] <= boxes[j].max[k] && boxes[j].min[k] <= boxes[i].max[k];
      }
      if (overlap) pairs.push_back({i, j});
    }
  }
  return pairs;
}

class Boxes {
 public:
  double Uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vec3 Point(double low, double high) {
    return {Uniform(low, high), Uniform(low, high), Uniform(low, high)};
  }
  static Bounds Box(const Vec3& centre, const Vec3& size, bool is_static = false) {
    return {centre - 0.5 * size, centre + 0.5 * size, is_static};
  }

 private:
  std::mt19937 random_{7};
};

void ExpectAllPairs(const std::vector<Bounds>& boxes, BroadPhase* broad_phase, const char* what) {
  EXPECT_EQ(broad_phase->FindPairs(boxes), BruteForcePairs(boxes)) << what << ", " << boxes.size();
}

TEST(BroadPhase, FindsWhatAllPairsFind) {
  Boxes make;
  BroadPhase broad_phase;
  for (const int n : {0, 1, 2, 39, 40, 41, 42, 100, 700}) {
    for (int kind = 0; kind < 9; ++kind) {
      std::vector<Bounds> boxes;
      const double room = 0.08 * std::cbrt(n) + 0.05;
      for (int i = 0; i < n; ++i) {
        Vec3 centre = make.Point(0, room), size = make.Point(0.1, 0.18);
        bool is_static = false;
        switch (kind) {
          case 1:  // sizes over four decades
            size *= std::pow(10.0, make.Uniform(-4, 0));
            break;
          case 2:  // negative coordinates, flat layer
            centre = Vec3(centre.x() - 1, centre.y() - 2, 0);
            break;
          case 3:  // exactly touching lattice
            size = Vec3::Constant(0.125);
            centre = 0.125 * Vec3(i % 9, i / 9 % 9, i / 81);
            break;
          case 4:  // points among boxes
            if (i % 3 == 0) size.setZero();
            break;
          case 5:  // floor slabs, static meshes, an infinite half-space
            if (i % 50 == 7) size = Vec3(1e4, 1e4, 0.01);
            if (i % 50 == 9) size = Vec3::Constant(0.5 * room);
            is_static = i % 50 == 7 || i % 4 == 0;
            break;
          case 6:  // far-flung pairs
            if (i % 10 < 2) centre += Vec3(1e9, -1e9, 1e9);
            if (i % 10 == 2) centre *= 1e9;
            break;
          case 7:  // far beyond the resolution of a double, and infinite
            if (i % 10 == 1) centre *= 1e16;
            break;
          case 8:  // spaced by many cells, so that the torus folds
            centre = Vec3(i % 10, i / 10 % 10, i / 100) * (i % 2 ? 3.3 : 1.6);
            break;
          default:
            break;
        }
        boxes.push_back(Boxes::Box(centre, size, is_static));
        if (kind == 7 && i % 60 == 5) {
          boxes.back().min = Vec3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
          boxes.back().max = Vec3(HUGE_VAL, HUGE_VAL, 0.1);
        }
      }
      ExpectAllPairs(boxes, &broad_phase, ("kind " + std::to_string(kind)).c_str());
    }
  }
}

TEST(BroadPhase, OrderedByBodyWhateverTheLayout) {
  Boxes make;
  std::vector<Bounds> boxes;
  for (int i = 0; i < 500; ++i) boxes.push_back(Boxes::Box(make.Point(0, 0.6), make.Point(0, 0.2)));
  BroadPhase broad_phase;
  const std::vector<BodyPair>& pairs = broad_phase.FindPairs(boxes);
  ASSERT_GT(pairs.size(), 500u);
  EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
  for (const BodyPair& pair : pairs) EXPECT_LT(pair.i, pair.j);
  const std::vector<BodyPair> copy = pairs;
  BroadPhase fresh;
  EXPECT_EQ(fresh.FindPairs(boxes), copy);  // no memory of earlier calls
}

TEST(BroadPhase, AllocatesNothingOnceWarm) {
  Boxes make;
  std::vector<Bounds> boxes;
  for (int i = 0; i < 600; ++i) {
    boxes.push_back(Boxes::Box(make.Point(0, 1), make.Point(0.05, 0.12)));
  }
  boxes.push_back(Boxes::Box(Vec3::Zero(), Vec3(5, 5, 0.1), true));
  BroadPhase broad_phase;
  broad_phase.FindPairs(boxes);
  broad_phase.FindPairs(boxes);
  const test::AllocGuard guard;
  for (int step = 0; step < 50; ++step) {
    for (Bounds& box : boxes) {
      const Vec3 move = make.Point(-0.002, 0.002);
      box.min += move;
      box.max += move;
    }
    broad_phase.FindPairs(boxes);
  }
  EXPECT_EQ(guard.count(), 0u);
}

}  // namespace
}  // namespace slip
