// Contacts between bodies, seen from outside: momentum, steady contacts, the same future twice.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/hash.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/scene/scene.h"
#include "tests/support/models.h"

namespace slip {
namespace {

Body Ball(double radius, double mass, const Vec3& p, const Vec3& v) {
  Body ball;
  ball.name = "ball";
  ball.shape.radius = radius;
  ball.mass = mass;
  ball.inertia_B = Vec3::Constant(0.4 * mass * radius * radius);
  ball.points_B = {Vec3::Zero()};
  ball.point_radius = radius;
  ball.X_WB.p = p;
  ball.V_WB.tail<3>() = v;
  return ball;
}

Body Box(const Vec3& size, double mass, const Vec3& p, const Vec3& v) {
  Body box;
  box.name = "box";
  box.shape.kind = ShapeKind::kBox;
  box.shape.size = size;
  box.mass = mass;
  const Vec3 s = size.cwiseProduct(size);
  box.inertia_B = mass / 12 * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  box.X_WB.p = p;
  box.V_WB.tail<3>() = v;
  return box;
}

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};
Momentum CalcMomentum(const Simulation& sim) {
  Momentum sum;
  const Model& model = sim.model();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Vec6 V = CalcSpatialVelocity(model.bodies[b], sim.state().v);
    const BodyInertia inertia = CalcInertia(model.bodies[b], sim.state().X_WB[b]);
    sum.linear += inertia.mass * V.tail<3>();
    sum.angular +=
        sim.state().X_WB[b].p.cross(inertia.mass * V.tail<3>()) + inertia.I_W * V.head<3>();
  }
  return sum;
}

// Action equals reaction at one and the same point, whatever the model.
TEST(FreeCollision, KeepsMomentum) {
  for (int model_id = 0; model_id < kContactModelCount; ++model_id) {
    SCOPED_TRACE(model_id);
    Model model;
    model.bodies = {Ball(0.05, 0.5, Vec3(-0.11, 0.012, 0), Vec3(1, 0, 0)),
                    Box(Vec3::Constant(0.1), 1, Vec3(0, 0, 0), Vec3(-0.5, 0.1, 0)),
                    Ball(0.04, 0.3, Vec3(0.02, 0.11, 0.01), Vec3(0, -1, 0))};
    Config config = test::BeltConfig(static_cast<ContactModelId>(model_id), 1e-3);
    config.surfaces.clear();
    config.step.gravity = 0;
    Simulation sim(test::Finish(model), config);
    const Momentum before = CalcMomentum(sim);
    double force = 0;
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(sim.Step(), StepStatus::kConverged);
      force = std::max(force, test::Value(sim, Signal::kNormalForce));
    }
    EXPECT_GT(force, 10);
    const Momentum after = CalcMomentum(sim);
    // round-off of impulses of some N s, through factors of condition 1e6 for Anitescu's rigid
    // limit
    const bool rigid = model_id == static_cast<int>(ContactModelId::kAnitescu);
    const double scale = rigid ? 1e-10 : 1e-12;
    EXPECT_LT((after.linear - before.linear).norm(), scale);
    // exact for spherical inertia: any other turns by the explicit gyroscopic term
    EXPECT_LT((after.angular - before.angular).norm(), scale);
  }
}

TEST(RestingBox, NeverFlickers) {
  Model model;
  model.contact_margin = 1e-3;
  model.bodies = {Box(Vec3(0.3, 0.3, 0.05), 4, Vec3(0, 0, 0.025), Vec3::Zero()),
                  Box(Vec3(0.1, 0.1, 0.1), 1, Vec3(0.01, -0.02, 0.1), Vec3::Zero())};
  model.bodies[0].SetMotion(Motion::kFixed);
  Config config = test::BeltConfig(ContactModelId::kSap, 1e-3);
  config.surfaces.clear();
  Simulation sim(test::Finish(model), config);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  std::vector<ContactKey> keys;
  for (const ContactFrame& contact : sim.contacts()) keys.push_back(contact.key);
  ASSERT_EQ(keys.size(), 4u);
  for (int i = 0; i < 10000; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    ASSERT_EQ(sim.contacts().size(), 4u) << "step " << i;
    for (std::size_t k = 0; k < 4; ++k) ASSERT_EQ(sim.contacts()[k].key, keys[k]) << "step " << i;
  }
  EXPECT_LT(sim.state().v.norm(), 1e-9);
}

TEST(Clutter, TheSameFutureTwice) {
  const auto scene = FindScene("clutter");
  ASSERT_TRUE(scene.ok());
  for (const ChannelSpec& channel : (*scene)->channels) {
    Simulation a((*scene)->model, channel.config), b((*scene)->model, channel.config);
    for (int i = 0; i < 1000; ++i) {
      (void)a.Step();
      (void)b.Step();
      ASSERT_EQ(Hash(a.state()), Hash(b.state())) << "step " << i;
    }
  }
}

TEST(Clutter, GoingBackRepeatsTheFuture) {
  const auto scene = FindScene("clutter");
  ASSERT_TRUE(scene.ok());
  const Config& config = (*scene)->channels[2].config;
  Simulation sim((*scene)->model, config);
  for (int i = 0; i < 60; ++i) (void)sim.Step();
  const StepRecord then = sim.now();
  for (int i = 0; i < 60; ++i) (void)sim.Step();
  const uint64_t future = Hash(sim.state());
  sim.Restore(then, config);
  for (int i = 0; i < 60; ++i) (void)sim.Step();
  EXPECT_EQ(Hash(sim.state()), future);
}

}  // namespace
}  // namespace slip
