// Where another run's bodies were: told at the time that is shown, without changing the present
// run.
#include <gtest/gtest.h>

#include <map>

#include "engine/core/hash.h"
#include "engine/run/scope/scope.h"
#include "engine/run/track/branch_info.h"

namespace slip::test {
namespace {

using Place = GhostRun::Place;

/// A first run to 0.4 s, and a second one from 0.2 s on with less friction.
struct TwoRuns {
  Scope scope{{{}, {}}};
  std::map<int64_t, std::vector<Pose>> first;  ///< channel 0 of the first run, by common steps

  explicit TwoRuns(bool ask, double time_step = 0) {
    auto scene = FindScene("conveyor");
    EXPECT_TRUE(scene.ok());
    scope.Apply(LoadScene{*scene});
    for (int i = 0; i < 40; ++i) {
      scope.Advance();
      first[scope.channel(0).step()] = scope.channel(0).state().X_WB;
    }
    scope.Apply(Seek{0.2});
    scope.Apply(SetParamCommand{-1, "friction", 0.1});
    if (time_step > 0) scope.Apply(SetParamCommand{-1, "time_step", time_step});
    if (ask) scope.Apply(ShowGhost{0});
  }
  Snapshot Look() const {
    Snapshot snapshot;
    scope.Fill(&snapshot);
    return snapshot;
  }
};

TEST(RunGhost, StandsWhereTheOtherRunWasAtThisTime) {
  TwoRuns runs(true);
  EXPECT_EQ(runs.Look().ghost.place, Place::kShared) << "both have this step";
  for (int i = 0; i < 10; ++i) runs.scope.Advance();
  const Snapshot snapshot = runs.Look();
  const GhostRun& ghost = snapshot.ghost;
  ASSERT_EQ(ghost.branch, 0);
  ASSERT_EQ(ghost.place, Place::kApart);
  EXPECT_NEAR(ghost.shared_until, 0.2, 1e-9);
  EXPECT_NEAR(ghost.end, 0.4, 1e-9);
  EXPECT_EQ(ghost.model, snapshot.model);
  ASSERT_EQ(ghost.channels.size(), snapshot.channels.size());
  const std::vector<Pose>& then = runs.first.at(runs.scope.channel(0).step());
  ASSERT_EQ(ghost.channels[0].size(), then.size());
  for (std::size_t b = 0; b < then.size(); ++b) EXPECT_EQ(ghost.channels[0][b].X_WB.p, then[b].p);
  EXPECT_NE(ghost.channels[0].back().X_WB.p, snapshot.channels[0].bodies.back().X_WB.p);
}

TEST(RunGhost, GoesAlongWithScrubbingAndEndsWhereItsRunEnds) {
  TwoRuns runs(true);
  for (int i = 0; i < 40; ++i) runs.scope.Advance();
  EXPECT_EQ(runs.Look().ghost.place, Place::kOver);
  EXPECT_TRUE(runs.Look().ghost.channels[0].empty());
  runs.scope.Apply(Seek{0.3});
  Snapshot snapshot = runs.Look();
  ASSERT_EQ(snapshot.ghost.place, Place::kApart);
  EXPECT_EQ(snapshot.ghost.channels[0].back().X_WB.p,
            runs.first.at(snapshot.channels[0].step).back().p);
  runs.scope.Apply(Seek{0.1});
  EXPECT_EQ(runs.Look().ghost.place, Place::kShared);
  // on the other run, the second is the ghost only when it is asked for
  runs.scope.Apply(GoToBranch{0});
  EXPECT_EQ(runs.Look().ghost.branch, -1);
  runs.scope.Apply(ShowGhost{1});
  EXPECT_EQ(runs.Look().ghost.branch, 1);
  EXPECT_EQ(runs.Look().ghost.place, Place::kApart);
  runs.scope.Apply(ShowGhost{});
  EXPECT_EQ(runs.Look().ghost.branch, -1);
  EXPECT_TRUE(runs.Look().ghost.channels.empty());
}

TEST(RunGhost, OfAnotherTimeStepIsTheLastStepBefore) {
  TwoRuns runs(true, 1e-3);
  for (int i = 0; i < 25; ++i) runs.scope.Advance();  // 0.225 s
  const Snapshot snapshot = runs.Look();
  ASSERT_EQ(snapshot.ghost.place, Place::kApart);
  EXPECT_EQ(snapshot.ghost.channels[0].back().X_WB.p, runs.first.at(22).back().p);
}

TEST(RunGhost, OfARunFromTheStartHasNothingInCommon) {
  TwoRuns runs(false);
  runs.scope.Apply(Reset{});
  runs.scope.Apply(ShowGhost{0});
  for (int i = 0; i < 10; ++i) runs.scope.Advance();
  const GhostRun ghost = runs.Look().ghost;
  EXPECT_EQ(ghost.place, Place::kApart);
  EXPECT_EQ(ghost.shared_until, 0);
  EXPECT_EQ(ghost.channels[0].back().X_WB.p, runs.first.at(10).back().p);
}

TEST(RunGhost, ChangesNothingOfTheRunThatGoesOn) {
  TwoRuns with(true), without(false);
  for (int i = 0; i < 30; ++i) {
    static_cast<void>(with.Look());
    with.scope.Advance();
    without.scope.Advance();
  }
  for (int c = 0; c < with.scope.channel_count(); ++c)
    EXPECT_EQ(Hash(with.scope.channel(c).state()), Hash(without.scope.channel(c).state()));
  // a dropped run is none
  with.scope.Apply(GoToBranch{0});
  with.scope.Apply(ShowGhost{1});
  with.scope.Apply(DropBranch{1});
  EXPECT_EQ(with.Look().ghost.branch, -1);
}

}  // namespace
}  // namespace slip::test
