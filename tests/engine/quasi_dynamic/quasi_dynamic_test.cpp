// Single steps and ramps of a sphere and a point mass against closed forms and the numbers of the
// method's specification.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/quasi_dynamic/quasi_dynamic_params.h"
#include "engine/sim/method_list.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

constexpr double kMass = 1, kGravity = 9.81;

Config GraspConfig(double h, double friction, double torsion) {
  Config config;
  config.step.method = static_cast<int>(MethodNamed("quasi-dynamic"));
  config.step.time_step = h;
  config.step.part<QuasiDynamicParams>().qp_tolerance = 1e-11;
  Material rubber;
  rubber.name = "rubber";
  rubber.friction = friction;
  rubber.torsional_friction = torsion;
  config.materials = {rubber};
  config.pushes = {{.name = "push"}};
  return config;
}

// One point of a body of 1 kg above a floor: the lowest one of a sphere, or a point mass.
Model OnFloor(double radius, double inertia, double gap) {
  Body body;
  body.name = "body";
  body.shape.kind = ShapeKind::kSphere;
  body.shape.radius = radius > 0 ? radius : 0.01;
  body.collides = false;
  body.mass = kMass;
  body.inertia_B = Vec3::Constant(inertia);
  body.points_B = {Vec3::Zero()};
  body.point_radius = radius;
  body.X_WB.p.z() = radius + gap;
  Model model;
  model.bodies = {body};
  model.surfaces = {Surface{}};
  model.surfaces[0].name = "floor";
  model.pushes = {Push{.name = "push"}};
  return model;
}

struct OneStep {
  State end;
  std::vector<ContactFrame> contacts;
};

OneStep StepOnce(const Model& model, const Config& config) {
  Simulation sim(Finish(model), config);
  EXPECT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
  return {sim.state(), {sim.contacts().begin(), sim.contacts().end()}};
}

void ExpectClose(double found, double expected, double relative = 1e-9) {
  EXPECT_NEAR(found, expected, relative * std::abs(expected) + 1e-12);
}

double TurnAbout(const State& state, int axis) { return CalcRotationVector(state.X_WB[0].q)[axis]; }

TEST(QuasiDynamicSphere, ASpinningSphereTurnsAndFloats) {
  struct Row {
    double h, torque, gap, dz, turn, normal, moment;
  };
  const Row rows[] = {
      {0.01, 0.3, 0, 0, 0, 9.81, -0.3},
      {0.01, 1.0, 0, 3.919230769231e-04, 7.838461538462e-03, 13.7292307692, -0.6864615385},
      {0.01, 2.0, 0, 1.161153846154e-03, 2.322307692308e-02, 21.4215384615, -1.0710769231},
      {0.005, 2.0, 0, 2.902884615385e-04, 5.805769230769e-03, 21.4215384615, -1.0710769231},
      {0.0025, 2.0, 0, 7.257211538462e-05, 1.451442307692e-03, 21.4215384615, -1.0710769231},
      {0.01, 2.0, 0.001, 5.457692307692e-04, 3.091538461538e-02, 15.2676923077, -0.7633846154},
      {0.01, 0, 0.005, -9.81e-04, 0, 0, 0},
      {0.01, -2.0, 0, 1.161153846154e-03, -2.322307692308e-02, 21.4215384615, 1.0710769231},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::Message() << "h " << row.h << " T " << row.torque << " gap " << row.gap);
    Model model = OnFloor(0.1, 0.004, row.gap);
    model.pushes[0].torque.knots = {{0, Vec3(0, 0, row.torque)}};
    const OneStep step = StepOnce(model, GraspConfig(row.h, 0.5, 0.05));
    ExpectClose(step.end.X_WB[0].p.z() - 0.1 - row.gap, row.dz);
    ExpectClose(TurnAbout(step.end, 2), row.turn);
    ASSERT_EQ(step.contacts.size(), 1u);
    // ten digits are printed
    EXPECT_NEAR(step.contacts[0].fn, row.normal, 1e-10);
    EXPECT_NEAR(step.contacts[0].torque, row.moment, 1e-10);
  }
}

TEST(QuasiDynamicSphere, APushedSphereRolls) {
  for (const double force : {2.0, 6.0, 10.0}) {
    Model model = OnFloor(0.1, 0.004, 0);
    model.pushes[0].force.knots = {{0, Vec3(force, 0, 0)}};
    const OneStep step = StepOnce(model, GraspConfig(0.01, 0.5, 0.05));
    const double dx = 5.0 / 7 * 1e-4 * force / kMass;
    ExpectClose(step.end.X_WB[0].p.x(), dx);
    ExpectClose(TurnAbout(step.end, 1), dx / 0.1);
    ExpectClose(step.contacts[0].ft_W.x(), -2.0 / 7 * force);
  }
}

