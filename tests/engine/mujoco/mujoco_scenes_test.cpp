// The scenes that have engines in them: creep and hops are the numbers that were published of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/dialect/dialect.h"
#include "engine/dynamics/inverse_masses.h"
#include "engine/dynamics/kinematics.h"
#include "engine/mujoco/version.h"
#include "engine/run/study/plan_notes.h"
#include "engine/run/study/run_plan.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"

namespace slip {
namespace {

class MujocoScenes : public testing::Test {
 protected:
  void SetUp() override {
    if (!WhyNoMujoco().empty()) GTEST_SKIP() << WhyNoMujoco();
  }
};

Simulation SceneOf(const std::string& name, const std::string& method,
                   const std::vector<std::string>& assignments) {
  const auto scene = FindScene(name);
  EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.error().Text());
  const auto plan = MakeRunPlan(*scene, method, assignments, {});
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().Text());
  return Simulation((*scene)->ModelFor(plan->configs[0]), plan->configs[0]);
}

// Under the scene's own settings, as a window runs it.
TEST_F(MujocoScenes, CreepInThePinchIsThatOfTheCard) {
  struct Case {
    const char* method;
    double impratio, published;  // [m/s], of google-deepmind/mujoco issue 3328
  };
  for (const Case& each : {Case{"mujoco", 10, 155e-6}, Case{"mujoco", 1, 1549e-6},
                           Case{"mujoco-pyramidal", 1, 2308e-6}}) {
    SCOPED_TRACE(fmt::format("{} {}", each.method, each.impratio));
    Simulation sim =
        SceneOf("creep-pinch", each.method, {fmt::format("mujoco_impratio={}", each.impratio)});
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    State start;
    SetStart(sim.model(), &start);
    const InverseMasses masses = CalcInverseMasses(sim.model(), start);
    const Dialect& dialect = *FindDialect(each.method);
    ASSERT_EQ(sim.contacts().size(), 4u) << "two a pad";
    for (const ContactFrame& c : sim.contacts()) {
      DialectContact at;
      at.fn = c.fn;
      at.ft = c.ft;
      at.inverse_mass = 0;
      for (const int body : {c.body, c.body_a})  // of links what they weigh, not their shapes
        at.inverse_mass +=
            masses.body[static_cast<std::size_t>(sim.model().body(body).Owner(body))];
      at.time_step = sim.config().step.time_step;
      const auto values = ParseDialectValues(
          dialect, fmt::format("friction={} impratio={}", c.friction, each.impratio));
      ASSERT_TRUE(values.ok());
      DialectRows rows;
      const DialectContact card = dialect.from(*values, at, DialectKeep::kRest, &rows);
      EXPECT_NEAR(CalcCreep(card) / c.vt, 1, 1e-4);
      EXPECT_NEAR(c.creep_predicted / c.vt, 1, 1e-4);
      EXPECT_NEAR(c.vt / each.published, 1, 1e-3);
    }
  }
}

// What sticks there is no matter of memory alone: the program that starts from rest holds it, too.
TEST_F(MujocoScenes, OthersInThePinchCreepByTheirOwnLaws) {
  for (const char* method : {"sap", "lagged", "quasi-dynamic"}) {
    SCOPED_TRACE(method);
    Simulation sim = SceneOf("creep-pinch", method, {});
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    for (const ContactFrame& c : sim.contacts()) {
      if (std::string(method) == "quasi-dynamic") {
        EXPECT_LT(c.vt, 1e-8);
      } else {
        EXPECT_NEAR(c.vt / c.creep_predicted, 1, 0.01);
      }
    }
  }
}

double HighestRise(const std::string& method, const std::vector<std::string>& assignments) {
  Simulation sim = SceneOf("launched-cube", method, assignments);
  double most = 0;
  while (sim.time() < 1.3) {
    EXPECT_TRUE(Advanced(sim.Step())) << sim.failure();
    most = std::max(most, sim.state().X_WB[0].p.z() - 0.05);
  }
  return most;
}

TEST_F(MujocoScenes, TheLaunchedCubeHopsAsHighAsWasMeasured) {
  // bounds of what libmujoco does by itself, with its own contacts
  EXPECT_NEAR(HighestRise("mujoco-pyramidal", {}), 0.3187, 1e-4);
  EXPECT_NEAR(HighestRise("mujoco", {}), 0.3085, 1e-4);
  EXPECT_NEAR(HighestRise("mujoco-pyramidal", {"mujoco_time_constant=20ms"}), 0.0770, 1e-4);
  EXPECT_NEAR(HighestRise("mujoco", {"mujoco_time_constant=20ms"}), 0.0744, 1e-4);
}

TEST_F(MujocoScenes, TheLaunchedCubeIsLiftedByItsLawOrSlides) {
  // μ (δt + τ_d) v at 6 m/s: 18 mm
  EXPECT_NEAR(HighestRise("sap", {}), 0.018, 0.0005);
  EXPECT_LT(HighestRise("lagged", {}), 1e-4);
  EXPECT_LT(HighestRise("exponential", {}), 1e-4);
}

// A motor that pulls by where the joint was says so, in no method of ours and at no step that is
// short for it.
TEST_F(MujocoScenes, AStiffExplicitMotorIsTold) {
  const auto told = [](const std::string& method, const std::vector<std::string>& assignments) {
    auto plan = MakeRunPlan(*FindScene("creep-pinch"), method, assignments, {});
    EXPECT_TRUE(plan.ok());
    plan.value().duration = 0.3;
    plan.value().watches_params = true;
    std::vector<Track> tracks;
    const RunResult result = slip::Run(*plan, &tracks, {});
    for (const ToldNote& note : NotesOf(*plan, 0, result.channels[0]))
      if (note.id == "explicit_motor") return note.text;
    return std::string();
  };
  EXPECT_EQ(told("mujoco", {}), "");
  const std::string text = told("mujoco", {"joint_stiffness=2e4"});
  EXPECT_NE(text.find("is stiff for steps of 2.00 ms in mujoco"), std::string::npos) << text;
  EXPECT_EQ(told("mujoco", {"joint_stiffness=2e4", "time_step=1ms"}), "");
  EXPECT_EQ(told("sap", {"joint_stiffness=2e4"}), "");
}

}  // namespace
}  // namespace slip
