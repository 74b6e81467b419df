// Signals of joints and feet: their names, what they read, and where they are kept.
#include "engine/sim/part_signals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/dynamics/kinematics.h"
#include "engine/scene/scene.h"
#include "engine/sim/expression.h"
#include "engine/sim/foot_load.h"
#include "engine/sim/signal_stats.h"
#include "engine/sim/timeline.h"
#include "tests/support/models.h"

namespace slip {
namespace {

std::shared_ptr<const Scene> SceneOf(const std::string& id) {
  const auto scene = FindScene(id);
  EXPECT_TRUE(scene.ok()) << id;
  return *scene;
}

double ValueOf(const Simulation& sim, const std::string& name) {
  const Result<Signal> signal = SignalNamed(sim.model(), name);
  EXPECT_TRUE(signal.ok()) << name;
  const auto place = static_cast<std::size_t>(Place(*signal));
  return IsOfEnum(*signal) ? sim.signals()[place] : sim.now().part_signals.at(place - kSignalCount);
}

TEST(PartSignals, EveryNameLeadsBackToItsSignalAndItsPlace) {
  for (const char* id :
       {"conveyor", "quadruped-stand", "biped-walk", "arm-press", "spinning-puck", "bunny-grasp"}) {
    const auto scene = SceneOf(id);
    const std::vector<Signal> signals = ListSignals(*scene->model);
    for (std::size_t i = 0; i < signals.size(); ++i) {
      const std::string name = NameOf(*scene->model, signals[i]);
      const Result<Signal> found = SignalNamed(*scene->model, name);
      ASSERT_TRUE(found.ok()) << name;
      EXPECT_EQ(*found, signals[i]) << name;
      EXPECT_EQ(Place(signals[i]), static_cast<int>(i)) << name;
      EXPECT_EQ(name.substr(0, name.find(':')), Info(signals[i]).name);
    }
    // a lone free body answers to its name, and stands in no list
    const bool lone = std::string_view(id) == "conveyor" || std::string_view(id) == "bunny-grasp";
    const Simulation sim(scene->model, scene->config);
    EXPECT_EQ(signals.size() + (lone ? kPartSignals : 0),
              kSignalCount + sim.now().part_signals.size())
        << id;
  }
}

TEST(PartSignals, TheyReadJointsAndFeet) {
  const auto scene = SceneOf("quadruped-trot");
  Simulation sim(scene->model, scene->channels.front().config);
  EXPECT_TRUE(std::isnan(ValueOf(sim, "force:solo/FL_FOOT"))) << "no step was made";
  EXPECT_EQ(ValueOf(sim, "position:solo/FL_KFE"), sim.state().q[2]);
  while (sim.time() < 0.7) ASSERT_EQ(sim.Step(), StepStatus::kConverged);

  std::vector<JointFrame> joints;
  sim.GetJoints(&joints);
  for (const JointFrame& joint : joints) {
    const std::string& name = sim.model().bodies[static_cast<std::size_t>(joint.body)].joint.name;
    EXPECT_EQ(ValueOf(sim, "position:" + name), joint.position);
    EXPECT_EQ(ValueOf(sim, "rate:" + name), joint.rate);
    EXPECT_EQ(ValueOf(sim, "torque:" + name), joint.force);
    EXPECT_NE(joint.force, 0);
    EXPECT_EQ(std::isnan(ValueOf(sim, "target:" + name)), std::isnan(joint.target));
  }
  int in_the_air = 0;
  for (const Robot::Foot& foot : sim.model().robots[0].feet) {
    const Pose& X_WB = sim.state().X_WB[static_cast<std::size_t>(foot.body)];
    const FootLoad load = CalcFootLoad(sim.model(), foot, X_WB, sim.contacts());
    EXPECT_EQ(ValueOf(sim, "force:solo/" + foot.name), load.normal);
    EXPECT_EQ(ValueOf(sim, "friction:solo/" + foot.name), load.friction);
    EXPECT_EQ(ValueOf(sim, "height:solo/" + foot.name), load.height);
    const double slip = ValueOf(sim, "slip:solo/" + foot.name);
    EXPECT_EQ(std::isnan(slip), load.contacts == 0);
    if (load.contacts > 0) {
      EXPECT_EQ(slip, load.slip_speed);
    }
    in_the_air += load.contacts == 0;
  }
  EXPECT_EQ(in_the_air, 2) << "a trot";
}

TEST(PartSignals, FreeBodiesHaveTheirMotion) {
  const auto scene = SceneOf("spinning-puck");
  Simulation sim(scene->model, scene->config);
  EXPECT_EQ(ValueOf(sim, "spin:puck"), 20);
  EXPECT_EQ(ValueOf(sim, "speed:plain"), 1);
  while (sim.time() < 0.1) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  for (std::size_t b = 0; b < sim.model().bodies.size(); ++b) {
    const std::string& name = sim.model().bodies[b].name;
    const Vec3& p_W = sim.state().X_WB[b].p;
    EXPECT_EQ(ValueOf(sim, "position_x:" + name), p_W.x());
    EXPECT_EQ(ValueOf(sim, "position_z:" + name), p_W.z());
  }
  EXPECT_EQ(ValueOf(sim, "position_x:puck"), ValueOf(sim, "position_x"));
  EXPECT_GT(ValueOf(sim, "speed:puck"), ValueOf(sim, "speed:plain"));
  EXPECT_EQ(LabelOf(sim.model(), *SignalNamed(sim.model(), "spin:plain")), "Spin, plain");
  EXPECT_EQ(SignalsOfBody(sim.model(), 1).size(), kPartSignals);
  // a pile names none of its own
  EXPECT_FALSE(SignalNamed(*SceneOf("dominoes")->model, "speed:ball").ok());
  EXPECT_TRUE(SignalNamed(*SceneOf("card-house")->model, "position_z:deck").ok());
}

TEST(PartSignals, ALoneFreeBodyAnswersToItsName) {
  for (const auto& [id, body] :
       {std::pair<const char*, std::string>{"conveyor", "box"}, {"bunny-grasp", "bunny"}}) {
    const auto scene = SceneOf(id);
    Simulation sim(scene->model, scene->channels.front().config);
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(Advanced(sim.Step()));
    std::size_t b = 0;
    while (sim.model().bodies[b].name != body) ++b;
    EXPECT_EQ(ValueOf(sim, "position_x:" + body), sim.state().X_WB[b].p.x()) << id;
    EXPECT_EQ(ValueOf(sim, "position_z:" + body), sim.state().X_WB[b].p.z()) << id;
    const auto V_WB = CalcVelocity(sim.model(), sim.state(), static_cast<int>(b));
    EXPECT_EQ(ValueOf(sim, "speed:" + body), V_WB.tail<3>().norm()) << id;
    EXPECT_EQ(ValueOf(sim, "spin:" + body), V_WB.head<3>().norm()) << id;
    EXPECT_FALSE(SignalNamed(*scene->model, "speed:nobody").ok());
    // files and lists stay as they are: the table has the motion of a single one
    for (const Signal signal : ListSignals(*scene->model))
      EXPECT_FALSE(NameOf(*scene->model, signal).ends_with(":" + body)) << id;
  }
}

TEST(PartSignals, AnUnknownOneIsToldWhatThereIs) {
  const auto quadruped = SceneOf("quadruped-stand"), conveyor = SceneOf("conveyor");
  const auto text = [](const Scene& scene, const char* name) {
    const Result<Signal> signal = SignalNamed(*scene.model, name);
    EXPECT_FALSE(signal.ok()) << name;
    return signal.ok() ? "" : signal.error().message + "; " + signal.error().hint;
  };
  EXPECT_EQ(text(*quadruped, "force:solo/XX_FOOT"),
            "no signal 'force:solo/XX_FOOT': the scene has no such foot; its feet are "
            "solo/FL_FOOT, solo/FR_FOOT, solo/HL_FOOT, solo/HR_FOOT");
  const std::string joint = text(*quadruped, "torque:solo/FL_KNEE");
  EXPECT_NE(joint.find("no such joint; its joints are solo/FL_HAA, solo/FL_HFE"), joint.npos);
  // a foot has no torque
  EXPECT_NE(text(*quadruped, "torque:solo/FL_FOOT").find("no such joint"), joint.npos);
  EXPECT_EQ(text(*quadruped, "torque"),
            "the signal 'torque' needs a joint; for example torque:solo/FL_HAA");
  EXPECT_EQ(text(*quadruped, "torqe:solo/FL_KFE"),
            "no signal 'torqe:solo/FL_KFE'; did you mean 'torque'?");
  EXPECT_NE(text(*conveyor, "torque:solo/FL_KFE").find("the scene has no joints of robots"),
            joint.npos);
  EXPECT_EQ(text(*conveyor, "glidin_offset"),
            "no signal 'glidin_offset'; did you mean 'gliding_offset'?");
}

TEST(PartSignals, LabelsNameTheRobotWhereThereAreSeveral) {
  const auto scene = SceneOf("quadruped-stand");
  Model model = *scene->model;
  const Signal force = *SignalNamed(model, "force:solo/HL_FOOT");
  const Signal torque = *SignalNamed(model, "torque:solo/HL_KFE");
  EXPECT_EQ(LabelOf(model, force), "Foot force, HL");
  EXPECT_EQ(LabelOf(model, torque), "Joint torque, HL_KFE");
  model.robots.emplace_back().name = "other";
  EXPECT_EQ(LabelOf(model, force), "Foot force, solo/HL_FOOT");
  Robot& robot = model.robots[0];
  robot.feet.resize(2);
  robot.feet[0].name = "L_ANKLE_ROLL";
  robot.feet[1].name = "R_ANKLE_ROLL";
  EXPECT_EQ(ShortName(robot, robot.feet[1]), "R");
  robot.feet[0].name = "left";
  EXPECT_EQ(ShortName(robot, robot.feet[1]), "R_ANKLE_ROLL");
  robot.feet.resize(1);
  EXPECT_EQ(ShortName(robot, robot.feet[0]), "left");
  // of a model with fewer joints: only the quantity is known
  EXPECT_EQ(NameOf(Model(), torque), "torque");
  EXPECT_EQ(LimitOf(model, torque), 8);
  EXPECT_TRUE(std::isinf(LimitOf(model, force)));
  EXPECT_TRUE(std::isinf(LimitOf(model, Signal::kNormalForce)));
}

TEST(PartSignals, ASlidingJointHasMetresAndNewtons) {
  Body rail, cart;
  rail.SetJoint(JointKind::kFixed);
  cart.joint.parent = 0;
  cart.joint.name = "lift/carriage";
  cart.SetJoint(JointKind::kPrismatic);
  Model model;
  model.bodies = {rail, cart};
  const auto finished = test::Finish(model);
  const Result<Signal> torque = SignalNamed(*finished, "torque:lift/carriage");
  ASSERT_TRUE(torque.ok());
  EXPECT_EQ(Info(*torque).unit, "N");
  EXPECT_EQ(Info(*torque).label, "Joint force");
  EXPECT_EQ(Info(*SignalNamed(*finished, "rate:lift/carriage")).unit, "m/s");
  EXPECT_EQ(SignalsOfBody(*finished, 1).size(), kPartSignals);
  EXPECT_TRUE(SignalsOfBody(*finished, 0).empty());
}

TEST(PartSignals, HistoryKeepsTheirBits) {
  const auto scene = SceneOf("quadruped-stand");
  Simulation sim(scene->model, scene->config);
  sim.Step();
  Timeline timeline(1 << 20);
  timeline.Append(sim.now(), sim.time(), false);
  const std::vector<double> first = sim.now().part_signals;
  sim.Step();
  timeline.Append(sim.now(), sim.time(), false);
  StepRecord record;
  timeline.Load(0, &record);
  ASSERT_EQ(record.part_signals.size(), first.size());
  EXPECT_EQ(std::memcmp(record.part_signals.data(), first.data(), first.size() * sizeof(double)),
            0);
  // what comes behind them is read from its place
  EXPECT_EQ(record.solve.contacts, 4);
  // they count: two records hold them twice
  Timeline with(1 << 20), bare(1 << 20);
  for (int i = 0; i < 2; ++i) with.Append(sim.now(), sim.time(), false);
  record = sim.now();
  record.part_signals.clear();
  bare.Append(record, sim.time(), false);
  bare.Append(record, sim.time(), false);
  EXPECT_EQ(with.bytes() - bare.bytes(), 2 * first.size() * sizeof(double));
}

TEST(PartSignals, ConditionsReadThem) {
  const auto scene = SceneOf("quadruped-stand");
  Simulation sim(scene->model, scene->config);
  SignalStats stats;
  while (sim.time() < 0.2) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    stats.Add(sim.time(), sim.signals(), sim.now().part_signals);
  }
  const ChannelStats channels[] = {{&stats, &sim.config()}};
  const ExpressionData data = MakeExpressionData(channels);
  const auto holds = [&](const std::string& text) {
    const Result<Expression> condition = Expression::Parse(text, scene->model.get());
    EXPECT_TRUE(condition.ok()) << text << ": " << condition.error().Text();
    return condition.ok() && condition->Evaluate(data);
  };
  EXPECT_TRUE(holds("last(force:solo/FL_FOOT) > 5 N and last(force:solo/FL_FOOT@sap) < 8"));
  EXPECT_FALSE(holds("last(force:solo/FL_FOOT@lagged) > 5"));
  EXPECT_TRUE(holds("abs(last(torque:solo/FL_KFE )) > 0.1"));
  EXPECT_TRUE(holds("max(position:solo/FL_KFE) < 1.7 rad and max(slip:solo/HR_FOOT) > 0"));
  EXPECT_TRUE(
      holds("last(force:solo/FL_FOOT)+last(force:solo/FR_FOOT)+last(force:solo/HL_FOOT)+"
            "last(force:solo/HR_FOOT) - last(normal_force) < 1e-9"));
  const auto condition = Expression::Parse("max(force:solo/FL_FOOT@1) > 5", scene->model.get());
  EXPECT_EQ(condition->Found(data).find("max(force:solo/FL_FOOT@1) = 6."), 0u);

  EXPECT_FALSE(Expression::Parse("max(force:solo/FL_FOOT) > 5").ok()) << "no robot";
  const auto unknown = Expression::Parse("max(force:solo/XX) > 5", scene->model.get());
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message.find("column 5: no signal 'force:solo/XX'"), std::string::npos);
  const auto bare = Expression::Parse("torque:solo/FL_KFE > 5", scene->model.get());
  ASSERT_FALSE(bare.ok());
  EXPECT_NE(bare.error().message.find("a signal needs a reduction"), std::string::npos);
}

}  // namespace
}  // namespace slip