// Torque grows by 1 N m a second for two seconds.
double GapAfterRamp(double h, double torsion, double rate, double inertia, double* spin) {
  Model model = OnFloor(0.1, inertia, 0);
  model.pushes[0].torque.knots = {{0, Vec3::Zero()}, {2, Vec3(0, 0, 2 * rate)}};
  Simulation sim(Finish(model), GraspConfig(h, 0.5, torsion));
  const auto steps = static_cast<int>(std::lround(2 / h));
  for (int k = 0; k < steps; ++k) EXPECT_EQ(sim.Step(), StepStatus::kConverged);
  *spin = sim.state().v[2];
  return sim.state().X_WB[0].p.z() - 0.1;
}

TEST(QuasiDynamicSphere, TheRampOfTheSpecification) {
  struct Row {
    double h, gap, rate, steady;
  };
  const Row rows[] = {{0.02, 7.485e-03, 7.485, 7.5475e-03},
                      {0.01, 1.8790625e-03, 3.758125, 1.886875e-03},
                      {0.005, 4.7074218750e-04, 1.88296875, 4.7171875e-04},
                      {0.0025, 1.1780761719e-04, 0.94246094, 1.1792968750e-04}};
  for (const Row& row : rows) {
    double spin = 0;
    const double gap = GapAfterRamp(row.h, 0.05, 1, 0.004, &spin);
    EXPECT_NEAR(gap, row.gap, 1e-13);
    EXPECT_NEAR(spin, row.rate, 1e-6);
    // constant load: the layer shrinks with the square of the step
    EXPECT_NEAR(row.steady, 0.05 * row.h * row.h * (2 - 0.05 * kMass * kGravity) / 0.004, 1e-12);
    EXPECT_NEAR(gap / row.steady, 1, 0.01);
  }
}

// The recursion of one slipping contact, for values of no table.
TEST(QuasiDynamicSphere, HeldOutRampsFollowTheClosedForm) {
  struct Case {
    double h, torsion, rate, inertia;
  };
  for (const Case& c : {Case{0.007, 0.031, 1.3, 0.006}, Case{0.0033, 0.08, 2.1, 0.0021},
                        Case{0.013, 0.012, 0.4, 0.009}}) {
    double spin = 0;
    const double gap = GapAfterRamp(c.h, c.torsion, c.rate, c.inertia, &spin);
    double phi = 0, turn = 0;
    const auto steps = static_cast<int>(std::lround(2 / c.h));
    for (int k = 0; k < steps; ++k) {
      const double torque = c.rate * std::min(2.0, (k + 1) * c.h);
      turn = std::max(
          0.0, (c.h * c.h * (torque - c.torsion * kMass * kGravity) + kMass * c.torsion * phi) /
                   (c.inertia + kMass * c.torsion * c.torsion));
      phi = c.torsion * turn;
    }
    EXPECT_NEAR(gap, phi, 1e-5 * phi);
    EXPECT_NEAR(spin, turn / c.h, 1e-5 * turn / c.h);
  }
}

TEST(QuasiDynamicSphere, ItStandsUpToTheLimitOfTheTorque) {
  const double limit = 0.05 * kMass * kGravity;
  for (const double share : {0.2, 0.9, 0.999, 1.0, 1.001, 1.1}) {
    Model model = OnFloor(0.1, 0.004, 0);
    model.pushes[0].torque.knots = {{0, Vec3(0, 0, share * limit)}};
    const OneStep step = StepOnce(model, GraspConfig(0.01, 0.5, 0.05));
    const double scale = 1e-4 * limit / 0.004;
    if (share <= 1) {
      // at the limit itself strict complementarity fails
      EXPECT_NEAR(TurnAbout(step.end, 2), 0, (share < 1 ? 1e-9 : 1e-7) * scale) << share;
    } else {
      EXPECT_GT(TurnAbout(step.end, 2), 0.5 * (share - 1) * scale) << share;
      EXPECT_GT(step.end.X_WB[0].p.z(), 0.1) << share;
    }
  }
}

