// A channel that was added in the middle of a run, and moments before it was.
#include <gtest/gtest.h>

#include "engine/run/scope/scope.h"
#include "engine/scene/scene.h"
#include "tests/support/methods.h"

namespace slip::test {
namespace {

// A channel that was added at 0.1 s, in steps of 1 ms, after 0.2 s.
struct AddedLater {
  std::vector<double> times;  ///< of the samples of the added channel
  Scope scope{{[this](const Telemetry& item) {
                 const auto* sample = std::get_if<Sample>(&item.item);
                 if (sample != nullptr && sample->channel == 3) times.push_back(sample->time);
               },
               {}}};
  Snapshot snapshot;

  AddedLater() {
    scope.Apply(LoadScene{FindScene("conveyor").value()});
    scope.Apply(SetParamCommand{-1, "time_step", 1e-3});
    for (int i = 0; i < 100; ++i) scope.Advance();
    Config config = scope.channel(0).config();
    config.step.method = static_cast<int>(method_id::kTodorov);
    scope.Apply(AddChannel{config});
    for (int i = 0; i < 100; ++i) scope.Advance();
  }
  std::vector<bool> Begun() {
    scope.Fill(&snapshot);
    std::vector<bool> begun;
    for (const ChannelFrame& frame : snapshot.channels) begun.push_back(frame.begun);
    return begun;
  }
};

TEST(Scope, TheClockGoesBeforeAChannelThatWasAddedLater) {
  AddedLater run;
  EXPECT_EQ(run.Begun(), std::vector<bool>({true, true, true, true}));
  run.scope.Apply(Seek{0.05});
  EXPECT_NEAR(run.scope.time(), 0.05, 1e-12);
  EXPECT_EQ(run.scope.channel(0).step(), 50);
  EXPECT_EQ(run.Begun(), std::vector<bool>({true, true, true, false}));
  EXPECT_NEAR(run.snapshot.channels[3].time, 0.1, 1e-12);
  run.scope.Apply(StepForward{});
  EXPECT_EQ(run.scope.channel(0).step(), 51);
  EXPECT_NEAR(run.scope.time(), 0.051, 1e-12);
  run.scope.Apply(Seek{0.1});
  EXPECT_EQ(run.Begun(), std::vector<bool>({true, true, true, true}));
  EXPECT_FALSE(run.scope.live());
  run.scope.Apply(Seek{0.2});
  EXPECT_TRUE(run.scope.live());
}

TEST(Scope, ARunFromBeforeAChannelWasAddedBeginsItThere) {
  AddedLater run;
  const uint64_t end = Hash(run.scope.channel(3).state());
  run.scope.Apply(Seek{0.05});
  const Vec3 here = run.scope.channel(0).state().X_WB[0].p;
  run.times.clear();
  ASSERT_TRUE(run.scope.Advance());
  EXPECT_NEAR(run.scope.time(), 0.051, 1e-12);
  EXPECT_EQ(run.Begun(), std::vector<bool>({true, true, true, true}));
  ASSERT_EQ(run.times.size(), 2u);
  EXPECT_NEAR(run.times[0], 0.05, 1e-12);
  EXPECT_NEAR(run.times[1], 0.051, 1e-12);
  run.scope.Apply(Seek{0.05});
  EXPECT_EQ(run.scope.channel(3).state().X_WB[0].p, here);
  EXPECT_EQ(run.scope.channel(3).config().method(), method_id::kTodorov);
  // the old future stays
  run.scope.Apply(GoToBranch{0});
  EXPECT_EQ(Hash(run.scope.channel(3).state()), end);
  EXPECT_NEAR(run.scope.time(), 0.2, 1e-12);
  // a reset is no moment before its start
  run.scope.Apply(Seek{0.02});
  run.scope.Apply(Reset{});
  EXPECT_EQ(run.Begun(), std::vector<bool>({true, true, true, true}));
}

TEST(Scope, OnlyAChannelThatWasAddedLaterIsLeft) {
  AddedLater run;
  run.scope.Apply(Seek{0.05});
  for (int i = 0; i < 3; ++i) run.scope.Apply(RemoveChannel{0});
  ASSERT_EQ(run.scope.channel_count(), 1);
  EXPECT_EQ(run.Begun(), std::vector<bool>({true}));
  EXPECT_NEAR(run.scope.time(), 0.1, 1e-12);
  ASSERT_TRUE(run.scope.Advance());
  EXPECT_NEAR(run.scope.channel(0).time(), 0.101, 1e-12);
}

}  // namespace
}  // namespace slip::test
