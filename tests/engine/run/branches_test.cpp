// Branches of a session: they are listed, told beside the present one, named, dropped, and kept in
// experiment files.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/hash.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/record/replay.h"
#include "engine/run/scope/scope.h"
#include "engine/run/track/branch_info.h"

namespace slip::test {
namespace {

std::shared_ptr<const Scene> BranchScene(const char* name) {
  auto scene = FindScene(name);
  EXPECT_TRUE(scene.ok());
  return *scene;
}

/// A scope that keeps what it is told last.
struct BranchRun {
  std::vector<Event> events;
  Scope scope{{{}, [this](const Event& event) { events.push_back(event); }}};

  explicit BranchRun(const char* scene) { scope.Apply(LoadScene{BranchScene(scene)}); }
  void Run(int marks) {
    for (int i = 0; i < marks; ++i) scope.Advance();
  }
  std::vector<BranchInfo> Tree() const {
    Snapshot snapshot;
    scope.Fill(&snapshot);
    return *snapshot.tree;
  }
  int Present() const {
    Snapshot snapshot;
    scope.Fill(&snapshot);
    return snapshot.branch;
  }
  std::vector<uint64_t> Hashes() const {
    std::vector<uint64_t> hashes;
    for (int c = 0; c < scope.channel_count(); ++c)
      hashes.push_back(Hash(scope.channel(c).state()));
    return hashes;
  }
  BranchSamples SamplesOf(int branch) {
    scope.Apply(TellBranch{branch});
    return *std::get<BranchTold>(events.back().item).samples;
  }
  std::shared_ptr<const Recording> Take() {
    scope.Apply(TakeRecording{});
    return std::get<RecordingTaken>(events.back().item).recording;
  }
};

/// As from a file that was written and read.
std::shared_ptr<const Recording> Reread(const Recording& recording) {
  auto file = ReadRecordingText(FormatRecording(recording, {"slipscope", "1", "test"}), "test");
  EXPECT_TRUE(file.ok()) << (file.ok() ? "" : file.error().Text());
  return file.ok() ? file->recording : nullptr;
}

TEST(BranchTree, SaysWhereBranchesBeginAndEndAndWhatWasChanged) {
  BranchRun session("conveyor");
  session.Run(40);
  const double end = session.scope.time(), fork = 0.5 * end;
  session.scope.Apply(Seek{fork});
  session.scope.Apply(SetParamCommand{-1, "time_step", 2e-3});
  const std::vector<ParamEntry> params = ListParams(session.scope.channel(0).config());
  const std::string path = std::find_if(params.begin(), params.end(), [](const ParamEntry& entry) {
                             return entry.info->name == "friction";
                           })->path;
  session.scope.Apply(SetParamCommand{0, path, 0.2});
  session.scope.Apply(SetParamCommand{0, path, 0.3});
  session.Run(5);
  auto tree = session.Tree();
  ASSERT_EQ(tree.size(), 2u);
  EXPECT_EQ(tree[0].parent, -1);
  EXPECT_EQ(tree[0].end_time, end);
  EXPECT_TRUE(tree[0].changes.empty()) << "as the scene file says";
  EXPECT_EQ(tree[1].parent, 0);
  EXPECT_NEAR(tree[1].fork_time, fork, 1e-2);
  ASSERT_EQ(tree[1].changes.size(), 2u);
  const BranchChange step = tree[1].changes[0];
  EXPECT_EQ(step.path, "time_step");
  EXPECT_EQ(step.channel, -1) << "once for all channels";
  EXPECT_EQ(step.to, 2e-3);
  const BranchChange friction = tree[1].changes[1];
  EXPECT_EQ(friction.channel, 0);
  EXPECT_EQ(friction.to, 0.3) << "the last of them";
  EXPECT_GT(tree[0].bytes, 0u);
  EXPECT_GT(tree[1].bytes, 0u);
  // a reset keeps the parameters: the new one says what its scene has otherwise
  session.scope.Apply(Reset{});
  tree = session.Tree();
  ASSERT_EQ(tree.size(), 3u);
  EXPECT_EQ(tree[2].parent, -1);
  EXPECT_EQ(tree[2].changes, tree[1].changes);
  // what came back to where it was, was not changed
  session.scope.Apply(SetParamCommand{0, path, friction.from});
  EXPECT_EQ(session.Tree()[2].changes.size(), 1u);
}

TEST(BranchTree, TheSharesOfBranchesMakeUpTheHistory) {
  BranchRun session("conveyor");
  session.Run(60);
  for (int i = 0; i < 4; ++i) {
    session.scope.Apply(Seek{0.02 * (i + 1)});
    session.Run(30);
  }
  session.scope.Apply(Reset{});
  session.Run(20);
  Snapshot snapshot;
  session.scope.Fill(&snapshot);
  std::size_t sum = 0;
  for (const BranchInfo& info : *snapshot.tree) sum += info.bytes;
  // the tree was made when the present branch was still empty
  EXPECT_LE(sum, snapshot.history_bytes);
  session.scope.Apply(GoToBranch{0});
  session.scope.Fill(&snapshot);
  sum = 0;
  for (const BranchInfo& info : *snapshot.tree) sum += info.bytes;
  EXPECT_NEAR(static_cast<double>(sum), static_cast<double>(snapshot.history_bytes),
              0.02 * static_cast<double>(snapshot.history_bytes));
}

TEST(BranchTree, TwentyBranchesAreAllGoneBackTo) {
  BranchRun session("conveyor");
  std::vector<std::vector<uint64_t>> ends;
  session.Run(40);
  for (int i = 0; i < 19; ++i) {
    ends.push_back(session.Hashes());
    if (i % 5 == 4) {
      session.scope.Apply(Reset{});
    } else {
      session.scope.Apply(Seek{session.scope.time() * (0.3 + 0.03 * i)});
      session.scope.Apply(SetParamCommand{-1, "friction", 0.2 + 0.02 * i});
    }
    session.Run(15 + i);
  }
  ends.push_back(session.Hashes());
  const auto tree = session.Tree();
  ASSERT_EQ(tree.size(), 20u);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto b = static_cast<int>((7 * i + 3) % tree.size());
    session.scope.Apply(GoToBranch{b});
    EXPECT_EQ(session.Hashes(), ends[static_cast<std::size_t>(b)]) << "branch " << b;
    EXPECT_NEAR(session.Tree()[static_cast<std::size_t>(b)].end_time, session.scope.time(), 1e-9);
  }
}

TEST(BranchSamples, AreThoseBesideThePresentBranch) {
  BranchRun session("conveyor");
  session.Run(50);
  const double end = session.scope.time();
  session.scope.Apply(Seek{0.4 * end});
  session.Run(5);
  const double fork = session.Tree()[1].fork_time;
  const BranchSamples first = session.SamplesOf(0);
  EXPECT_EQ(first.id, session.Tree()[0].id);
  EXPECT_EQ(first.beside, session.Tree()[1].id);
  ASSERT_FALSE(first.samples.empty());
  for (int c = 0; c < session.scope.channel_count(); ++c) {
    std::vector<double> times;
    for (const Sample& sample : first.samples)
      if (sample.channel == c) times.push_back(sample.time);
    ASSERT_GT(times.size(), 10u);
    EXPECT_NEAR(times.front(), fork, 1e-9) << "from the last step that both have";
    EXPECT_NEAR(times.back(), end, 1e-9);
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  }
  // the same numbers as when it is shown
  session.scope.Apply(GoToBranch{0});
  const BranchSamples second = session.SamplesOf(1);
  EXPECT_EQ(second.beside, first.id);
  Snapshot snapshot;
  session.scope.Fill(&snapshot);
  const auto last = std::find_if(first.samples.rbegin(), first.samples.rend(),
                                 [](const Sample& sample) { return sample.channel == 0; });
  const ChannelFrame& frame = snapshot.channels[0];
  EXPECT_EQ(last->step, frame.step);
  for (const Signal signal : {Signal::kNormalForce, Signal::kKineticEnergy, Signal::kPositionX}) {
    const auto place = static_cast<std::size_t>(signal);
    EXPECT_EQ(last->values[place], frame.signals[place]);
  }
  EXPECT_TRUE(session.SamplesOf(0).samples.empty()) << "the present one is told as it runs";
  EXPECT_TRUE(session.SamplesOf(7).samples.empty());
}

TEST(BranchSamples, OfARunThatBeganAgainAreAllOfIt) {
  BranchRun session("falling-sphere");
  session.Run(30);
  const double end = session.scope.time();
  session.scope.Apply(Reset{});
  session.Run(3);
  const BranchSamples told = session.SamplesOf(0);
  ASSERT_FALSE(told.samples.empty());
  EXPECT_EQ(told.samples.front().time, 0);
  EXPECT_NEAR(told.samples.back().time, end, 1e-9);
}

TEST(BranchSamples, KeepEveryPeakOfALongRun) {
  const auto at = static_cast<std::size_t>(Signal::kNormalForce);
  std::array<double, Snapshot::kMaxChannels> most{}, told_most{};
  std::size_t made = 0;
  std::shared_ptr<const BranchSamples> told;
  Scope scope{{[&](const Telemetry& telemetry) {
                 const auto* sample = std::get_if<Sample>(&telemetry.item);
                 if (sample == nullptr) return;
                 ++made;
                 double& peak = most[static_cast<std::size_t>(sample->channel)];
                 peak = std::fmax(peak, sample->values[at]);
               },
               [&](const Event& event) {
                 if (const auto* answer = std::get_if<BranchTold>(&event.item))
                   told = answer->samples;
               }}};
  scope.Apply(LoadScene{BranchScene("falling-sphere")});
  scope.Apply(SetParamCommand{-1, "time_step", 5e-6});
  while (scope.time() < 0.3) scope.Advance();
  ASSERT_GT(made / static_cast<std::size_t>(scope.channel_count()), 50000u);
  scope.Apply(Reset{});
  while (scope.time() < 0.01) scope.Advance();
  scope.Apply(TellBranch{0});
  ASSERT_NE(told, nullptr);
  EXPECT_LT(told->samples.size(), made / 2) << "fewer than were made";
  double time = -1;
  for (const Sample& sample : told->samples) {
    double& peak = told_most[static_cast<std::size_t>(sample.channel)];
    peak = std::fmax(peak, sample.values[at]);
    if (sample.channel != 0) continue;
    EXPECT_GT(sample.time, time);
    time = sample.time;
  }
  EXPECT_EQ(told_most, most);
}

TEST(DropBranch, FreesItsHistoryAndCanBeTakenBackUntilThen) {
  BranchRun session("conveyor");
  session.Run(50);
  session.scope.Apply(Seek{0.1});
  session.Run(400);
  const auto second = session.Hashes();
  session.scope.Apply(GoToBranch{0});
  const auto first = session.Hashes();
  session.scope.Apply(DropBranch{1});
  EXPECT_TRUE(session.Tree()[1].dropped);
  session.scope.Apply(GoToBranch{1});
  EXPECT_EQ(session.Present(), 0) << "nobody goes there any more";
  session.scope.Apply(KeepBranch{1});
  session.scope.Apply(GoToBranch{1});
  EXPECT_EQ(session.Hashes(), second);
  session.scope.Apply(GoToBranch{0});
  session.scope.Apply(DropBranch{1});
  Snapshot before, after;
  session.scope.Fill(&before);
  session.scope.Apply(FreeDropped{});
  session.scope.Fill(&after);
  EXPECT_LT(after.history_bytes, before.history_bytes / 2);
  EXPECT_EQ((*after.tree)[1].bytes, 0u);
  session.scope.Apply(KeepBranch{1});
  EXPECT_TRUE(session.Tree()[1].dropped) << "its history has gone";
  EXPECT_EQ(session.Hashes(), first);
  session.scope.Apply(Seek{0.05});
  session.Run(3);
  EXPECT_EQ(session.Tree().size(), 3u) << "its number is not given again";
  session.scope.Apply(GoToBranch{0});
  EXPECT_EQ(session.Hashes(), first);
}

TEST(DropBranch, IsRefusedOfThePresentOneAndOfAncestors) {
  BranchRun session("conveyor");
  session.Run(50);
  session.scope.Apply(Seek{0.1});
  session.Run(5);
  for (const int b : {0, 1}) {
    session.scope.Apply(DropBranch{b});
    EXPECT_FALSE(session.Tree()[static_cast<std::size_t>(b)].dropped);
    ASSERT_TRUE(std::holds_alternative<Refused>(session.events.back().item));
  }
  EXPECT_EQ(std::get<Refused>(session.events.back().item).why,
            "Branch b2 was not dropped. It is the present one.");
  session.scope.Apply(GoToBranch{0});
  session.scope.Apply(DropBranch{1});
  EXPECT_TRUE(session.Tree()[1].dropped);
  session.scope.Apply(Reset{});
  session.Run(3);
  session.scope.Apply(DropBranch{0});
  EXPECT_TRUE(session.Tree()[0].dropped) << "what began on it was dropped before";
  session.scope.Apply(KeepBranch{1});
  EXPECT_TRUE(session.Tree()[1].dropped) << "it begins on one that was dropped";
}

TEST(BranchFile, NamesAndDropsAreKeptAndRunAgain) {
  BranchRun session("conveyor");
  session.Run(60);
  session.scope.Apply(Seek{0.05});
  session.Run(10);
  session.scope.Apply(AddChannel{session.scope.channel(0).config()});
  session.Run(10);
  session.scope.Apply(GoToBranch{0});
  session.scope.Apply(Seek{0.1});
  session.scope.Apply(SetParamCommand{-1, "friction", 0.2});
  session.Run(20);
  const auto third = session.Hashes();
  session.scope.Apply(Reset{});
  session.Run(20);
  const auto fourth = session.Hashes();
  session.scope.Apply(NameBranch{2, "slippery µ"});
  session.scope.Apply(DropBranch{1});
  const auto recording = session.Take();
  const auto read = Reread(*recording);
  ASSERT_NE(read, nullptr);
  ASSERT_EQ(read->branches.size(), 4u);
  EXPECT_EQ(read->branches[2].name, "slippery µ");
  EXPECT_TRUE(read->branches[0].name.empty());
  EXPECT_TRUE(read->branches[1].dropped);
  EXPECT_TRUE(read->branches[1].lines.empty());
  EXPECT_EQ(CountBranches(*read), 3);
  auto replay = std::make_shared<Replay>(read, kHistoryBudget);
  ASSERT_TRUE(replay->Run(nullptr));
  EXPECT_TRUE(replay->Differences().empty());
  BranchRun opened("falling-sphere");
  opened.scope.Apply(LoadReplay{replay});
  EXPECT_EQ(opened.Hashes(), fourth);
  opened.scope.Apply(GoToBranch{1});
  EXPECT_EQ(opened.Present(), 3);
  opened.scope.Apply(GoToBranch{2});
  EXPECT_EQ(opened.Hashes(), third);
  const auto tree = opened.Tree();
  EXPECT_EQ(tree[2].name, "slippery µ");
  EXPECT_TRUE(tree[1].dropped);
  EXPECT_NEAR(tree[0].end_time, session.Tree()[0].end_time, 1e-9);
  EXPECT_FALSE(opened.SamplesOf(0).samples.empty()) << "what was run again is told as well";
  // freed or not, the file is the same
  session.scope.Apply(FreeDropped{});
  const RunContext context{"slipscope", "1", "test"};
  EXPECT_EQ(FormatRecording(*session.Take(), context), FormatRecording(*recording, context));
}

TEST(BranchFile, WrongNamesAndDropsAreRefused) {
  BranchRun session("falling-sphere");
  session.Run(5);
  session.scope.Apply(Seek{0});
  session.Run(5);
  session.scope.Apply(NameBranch{1, "x"});
  const std::string text = FormatRecording(*session.Take(), {"slipscope", "1", "test"});
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    changed.replace(at, from.size(), to);
    const auto file = ReadRecordingText(changed, "test");
    return file.ok() ? std::string() : file.error().message;
  };
  EXPECT_EQ(with("\"name\": \"x\"", "\"name\": 3"), "branches[1].name must be a text");
  EXPECT_EQ(with("\"name\": \"x\"", "\"name\": \"" + std::string(81, 'x') + "\""),
            "branches[1].name must have 80 bytes at most (found 81)");
  EXPECT_EQ(with("\"name\": \"x\"", "\"dropped\": 1"), "branches[1].dropped must be true or false");
  EXPECT_EQ(with("\"name\": \"x\"", "\"dropped\": true"),
            "branches[1].channels must be empty: the branch was dropped");
  // a name that is too long is cut, between two letters
  std::string umlauts;
  for (int i = 0; i < 60; ++i) umlauts += "ü";
  session.scope.Apply(NameBranch{0, "a" + umlauts});
  EXPECT_EQ(session.Tree()[0].name.size(), 79u);
}

// What comes back to where it was is no change, but the steps between were made with it.
TEST(BranchTree, SaysWhatWasChangedAndSetBack) {
  BranchRun session("conveyor");
  session.Run(20);
  session.scope.Apply(Seek{0.5 * session.scope.time()});
  session.scope.Apply(SetParamCommand{-1, "gravity", 5});
  session.scope.Apply(SetParamCommand{-1, "gravity", 9.81});
  session.Run(5);
  auto tree = session.Tree();
  ASSERT_EQ(tree.size(), 2u);
  EXPECT_TRUE(tree[1].changes.empty());
  EXPECT_TRUE(tree[1].set_back.empty()) << "no step was made with it";
  session.scope.Apply(SetParamCommand{-1, "gravity", 5});
  session.Run(5);
  EXPECT_TRUE(session.Tree()[1].set_back.empty()) << "it is otherwise now";
  session.scope.Apply(SetParamCommand{-1, "gravity", 9.81});
  tree = session.Tree();
  EXPECT_TRUE(tree[1].changes.empty());
  EXPECT_EQ(tree[1].set_back, std::vector<std::string>{"gravity"});
}

}  // namespace
}  // namespace slip::test
