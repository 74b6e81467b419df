// Torsional friction in motion (engine/README.md 5.6): the spinning puck, a sphere that spins on
// the spot, changes in mid-run.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/convex/convex_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/method_list.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

constexpr double kFriction = 0.5, kGravity = 9.81;
constexpr MethodId kConvexModels[] = {method_id::kSap,     method_id::kLagged,
                                      method_id::kSimilar, method_id::kAnitescu,
                                      method_id::kTodorov, method_id::kLaggedRegularized};

struct PuckRow {
  double rho, v0, w0;
  double stop_time, stop_x;
  double v[2], w[2];  // at 0.05 and 0.1 s
};
// ODE, to 1e-12
constexpr PuckRow kPuckRows[] = {
    {0.05, 1, 20, 0.391362, 0.162425, {0.829576, 0.665948}, {17.79570, 15.51244}},
    {0.05, 1, 0, 0.203873, 0.101937, {0.754750, 0.509500}, {0, 0}},
    {0.05, 0, 20, 0.326197, 0, {0, 0}, {16.93438, 13.86875}},
    {0.02, 0.5, 40, 1.647006, 0.079337, {0.381078, 0.284152}, {38.92819, 37.80228}}};

Config PuckConfig(MethodId id, double h, double rho) {
  Config config = BeltConfig(id, h);
  config.step.gravity = kGravity;
  config.step.part<ConvexParams>().stiction_tolerance = 1e-5;
  Material& m = config.materials[0];
  m.friction = kFriction;
  m.torsional_friction = rho * kFriction;
  m.dissipation = 0;
  m.relaxation_time = 0;
  return config;
}

Simulation Puck(MethodId id, double h, const PuckRow& row) {
  Model model = *BoxOnBelt(JointKind::kUpright);
  Body& puck = model.bodies[0];
  puck.inertia_B = Vec3(0.003, 0.003, 0.004);
  puck.V_WB << 0, 0, row.w0, row.v0, 0, 0;
  puck.start_offset = StartOffset::kGlideOrRest;
  return {Finish(model), PuckConfig(id, h, row.rho)};
}

double Spin(const Simulation& sim) { return sim.state().v[0]; }
double SpinOfFree(const Simulation& sim) { return sim.state().v[2]; }

// Largest error of v and w at 0.05 and 0.1 s, each of its start or 1.
double PuckError(MethodId id, double h, const PuckRow& row) {
  Simulation sim = Puck(id, h, row);
  double error = 0;
  for (int k = 0; k < 2; ++k) {
    EXPECT_TRUE(RunTo(&sim, 0.05 * (k + 1)));
    error = std::max(error, std::abs(sim.state().v[1] - row.v[k]) / std::max(row.v0, 0.1));
    error = std::max(error, std::abs(Spin(sim) - row.w[k]) / std::max(row.w0, 1.0));
  }
  return error;
}

TEST(SpinningPuck, ModelsConvergeToTheOdeAtFirstOrder) {
  for (const MethodId id : kConvexModels) {
    SCOPED_TRACE(Info(id).id);
    for (const PuckRow& row : kPuckRows) {
      const double coarse = PuckError(id, 2e-3, row), fine = PuckError(id, 2.5e-4, row);
      EXPECT_LT(coarse, 1e-2) << row.rho << ' ' << row.v0 << ' ' << row.w0;
      // an eighth of the step, or next to nothing
      EXPECT_LT(fine, std::max(coarse / 5, 2e-6)) << row.rho << ' ' << row.v0 << ' ' << row.w0;
    }
  }
}

TEST(SpinningPuck, StopsWhereTheOdeDoes) {
  for (const MethodId id : kConvexModels) {
    SCOPED_TRACE(Info(id).id);
    for (const PuckRow& row : kPuckRows) {
      Simulation sim = Puck(id, 5e-4, row);
      double stop = 0;
      while (sim.time() < row.stop_time + 0.05) {
        ASSERT_EQ(sim.Step(), StepStatus::kConverged);
        const bool moves = std::hypot(sim.state().v[1], row.rho * Spin(sim)) > 2e-4;
        if (moves) stop = sim.time();
      }
      EXPECT_NEAR(stop, row.stop_time, 2e-3);
      EXPECT_NEAR(sim.state().X_WB[0].p.x(), row.stop_x, 1e-3);
      EXPECT_NEAR(sim.state().X_WB[0].p.y(), 0, 1e-12);
    }
  }
}

TEST(SpinningPuck, FrictionTakesLoadTimesSlip) {
  for (const MethodId id : kConvexModels) {
    SCOPED_TRACE(Info(id).id);
    const PuckRow& row = kPuckRows[0];
    Simulation sim = Puck(id, 1e-3, row);
    ASSERT_TRUE(RunTo(&sim, 0.02));
    for (int i = 0; i < 100; ++i) {
      const double before = sim.state().energy.friction;
      ASSERT_EQ(sim.Step(), StepStatus::kConverged);
      const ContactFrame& c = sim.contacts()[0];
      const double slip = std::hypot(c.vt, row.rho * c.spin);
      EXPECT_EQ(c.mode, ContactMode::kSlip);
      EXPECT_NEAR(c.spin, Spin(sim), 1e-12);
      const double lost = sim.state().energy.friction - before;
      EXPECT_NEAR(lost, kFriction * c.fn * slip * 1e-3, 1e-3 * lost);
      // the two share one budget
      EXPECT_NEAR(std::hypot(c.ft, c.torque / row.rho), kFriction * c.fn, 1e-3 * c.fn);
      EXPECT_LT(c.torque, 0);
      if (Info(id).glides) EXPECT_NEAR(c.gliding_predicted, kFriction * 1e-3 * slip, 1e-6);
    }
    // all it had is lost: to friction, but for what the time stepping takes
    ASSERT_TRUE(RunTo(&sim, 0.5));
    EXPECT_NEAR(sim.state().energy.friction, 0.5 + 0.5 * 0.004 * 400, 0.02);
    EXPECT_EQ(sim.contacts()[0].mode, ContactMode::kStick);
  }
}

