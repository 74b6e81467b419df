// Capsules of robots: what Bullet and newer descriptions call <capsule>, and Drake <drake:capsule>.
#include <fmt/format.h>

#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/models.h"
#include "tests/support/temp_folder.h"
#include "tests/support/urdf.h"

namespace slip::test {
namespace {

std::string CapsulePart(const std::string& kind, const std::string& element,
                        const std::string& rpy = "0 0 0") {
  return fmt::format(
      "<{0}><origin xyz=\"0 0 0.1\" rpy=\"{2}\"/><geometry><{1} radius=\"0.05\" length=\"0.3\"/>"
      "</geometry></{0}>",
      kind, element, rpy);
}

TEST(UrdfCapsule, ItStandsAlongZAndItsLengthIsWithoutCaps) {
  for (const char* element : {"capsule", "drake:capsule"}) {
    for (const bool collision : {false, true}) {
      const auto robot = ReadUrdfText(
          RobotText(
              LinkText("a", kBody + CapsulePart(collision ? "collision" : "visual", element)) +
              JointText("j", "continuous", "base", "a")),
          "r.urdf", ".");
      ASSERT_TRUE(robot.ok()) << ErrorsOf(robot);
      const RobotLink& link = robot->links.at(1);
      const auto& shapes = collision ? link.collisions : link.visuals;
      ASSERT_EQ(shapes.size(), 1u) << element;
      EXPECT_EQ(shapes[0].shape.kind, ShapeKind::kCapsule);
      EXPECT_EQ(shapes[0].shape.radius, 0.05);
      EXPECT_EQ(shapes[0].shape.length, 0.3);
      Vec3 low, high;
      CalcBounds(shapes[0].shape, shapes[0].X_LS, &low, &high);
      EXPECT_TRUE(low.isApprox(Vec3(-0.05, -0.05, -0.1), 1e-12)) << low.transpose();
      EXPECT_TRUE(high.isApprox(Vec3(0.05, 0.05, 0.3), 1e-12)) << high.transpose();
    }
  }
}

TEST(UrdfCapsule, ItLiesOnTheGround) {
  const TempFolder folder;
  WriteText(folder.path("r.urdf"),
            fmt::format("<robot name=\"r\"><link name=\"base\"><inertial><origin xyz=\"0 0 0.1\"/>"
                        "<mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.002\" "
                        "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>{}</link></robot>",
                        CapsulePart("collision", "capsule", "0 1.5707963267948966 0")));
  const auto scene = ReadSceneText(R"(
title = "A capsule"
time_step = "2 ms"
[material.rubber]
stiffness = 1e5
dissipation = 20
relaxation_time = "3 ms"
friction = 1
[surface.ground]
[robot.r]
file = "r.urdf"
base = "free"
position = [0, 0, 0]
)",
                                   folder.path("scene.toml"));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  Simulation simulation((*scene)->model, (*scene)->channels.at(0).config);
  while (simulation.time() < 1) ASSERT_TRUE(Advanced(simulation.Step())) << simulation.failure();
  EXPECT_NEAR(simulation.state().X_WB[0].p.z(), 0.05, 1e-3);
}

}  // namespace
}  // namespace slip::test
