// The contact forces that exponential integration foretells, against those of its own small steps
// (exponential-integration notes, section 6.4).
#include <gtest/gtest.h>

#include <cmath>

#include "engine/method/force_prediction.h"
#include "engine/sim/outlook.h"
#include "tests/support/models.h"
#include "tests/support/robots.h"

namespace slip {
namespace {

constexpr double kSpan = 20e-3, kSmall = 1e-3 / 64;
constexpr int kSteps = 1280;  // small ones in the span

// Where each small step has its middle: the mean force of a step is the force there.
std::size_t MiddleOf(int step) { return static_cast<std::size_t>(2 * step + 1); }

Simulation MakeSim(const char* method, ControllerId id, double h) {
  return Simulation(test::Finish(test::MakeSolo(test::SoloStart(false))),
                    test::RobotConfig(method, "solo", id, h));
}

// In stance at a tick of the controller, whose torques then hold for 40 ms.
Simulation AtTick(ControllerId id) {
  Simulation sim = MakeSim("exponential", id, 1e-3);
  while (sim.time() < 0.2 - 1e-9) EXPECT_TRUE(Advanced(sim.Step())) << sim.failure();
  return sim;
}

// At every moment, relative to the force of that moment. The worst is 1.9 %, of the squat that
// falls at 0.3 m/s, 20 ms ahead: the legs bend while the prediction's Jacobians stand still. The
// shock at its start, 363 N, is met to 0.1 %.
TEST(ExponentialForces, AreThoseOfSmallSteps) {
  for (const ControllerId id : {ControllerId::kSquat, ControllerId::kStand}) {
    for (const double fall : {0.0, -0.1, -0.3}) {
      SCOPED_TRACE(testing::Message() << "controller " << static_cast<int>(id) << " at " << fall);
      Simulation sim = AtTick(id);
      Config config = sim.config();
      config.step.time_step = kSmall;
      sim.SetConfig(config);
      State start = sim.state();
      start.v[5] += fall;
      sim.SetState(start);
      ForcePrediction foretold;
      ASSERT_TRUE(Outlook(&sim).PredictForces(kSpan, 2 * kSteps, &foretold));
      ASSERT_EQ(foretold.contacts.size(), 4u);
      ASSERT_EQ(foretold.feet.size(), 4u);
      EXPECT_EQ(foretold.begin, sim.time());
      EXPECT_NEAR(foretold.TimeAt(2 * kSteps), sim.time() + kSpan, 1e-12);
      double worst = 0, worst_of_foot = 0;
      for (int k = 0; k < kSteps; ++k) {
        ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
        ASSERT_EQ(sim.contacts().size(), 4u);
        const std::size_t at = MiddleOf(k);
        double sum = 0;
        for (std::size_t i = 0; i < 4; ++i) {
          const double fn = sim.contacts()[i].fn;
          ASSERT_EQ(foretold.contacts[i].key, sim.contacts()[i].key);
          EXPECT_NEAR(foretold.feet[i].normal[at], foretold.contacts[i].Normal(at), 1e-9);
          worst_of_foot = std::max(worst_of_foot, std::fabs(foretold.feet[i].normal[at] - fn) / fn);
          sum += fn;
        }
        worst = std::max(worst, std::fabs(foretold.normal[at] - sum) / sum);
      }
      EXPECT_LT(worst, 0.05);
      EXPECT_LT(worst_of_foot, 0.05);
      RecordProperty("worst_" + std::to_string(static_cast<int>(id)) + std::to_string(fall),
                     std::to_string(worst) + " " + std::to_string(worst_of_foot));
    }
  }
}

// Within the step that comes, where no force leaves its cone, nothing is approximate.
TEST(ExponentialForces, HaveTheMeanOfTheStep) {
  Simulation sim = AtTick(ControllerId::kSquat);
  constexpr int kParts = 4000;
  ForcePrediction foretold;
  ASSERT_TRUE(Outlook(&sim).PredictForces(sim.config().step.time_step, kParts, &foretold));
  ASSERT_TRUE(Advanced(sim.Step()));
  for (std::size_t i = 0; i < foretold.contacts.size(); ++i) {
    const ForcePrediction::Contact& contact = foretold.contacts[i];
    Vec3 mean = (contact.f_W.front() + contact.f_W.back()) / (2 * kParts);
    for (std::size_t k = 1; k < kParts; ++k) mean += contact.f_W[k] / kParts;
    const ContactFrame& came = sim.contacts()[i];
    EXPECT_LT((mean - came.fn * came.n_W - came.ft_W).norm(), 1e-5 * came.fn);
  }
}

TEST(ExponentialForces, LeaveNoTrace) {
  Simulation sim = AtTick(ControllerId::kSquat), other = AtTick(ControllerId::kSquat);
  ForcePrediction foretold;
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(Outlook(&sim).PredictForces(kSpan, 10, &foretold));
    EXPECT_EQ(foretold.step, sim.step());
    ASSERT_TRUE(Advanced(sim.Step()));
    ASSERT_TRUE(Advanced(other.Step()));
    ASSERT_EQ(sim.state().q, other.state().q);
    ASSERT_EQ(sim.state().v, other.state().v);
    ASSERT_EQ(sim.signals()[static_cast<std::size_t>(Signal::kNormalForce)],
              other.signals()[static_cast<std::size_t>(Signal::kNormalForce)]);
  }
}

TEST(ExponentialForces, AreForetoldByThisMethodAlone) {
  ForcePrediction foretold;
  for (const char* method : {"explicit-euler", "sap"}) {
    Simulation sim = MakeSim(method, ControllerId::kStand, 1e-4);
    EXPECT_FALSE(Outlook(&sim).PredictForces(kSpan, 10, &foretold)) << method;
  }
  Simulation sim = MakeSim("exponential", ControllerId::kStand, 1e-3);
  Config config = sim.config();
  config.step.error_control = 1;
  sim.SetConfig(config);
  EXPECT_TRUE(Outlook(&sim).PredictForces(kSpan, 10, &foretold));
  // in the air
  State high = sim.state();
  for (Pose& X : high.X_WB) X.p.z() += 1;
  sim.SetState(high);
  EXPECT_FALSE(Outlook(&sim).PredictForces(kSpan, 10, &foretold));
}

}  // namespace
}  // namespace slip
