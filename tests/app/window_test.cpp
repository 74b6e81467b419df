// The whole window without a screen: what a person would click, drag and look at.
#include "app/host/window.h"
#include "app/panels/picture/over_view.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "app/frame/input.h"
#include "app/kit/widget_registry.h"
#include "engine/method/config.h"
#include "tests/support/methods.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

ImVec2 CentreOf(const WidgetRecord& w) {
  return ImVec2((w.min.x + w.max.x) / 2, (w.min.y + w.max.y) / 2);
}

TEST(WindowTest, OpensTheConveyorRunningWithItsChannels) {
  OPEN_OR_SKIP(ui, "conveyor");
  RunFrames(ui.get(), 30);
  Session& session = ui->session();
  EXPECT_TRUE(session.snapshot().playing);
  EXPECT_NEAR(session.snapshot().time, 0.5, 0.03);
  EXPECT_EQ(session.channel_count(), static_cast<int>(session.scene()->channels.size()));
  EXPECT_GT(session.series().View(0, Signal::kNormalForce).size(), 10u);
  EXPECT_TRUE(session.messages().empty());
}

TEST(WindowTest, TheCommandLinesNumberOfBodiesIsBuilt) {
  const auto scene = FindScene("ball-pit");
  ASSERT_TRUE(scene.ok());
  const auto plan = MakeRunPlan(*scene, "sap", {"bodies=57"}, {});
  ASSERT_TRUE(plan.ok());
  const std::shared_ptr<const Scene> opened = SceneOf(*plan);
  EXPECT_EQ(opened->model->bodies.size(), 57u);
  // back to the file's number from there
  EXPECT_EQ(opened->ModelFor((*scene)->config)->bodies.size(), (*scene)->model->bodies.size());
}

TEST(WindowTest, TransportRunsPausesStepsAndSeeks) {
  OPEN_OR_SKIP(ui, "conveyor");
  RunFrames(ui.get(), 20);
  ASSERT_TRUE(ui->Click("time/run"));
  Settle(ui.get());
  const double paused = ui->session().snapshot().time;
  ui->Frame(0.1);
  EXPECT_EQ(ui->session().snapshot().time, paused);
  ASSERT_TRUE(ui->Click("time/step"));
  Settle(ui.get());
  EXPECT_GT(ui->session().snapshot().time, paused);
  ASSERT_TRUE(ui->Click("time/back"));
  Settle(ui.get());
  EXPECT_NEAR(ui->session().snapshot().time, paused, 1e-9);
  EXPECT_FALSE(ui->session().snapshot().live);
  const WidgetRecord* spine = FindWidget("time/spine");
  ASSERT_NE(spine, nullptr);
  ui->Click(ImVec2(spine->min.x + 12, CentreOf(*spine).y));
  Settle(ui.get());
  EXPECT_LT(ui->session().snapshot().time, 0.1);
  ASSERT_TRUE(ui->Click("time/end"));
  Settle(ui.get());
  EXPECT_TRUE(ui->session().snapshot().live);
}

TEST(WindowTest, EveryTabAndPanelToggleDraws) {
  OPEN_OR_SKIP(ui, "conveyor");
  RunFrames(ui.get(), 20);
  for (const char* tab : {"left/tabs/Parameters", "left/tabs/Lesson", "inspect/tabs/Solver",
                          "inspect/tabs/Body", "inspect/tabs/Compare", "inspect/tabs/Contacts"}) {
    EXPECT_TRUE(ui->Click(tab)) << tab;
    RunFrames(ui.get(), 2);
  }
  for (const char* mode : {"Single", "Split 2", "Split 4", "Ghosts"}) {
    EXPECT_TRUE(ui->Click(std::string("toolbar/compare/") + mode)) << mode;
    RunFrames(ui.get(), 2);
  }
  // Every action but those that leave the window or a file.
  for (const ActionInfo& info : ActionTable()) {
    if (info.id == Action::kQuit || info.id == Action::kScreenshot ||
        info.id == Action::kSaveExperiment || info.id == Action::kSaveTable ||
        (info.id >= Action::kPlotCsv && info.id <= Action::kPlotSvg)) {
      continue;
    }
    ui->ui().requests.Do(info.id);
    RunFrames(ui.get(), 2);
    if (IsToggle(info.id)) ui->ui().requests.Do(info.id);
    ui->ui().requests.Do(Action::kEscape);
    RunFrames(ui.get(), 1);
  }
  EXPECT_GT(ui->session().channel_count(), 0);
}

