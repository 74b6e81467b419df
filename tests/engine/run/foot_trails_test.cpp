// Trails of feet: what the history says, up to the step that is shown.
#include "engine/run/channels/foot_trails.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/run/scope/scope.h"
#include "engine/scene/scene.h"

namespace slip {
namespace {

class TrailTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto scene = FindScene("quadruped-trot");
    ASSERT_TRUE(scene.ok());
    scope_.Apply(LoadScene{*scene});
  }
  // A point foot: where its only contact point is now.
  Vec3 FootNow(int channel, std::size_t foot) const {
    const Simulation& sim = scope_.channel(channel);
    const Robot::Foot& of = sim.model().robots[0].feet[foot];
    const auto body = static_cast<std::size_t>(of.body);
    return sim.state().X_WB[body] *
           sim.model().bodies[body].points_B[static_cast<std::size_t>(of.first_point)];
  }
  const std::vector<FootTrail>& Trails(int channel) {
    scope_.Fill(&snapshot_);
    return snapshot_.channels[static_cast<std::size_t>(channel)].trails;
  }
  Scope scope_;
  Snapshot snapshot_;
};

TEST_F(TrailTest, FollowTheHistory) {
  EXPECT_TRUE(Trails(0).empty()) << "nobody asked";
  scope_.Apply(TrailFeet{true});
  std::vector<std::vector<Vec3>> was(4);
  for (int i = 0; i < 1400; ++i) {
    ASSERT_TRUE(scope_.Advance());
    for (std::size_t f = 0; f < 4; ++f) was[f].push_back(FootNow(1, f));
  }
  const auto& trails = Trails(1);
  ASSERT_EQ(trails.size(), 4u);
  for (std::size_t f = 0; f < 4; ++f) {
    const auto& p = trails[f].p_W;
    EXPECT_EQ(trails[f].foot, static_cast<int>(f));
    // every hundredth of the last second, and now
    EXPECT_NEAR(static_cast<double>(p.size()), 101, 1);
    EXPECT_EQ(p.back(), was[f].back());
    // each is a place where it was, in order
    auto from = was[f].begin() + 398;
    for (const Vec3& point : p) {
      from = std::find(from, was[f].end(), point);
      ASSERT_NE(from, was[f].end());
    }
    const auto lowest = [](const Vec3& a, const Vec3& b) { return a.z() < b.z(); };
    EXPECT_GT(std::max_element(p.begin(), p.end(), lowest)->z(), 0.01) << "it swings";
  }
}

TEST_F(TrailTest, EndWhereTheTimeLineStands) {
  scope_.Apply(TrailFeet{true});
  for (int i = 0; i < 800; ++i) ASSERT_TRUE(scope_.Advance());
  scope_.Apply(Seek{0.4});
  const auto& trails = Trails(0);
  ASSERT_EQ(trails.size(), 4u);
  EXPECT_EQ(trails[2].p_W.back(), FootNow(0, 2));
  EXPECT_NEAR(static_cast<double>(trails[2].p_W.size()), 41, 1);
  scope_.Apply(Reset{});
  EXPECT_EQ(Trails(0)[2].p_W.size(), 1u);
  scope_.Apply(TrailFeet{false});
  EXPECT_TRUE(Trails(0).empty());
}

TEST_F(TrailTest, OtherScenesHaveNone) {
  scope_.Apply(TrailFeet{true});
  scope_.Apply(LoadScene{*FindScene("conveyor")});
  ASSERT_TRUE(scope_.Advance());
  EXPECT_TRUE(Trails(0).empty());
}

}  // namespace
}  // namespace slip
