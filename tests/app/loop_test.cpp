// Scenes that open slowly and are shown again and again, until somebody acts.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "app/frame/ui.h"
#include "app/kit/widget_registry.h"
#include "app/session/session.h"
#include "engine/run/record/recording.h"
#include "tests/support/offscreen.h"
#include "tests/support/stepped_session.h"

namespace slip::app {
namespace {

class Stage : public SteppedSession {
 public:
  explicit Stage(const std::string& scene, bool staged = true) : SteppedSession(scene, staged, 0) {
    Frame();
  }
  void Pass(double seconds) {
    for (double t = 0; t < seconds - 1e-9; t += 1.0 / 60) Frame();
  }
  /// Passes time until the loop is there; false when it never gets there.
  bool PassTo(LoopPhase phase) {
    for (int i = 0; i < 3000 && session->playback().loop_phase() != phase; ++i) Pass(1.0 / 60);
    return session->playback().loop_phase() == phase;
  }
};

/// All that was done so far, as the experiment file would hold it.
std::shared_ptr<const Recording> Record(Stage* stage) {
  std::shared_ptr<const Recording> taken;
  stage->session->experiments().With(
      [&](std::shared_ptr<const Recording> recording) { taken = std::move(recording); });
  stage->Pass(0.05);
  return taken;
}

TEST(Loop, PlaysHoldsAndShowsAgain) {
  Stage stage("sliding-rod");
  Session& session = *stage.session;
  EXPECT_EQ(session.playback().speed(), 0.02);
  EXPECT_TRUE(session.playback().playing());
  EXPECT_EQ(session.playback().loop_phase(), LoopPhase::kRun);
  stage.Pass(4.8);
  EXPECT_EQ(session.playback().loop_phase(), LoopPhase::kRun);
  EXPECT_NEAR(session.snapshot().time, 0.096, 0.002);
  ASSERT_TRUE(stage.PassTo(LoopPhase::kHold));
  EXPECT_TRUE(session.playback().playing()) << "a loop that waits is no pause";
  // on the step, whatever the frames were
  EXPECT_EQ(session.frame(0).step, 200);
  EXPECT_NEAR(session.snapshot().time, 0.1, 1e-9);
  stage.Pass(0.9);
  EXPECT_EQ(session.playback().loop_phase(), LoopPhase::kHold);
  stage.Pass(0.2);
  EXPECT_EQ(session.playback().loop_phase(), LoopPhase::kShow);
  EXPECT_LT(session.snapshot().time, 0.01);
  stage.Pass(2.5);
  EXPECT_NEAR(session.snapshot().time, 0.05, 0.005);
  EXPECT_TRUE(session.playback().playing());
  ASSERT_TRUE(stage.PassTo(LoopPhase::kHold));
  stage.Pass(0.1);
  EXPECT_TRUE(session.snapshot().live);
  ASSERT_TRUE(stage.PassTo(LoopPhase::kShow));
}

TEST(Loop, LeavesHistoryAndJournalAlone) {
  Stage once("sliding-box"), often("sliding-box");
  ASSERT_TRUE(once.PassTo(LoopPhase::kHold));
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(often.PassTo(LoopPhase::kHold));
    ASSERT_TRUE(often.PassTo(LoopPhase::kShow));
  }
  EXPECT_EQ(often.session->snapshot().history_bytes, once.session->snapshot().history_bytes);
  EXPECT_EQ(often.session->snapshot().branches, 1);
  EXPECT_EQ(often.session->notebook().marks().size(), once.session->notebook().marks().size());
  EXPECT_EQ(often.session->messages().size(), once.session->messages().size());
  const auto a = Record(&once), b = Record(&often);
  ASSERT_TRUE(a != nullptr && b != nullptr);
  EXPECT_TRUE(often.session->playback().looping()) << "saving is no touch";
  ASSERT_EQ(b->branches.size(), 1u);
  ASSERT_EQ(a->branches[0].lines.size(), b->branches[0].lines.size());
  for (std::size_t i = 0; i < a->branches[0].lines.size(); ++i) {
    const TrackLine &x = a->branches[0].lines[i].line, &y = b->branches[0].lines[i].line;
    EXPECT_EQ(x.end_step, y.end_step);
    EXPECT_TRUE(y.entries.empty());
  }
}

TEST(Loop, WhateverIsDoneToTheRunEndsIt) {
  struct Touch {
    const char* what;
    std::function<void(Session*)> act;
    bool runs_on;
  };
  const Touch kTouches[] = {
      {"pause", [](Session* s) { s->playback().Toggle(); }, false},
      {"step", [](Session* s) { s->playback().Step(1); }, false},
      {"step back", [](Session* s) { s->playback().Step(-1); }, false},
      {"scrub",
       [](Session* s) {
         s->playback().SetPlaying(false);  // as the time line does
         s->playback().Seek(0.02);
       },
       false},
      {"parameter", [](Session* s) { s->params().Set(-1, "gravity", 5); }, true},
      {"model", [](Session* s) { s->params().SetMethod(0, s->looks().Of(1).model); }, true},
      {"channel", [](Session* s) { s->looks().Remove(2); }, true},
      {"re-sync", [](Session* s) { s->Send(Resync{0}); }, true},
      {"pull",
       [](Session* s) {
         SetGrab grab;
         grab.grab.body = 0;
         grab.grab.stiffness = 10;
         grab.grab.force_limit = 1;
         s->Send(grab);
       },
       true},
  };
  for (const LoopPhase phase : {LoopPhase::kRun, LoopPhase::kHold, LoopPhase::kShow}) {
    for (const Touch& touch : kTouches) {
      Stage stage("sliding-rod");
      Session& session = *stage.session;
      ASSERT_TRUE(stage.PassTo(phase));
      if (phase != LoopPhase::kHold) stage.Pass(2);
      ASSERT_EQ(session.playback().loop_phase(), phase);
      const double shown = session.snapshot().time;
      touch.act(&session);
      EXPECT_FALSE(session.playback().looping()) << touch.what;
      stage.Pass(0.1);
      EXPECT_EQ(session.playback().playing(), touch.runs_on) << touch.what;
      stage.Pass(1);
      if (!touch.runs_on) continue;
      EXPECT_GT(session.snapshot().time, shown + 0.01) << touch.what << ": it goes on from there";
      EXPECT_LT(session.snapshot().time, shown + 0.03) << touch.what << ": it goes on from there";
      stage.Pass(8);
      EXPECT_GT(session.snapshot().time, 0.105) << touch.what << ": nothing stops it any more";
    }
  }
}

TEST(Loop, ItsSignEndsItAtTheNewestStep) {
  Stage running("sliding-rod"), showing("sliding-rod");
  running.Pass(1);
  running.session->playback().GoLive();
  EXPECT_FALSE(running.session->playback().looping());
  running.Pass(6);
  EXPECT_GT(running.session->snapshot().time, 0.13) << "the first run goes on, now without an end";
  ASSERT_TRUE(showing.PassTo(LoopPhase::kShow));
  showing.Pass(1);
  showing.session->playback().GoLive();
  EXPECT_FALSE(showing.session->playback().looping());
  showing.Pass(1);
  EXPECT_FALSE(showing.session->playback().playing());
  EXPECT_NEAR(showing.session->snapshot().time, 0.1, 1e-9);
}

TEST(Loop, LookingIsNoTouch) {
  Stage stage("sliding-rod");
  Session& session = *stage.session;
  ASSERT_TRUE(stage.PassTo(LoopPhase::kShow));
  session.playback().SetSpeed(0.05);
  session.Send(ForetellForces{});
  session.Send(TraceSolve{0});
  session.looks().ToggleVisible(1);
  session.looks().SetLead(1);
  session.notebook().AddNote();
  stage.Pass(0.5);
  EXPECT_TRUE(session.playback().looping());
  EXPECT_NEAR(session.snapshot().time, 0.025, 0.003);
}

TEST(Loop, AResetBeginsItAnew) {
  Stage stage("sliding-rod");
  Session& session = *stage.session;
  stage.Pass(1);
  session.params().Set(-1, "time_step", 0.4e-3);
  EXPECT_FALSE(session.playback().looping());
  stage.Pass(1);
  session.playback().Reset();
  EXPECT_EQ(session.playback().loop_phase(), LoopPhase::kRun);
  stage.Pass(0.5);
  EXPECT_EQ(session.playback().loop_phase(), LoopPhase::kRun);
  EXPECT_NEAR(session.snapshot().time, 0.01, 0.002);
  ASSERT_TRUE(stage.PassTo(LoopPhase::kShow));
  EXPECT_EQ(session.params().Value(0, "time_step"), 0.4e-3);
  EXPECT_NEAR(session.snapshot().history_end, 0.1, 0.4e-3);
  // from a pause it waits for the user
  session.playback().SetPlaying(false);
  session.playback().Reset();
  stage.Pass(1);
  EXPECT_FALSE(session.playback().playing());
  EXPECT_EQ(session.snapshot().time, 0);
  session.playback().SetPlaying(true);
  EXPECT_TRUE(stage.PassTo(LoopPhase::kShow));
}

TEST(Loop, TheNextSceneRunsAsItsFileSays) {
  Stage stage("sliding-rod");
  Session& session = *stage.session;
  ASSERT_TRUE(stage.PassTo(LoopPhase::kShow));
  ASSERT_TRUE(session.Load("conveyor"));
  EXPECT_FALSE(session.playback().looping());
  stage.Pass(0.5);
  EXPECT_TRUE(session.playback().playing());
  EXPECT_EQ(session.playback().speed(), 1);
  EXPECT_NEAR(session.snapshot().time, 0.5, 0.03);
  ASSERT_TRUE(session.Load("sliding-box"));
  stage.Pass(0.5);
  EXPECT_TRUE(session.playback().looping());
  EXPECT_EQ(session.playback().speed(), 0.1);
  EXPECT_NEAR(session.snapshot().time, 0.05, 0.011);
  EXPECT_TRUE(stage.PassTo(LoopPhase::kShow));
}

TEST(Loop, OnlyTheWindowIsStaged) {
  Stage stage("sliding-rod", false);
  EXPECT_FALSE(stage.session->playback().looping());
  EXPECT_EQ(stage.session->playback().speed(), 1);
  EXPECT_FALSE(stage.session->playback().StagedSpan());
  stage.Pass(0.3);
  EXPECT_GT(stage.session->snapshot().time, 0.25);
}

TEST(Loop, NeighboursAreThoseOfTheCourse) {
  Stage stage("sliding-rod");
  stage.session->files().LoadNeighbour(1);
  EXPECT_EQ(stage.session->scene()->id, "slope-creep");
  stage.session->files().LoadNeighbour(-1);
  EXPECT_EQ(stage.session->scene()->id, "sliding-rod");
}

TEST(Loop, TheTimeLineSaysSoAndPlotsShowItsSpan) {
  UI_OR_SKIP(staged, OpenStaged("sliding-box"));
  OffscreenUi& window = *staged;
  PassAndDraw(&window, 0.5);
  const LinkedX& x = window.ui().state.plots.linked_x;
  EXPECT_EQ(x.range.min, 0);
  EXPECT_EQ(x.range.max, 0.35);
  PassAndDraw(&window, 5);
  EXPECT_EQ(window.session().playback().loop_phase(), LoopPhase::kShow);
  EXPECT_EQ(x.range.max, 0.35);
  const WidgetRecord* sign = FindWidget("time/live");
  ASSERT_NE(sign, nullptr);
  EXPECT_EQ(sign->text, "Loop");
  // a click on the sign ends the loop at the newest step
  ASSERT_TRUE(window.Click("time/live"));
  Settle(&window);
  EXPECT_FALSE(window.session().playback().looping());
  EXPECT_FALSE(window.session().playback().playing());
  EXPECT_EQ(FindWidget("time/live")->text, "Live");
  // and so does one on the time line
  window.session().playback().Reset();
  window.session().playback().SetPlaying(true);
  PassAndDraw(&window, 1);
  ASSERT_TRUE(window.session().playback().looping());
  ASSERT_TRUE(window.Click("time/spine"));
  EXPECT_FALSE(window.session().playback().looping());
}

}  // namespace
}  // namespace slip::app