TEST(WindowTest, NarrowPhaseIsDeadWhereAllPairsHaveClosedForms) {
  for (const bool bin : {false, true}) {
    OPEN_OR_SKIP(ui, bin ? "object-bin" : "clutter", 720, 2400);
    RunFrames(ui.get(), 5);
    ui->session().playback().SetPlaying(false);
    ASSERT_TRUE(ui->Click("left/tabs/Parameters"));
    Settle(ui.get());
    const char* row = "param/narrow_phase/value";
    ASSERT_TRUE(ui->Click(row));
    Settle(ui.get());
    const bool opened = FindWidget("param/narrow_phase/value/libccd") != nullptr;
    EXPECT_EQ(opened, bin);
    if (opened) {
      ASSERT_TRUE(ui->Click("param/narrow_phase/value/libccd"));
      Settle(ui.get());
    }
    EXPECT_EQ(ui->session().params().Value(0, "narrow_phase"), bin ? 1 : 0);
    // a lock beside a dead row does not take the row away
    if (ui->session().channel_count() < 2) continue;
    ui->session().params().OpenRow("narrow_phase");
    Settle(ui.get());
    EXPECT_EQ(FindWidget(row) != nullptr, !bin);
    EXPECT_EQ(FindWidget("param/narrow_phase@0/value") != nullptr, bin);
  }
}

TEST(WindowTest, EverySliderReachesTheEngine) {
  OPEN_OR_SKIP(ui, "conveyor", 720, 2400);
  RunFrames(ui.get(), 10);
  ui->session().playback().SetPlaying(false);
  ASSERT_TRUE(ui->Click("left/tabs/Parameters"));
  const std::vector<ParamEntry> entries = ListParams(ui->session().frame(0).config);
  int moved = 0;
  for (const ParamEntry& entry : entries) {
    ui->Frame(0);
    const WidgetRecord* slider = FindWidget("param/" + entry.path + "/slider");
    if (slider == nullptr) continue;
    const double before = *GetParam(ui->session().frame(0).config, entry.path);
    const ImVec2 from = CentreOf(*slider);
    const float y = from.y;
    for (const float x :
         {slider->min.x + 1, slider->max.x - 1, (2 * slider->min.x + slider->max.x) / 3}) {
      ui->Drag(from, ImVec2(x, y));
      ui->Frame(0);
    }
    const double after = *GetParam(ui->session().frame(0).config, entry.path);
    bool used = false;
    for (int i = 0; i < ui->session().channel_count(); ++i) {
      used = used || Uses(*ui->session().model(), ui->session().frame(i).config, *entry.info);
    }
    if (!used) {
      EXPECT_EQ(after, before) << entry.path << " is disabled";
      continue;
    }
    ++moved;
    EXPECT_NE(after, before) << entry.path;
    EXPECT_EQ(after, ui->session().params().Value(0, entry.path)) << entry.path;
  }
  EXPECT_GE(moved, 5);
  EXPECT_GT(ui->session().params().ChangedCount(), 0);
  EXPECT_FALSE(ui->session().notebook().marks().empty());
  ui->session().params().ResetAll();
  ui->Frame(0);
  ui->Frame(1);
  EXPECT_EQ(ui->session().params().ChangedCount(), 0);
}

TEST(WindowTest, UndoTakesBackWhatASliderDid) {
  OPEN_OR_SKIP(ui, "conveyor");
  RunFrames(ui.get(), 10);
  Session& session = ui->session();
  const double before = session.params().Value(0, "time_step");
  session.params().Set(-1, "time_step", before / 2);
  ui->Frame(0.1);
  EXPECT_EQ(GetParam(session.frame(0).config, "time_step"), before / 2);
  session.params().Undo();
  ui->Frame(0.1);
  EXPECT_EQ(GetParam(session.frame(0).config, "time_step"), before);
  session.params().Redo();
  ui->Frame(0.1);
  EXPECT_EQ(GetParam(session.frame(0).config, "time_step"), before / 2);
}

