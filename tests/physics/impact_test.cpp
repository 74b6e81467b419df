// What an impact leaves of its speed, against the closed forms of each damper.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/contact/equivalent.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/models.h"

namespace slip {
namespace {

constexpr double kSpeed = 1.3, kMass = 0.4, kStiffness = 2e5;

/// Speed after the impact over the speed before, of a ball that begins a centimetre above.
double Rebound(const char* model, const char* path, double value) {
  const auto scene = ReadSceneText(
      "title = \"Ball\"\nduration = 1\ngravity = 0\ntime_step = \"1e-6 s\"\nnear_rigid = 0\n"
      "contact_margin = 0.02\n"
      "[material.ball]\nstiffness = 2e5\ndissipation = 0\nrelaxation_time = 0\ndamping = 0\n"
      "friction = 0\n[surface.floor]\n[body.ball]\nshape = \"sphere\"\nradius = 0.05\nmass = 0.4\n"
      "position = [0, 0, 0.06]\nvelocity = [0, 0, -1.3]\n",
      "ball.toml");
  EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.error().Text());
  if (!scene.ok()) return std::nan("");
  Config config = (*scene)->channels[0].config;
  config.step.method = static_cast<int>(*FindMethod(model));
  EXPECT_TRUE(SetParam(&config, std::string("material.ball.") + path, value).ok());
  Simulation sim((*scene)->ModelFor(config), config);
  bool touched = false;
  for (int i = 0; i < 40000; ++i) {
    EXPECT_TRUE(Advanced(sim.Step()));
    const double force = test::Value(sim, Signal::kNormalForce);
    touched = touched || force > 0;
    if (touched && !(force > 0)) break;
  }
  EXPECT_TRUE(touched);
  return test::Value(sim, Signal::kVelocityZ) / kSpeed;
}

TEST(Impact, TheLinearDamperActsFromAGapOn) {
  const double critical = 2 * std::sqrt(kMass / kStiffness);
  for (const double zeta : {0.1, 0.4, 0.756}) {
    const double tau = zeta * critical;
    const double e = CalcKelvinVoigtRestitution(tau, kStiffness, kMass);
    EXPECT_NEAR(Rebound("sap", "relaxation_time", tau), e, 2e-3) << zeta;
  }
  EXPECT_NEAR(CalcKelvinVoigtRestitution(0.756 * critical, kStiffness, kMass), 0.0266, 1e-4);
}

TEST(Impact, TheDamperOfAnchorsActsFromTheTouchOn) {
  for (const double zeta : {0.1, 0.5, 1.2}) {
    const double tau = 2 * zeta * std::sqrt(kMass / kStiffness);
    const double e = CalcTouchDampingRestitution(tau, kStiffness, kMass);
    EXPECT_NEAR(Rebound("explicit-euler", "damping", tau * kStiffness), e, 5e-3) << zeta;
  }
}

TEST(Impact, HuntCrossleyLeavesWhatItsLawSays) {
  for (const double d : {0.1, 1.0}) {
    EXPECT_NEAR(Rebound("lagged", "dissipation", d), CalcHuntCrossleyRestitution(d, kSpeed), 2e-3)
        << d;
  }
}

}  // namespace
}  // namespace slip
