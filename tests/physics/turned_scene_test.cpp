// The motion of a scene does not depend on how the scene is turned about the vertical.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "engine/dynamics/joint.h"
#include "engine/scene/scene.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

constexpr const char* kTumblingBox = R"(
title = "A box tumbles onto a floor"
time_step = "1 ms"
solver_tolerance = 1e-13
[material.wood]
stiffness = 1e5
dissipation = 1
friction = 0.5
[surface.ground]
[body.box]
shape = "box"
size = [0.2, 0.12, 0.06]
mass = 0.8
position = [0.02, -0.03, 0.12]
quaternion = [0.9, 0.2, 0.3, -0.25]
velocity = [0.7, 0.4, -0.6]
angular_velocity = [3, -5, 4]
)";

// Models whose regularisation counts the inertia of a contact take it without regard to axes.
TEST(TurnedScene, ABoxTumblesTheSameWay) {
  const auto scene = ReadSceneText(kTumblingBox, "box.toml");
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const auto& straight_model = (*scene)->model;
  const Quat turn = CalcRotation(std::numbers::pi / 4 * Vec3::UnitZ());
  Model model = *straight_model;
  Body& body = model.bodies[0];
  body.X_WB = {turn * body.X_WB.p, turn * body.X_WB.q};
  const Vec3 w = turn * body.V_WB.head<3>(), v = turn * body.V_WB.tail<3>();
  body.V_WB << w, v;
  const auto turned_model = Finish(model);
  for (std::size_t m = 0; m < Methods().size(); ++m) {
    if (Methods()[m].contact_model < 0) continue;
    Config config = (*scene)->config;
    config.step.method = static_cast<int>(m);
    Simulation straight(straight_model, config), turned(turned_model, config);
    double apart = 0, load = 0;
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(Advanced(straight.Step())) << straight.failure();
      ASSERT_TRUE(Advanced(turned.Step())) << turned.failure();
      const Vec3 back = turn.conjugate() * turned.state().X_WB[0].p;
      apart = std::max(apart, (back - straight.state().X_WB[0].p).norm());
      load = std::max(load, Value(straight, Signal::kNormalForce));
    }
    EXPECT_GT(load, 0) << Methods()[m].id;
    EXPECT_LT(apart, 1e-12) << Methods()[m].id;
  }
}

}  // namespace
}  // namespace slip::test
