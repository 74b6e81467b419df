// Steps with large clouds are given up while their points are looked at: the tree of a cloud and
// its contacts with a mesh take longer than anybody waits.
#include <gtest/gtest.h>

#include <random>

#include "engine/run/run_plan.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

/// Points on a ball of 0.1 m.
void WriteCloud(const std::string& path, int count) {
  std::mt19937 random(3);
  std::normal_distribution<double> any;
  std::string text;
  for (int i = 0; i < count; ++i) {
    const Vec3 p = 0.1 * Vec3(any(random), any(random), any(random)).normalized();
    text +=
        std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z()) + "\n";
  }
  WriteText(path, text);
}

TEST(CloudStop, TheFirstStepOfALargeCloudIsGivenUp) {
  const TempFolder folder;
  WriteCloud(folder.path("c.xyz"), 20000);
  WriteText(folder.path("s.toml"),
            "title = \"T\"\n[material.m]\n[surface.ground]\n[body.a]\nshape = \"cloud\"\n"
            "file = \"c.xyz\"\nmass = 1\nposition = [0, 0, 0.102]\n");
  const auto scene = FindScene(folder.path("s.toml"));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const auto plan = MakeRunPlan(*scene, "quasi-dynamic", {}, {});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  Simulation sim((*scene)->ModelFor(plan->configs[0]), plan->configs[0]);
  int asked = 0;
  // once before the step, once in it
  sim.SetStop([&] { return ++asked > 1; });
  EXPECT_EQ(sim.Step(), StepStatus::kStopped);
  EXPECT_EQ(asked, 2) << "as soon as it is asked";
  EXPECT_EQ(sim.step(), 0);
  // and leaves no trace
  sim.SetStop({});
  Simulation other((*scene)->ModelFor(plan->configs[0]), plan->configs[0]);
  EXPECT_EQ(sim.Step(), other.Step());
  EXPECT_EQ(sim.step(), 1);
  EXPECT_TRUE(sim.state().q == other.state().q && sim.state().v == other.state().v);
  EXPECT_EQ(sim.state().X_WB.back().p, other.state().X_WB.back().p);
}

// every point is held against the triangles near it
TEST(CloudStop, TheSearchForContactsOnAMeshIsGivenUp) {
  const TempFolder folder;
  WriteCloud(folder.path("c.xyz"), 5000);
  WriteText(folder.path("floor.obj"), "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n");
  WriteText(folder.path("s.toml"),
            "title = \"T\"\n[material.m]\n[body.floor]\nshape = \"mesh\"\nfile = \"floor.obj\"\n"
            "motion = \"fixed\"\n[body.a]\nshape = \"cloud\"\nfile = \"c.xyz\"\nmass = 1\n"
            "position = [0, 0, 0.1]\n");
  const auto scene = FindScene(folder.path("s.toml"));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const auto plan = MakeRunPlan(*scene, "sap", {}, {});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  const auto model = (*scene)->ModelFor(plan->configs[0]);
  Simulation sim(model, plan->configs[0]), other(model, plan->configs[0]);
  int asked = 0;
  sim.SetStop([&] { return ++asked > 5; });
  EXPECT_EQ(sim.Step(), StepStatus::kStopped);
  EXPECT_EQ(asked, 7) << "in the search, and once behind it";
  asked = -1000000;
  EXPECT_EQ(sim.Step(), other.Step());
  EXPECT_GT(asked, -1000000 + 15);
  EXPECT_GT(sim.contacts().size(), 0u);
  EXPECT_EQ(sim.state().X_WB.back().p, other.state().X_WB.back().p);
}

}  // namespace
}  // namespace slip