TEST(QuasiDynamicPoint, APushedPointSlipsAndFloats) {
  struct Row {
    Vec3 force;
    double gap;
    Vec3 moved, load;
  };
  const Row rows[] = {
      {{3, 0, 0}, 0, {0, 0, 0}, {-3, 0, 9.81}},
      {{8, 0, 0}, 0, {2.476e-04, 0, 1.238e-04}, {-5.524, 0, 11.048}},
      {{8, 0, 0}, 5e-5, {2.676e-04, 0, 8.38e-05}, {-5.324, 0, 10.648}},
      {{8, 8, 0},
       0,
       {4.931111111111e-04, 4.931111111111e-04, 2.465555555556e-04},
       {-3.0688888889, -3.0688888889, 12.2755555556}},
      {{6, 2, 0},
       0,
       {1.375555555556e-04, 1.375555555556e-04, 6.877777777778e-05},
       {-4.6244444444, -0.6244444444, 10.4977777778}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::Message() << row.force.transpose() << " gap " << row.gap);
    Model model = OnFloor(0, 0.004, row.gap);
    model.pushes[0].force.knots = {{0, row.force}};
    const OneStep step = StepOnce(model, GraspConfig(0.01, 0.5, 0));
    const Vec3 moved = step.end.X_WB[0].p - Vec3(0, 0, row.gap);
    for (int i = 0; i < 3; ++i) ExpectClose(moved[i], row.moved[i]);
    ASSERT_EQ(step.contacts.size(), 1u);
    EXPECT_NEAR(step.contacts[0].ft_W.x(), row.load.x(), 1e-10);
    EXPECT_NEAR(step.contacts[0].ft_W.y(), row.load.y(), 1e-10);
    EXPECT_NEAR(step.contacts[0].fn, row.load.z(), 1e-10);
  }
}

TEST(QuasiDynamicPoint, SteadySlipHasALayerOfItsSpeed) {
  struct Row {
    double h, gap, v;
  };
  for (const Row& row : {Row{0.01, 1.5475e-04, 0.03095}, Row{0.0025, 9.671875e-06, 0.0077375}}) {
    Model model = OnFloor(0, 0.004, 0);
    model.pushes[0].force.knots = {{0, Vec3(8, 0, 0)}};
    Simulation sim(Finish(model), GraspConfig(row.h, 0.5, 0));
    for (int k = 0; k < 200; ++k) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    ExpectClose(sim.state().X_WB[0].p.z(), row.gap);
    ExpectClose(sim.state().v[3], row.v);
    EXPECT_NEAR(sim.contacts()[0].fn, 9.81, 1e-9);
    EXPECT_NEAR(sim.contacts()[0].ft_W.x(), -4.905, 1e-9);
    // gap and prediction of the gauge
    EXPECT_NEAR(Value(sim, Signal::kGlidingOffset), row.gap, 1e-10);
    EXPECT_NEAR(Value(sim, Signal::kGlidingPredicted), row.gap, 1e-10);
  }
}

// A belt slips under a body that cannot follow: the layer is proportional to the step.
TEST(QuasiDynamicPoint, AtAGivenSpeedTheLayerIsProportionalToTheStep) {
  for (const double h : {0.02, 0.01, 0.001}) {
    Model model = OnFloor(0, 0.004, 0);
    model.bodies[0].SetJoint(JointKind::kZ);
    model.surfaces[0].drive = 0;
    Config config = GraspConfig(h, 0.4, 0);
    config.surfaces = {SurfaceDrive{.name = "floor", .belt_speed = 0.07}};
    Simulation sim(Finish(model), config);
    for (int k = 0; k < 100; ++k) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    ExpectClose(sim.state().X_WB[0].p.z(), 0.4 * h * 0.07, 1e-8);
    EXPECT_NEAR(sim.contacts()[0].ft_W.x(), 0.4 * 9.81, 1e-7) << "the belt drags along";
  }
}

// A program without unknowns.
TEST(QuasiDynamicPoint, WhatCannotMoveStaysWhereItIs) {
  Model model = OnFloor(0, 1, 0);
  model.bodies[0].SetJoint(JointKind::kFixed);
  const OneStep step = StepOnce(model, GraspConfig(0.01, 0.5, 0));
  EXPECT_EQ(step.end.X_WB[0].p, Vec3::Zero());
  EXPECT_TRUE(step.contacts.empty());
}

TEST(QuasiDynamicPoint, AllocatesNothingAfterWarmUp) {
  Model model = OnFloor(0.1, 0.004, 0);
  model.pushes[0].torque.knots = {{0, Vec3::Zero()}, {2, Vec3(0, 0, 2)}};
  Simulation sim(Finish(model), GraspConfig(0.01, 0.5, 0.05));
  for (int k = 0; k < 20; ++k) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  const AllocGuard guard;
  for (int k = 0; k < 100; ++k) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  EXPECT_EQ(guard.count(), 0u);
}

}  // namespace
}  // namespace slip::test
