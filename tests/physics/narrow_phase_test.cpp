// Whole runs with libccd as the narrow phase: they rest as with our own, and repeat themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/collide/narrow_phase.h"
#include "engine/core/hash.h"
#include "engine/geometry/convex_hull.h"
#include "engine/scene/scene.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip {
namespace {

using test::Value;

struct Rest {
  uint64_t hash = 0;
  double penetration = 0, kinetic_energy = 0, support = 0;
  int not_converged = 0;
};

Rest DropObjects(const Scene& scene, NarrowPhaseId narrow_phase, double duration) {
  Config config = scene.channels[0].config;
  config.step.narrow_phase = static_cast<int>(narrow_phase);
  Simulation sim(scene.ModelFor(config), config);
  Rest rest;
  double penetration = 0, support = 0;
  int count = 0;
  while (sim.time() < duration - 0.5 * config.step.time_step) {
    const StepStatus status = sim.Step();
    if (!Advanced(status)) {
      ADD_FAILURE() << sim.failure();
      break;
    }
    rest.not_converged += status != StepStatus::kConverged;
    if (sim.time() < duration - 0.5) continue;
    penetration += Value(sim, Signal::kMeanPenetration);
    support += Value(sim, Signal::kSupportForce);
    ++count;
  }
  rest.hash = Hash(sim.state());
  rest.penetration = penetration / count;
  rest.support = support / count;
  rest.kinetic_energy = Value(sim, Signal::kKineticEnergy);
  return rest;
}

TEST(NarrowPhaseRuns, ABinOfObjectsSettlesWithLibccdLong) {
  const auto scene = FindScene("object-bin");
  ASSERT_TRUE(scene.ok());
  const Rest own = DropObjects(**scene, NarrowPhaseId::kOwn, 2);
  const Rest ccd = DropObjects(**scene, NarrowPhaseId::kLibccd, 2);
  const Rest again = DropObjects(**scene, NarrowPhaseId::kLibccd, 2);
  EXPECT_EQ(ccd.hash, again.hash);
  EXPECT_NE(ccd.hash, own.hash);
  EXPECT_EQ(ccd.not_converged, 0);
  double weight = 0;
  for (const Body& body : (*scene)->model->bodies) weight += body.nv > 0 ? 9.81 * body.mass : 0;
  EXPECT_NEAR(ccd.support, weight, 0.05 * weight);
  EXPECT_LT(ccd.penetration, 1.5 * own.penetration);
  EXPECT_GT(ccd.penetration, own.penetration / 1.5);
  EXPECT_LT(ccd.kinetic_energy, 0.01);
  RecordProperty("penetration_own", std::to_string(own.penetration));
  RecordProperty("penetration_libccd", std::to_string(ccd.penetration));
}

Body Hull(const std::vector<Vec3>& corners, double mass, const Vec3& p) {
  Body body;
  body.shape.kind = ShapeKind::kConvex;
  body.shape.convex = std::make_shared<ConvexMesh>(CalcConvexHull(corners).value());
  body.mass = mass;
  body.inertia_B = Vec3::Constant(0.4 * mass * 0.1 * 0.1);
  body.X_WB.p = p;
  return body;
}

TEST(NarrowPhaseRuns, AHullAtRestKeepsItsFourPoints) {
  std::vector<Vec3> prism, table;
  for (int i = 0; i < 6; ++i)
    for (const double z : {-0.05, 0.05}) {
      const double angle = std::numbers::pi * i / 3;
      prism.emplace_back(0.1 * std::cos(angle), 0.1 * std::sin(angle), z);
    }
  for (int i = 0; i < 8; ++i)
    table.emplace_back(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
  Model model;
  model.bodies = {Hull(table, 1, Vec3(0, 0, -0.5)), Hull(prism, 0.5, Vec3(0.01, 0.02, 0.051))};
  model.bodies[0].name = "table";
  model.bodies[0].SetJoint(JointKind::kFixed);
  model.bodies[1].name = "prism";
  Config config = test::BeltConfig(method_id::kSap, 2e-3);
  config.surfaces.clear();
  config.materials[0].stiffness = 1e5;
  config.step.narrow_phase = static_cast<int>(NarrowPhaseId::kLibccd);
  Simulation sim(test::Finish(model), config);
  ASSERT_TRUE(test::RunTo(&sim, 0.5));
  std::vector<ContactKey> keys;
  for (const auto& contact : sim.contacts()) keys.push_back(contact.key);
  ASSERT_EQ(keys.size(), 4u);
  for (int i = 0; i < 250; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    ASSERT_EQ(sim.contacts().size(), 4u) << i;
    for (std::size_t k = 0; k < 4; ++k) ASSERT_EQ(sim.contacts()[k].key, keys[k]) << i;
  }
  EXPECT_LT(sim.state().v.norm(), 1e-9);
  // two materials in series carry the weight on four points
  EXPECT_NEAR(Value(sim, Signal::kPenetration), 0.5 * 9.81 / (4 * 5e4), 1e-8);
}

}  // namespace
}  // namespace slip
