// What is drawn can be read: nothing stands over what must be seen, marks are told apart.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

ImVec2 Centre(const WidgetRecord& w) {
  return ImVec2((w.min.x + w.max.x) / 2, (w.min.y + w.max.y) / 2);
}

/// The pixel in the middle of a widget, as 0xRRGGBB.
int Pixel(const OffscreenUi& ui, const WidgetRecord& w) {
  const render::Image image = ui.Read();
  const std::uint8_t* at = image.At(static_cast<int>(Centre(w).x), static_cast<int>(Centre(w).y));
  return (at[0] << 16) | (at[1] << 8) | at[2];
}

TEST(Legible, ASecondChannelHasItsMarkInTheRowsToo) {
  UI_OR_SKIP(ui, OpenPlan("conveyor", "lagged,lagged"));
  ui->ui().state.shell.left_tab = TabId::kParameters;
  ui->ui().state.parameters.search = "stiction";
  PassAndDraw(ui.get(), 0.1);
  const WidgetRecord* first = FindWidget("param/stiction_tolerance/mark/0");
  const WidgetRecord* second = FindWidget("param/stiction_tolerance/mark/1");
  for (const WidgetRecord& w : Widgets()) {
    if (first == nullptr && w.id.ends_with("/mark/0")) first = &w;
    if (second == nullptr && w.id.ends_with("/mark/1")) second = &w;
  }
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(Pixel(*ui, *first), 0xF0763A) << "Lagged";
  EXPECT_EQ(Pixel(*ui, *second), 0x1F2226) << "hollow: the panel shows";
}

TEST(Legible, NoToolTipStandsOverThePalette) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.5);
  const WidgetRecord* legend = FindWidget("plot/1/legend/0");
  ASSERT_NE(legend, nullptr);
  ui->MoveMouse(Centre(*legend));
  for (int i = 0; i < 40; ++i) ui->Frame(0);
  EXPECT_NE(FindWidget("tooltip"), nullptr);
  ui->ui().requests.Do(Action::kPalette);
  for (int i = 0; i < 40; ++i) ui->Frame(0);
  ASSERT_TRUE(ui->ui().state.popups.palette.open);
  EXPECT_EQ(FindWidget("tooltip"), nullptr);
  // and that of a row stands beside it
  const WidgetRecord* row = FindWidget("palette/Reload");
  const ActionInfo& any = ActionTable()[3];
  if (row == nullptr) row = FindWidget(std::string("palette/") + any.name);
  ASSERT_NE(row, nullptr);
  const WidgetRecord palette = *row;
  ui->MoveMouse(Centre(palette));
  for (int i = 0; i < 40; ++i) ui->Frame(0);
  ASSERT_NE(FindWidget("tooltip"), nullptr);
  EXPECT_FALSE(Overlap(*FindWidget("tooltip"), palette));
}

TEST(Legible, ThreeConditionNumbersFitTheirPlot) {
  OPEN_OR_SKIP(ui, "clutter");
  PassAndDraw(ui.get(), 0.5);
  ASSERT_EQ(ui->ui().state.plots.slots[0].signal, Signal::kConditionNumber);
  for (int i = 0; i < 3; ++i) {
    const WidgetRecord* readout = FindWidget("plot/0/readout/" + std::to_string(i));
    ASSERT_NE(readout, nullptr) << i;
    EXPECT_FALSE(readout->text.empty());
    EXPECT_GT(readout->min.x, FindWidget("plot/0/title")->max.x);
  }
}

