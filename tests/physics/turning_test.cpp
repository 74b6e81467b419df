// What turns in space while it touches: discs that roll on their rims, and tops. Energy must not
// drift in proportion to the step, and what does not turn must stay as it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "engine/convex/convex_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"
#include "tests/support/rolling_coin.h"
#include "tests/support/turning.h"

namespace slip::test {
namespace {

// ---- rolling

struct DiscCase {
  double h, drift, rise;  // what the notes on second order have after it: [J/s], [m]
};
constexpr DiscCase kDiscCases[] = {
    {5e-3, 5.7e-5, 0.48e-3}, {2e-3, 1.2e-5, 0.14e-3}, {1e-3, 3.1e-6, 0.064e-3}};

TEST(RollingDisc, KeepsItsEnergyAndHeight) {
  const Scene scene = Read(kRollingCoin);
  for (const MethodId method : {method_id::kSap, method_id::kLagged, method_id::kSimilar}) {
    for (const DiscCase& each : kDiscCases) {
      Simulation sim(scene.model, With(scene.config, method, each.h));
      const Outcome out = Follow(&sim, 0.6);
      // of SAP; the others are alike
      EXPECT_GT(out.drift, 0) << Info(method).id << " " << each.h;
      EXPECT_LT(out.drift, 1.3 * each.drift) << Info(method).id << " " << each.h;
      EXPECT_LT(out.highest, 1.2 * each.rise) << Info(method).id << " " << each.h;
    }
  }
}

// As published it climbs, in proportion to the step, whatever the model.
TEST(RollingDisc, ClimbsWhereTurningIsTakenAtTheStart) {
  const Scene scene = Read(kRollingCoin);
  for (const MethodId method : {method_id::kSap, method_id::kLagged, method_id::kSimilar}) {
    Simulation sim(scene.model, With(scene.config, method, 1e-3, Turning::kStart));
    const Outcome out = Follow(&sim, 0.6);
    EXPECT_NEAR(out.drift, 1.33e-3, 1e-5) << Info(method).id;
    EXPECT_NEAR(out.highest, 2.5e-3, 0.1e-3) << Info(method).id;
  }
}

TEST(RollingDisc, GoesOnForTenSeconds) {
  const Scene scene = Read(kRollingCoin);
  Config config = With(scene.config, method_id::kSap, 1e-3);
  ASSERT_TRUE(ApplyAssignment(&config, "dissipation=10").ok());
  Simulation sim(scene.model, config);
  EXPECT_LT(Follow(&sim, 10).highest, 0.5e-3);
}

constexpr const char* kTop = R"(
title = "A spinning top"
contact_margin = 0.005
gravity = 9.81
stiction_tolerance = 1e-6
friction_regularization = 1e-5
[material.body]
stiffness = 1e6
dissipation = 10
relaxation_time = 0
friction = 1
[surface.table]
[body.top]
shape = "sphere"
radius = 0.02
mass = 0.1
inertia = [4e-05, 4e-05, 5e-05]
contact_points = [[0, 0, -0.04]]
point_radius = 0
start_offset = "rest"
position = [0.013680805733026749, 0, 0.037587704831436336]
quaternion = [0.98480775301220802, 0, 0.17364817766693033, 0]
velocity = [0, 0.037045863471429463, 0]
angular_velocity = [101.73574988433199, 0, 282.22454702412557]
)";

double TiltOf(const Simulation& sim) {
  return std::acos((sim.state().X_WB[0].q * Vec3::UnitZ()).z()) / kDegree;
}

TEST(SpinningTop, KeepsItsTilt) {
  const Scene scene = Read(kTop);
  struct Case {
    double h, drift, tilt;  // [J/s], change in half a second [deg]
  };
  for (const MethodId method : {method_id::kSap, method_id::kLagged, method_id::kSimilar}) {
    for (const Case& each :
         {Case{2e-3, 7.2e-6, -0.17}, Case{1e-3, 5e-7, -0.05}, Case{0.5e-3, 1e-7, -0.02}}) {
      Simulation sim(scene.model, With(scene.config, method, each.h));
      const Outcome out = Follow(&sim, 0.5);
      EXPECT_LT(std::abs(out.drift), each.drift) << Info(method).id << " " << each.h;
      EXPECT_NEAR(TiltOf(sim) - 20, each.tilt, 0.01) << Info(method).id << " " << each.h;
      EXPECT_LT(out.highest, 0.1e-3);
    }
    Simulation sim(scene.model, With(scene.config, method, 1e-3, Turning::kStart));
    Follow(&sim, 0.5);
    EXPECT_NEAR(TiltOf(sim) - 20, 0.97, 0.01) << Info(method).id;
  }
}

// ---- a tippe top

constexpr const char* kTippeTop = R"(
title = "A tippe top"
contact_margin = 0.005
gravity = 9.81
stiction_tolerance = 1e-5
friction_regularization = 1e-5
[material.body]
stiffness = 1e6
dissipation = 10
friction = 0.3
[surface.table]
[body.top]
shape = "sphere"
radius = 0.015
mass = 0.015
inertia = [1.2e-06, 1.2e-06, 1.3e-06]
contact_points = [[0, 0, 0.003]]
point_radius = 0.015
start_offset = "glide-or-rest"
position = [0, 0, 0.0120455767]
quaternion = [0.99619469809174555, 0, 0.087155742747658174, 0]
angular_velocity = [34.72963553338607, 0, 196.96155060244160]
)";

