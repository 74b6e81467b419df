// The ghost of another run in the window: switched in the tab of branches or by its action, named
// on a plate.
#include <gtest/gtest.h>

#include "app/kit/widget_registry.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

void BranchAway(OffscreenUi* ui, double time, double friction) {
  Session& session = ui->session();
  session.playback().SetPlaying(false);
  Settle(ui);
  session.playback().Seek(time);
  Settle(ui);
  session.params().Set(-1, "friction", friction);
  session.playback().SetPlaying(true);
  PassAndDraw(ui, 0.2);
  session.playback().SetPlaying(false);
  Settle(ui);
}

const GhostRun& Ghost(OffscreenUi* ui) { return ui->session().snapshot().ghost; }

TEST(GhostWindow, TheToggleShowsTheRunThatIsDrawnAlong) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.6);
  EXPECT_NE(ui->ui().actions().WhyDisabled(Action::kRunGhost), nullptr) << "there is no other run";
  BranchAway(ui.get(), 0.2, 0.1);
  EXPECT_EQ(ui->ui().actions().WhyDisabled(Action::kRunGhost), nullptr);
  EXPECT_EQ(FindWidget("overlay/ghost"), nullptr);
  ui->ui().state.shell.left_tab = TabId::kBranches;
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("branches/ghost"));
  Settle(ui.get());
  Settle(ui.get());
  EXPECT_EQ(Ghost(ui.get()).branch, 0);
  EXPECT_EQ(Ghost(ui.get()).place, GhostRun::Place::kApart);
  const WidgetRecord* plate = FindWidget("overlay/ghost");
  ASSERT_NE(plate, nullptr);
  EXPECT_EQ(plate->text, "ghost: run b1 ");
  EXPECT_FALSE(Overlap(*plate, *FindWidget("overlay/readout")));
  // in the common past, and after its end, the plate says why there is none
  ui->session().playback().Seek(0.1);
  Settle(ui.get());
  Settle(ui.get());
  EXPECT_EQ(FindWidget("overlay/ghost")->text, "ghost: run b1 the same until 0.2 s");
  // by its action, too
  ui->ui().requests.Do(Action::kRunGhost);
  Settle(ui.get());
  Settle(ui.get());
  EXPECT_EQ(Ghost(ui.get()).branch, -1);
  EXPECT_EQ(FindWidget("overlay/ghost"), nullptr);
}

TEST(GhostWindow, ThePlateFitsInEveryWindow) {
  struct Size {
    int width, height;
    double scale;
    Compare compare;
  };
  for (const Size& size :
       {Size{1280, 720, 1, Compare::kGhosts}, Size{1280, 720, 1, Compare::kSplit2},
        Size{2560, 1440, 2, Compare::kGhosts}}) {
    OPEN_OR_SKIP(ui, "conveyor", size.width, size.height, size.scale, Theme::kLight);
    PassAndDraw(ui.get(), 0.6);
    BranchAway(ui.get(), 0.2, 0.1);
    ui->session().branches().Rename(0, "a name that is longer than the plate likes to be");
    ui->ui().state.view.run_ghost = true;
    ui->ui().state.view.compare = size.compare;
    Settle(ui.get());
    Settle(ui.get());
    const WidgetRecord* plate = FindWidget("overlay/ghost");
    ASSERT_NE(plate, nullptr);
    EXPECT_FALSE(plate->clipped) << plate->max.x;
    EXPECT_NE(plate->text.find("a name that"), std::string::npos);
    for (const char* other : {"overlay/readout", "overlay/legend", "overlay/gap"}) {
      if (const WidgetRecord* taken = FindWidget(other)) {
        EXPECT_FALSE(Overlap(*plate, *taken)) << other;
      }
    }
  }
}

TEST(GhostWindow, ACardChoosesWhichRun) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.6);
  BranchAway(ui.get(), 0.2, 0.1);
  BranchAway(ui.get(), 0.3, 0.3);
  ui->ui().state.shell.left_tab = TabId::kBranches;
  Settle(ui.get());
  const auto click = [&](const char* id) {
    EXPECT_TRUE(ui->Click(id)) << id;
    Settle(ui.get());
    Settle(ui.get());
  };
  click("branches/1/ghost");
  EXPECT_EQ(Ghost(ui.get()).branch, 0);
  EXPECT_TRUE(ui->session().branches().along().Has(0)) << "its curves come along";
  click("branches/2/ghost");
  EXPECT_EQ(Ghost(ui.get()).branch, 1) << "one at a time";
  click("branches/2/ghost");
  EXPECT_EQ(Ghost(ui.get()).branch, -1);
  // hidden curves, hidden ghost: the other one takes its place
  click("branches/2/ghost");
  click("branches/2/eye");
  EXPECT_EQ(Ghost(ui.get()).branch, 0);
  click("branches/1/eye");
  EXPECT_EQ(Ghost(ui.get()).branch, -1);
}

TEST(GhostWindow, AStillPictureIsDrawnAgainWhenItsGhostComes) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.6);
  BranchAway(ui.get(), 0.2, 0.1);
  const render::Image without = ui->Read();
  ui->ui().state.view.run_ghost = true;
  Settle(ui.get());
  Settle(ui.get());
  EXPECT_NE(without.pixels, ui->Read().pixels);
}

}  // namespace
}  // namespace slip::app
