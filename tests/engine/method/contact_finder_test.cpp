// What contacts are called from step to step.
#include "engine/method/contact_finder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/convex/start_state.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip {
namespace {

// A drum that leans on its rim: nothing but the floor, or a fixed table, below it.
std::shared_ptr<const Model> LeaningDrum(bool on_table) {
  Model model;
  model.contact_margin = 1e-4;
  if (on_table) {
    Body table;
    table.SetJoint(JointKind::kFixed);
    table.shape.kind = ShapeKind::kBox;
    table.shape.size = Vec3(2, 2, 1);
    table.X_WB.p.z() = -0.5;
    model.bodies.push_back(table);
  } else {
    model.surfaces.push_back(Surface{});
  }
  Body drum;
  drum.SetJoint(JointKind::kFree);
  drum.shape.kind = ShapeKind::kCylinder;
  drum.shape.radius = 0.1;
  drum.shape.length = 0.3;
  const double rise = 1.4;  // of its axis; its cap faces the floor within the reach of features
  drum.X_WB.p.z() = 0.15 * std::sin(rise) + 0.1 * std::cos(rise) - 1e-5;
  drum.X_WB.q = Quat(Eigen::AngleAxisd(-rise, Vec3::UnitY()));
  model.bodies.push_back(drum);
  return test::Finish(model);
}

// Keys that its contact has had after it was turned about its axis.
std::set<ContactKey> Roll(const Model& model, bool remember) {
  Config config = test::BeltConfig(method_id::kSap, 1e-3);
  config.surfaces.clear();
  State state = MakeStartState(model, config);
  ContactFinder finder;
  std::vector<ContactGeometry> contacts;
  std::set<ContactKey> keys;
  const std::vector<Vec6> at_rest(model.bodies.size(), Vec6::Zero());
  for (int i = 0; i < 160; ++i) {
    finder.Find(model, config, state, at_rest, LawReach{}, &contacts);
    EXPECT_EQ(contacts.size(), 1u) << "turn " << i;
    state.contacts.clear();
    for (const ContactGeometry& contact : contacts) {
      keys.insert(contact.key);
      if (remember) state.contacts.push_back(contact.key);
    }
    Quat& q = state.X_WB.back().q;
    q = (q * Quat(Eigen::AngleAxisd(M_PI / 80, Vec3::UnitX()))).normalized();
  }
  return keys;
}

TEST(ContactFinder, OnePointUnderManyNamesKeepsItsKey) {
  for (const bool on_table : {false, true}) {
    SCOPED_TRACE(on_table ? "on a table" : "on the floor");
    const auto model = LeaningDrum(on_table);
    EXPECT_GT(Roll(*model, false).size(), 5u);
    EXPECT_EQ(Roll(*model, true).size(), 1u);
  }
}

}  // namespace
}  // namespace slip
