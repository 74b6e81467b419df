// Runs of scenes whose bodies turn, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <string>

#include "engine/convex/convex_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/models.h"

namespace slip::test {

inline constexpr double kDegree = std::numbers::pi / 180;

inline Scene Read(const std::string& text) {
  const auto scene = ReadSceneText(text, "turning.toml");
  EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.error().Text());
  return scene.ok() ? **scene : Scene{};
}

inline Config With(Config config, MethodId method, double h, Turning turning = Turning::kMiddle) {
  config.step.method = static_cast<int>(method);
  config.step.time_step = h;
  config.step.part<ConvexParams>().turning = static_cast<int>(turning);
  return config;
}

inline double Mechanical(const Simulation& sim) { return sim.state().energy.mechanical; }

/// What a run did.
struct Outcome {
  double drift = 0;    ///< of the energy, from the first step to the end [J/s]
  double highest = 0;  ///< [m] above the start
  double created = 0;  ///< by the time stepping [J]
};
inline Outcome Follow(Simulation* sim, double duration) {
  Outcome out;
  EXPECT_EQ(sim->Step(), StepStatus::kConverged) << sim->failure();
  const double first = Mechanical(*sim), begin = sim->time();
  while (sim->time() < duration - 1e-9 && sim->Step() == StepStatus::kConverged)
    out.highest = std::max(out.highest, Value(*sim, Signal::kRise));
  EXPECT_NEAR(sim->time(), duration, 1e-6) << sim->failure();
  out.drift = (Mechanical(*sim) - first) / (sim->time() - begin);
  out.created = -sim->state().energy.numerical;
  return out;
}

}  // namespace slip::test
