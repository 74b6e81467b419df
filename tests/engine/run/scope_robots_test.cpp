// Robots in lockstep: their signals, their controllers, their memory.
#include <gtest/gtest.h>

#include "engine/run/scope/scope.h"
#include "engine/scene/scene.h"
#include "tests/support/alloc_guard.h"

namespace slip::test {
namespace {

TEST(ScopeOfRobots, AControllerThatFitsNoRobotIsRefused) {
  std::vector<Event> events;
  Scope scope({{}, [&](const Event& event) { events.push_back(event); }});
  scope.Apply(LoadScene{FindScene("quadruped-stand").value()});
  for (int i = 0; i < 20; ++i) scope.Advance();
  const Config before = scope.channel(0).config();
  const uint64_t hash = Hash(scope.channel(0).state());
  scope.Apply(
      SetParamCommand{-1, "robot.solo.controller", static_cast<double>(ControllerId::kWalk)});
  const auto* refused = std::get_if<Refused>(&events.back().item);
  ASSERT_NE(refused, nullptr);
  EXPECT_NE(refused->why.find("'walk'"), std::string::npos) << refused->why;
  EXPECT_EQ(scope.channel(0).config(), before);
  EXPECT_EQ(Hash(scope.channel(0).state()), hash);
  scope.Apply(
      SetParamCommand{-1, "robot.solo.controller", static_cast<double>(ControllerId::kSquat)});
  EXPECT_TRUE(std::holds_alternative<ParamChanged>(events.back().item));
}

TEST(ScopeOfRobots, AllocatesNothingAfterWarmUp) {
  std::size_t samples = 0;
  const Scope::Sinks sinks{[&](const Telemetry& item) {
                             if (const auto* sample = std::get_if<Sample>(&item.item))
                               samples += sample->part_values.size();
                           },
                           {}};
  Scope scope(sinks);
  scope.Apply(LoadScene{*FindScene("quadruped-stand")});
  for (int i = 0; i < 100; ++i) scope.Advance();
  samples = 0;
  const AllocGuard guard;
  for (int i = 0; i < 100; ++i) scope.Advance();
  EXPECT_EQ(guard.count(), 0u);
  EXPECT_EQ(samples, 3u * 100 * 64) << "three channels, twelve joints and four feet";
}

// A plot that is opened later shows the past, also that of another branch.
TEST(ScopeOfRobots, ThePastOfABranchHasSignalsOfRobots) {
  std::vector<Sample> samples;
  const Scope::Sinks sinks{[&](const Telemetry& item) {
                             if (const auto* sample = std::get_if<Sample>(&item.item))
                               samples.push_back(*sample);
                           },
                           {}};
  Scope scope(sinks);
  scope.Apply(LoadScene{*FindScene("quadruped-stand")});
  for (int i = 0; i < 20; ++i) scope.Advance();
  const std::vector<Sample> first = samples;
  scope.Apply(Reset{});
  samples.clear();
  scope.Apply(GoToBranch{0});
  ASSERT_EQ(samples.size(), first.size());
  for (std::size_t i = 3; i < first.size(); ++i) {
    const Sample &a = first[i], &b = samples[i];
    EXPECT_EQ(a.step, b.step);
    ASSERT_EQ(b.part_values.size(), 64u);
    // force of the first foot, behind twelve joints
    EXPECT_EQ(a.part_values[48], b.part_values[48]);
  }
}

}  // namespace
}  // namespace slip::test
