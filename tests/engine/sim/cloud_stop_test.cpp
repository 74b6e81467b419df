// Steps with large clouds, and the simulations before them, are given up while their points are
// looked at: the tree of a cloud and its contacts with a mesh take longer than anybody waits.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "engine/core/thread_stop.h"
#include "engine/run/scope/engine_thread.h"
#include "engine/run/scope/scope.h"
#include "engine/run/study/run_plan.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/slow_search.h"
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

TEST(CloudStop, ASimulationIsGivenUpWhileItIsMade) {
  const TempFolder folder;
  const auto scene = FindScene(WriteSlowSearch(folder, 60));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const auto plan = MakeRunPlan(*scene, "sap,lagged", {}, {});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  std::vector<Track> tracks;
  int asked = 0, made = 0;
  RunCallbacks callbacks;
  callbacks.stop = [&] {
    made = static_cast<int>(tracks.size());
    return ++asked > 5;
  };
  RunResult result = slip::Run(*plan, &tracks, callbacks);
  EXPECT_TRUE(result.stopped);
  EXPECT_LT(asked, 20) << "as soon as it is asked";
  ASSERT_EQ(tracks.size(), 2u);
  for (const Track& track : tracks) {
    EXPECT_EQ(track.sim().step(), 0);
    EXPECT_TRUE(std::isnan(track.sim().signals()[static_cast<std::size_t>(Signal::kElasticEnergy)]))
        << "what was not found is not known";
  }
  // it is asked before there is a channel, too
  asked = -1000000;
  int before = 0;
  callbacks.stop = [&] {
    before += tracks.empty() ? 1 : 0;
    return ++asked > 0;
  };
  RunPlan short_one = *plan;
  short_one.steps = 1;
  result = slip::Run(short_one, &tracks, callbacks);
  EXPECT_FALSE(result.stopped);
  EXPECT_GT(before, 10);
  const double elastic =
      tracks[0].sim().signals()[static_cast<std::size_t>(Signal::kElasticEnergy)];
  EXPECT_TRUE(std::isfinite(elastic));
}

TEST(CloudStop, ChannelsAreMadeBeforehandOrNotAtAll) {
  const TempFolder folder;
  const auto scene = FindScene(WriteSlowSearch(folder, 20));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  LoadScene load{*scene};
  int asked = 0;
  {
    const ThreadStop stop([&] { return ++asked > 3; });
    MakeTracks(&load);
  }
  EXPECT_EQ(load.tracks, nullptr);
  EXPECT_LT(asked, 10) << "as soon as it is asked";
  MakeTracks(&load);
  ASSERT_NE(load.tracks, nullptr);
  // and whoever takes them asks for nothing more, and goes the same way
  Scope taken, other;
  taken.Apply(LoadScene{FindScene("conveyor").value()});
  {
    asked = 0;
    const ThreadStop stop([&] { return ++asked < 0; });
    taken.Apply(load);
    EXPECT_EQ(asked, 0);
    other.Apply(LoadScene{*scene});
    EXPECT_GT(asked, 10);
  }
  EXPECT_EQ(taken.channel(0).state().energy.mechanical, other.channel(0).state().energy.mechanical);
  EXPECT_EQ(taken.Advance(), other.Advance());
  EXPECT_TRUE(Equal(taken.channel(0).state(), other.channel(0).state()));
  taken.Apply(Reset{});
  EXPECT_EQ(taken.channel(0).step(), 0);
}

TEST(CloudStop, TheEngineEndsInTheMidstOfALoad) {
  const TempFolder folder;
  const auto scene = FindScene(WriteSlowSearch(folder, 20000));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  auto engine = std::make_unique<EngineThread>(2);
  engine->Send(LoadScene{*scene});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(engine->Latest().scene, nullptr) << "it is not loaded yet";
  const auto begin = std::chrono::steady_clock::now();
  engine.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

}  // namespace
}  // namespace slip
