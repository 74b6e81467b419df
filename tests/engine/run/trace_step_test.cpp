// A step of the history solved again: the same solve, wherever one looks, and no trace of looking.
#include <gtest/gtest.h>

#include "engine/run/scope/scope.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

std::shared_ptr<const Scene> TwoModels() {
  auto scene = std::make_shared<Scene>();
  scene->id = scene->title = "conveyor";
  scene->model = BoxOnBelt(JointKind::kXZ, -9.81e-7);
  for (MethodId id : {method_id::kSap, method_id::kSimilar}) {
    Config config = BeltConfig(id, 1e-2);
    config.surfaces[0].belt_amplitude = 0.2;
    config.surfaces[0].belt_frequency = 1;
    scene->channels.push_back({config});
    scene->config = config;
  }
  return scene;
}

const SolveTrace* Ask(Scope* scope, int channel, Snapshot* snapshot) {
  scope->Apply(TraceSolve{channel});
  scope->Fill(snapshot);
  return snapshot->trace.get();
}

void ExpectOfThePresentStep(Scope* scope, int channel) {
  Snapshot snapshot;
  const SolveTrace* trace = Ask(scope, channel, &snapshot);
  ASSERT_NE(trace, nullptr);
  const ChannelFrame& frame = snapshot.channels[static_cast<std::size_t>(channel)];
  EXPECT_TRUE(trace->repeated) << "step " << frame.step;
  EXPECT_EQ(trace->channel, channel);
  EXPECT_EQ(trace->step, frame.step);
  EXPECT_EQ(trace->session, snapshot.session);
  ASSERT_FALSE(trace->lines.empty());
  for (const SearchLine& line : trace->lines) {
    const auto& entry = frame.solve.history[static_cast<std::size_t>(line.iteration)];
    EXPECT_EQ(line.cost, entry.cost);
    EXPECT_EQ(line.alpha, entry.alpha);
  }
}

TEST(TraceStep, IsTheSameSolveNowAndInThePast) {
  Scope scope;
  scope.Apply(LoadScene{TwoModels()});
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(scope.Advance());
  ExpectOfThePresentStep(&scope, 0);
  ExpectOfThePresentStep(&scope, 1);
  scope.Apply(Seek{0.17});
  ExpectOfThePresentStep(&scope, 1);
  // looking does not go on from the past
  EXPECT_FALSE(scope.live());
}

TEST(TraceStep, KnobsTurnedJustBeforeAreThoseOfTheStep) {
  Scope scope;
  scope.Apply(LoadScene{TwoModels()});
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(scope.Advance());
  scope.Apply(SetParamCommand{-1, "time_step", 4e-3});
  scope.Apply(SetParamCommand{-1, "material.steel.friction", 0.3});
  ASSERT_TRUE(scope.Advance());
  ExpectOfThePresentStep(&scope, 0);
  ExpectOfThePresentStep(&scope, 1);
}

TEST(TraceStep, SaysWhenTheStartIsNotKnown) {
  Scope scope;
  scope.Apply(LoadScene{TwoModels()});
  Snapshot snapshot;
  const SolveTrace* first = Ask(&scope, 0, &snapshot);
  ASSERT_NE(first, nullptr);
  EXPECT_FALSE(first->repeated);
  EXPECT_TRUE(first->lines.empty());
  // no such channel
  const SolveTrace* none = Ask(&scope, 7, &snapshot);
  ASSERT_NE(none, nullptr);
  EXPECT_FALSE(none->repeated);
}

TEST(TraceStep, GoesWhenItsStepDoes) {
  Scope scope;
  scope.Apply(LoadScene{TwoModels()});
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(scope.Advance());
  Snapshot snapshot;
  ASSERT_NE(Ask(&scope, 0, &snapshot), nullptr);
  // another step 20 will come: the old one's lines must not be shown for it
  scope.Apply(Seek{0.1});
  scope.Apply(SetParamCommand{-1, "material.steel.friction", 0.3});
  scope.Fill(&snapshot);
  EXPECT_EQ(snapshot.trace, nullptr);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(scope.Advance());
  EXPECT_EQ(scope.channel(0).step(), 20);
  ExpectOfThePresentStep(&scope, 0);
}

TEST(TraceStep, LeavesTheRunAsItWas) {
  Scope watched, plain;
  for (Scope* scope : {&watched, &plain}) scope->Apply(LoadScene{TwoModels()});
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(watched.Advance());
    ASSERT_TRUE(plain.Advance());
    watched.Apply(TraceSolve{i % 2});
  }
  for (int c = 0; c < 2; ++c) {
    EXPECT_EQ(watched.channel(c).state().v, plain.channel(c).state().v);
    EXPECT_EQ(watched.channel(c).solve().cost, plain.channel(c).solve().cost);
  }
}

}  // namespace
}  // namespace slip::test
