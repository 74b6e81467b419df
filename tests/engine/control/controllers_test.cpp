// What holds for every controller: ticks, memory, limits, refusals and recovery from pushes.
#include "engine/control/controllers.h"

#include <gtest/gtest.h>

#include "engine/convex/convex_params.h"
#include "engine/core/param_text.h"
#include "tests/engine/control/robot_run.h"
#include "tests/support/alloc_guard.h"

namespace slip {
namespace {

using test::RobotRun;
using enum ControllerId;

constexpr ControllerId kAll[] = {kStand,       kSquat, kJump,  kJumpHigh,
                                 kTrotInPlace, kTrot,  kShift, kWalk};
constexpr int kHeldForces = 8;  // their place in the memory

TEST(Controllers, SameRunSameBits) {
  for (const ControllerId id : kAll) {
    RobotRun a("sap", id, 2e-3), b("sap", id, 2e-3);
    ASSERT_TRUE(a.RunTo(0.6));
    ASSERT_TRUE(b.RunTo(0.6));
    EXPECT_EQ(Hash(a.sim().state()), Hash(b.sim().state()));
    // all that they remember stands in the state: another simulation goes on the same
    RobotRun c("sap", id, 2e-3);
    c.sim().Restore(a.sim().now(), a.sim().config());
    ASSERT_TRUE(a.RunTo(0.8));
    ASSERT_TRUE(c.RunTo(0.8));
    EXPECT_EQ(Hash(a.sim().state()), Hash(c.sim().state())) << static_cast<int>(id);
  }
}

TEST(Controllers, StepsAllocateNothing) {
  for (const ControllerId id : kAll) {
    RobotRun run("lagged", id, 2e-3);
    // up to the last of the contact sets that a recipe goes through
    ASSERT_TRUE(run.RunTo(2.2));
    test::AllocGuard guard;
    for (int i = 0; i < 40; ++i) run.sim().Step();
    EXPECT_EQ(guard.count(), 0u) << static_cast<int>(id);
  }
}

TEST(Controllers, ForcesHoldBetweenTicks) {
  RobotRun run("sap", kSquat, 5e-3);
  VectorX held;
  int changes = 0;
  for (int i = 0; i < 80; ++i) {
    run.sim().Step();
    const VectorX now = run.sim().state().control.segment(kHeldForces, 12);
    if (i == 0 || now != held) {
      EXPECT_EQ(i % 8, 0) << "a tick every 40 ms";
      ++changes;
    }
    held = now;
  }
  EXPECT_EQ(changes, 10);
}

TEST(Controllers, ANewPeriodHoldsAtOnce) {
  RobotRun run("sap", kStand, 1e-3);
  ASSERT_TRUE(run.RunTo(0.101));
  Config config = run.sim().config();
  ASSERT_TRUE(SetParam(&config, "robot.solo.control_period", 4e-3).ok());
  run.sim().SetConfig(config);
  VectorX before = run.sim().state().control.segment(kHeldForces, 12);
  for (int i = 0; i < 12; ++i) {
    run.sim().Step();
    const VectorX now = run.sim().state().control.segment(kHeldForces, 12);
    EXPECT_EQ(now != before, i % 4 == 0) << i;
    before = now;
  }
}

TEST(Controllers, AnotherControllerStartsAnew) {
  RobotRun run("sap", kStand, 2e-3);
  ASSERT_TRUE(run.RunTo(0.5));
  Config config = run.sim().config();
  for (const char* change : {"controller=squat", "controller=trot-in-place", "controller=stand"}) {
    ASSERT_TRUE(ApplyAssignment(&config, change).ok());
    run.sim().SetConfig(config);
    const double time = run.sim().time();
    ASSERT_EQ(run.sim().Step(), StepStatus::kConverged);
    EXPECT_EQ(run.sim().state().control[1], time) << change;
    ASSERT_TRUE(run.RunTo(time + 1)) << change;
    EXPECT_LT(run.tilt, 0.1) << change;
  }
}

TEST(Controllers, NoneLeavesTheJointsFree) {
  RobotRun run("sap", kNone, 2e-3);
  ASSERT_EQ(run.sim().Step(), StepStatus::kConverged);
  EXPECT_EQ(run.sim().state().control.segment(kHeldForces, 12).norm(), 0);
  run.RunTo(1);
  EXPECT_LT(run.Base().p.z(), 0.1);
}

TEST(Controllers, ARefusedStepLeavesTheMemory) {
  RobotRun run("lagged", kTrot, 2e-3);
  ASSERT_TRUE(run.RunTo(0.3));
  const uint64_t before = Hash(run.sim().state());
  Config config = run.sim().config();
  config.step.max_iterations = 1;
  config.step.solver_tolerance = 1e-14;
  config.step.part<ConvexParams>().solver = 1;
  run.sim().SetConfig(config);
  const State start = run.sim().state();
  for (int i = 0; i < 20; ++i) {
    const State now = run.sim().state();
    if (Advanced(run.sim().Step())) continue;
    EXPECT_TRUE(Equal(now, run.sim().state()));
    return;
  }
  EXPECT_NE(before, Hash(run.sim().state()));
}

// Recipes count from where the robot stands and looks.
TEST(Controllers, HomeIsWhereItBegan) {
  const auto run = [](const Pose& X_WL) {
    test::RobotStart start = test::SoloStart(true);
    start.X_WL.q = X_WL.q;
    start.X_WL.p += X_WL.p;
    auto model = std::make_shared<const Model>(test::MakeSolo(start));
    Simulation sim(model, test::RobotConfig("sap", "solo", kTrot, 2e-3));
    while (sim.time() < 0.8) EXPECT_EQ(sim.Step(), StepStatus::kConverged);
    return Pose{sim.state().X_WB[0].p, sim.state().X_WB[0].q * model->bodies[0].X_BL.q};
  };
  const Pose turned{Vec3(1, -2, 0), CalcRotation(Vec3(0, 0, 2.1))};
  const Pose a = run(Pose{}), b = run(turned);
  EXPECT_GT(a.p.x(), 0.05);
  EXPECT_LT((b.p - turned * a.p).norm(), 1e-6);
  EXPECT_LT(b.q.angularDistance(turned.q * a.q), 1e-6);
}

TEST(Controllers, MotorsHaveLimits) {
  Model model = test::MakeSolo(test::SoloStart(true));
  for (Body& body : model.bodies) {
    if (body.nv == 1) body.joint.effort = 2.5;
  }
  model.Finish();
  Simulation sim(std::make_shared<const Model>(model),
                 test::RobotConfig("sap", "solo", kJumpHigh, 5e-3));
  double most = 0;
  while (sim.time() < 0.6) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    most = std::max(most, sim.state().control.segment(kHeldForces, 12).cwiseAbs().maxCoeff());
  }
  EXPECT_EQ(most, 2.5);
}

TEST(Controllers, MemoryOfAnotherModelIsNotTaken) {
  RobotRun run("sap", kTrot, 2e-3);
  ASSERT_TRUE(run.RunTo(0.1));
  State state = run.sim().state();
  for (const int size : {0, 3, 7, 200}) {
    state.control = VectorX::Constant(size, 1e30);
    run.sim().SetState(state);
    ASSERT_EQ(run.sim().Step(), StepStatus::kConverged);
    EXPECT_EQ(run.sim().state().control[1], state.Time(2e-3));
  }
  state.control = VectorX::Constant(100, std::nan(""));
  run.sim().SetState(state);
  ASSERT_EQ(run.sim().Step(), StepStatus::kConverged);
  EXPECT_TRUE(run.sim().state().control.allFinite());
}

TEST(Controllers, RefusalsNameWhatIsMissing) {
  Model solo = test::MakeSolo(test::SoloStart(true));
  const Model biped = test::MakeBiped(test::BipedStart());
  const auto text = [](const Model& model, ControllerId id) {
    const Status status = CheckController(model, model.robots[0], id);
    return status.ok() ? std::string() : status.error().Text();
  };
  for (const ControllerId id : {kNone, kStand, kSquat, kJump, kJumpHigh, kTrotInPlace, kTrot})
    EXPECT_EQ(text(solo, id), "");
  for (const ControllerId id : {kNone, kStand, kShift, kWalk}) EXPECT_EQ(text(biped, id), "");
  EXPECT_EQ(text(biped, kTrot),
            "robot 'romeo' has no joint 'FL_HAA' that turns (the controller 'trot' needs it)");
  EXPECT_EQ(text(solo, kWalk),
            "robot 'solo' has no joint 'L_HipYaw' that turns (the controller 'walk' needs it)");
  EXPECT_EQ(text(solo, kPress),
            "robot 'solo' is no arm of 7 joints on a fixed base (the controller 'press' needs it)");
  for (Body& body : solo.bodies) body.points_B.clear();
  solo.robots[0].frames.clear();
  EXPECT_EQ(text(solo, kStand),
            "robot 'solo' has no frame 'FL_FOOT' (the controller 'stand' needs it)");
}

TEST(Controllers, ParametersHavePaths) {
  Config config = test::RobotConfig("sap", "solo", kStand, 1e-3);
  ASSERT_TRUE(ApplyAssignment(&config, "robot.solo.controller=jump-high").ok());
  EXPECT_EQ(config.robots[0].id(), kJumpHigh);
  ASSERT_TRUE(ApplyAssignment(&config, "trot_speed=0.3 m/s").ok());
  EXPECT_EQ(config.robots[0].trot_speed, 0.3);
  EXPECT_FALSE(ApplyAssignment(&config, "robot.solo.trot_speed=3").ok());
  EXPECT_FALSE(ApplyAssignment(&config, "robot.other.trot_speed=0.1").ok());
  // the defaults are values that the table takes, and the choices are as many as the recipes
  for (const auto& row : RobotTable())
    EXPECT_TRUE(CheckValue(row.info, row.Get(RobotDrive{})).ok()) << row.info.name;
  EXPECT_EQ(RobotTable().front().info.choices.size(), static_cast<std::size_t>(kPress) + 1);
}

// What the panel greys out: a parameter counts as read exactly where it changes the run.
TEST(Controllers, ReadWhatTheySayTheyReadLong) {
  for (const ControllerId id : kAll) {
    const auto run_with = [&](const ParamInfo* changed) {
      RobotRun run("sap", id, 5e-3);
      Config config = run.sim().config();
      if (changed != nullptr) {
        const std::string path =
            "robot." + config.robots[0].name + "." + std::string(changed->name);
        const double value = *GetParam(config, path);
        EXPECT_TRUE(SetParam(&config, path, value + 0.03 * (changed->max - value)).ok());
        run.sim().SetConfig(config);
      }
      for (int i = 0; i < 450; ++i) run.sim().Step();
      return std::pair(Hash(run.sim().state()), config);
    };
    const uint64_t usual = run_with(nullptr).first;
    for (const auto& row : RobotTable().subspan(1)) {
      const auto [hash, config] = run_with(&row.info);
      RobotRun run("sap", id, 5e-3);
      const ParamEntry entry{"", &row.info, config.robots[0].name};
      EXPECT_EQ(Uses(run.model(), config, entry), hash != usual)
          << row.info.name << " of " << static_cast<int>(id);
      EXPECT_EQ(WhyUnread(run.model(), config, entry).empty(), hash != usual);
    }
  }
}

TEST(Controllers, ATargetMattersWhereTheMotorHasStiffness) {
  RobotRun run("sap", kStand, 5e-3);
  Config config = run.sim().config();
  config.joints = {JointDrive{.name = "solo/FL_HAA"}};
  const ParamInfo* target = FindParam(config, "joint_target");
  const ParamEntry entry{"", target, config.joints[0].name};
  EXPECT_FALSE(Uses(run.model(), config, entry));
  EXPECT_NE(WhyUnread(run.model(), config, entry).find("stiffness"), std::string::npos);
  config.joints[0].stiffness = 1;
  EXPECT_TRUE(Uses(run.model(), config, entry));
  const ParamEntry stand{"", FindParam(config, "trot_speed"), config.robots[0].name};
  EXPECT_NE(WhyUnread(run.model(), config, stand).find("used by trot"), std::string::npos)
      << WhyUnread(run.model(), config, stand);
}

// A push at the base for 0.1 s, by the mouse spring.
void Push(RobotRun* run, const Vec3& force) {
  Config config = run->sim().config();
  const double end = run->sim().time() + 0.1;
  config.grab.body = 0;
  config.grab.p_WA = run->Base().p + 1e3 * force.normalized();
  config.grab.stiffness = 1e3;
  config.grab.force_limit = force.norm();
  run->sim().SetConfig(config);
  ASSERT_TRUE(run->RunTo(end)) << run->sim().failure();
  config.grab = Grab{};
  run->sim().SetConfig(config);
}

class Pushed : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, Pushed, testing::ValuesIn(test::kRobotMethods),
                         test::MethodNameLong);

