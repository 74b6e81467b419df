// What the ground does to a foot: sums of its contacts, and where they act.
#include "engine/sim/foot_load.h"

#include <gtest/gtest.h>

#include "engine/control/robot_map.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/models.h"

namespace slip {
namespace {

Simulation RunRobot(const std::string& scene_id, double duration) {
  const auto scene = FindScene(scene_id);
  EXPECT_TRUE(scene.ok());
  Simulation sim((*scene)->model, (*scene)->channels.front().config);
  while (sim.time() < duration - 1e-9) EXPECT_EQ(sim.Step(), StepStatus::kConverged);
  return sim;
}

std::vector<FootLoad> LoadsOf(const Simulation& sim) {
  std::vector<FootLoad> loads;
  for (const Robot::Foot& foot : sim.model().robots.at(0).feet) {
    const Pose& X_WB = sim.state().X_WB[static_cast<std::size_t>(foot.body)];
    loads.push_back(CalcFootLoad(sim.model(), foot, X_WB, sim.contacts()));
  }
  return loads;
}

// A plate of 0.2 m x 0.1 m, its four corners named as two feet, over a floor and before a wall.
class Plate : public testing::Test {
 protected:
  Plate() {
    Body plate, other;
    plate.points_B = {{0.1, 0.05, 0}, {0.1, -0.05, 0}, {-0.1, 0.05, 0}, {-0.1, -0.05, 0}};
    plate.robot = 0;
    other.points_B = {Vec3::Zero()};
    Surface floor, wall;
    wall.normal = Vec3(-1, 0, 0);
    wall.point = Vec3(1, 0, 0);
    Model model;
    model.bodies = {other, plate};
    model.surfaces = {floor, wall};
    Robot& robot = model.robots.emplace_back();
    robot.first_body = 1;
    robot.bodies = 1;
    robot.feet = {{"front", 1, {}, 0, 2}, {"back", 1, {}, 2, 2}};
    model_ = test::Finish(model);
    X_WB_.p = Vec3(0.5, 0, 0.3);
  }
  ContactFrame Contact(int body, int surface, int point, double fn, const Vec3& ft_W) const {
    const Body& of = model_->bodies[static_cast<std::size_t>(body)];
    ContactFrame contact;
    contact.key = of.first_key + surface * static_cast<ContactKey>(of.points_B.size()) + point;
    contact.surface = surface;
    contact.body = body;
    contact.n_W = model_->surfaces[static_cast<std::size_t>(surface)].normal;
    contact.p_W = X_WB_ * of.points_B[static_cast<std::size_t>(point)];
    contact.fn = fn;
    contact.ft_W = ft_W;
    contact.friction = 0.5;
    contact.vt = 0.01 * fn;
    contact.mode = fn > 5 ? ContactMode::kSlip : ContactMode::kStick;
    return contact;
  }
  FootLoad Load(int foot, std::span<const ContactFrame> contacts) const {
    return CalcFootLoad(*model_, model_->robots[0].feet[static_cast<std::size_t>(foot)], X_WB_,
                        contacts);
  }
  std::shared_ptr<const Model> model_;
  Pose X_WB_;
};

TEST(LegRest, IsTheFootAnotherLinkOrNothing) {
  const auto scene = FindScene("quadruped-stand");
  ASSERT_TRUE(scene.ok());
  const Model& model = *(*scene)->model;
  const Robot& robot = model.robots.at(0);
  const Robot::Foot& foot = robot.feet.at(0);
  const auto touch = [&](int body, int point) {
    const Body& of = model.bodies[static_cast<std::size_t>(body)];
    ContactFrame contact;
    contact.key = of.first_key + point;
    contact.surface = 0;
    contact.body = body;
    contact.fn = 1;
    return contact;
  };
  const auto rest = [&](std::vector<ContactFrame> contacts) {
    return FindLegRest(model, robot, foot, contacts);
  };
  const int knee = model.bodies[static_cast<std::size_t>(foot.body)].joint.parent;
  ContactFrame unloaded = touch(foot.body, foot.first_point);
  unloaded.fn = 0;
  EXPECT_EQ(rest({}), LegRest::kAir);
  EXPECT_EQ(rest({unloaded}), LegRest::kAir);
  EXPECT_EQ(rest({touch(robot.first_body, 0)}), LegRest::kAir) << "the trunk is no leg";
  EXPECT_EQ(rest({touch(robot.feet.at(1).body, robot.feet.at(1).first_point)}), LegRest::kAir);
  EXPECT_EQ(rest({touch(knee, 0)}), LegRest::kOther);
  EXPECT_EQ(rest({touch(knee, 0), touch(foot.body, foot.first_point)}), LegRest::kFoot);
}

TEST_F(Plate, AFootHasTheLoadOfItsOwnPoints) {
  std::vector<ContactFrame> contacts = {
      Contact(0, 0, 0, 100, Vec3::Zero()),  // another body
      Contact(1, 0, 0, 6, Vec3(1, 0, 0)),   // front, left
      Contact(1, 0, 1, 2, Vec3(0, 1, 0)),   // front, right
      Contact(1, 0, 3, 50, Vec3::Zero()),   // back
  };
  contacts.push_back(contacts[1]);  // two bodies that touch
  contacts.back().key = MakeContactKey(ContactKeyKind::kPair, 0, 1, 0);
  contacts.back().surface = -1;
  const FootLoad front = Load(0, contacts);
  EXPECT_EQ(front.contacts, 2);
  EXPECT_EQ(front.normal, 8);
  EXPECT_TRUE(front.force_W.isApprox(Vec3(1, 1, 8), 1e-15));
  EXPECT_NEAR(front.friction, std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(front.friction_used, std::sqrt(2.0) / 4, 1e-15);
  EXPECT_EQ(front.slip_speed, 0.06);
  EXPECT_EQ(front.mode, ContactMode::kSlip);
  // six eighths of the way from right to left
  EXPECT_TRUE(front.cop_W.isApprox(Vec3(0.6, 0.025, 0.3), 1e-14));
  // only friction turns it about there: 0.025 m to the left point, 0.075 m to the right one
  EXPECT_TRUE(front.moment_W.isApprox(Vec3(0, 0, -0.025), 1e-13)) << front.moment_W.transpose();
  EXPECT_NEAR(front.height, 0.3, 1e-15);
  EXPECT_EQ(Load(1, contacts).normal, 50);
}

TEST_F(Plate, AFootOnTwoSurfacesAddsForcesAsVectors) {
  const ContactFrame contacts[] = {Contact(1, 0, 0, 3, Vec3::Zero()),
                                   Contact(1, 1, 1, 4, Vec3::Zero())};
  const FootLoad load = Load(0, contacts);
  EXPECT_EQ(load.normal, 7);
  EXPECT_TRUE(load.force_W.isApprox(Vec3(-4, 0, 3), 1e-15));
  // the same wrench as that of the two forces
  const Vec3 turn = load.cop_W.cross(load.force_W) + load.moment_W;
  const Vec3 sum = contacts[0].p_W.cross(Vec3(0, 0, 3)) + contacts[1].p_W.cross(Vec3(-4, 0, 0));
  EXPECT_TRUE(turn.isApprox(sum, 1e-13));
}

TEST_F(Plate, AFootInTheAirHasAHeightAndNoSlip) {
  // found, but not loaded
  const ContactFrame contacts[] = {Contact(1, 0, 0, 0, Vec3::Zero())};
  const FootLoad load = Load(0, contacts);
  EXPECT_EQ(load.contacts, 0);
  EXPECT_EQ(load.normal, 0);
  EXPECT_EQ(load.mode, ContactMode::kOpen);
  EXPECT_TRUE(std::isnan(load.slip_speed));
  EXPECT_TRUE(std::isnan(load.friction_used));
  EXPECT_NEAR(load.height, 0.3, 1e-15);
  EXPECT_NEAR(load.cop_W.z(), 0.3, 1e-15);
}

TEST(FootLoad, FeetOfAStandingQuadrupedCarryItsWeight) {
  const Simulation sim = RunRobot("quadruped-stand", 0.5);
  Vec3 sum = Vec3::Zero();
  double normal = 0;
  for (const FootLoad& load : LoadsOf(sim)) {
    EXPECT_EQ(load.contacts, 1);
    EXPECT_GT(load.normal, 3);
    EXPECT_LT(load.height, 0);
    EXPECT_NEAR(load.moment_W.norm(), 0, 1e-15) << "a point foot";
    sum += load.force_W;
    normal += load.normal;
  }
  EXPECT_NEAR(normal, test::Value(sim, Signal::kNormalForce), 1e-12 * normal);
  EXPECT_NEAR(sum.z(), test::Value(sim, Signal::kSupportForce), 1e-12 * normal);
}

TEST(FootLoad, ThePressureOfAFlatFootIsWithinIt) {
  const Simulation sim = RunRobot("biped-shift", 0.5);
  const auto& feet = sim.model().robots.at(0).feet;
  const auto loads = LoadsOf(sim);
  ASSERT_EQ(loads.size(), 2u);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    EXPECT_GE(loads[i].contacts, 3);
    const Body& body = sim.model().bodies[static_cast<std::size_t>(feet[i].body)];
    const Pose& X_WB = sim.state().X_WB[static_cast<std::size_t>(feet[i].body)];
    Vec3 low = Vec3::Constant(1e9), high = -low;
    for (int p = 0; p < feet[i].points; ++p) {
      const Vec3 at = X_WB * body.points_B[static_cast<std::size_t>(feet[i].first_point + p)];
      low = low.cwiseMin(at);
      high = high.cwiseMax(at);
    }
    for (int k = 0; k < 2; ++k) {
      EXPECT_GT(loads[i].cop_W[k], low[k]);
      EXPECT_LT(loads[i].cop_W[k], high[k]);
    }
    // normal forces do not turn it about the centre of pressure, friction in one plane hardly
    EXPECT_NEAR(loads[i].moment_W.head<2>().norm(), 0, 1e-4 * loads[i].normal);
  }
}

TEST(FootLoad, AJumpLiftsAllFeet) {
  Simulation sim = RunRobot("quadruped-jump", 0.1);
  bool flew = false;
  for (int i = 0; i < 2000 && !flew; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    flew = true;
    for (const FootLoad& load : LoadsOf(sim)) flew = flew && load.height > 0.01;
  }
  ASSERT_TRUE(flew);
  for (const FootLoad& load : LoadsOf(sim)) {
    EXPECT_EQ(load.normal, 0);
    EXPECT_EQ(load.mode, ContactMode::kOpen);
  }
}

TEST(FootLoad, ControllersMeanTheSameFeet) {
  for (const char* id : {"quadruped-trot", "biped-walk"}) {
    const auto scene = FindScene(id);
    ASSERT_TRUE(scene.ok()) << id;
    const Model& model = *(*scene)->model;
    const Robot& robot = model.robots.at(0);
    const bool biped = robot.feet.size() == 2;
    const auto map = MapRobot(model, robot, biped ? RobotKind::kBiped : RobotKind::kQuadruped);
    ASSERT_TRUE(map.ok()) << id;
    ASSERT_EQ(map->legs.size(), robot.feet.size());
    for (std::size_t i = 0; i < robot.feet.size(); ++i) {
      EXPECT_EQ(map->legs[i].foot, robot.feet[i].body) << id;
      EXPECT_EQ(map->legs[i].first_point, robot.feet[i].first_point) << id;
      EXPECT_EQ(map->legs[i].points, robot.feet[i].points) << id;
    }
  }
}

}  // namespace
}  // namespace slip
