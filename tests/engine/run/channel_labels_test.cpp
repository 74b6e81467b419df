// What channels are called when methods change on the way.
#include "engine/run/study/channel_labels.h"

#include <gtest/gtest.h>

#include "engine/run/study/plan_notes.h"
#include "engine/scene/scene.h"
#include "engine/sim/method_list.h"
#include "engine/sim/signal_stats.h"

namespace slip {
namespace {

constexpr MethodId kSap = MethodNamed("sap"), kLagged = MethodNamed("lagged"),
                   kSimilar = MethodNamed("similar");

TEST(ChannelLabels, NoTwoChannelsShareAName) {
  const std::vector<std::vector<MethodId>> methods = {
      {kSap, kLagged, kSap}, {kLagged, kSimilar}, {kSap, kSimilar}, {kSap}};
  const ChannelLabels labels{methods};
  EXPECT_EQ(labels.AllOf(0), (std::vector<std::string>{"sap", "lagged#2"}));
  EXPECT_EQ(labels.AllOf(1), (std::vector<std::string>{"lagged", "similar"}));
  EXPECT_EQ(labels.AllOf(2), (std::vector<std::string>{"sap#2", "similar#2"}));
  EXPECT_EQ(labels.AllOf(3), (std::vector<std::string>{"sap#3"}));
  EXPECT_EQ(labels.Of(0, kSap), "sap");
  EXPECT_EQ(labels.Of(0, kLagged), "lagged#2");
  EXPECT_EQ(labels[2], "sap#2");
}

TEST(ChannelLabels, ConditionsKnowThem) {
  const std::vector<std::string> names = {"sap#2", "similar"};
  for (const char* selector : {"2", "sap", "sap#2", "similar"})
    EXPECT_TRUE(MeansChannel(selector, 1, names)) << selector;
  for (const char* selector : {"1", "sap#3", "lagged", "similar#2"})
    EXPECT_FALSE(MeansChannel(selector, 1, names)) << selector;
  EXPECT_TRUE(Expression::Parse("max(normal_force@sap#2) > 1").ok());
  EXPECT_FALSE(Expression::Parse("max(normal_force@sop#2) > 1").ok());
}

// Two channels of one method: a sentence must say which of them.
TEST(ChannelLabels, SentencesNameTheChannel) {
  const auto made =
      MakeRunPlan(*FindScene("conveyor"), "sap,lagged", {}, {"0.15:method@lagged=sap"});
  ASSERT_TRUE(made.ok()) << made.error().Text();
  EXPECT_EQ(made->labels.AllOf(1), (std::vector<std::string>{"lagged", "sap#2"}));
  RunPlan plan = *made;
  plan.duration = 0.6;
  plan.watches_params = true;
  std::vector<Track> tracks;
  const RunResult result = slip::Run(plan, &tracks, {});
  const std::string names[] = {"sap ", "sap#2 "};
  for (std::size_t c = 0; c < 2; ++c) {
    int named = 0;
    for (const ToldNote& note : NotesOf(plan, c, result.channels[c])) {
      if (note.id != "near_rigid") continue;
      EXPECT_TRUE(note.text.starts_with(names[c])) << note.text;
      ++named;
    }
    EXPECT_EQ(named, 1) << names[c];
  }
}

}  // namespace
}  // namespace slip
