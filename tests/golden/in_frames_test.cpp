// The engine that steps within the frames, as under --threads 0: the same bits as everywhere.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <map>
#include <memory>
#include <vector>

#include "engine/core/text_file.h"
#include "engine/run/scope/engine_thread.h"
#include "engine/run/scope/reference.h"
#include "engine/scene/scene.h"
#include "tests/golden/golden_run.h"
#include "tests/support/folders.h"
#include "tests/support/without_threads.h"

namespace slip {
namespace {

using Clock = std::chrono::steady_clock;

std::shared_ptr<const Scene> Load(const std::string& name) {
  const auto scene = FindScene(name);
  EXPECT_TRUE(scene.ok());
  return scene.ok() ? *scene : nullptr;
}

/// An engine, and what it has sent.
struct FrameEngine {
  EngineThread engine;
  std::vector<Telemetry> told;
  std::shared_ptr<const Recording> recording;

  void Frame(const SliceBudget& budget = {}) {
    GiveSlices(budget);
    for (Telemetry item; engine.NextTelemetry(&item);) told.push_back(item);
    while (const auto event = engine.NextEvent()) {
      if (const auto* taken = std::get_if<RecordingTaken>(&event->item))
        recording = taken->recording;
    }
  }
  /// Frames until it stands at this time, as fast as it can, none longer than its budget and a
  /// step.
  void RunTo(double time) {
    engine.Send(SetSpeed{kInfinity});
    engine.Send(Play{time});
    do {
      Frame();
    } while (engine.Latest().playing);
  }
};

class InFrames : public testing::TestWithParam<const char*> {};

TEST_P(InFrames, TheGoldenHashes) {
  const WithoutThreads none;
  const std::shared_ptr<const Scene> scene = Load(GetParam());
  ASSERT_NE(scene, nullptr);
  FrameEngine of;
  of.engine.Send(LoadScene{scene});
  of.Frame();
  // channels step to common times; five hundred steps of the finest, or more
  double step = kInfinity;
  for (const ChannelSpec& channel : scene->channels)
    step = std::min(step, channel.config.step.time_step);
  of.RunTo(500 * step);
  of.engine.Send(TakeRecording{});
  of.Frame();
  ASSERT_NE(of.recording, nullptr);
  const auto text = ReadTextFile(SourceFolder() + "/tests/golden/hashes.txt", {});
  ASSERT_TRUE(text.ok());
  const GoldenResults expected = ParseList(*text).ExpectedOn(LibmName());
  int compared = 0;
  for (const RecordedLine& each : of.recording->branches.front().lines) {
    const std::string method(Info(each.line.config.method()).id);
    for (const StateLog::Hash& hash : each.line.log.hashes()) {
      const auto known = expected.find(fmt::format("{} {} {}", scene->id, method, hash.step));
      if (known == expected.end()) continue;
      EXPECT_EQ(known->second, fmt::format("{:016x}", hash.hash)) << method << " " << hash.step;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 3 * static_cast<int>(scene->channels.size()));
}

INSTANTIATE_TEST_SUITE_P(Scenes, InFrames, testing::Values("conveyor", "quadruped-trot", "clutter"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(InFrames, StepsPausesAndLooksBackWithinAFrame) {
  const WithoutThreads none;
  const int before = CountThreads();
  FrameEngine of;
  of.engine.Send(LoadScene{Load("conveyor")});
  of.engine.Send(StepForward{7});
  of.Frame();
  EXPECT_EQ(of.engine.Latest().channels.at(0).step, 7);
  of.Frame();
  EXPECT_EQ(of.engine.Latest().channels.at(0).step, 7) << "it stands";
  of.engine.Send(StepBack{3});
  of.Frame();
  EXPECT_EQ(of.engine.Latest().channels.at(0).step, 4);
  EXPECT_FALSE(of.engine.Latest().live);
  // another way on is another branch
  of.engine.Send(SetParamCommand{-1, "friction", 0.3});
  of.engine.Send(StepForward{1});
  of.Frame();
  EXPECT_EQ(of.engine.Latest().branches, 2);
  of.engine.Send(GoToBranch{0});
  of.Frame();
  EXPECT_EQ(of.engine.Latest().channels.at(0).step, 7);
  EXPECT_EQ(CountThreads(), before);
}

TEST(InFrames, AFrameOfTheFastestRunIsNoLongerThanItsBudget) {
  const WithoutThreads none;
  FrameEngine of;
  of.engine.Send(LoadScene{Load("conveyor")});
  of.engine.Send(SetSpeed{kInfinity});
  of.engine.Send(Play{});
  of.Frame();
  double shortest = kInfinity;
  for (int i = 0; i < 20; ++i) {
    const double time = of.engine.Latest().time;
    const Clock::time_point begin = Clock::now();
    GiveSlices({.first = 0.004});
    shortest = std::min(shortest, std::chrono::duration<double>(Clock::now() - begin).count());
    of.Frame();
    EXPECT_GT(of.engine.Latest().time, time);
  }
  // at least one of them was not held up by others who need the processor
  EXPECT_LT(shortest, 0.012);
}

TEST(InFrames, KeepsPaceWithTheClock) {
  const WithoutThreads none;
  FrameEngine of;
  of.engine.Send(LoadScene{Load("conveyor")});
  of.Frame();
  of.engine.Send(SetSpeed{0.5});
  of.engine.Send(Play{});
  of.Frame();
  const Clock::time_point begin = Clock::now();
  double passed = 0;
  while (passed < 0.6) {
    of.Frame();
    passed = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  EXPECT_LE(of.engine.Latest().time, 0.5 * passed + 0.011) << "a step at most ahead";
  EXPECT_GT(of.engine.Latest().time, 0.1);
}

std::vector<Sample> SamplesOf(const ReferencePlan& plan, int* slices) {
  std::vector<Sample> samples;
  ReferenceRun run(plan);
  for (bool done = false; !done; ++*slices) {
    done = run.done();
    GiveSlices({.first = 0, .after = 0.0005});
    for (Sample sample; run.NextSample(&sample);) samples.push_back(sample);
  }
  EXPECT_EQ(run.failure(), "");
  return samples;
}

TEST(InFrames, AReferenceIsMadeInSlicesAndIsTheSame) {
  const std::shared_ptr<const Scene> scene = Load("conveyor");
  const ReferencePlan plan{.model = scene->model,
                           .config = scene->channels.front().config,
                           .changes = {{0.1, "friction", 0.2}},
                           .end = 0.3};
  int slices = 0;
  const std::vector<Sample> on_thread = SamplesOf(plan, &slices);
  const WithoutThreads none;
  const int before = CountThreads();
  slices = 0;
  const std::vector<Sample> in_slices = SamplesOf(plan, &slices);
  EXPECT_GT(slices, 3);
  EXPECT_EQ(CountThreads(), before);
  ASSERT_EQ(in_slices.size(), on_thread.size());
  for (std::size_t i = 0; i < in_slices.size(); ++i) {
    EXPECT_EQ(in_slices[i].time, on_thread[i].time);
    for (const Signal signal : {Signal::kPositionX, Signal::kVelocityX, Signal::kNormalForce})
      EXPECT_EQ(std::bit_cast<uint64_t>(At(in_slices[i].values, signal)),
                std::bit_cast<uint64_t>(At(on_thread[i].values, signal)));
  }
  // one that nobody wants any more goes at once
  ReferencePlan endless = plan;
  endless.end = 1e6;
  const Clock::time_point begin = Clock::now();
  {
    ReferenceRun run(endless);
    GiveSlices();
    EXPECT_FALSE(run.done());
    EXPECT_GT(run.progress(), 0);
    run.Cancel();
    GiveSlices();
    EXPECT_TRUE(run.done());
    const ReferenceRun other(endless);
    GiveSlices();
  }
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - begin).count(), 10);
}

}  // namespace
}  // namespace slip
