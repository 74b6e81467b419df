// Changes of methods and parameters in mid-run, drawn at random: no state that is not finite, no
// jump of a force that a body would feel.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/dynamics/rigid_dynamics.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/models.h"

namespace slip {
namespace {

class LiveChange : public testing::TestWithParam<const char*> {};

TEST_P(LiveChange, ManyLeaveNoStateThatIsNotFiniteLong) {
  const auto scene = FindScene(GetParam());
  ASSERT_TRUE(scene.ok());
  Config config = (*scene)->config;
  Simulation sim((*scene)->ModelFor(config), config);
  // a hundred thousand in all; a step of a robot takes longest
  const int kChanges = (*scene)->robots.empty() ? 25000 : 8500;
  int refused = 0;
  std::mt19937 random(7);
  const auto number = [&random] { return static_cast<double>(random()) / 4294967296.0; };
  const auto log_number = [&](double low, double high) {
    return low * std::pow(high / low, number());
  };
  for (int i = 0; i < kChanges; ++i) {
    switch (random() % 6) {
      case 0:
      case 1:
        config.step.method = static_cast<int>(random() % Methods().size());
        break;
      case 2:
        config.step.time_step = log_number(1e-5, 2e-2);
        break;
      case 3:
        for (Material& m : config.materials) m.stiffness = log_number(1e3, 1e8);
        break;
      case 4:
        for (Material& m : config.materials) m.damping = log_number(1, 1e4);
        break;
      default:
        config.step.error_control = random() % 4 == 0;
        config.step.accuracy = log_number(1e-5, 1e-1);
        config.step.max_inner = 50;
        for (Material& m : config.materials) m.friction = number();
    }
    sim.SetConfig(config);
    ASSERT_EQ(FirstNotFinite(sim.model(), sim.state()), -1) << i;
    const uint64_t before = Hash(sim.state());
    if (Advanced(sim.Step())) {
      ASSERT_EQ(FirstNotFinite(sim.model(), sim.state()), -1)
          << i << ' ' << Info(config.method()).id;
      for (const ContactFrame& c : sim.contacts()) ASSERT_TRUE(std::isfinite(c.fn + c.ft)) << i;
      continue;
    }
    // refused: nothing has changed, and a sentence says why
    ++refused;
    ASSERT_EQ(Hash(sim.state()), before) << i;
    ASSERT_FALSE(sim.failure().empty());
    if (refused % 3 == 0) sim.Reset();
  }
  EXPECT_LT(refused, kChanges / 2);
}

INSTANTIATE_TEST_SUITE_P(Scenes, LiveChange,
                         testing::Values("bouncing-mass", "sliding-mass", "conveyor",
                                         "quadruped-stand", "quadruped-trot", "biped-shift"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace slip
