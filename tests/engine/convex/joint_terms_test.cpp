// Joints inside the convex step: limits, dry friction, motors and couplers, against closed forms.
#include "engine/method/joint_terms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/convex/convex.h"
#include "engine/core/numbers.h"
#include "engine/sim/method_list.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip {
namespace {

using test::BeltConfig;
using test::Finish;
using Scalar = ContactTask::Scalar;

// A link of 1 kg at distance `arm` below its joint, which is at the parent's origin.
Body Link(JointKind kind, const Vec3& axis, int parent = -1, double arm = 0.5) {
  Body body;
  body.name = "link";
  body.mass = 1;
  body.inertia_B = Vec3::Constant(1e-3);
  body.shape.radius = 0.01;
  body.joint.axis = axis;
  body.joint.parent = parent;
  body.joint.X_BM.p = Vec3(0, 0, arm);
  body.SetJoint(kind);
  return body;
}

Simulation Simulate(std::vector<Body> bodies, const Config& config) {
  Model model;
  model.bodies = std::move(bodies);
  return Simulation(Finish(model), config);
}

TEST(Scalar, ImpulseAndHessianAreDerivativesOfTheCost) {
  const Scalar kinds[] = {{0, 0, 0.3, 2.0, 0, kInfinity},
                          {0, 0, -0.7, 50, -kInfinity, 0},
                          {0, 0, 0, 1e3, -0.2, 0.2},
                          {0, 0, 1.5, 0.4, -1, 0.1},
                          {0, 0, 0.1, 7, -kInfinity, kInfinity}};
  for (const Scalar& scalar : kinds) {
    double previous = -kInfinity;
    for (double v = -3; v <= 3; v += 0.0137) {
      const double e = 1e-6;
      const double slope = (scalar.Cost(v + e) - scalar.Cost(v - e)) / (2 * e);
      EXPECT_NEAR(slope, -scalar.Impulse(v), 1e-6 * (1 + scalar.gain)) << v;
      // convex: the slope never falls
      EXPECT_GE(-scalar.Impulse(v), previous);
      previous = -scalar.Impulse(v);
      const double curvature = (scalar.Impulse(v - e) - scalar.Impulse(v + e)) / (2 * e);
      const double here = scalar.Hessian(v);
      const bool kink = scalar.Hessian(v + e) != here || scalar.Hessian(v - e) != here;
      if (!kink) EXPECT_NEAR(curvature, here, 1e-6 * (1 + scalar.gain)) << v;
    }
    EXPECT_GE(scalar.Cost(scalar.rest_velocity), 0);
    if (scalar.low <= 0 && scalar.high >= 0) EXPECT_EQ(scalar.Cost(scalar.rest_velocity), 0);
  }
}

TEST(Scalar, TheSolverFindsTheMinimumForEveryModel) {
  // two coordinates, two potentials each: found by bisection on every coordinate alone
  for (const MethodInfo& method : Methods()) {
    if (method.contact_model < 0) continue;
    ContactProblem p;
    p.settings.tolerance = 1e-12;
    p.task.model.contact_model = method.contact_model;
    p.task.AddTree(2);
    p.task.Resize();
    p.task.A = {2, 0, 0, 0.5};
    p.task.v0 << 0.1, 0.2;
    p.task.v_star << -1.5, 0.8;
    p.task.scalars = {{0, 0, 0.2, 40, 0, kInfinity},
                      {0, 1, 0, 1e4, -0.1, 0.1},
                      {0, 0, -2, 3, -0.5, 0.5},
                      {0, 1, 0.3, 20, -kInfinity, 0}};
    ConvexSolver solver;
    ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << method.id;
    for (int c = 0; c < 2; ++c) {
      const auto gradient = [&](double v) {
        double g = p.task.A[static_cast<std::size_t>(3 * c)] * (v - p.task.v_star[c]);
        for (const Scalar& s : p.task.scalars) g -= s.coordinate == c ? s.Impulse(v) : 0;
        return g;
      };
      double low = -10, high = 10;
      for (int i = 0; i < 200; ++i)
        (gradient(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
      EXPECT_NEAR(p.solution.v[c], low, 1e-9) << method.id;
    }
    ASSERT_EQ(p.solution.scalar_impulses.size(), 4u);
    EXPECT_EQ(p.solution.scalar_impulses[2], p.task.scalars[2].Impulse(p.solution.v[0]));
  }
}

TEST(JointTerms, APendulumStopsAtItsLimitAsASpringAndDamper) {
  // without gravity: after it meets the limit it is I q̈ + k τ q̇ + k q = 0 until it leaves
  const double k = 200, tau = 0.01, start = -1.0;
  Body body = Link(JointKind::kRevolute, Vec3::UnitY());
  const double inertia = 1e-3 + 0.25;
  body.joint.upper = 0;
  body.joint.limit_stiffness = k;
  body.joint.limit_relaxation = tau;
  body.q0[0] = -1e-9;
  body.v0[0] = -start;
  Config config = BeltConfig(method_id::kSap, 1e-5);
  config.step.gravity = 0;
  Simulation sim = Simulate({body}, config);
  const double decay = k * tau / (2 * inertia);
  const double omega = std::sqrt(k / inertia - decay * decay);
  for (int i = 0; i < 9000; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    const double t = sim.time(), q = sim.state().q[0];
    const double expected = -start / omega * std::exp(-decay * t) * std::sin(omega * t);
    ASSERT_NEAR(q, expected, 2e-5) << t;
  }
  // it pushes only: back at the limit it leaves with what damping left of its speed
  const double half = std::numbers::pi / omega;
  while (sim.time() < half + 0.02) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  EXPECT_LT(sim.state().q[0], 0);
  EXPECT_LT(sim.state().v[0], -0.9 * std::exp(-decay * half));
}

TEST(JointTerms, ALimitHoldsAWeightInEveryModelAtAnyTimeStep) {
  for (std::size_t i = 0; i < Methods().size(); ++i) {
    const MethodInfo& method = Methods()[i];
    if (method.contact_model < 0) continue;  // they have no limits and say so
    for (const double h : {1e-4, 1e-2}) {
      Body body = Link(JointKind::kPrismatic, Vec3::UnitZ());
      body.joint.lower = -0.2;
      Config config = BeltConfig(static_cast<MethodId>(i), h);
      Simulation sim = Simulate({body}, config);
      while (sim.time() < 1.5) ASSERT_TRUE(Advanced(sim.Step())) << method.id;
      // near-rigid: R = w/4π², so that the static depth is g h²/4π²(1 + 1/π)
      EXPECT_NEAR(sim.state().q[0], -0.2, 9.81 * h * h / 20 + 1e-12) << method.id;
      EXPECT_NEAR(sim.state().v[0], 0, 1e-9);
    }
  }
}

TEST(JointTerms, AMotorHoldsItsTargetAndGivesInBeyondItsLimit) {
  for (const double effort : {kInfinity, 6.0}) {
    Body body = Link(JointKind::kRevolute, Vec3::UnitY());
    body.joint.effort = effort;
    body.drive = 0;
    Config config = BeltConfig(method_id::kSap, 2e-3);
    config.joints = {{.name = "hinge", .target = 1.2, .stiffness = 400, .damping = 40}};
    Simulation sim = Simulate({body}, config);
    while (sim.time() < 3) ASSERT_TRUE(Advanced(sim.Step()));
    // weight's torque m g a cos 1.2.. about the hinge
    const double q = sim.state().q[0], torque = 9.81 * 0.5 * std::sin(q);
    EXPECT_NEAR(400 * (1.2 - q), torque, 1e-6) << effort;
    EXPECT_NEAR(sim.state().v[0], 0, 1e-8);
  }
  // and one that is too weak lets the arm hang where it can hold it
  Body body = Link(JointKind::kRevolute, Vec3::UnitY());
  body.joint.effort = 2;
  body.joint.damping = 0.5;
  body.drive = 0;
  Config config = BeltConfig(method_id::kSap, 2e-3);
  config.joints = {{.name = "hinge", .target = 1.2, .stiffness = 400, .damping = 4}};
  Simulation sim = Simulate({body}, config);
  while (sim.time() < 10) ASSERT_TRUE(Advanced(sim.Step()));
  EXPECT_NEAR(9.81 * 0.5 * std::sin(sim.state().q[0]), 2, 1e-3);
}

TEST(JointTerms, DryFrictionHoldsUpToItsForce) {
  for (const double friction : {9.0, 11.0}) {
    Body body = Link(JointKind::kPrismatic, Vec3::UnitZ());
    body.joint.friction = friction;
    Simulation sim = Simulate({body}, BeltConfig(method_id::kSap, 1e-3));
    while (sim.time() < 0.5) ASSERT_TRUE(Advanced(sim.Step()));
    if (friction > 9.81) {
      // regularised: it creeps at σ w h f
      EXPECT_NEAR(sim.state().v[0], -1e-3 * 1e-3 * 9.81, 1e-9);
    } else {
      EXPECT_NEAR(sim.state().v[0], -(9.81 - 9) * 0.5, 1e-9);
    }
  }
}

TEST(JointTerms, ACouplerKeepsItsRatio) {
  Body first = Link(JointKind::kPrismatic, Vec3::UnitZ(), -1, 0);
  Body second = Link(JointKind::kPrismatic, Vec3::UnitX(), 0, 0);
  second.joint.leader = 0;
  second.joint.ratio = -2;
  second.joint.offset = 0.1;
  second.q0[0] = 0.1;
  Simulation sim = Simulate({first, second}, BeltConfig(method_id::kSap, 1e-3));
  while (sim.time() < 0.3) ASSERT_TRUE(Advanced(sim.Step()));
  const VectorX &q = sim.state().q, &v = sim.state().v;
  EXPECT_NEAR(q[1], -2 * q[0] + 0.1, 2e-5);
  EXPECT_NEAR(v[1], -2 * v[0], 1e-3);
  // 2 kg fall, and 1 kg moves twice as fast across: (2 + 4) z̈ = -2 g
  EXPECT_NEAR(v[0], -2.0 / 6 * 9.81 * 0.3, 2e-3);
}

TEST(JointTerms, AHugeMotorInertiaStaysWellConditioned) {
  Body base = Link(JointKind::kFree, Vec3::UnitY(), -1, 0);
  base.joint.X_BM.p.setZero();
  base.X_WB.p.z() = 0.3;
  base.points_B = {Vec3(0.1, 0, -0.3), Vec3(-0.1, 0.1, -0.3), Vec3(-0.1, -0.1, -0.3)};
  Body link = Link(JointKind::kRevolute, Vec3::UnitY(), 0);
  link.joint.armature = 1e6;
  Model model;
  model.bodies = {base, link};
  model.surfaces = {Surface{}};
  Simulation sim(Finish(model), BeltConfig(method_id::kSap, 1e-3));
  for (int i = 0; i < 200; ++i) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  EXPECT_LT(sim.solve().condition_number, 1e6);
  EXPECT_GT(sim.solve().condition_number_raw, 1e8);
  EXPECT_LT(std::abs(sim.state().v[6]), 1e-4);
}

TEST(JointTerms, TheLedgerKnowsMotorsDampingAndFriction) {
  double last = 0;
  for (const double h : {2e-4, 1e-4}) {
    Body upper = Link(JointKind::kRevolute, Vec3::UnitY());
    Body lower = Link(JointKind::kRevolute, Vec3::UnitY(), 0);
    upper.joint.damping = 0.05;
    lower.joint.friction = 0.1;
    lower.joint.armature = 0.01;
    upper.drive = 0;
    lower.drive = 1;
    lower.joint.effort = 3;
    Config config = BeltConfig(method_id::kSap, h);
    config.joints = {{"upper", false, 1.5, 30, 2}, {"lower", false, -1, 20, 1}};
    Simulation sim = Simulate({upper, lower}, config);
    while (sim.time() < 0.5) ASSERT_TRUE(Advanced(sim.Step()));
    const EnergyLedger& ledger = sim.state().energy;
    EXPECT_GT(ledger.drive_work, 1);
    EXPECT_GT(ledger.damping, 1e-3);
    EXPECT_GT(ledger.friction, 1e-3);
    const double numerical = std::abs(ledger.numerical);
    EXPECT_LT(numerical, 0.01 * ledger.drive_work);
    if (last > 0) EXPECT_NEAR(numerical, 0.5 * last, 0.1 * last);  // first order
    last = numerical;
  }
}

TEST(JointTerms, StepsAllocateNothing) {
  Body base = Link(JointKind::kFree, Vec3::UnitY(), -1, 0);
  base.joint.X_BM.p.setZero();
  base.X_WB.p.z() = 0.3;
  base.points_B = {Vec3(0.1, 0, -0.3), Vec3(-0.1, 0.1, -0.3), Vec3(-0.1, -0.1, -0.3)};
  std::vector<Body> bodies = {base};
  for (int i = 0; i < 12; ++i) {
    Body& link = bodies.emplace_back(Link(JointKind::kRevolute, Vec3::Unit(i % 3), i, 0.1));
    link.joint.lower = -0.3;
    link.joint.upper = 0.3;
    link.joint.friction = 0.01;
    link.drive = i;
    link.joint.effort = 5;
  }
  Config config = BeltConfig(method_id::kSap, 1e-3);
  for (int i = 0; i < 12; ++i) config.joints.push_back({"", false, 0, 20, 0.5});
  Model model;
  model.bodies = bodies;
  model.surfaces = {Surface{}};
  Simulation sim(Finish(model), config);
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(Advanced(sim.Step()));
  const test::AllocGuard guard;
  for (int i = 0; i < 300; ++i) (void)sim.Step();
  EXPECT_EQ(guard.count(), 0u);
}

}  // namespace
}  // namespace slip