TEST(Legible, WhatHasHappenedStaysANumberInItsPlot) {
  OPEN_OR_SKIP(ui, "sliding-box");
  PassAndDraw(ui.get(), 0.3);
  ASSERT_EQ(ui->ui().state.plots.slots[0].signal, Signal::kNormalForce);
  const SeriesView force = ui->session().series().View(0, Signal::kNormalForce);
  const auto most = static_cast<double>(force.Query(0, 1).max);
  ASSERT_GT(most, 40) << "the first push";
  EXPECT_NEAR(force.At(0.3), 10, 0.1);
  const WidgetRecord* max = FindWidget("plot/0/max");
  ASSERT_NE(max, nullptr);
  EXPECT_TRUE(max->text.starts_with(fmt::format("max {:.1f} ", most))) << max->text;
  // curves that do not vary have none
  OPEN_OR_SKIP(still, "slope-creep");
  PassAndDraw(still.get(), 0.5);
  ASSERT_EQ(still->ui().state.plots.slots[0].signal, Signal::kSlipSpeed);
  EXPECT_EQ(FindWidget("plot/0/max"), nullptr);
}

TEST(Legible, AChangeThatWasSetBackLeavesNoMark) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.3);
  Session& session = ui->session();
  session.playback().SetPlaying(false);
  ui->Frame(0);
  const double friction = session.frame(0).config.materials.front().friction;
  session.Send(SetParamCommand{-1, "friction", 0.5 * friction});
  ui->Frame(0);
  ui->Frame(0);
  EXPECT_EQ(session.notebook().marks().size(), 1u);
  session.Send(SetParamCommand{-1, "friction", friction});
  ui->Frame(0);
  ui->Frame(0);
  EXPECT_TRUE(session.notebook().marks().empty());
}

TEST(Legible, CrossesLeaveTheAxisOfTheTimeLineFree) {
  UI_OR_SKIP(ui, OpenPlan("ball-pit", "sap", {"lost_steps=accept", "max_iterations=1"}));
  PassAndDraw(ui.get(), 2);
  std::vector<WidgetRecord> crosses, ticks;
  for (const WidgetRecord& w : Widgets()) {
    if (w.id == "time/cross") crosses.push_back(w);
    if (w.id == "time/tick") ticks.push_back(w);
  }
  ASSERT_FALSE(crosses.empty());
  ASSERT_FALSE(ticks.empty());
  for (std::size_t i = 0; i < crosses.size(); ++i) {
    for (const WidgetRecord& tick : ticks) EXPECT_FALSE(Overlap(crosses[i], tick)) << tick.text;
    if (i > 0) {
      EXPECT_GT(crosses[i].min.x, crosses[i - 1].max.x);
    }
  }
}

/// An engine that sends events by the hand of a test.
class EventLink final : public EngineLink {
 public:
  void Send(Command) override {}
  const Snapshot& Latest() override { return snapshot_; }
  bool NextTelemetry(Telemetry*) override { return false; }
  std::optional<Event> NextEvent() override {
    if (left == 0) return std::nullopt;
    --left;
    return Event{.channel = 0, .time = time += 0.001, .item = item};
  }
  int left = 0;
  double time = 0;
  EventItem item = NotConverged{};

 private:
  Snapshot snapshot_;
};

TEST(Legible, NotesOutliveTheMarksOfTheSolver) {
  auto link = std::make_unique<EventLink>();
  EventLink* engine = link.get();
  Session session(std::move(link));
  const uint64_t note = session.notebook().AddNote();
  session.notebook().NameNote(note, "mine");
  engine->item = Resynced{};
  engine->left = 3;
  session.Update(0);
  engine->item = NotConverged{};
  engine->left = 5000;
  session.Update(1);
  EXPECT_LE(session.notebook().marks().size(), 2000u);
  ASSERT_NE(session.notebook().Note(note), nullptr);
  EXPECT_EQ(session.notebook().Note(note)->label, "mine");
  // nor do they push out what people did
  const auto count = [&](TimeMark::Kind kind) {
    return std::count_if(session.notebook().marks().begin(), session.notebook().marks().end(),
                         [kind](const TimeMark& m) { return m.kind == kind; });
  };
  EXPECT_EQ(count(TimeMark::Kind::kResync), 3);
  engine->item = Resynced{};
  engine->left = 5000;
  session.Update(2);
  EXPECT_NE(session.notebook().Note(note), nullptr);
  EXPECT_LE(session.notebook().marks().size(), 2000u);
}

}  // namespace
}  // namespace slip::app
