// A random run's line, stepped under the eyes of its judge.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/random/judge.h"

namespace slip::test {

/// Steps a scene; `disturb` may change the state before each step.
template <class Disturb>
RunVerdict WatchRun(const std::string& line, Disturb&& disturb) {
  RunVerdict verdict;
  const auto spec = ParseCommandLine(line);
  EXPECT_TRUE(spec.ok()) << line;
  if (!spec.ok()) return verdict;
  const auto scene = FindScene(spec->scene);
  EXPECT_TRUE(scene.ok());
  const auto plan = MakeRunPlan(*scene, spec->model, spec->assignments, {});
  EXPECT_TRUE(plan.ok()) << line;
  if (!plan.ok()) return verdict;
  Simulation sim((*scene)->ModelFor(plan->configs[0]), plan->configs[0]);
  Judge judge(sim, &verdict);
  for (int64_t i = 0; i < spec->steps; ++i) {
    disturb(&sim);
    const StepStatus status = sim.Step();
    if (!Advanced(status)) {
      judge.Fail(sim, status);
      break;
    }
    judge.Step(sim, status);
  }
  return verdict;
}

}  // namespace slip::test
