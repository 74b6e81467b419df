// Recordings: written, read, and run again bit for bit; what was changed in them is named.
#include "engine/run/record/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/convex/convex_params.h"
#include "engine/integrators/integrator_params.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/scope/scope.h"
#include "engine/run/study/command_line.h"
#include "engine/run/study/run_plan.h"
#include "tests/support/folders.h"
#include "tests/support/methods.h"

namespace slip::test {
namespace {

const RunContext kContext{"slipscope", "test", "test"};

std::shared_ptr<const Recording> Take(Scope* scope, std::vector<Event>* events) {
  scope->Apply(TakeRecording{});
  return std::get<RecordingTaken>(events->back().item).recording;
}

struct Recorded {
  std::vector<Event> events;
  std::unique_ptr<Scope> scope;
  explicit Recorded(const char* scene) {
    scope = std::make_unique<Scope>(
        Scope::Sinks{{}, [this](const Event& event) { events.push_back(event); }});
    scope->Apply(LoadScene{FindScene(scene).value()});
  }
  void Advance(int times) {
    for (int i = 0; i < times; ++i) scope->Advance();
  }
  std::shared_ptr<const Recording> Record() { return Take(scope.get(), &events); }
  std::string File() { return FormatRecording(*Record(), kContext); }
};

std::vector<ReplayDifference> RunAgain(const std::string& text) {
  const Result<RecordingFile> file = ReadRecordingText(text, "t.json");
  EXPECT_TRUE(file.ok()) << file.error().Text();
  if (!file) return {{}};
  EXPECT_TRUE(file->remarks.empty()) << file->remarks.front();
  Replay replay(file->recording);
  EXPECT_TRUE(replay.Run(nullptr));
  return replay.Differences();
}

/// A session as a restless user makes it.
void PlayAtRandom(Recorded* r, unsigned seed, int changes, int pulls, int forks, int methods) {
  std::mt19937 random(seed);
  const auto any = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  std::vector<int> acts;
  acts.insert(acts.end(), static_cast<std::size_t>(changes), 0);
  acts.insert(acts.end(), static_cast<std::size_t>(pulls), 1);
  acts.insert(acts.end(), static_cast<std::size_t>(forks), 2);
  acts.insert(acts.end(), static_cast<std::size_t>(methods), 3);
  std::shuffle(acts.begin(), acts.end(), random);
  const std::string paths[] = {"friction",           "stiffness", "dissipation",
                               "stiction_tolerance", "time_step", "gravity"};
  const double values[][2] = {{0.05, 1}, {1e5, 1e7}, {0, 50}, {1e-5, 1e-3}, {1e-3, 8e-3}, {5, 12}};
  for (const int act : acts) {
    Scope& scope = *r->scope;
    const int channel = static_cast<int>(any(-1, scope.channel_count() - 0.001));
    if (act == 0) {
      const auto i = static_cast<std::size_t>(any(0, 5.999));
      scope.Apply(SetParamCommand{channel, paths[i], any(values[i][0], values[i][1])});
    } else if (act == 1) {
      Grab grab{.body = 0, .stiffness = any(1, 50), .damping = 1, .force_limit = 20};
      for (int i = 0; i < 4; ++i) {
        grab.p_WA = Vec3(any(-0.2, 0.2), 0, any(0, 0.3));
        scope.Apply(SetGrab{grab});
        r->Advance(1);
      }
      scope.Apply(SetGrab{});
    } else if (act == 2) {
      const double where = any(0, 1);
      Snapshot snapshot;
      scope.Fill(&snapshot);
      if (where < 0.1) {
        scope.Apply(Reset{});
      } else if (where < 0.2) {
        scope.Apply(GoToBranch{static_cast<int>(any(0, snapshot.branches - 0.001))});
      } else if (where < 0.3) {
        scope.Apply(Resync{0});
      } else {
        scope.Apply(Seek{where * snapshot.history_end});
      }
    } else {
      constexpr MethodId kSome[] = {method_id::kSap, method_id::kLagged, method_id::kSimilar};
      scope.Apply(
          SetParamCommand{channel, std::string(kMethodParam),
                          static_cast<double>(kSome[static_cast<std::size_t>(any(0, 2.999))])});
    }
    r->Advance(static_cast<int>(any(1, 6)));
  }
}

TEST(Replay, ARestlessSessionRunsAgainBitByBit) {
  Recorded r("conveyor");
  PlayAtRandom(&r, 11, 300, 30, 20, 5);
  Config added = r.scope->channel(0).config();
  added.step.method = static_cast<int>(method_id::kAnitescu);
  r.scope->Apply(AddChannel{added});
  r.Advance(20);
  r.scope->Apply(RemoveChannel{1});
  // from before it was added, where it begins anew
  r.scope->Apply(Seek{r.scope->time() - 25 * r.scope->mark_step()});
  r.Advance(10);
  PlayAtRandom(&r, 12, 30, 5, 5, 1);
  const auto recording = r.Record();
  ASSERT_GT(recording->branches.size(), 12u);
  const auto differences = RunAgain(FormatRecording(*recording, kContext));
  for (const auto& difference : differences) ADD_FAILURE() << difference.text;

  // opened, it is the session: every branch is there, and goes on the same way
  Replay replay(recording, kHistoryBudget / kMaxChannels);
  ASSERT_TRUE(replay.Run(nullptr));
  Recorded other("falling-sphere");
  other.scope->Apply(LoadReplay{std::shared_ptr<Replay>(&replay, [](Replay*) {})});
  for (int b = 0; b < static_cast<int>(recording->branches.size()); ++b) {
    for (Recorded* each : {&r, &other}) {
      each->scope->Apply(GoToBranch{b});
      each->Advance(3);
    }
    ASSERT_EQ(r.scope->channel_count(), other.scope->channel_count()) << b;
    for (int c = 0; c < r.scope->channel_count(); ++c) {
      EXPECT_EQ(Hash(r.scope->channel(c).state()), Hash(other.scope->channel(c).state()))
          << "branch " << b << " channel " << c;
    }
  }
}

TEST(Replay, StatesKeepWhatControllersRemember) {
  Recorded r("conveyor");
  r.Advance(5);
  Recording recording = *r.Record();
  auto start = std::make_shared<State>(r.scope->channel(0).state());
  start->step_base = start->step;
  start->contacts.clear();
  for (const int size : {0, 5}) {
    start->control = VectorX::LinSpaced(size, -0.1, 1.0 / 3);
    recording.branches[0].lines[0].line.start = start;
    const std::string text = FormatRecording(recording, kContext);
    EXPECT_EQ(text.find("\"control\"") != std::string::npos, size > 0);
    const Result<RecordingFile> file = ReadRecordingText(text, "t.json");
    ASSERT_TRUE(file.ok()) << file.error().Text();
    const State& read = *file->recording->branches[0].lines[0].line.start;
    EXPECT_EQ(Hash(read), Hash(*start));
  }
}

TEST(Replay, EveryKindOfSceneRunsAgain) {
  for (const char* scene : {"falling-sphere", "card-house", "object-bin", "slope-creep"}) {
    Recorded r(scene);
    r.Advance(4);
    r.scope->Apply(SetParamCommand{-1, "friction", 0.4});
    r.scope->Apply(SetGrab{{.body = 0, .p_WA = Vec3(0, 0, 0.5), .stiffness = 5, .force_limit = 3}});
    r.Advance(4);
    r.scope->Apply(Seek{3 * r.scope->mark_step()});
    r.Advance(3);
    const auto differences = RunAgain(r.File());
    EXPECT_TRUE(differences.empty()) << scene << ": " << differences.front().text;
  }
}

TEST(Replay, APushedRobotRunsAgain) {
  Recorded r("quadruped-stand");
  r.Advance(40);
  // by the shank of its front left leg, then by its base
  for (const int body : {3, 0}) {
    Grab grab{.body = body, .stiffness = 400, .damping = 10, .force_limit = 8};
    for (int i = 0; i < 8; ++i) {
      grab.p_WA = Vec3(0.2 + 0.01 * i, 0.1, 0.1);
      r.scope->Apply(SetGrab{grab});
      r.Advance(6);
    }
    r.scope->Apply(SetGrab{});
    r.Advance(20);
  }
  r.scope->Apply(SetParamCommand{-1, "joint.solo/HR_HAA.joint_stiffness", 3});
  r.scope->Apply(SetParamCommand{-1, "joint.solo/HR_HAA.joint_target", 0.05});
  r.Advance(30);
  r.scope->Apply(SetParamCommand{0, "robot.solo.stand_height", 0.2});
  r.Advance(30);
  r.scope->Apply(SetParamCommand{1, "robot.solo.controller", 2});
  r.Advance(30);
  r.scope->Apply(Seek{60 * r.scope->mark_step()});
  r.Advance(20);
  const auto differences = RunAgain(r.File());
  EXPECT_TRUE(differences.empty()) << differences.front().text;
}

TEST(Replay, AnotherNumberOfBodiesIsABranchOfItsOwn) {
  Recorded r("ball-pit");
  r.scope->Apply(SetParamCommand{-1, "bodies", 12});
  r.Advance(5);
  r.scope->Apply(SetParamCommand{-1, "bodies", 20});
  r.Advance(5);
  const auto differences = RunAgain(r.File());
  EXPECT_TRUE(differences.empty()) << differences.front().text;
}

TEST(Replay, WhatDiffersIsNamedWithBodyAndSize) {
  Recorded r("falling-sphere");
  r.Advance(60);
  Recording recording = *r.Record();
  recording.branches[0].lines[0].line.config.step.gravity *= 1 + 1e-9;
  Replay replay(std::make_shared<Recording>(recording));
  ASSERT_TRUE(replay.Run(nullptr));
  const auto differences = replay.Differences();
  ASSERT_EQ(differences.size(), 1u) << "one channel differs, the others do not";
  EXPECT_EQ(differences[0].step, 1);
  EXPECT_NE(differences[0].text.find("body 'sphere' is "), std::string::npos)
      << differences[0].text;
  EXPECT_NE(differences[0].text.find(" m off"), std::string::npos) << differences[0].text;
}

TEST(Replay, AFileChangedInOneDigitIsRefusedOrNamed) {
  Recorded r("falling-sphere");
  r.Advance(10);
  r.scope->Apply(SetParamCommand{-1, "friction", 0.31});
  r.Advance(10);
  const std::string text = r.File();
  std::mt19937 random(5);
  int tried = 0;
  while (tried < 400) {
    const std::size_t at = random() % text.size();
    if (text[at] < '0' || text[at] > '9') continue;
    ++tried;
    std::string changed = text;
    changed[at] = changed[at] == '9' ? '1' : static_cast<char>(changed[at] + 1);
    const Result<RecordingFile> file = ReadRecordingText(changed, "t.json");
    if (file.ok()) EXPECT_FALSE(file->remarks.empty()) << text.substr(at > 40 ? at - 40 : 0, 80);
  }
}

// A session of methods with anchors that was saved when there were the published forms alone, and
// lost steps of implicit Euler were accepted: it names none of that, and has the same bits.
TEST(Replay, AnExperimentOfBeforeHasThePublishedForms) {
  const std::string path = SourceFolder() + "/tests/engine/run/before_slip_sets.json";
  const Result<RecordingFile> file = ReadRecording(path);
  ASSERT_TRUE(file.ok()) << file.error().Text();
  EXPECT_TRUE(file->remarks.empty()) << file->remarks.front();
  Replay replay(file->recording);
  ASSERT_TRUE(replay.Run(nullptr));
  for (const auto& difference : replay.Differences()) ADD_FAILURE() << difference.text;
  for (const RecordedLine& line : file->recording->branches.at(0).lines) {
    const StepParams& step = line.line.config.step;
    EXPECT_EQ(step.part<ExponentialParams>().slip_set, 1);
    EXPECT_EQ(step.part<AnchorParams>().anchors, 1);
    EXPECT_EQ(step.part<BiasParams>().bias, 1);
    EXPECT_EQ(step.gained_energy, 1);
    EXPECT_EQ(step.lost_steps == 1, Info(line.line.config.method()).id == "implicit-euler");
  }
  // what is saved now names them
  Recorded r("sliding-mass");
  r.Advance(3);
  const Result<RecordingFile> now = ReadRecordingText(r.File(), "t.json");
  ASSERT_TRUE(now.ok());
  const StepParams& step = now->recording->branches.at(0).lines.at(0).line.config.step;
  EXPECT_EQ(step.part<ExponentialParams>().slip_set + step.part<AnchorParams>().anchors +
                step.part<BiasParams>().bias + step.gained_energy,
            0);
}

TEST(Replay, WrongFilesGetASentence) {
  Recorded r("falling-sphere");
  r.Advance(3);
  const std::string good = r.File();
  ASSERT_TRUE(ReadRecordingText(good, "t.json").ok());
  const auto with = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    const std::size_t at = text.rfind(what);  // the resolved scene says much the same before
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
  };
  const struct {
    std::string text, expected;
  } cases[] = {
      {"", "empty"},
      {good.substr(0, good.size() / 2), "not valid JSON"},
      {with("slipscope.experiment/1", "slipscope.experiment/2"), "a newer Slipscope wrote it"},
      {with("slipscope.experiment/1", "slipscope.problem/1"), "schema must be"},
      {with("\"branches\"", "\"brunches\""), "unknown key 'brunches'"},
      {with("\"branch\": 0", "\"branch\": 4"), "branch must be within 0 and 0"},
      {with("\"from_step\": 0", "\"from_step\": 1.5"), "must be a whole number"},
      {with("\"to_step\": 3", "\"to_step\": 1000000000000"), "step of the last state hash"},
      {with("\"parent\": null", "\"parent\": 0"), "the first branch has none"},
      {with(".friction\": {", ".frictoin\": {"), "frictoin"},
      {with("\"channels\": [", "\"channels\": 3, \"x-old\": ["), "channels must be a list"},
  };
  for (const auto& each : cases) {
    const Result<RecordingFile> file = ReadRecordingText(each.text, "t.json");
    ASSERT_FALSE(file.ok()) << each.expected;
    std::string all;
    for (const Error& error : file.errors()) all += error.Text() + "\n";
    EXPECT_NE(all.find(each.expected), std::string::npos) << all;
  }
  // cut anywhere it is refused, never taken
  for (std::size_t n = 0; n < good.size() - 3; n += 97)
    EXPECT_FALSE(ReadRecordingText(good.substr(0, n), "t.json").ok()) << n;
}

// The command line --------------------------------------------------------------------------------

/// The words of a shell line with single quotes.
std::vector<std::string> Words(const std::string& line) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

TEST(CommandLineOf, MakesTheSameNumbers) {
  Recorded r("conveyor");
  r.scope->Apply(SetParamCommand{1, "stiffness", 3.3e5});
  r.scope->Apply(SetParamCommand{-1, "dissipation", 7.125});
  r.Advance(17);
  r.scope->Apply(SetParamCommand{-1, "friction", 0.123456789012345});
  r.scope->Apply(SetParamCommand{2, "friction", 0.7});
  r.Advance(9);
  r.scope->Apply(
      SetParamCommand{0, std::string(kMethodParam), static_cast<double>(method_id::kAnitescu)});
  r.scope->Apply(SetParamCommand{-1, "time_step", 4e-3});
  r.Advance(30);
  r.scope->Apply(Seek{0.5 * r.scope->time()});
  r.scope->Apply(SetParamCommand{-1, "gravity", 9});
  r.Advance(11);
  const auto arguments = ArgumentsOf(*r.Record());
  ASSERT_TRUE(arguments.has_value());
  const std::vector<std::string> words = Words(arguments->Run());
  ASSERT_EQ(words[1], "compare") << arguments->Run();
  std::vector<std::string> params, changes;
  std::string models;
  double end = 0;
  for (std::size_t i = 3; i + 1 < words.size(); i += 2) {
    if (words[i] == "-m") models = words[i + 1];
    if (words[i] == "-p") params.push_back(words[i + 1]);
    if (words[i] == "--at") changes.push_back(words[i + 1]);
    if (words[i] == "-t") end = std::stod(words[i + 1]);
  }
  Result<RunPlan> plan = MakeRunPlan(FindScene(words[2]).value(), models, params, changes);
  ASSERT_TRUE(plan.ok()) << plan.error().Text() << "\n" << arguments->Run();
  plan.value().duration = end;
  std::vector<Track> tracks;
  slip::Run(*plan, &tracks, {});
  ASSERT_EQ(static_cast<int>(tracks.size()), r.scope->channel_count());
  for (std::size_t c = 0; c < tracks.size(); ++c) {
    EXPECT_EQ(Hash(tracks[c].sim().state()), Hash(r.scope->channel(static_cast<int>(c)).state()))
        << c << " " << arguments->Run();
  }
}

TEST(CommandLineOf, AModelsNameMeansAllItsChannels) {
  const auto scene = FindScene("conveyor").value();
  const Result<RunPlan> plan = MakeRunPlan(
      scene, "sap,lagged,sap", {"friction@sap=0.3", "gravity@2=5"}, {"0.1:friction@sap=0.4"});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  for (const std::size_t c : {0u, 2u}) EXPECT_EQ(plan->configs[c].materials[0].friction, 0.3);
  EXPECT_NE(plan->configs[1].materials[0].friction, 0.3);
  EXPECT_EQ(plan->configs[1].step.gravity, 5);
  ASSERT_EQ(plan->changes.size(), 2u);
  EXPECT_EQ(plan->changes[1].channel, 2);
  EXPECT_FALSE(MakeRunPlan(scene, "sap", {"friction@similar=0.3"}, {}).ok());
}

TEST(CommandLineOf, APullIsInNoOption) {
  Recorded r("conveyor");
  r.Advance(3);
  r.scope->Apply(SetGrab{{.body = 0, .p_WA = Vec3(0, 0, 1), .stiffness = 10, .force_limit = 5}});
  r.Advance(3);
  EXPECT_FALSE(ArgumentsOf(*r.Record()).has_value());
}

// Files of before the parameter hold steps of the form that was the only one.
TEST(Replay, TakesTurningAtTheStartWhereAFileDoesNotNameIt) {
  Recorded r("dominoes");
  r.Advance(3);
  const std::string text = r.File();
  const auto turning = [](const std::string& file) {
    const Result<RecordingFile> read = ReadRecordingText(file, "t.json");
    EXPECT_TRUE(read.ok()) << read.error().Text();
    return read.ok()
               ? read->recording->branches[0].lines[0].line.config.step.part<ConvexParams>().turning
               : -1;
  };
  EXPECT_EQ(turning(text), static_cast<int>(Turning::kMiddle));
  std::string before = text;
  for (std::size_t at; (at = before.find("\"turning\"")) != std::string::npos;)
    before.erase(at, before.find('}', at) + 2 - at);
  EXPECT_EQ(turning(before), static_cast<int>(Turning::kStart));
}

}  // namespace
}  // namespace slip::test
