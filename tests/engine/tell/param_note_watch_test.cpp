// Notes on parameters of a run: when the thing was that they tell of, and none goes missing.
#include "engine/tell/param_note_watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/run/study/plan_notes.h"
#include "engine/scene/scene.h"
#include "tests/support/models.h"

namespace slip {
namespace {

// A stiff ball that falls 2 cm.
std::string Ball(const std::string& keys = "") {
  return "title = \"Ball\"\nduration = 1\ntime_step = \"2 ms\"\n"
         "[material.steel]\nstiffness = 1e7\ndissipation = 20\nfriction = 0.5\n[surface.floor]\n"
         "[body.ball]\nshape = \"sphere\"\nradius = 0.05\nmass = 0.5\nposition = [0, 0, 0.07]\n" +
         keys;
}

struct Told {
  std::vector<ParamNoteWatch::Seen> seen;
  std::vector<ToldNote> notes;
  double impact = 0;  ///< end of the step with the hardest impact [s]
};

Told RunFor(const std::string& text, const std::string& model, double duration,
            const std::vector<std::string>& changes = {}) {
  Told told;
  const auto scene = ReadSceneText(text, "ball.toml");
  EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.error().Text());
  const auto made = MakeRunPlan(*scene, model, {}, changes);
  EXPECT_TRUE(made.ok());
  RunPlan plan = *made;
  plan.duration = duration;
  plan.watches_params = true;
  double hardest = 0;
  RunCallbacks callbacks;
  callbacks.step = [&](int, const Simulation& sim) {
    const double speed = test::Value(sim, Signal::kImpactSpeed);
    if (speed > hardest) hardest = speed, told.impact = sim.time();
  };
  std::vector<Track> tracks;
  const RunResult result = slip::Run(plan, &tracks, callbacks);
  EXPECT_TRUE(result.Complete());
  told.seen = result.channels[0].params.seen();
  told.notes = NotesOf(plan, 0, result.channels[0]);
  return told;
}

const ParamNoteWatch::Seen* FindSeen(const Told& told, std::string_view id) {
  const auto at = std::find_if(told.seen.begin(), told.seen.end(),
                               [id](const auto& seen) { return seen.note.id == id; });
  return at == told.seen.end() ? nullptr : &*at;
}

TEST(ParamNoteWatch, AnImpactHasItsOwnTimeHoweverLongTheRun) {
  for (const double duration : {0.07, 0.15, 0.201, 0.3, 1.0}) {
    const Told told = RunFor(Ball(), "sap", duration);
    const auto* seen = FindSeen(told, "impact");
    ASSERT_NE(seen, nullptr) << duration;
    EXPECT_EQ(seen->time, told.impact) << duration;
    EXPECT_NEAR(seen->time, std::sqrt(2 * 0.02 / 9.81), 3e-3) << duration;
  }
}

TEST(ParamNoteWatch, ALaterChangeLosesNoImpact) {
  const Told told = RunFor(Ball(), "sap", 0.3, {"0.08:time_step=0.02ms"});
  const auto* seen = FindSeen(told, "impact");
  ASSERT_NE(seen, nullptr);
  EXPECT_EQ(seen->time, told.impact);
  // resolved from the start there is nothing to tell
  const Told fine = RunFor(Ball(), "sap", 0.3, {"0:time_step=0.02ms"});
  EXPECT_EQ(FindSeen(fine, "impact"), nullptr);
}

// A state is told of the step that had most of it, and stays told when it has been changed away.
TEST(ParamNoteWatch, AStateIsToldOfItsOwnStep) {
  for (const double duration : {0.35, 0.8}) {
    const Told told = RunFor(Ball(), "sap", duration, {"0.3:near_rigid=0"});
    const auto* seen = FindSeen(told, "near_rigid");
    ASSERT_NE(seen, nullptr) << duration;
    EXPECT_NEAR(seen->time, told.impact, 5e-3) << duration;
  }
  const Told told = RunFor(Ball(), "sap", 0.8, {"0.11:near_rigid=0"});
  EXPECT_NE(FindSeen(told, "near_rigid"), nullptr) << "it held at one look, and then was changed";
}

// A scene that begins in the ground is told as one, whatever the method; no step has made that.
TEST(ParamNoteWatch, AStartInTheGroundIsNoStepsDoing) {
  const std::string deep = Ball("velocity = [0.1, 0, 0]\ncontact_points = [[0, 0, -0.05]]\n");
  std::string text = deep;
  text.replace(text.find("0.07]"), 5, "0.03]");
  for (const char* method : {"exponential", "implicit-euler", "lagged", "similar"}) {
    SCOPED_TRACE(method);
    const Told told = RunFor(text, method, 0.3);
    EXPECT_EQ(FindSeen(told, "left_over"), nullptr);
    const bool told_so = FindSeen(told, "start_overlap") != nullptr ||
                         std::any_of(told.notes.begin(), told.notes.end(),
                                     [](const ToldNote& note) { return note.id == "start"; });
    EXPECT_TRUE(told_so);
    for (const ToldNote& note : told.notes)
      EXPECT_EQ(note.text.find("made by a step"), std::string::npos) << note.text;
  }
}

// As Watch would say it if it looked at every step: the step of each kind with most to say.
std::map<std::string, ParamNoteWatch::Seen, std::less<>> LookAtEveryStep(const RunPlan& plan) {
  std::map<std::string, ParamNoteWatch::Seen, std::less<>> most;
  Track track(plan.scene->ModelFor(plan.configs[0]), plan.configs[0]);
  const std::vector<ParamEntry> entries = ListParams(plan.configs[0]);
  double hardest = 0;
  ChannelFrame frame;
  track.AdvanceTo({.time = plan.duration}, [&](StepStatus) {
    track.sim().Fill(&frame);
    const double speed = At(track.sim().signals(), Signal::kImpactSpeed);
    RunMoment moment;
    moment.model = &track.sim().model();
    moment.channels = {{plan.labels.Of(0, plan.configs[0].method()), &frame}};
    moment.duration = plan.scene->duration;
    moment.hardest_impact = speed > hardest ? speed : 0;
    if (speed > hardest) hardest = speed;
    for (const ParamEntry& entry : entries) {
      for (ParamNote& note : NotesOf(moment, entry)) {
        ParamNoteWatch::Seen& seen = most[std::string(note.id)];
        if (note.size > seen.note.size) seen = {std::move(note), frame.time};
      }
    }
  });
  return most;
}

TEST(ParamNoteWatch, SaysWhatALookAtEveryStepSays) {
  struct Case {
    const char* scene;
    const char* model;
    double duration;
    int kinds;
  };
  for (const Case& each : {Case{"conveyor", "sap", 1, 1}, Case{"flat-stack", "sap", 0.5, 1},
                           Case{"slope-creep", "sap", 1, 1}, Case{"clutter", "lagged", 1, 3}}) {
    SCOPED_TRACE(each.scene);
    const auto made = MakeRunPlan(*FindScene(each.scene), each.model, {}, {});
    ASSERT_TRUE(made.ok());
    RunPlan plan = *made;
    plan.duration = each.duration;
    plan.watches_params = true;
    std::vector<Track> tracks;
    const RunResult result = slip::Run(plan, &tracks, {});
    const auto most = LookAtEveryStep(plan);
    const auto seen = result.channels[0].params.seen();
    EXPECT_GE(static_cast<int>(seen.size()), each.kinds);
    for (const ParamNoteWatch::Seen& told : seen) {
      const auto at = most.find(told.note.id);
      ASSERT_NE(at, most.end()) << told.note.id;
      EXPECT_EQ(told.time, at->second.time) << told.note.id;
      EXPECT_EQ(told.note.text, at->second.note.text);
      EXPECT_EQ(told.note.detail, at->second.note.detail);
    }
  }
}

// Within one step the rod's tip turns 98 mm into the ground, and in the next it has left.
TEST(ParamNoteWatch, ADeepOverlapIsToldHoweverSoonItOpens) {
  for (const int64_t steps : {1, 2, 3, 10}) {
    const auto made =
        MakeRunPlan(*FindScene("sliding-rod"), "implicit-euler", {"time_step=33ms"}, {});
    ASSERT_TRUE(made.ok());
    RunPlan plan = *made;
    plan.steps = steps;
    plan.watches_params = true;
    std::vector<Track> tracks;
    const RunResult result = slip::Run(plan, &tracks, {});
    const auto seen = result.channels[0].params.seen();
    const auto at = std::find_if(seen.begin(), seen.end(),
                                 [](const auto& each) { return each.note.id == "left_over"; });
    ASSERT_NE(at, seen.end()) << steps;
    EXPECT_EQ(at->time, 0.033) << steps;
  }
}

TEST(ParamNoteWatch, LooksWhereSomethingChanged) {
  const auto made = MakeRunPlan(*FindScene("flat-stack"), "sap", {}, {});
  ASSERT_TRUE(made.ok());
  RunPlan plan = *made;
  plan.duration = 2;
  plan.watches_params = true;
  std::vector<Track> tracks;
  const RunResult result = slip::Run(plan, &tracks, {});
  EXPECT_EQ(result.channels[0].params.seen().size(), 1u) << "its near-rigid limit";
  EXPECT_GT(result.channels[0].params.looks(), 0);
  EXPECT_LT(result.channels[0].params.looks(), tracks[0].sim().step() / 4);
}

}  // namespace
}  // namespace slip
