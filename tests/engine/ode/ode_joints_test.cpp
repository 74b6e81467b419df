// Joints and motors in ODE beside our own, and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/ode/version.h"
#include "engine/run/study/run_plan.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

class OdeJointsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!WhyNoOde().empty()) GTEST_SKIP() << WhyNoOde();
  }
};

Simulation SimulateJoints(const std::shared_ptr<const Scene>& scene, const std::string& method,
                          const std::vector<std::string>& assignments) {
  const auto plan = MakeRunPlan(scene, method, assignments, {});
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().Text());
  return Simulation(scene->ModelFor(plan->configs[0]), plan->configs[0]);
}

/// Two links; `extra` is part of the second joint.
std::shared_ptr<const Scene> ArmScene(const std::string& first, const std::string& second,
                                      const std::string& extra) {
  const TempFolder folder;
  const auto link = [](const char* name) {
    return fmt::format(
        "<link name=\"{}\"><inertial><origin xyz=\"0.02 0 -0.2\"/><mass value=\"0.7\"/>"
        "<inertia ixx=\"0.01\" ixy=\"0.001\" ixz=\"0\" iyy=\"0.012\" iyz=\"0\" izz=\"0.004\"/>"
        "</inertial></link>",
        name);
  };
  WriteText(folder.path("arm.urdf"),
            "<robot name=\"arm\"><link name=\"base\"/>" + link("upper") + link("lower") +
                "<joint name=\"shoulder\" type=\"" + first +
                "\"><parent link=\"base\"/>"
                "<child link=\"upper\"/><axis xyz=\"0 1 0\"/><dynamics damping=\"0.05\"/>"
                "<limit lower=\"-9\" upper=\"9\" effort=\"100\" velocity=\"100\"/></joint>"
                "<joint name=\"elbow\" type=\"" +
                second +
                "\"><parent link=\"upper\"/><child link=\"lower\"/>"
                "<origin xyz=\"0 0.05 -0.4\"/><axis xyz=\"0.6 0.8 0\"/>"
                "<limit lower=\"-9\" upper=\"9\" effort=\"100\" velocity=\"100\"/>" +
                extra + "</joint></robot>");
  WriteText(folder.path("arm.toml"),
            "title = \"Arm\"\nduration = 1\ntime_step = 0.0002\n[material.steel]\n"
            "friction = 0.5\n[robot.arm]\nfile = \"arm.urdf\"\n"
            "base = \"fixed\"\nposition = [0, 0, 2]\njoints = { shoulder = 1.2" +
                std::string(extra.empty() ? ", elbow = -0.7" : "") + " }\n");
  const auto scene = ReadScene(folder.path("arm.toml"));
  EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.error().Text());
  return scene.ok() ? *scene : nullptr;
}

// Two links swing in space, axes askew: what Coriolis forces do is there.
TEST_F(OdeJointsTest, AnArmSwingsAsOurs) {
  const auto scene = ArmScene("revolute", "revolute", "");
  ASSERT_NE(scene, nullptr);
  for (const std::vector<std::string>& motors :
       {std::vector<std::string>{},
        std::vector<std::string>{"joint_stiffness=20", "joint_damping=0.5"}}) {
    Simulation ours = SimulateJoints(scene, "sap", motors);
    std::vector<std::string> direct = motors;
    direct.emplace_back("ode_solver=world");
    Simulation theirs = SimulateJoints(scene, "ode", direct);
    double most = 0, turned = 0;
    for (int i = 0; i < 3000; ++i) {
      ASSERT_TRUE(Advanced(ours.Step())) << ours.failure();
      ASSERT_TRUE(Advanced(theirs.Step())) << theirs.failure();
      most = std::max(most, (ours.state().q - theirs.state().q).cwiseAbs().maxCoeff());
      turned = std::max(turned, ours.state().v.cwiseAbs().maxCoeff());
    }
    EXPECT_GT(turned, 1);
    EXPECT_LT(most, 2e-3) << turned;
  }
}

TEST_F(OdeJointsTest, AQuadrupedStandsAsUnderSap) {
  const auto scene = FindScene("quadruped-stand");
  ASSERT_TRUE(scene.ok());
  Simulation ours = SimulateJoints(*scene, "sap", {});
  Simulation theirs = SimulateJoints(*scene, "ode", {"ode_solver=world"});
  while (ours.time() < 0.5) {
    ASSERT_TRUE(Advanced(ours.Step())) << ours.failure();
    ASSERT_TRUE(Advanced(theirs.Step())) << theirs.failure();
  }
  const int lead = ours.model().lead_body;
  EXPECT_NEAR(ours.state().pose(lead).p.z(), theirs.state().pose(lead).p.z(), 1e-3);
}

// Slides that hang on each other: motors carry them where ours do.
TEST_F(OdeJointsTest, SlidesOnSlidesGoAsOurs) {
  const auto scene = ArmScene("prismatic", "prismatic", "");
  ASSERT_NE(scene, nullptr);
  const std::vector<std::string> motors = {"joint_stiffness=200", "joint_damping=3",
                                           "joint_target=0"};
  Simulation ours = SimulateJoints(scene, "sap", motors);
  Simulation theirs =
      SimulateJoints(scene, "ode", {motors[0], motors[1], motors[2], "ode_solver=world"});
  double most = 0, moved = 0;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(Advanced(ours.Step())) << ours.failure();
    ASSERT_TRUE(Advanced(theirs.Step())) << theirs.failure();
    most = std::max(most, (ours.state().q - theirs.state().q).cwiseAbs().maxCoeff());
    moved = std::max(moved, ours.state().v.cwiseAbs().maxCoeff());
  }
  EXPECT_GT(moved, 1);
  EXPECT_LT(most, 1e-6);
}

TEST_F(OdeJointsTest, WhatIsRefusedIsNamed) {
  const auto failure = [](const std::shared_ptr<const Scene>& scene) {
    if (scene == nullptr) return std::string();
    Simulation sim = SimulateJoints(scene, "ode", {});
    EXPECT_FALSE(Advanced(sim.Step()));
    return sim.failure();
  };
  const std::string follows =
      failure(ArmScene("revolute", "revolute", "<mimic joint=\"shoulder\" multiplier=\"2\"/>"));
  EXPECT_NE(follows.find("ODE has no joints that follow others, as that of"), std::string::npos)
      << follows;
  const std::string slides = failure(ArmScene("revolute", "prismatic", ""));
  EXPECT_NE(slides.find("slides on links that turn, as that of"), std::string::npos) << slides;
}

}  // namespace
}  // namespace slip
