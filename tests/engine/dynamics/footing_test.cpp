// What of a robot is on the floor, and whether its mass is above that.
#include "engine/dynamics/footing.h"

#include <gtest/gtest.h>

#include "engine/dynamics/kinematics.h"
#include "engine/scene/robot_builder.h"
#include "tests/support/folders.h"
#include "tests/support/urdf.h"

namespace slip {
namespace {

struct Placed {
  Model model;
  State state;
  explicit Placed(const RobotDescription& robot) {
    RobotPlacement place;
    place.name = "r";
    place.positions.assign(robot.joints.size(), 0);
    place.rates.assign(robot.joints.size(), 0);
    Config config;
    AppendRobot(robot, place, &model, &config);
    model.Finish();
    SetStart(model, &state);
  }
  Footing Find() const { return FindFooting(model, model.robots.front(), state); }
};

TEST(Footing, AQuadrupedIsOnItsFourLowerLegs) {
  const auto robot = ReadUrdf(SourceFolder() + "/assets/robots/quadruped.urdf");
  ASSERT_TRUE(robot.ok());
  const Placed placed(MergeFixedLinks(*robot));
  const Footing footing = placed.Find();
  ASSERT_EQ(footing.links.size(), 4u);
  for (const int link : footing.links)
    EXPECT_NE(placed.model.body(link).name.find("LOWER_LEG"), std::string::npos);
  for (const Vec3& p : footing.points_W) EXPECT_NEAR(p.z(), footing.lowest, 0.01);
}

// Every kind of shape ends where its bounds do.
TEST(Footing, EveryShapeHasItsLowestPoint) {
  const std::string turn = "<origin rpy=\"0.3 0.4 0.5\" xyz=\"0 0 0.2\"/>";
  for (const char* shape : {"<sphere radius=\"0.1\"/>", "<box size=\"0.1 0.2 0.3\"/>",
                            "<cylinder radius=\"0.1\" length=\"0.3\"/>"}) {
    const auto robot = test::ReadText(
        "<robot name=\"r\"><link name=\"base\">" + std::string(test::kBody) + "<collision>" + turn +
        "<geometry>" + shape + "</geometry></collision></link></robot>");
    ASSERT_TRUE(robot.ok()) << test::ErrorsOf(robot);
    const Placed placed(*robot);
    Vec3 low, high;
    CalcBounds(placed.model.bodies[1].shape, placed.state.X_WB[1], &low, &high);
    EXPECT_NEAR(placed.Find().lowest, low.z(), 1e-12) << shape;
  }
}

TEST(Footing, ARobotWithoutShapesHasNone) {
  const Placed placed(*test::ReadText(test::RobotText("")));
  EXPECT_TRUE(placed.Find().empty());
}

TEST(Footing, TheMarginIsTheWayToTheNearestEdge) {
  const std::vector<Vec3> square = {Vec3(1, 1, 0), Vec3(-1, 1, 0), Vec3(-1, -1, 0), Vec3(1, -1, 0),
                                    Vec3(0.5, 0.2, 0)};
  EXPECT_NEAR(CalcSupportMargin(square, Vec3(0, 0, 5)), 1, 1e-12);
  EXPECT_NEAR(CalcSupportMargin(square, Vec3(0.75, 0, 5)), 0.25, 1e-12);
  EXPECT_NEAR(CalcSupportMargin(square, Vec3(1.5, 0, 5)), -0.5, 1e-12);
  EXPECT_NEAR(CalcSupportMargin(square, Vec3(2, 2, 5)), -std::sqrt(2), 1e-12);
  // two point feet bear nothing beside their line, one bears nothing anywhere
  EXPECT_NEAR(CalcSupportMargin({Vec3(0, 0, 0), Vec3(0, 1, 0)}, Vec3(0.1, 0.5, 1)), -0.1, 1e-12);
  EXPECT_NEAR(CalcSupportMargin({Vec3(0, 0, 0), Vec3(0, 0, 0)}, Vec3(0.3, 0, 1)), -0.3, 1e-12);
  EXPECT_LT(CalcSupportMargin({}, Vec3(0, 0, 0)), 0);
}

}  // namespace
}  // namespace slip
