// Exported contacts in MuJoCo: who meets whom, and what two bodies combine to.
#include <gtest/gtest.h>

#include "engine/collide/contact_material.h"
#include "engine/export/contact_terms.h"
#include "engine/export/frames.h"
#include "engine/method/contact_finder.h"
#include "tests/engine/export/exported_scenes.h"
#include "tests/engine/export/exported_twin.h"

namespace slip {
namespace {

using test::ExportedTwin;

/// Names of two that overlap, and by how much [m].
using Depths = std::map<std::pair<std::string, std::string>, double>;

void Add(const std::string& a, const std::string& b, double depth, Depths* meetings) {
  if (!(depth > 0)) return;
  double& deepest = (*meetings)[std::minmax(a, b)];
  deepest = std::max(deepest, depth);
}

Depths MeetHere(const test::ExportedScene& scene, const State& state) {
  const Model& model = *scene.model;
  Config config = scene.config;
  std::vector<Vec6> V_WB(model.bodies.size(), Vec6::Zero());
  std::vector<ContactGeometry> contacts;
  ContactFinder().Find(model, config, state, V_WB, LawReach{}, &contacts);
  Depths meetings;
  const auto name = [&](int b) {
    const Body& body = model.bodies[static_cast<std::size_t>(b)];
    return model.bodies[static_cast<std::size_t>(body.Owner(b))].name;
  };
  for (const ContactGeometry& contact : contacts)
    Add(contact.surface >= 0 ? "world" : name(contact.body_a), name(contact.body), -contact.phi0,
        &meetings);
  return meetings;
}

Depths MeetThere(const ExportedTwin& twin) {
  Depths meetings;
  const auto name = [&](int geom) {
    return std::string(mj_id2name(twin.m, mjOBJ_BODY, twin.m->geom_bodyid[geom]));
  };
  for (int i = 0; i < twin.d->ncon; ++i)
    Add(name(twin.d->contact[i].geom1), name(twin.d->contact[i].geom2), -twin.d->contact[i].dist,
        &meetings);
  return meetings;
}

// Whatever overlaps clearly in one does so in the other: bits, excludes and pairs say the same as
// the scene.
TEST(MjcfContacts, TheSameBodiesMeet) {
  constexpr double kClearly = 2e-3;
  int here = 0, scenes = 0;
  for (const std::string& name : ListScenes()) {
    // a thousand points are more than MuJoCo has room for
    if (name.starts_with("bunny")) continue;
    SCOPED_TRACE(name);
    ++scenes;
    const test::ExportedScene scene = test::ExportedFile(name);
    ExportedTwin twin(*scene.model, scene.start, WriteMjcf(scene.Input()));
    for (unsigned seed = 0; seed < 12; ++seed) {
      const State state =
          test::Displaced(*scene.model, scene.start, seed % 3 == 0 ? 0.02 : 0.2, seed);
      twin.SetPositions(state);
      const Depths ours = MeetHere(scene, state), theirs = MeetThere(twin);
      for (const auto& [pair, depth] : ours) {
        if (depth < kClearly) continue;
        ++here;
        EXPECT_TRUE(theirs.contains(pair)) << pair.first << " and " << pair.second << " " << depth;
      }
      for (const auto& [pair, depth] : theirs)
        if (depth > kClearly)
          EXPECT_TRUE(ours.contains(pair))
              << "only there: " << pair.first << " and " << pair.second << " " << depth;
    }
  }
  EXPECT_GT(here, 200);
  EXPECT_GE(scenes, 28);
}

constexpr const char* kTwo = R"(
title = "Two balls"
time_step = "0.1 ms"
[material.hard]
stiffness = 3e4
relaxation_time = "2 ms"
friction = 0.8
[material.soft]
stiffness = 1e4
relaxation_time = "1 ms"
friction = 0.2
[material.ground]
stiffness = 5e4
relaxation_time = "3 ms"
friction = 0.4
[surface.floor]
material = "ground"
[body.large]
shape = "sphere"
radius = 0.1
mass = 3
material = "hard"
position = [0, 0, 0.0999]
[body.small]
shape = "sphere"
radius = 0.05
mass = 0.5
material = "soft"
position = [0.1499, 0, 0.0999]
[[channel]]
model = "sap"
)";

// Harmonic friction, springs in series, dampers by the sum of times: none of it is MuJoCo's rule.
TEST(MjcfContacts, TwoBodiesCombineAsHere) {
  const test::ExportedScene scene = test::ExportedText(kTwo);
  const Model& model = *scene.model;
  ExportedTwin twin(model, scene.start, WriteMjcf(scene.Input()));
  ASSERT_EQ(twin.d->ncon, 2);
  const std::vector<Material>& materials = scene.config.materials;
  for (int i = 0; i < 2; ++i) {
    const mjContact& contact = twin.d->contact[i];
    const bool floor = twin.m->geom_bodyid[contact.geom1] == 0;
    const Material material = floor ? ContactMaterial(model, materials, 0, -1, 0)
                                    : ContactMaterial(model, materials, -1, 0, 1);
    const double A = floor ? 1 / 3.0 : 1 / 3.0 + 1 / 0.5;
    const double k = material.stiffness, c = k * material.relaxation_time;
    EXPECT_NEAR(contact.friction[0], material.friction, 1e-12);
    EXPECT_NEAR(contact.solref[0], -k * (1 - kImpedance) * A, 1e-9 * k * A);
    EXPECT_NEAR(contact.solref[1], -c * (1 - kImpedance) * A, 1e-9 * c * A);
    EXPECT_EQ(contact.dim, 3);
  }
}

}  // namespace
}  // namespace slip