TEST(WindowTest, ModelsAreSwitchedAddedAndRemovedWhileRunning) {
  OPEN_OR_SKIP(ui, "conveyor");
  RunFrames(ui.get(), 10);
  Session& session = ui->session();
  const int count = session.channel_count();
  session.params().SetMethod(0, method_id::kSimilar);
  RunFrames(ui.get(), 5);
  EXPECT_EQ(session.looks().Of(0).model, method_id::kSimilar);
  if (count < Snapshot::kMaxChannels) {
    session.looks().Add(method_id::kTodorov);
    RunFrames(ui.get(), 5);
    ASSERT_EQ(session.channel_count(), count + 1);
    EXPECT_EQ(session.looks().Of(count).model, method_id::kTodorov);
  }
  session.looks().SetLead(1);
  session.looks().Remove(0);
  RunFrames(ui.get(), 5);
  EXPECT_EQ(session.looks().lead(), 0);  // the lead stays with its model
  EXPECT_EQ(session.channel_count(), count < Snapshot::kMaxChannels ? count : count - 1);
  EXPECT_EQ(session.looks().Of(0).model, session.frame(0).config.method());
}

TEST(WindowTest, ABodyIsPulledByTheMouse) {
  OPEN_OR_SKIP(ui, "conveyor");
  RunFrames(ui.get(), 10);
  ui->session().playback().SetPlaying(false);
  ui->Frame(0);
  // The picture makes way for the gap instrument: its own camera says where the body is seen.
  Pane pane;
  pane.min = ui->ui().regions.view.min;
  pane.max = ui->ui().regions.view.max;
  FitGap(ui->ui().session, ui->ui().state.view, ui->ui().rig, &pane);
  const auto body = pane.camera.Project(
      ui->session().frame(ui->session().looks().lead()).bodies[0].X_WB.p, pane.viewport());
  ASSERT_TRUE(body.has_value());
  ui->session().playback().SetPlaying(true);
  const ImVec2 at(ui->ui().regions.view.min.x + static_cast<float>(body->x()),
                  ui->ui().regions.view.min.y + static_cast<float>(body->y()));
  ui->MoveMouse(at);
  ui->Frame(0);
  ui->SetButton(0, true);
  ui->Frame(0);
  ui->MoveMouse(ImVec2(at.x + 60, at.y - 40));
  ui->Frame(0);
  ui->Frame(0);
  EXPECT_EQ(ui->session().frame(0).config.grab.body, 0);
  ui->SetButton(0, false);
  ui->Frame(0);
  ui->Frame(0);
  EXPECT_EQ(ui->session().frame(0).config.grab.body, -1);
}

TEST(WindowTest, AClickOnABodySelectsIt) {
  OPEN_OR_SKIP(ui, "ball-pit", 1280, 720);
  RunFrames(ui.get(), 4);
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  UiState& state = ui->ui().state;
  state.view.contact_points = false;  // a body is meant, not a contact on it
  const Rect& view = ui->ui().regions.view;
  Pane pane;
  pane.min = view.min;
  pane.max = view.max;
  FitGap(ui->ui().session, ui->ui().state.view, ui->ui().rig, &pane);
  const auto& bodies = ui->session().frame(0).bodies;
  const auto at = pane.camera.Project(bodies.back().X_WB.p, pane.viewport());
  ASSERT_TRUE(at.has_value());
  const ImVec2 pixel(view.min.x + static_cast<float>(at->x()),
                     view.min.y + static_cast<float>(at->y()));
  ui->MoveMouse(pixel);
  Settle(ui.get());
  const int under = state.picked.hover.body;
  ASSERT_GE(under, 0);
  ui->Click(pixel);
  Settle(ui.get());
  EXPECT_EQ(state.picked.selection.body, under);
  EXPECT_EQ(state.picked.selection.key, -1);
  EXPECT_EQ(ui->session().frame(0).config.grab.body, -1);
  // beside everything: nothing is selected any more
  ui->Click(ImVec2(view.max.x - 40, view.min.y + 12));
  Settle(ui.get());
  EXPECT_EQ(state.picked.selection.body, -1);
}

