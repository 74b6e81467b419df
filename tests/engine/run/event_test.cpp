// What is told of a run beside its samples, and what commands that only look leave as it is.
#include "engine/run/track/event.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/run/record/recorder_columns.h"
#include "engine/run/scope/scope.h"
#include "engine/run/study/run_plan.h"

namespace slip {
namespace {

TEST(Event, TheColumnOfKindsNamesAllOfThem) {
  const auto columns = EventColumns();
  const auto kind = std::find_if(columns.begin(), columns.end(),
                                 [](const Column& column) { return column.name == "kind"; });
  ASSERT_NE(kind, columns.end());
  const std::vector<Event> events = {{.item = ParamChanged{}}, {.item = StepFailed{}},
                                     {.item = NotConverged{}}, {.item = GaveUp{}},
                                     {.item = Pulled{}},       {.item = WasReset{}},
                                     {.item = Resynced{}},     {.item = ChannelBegan{}},
                                     {.item = SceneLoaded{}},  {.item = Refused{}}};
  for (const Event& event : events) {
    const std::string name(TextOf(event).kind);
    EXPECT_FALSE(name.empty());
    EXPECT_NE(kind->doc.find(name), std::string::npos) << name << " in: " << kind->doc;
  }
}

TEST(Event, AChangeThatARunRefusesIsNotToldAsMade) {
  const auto scene = FindScene("conveyor");
  ASSERT_TRUE(scene.ok());
  const auto made = MakeRunPlan(*scene, "sap", {}, {});
  ASSERT_TRUE(made.ok());
  RunPlan plan = *made;
  plan.steps = 5;
  plan.changes.push_back({0.002, "friction", -1});
  std::vector<Event> events;
  std::vector<Track> tracks;
  RunCallbacks callbacks;
  callbacks.event = [&](const Event& event) { events.push_back(event); };
  EXPECT_TRUE(slip::Run(plan, &tracks, callbacks).Complete());
  ASSERT_EQ(events.size(), 1u);
  const auto* refused = std::get_if<Refused>(&events[0].item);
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->path, "friction");
  EXPECT_FALSE(refused->why.empty());
  EXPECT_EQ(events[0].channel, 0);
}

TEST(Command, WhoOnlyLooksLeavesTheForecast) {
  const auto scene = FindScene("conveyor");
  ASSERT_TRUE(scene.ok());
  Scope scope;
  scope.Apply(LoadScene{*scene});
  for (int i = 0; i < 3; ++i) scope.Advance();
  const auto foretold = [&] {
    Snapshot snapshot;
    scope.Fill(&snapshot);
    return snapshot.foretold;
  };
  scope.Apply(ForetellForces{});
  const auto before = foretold();
  ASSERT_NE(before, nullptr);
  scope.Apply(TakeRecording{});
  scope.Apply(TellBranch{0});
  scope.Apply(NameBranch{0, "mine"});
  EXPECT_EQ(foretold(), before);
  scope.Apply(SetParamCommand{-1, "friction", 0.3});
  EXPECT_EQ(foretold(), nullptr) << "the next step has other knobs";
}

}  // namespace
}  // namespace slip
