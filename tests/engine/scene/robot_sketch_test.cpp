// Robots whose files have no shapes: what is drawn for them, where, and that nothing else of them
// is another.
#include "engine/scene/robot_sketch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/core/pose.h"
#include "engine/dynamics/kinematics.h"
#include "engine/export/export.h"
#include "engine/mjcf/mjcf.h"
#include "engine/scene/robot_scene.h"
#include "tests/engine/export/exported_scenes.h"
#include "tests/support/urdf.h"

namespace slip {
namespace {

using test::JointText;
using test::LinkText;

/// An arm that stands up, turns about y and slides along z, with a tip that weighs nothing.
std::string Arm(const std::string& of_base = test::kBody) {
  return "<robot name='arm'>" + LinkText("base", of_base) + LinkText("upper") + LinkText("rod") +
         LinkText("tip", "") +
         JointText("shoulder", "continuous", "base", "upper",
                   "<origin xyz='0 0 0.5'/><axis xyz='0 1 0'/>") +
         JointText("slide", "prismatic", "upper", "rod",
                   "<origin xyz='0.4 0 0'/><axis xyz='1 0 0'/><limit lower='0' upper='0.2' "
                   "effort='1' velocity='1'/>") +
         JointText("end", "fixed", "rod", "tip", "<origin xyz='0.3 0 0'/>") + "</robot>";
}

std::shared_ptr<const Scene> SceneOf(const std::string& urdf) {
  const auto robot = test::ReadText(urdf);
  EXPECT_TRUE(robot.ok()) << test::ErrorsOf(robot);
  const auto scene = ReadRobotScene(robot.value(), "arm.urdf");
  EXPECT_TRUE(scene.ok()) << scene.error().Text();
  return *scene;
}

/// Both ends of a bar, or a shape along x, in the world at the start.
std::pair<Vec3, Vec3> EndsOf(const Model& model, const Body& visual) {
  State start;
  SetStart(model, &start);
  const Pose X = start.pose(visual.joint.parent) * visual.joint.X_PF;
  const Vec3 half(0.5 * visual.shape.length, 0, 0);
  return {X * Vec3(-half), X * half};
}

std::vector<const Body*> Visuals(const Model& model, const std::string& link, ShapeKind kind) {
  std::vector<const Body*> found;
  for (const Body& visual : model.visuals)
    if (visual.name == link && visual.shape.kind == kind) found.push_back(&visual);
  return found;
}

TEST(RobotSketch, BarsGoFromJointToJointAndDrumsStandOnAxes) {
  const auto scene = SceneOf(Arm());
  const Model& model = *scene->model;
  const auto base = Visuals(model, "arm/base", ShapeKind::kCapsule);
  ASSERT_EQ(base.size(), 1u);
  const auto [from, to] = EndsOf(model, *base.front());
  const Vec3 way = to - from;
  EXPECT_LT((way - Vec3(0, 0, 0.5)).norm(), 1e-12) << way.transpose();
  // its bar, and the rail of what slides on it
  const auto upper = Visuals(model, "arm/upper", ShapeKind::kCapsule);
  ASSERT_EQ(upper.size(), 2u);
  const auto [hub, slide] = EndsOf(model, *upper[0]);
  EXPECT_LT((hub - to).norm(), 1e-12);
  EXPECT_LT((slide - hub - Vec3(0.4, 0, 0)).norm(), 1e-12);
  const auto [low, high] = EndsOf(model, *upper[1]);
  EXPECT_LT((high - low - Vec3(0.2, 0, 0)).norm(), 1e-12);
  // the frame that the file names at its end
  const auto rod = Visuals(model, "arm/rod", ShapeKind::kCapsule);
  ASSERT_EQ(rod.size(), 1u);
  const auto [root, tip] = EndsOf(model, *rod.front());
  EXPECT_LT((tip - root - Vec3(0.3, 0, 0)).norm(), 1e-12);
  const auto drum = Visuals(model, "arm/upper", ShapeKind::kCylinder);
  ASSERT_EQ(drum.size(), 1u);
  const auto [left, right] = EndsOf(model, *drum.front());
  EXPECT_LT((0.5 * (left + right) - to).norm(), 1e-12);
  EXPECT_LT((right - left).cross(Vec3::UnitY()).norm(), 1e-12);
  EXPECT_EQ(Visuals(model, "arm/rod", ShapeKind::kBox).size(), 1u) << "its sleeve";
}

TEST(RobotSketch, StandsOnTheFloorAndTheCameraSeesAllOfIt) {
  const auto scene = SceneOf(Arm());
  const Model& model = *scene->model;
  Vec3 low = Vec3::Constant(1e9), high = -low;
  State start;
  SetStart(model, &start);
  for (const Body& visual : model.visuals) {
    Vec3 a, b;
    CalcBounds(visual.shape, start.pose(visual.joint.parent) * visual.joint.X_PF, &a, &b);
    low = low.cwiseMin(a);
    high = high.cwiseMax(b);
  }
  EXPECT_NEAR(low.z(), 0, 1e-8);
  EXPECT_GT(scene->camera.distance, 1.5 * (high - low).norm());
  EXPECT_LT(scene->camera.distance, 4 * (high - low).norm());
  EXPECT_LT((scene->camera.target - 0.5 * (low + high)).norm(), 1e-3);
}

TEST(RobotSketch, ABodyAloneIsABall) {
  const auto scene = SceneOf("<robot name='arm'>" + LinkText("base") + "</robot>");
  ASSERT_EQ(scene->model->visuals.size(), 1u);
  EXPECT_EQ(scene->model->visuals[0].shape.kind, ShapeKind::kSphere);
}

TEST(RobotSketch, OfAModelOfMuJoCoTheWorldIsNoBar) {
  const auto robot = ReadMjcfText(
      "<mujoco model='m'><worldbody><body name='a' pos='0 0 1'><joint name='j' axis='0 1 0'/>"
      "<inertial pos='0.3 0 0' mass='1' diaginertia='.1 .1 .1'/></body></worldbody></mujoco>",
      "m.xml", testing::TempDir());
  ASSERT_TRUE(robot.ok()) << robot.error().Text();
  const auto scene = ReadRobotScene(*robot, "m.xml");
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const Model& model = *(*scene)->model;
  EXPECT_TRUE(std::all_of(model.visuals.begin(), model.visuals.end(),
                          [](const Body& visual) { return visual.name == "m/a"; }));
  // to its centre of mass, with a ball on the end
  EXPECT_EQ(Visuals(model, "m/a", ShapeKind::kCapsule).size(), 1u);
  EXPECT_EQ(Visuals(model, "m/a", ShapeKind::kSphere).size(), 1u);
  EXPECT_EQ(Visuals(model, "m/a", ShapeKind::kCylinder).size(), 1u);
}

TEST(RobotSketch, OneShapeIsEnoughForNone) {
  const std::string box = "<visual><geometry><box size='.1 .1 .1'/></geometry></visual>";
  const auto scene = SceneOf(Arm(test::kBody + box));
  EXPECT_EQ(scene->model->visuals.size(), 1u);
  EXPECT_FALSE(IsSketched(scene->model->visuals[0]));
}

TEST(RobotSketch, NoExportHasIt) {
  const test::ExportedScene scene(SceneOf(Arm()));
  EXPECT_FALSE(scene.model->visuals.empty());
  for (const ExportFormat& format : ExportFormats()) {
    const Export exported = format.write(scene.Input());
    EXPECT_EQ(exported.text.find("capsule"), std::string::npos) << format.id;
    EXPECT_EQ(exported.text.find("cylinder"), std::string::npos) << format.id;
  }
}

}  // namespace
}  // namespace slip
