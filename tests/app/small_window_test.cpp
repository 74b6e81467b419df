// What makes way where there is little room: low windows, and presenter mode.
#include <gtest/gtest.h>

#include "app/frame/input.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

TEST(SmallWindow, PresenterModeFoldsThePanelsAndGivesThemBack) {
  OPEN_OR_SKIP(ui, "conveyor", 1600, 900);
  PassAndDraw(ui.get(), 0.2);
  const float before = ui->ui().regions.view.width();
  ui->ui().requests.Do(Action::kPresenter);
  PassAndDraw(ui.get(), 0.05);
  const Regions& r = ui->ui().regions;
  EXPECT_TRUE(r.left.empty());
  EXPECT_EQ(r.view.width(), 1600);
  EXPECT_GT(r.view.height(), 400);
  // the picture of the gap is there, and all three plots
  const WidgetRecord* gap = FindWidget("overlay/gap");
  ASSERT_NE(gap, nullptr);
  EXPECT_GT(gap->max.x - gap->min.x, 1.6f * 400);
  for (const char* plot : {"plot/0/well", "plot/1/well", "plot/2/well"})
    EXPECT_NE(FindWidget(plot), nullptr) << plot;
  ui->ui().requests.Do(Action::kLeftPanel);
  PassAndDraw(ui.get(), 0.02);
  PassAndDraw(ui.get(), 0.02);
  EXPECT_FALSE(ui->ui().regions.left.empty());
  ui->ui().requests.Do(Action::kPresenter);
  PassAndDraw(ui.get(), 0.05);
  EXPECT_EQ(ui->ui().regions.view.width(), before);
  EXPECT_TRUE(ui->ui().state.shell.show_left) << "this is what the settings keep";
}

TEST(SmallWindow, ASmallWindowKeepsNamesAndShowsWhatTheLessonMeasures) {
  OPEN_OR_SKIP(ui, "conveyor", 1152, 648);
  PassAndDraw(ui.get(), 0.2);
  // a mark alone is 26 wide
  const WidgetRecord* chip = FindWidget("chip/2");
  ASSERT_NE(chip, nullptr);
  EXPECT_GT(chip->max.x - chip->min.x, 70);
  ASSERT_NE(FindWidget("plot/1/well"), nullptr) << "the card speaks of the gap";
  EXPECT_EQ(FindWidget("plot/0/well"), nullptr);
  const WidgetRecord* gap = FindWidget("overlay/gap");
  ASSERT_NE(gap, nullptr);
  EXPECT_GT(gap->max.x - gap->min.x, 400) << "the picture of the gap";
}

TEST(SmallWindow, NumbersBesideArrowsKeepClearOfEachOtherAndOfTheLegend) {
  OPEN_OR_SKIP(ui, "conveyor", 1152, 648);
  for (int i = 0; i < 12; ++i) {
    PassAndDraw(ui.get(), 0.11);
    std::vector<WidgetRecord> labels;
    for (const WidgetRecord& widget : Widgets()) {
      if (widget.id.starts_with("overlay/label/")) labels.push_back(widget);
    }
    EXPECT_GE(labels.size(), 3u);
    for (const char* id : {"overlay/legend", "overlay/gap", "overlay/readout"})
      labels.push_back(*FindWidget(id));
    for (std::size_t a = 0; a < labels.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_FALSE(Overlap(labels[a], labels[b])) << labels[a].id << " and " << labels[b].id;
    }
  }
}

TEST(SmallWindow, TheTagOfARobotStandsUnderTheInstrument) {
  OPEN_OR_SKIP(ui, "bunny-grasp", 1280, 720);
  PassAndDraw(ui.get(), 0.3);
  const WidgetRecord* tag = FindWidget("overlay/tag/0");
  const WidgetRecord* numbers = FindWidget("overlay/numbers");
  ASSERT_NE(tag, nullptr);
  ASSERT_NE(numbers, nullptr);
  EXPECT_FALSE(Overlap(*tag, *numbers));
}

}  // namespace
}  // namespace slip::app
