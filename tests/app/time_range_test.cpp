// A stretch of time selected on the time line.
#include "app/session/time_range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"

namespace slip::app {
namespace {

TEST(TimeRange, StatisticsAreThoseOfTheSamplesInside) {
  Series series;
  for (int i = 0; i <= 100; ++i) series.Append(0.01 * i, i == 50 ? std::nan("") : i);
  const RangeStats stats = CalcRangeStats(series.View(), 0.395, 0.605);
  EXPECT_EQ(stats.count, 20u);  // 40 to 60 without the gap
  EXPECT_EQ(stats.min, 40);
  EXPECT_EQ(stats.max, 60);
  EXPECT_NEAR(stats.mean, 50, 1e-12);
  double squares = 0;
  for (int i = 40; i <= 60; ++i) squares += i == 50 ? 0 : i * i;
  EXPECT_NEAR(stats.rms, std::sqrt(squares / 20), 1e-12);
  EXPECT_EQ(CalcRangeStats(series.View(), 2, 3).count, 0u);
}

TEST(TimeRange, ExtremesOfCountsAreWholeTheirMeansAreNot) {
  Series series;
  for (int i = 0; i < 3; ++i) series.Append(0.1 * i, i == 0 ? 7 : 9);
  const RangeStats stats = CalcRangeStats(series.View(), 0, 1);
  using Texts = std::array<std::string, 4>;
  const SignalInfo& contacts = slip::Info(Signal::kContacts);
  EXPECT_EQ(FormatRangeStats(stats, contacts, stats.max), (Texts{"7", "8.33", "8.39", "9"}));
  // a mean that happens to be whole is still a mean, and stands in one column with others
  const RangeStats constant = CalcRangeStats(series.View(), 0.05, 1);
  EXPECT_EQ(FormatRangeStats(constant, contacts, 9), (Texts{"9", "9.00", "9.00", "9"}));
  const SignalInfo& force = slip::Info(Signal::kNormalForce);
  EXPECT_EQ(FormatRangeStats(stats, force, stats.max), (Texts{"7.00", "8.33", "8.39", "9.00"}));
  EXPECT_EQ(FormatRangeStats({}, contacts, 0), (Texts{"–", "–", "–", "–"}));
}

class TimeRangeTest : public testing::Test {
 protected:
  void SetUp() override {
    UiSetup setup;
    setup.scene = *FindScene("conveyor");
    auto ui = OffscreenUi::Create(setup, 1600, 900);
    if (!ui.ok()) GTEST_SKIP() << "no off-screen OpenGL here";
    ui_ = std::move(ui).value();
    EnableWidgetRegistry(true);
    ui_->ui().state.view.quality = render::Quality::kLow;
    ui_->Skip(1.5);
    ui_->session().playback().SetPlaying(false);
    ui_->Frame(0.01);
    ui_->Frame(0);
  }
  /// By shares of the spine.
  void Select(float from, float to) {
    const WidgetRecord spine = *FindWidget("time/spine");
    const auto at = [&](float share) {
      return ImVec2(spine.min.x + share * (spine.max.x - spine.min.x),
                    (spine.min.y + spine.max.y) / 2);
    };
    ui_->Modifiers(false, true);
    ui_->Drag(at(from), at(to));
    ui_->Modifiers(false, false);
    ui_->Frame(0);
  }
  TimeRange& range() { return ui_->ui().state.time_line.range; }
  Session& session() { return ui_->session(); }

  std::unique_ptr<OffscreenUi> ui_;
};

TEST_F(TimeRangeTest, ShiftDragSelectsWithoutSeeking) {
  const double before = session().snapshot().time;
  Select(0.25f, 0.1f);
  ASSERT_TRUE(range().active);
  EXPECT_GT(range().to - range().from, 0.1);
  EXPECT_LE(range().to, session().snapshot().history_end);
  EXPECT_EQ(session().snapshot().time, before);
  ui_->Frame(0);
  ASSERT_NE(FindWidget("range/loop"), nullptr);
  ASSERT_FALSE(range().rows.empty());
  EXPECT_GT(range().rows[0].stats.count, 5u);
  // the range is clear of what lies before it
  const int64_t steps = StepAt(session(), range().to) - StepAt(session(), range().from);
  EXPECT_NEAR(static_cast<double>(steps), (range().to - range().from) / 0.01, 1.01);
  ui_->ui().requests.Do(Action::kEscape);
  ui_->Frame(0);
  EXPECT_FALSE(range().active);
}

TEST_F(TimeRangeTest, TheSelectionFollowsTheMouseToTheEndOfTheDrag) {
  const WidgetRecord spine = *FindWidget("time/spine");
  const auto at = [&](float share) {
    return ImVec2(spine.min.x + share * (spine.max.x - spine.min.x),
                  (spine.min.y + spine.max.y) / 2);
  };
  ui_->Modifiers(false, true);
  ui_->MoveMouse(at(0.02f));
  ui_->Frame(0);
  ui_->SetButton(0, true);
  ui_->Frame(0);
  double last = 0;
  for (int i = 1; i <= 8; ++i) {
    ui_->MoveMouse(at(0.02f + 0.01f * static_cast<float>(i)));
    ui_->Frame(0);
    EXPECT_GT(range().to, last) << "move " << i;
    last = range().to;
  }
  ui_->SetButton(0, false);
  ui_->Modifiers(false, false);
  ui_->Frame(0);
  EXPECT_EQ(range().to, last);
  EXPECT_LT(last, session().snapshot().history_end);
}

TEST_F(TimeRangeTest, ALoopStaysInsideAndLeavesTheHistoryAlone) {
  Select(0.1f, 0.2f);
  const double end = session().snapshot().history_end;
  ASSERT_TRUE(ui_->Click("range/loop"));
  std::set<double> seen;
  double least = 1e9, most = 0;
  for (int i = 0; i < 90; ++i) {
    ui_->Frame(1.0 / 60);
    if (i < 2) continue;
    const double time = session().snapshot().time;
    seen.insert(time);
    least = std::min(least, time);
    most = std::max(most, time);
  }
  EXPECT_GT(seen.size(), 10u);
  EXPECT_GE(least, range().from - 0.011);
  EXPECT_LE(most, range().to + 0.011);
  EXPECT_EQ(session().snapshot().history_end, end);
  // running on ends it
  session().playback().SetPlaying(true);
  ui_->Frame(0.02);
  ui_->Frame(0.02);
  EXPECT_FALSE(range().loop);
}

TEST_F(TimeRangeTest, TheExportHasOneRowPerModelAndStep) {
  const std::string csv = RangeCsv(session(), 0.5, 0.6);
  const auto lines = std::count(csv.begin(), csv.end(), '\n');
  EXPECT_EQ(lines, 1 + 3 * 11);
  const std::string head = csv.substr(0, csv.find('\n'));
  EXPECT_EQ(std::count(head.begin(), head.end(), ','), 1 + kSignalCount);
  EXPECT_NE(csv.find("\nsap,0.5"), std::string::npos);
  EXPECT_NE(csv.find("\nsimilar,0.6"), std::string::npos);
  EXPECT_EQ(csv.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace slip::app
