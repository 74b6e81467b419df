// Free rotation of a body whose middle axis is unstable: it turns over again and again, at times
// that Euler's equations give (energy notes, section 3).
#include <gtest/gtest.h>

#include "engine/dynamics/kinematics.h"
#include "engine/integrators/integrator_params.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "tests/support/models.h"

namespace slip {
namespace {

const Vec3 kMoments(1e-3, 2e-3, 3e-3);

struct Tumble {
  double momentum = 0, energy = 0;  // largest drift, relative
  std::vector<double> turns;        // when the spin about the middle axis changes its sign [s]
};

Tumble TumbleFor(double time, std::string_view method, double h, int bias) {
  Body body;
  body.name = "handle";
  body.mass = 1;
  body.inertia_B = kMoments;
  body.SetJoint(JointKind::kFree);
  body.V_WB << 0.02, 6, 0.01, 0, 0, 0;
  Model model;
  model.bodies = {body};
  Config config;
  config.step.method = static_cast<int>(*FindMethod(method));
  config.step.time_step = h;
  config.step.gravity = 0;
  config.step.part<BiasParams>().bias = bias;
  config.step.solver_tolerance = 1e-10;
  config.materials.emplace_back();
  Simulation sim(test::Finish(model), config);
  const auto in_body = [&sim] {
    return Vec3(sim.state().X_WB[0].q.conjugate() * Vec3(sim.state().v.head<3>()));
  };
  const auto momentum = [&] {
    return Vec3(sim.state().X_WB[0].q * Vec3(kMoments.cwiseProduct(in_body())));
  };
  const auto energy = [&] { return 0.5 * kMoments.dot(in_body().cwiseAbs2()); };
  const Vec3 L = momentum();
  const double T = energy();
  Tumble out;
  double before = in_body().y();
  while (sim.time() + 0.5 * h < time) {
    EXPECT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    out.momentum = std::max(out.momentum, (momentum() - L).norm() / L.norm());
    out.energy = std::max(out.energy, std::abs(energy() / T - 1));
    const double now = in_body().y();
    if (now * before < 0) out.turns.push_back(sim.time() - h * now / (now - before));
    before = now;
  }
  return out;
}

// The notes measure with the exponential method; without contact the three are the same.
TEST(FreeRotation, TheMiddleOfTheStepIsOfSecondOrder) {
  for (const char* method : {"exponential", "explicit-euler", "implicit-euler"}) {
    SCOPED_TRACE(method);
    const Tumble fine = TumbleFor(8, method, 1e-3, 0);
    EXPECT_NEAR(fine.momentum, 5.3e-6, 0.6e-6);
    EXPECT_NEAR(fine.energy, 7.5e-6, 0.8e-6);
    ASSERT_EQ(fine.turns.size(), 2u);
    EXPECT_NEAR(fine.turns[0], 2.626, 1e-3);
    EXPECT_NEAR(fine.turns[1], 7.120, 1e-3);
    const Tumble coarse = TumbleFor(8, method, 1e-2, 0);
    EXPECT_NEAR(coarse.momentum, 5.5e-4, 0.6e-4);
    EXPECT_NEAR(coarse.energy, 7.7e-4, 0.8e-4);
    ASSERT_EQ(coarse.turns.size(), 2u);
    // the notes have the last step before
    EXPECT_NEAR(coarse.turns[0], 2.62, 1e-2);
    EXPECT_NEAR(coarse.turns[1], 7.12, 1e-2);
  }
}

TEST(FreeRotation, TheStartOfTheStepIsOfFirstOrder) {
  const Tumble first = TumbleFor(8, "exponential", 1e-3, 1);
  EXPECT_NEAR(first.momentum, 1.4e-2, 0.1e-2);
  ASSERT_EQ(first.turns.size(), 4u);
  const double wanted[] = {2.63, 4.47, 6.11, 7.64};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(first.turns[i], wanted[i], 0.006);
}

}  // namespace
}  // namespace slip
