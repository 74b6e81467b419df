// Rows of the table of signals read what a step measured, and nothing else.
#include "engine/sim/signals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string_view>

#include "engine/scene/scene.h"
#include "engine/sim/measure.h"
#include "engine/sim/simulation.h"
#include "engine/sim/step_view.h"

namespace slip {
namespace {

double ReadOne(const char* name, const StepView& step) {
  const SignalInfo* info = FindSignal(name);
  return info != nullptr ? info->read(step) : 12345.0;
}

TEST(SignalsTest, BeforeAStepOnlyTheStateIsKnown) {
  Config config;
  config.surfaces.push_back({"belt", -1.5, 0, 0, 0});
  State state;
  state.energy.drive_work = 3;
  BodyFrame lead;
  lead.X_WB.p = Vec3(1, 2, 3);
  lead.V_WB << 4, 5, 6, 7, 8, 9;
  StepView step{config, state};
  step.kinetic = 10;
  step.lead = &lead;
  SignalValues values;
  ReadSignals(step, &values);
  const std::set<std::string_view> known = {
      "belt_velocity", "kinetic_energy",       "potential_energy",    "elastic_energy",
      "drive_work",    "friction_dissipation", "damping_dissipation", "numerical_dissipation",
      "position_x",    "position_z",           "velocity_x",          "velocity_z",
      "pitch",         "pitch_rate",           "step_size",           "mechanical_energy",
      "fallen",        "overlap_energy"};
  for (const SignalInfo& info : SignalTable()) {
    EXPECT_EQ(!std::isnan(values[static_cast<std::size_t>(info.id)]), known.contains(info.name))
        << info.name;
  }
  EXPECT_EQ(ReadOne("belt_velocity", step), -1.5);
  EXPECT_EQ(ReadOne("kinetic_energy", step), 10);
  EXPECT_EQ(ReadOne("drive_work", step), 3);
  EXPECT_EQ(ReadOne("position_z", step), 3);
  EXPECT_EQ(ReadOne("pitch_rate", step), 5);
  EXPECT_EQ(ReadOne("velocity_z", step), 9);
  EXPECT_EQ(ReadOne("pitch", step), 0);
}

TEST(SignalsTest, ContactsAndSolutionOfAStep) {
  const Config config;
  const State state;
  ContactTotals totals;
  ContactFrame primary;
  SolveRecord solve;
  solve.iterations = 7;
  solve.converged = true;
  StepView step{config, state};
  step.totals = &totals;
  step.solve = &solve;
  // no contact at all: sums are zero, means and the contact that carries most are not there
  EXPECT_EQ(ReadOne("normal_force", step), 0);
  EXPECT_EQ(ReadOne("contacts", step), 0);
  EXPECT_TRUE(std::isnan(ReadOne("impact_speed", step)));
  EXPECT_TRUE(std::isnan(ReadOne("mean_penetration", step)));
  EXPECT_TRUE(std::isnan(ReadOne("max_stiction_tolerance", step)));
  EXPECT_TRUE(std::isnan(ReadOne("gliding_offset", step)));
  EXPECT_EQ(ReadOne("iterations", step), 7);
  EXPECT_EQ(ReadOne("converged", step), 1);
  totals.sticking = 1;
  totals.slipping = 3;
  totals.loaded_penetration = 0.5;
  totals.largest_tolerance = 0.25;
  primary.fn = 10;
  primary.ft = 2;
  step.primary = &primary;
  EXPECT_EQ(ReadOne("mean_penetration", step), 0.125);
  EXPECT_EQ(ReadOne("max_stiction_tolerance", step), 0.25);
  EXPECT_TRUE(std::isnan(ReadOne("friction_used", step)));  // no friction, no limit
  primary.friction = 0.5;
  JudgeFriction(FrictionBound::kCone, &primary);
  EXPECT_EQ(ReadOne("friction_used", step), 0.4);
  EXPECT_TRUE(std::isnan(ReadOne("friction_budget", step)));  // none of the loaded ones has any
  EXPECT_TRUE(std::isnan(ReadOne("contact_torque", step)));
  totals.largest_budget = 0.75;
  totals.largest_torque = 0.125;
  EXPECT_EQ(ReadOne("friction_budget", step), 0.75);
  EXPECT_EQ(ReadOne("contact_torque", step), 0.125);
}

TEST(SignalsTest, TiltIsTheWholeTurnFromTheStart) {
  const Config config;
  const State state;
  BodyFrame lead;
  Pose start;
  start.p = Vec3(1, 2, 3);
  start.q = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()));
  StepView step{config, state};
  step.lead = &lead;
  EXPECT_TRUE(std::isnan(ReadOne("tilt_angle", step)));
  EXPECT_TRUE(std::isnan(ReadOne("rise", step)));
  step.start = &start;
  for (const double angle : {0.0, 1e-6, 0.4, 2.5, M_PI}) {
    // about an axis of the world, whatever the start pose
    lead.X_WB.q = Quat(Eigen::AngleAxisd(angle, Vec3(0.6, 0, 0.8))) * start.q;
    EXPECT_NEAR(ReadOne("tilt_angle", step), angle, 1e-12);
    lead.X_WB.q.coeffs() *= -1;  // the same rotation
    EXPECT_NEAR(ReadOne("tilt_angle", step), angle, 1e-12);
  }
  lead.X_WB.p = Vec3(5, 5, 3.25);
  EXPECT_EQ(ReadOne("rise", step), 0.25);
}

TEST(SignalsTest, LinearMomentumIsThatOfItsStepWheneverSomeoneAsks) {
  const auto scene = FindScene("quadruped-trot");
  ASSERT_TRUE(scene.ok());
  const Config& config = (*scene)->config;
  Simulation asked((*scene)->model, config), late((*scene)->model, config);
  const auto momentum = [](const SignalValues& values) {
    return values[static_cast<std::size_t>(Signal::kLinearMomentum)];
  };
  EXPECT_EQ(momentum(late.signals()), 0);
  for (int i = 0; i < 50; ++i) {
    (void)asked.Step();
    (void)late.Step();
    EXPECT_GT(momentum(asked.signals()), 0);
  }
  const double expected = momentum(asked.signals());
  // the knobs that made the step count, not those of the next one
  Config longer = config;
  longer.step.time_step *= 2;
  late.SetConfig(longer);
  EXPECT_EQ(momentum(late.signals()), expected);
  EXPECT_EQ(momentum(late.now().signals), expected);
  ChannelFrame frame;
  late.Fill(&frame);
  EXPECT_EQ(momentum(frame.signals), expected);
  // a record that is taken up again has it as it was
  const StepRecord record = asked.now();
  (void)late.Step();
  EXPECT_NE(momentum(late.signals()), expected);
  late.Restore(record, longer);
  EXPECT_EQ(momentum(late.signals()), expected);
}

}  // namespace
}  // namespace slip
