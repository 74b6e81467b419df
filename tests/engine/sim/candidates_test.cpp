// What a quasi-dynamic step tells of itself: chosen points, friction budget, tilt and rise; and
// that the past tells the same.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "engine/contact/knobs.h"
#include "engine/scene/scene.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "engine/sim/timeline.h"
#include "tests/support/alloc_guard.h"

namespace slip::test {
namespace {

double SignalOf(const Simulation& sim, Signal id) {
  return sim.signals()[static_cast<std::size_t>(id)];
}

class Candidates : public testing::Test {
 protected:
  void SetUp() override {
    const auto scene = FindScene("bunny-grasp");
    ASSERT_TRUE(scene.ok()) << scene.error().Text();
    scene_ = *scene;
    ASSERT_FALSE(scene_->channels.empty());
  }
  Simulation Start(std::size_t channel = 0) const {
    return Simulation(scene_->model, scene_->channels[channel].config);
  }
  static void Run(Simulation* sim, double until) {
    while (sim->time() < until - 1e-9) ASSERT_TRUE(Advanced(sim->Step())) << sim->failure();
  }

  std::shared_ptr<const Scene> scene_;
};

TEST_F(Candidates, FiveOfEveryObstacleAndTheLoadedOnesCarryWhatContactsDo) {
  Simulation sim = Start();
  EXPECT_TRUE(sim.now().candidates.empty());
  Run(&sim, 0.5);
  std::map<std::pair<int, int>, int> chosen;
  double normal = 0;
  for (const CandidatePoint& c : sim.now().candidates) {
    ++chosen[{c.surface, c.body_a}];
    EXPECT_EQ(c.body, sim.model().lead_body);
    EXPECT_LT(c.point, 992);
    EXPECT_GE(c.fn, 0);
    normal += c.fn;
  }
  EXPECT_GE(chosen.size(), 3u);  // the floor and two pads, at least
  for (const auto& [obstacle, count] : chosen) EXPECT_EQ(count, 5);
  EXPECT_NEAR(normal, SignalOf(sim, Signal::kNormalForce), 1e-9 * normal);
  EXPECT_GT(normal, 40);  // two pads of 20 N
}

TEST_F(Candidates, OtherMethodsChooseNone) {
  Simulation sim = Start();
  Run(&sim, 0.05);
  ASSERT_FALSE(sim.now().candidates.empty());
  Config config = sim.config();
  config.step.method = static_cast<int>(MethodNamed("sap"));
  config.step.time_step = 1e-3;
  sim.SetConfig(config);
  ASSERT_TRUE(Advanced(sim.Step()));
  EXPECT_TRUE(sim.now().candidates.empty());
}

TEST_F(Candidates, TheLiftIsWithinTheSharedBudget) {
  Simulation sim = Start();
  EXPECT_EQ(SignalOf(sim, Signal::kTiltAngle), 0);
  EXPECT_EQ(SignalOf(sim, Signal::kRise), 0);
  EXPECT_TRUE(std::isnan(SignalOf(sim, Signal::kFrictionBudget)));
  Run(&sim, 1.5);
  EXPECT_GT(SignalOf(sim, Signal::kRise), 0.03);
  EXPECT_NEAR(SignalOf(sim, Signal::kTiltAngle), 0.00296, 3e-4);
  // by hand, from the contacts
  double largest = 0, torque = 0;
  for (const ContactFrame& c : sim.contacts()) {
    if (c.fn < 1) continue;  // what the solver leaves on points that do not touch
    EXPECT_NEAR(c.ft_C.norm(), c.ft, 1e-12);
    const double twist = c.torsional_friction > 0 ? std::abs(c.torque) / c.torsional_friction : 0;
    largest = std::max(largest, (c.ft_C.lpNorm<1>() / c.friction + twist) / c.fn);
    torque = std::max(torque, std::abs(c.torque));
  }
  const double used = SignalOf(sim, Signal::kFrictionBudget);
  EXPECT_NEAR(used, largest, 1e-12);
  EXPECT_GT(used, 0.1);
  EXPECT_LE(used, 1 + 1e-6);
  // the weight hangs 25 mm behind the contact line, drag included
  EXPECT_NEAR(SignalOf(sim, Signal::kContactTorque), torque, 1e-15);
  EXPECT_NEAR(torque, 0.5 * 0.4 * (9.81 + 0.05 / 0.01) * 0.025, 2e-3);
}

TEST_F(Candidates, WithoutTorsionItSwings) {
  Simulation sim = Start(1);
  Run(&sim, 1.5);
  EXPECT_GT(SignalOf(sim, Signal::kTiltAngle), 0.8);
  EXPECT_TRUE(std::isnan(SignalOf(sim, Signal::kContactTorque)));
}

TEST_F(Candidates, ThePastIsTheSame) {
  Simulation sim = Start();
  Timeline timeline(16 << 20);
  Run(&sim, 0.8);
  timeline.Append(sim.now(), sim.time(), false);
  StepRecord past;
  timeline.Load(0, &past);
  const StepRecord& now = sim.now();
  ASSERT_EQ(past.candidates.size(), now.candidates.size());
  for (std::size_t i = 0; i < now.candidates.size(); ++i) {
    EXPECT_EQ(past.candidates[i].point, now.candidates[i].point);
    EXPECT_EQ(past.candidates[i].body_a, now.candidates[i].body_a);
    EXPECT_EQ(past.candidates[i].phi, now.candidates[i].phi);
    EXPECT_EQ(past.candidates[i].fn, now.candidates[i].fn);
  }
  ASSERT_EQ(past.contacts.size(), now.contacts.size());
  for (std::size_t i = 0; i < now.contacts.size(); ++i) {
    EXPECT_EQ(past.contacts[i].torque, now.contacts[i].torque);
    EXPECT_EQ(past.contacts[i].torsional_friction, now.contacts[i].torsional_friction);
    EXPECT_EQ(past.contacts[i].ft_C, now.contacts[i].ft_C);
  }
  EXPECT_EQ(past.solve.program.rows, now.solve.program.rows);
  EXPECT_EQ(past.solve.program.checked, now.solve.program.checked);
  EXPECT_EQ(past.solve.program.status, now.solve.program.status);
}

TEST_F(Candidates, StepsAllocateNothingForThem) {
  Simulation sim = Start();
  Run(&sim, 1);
  const AllocGuard guard;
  for (int i = 0; i < 50; ++i) (void)sim.Step();
  EXPECT_EQ(guard.count(), 0u);
}

}  // namespace
}  // namespace slip::test