// A ball at rest that spins about the vertical: mu_w m g / I, until it stops.
TEST(SpinningBall, SlowsByItsTorqueUntilItStops) {
  constexpr double kRadius = 0.05, kMass = 2, kTorsion = 2e-3;
  Body ball;
  ball.name = "ball";
  ball.SetJoint(JointKind::kFree);
  ball.mass = kMass;
  ball.inertia_B = Vec3::Constant(0.4 * kMass * kRadius * kRadius);
  ball.points_B = {Vec3::Zero()};
  ball.point_radius = kRadius;
  ball.shape.radius = kRadius;
  ball.X_WB.p.z() = kRadius;
  ball.V_WB[2] = 4;
  ball.start_offset = StartOffset::kGlideOrRest;
  Model model;
  model.bodies = {ball};
  model.surfaces = {Surface{}};
  const auto shared = Finish(model);
  const double slowing = kTorsion * kMass * kGravity / ball.inertia_B.z();
  for (const MethodId id : kConvexModels) {
    SCOPED_TRACE(Info(id).id);
    Config config = PuckConfig(id, 1e-3, kTorsion / kFriction);
    Simulation sim(shared, config);
    const double half_time = 0.5 * 4 / slowing;
    ASSERT_TRUE(RunTo(&sim, half_time));
    EXPECT_NEAR(SpinOfFree(sim), 4 - slowing * sim.time(), 0.01);
    ASSERT_TRUE(RunTo(&sim, 2.5 * half_time));
    EXPECT_NEAR(SpinOfFree(sim), 0, 1e-4);
    EXPECT_LT(sim.state().v.norm(), 1e-3);
    // without torsion it goes on for ever
    config.materials[0].torsional_friction = 0;
    Simulation free(shared, config);
    ASSERT_TRUE(RunTo(&free, 2.5 * half_time));
    EXPECT_NEAR(SpinOfFree(free), 4, 1e-9);
  }
}

TEST(SpinningPuck, TorsionComesAndGoesInMidRun) {
  for (const MethodId id : kConvexModels) {
    SCOPED_TRACE(Info(id).id);
    Simulation sim = Puck(id, 1e-3, {0.05, 1, 20, 0, 0, {}, {}});
    Config without = sim.config();
    without.materials[0].torsional_friction = 0;
    const Config with = sim.config();
    ASSERT_TRUE(RunTo(&sim, 0.03));
    EXPECT_LT(Spin(sim), 19);
    sim.SetConfig(without);
    const double spin = Spin(sim);
    ASSERT_TRUE(RunTo(&sim, 0.06));
    EXPECT_NEAR(Spin(sim), spin, 1e-12);
    EXPECT_EQ(sim.contacts()[0].torque, 0);
    sim.SetConfig(with);
    ASSERT_TRUE(RunTo(&sim, 0.09));  // those that glide hop first: spin lifts
    EXPECT_LT(Spin(sim), spin - 0.5);
  }
}

TEST(SpinningPuck, SceneAgreesWithTheOde) {
  const auto scene = FindScene("spinning-puck");
  ASSERT_TRUE(scene.ok());
  for (const ChannelSpec& channel : (*scene)->channels) {
    Simulation sim((*scene)->model, channel.config);
    SCOPED_TRACE(Info(channel.config.method()).id);
    ASSERT_TRUE(RunTo(&sim, 0.5));
    EXPECT_NEAR(sim.state().X_WB[0].p.x(), 0.162425, 2e-3);
    EXPECT_NEAR(sim.state().X_WB[1].p.x(), 0.101937, 2e-3);
  }
}

// The methods with anchors know no torsion: the knob is none of theirs, and changes no bit.
TEST(SpinningPuck, AnchoredMethodsSpinFreely) {
  for (const MethodInfo& method : Methods()) {
    SCOPED_TRACE(method.id);
    if (method.id == "quasi-dynamic") continue;      // has torsion, and no speed to begin with
    if (method.family == Family::kEngine) continue;  // likewise has torsion
    Simulation sim = Puck(*FindMethod(method.id), 1e-4, kPuckRows[0]);
    const ParamInfo& info = *FindParam(sim.config(), "torsional_friction");
    const bool convex = method.contact_model >= 0;
    EXPECT_EQ(Uses(sim.model(), sim.config(), info), convex);
    if (convex) continue;
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    EXPECT_EQ(sim.contacts()[0].torque, 0);
    EXPECT_NEAR(Spin(sim), 20, 1e-9);
  }
}

}  // namespace
}  // namespace slip::test
