// The reference beside a session: right, punctual, and out of the way.
#include "engine/run/scope/reference.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

constexpr double kStep = 1e-2;

ReferencePlan Plan(double end) {
  ReferencePlan plan;
  plan.model = BoxOnBelt(JointKind::kXZ, -9.81e-7);
  plan.config = BeltConfig(method_id::kSap, kStep);
  plan.config.surfaces[0].belt_amplitude = 0.2;
  plan.config.surfaces[0].belt_frequency = 1;
  plan.end = end;
  return plan;
}

std::vector<Sample> Wait(ReferenceRun* run) {
  std::vector<Sample> samples;
  Sample sample;
  while (!run->done()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    while (run->NextSample(&sample)) samples.push_back(sample);
  }
  while (run->NextSample(&sample)) samples.push_back(sample);
  return samples;
}

double ValueOf(const Sample& sample, Signal signal) {
  return sample.values[static_cast<std::size_t>(signal)];
}

TEST(Reference, IsLaggedWithAHundredthOfTheStep) {
  ReferenceRun run(Plan(0.3));
  const std::vector<Sample> samples = Wait(&run);
  EXPECT_EQ(run.failure(), "");
  EXPECT_EQ(run.progress(), 1);
  ASSERT_EQ(samples.size(), 31u);

  ReferencePlan plan = Plan(0.3);
  plan.config.step.method = static_cast<int>(method_id::kLagged);
  plan.config.step.time_step = kStep / 100;
  Simulation by_hand(plan.model, plan.config);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_NEAR(samples[i].time, static_cast<double>(i) * kStep, 1e-12);
    EXPECT_EQ(ValueOf(samples[i], Signal::kPositionX), Value(by_hand, Signal::kPositionX));
    EXPECT_EQ(ValueOf(samples[i], Signal::kVelocityX), Value(by_hand, Signal::kVelocityX));
    // not measured, so not shown
    EXPECT_TRUE(std::isnan(ValueOf(samples[i], Signal::kConditionNumber)));
    for (int k = 0; k < 100; ++k) ASSERT_EQ(by_hand.Step(), StepStatus::kConverged);
  }
}

TEST(Reference, MakesTheChangesAtTheirTimes) {
  ReferencePlan plan = Plan(0.4);
  // what belongs to the compared model alone is left out; a time step stays a hundredth
  plan.changes = {{0.1, "method", static_cast<double>(method_id::kSimilar)},
                  {0.2, "time_step", 4e-3},
                  {0.3, "material.steel.friction", 0.1}};
  ReferenceRun changed(plan);
  const std::vector<Sample> samples = Wait(&changed);
  ReferenceRun plain(Plan(0.4));
  const std::vector<Sample> unchanged = Wait(&plain);
  ASSERT_EQ(samples.size(), 21u + 50u);
  EXPECT_NEAR(samples[20].time, 0.2, 1e-12);
  EXPECT_NEAR(samples[21].time, 0.204, 1e-12);
  EXPECT_EQ(ValueOf(samples[20], Signal::kPositionX), ValueOf(unchanged[20], Signal::kPositionX));
  EXPECT_NE(ValueOf(samples.back(), Signal::kPositionX),
            ValueOf(unchanged.back(), Signal::kPositionX));
  EXPECT_NEAR(ValueOf(samples.back(), Signal::kTimeStep), 4e-5, 1e-15);
}

TEST(Reference, ARefusedChangeEndsItWithASentence) {
  ReferencePlan plan = Plan(0.4);
  plan.changes = {{0.1, "no.such.knob", 1}};
  ReferenceRun run(plan);
  const std::vector<Sample> samples = Wait(&run);
  EXPECT_NE(run.failure().find("no.such.knob"), std::string::npos) << run.failure();
  EXPECT_EQ(samples.size(), 11u);
}

TEST(Reference, IsCancelledInTheMiddle) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  {
    ReferenceRun run(Plan(1e6));
    Sample sample;
    while (!run.NextSample(&sample)) std::this_thread::yield();
    EXPECT_LT(run.progress(), 0.5);
    run.Cancel();
    while (!run.done()) std::this_thread::yield();
  }
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - begin).count(), 20.0);
}

}  // namespace
}  // namespace slip::test