TEST_P(Pushed, AStandingRobotRecovers) {
  for (const Vec3& force : {Vec3(8, 0, 0), Vec3(0, 8, 0), Vec3(-5, 5, -5)}) {
    RobotRun run(GetParam(), kStand, 2e-3);
    ASSERT_TRUE(run.RunTo(0.2));
    Push(&run, force);
    ASSERT_TRUE(run.RunTo(2.5)) << run.sim().failure();
    EXPECT_GT(run.drift, 5e-3) << "no push to speak of";
    EXPECT_LT(run.Base().p.head<2>().norm(), 2e-3);
    EXPECT_NEAR(run.Base().p.z(), 0.2229, 1e-3);
    EXPECT_LT(run.Speed(), 0.02);
  }
}

TEST_P(Pushed, ATrottingRobotGoesOn) {
  RobotRun run(GetParam(), kTrot, 2e-3);
  ASSERT_TRUE(run.RunTo(1));
  Push(&run, Vec3(0, 6, 0));
  ASSERT_TRUE(run.RunTo(4)) << run.sim().failure();
  EXPECT_LT(run.tilt, 0.3);
  EXPECT_LT(std::abs(run.Base().p.y()), 0.03);
  EXPECT_GT(run.Base().p.x(), 0.7);
}

TEST_P(Pushed, ABipedRecovers) {
  for (const Vec3& force : {Vec3(40, 0, 0), Vec3(0, 60, 0)}) {
    RobotRun run(GetParam(), kShift, 5e-3);
    Config config = run.sim().config();
    ASSERT_TRUE(ApplyAssignment(&config, "controller=stand").ok());
    run.sim().SetConfig(config);
    ASSERT_TRUE(run.RunTo(0.2));
    Push(&run, force);
    ASSERT_TRUE(run.RunTo(3)) << run.sim().failure();
    EXPECT_LT(run.Base().p.head<2>().norm(), 0.02);
    EXPECT_LT(run.Speed(), 0.02);
  }
}

}  // namespace
}  // namespace slip
