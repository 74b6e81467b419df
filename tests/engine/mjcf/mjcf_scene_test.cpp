// Models of MuJoCo as scenes: how they begin, stand and move.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/dynamics/kinematics.h"
#include "engine/scene/robot_scene.h"
#include "tests/support/mjcf_models.h"
#include "tests/support/mjcf_scenes.h"
#include "tests/support/mjcf_twin.h"

namespace slip {
namespace {

using test::FindBody;
using test::RunSteps;
using MjcfScenes = test::MjcfSceneTest;

class EveryMjcfModel : public testing::TestWithParam<test::MjcfCase> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryMjcfModel, testing::ValuesIn(test::kMjcfModels),
                         [](const auto& info) { return info.param.name; });

TEST_P(EveryMjcfModel, RunsForASecond) {
  TempFolder folder;
  WriteText(folder.path("m.xml"), GetParam().text);
  const auto scene = FindScene(folder.path("m.xml"));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  for (const MethodId method : {method_id::kSap, method_id::kLagged}) {
    const Config& config = (*scene)->config;
    const int steps = static_cast<int>(std::lround(1 / config.step.time_step));
    const Simulation sim = RunSteps(**scene, config, steps, method);
    for (const Pose& X : sim.state().X_WB) {
      ASSERT_TRUE(X.p.allFinite());
      EXPECT_LT(X.p.norm(), 20);
    }
    EXPECT_LT(sim.state().v.cwiseAbs().maxCoeff(), 100);
  }
}

// The same depth at rest as in MuJoCo: sphere, box and capsule, both cones, several parameters.
TEST_F(MjcfScenes, LieAsDeepAsInMuJoCo) {
  const struct {
    const char *geom, *option, *contact;
    int points;
  } cases[] = {
      {"size='0.1'", "cone='elliptic'", "", 1},
      {"size='0.1'", "cone='pyramidal'", "", 1},
      {"size='0.1'", "cone='pyramidal' impratio='3'", "friction='0.5'", 1},
      {"size='0.1'", "cone='elliptic'", "solref='0.05 1.3' solimp='0.8 0.97 0.01 0.4 3'", 1},
      {"size='0.1'", "cone='elliptic'", "solref='-3000 -80' solimp='0.7 0.7 0.001'", 1},
      {"size='0.1'", "cone='pyramidal'", "condim='1'", 1},
      {"size='0.2 0.1 0.05' type='box'", "cone='elliptic'", "", 4},
      {"size='0.05 0.2' type='capsule' euler='0 90 0'", "cone='elliptic'", "", 2},
  };
  for (const auto& c : cases) {
    const std::string text = fmt::format(
        "<mujoco model='rest'><option timestep='0.002' {1}/><worldbody>"
        "<geom type='plane' size='1 1 1' {2}/><body name='b' pos='0 0 {3}'>"
        "<freejoint name='f'/><geom {0} {2}/></body></worldbody></mujoco>",
        c.geom, c.option, c.contact, c.points == 1 ? 0.1 : 0.05);
    SCOPED_TRACE(text);
    test::MjcfTwin twin(text, "rest/");
    for (int i = 0; i < 3000; ++i) mj_step(twin.m, twin.d);
    const double theirs = twin.d->qpos[2];
    const auto scene = Read(text);
    ASSERT_NE(scene, nullptr);
    const double start = c.points == 1 ? 0.1 : 0.05;
    const Simulation sim = test::RunStiff(*scene, 6);
    const double ours = sim.state().X_WB[FindBody(sim.model(), "rest/b")].p.z();
    EXPECT_NEAR(start - ours, start - theirs, 2e-3 * (start - theirs)) << start - theirs;
  }
}

// Capsules that cross on the axis of the only joint between them: their contact moves nothing.
TEST_F(MjcfScenes, AContactOnAJointsAxisDoesNoHarm) {
  const auto scene = Read(
      "<mujoco model='cross'><compiler angle='radian'/><worldbody>"
      "<geom name='leg' type='capsule' fromto='0 0 1 .2 .2 1' size='.08'/>"
      "<body name='b' pos='.2 .2 1'><joint name='j' axis='0 0 1' armature='1' damping='1' "
      "stiffness='1' range='-.5 .5'/><geom type='capsule' fromto='0 0 0 .2 .2 0' size='.08' "
      "density='50'/><body name='c' pos='.2 .2 0'><joint name='k' axis='-1 1 0' armature='1' "
      "damping='1' range='-1 1'/><geom type='capsule' fromto='0 0 0 .4 .4 0' size='.08' "
      "density='50'/></body></body></worldbody></mujoco>");
  ASSERT_NE(scene, nullptr);
  Config config = scene->config;
  config.step.time_step = 1e-3;
  EXPECT_LT(RunSteps(*scene, config, 2000).state().v.cwiseAbs().maxCoeff(), 10);
}

TEST_F(MjcfScenes, FallAsInMuJoCo) {
  // no contact, no limit: a free body with a hinge, a ball joint and slides, for half a second
  const std::string text =
      "<mujoco model='fall'><option timestep='0.0005'/><worldbody>"
      "<geom type='plane' size='9 9 0.1' pos='0 0 -9'/>"
      "<body name='a' pos='0 0 2' euler='10 20 30'><freejoint name='f'/>"
      "<inertial pos='0.02 0.01 0' mass='1.5' diaginertia='0.02 0.03 0.04'/>"
      "<body name='b' pos='0.2 0 0'><joint name='h' axis='0 1 0' damping='0.01' stiffness='0.5'/>"
      "<geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.02'/></body></body></worldbody>"
      "<keyframe><key qpos='0.1 0.2 3 0.9 0.1 0.2 0.3 0.5' qvel='1 0 2 0.5 -1 2 "
      "3'/></keyframe></mujoco>";
  const auto scene = Read(text);
  ASSERT_NE(scene, nullptr);
  const Model& model = *scene->model;
  test::MjcfTwin twin(text, "fall/");
  mj_resetDataKeyframe(twin.m, twin.d, 0);
  mj_forward(twin.m, twin.d);
  // the same start
  State start;
  SetStart(model, &start);
  const std::size_t a = FindBody(model, "fall/a"), b = FindBody(model, "fall/b");
  for (const auto& [ours, theirs] : {std::pair(a, 1), std::pair(b, 2)}) {
    const Pose& X = start.X_WB[ours];
    EXPECT_LT((X.p - Vec3(twin.d->xipos + 3 * theirs)).norm(), 1e-9);
    double V[6];
    mj_objectVelocity(twin.m, twin.d, mjOBJ_BODY, theirs, V, 0);
    const Vec6 own = CalcVelocity(model, start, static_cast<int>(ours));
    EXPECT_LT((own.head<3>() - Vec3(V)).norm(), 1e-9);
    EXPECT_LT((own.tail<3>() - Vec3(V + 3)).norm(), 1e-9);
  }
  const Simulation sim = RunSteps(*scene, scene->config, 1000);
  for (int i = 0; i < 1000; ++i) mj_step(twin.m, twin.d);
  mj_forward(twin.m, twin.d);
  // both are of first order in the step
  const Pose& X = sim.state().X_WB[b];
  EXPECT_LT((X.p - Vec3(twin.d->xipos + 6)).norm(), 4e-3);
}

TEST_F(MjcfScenes, BeginAtTheirFirstKeyframeOrAtAnother) {
  const std::string text = test::kMjcfModels[5].text;
  const auto scene = Read(text);
  ASSERT_NE(scene, nullptr);
  State state;
  SetStart(*scene->model, &state);
  EXPECT_EQ(state.q, (Eigen::Vector3d(0.3, -0.5, 0.02)));
  EXPECT_EQ(state.v, (Eigen::Vector3d(0.1, 0.2, 0.3)));
  // kp gear² = 160 beside the spring's 5; 40 gear 0.4 beside 5 · 0.2
  const Config& config = scene->config;
  EXPECT_NEAR(config.joints[0].stiffness, 165, 1e-9);
  EXPECT_NEAR(config.joints[0].target, (40 * 2 * 0.4 + 5 * 0.2) / 165, 1e-12);
  const std::string scene_text =
      "title = \"T\"\n[material.m]\n[robot.r]\nfile = \"m.xml\"\nkeyframe = \"zero\"\n";
  const auto other =
      Read(text, scene_text + "joints = { jb = 0.7 }\njoint_stiffness = { ja = 9 }\n");
  ASSERT_NE(other, nullptr);
  SetStart(*other->model, &state);
  EXPECT_EQ(state.q, (Eigen::Vector3d(0, 0.7, 0)));
  EXPECT_EQ(other->config.joints[0].stiffness, 9);
  // the scene's own word on time step, floors and materials
  EXPECT_EQ(other->config.step.time_step, Config().step.time_step);
  EXPECT_TRUE(other->model->surfaces.empty());
  EXPECT_EQ(other->config.materials.size(), 1u);
  WriteText(folder_.path("s.toml"),
            "title = \"T\"\n[material.m]\n[robot.r]\nfile = \"m.xml\"\nkeyframe = \"lo\"\n");
  const auto wrong = FindScene(folder_.path("s.toml"));
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().Text().find("no keyframe 'lo'"), std::string::npos);
}

