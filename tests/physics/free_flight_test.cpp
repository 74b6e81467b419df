// What turns in free flight: energy and momentum must not drift in proportion to the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/convex/convex_params.h"
#include "engine/sim/method_list.h"
#include "tests/support/methods.h"
#include "tests/support/turning.h"

namespace slip::test {
namespace {

constexpr const char* kFlight = R"(
title = "A box in free flight"
gravity = 0
[material.wood]
stiffness = 1e5
dissipation = 1
friction = 0.5
[body.box]
shape = "box"
size = [0.3, 0.2, 0.05]
mass = 1
position = [0, 0, 1]
angular_velocity = [1, 8, 2]
)";

Vec3 AngularMomentum(const Simulation& sim) {
  const Quat& q = sim.state().X_WB[0].q;
  const Vec3 w_B = q.conjugate() * Vec3(sim.state().v.head<3>());
  return q * Vec3(sim.model().bodies[0].inertia_B.cwiseProduct(w_B));
}

TEST(FreeFlight, ABoxKeepsAngularMomentumAndEnergy) {
  const Scene scene = Read(kFlight);
  for (const double h : {5e-3, 2e-3, 1e-3, 0.5e-3}) {
    Simulation sim(scene.model, With(scene.config, method_id::kSap, h));
    const Vec3 L = AngularMomentum(sim);
    const double energy = Mechanical(sim);
    double swing = 0;
    while (sim.time() < 2 - 1e-9) {
      ASSERT_EQ(sim.Step(), StepStatus::kConverged);
      swing = std::max(swing, (AngularMomentum(sim) - L).norm() / L.norm());
    }
    EXPECT_NEAR(AngularMomentum(sim).norm() / L.norm(), 1, 1e-11) << h;
    EXPECT_NEAR(Mechanical(sim) / energy, 1, 1e-11) << h;
    // half of the step's turn: the velocity belongs to the pose half a step back
    EXPECT_LT(swing, 2.7 * h);
  }
}

/// A body of 1.5 kg with two links, 0.6 and 0.4 kg, that swing to new targets and stop there.
std::shared_ptr<const Model> TwoLinks() {
  Model model;
  Body base;
  base.name = "base";
  base.mass = 1.5;
  base.inertia_B = Vec3(0.010, 0.012, 0.015);
  base.collides = false;
  base.SetJoint(JointKind::kFree);
  model.bodies = {base};
  const auto add = [&](const char* name, double mass, const Vec3& axis, const Vec3& hinge) {
    Body link;
    link.name = name;
    link.mass = mass;
    link.inertia_B = mass * Vec3(1e-4, 7e-3, 7e-3);
    link.collides = false;
    link.joint.name = name;
    link.joint.parent = static_cast<int>(model.bodies.size()) - 1;
    link.joint.axis = axis;
    link.joint.X_PF.p = hinge;
    link.joint.X_BM.p = Vec3(-0.15, 0, 0);
    link.SetJoint(JointKind::kRevolute);
    link.drive = link.joint.parent;
    model.bodies.push_back(link);
  };
  add("upper", 0.6, Vec3::UnitY(), Vec3(0.1, 0, 0.05));
  add("lower", 0.4, Vec3(0, 0.6, 0.8), Vec3(0.15, 0, 0));
  return Finish(model);
}

Config TwoLinksConfig(MethodId method, double h, Turning turning) {
  Config config = With({}, method, h, turning);
  config.step.gravity = 0;
  config.materials = {Material{}};
  config.joints = {{.name = "upper", .target = 1.2, .stiffness = 12, .damping = 1.2},
                   {.name = "lower", .target = -1.5, .stiffness = 6, .damping = 0.5}};
  return config;
}

Vec3 CenterOfMass(const Simulation& sim) {
  Vec3 first = Vec3::Zero();
  double mass = 0;
  for (std::size_t b = 0; b < sim.model().bodies.size(); ++b) {
    first += sim.model().bodies[b].mass * sim.state().X_WB[b].p;
    mass += sim.model().bodies[b].mass;
  }
  return first / mass;
}

struct Swing {
  double left = 0;     ///< momentum after the stop [kg m/s]
  double largest = 0;  ///< on the way [kg m/s]
  double way = 0;      ///< of the centre of mass [m]
};
Swing SwingLinks(double h, Turning turning, MethodId method = method_id::kSap) {
  Simulation sim(TwoLinks(), TwoLinksConfig(method, h, turning));
  const Vec3 start = CenterOfMass(sim);
  Swing out;
  while (sim.time() < 3 - 1e-9) {
    EXPECT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    out.left = Value(sim, Signal::kLinearMomentum);
    out.largest = std::max(out.largest, out.left);
  }
  out.way = (CenterOfMass(sim) - start).norm();
  return out;
}

TEST(FreeFlight, LinksThatSwingLeaveNoMomentum) {
  Swing coarse;
  for (const double h : {4e-3, 2e-3, 1e-3, 0.5e-3}) {
    const Swing fine = SwingLinks(h, Turning::kMiddle);
    if (coarse.left > 0) {
      EXPECT_GT(coarse.left, 3.2 * fine.left) << h;  // second order
      EXPECT_GT(coarse.way, 3.2 * fine.way) << h;
      EXPECT_GT(coarse.largest, 3.2 * fine.largest) << h;
    }
    coarse = fine;
  }
  EXPECT_LT(coarse.left, 1.5e-4);
  EXPECT_NEAR(SwingLinks(0.5e-3, Turning::kStart).left, 9.5e-4, 1e-5);
}

TEST(FreeFlight, NorDoTheyUnderSpringsWithAnchors) {
  for (const char* id : {"exponential", "explicit-euler", "implicit-euler", "rk4"}) {
    const MethodId method = *FindMethod(id);
    const Swing coarse = SwingLinks(2e-3, Turning::kMiddle, method);
    const Swing fine = SwingLinks(1e-3, Turning::kMiddle, method);
    EXPECT_LT(fine.left, 1e-3) << id;
    EXPECT_GT(coarse.left, 3.2 * fine.left) << id << " " << coarse.left << " " << fine.left;
    EXPECT_GT(coarse.way, 3.2 * fine.way) << id << " " << coarse.way << " " << fine.way;
  }
}

TEST(FreeFlight, TheSignalOfMomentumIsThatOfAFall) {
  const Scene scene = Read(kFlight);
  Config config = scene.config;
  config.step.gravity = 9.81;
  for (std::size_t m = 0; m < Methods().size(); ++m) {
    if (Methods()[m].id == "quasi-dynamic" || !Methods()[m].WhyMissing().empty()) continue;
    Simulation sim(scene.model, With(config, static_cast<MethodId>(m), 1e-3));
    EXPECT_EQ(Value(sim, Signal::kLinearMomentum), 0);
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    EXPECT_NEAR(Value(sim, Signal::kLinearMomentum), 0.981, 1e-9) << Methods()[m].id;
  }
}

}  // namespace
}  // namespace slip::test