TEST(WindowTest, KeysComeFromOneTableWithoutConflicts) {
  for (const ActionInfo& a : ActionTable()) {
    for (const KeyChord& key : a.keys) {
      if (key.key == 0) continue;
      for (const ActionInfo& b : ActionTable()) {
        if (a.id == b.id) continue;
        for (const KeyChord& other : b.keys) {
          // keys of the plots hold only while these have the keyboard, and come first then
          EXPECT_FALSE(key.key == other.key && key.mods == other.mods && a.in_plots == b.in_plots)
              << a.name << " and " << b.name;
        }
      }
    }
  }
  EXPECT_EQ(ActionTable().size(), static_cast<std::size_t>(Action::kCount));
}

TEST(WindowTest, HelpShowsEveryGroupOfActions) {
  OPEN_OR_SKIP(ui, "conveyor");
  RunFrames(ui.get(), 5);
  ui->ui().requests.Do(Action::kHelp);
  Settle(ui.get());
  for (const char* group : ActionGroups()) {
    EXPECT_NE(FindWidget(std::string("help/") + group), nullptr) << group;
  }
}

TEST(WindowTest, ABrokenSceneLeavesTheGoodOneRunning) {
  OPEN_OR_SKIP(ui, "conveyor");
  RunFrames(ui.get(), 5);
  EXPECT_FALSE(ui->session().Load("no-such-scene"));
  RunFrames(ui.get(), 5);
  EXPECT_EQ(ui->session().scene()->id, "conveyor");
  ASSERT_EQ(ui->session().messages().size(), 1u);
  EXPECT_EQ(ui->session().messages()[0].level, Message::Level::kError);
  EXPECT_TRUE(ui->session().snapshot().playing);
}

TEST(WindowTest, InspectTabsAskedForByNameAreInTheLeftPanelOfANarrowWindow) {
  OPEN_OR_SKIP(ui, "conveyor", 1000, 700);
  UiState& state = ui->ui().state;
  ui->Frame(0);
  ASSERT_TRUE(ui->ui().regions.narrow);
  state.shell.left_tab = TabId::kLesson;
  state.shell.show_left = false;
  ui->ui().requests.Do(Action::kSolverTab);
  Settle(ui.get());
  EXPECT_EQ(state.shell.left_tab, TabId::kInspect);
  EXPECT_EQ(state.shell.inspect_tab, TabId::kSolver);
  EXPECT_TRUE(state.shell.show_left);
  // a wide window has a panel of its own for them
  OPEN_OR_SKIP(wide, "conveyor", 1600, 900);
  wide->Frame(0);
  wide->ui().state.shell.left_tab = TabId::kLesson;
  wide->ui().requests.Do(Action::kSolverTab);
  Settle(wide.get());
  EXPECT_EQ(wide->ui().state.shell.left_tab, TabId::kLesson);
  EXPECT_EQ(wide->ui().state.shell.inspect_tab, TabId::kSolver);
}

class WindowLookTest : public testing::TestWithParam<std::array<int, 4>> {};

TEST_P(WindowLookTest, IsNotEmptyAndClipsNoLabel) {
  const auto [width, height, scale, light] = GetParam();
  OPEN_OR_SKIP(ui, "conveyor", width, height, scale, light != 0 ? Theme::kLight : Theme::kDark);
  RunFrames(ui.get(), 40);
  for (const char* tab : {"left/tabs/Parameters", "left/tabs/Lesson"}) {
    ui->Click(tab);
    RunFrames(ui.get(), 2);
    const std::vector<std::string> clipped = ClippedWidgets();
    EXPECT_TRUE(clipped.empty()) << tab << ": " << (clipped.empty() ? "" : clipped.front());
  }
  const render::Image image = ui->Read();
  ASSERT_EQ(image.width, width);
  std::array<int, 256> histogram{};
  for (std::size_t i = 0; i < image.pixels.size(); i += 4) ++histogram[image.pixels[i]];
  int used = 0;
  for (int count : histogram) used += count > 0;
  EXPECT_GT(used, 100) << "the picture is nearly empty";
}

INSTANTIATE_TEST_SUITE_P(Sizes, WindowLookTest,
                         testing::Values(std::array<int, 4>{1600, 900, 1, 0},
                                         std::array<int, 4>{1600, 900, 1, 1},
                                         std::array<int, 4>{3200, 1800, 2, 0},
                                         std::array<int, 4>{1000, 700, 1, 0}));

}  // namespace
}  // namespace slip::app
