// Every recipe in every convex model that robots are shown with, against the lines of the
// controller notes and the exponential-integration notes, section 5.
#include <gtest/gtest.h>

#include "engine/control/controllers.h"
#include "engine/convex/convex_params.h"
#include "tests/engine/control/robot_run.h"

namespace slip {
namespace {

using test::RobotRun;

class Recipes : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, Recipes, testing::ValuesIn(test::kRobotMethods),
                         test::MethodNameLong);

TEST_P(Recipes, StandsStill) {
  RobotRun run(GetParam(), ControllerId::kStand, 2e-3);
  ASSERT_TRUE(run.RunTo(1)) << run.sim().failure();
  EXPECT_LT(run.tilt, 1e-4);
  EXPECT_LT(run.drift, 1e-4);
  EXPECT_NEAR(run.Base().p.z(), 0.222946, 1e-4);
  EXPECT_LT(run.Speed(), 1e-3);
}

TEST_P(Recipes, SquatsAtEveryTimeStep) {
  for (const double h : {1e-3, 2e-3, 5e-3, 1e-2}) {
    SCOPED_TRACE(h);
    RobotRun run(GetParam(), ControllerId::kSquat, h);
    double error = 0;
    const double end = h < 2e-3 ? 1 : 3;
    while (run.sim().time() < end - 1e-9) {
      ASSERT_TRUE(run.RunTo(run.sim().time() + 0.04)) << run.sim().failure();
      const double wanted = 0.222946 + 0.03 * std::sin(2 * run.sim().time());
      error = std::max(error, std::abs(run.Base().p.z() - wanted));
    }
    EXPECT_LE(error, 0.011);
    EXPECT_LE(run.tilt, 2e-3);
    EXPECT_LT(run.drift, 1e-3);
    EXPECT_LT(run.torque, 1);
  }
}

TEST_P(Recipes, JumpsAndLands) {
  for (const double h : {1e-2, 5e-3, 2.5e-3}) {
    SCOPED_TRACE(h);
    RobotRun run(GetParam(), ControllerId::kJump, h);
    ASSERT_TRUE(run.RunTo(2.5)) << run.sim().failure();
    EXPECT_NEAR(run.highest, 0.266, 0.006);
    EXPECT_LT(run.tilt, 0.1);
    EXPECT_NEAR(run.Base().p.z(), 0.2229, 1e-3);
    EXPECT_LT(run.Speed(), 1e-2);
  }
}

TEST_P(Recipes, JumpsHighAndLands) {
  for (const double h : {1e-2, 5e-3, 2.5e-3}) {
    SCOPED_TRACE(h);
    RobotRun run(GetParam(), ControllerId::kJumpHigh, h);
    ASSERT_TRUE(run.RunTo(3)) << run.sim().failure();
    EXPECT_GT(run.highest, 0.605);
    EXPECT_LT(run.highest, 0.634);
    EXPECT_LT(run.tilt, 1e-3);
    EXPECT_LT(run.torque, 5.5);
    EXPECT_NEAR(run.Base().p.z(), 0.2229, 2e-4);
    EXPECT_LT(run.Speed(), 1e-2);
  }
}

TEST_P(Recipes, TrotsForwards) {
  for (const double h : {2e-3, 1e-3}) {
    SCOPED_TRACE(h);
    RobotRun run(GetParam(), ControllerId::kTrot, h);
    ASSERT_TRUE(run.RunTo(3)) << run.sim().failure();
    EXPECT_NEAR(run.Base().p.x(), 0.59, 0.012);
    EXPECT_LT(run.side, 0.006);
    EXPECT_LT(run.yaw, 0.03);
    EXPECT_LT(run.tilt, 0.035);
    EXPECT_LT(run.torque, 2);
    EXPECT_GT(run.lowest, 0.219);
    EXPECT_LT(run.highest, 0.228);
  }
}

TEST_P(Recipes, TrotsInPlace) {
  RobotRun run(GetParam(), ControllerId::kTrotInPlace, 2e-3);
  ASSERT_TRUE(run.RunTo(2)) << run.sim().failure();
  EXPECT_LT(run.tilt, 0.07);
  EXPECT_LT(run.drift, 0.05);
  EXPECT_LT(run.torque, 2.6);
  EXPECT_GT(run.lowest, 0.217);
  EXPECT_LT(run.highest, 0.228);
}

TEST_P(Recipes, SwaysFromFootToFoot) {
  RobotRun run(GetParam(), ControllerId::kShift, 5e-3);
  ASSERT_TRUE(run.RunTo(4)) << run.sim().failure();
  EXPECT_NEAR(run.side, 0.03, 0.002);
  EXPECT_LT(run.tilt, 3e-3);
  EXPECT_LT(run.torque, 26);
}

TEST_P(Recipes, WalksTwoSteps) {
  RobotRun run(GetParam(), ControllerId::kWalk, 5e-3);
  ASSERT_TRUE(run.RunTo(6)) << run.sim().failure();
  const Vec3 end = run.Base().p;
  EXPECT_NEAR(end.x(), 0.112, 2e-3);
  EXPECT_NEAR(end.y(), 0, 1e-3);
  EXPECT_NEAR(end.z(), 0.8319, 5e-4);
  EXPECT_LT(run.tilt, 5e-3);
  EXPECT_LT(run.torque, 48);
  EXPECT_GT(run.lowest, 0.831);
  EXPECT_LT(run.highest, 0.8327);
}

// The rows of SAP in the notes.
TEST(Recipes, TrotOfSapIsThatOfTheNotes) {
  for (const auto& [h, travel, tilt, torque] :
       {std::tuple(2e-3, 0.5852, 0.0196, 1.734), std::tuple(1e-3, 0.5899, 0.0207, 1.730)}) {
    RobotRun run("sap", ControllerId::kTrot, h);
    ASSERT_TRUE(run.RunTo(3));
    EXPECT_NEAR(run.Base().p.x(), travel, 1e-4);
    EXPECT_NEAR(run.tilt, tilt, 1e-4);
    EXPECT_NEAR(run.torque, torque, 2e-3);
  }
}

TEST(Recipes, HighJumpOfSapIsThatOfTheNotes) {
  for (const auto& [h, apex] :
       {std::pair(1e-2, 0.610), std::pair(5e-3, 0.621), std::pair(2.5e-3, 0.626)}) {
    RobotRun run("sap", ControllerId::kJumpHigh, h, Turning::kStart);
    ASSERT_TRUE(run.RunTo(1));
    EXPECT_NEAR(run.highest, apex, 6e-4);
    // legs that swing in the air take less from the jump where Coriolis forces are those of the
    // middle
    RobotRun middle("sap", ControllerId::kJumpHigh, h);
    ASSERT_TRUE(middle.RunTo(1));
    EXPECT_GT(middle.highest, run.highest + 0.5e-3);
    EXPECT_LT(middle.highest, 0.632);
  }
}

TEST(Recipes, WalkOfSapIsThatOfTheNotes) {
  RobotRun run("sap", ControllerId::kWalk, 5e-3);
  ASSERT_TRUE(run.RunTo(6));
  EXPECT_LT((run.Base().p - Vec3(0.1120, 0.0001, 0.8319)).norm(), 1.5e-4);
}

// Not run with the others: a minute of every recipe. Prints a table.
TEST_P(Recipes, DISABLED_AMinute) {
  const auto choices = RobotTable().front().info.choices;
  const auto row = [&](ControllerId id, double h) {
    RobotRun run(GetParam(), id, h);
    EXPECT_TRUE(run.RunTo(60)) << choices[static_cast<std::size_t>(id)] << " at "
                               << run.sim().time() << " s, " << run.sim().failure();
    const Vec3 end = run.Base().p;
    std::printf(
        "%-18s %-9s %4.1f ms  %5.1f s  tilt %.4f  drift %.4f  |y| %.4f  |tau| %6.3f  "
        "z %.4f to %.4f  end (%.4f, %.4f, %.4f)\n",
        GetParam().c_str(), choices[static_cast<std::size_t>(id)].data(), 1e3 * h, run.sim().time(),
        run.tilt, run.drift, run.side, run.torque, run.lowest, run.highest, end.x(), end.y(),
        end.z());
  };
  using enum ControllerId;
  for (const double h : {1e-3, 2e-3, 5e-3}) {
    for (const ControllerId id : {kStand, kSquat, kJump, kJumpHigh}) row(id, h);
  }
  for (const double h : {1e-3, 2e-3}) row(kTrot, h);
  for (const ControllerId id : {kShift, kWalk}) row(id, 5e-3);
}

}  // namespace
}  // namespace slip
