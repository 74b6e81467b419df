// Pyramids: bodies that a scene file makes of a number of rows, and the large scene of them.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/core/numbers.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"

namespace slip {
namespace {

std::string Wall(const std::string& rows) {
  return "title = \"t\"\n[material.stone]\nstiffness = 1e7\n[surface.ground]\n[pile.wall]\n" +
         rows +
         "first = [2, 1, 0.25]\nspacing = [0.5, 1, 0.5]\n[[pile.wall.body]]\nshape = \"box\"\n"
         "size = [0.5, 0.5, 0.5]\nmass = 10\n";
}

TEST(Pyramid, EachRowStandsOnTheGapsOfTheOneBelow) {
  const auto scene = ReadSceneText(Wall("rows = 3\n"), "t.toml");
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const auto& bodies = (*scene)->model->bodies;
  ASSERT_EQ(bodies.size(), 6u);
  const double x[] = {1.5, 2, 2.5, 1.75, 2.25, 2}, z[] = {0.25, 0.25, 0.25, 0.75, 0.75, 1.25};
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(bodies[i].X_WB.p, Vec3(x[i], 1, z[i])) << bodies[i].name;
}

TEST(Pyramid, RowsAreAParameterAndBodiesAreNot) {
  const auto scene = ReadSceneText(Wall("rows = 3\n"), "t.toml");
  ASSERT_TRUE(scene.ok());
  Config config = (*scene)->config;
  EXPECT_EQ(GetParam(config, "rows"), 3);
  EXPECT_EQ(GetParam(config, "pile.wall.rows"), 3);
  EXPECT_FALSE(GetParam(config, "bodies").has_value());
  ASSERT_TRUE(SetParam(&config, "rows", 5).ok());
  EXPECT_EQ((*scene)->ModelFor(config)->bodies.size(), 15u);
  const auto lattice = ReadSceneText(Wall("bodies = 4\n"), "t.toml");
  ASSERT_TRUE(lattice.ok());
  EXPECT_FALSE(GetParam((*lattice)->config, "rows").has_value());
  EXPECT_EQ(GetParam((*lattice)->config, "bodies"), 4);
}

TEST(Pyramid, HasNoBodiesAndColumnsOfALattice) {
  for (const std::string other : {"bodies = 4\n", "columns = [2, 2]\n"}) {
    const auto scene = ReadSceneText(Wall("rows = 3\n" + other), "t.toml");
    ASSERT_FALSE(scene.ok());
    EXPECT_NE(scene.error().Text().find("not both"), std::string::npos) << scene.error().Text();
  }
}

// Found by its name, in no list; at rest the ground carries its weight.
TEST(Pyramid, OfTheLargeSceneStands) {
  EXPECT_EQ(std::set<std::string>({"pyramid"}), [](const auto& names) {
    return std::set<std::string>(names.begin(), names.end());
  }(ListLargeScenes()));
  for (const std::string& name : ListScenes()) EXPECT_NE(name, "pyramid");
  const auto scene = FindScene("pyramid");
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  EXPECT_EQ((*scene)->model->bodies.size(), 5050u);
  EXPECT_FALSE(FindScene("large/pyramid").ok());
  EXPECT_NE(FindScene("pyramyd").error().Text().find("pyramid"), std::string::npos);

  Config config = (*scene)->channels.at(0).config;
  ASSERT_TRUE(SetParam(&config, "rows", 12).ok());
  Simulation sim((*scene)->ModelFor(config), config);
  double most = 0;
  for (int i = 0; i < 180; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged) << i;
    most = std::max(most, At(sim.signals(), Place(Signal::kSupportForce)));
  }
  const double weight = 78 * 100 * CalcGravity(config.step).norm();
  EXPECT_NEAR(At(sim.signals(), Place(Signal::kSupportForce)), weight, 1e-4 * weight);
  EXPECT_GT(most, 1.02 * weight) << "it swings in";
  EXPECT_EQ(sim.solve().islands, 1);
}

}  // namespace
}  // namespace slip