TEST_F(MjcfScenes, HaveTheFloorsGravityAndStepOfTheirFile) {
  const auto scene = Read(
      test::MjcfWorld("<geom name='slope' type='plane' size='2 3 1' pos='0 0 -1' euler='0 10 0'/>"
                      "<body><freejoint/><geom size='0.1'/></body>",
                      "<option timestep='0.004' gravity='1.5 0 -3'/>"));
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(scene->config.step.time_step, 0.004);
  EXPECT_LT((CalcGravity(scene->config.step) - Vec3(1.5, 0, -3)).norm(), 1e-12);
  ASSERT_EQ(scene->model->surfaces.size(), 1u);
  const Surface& slope = scene->model->surfaces[0];
  EXPECT_EQ(slope.name, "slope");
  EXPECT_EQ(slope.point, Vec3(0, 0, -1));
  const double angle = std::numbers::pi / 18;
  EXPECT_LT((slope.normal - Vec3(std::sin(angle), 0, std::cos(angle))).norm(), 1e-12);
  EXPECT_EQ(slope.display_size, Vec2(4, 6));
}

TEST_F(MjcfScenes, WhatStandsInTheWorldHasNamesOfItsOwn) {
  const auto scene = Read(test::MjcfWorld(
      "<geom name='wall' type='box' size='1 1 1' pos='3 0 0'/><geom type='box' size='1 1 1'/>"
      "<body name='t'><geom type='box' size='1 1 1' pos='0 3 0'/></body>" +
      test::MjcfArm()));
  ASSERT_NE(scene, nullptr);
  const Model& model = *scene->model;
  for (const auto& [name, place] :
       {std::pair("m/wall", Vec3(3, 0, 0)), std::pair("m/world.shape", Vec3(0, 0, 0)),
        std::pair("m/world.shape-2", Vec3(0, 3, 0))}) {
    const Body& body = model.bodies[FindBody(model, name)];
    EXPECT_EQ(body.X_WB.p, place);
    EXPECT_FALSE(body.Moves());
  }
}

