// What the window says of a run, the command line says of it, too.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/session/run_moment.h"
#include "engine/core/text_file.h"
#include "engine/run/study/run_plan.h"
#include "engine/scene/scene.h"
#include "engine/tell/param_notes.h"
#include "tests/support/program.h"
#include "tests/support/stepped_session.h"
#include "tests/support/temp_folder.h"

namespace slip::app {
namespace {

using Kinds = std::set<std::string>;

struct Case {
  const char *scene, *models;
  std::vector<std::string> params;
  double duration;  ///< [s]
  Kinds expected;
};

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"sliding-box", "", {}, 1, {"near_rigid"}},
      {"clutter", "lagged", {"max_iterations=1"}, 0.4, {"not converged"}},
      {"quadruped-trot", "", {"time_step=5ms"}, 0.8, {"near_rigid"}},
      {"conveyor", "explicit-euler", {}, 1, {}},
  };
  return cases;
}

/// A note on a parameter and one on steps that say the same are one kind.
std::string KindOf(const ParamNote& note) {
  return std::string(note.of_steps.empty() ? note.id : note.of_steps);
}

/// The scene as the command line would run it.
std::shared_ptr<const Scene> Changed(const Case& each) {
  const auto scene = FindScene(each.scene);
  EXPECT_TRUE(scene.ok());
  const auto plan = MakeRunPlan(*scene, each.models, each.params, {});
  EXPECT_TRUE(plan.ok());
  if (!plan.ok()) return nullptr;
  auto changed = std::make_shared<Scene>(**scene);
  changed->channels.clear();
  // the command line begins without what the window sets at first
  changed->opens_with = {};
  for (const Config& config : plan->configs) changed->channels.push_back({config});
  return changed;
}

/// What stands under some row long enough to be read, or was posted, at any time of the run.
Kinds InTheWindow(const Case& each) {
  SteppedSession stage(each.scene, false, 0);
  Session& session = *stage.session;
  session.files().Open(Changed(each));
  while (session.files().opening()) stage.Frame(0);
  session.playback().SetPlaying(true);
  Kinds kinds, last;
  int64_t moment = session.written().count();
  const auto look = [&] {
    const RunMoment now_shown = MomentOfNumbers(session);
    if (now_shown.count() == 0 || session.written().count() == moment) return;
    moment = session.written().count();
    Kinds now;
    for (const ParamEntry& entry : ListParams(now_shown.frame(now_shown.lead).config)) {
      for (const ParamNote& note : NotesOf(now_shown, entry)) now.insert(KindOf(note));
    }
    // an impact is no state that may pass before the next look
    for (const std::string& kind : now)
      if (last.contains(kind) || kind == "impact") kinds.insert(kind);
    last = now;
  };
  while (session.snapshot().time < each.duration && session.StoppedCount() == 0) {
    stage.Frame();
    look();
  }
  // an impact of the last step: as the rows stand once the run has stopped
  stage.Frame(0);
  const RunMoment stopped = MomentOfPicture(session);
  for (const ParamEntry& entry : ListParams(stopped.frame(stopped.lead).config))
    for (const ParamNote& note : NotesOf(stopped, entry))
      if (note.id == "impact") kinds.insert(KindOf(note));
  for (const Message& message : session.messages()) {
    // a step that is refused for its residual has a card of its own
    const bool lost = message.subject.starts_with("failure") &&
                      message.Text().find("the solver ended after") != std::string::npos;
    if (lost || message.subject.starts_with("not converged")) kinds.insert("not converged");
    if (!message.subject.starts_with("note ")) continue;
    const std::string rest = message.subject.substr(5);
    kinds.insert(rest.substr(0, rest.find(' ')));
  }
  return kinds;
}

Kinds OnTheCommandLine(const Case& each) {
  const TempFolder folder;
  const std::string out = folder.path("out");
  std::vector<std::string> words = {"run", each.scene, "-t", std::to_string(each.duration),
                                    "-o",  out};
  if (each.models[0] != '\0') words.insert(words.end(), {"-m", each.models});
  for (const std::string& param : each.params) words.insert(words.end(), {"-p", param});
  const auto ran = RunProgram(words);
  Kinds kinds;
  if (ran.err.find("did not converge") != std::string::npos) kinds.insert("not converged");
  const auto text = ReadTextFile(out + "/meta.json", {.most_bytes = 64 * kMebibyte});
  EXPECT_TRUE(text.ok()) << ran.err;
  if (!text.ok()) return kinds;
  const auto meta = nlohmann::json::parse(*text, nullptr, false);
  for (const auto& channel : meta["channels"]) {
    for (const auto& note : channel["notes"]) {
      const std::string kind = note["kind"], said = note["text"];
      EXPECT_NE(ran.err.find(said), std::string::npos) << said << " in " << ran.err;
      // the Solver tab says these of each step
      if (kind == "halved" || kind == "beyond") continue;
      kinds.insert(kind == "left_over" ? "overlap" : kind == "start_overlap" ? "start" : kind);
    }
  }
  return kinds;
}

class ToldAlike : public testing::TestWithParam<int> {};

TEST_P(ToldAlike, InTheWindowAndOnTheCommandLine) {
  const Case& each = Cases()[static_cast<std::size_t>(GetParam())];
  const Kinds window = InTheWindow(each), command = OnTheCommandLine(each);
  if (Changed(each)->channels.size() == 1) EXPECT_EQ(window, command) << each.scene;
  // of several models a row names the worst alone
  for (const std::string& kind : window)
    EXPECT_TRUE(command.contains(kind)) << each.scene << ' ' << kind;
  for (const std::string& kind : each.expected) EXPECT_TRUE(window.contains(kind)) << kind;
}

INSTANTIATE_TEST_SUITE_P(Scenes, ToldAlike, testing::Range(0, 4));

}  // namespace
}  // namespace slip::app
