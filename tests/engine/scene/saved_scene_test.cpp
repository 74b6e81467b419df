// A scene that was made for a robot's file, saved as a file of its own: it opens to the same.
#include "engine/scene/saved_scene.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/sim/simulation.h"
#include "tests/support/folders.h"
#include "tests/support/methods.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWalker = R"(<mujoco model="walker">
  <worldbody><body name="trunk" pos="0 0 0.4"><freejoint/>
    <geom type="box" size="0.2 0.1 0.05" mass="4"/>
    <body name="left" pos="0 0.12 0"><joint name="hip_left" axis="0 1 0" range="-60 60"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03" mass="0.5"/></body>
    <body name="right" pos="0 -0.12 0"><joint name="hip_right" axis="0 1 0" range="-60 60"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03" mass="0.5"/></body>
  </body></worldbody>
  <actuator><motor joint="hip_left" ctrlrange="-20 20"/><motor joint="hip_right" ctrlrange="-20 20"/>
  </actuator>
</mujoco>)";

class SavedScene : public testing::Test {
 protected:
  std::shared_ptr<const Scene> Read(const std::string& path) {
    const auto scene = FindScene(folder_.path(path));
    EXPECT_TRUE(scene.ok()) << scene.error().Text();
    return scene.ok() ? *scene : nullptr;
  }

  /// Beside the robot's folder.
  std::shared_ptr<const Scene> Save(const Scene& scene, const std::vector<SavedChannel>& channels) {
    const std::string robot = "robots/" + fs::path(scene.file).filename().string();
    WriteText(folder_.path("saved.toml"), SavedRobotScene(scene, robot, channels));
    return Read("saved.toml");
  }

  void CopyRobots() {
    fs::copy(SourceFolder() + "/assets/robots", folder_.path("robots"),
             fs::copy_options::recursive);
  }

  const TempFolder folder_;
};

uint64_t HashAfter(const Scene& scene, const Config& config, int steps) {
  Simulation sim(scene.model, config);
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(Advanced(sim.Step())) << sim.failure();
  return Hash(sim.state());
}

TEST_F(SavedScene, OpensToTheSame) {
  CopyRobots();
  for (const char* robot : {"quadruped.urdf", "biped.urdf", "arm.urdf"}) {
    const auto made = Read(std::string("robots/") + robot);
    ASSERT_NE(made, nullptr);
    const auto saved = Save(*made, {SaveChannel(*made, made->config)});
    ASSERT_NE(saved, nullptr);
    EXPECT_EQ(Hash(*saved->model), Hash(*made->model)) << robot;
    ASSERT_EQ(saved->channels.size(), 1u);
    EXPECT_EQ(saved->channels[0].config, made->channels[0].config) << robot;
    EXPECT_EQ(saved->plots, made->plots);
    EXPECT_EQ(saved->camera.target, made->camera.target);
    EXPECT_EQ(saved->title, made->title);
    EXPECT_EQ(HashAfter(*saved, saved->channels[0].config, 100),
              HashAfter(*made, made->channels[0].config, 100))
        << robot;
  }
}

// What was changed since, in each model.
TEST_F(SavedScene, KeepsWhatWasChanged) {
  CopyRobots();
  const auto made = Read("robots/quadruped.urdf");
  ASSERT_NE(made, nullptr);
  Config first = made->config, second = made->config;
  second.step.method = static_cast<int>(MethodNamed("lagged"));
  for (const auto& [path, value] : {std::pair("joint.solo/FL_HAA.joint_target", 1.0 / 3),
                                    {"material.rubber.friction", 0.3},
                                    {"time_step", 1e-3}})
    ASSERT_TRUE(SetParam(&first, path, value).ok()) << path;
  ASSERT_TRUE(SetParam(&second, "turning", 1).ok());
  const auto saved = Save(*made, {SaveChannel(*made, first), SaveChannel(*made, second)});
  ASSERT_NE(saved, nullptr);
  ASSERT_EQ(saved->channels.size(), 2u);
  EXPECT_EQ(saved->channels[0].config, first);
  EXPECT_EQ(saved->channels[1].config, second);
}

// Motors of torque hold nothing by themselves: in the window they do, and in what it saves.
TEST_F(SavedScene, AModelWhoseMotorsHoldInTheWindowIsHeldInTheFile) {
  fs::create_directories(folder_.path("robots"));
  WriteText(folder_.path("robots/walker.xml"), kWalker);
  const auto made = Read("robots/walker.xml");
  ASSERT_NE(made, nullptr);
  ASSERT_EQ(made->config.joints.size(), 2u);
  EXPECT_EQ(made->config.joints[0].stiffness, 0) << "the file's own word";
  // it has no floor of its own
  ASSERT_EQ(made->model->surfaces.size(), 1u);
  EXPECT_NEAR(made->model->surfaces[0].point.z(), 0.4 - 0.33, 1e-9);
  auto window = CopyOf(made);
  window->Stage();
  const Config& held = window->channels[0].config;
  EXPECT_GT(held.joints[0].stiffness, 0);
  const auto saved = Save(*made, {SaveChannel(*made, held)});
  ASSERT_NE(saved, nullptr);
  EXPECT_TRUE(saved->opens_with.empty());
  EXPECT_EQ(saved->channels[0].config, held);
  EXPECT_EQ(Hash(*saved->model), Hash(*made->model));
  // legs of capsules are no feet to stand on for long, but no joint gives way
  Simulation sim(saved->model, saved->channels[0].config);
  while (sim.time() < 0.2) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
  std::vector<JointFrame> joints;
  sim.GetJoints(&joints);
  for (const JointFrame& joint : joints) EXPECT_NEAR(joint.position, 0, 0.05);
}

}  // namespace
}  // namespace slip