TEST_F(MjcfScenes, PairsAndExcludesDecideWhoMeets) {
  const auto scene = Read(test::MjcfWorld(
      "<body name='a'><freejoint/><geom name='ga' size='0.1' contype='0' conaffinity='2'/></body>"
      "<body name='b'><freejoint/><geom name='gb' size='0.1' contype='0' conaffinity='2'/></body>"
      "<body name='c'><freejoint/><geom name='gc' size='0.1' contype='2' conaffinity='0'/></body>",
      {}, "<contact><pair geom1='ga' geom2='gb'/><exclude body1='a' body2='c'/></contact>"));
  ASSERT_NE(scene, nullptr);
  const Model& model = *scene->model;
  std::vector<int> shapes;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].collides) shapes.push_back(static_cast<int>(b));
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_FALSE(model.Linked(shapes[0], shapes[1]));
  EXPECT_TRUE(model.Linked(shapes[0], shapes[2]));
  EXPECT_FALSE(model.Linked(shapes[1], shapes[2]));
}

TEST_F(MjcfScenes, AFollowerMovesWithItsLeader) {
  const auto scene = Read(test::kMjcfModels[6].text);
  ASSERT_NE(scene, nullptr);
  Config config = scene->config;
  for (JointDrive& drive : config.joints)
    if (drive.name == "gripper/jl") drive.target = 0.03;
  const Simulation sim = RunSteps(*scene, config, 500);
  const Model& model = sim.model();
  const Body& left = model.bodies[FindBody(model, "gripper/left")];
  const Body& right = model.bodies[FindBody(model, "gripper/right")];
  EXPECT_GT(sim.state().q[left.q_start], 0.02);
  EXPECT_NEAR(sim.state().q[left.q_start], sim.state().q[right.q_start], 1e-4);
}

TEST_F(MjcfScenes, AreTheSameWhenTheirTextIsReadAgain) {
  // an experiment keeps the text, and reads the robot's file by it
  for (const test::MjcfCase& model : test::kMjcfModels) {
    const auto scene = Read(model.text);
    ASSERT_NE(scene, nullptr);
    const auto again = ReadSceneText(scene->text, folder_.path("again.toml"));
    ASSERT_TRUE(again.ok()) << again.error().Text();
    EXPECT_EQ(Hash(*scene->model), Hash(*(*again)->model)) << model.name;
    EXPECT_EQ(scene->config, (*again)->config) << model.name;
  }
}

}  // namespace
}  // namespace slip