TEST(TippeTop, DoesNotTurnOverBecauseOfTheStep) {
  const Scene scene = Read(kTippeTop);
  const double right = 3.42;  // after 1.5 s [deg]
  for (const double h : {2e-3, 1e-3, 0.5e-3}) {
    for (const MethodId method : {method_id::kSap, method_id::kLagged}) {
      Simulation sim(scene.model, With(scene.config, method, h));
      Follow(&sim, 1.5);
      EXPECT_NEAR(TiltOf(sim), right, method == method_id::kSap ? 0.03 : 0.4)
          << Info(method).id << " " << h;
    }
  }
  Simulation sim(scene.model, With(scene.config, method_id::kSap, 2e-3, Turning::kStart));
  Follow(&sim, 1.5);
  EXPECT_GT(TiltOf(sim), 90);
}

// ---- what stays

constexpr const char* kBallOnSlope = R"(
title = "A ball rolls down"
gravity = 9.81
tilt = "20 deg"
[material.steel]
stiffness = 1e6
dissipation = 10
friction = 0.5
[surface.slope]
[body.ball]
shape = "sphere"
radius = 0.05
mass = 1
position = [0, 0, 0.05]
start_offset = "rest"
)";

constexpr const char* kPuck = R"(
title = "A puck slides and spins"
gravity = 9.81
[material.steel]
stiffness = 1e6
dissipation = 10
friction = 0.3
[surface.ice]
[body.puck]
shape = "box"
size = [0.1, 0.1, 0.02]
mass = 1
position = [0, 0, 0.01]
velocity = [1.5, 0, 0]
angular_velocity = [0, 0, 40]
start_offset = "glide-or-rest"
)";

constexpr const char* kStack = R"(
title = "Turned boxes on each other"
gravity = 9.81
[material.wood]
stiffness = 1e5
dissipation = 10
friction = 0.5
[surface.floor]
[body.lower]
shape = "box"
size = [0.2, 0.2, 0.1]
mass = 1
position = [0, 0, 0.05]
[body.middle]
shape = "box"
size = [0.2, 0.2, 0.1]
mass = 1
position = [0.01, 0, 0.15]
quaternion = [0.98, 0, 0, 0.2]
[body.upper]
shape = "box"
size = [0.2, 0.2, 0.1]
mass = 1
position = [0, 0.01, 0.25]
quaternion = [0.96, 0, 0, 0.28]
)";

/// Places of a body at the end with turning at the middle and at the start.
std::pair<Vec3, Vec3> EndBothWays(const char* text, MethodId method, double h, double duration,
                                  std::size_t body) {
  const Scene scene = Read(text);
  Vec3 ends[2];
  for (const Turning turning : {Turning::kMiddle, Turning::kStart}) {
    Simulation sim(scene.model, With(scene.config, method, h, turning));
    Follow(&sim, duration);
    ends[static_cast<int>(turning)] = sim.state().X_WB[body].p;
  }
  return {ends[0], ends[1]};
}

TEST(Turning, LeavesABallThatRollsDownASlope) {
  const double a = 5.0 / 7 * 9.81 * std::sin(20 * kDegree);
  for (const MethodId method : {method_id::kSap, method_id::kLagged, method_id::kSimilar}) {
    for (const double h : {5e-3, 1e-3}) {
      const auto [middle, start] = EndBothWays(kBallOnSlope, method, h, 1, 0);
      EXPECT_LT((middle - start).norm(), 1e-12) << Info(method).id;
      EXPECT_NEAR(middle.x(), 0.5 * a * (1 + h), 0.01 * h * a + 1e-3) << Info(method).id;
    }
  }
}

TEST(Turning, LeavesAPuckAndAStack) {
  for (const MethodId method : {method_id::kSap, method_id::kLagged, method_id::kSimilar}) {
    const auto [middle, start] = EndBothWays(kPuck, method, 1e-3, 1, 0);
    EXPECT_NEAR(middle.x(), start.x(), 1e-4 * start.x()) << Info(method).id;
    const auto [upper, as_before] = EndBothWays(kStack, method, 5e-3, 2, 2);
    EXPECT_LT((upper - as_before).norm(), 1e-7) << Info(method).id;
  }
}

TEST(Turning, DoesNothingInAPlane) {
  const auto scene = *FindScene("conveyor");
  ASSERT_TRUE(scene->model->planar);
  const ParamInfo* info = FindParam(scene->config, "turning");
  ASSERT_NE(info, nullptr);
  EXPECT_FALSE(WhyIdle(*scene->model, *info).empty());
  EXPECT_TRUE(WhyIdle(*Read(kPuck).model, *info).empty());
  for (std::size_t m = 0; m < Methods().size(); ++m) {
    if (Methods()[m].contact_model < 0) continue;
    const auto method = static_cast<MethodId>(m);
    Simulation middle(scene->model, With(scene->config, method, 5e-3));
    Simulation start(scene->model, With(scene->config, method, 5e-3, Turning::kStart));
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(Advanced(middle.Step()) && Advanced(start.Step()));
    }
    EXPECT_EQ(Hash(middle.state()), Hash(start.state())) << Methods()[m].id;
  }
}

}  // namespace
}  // namespace slip::test
