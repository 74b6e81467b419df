// The place of the studies in the window, by hand: opened and left, run, read, shown as a scene.
// SLIP_PICTURES=1 leaves pictures in the build folder.
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "app/panels/studies/study_words.h"
#include "tests/support/folders.h"
#include "tests/support/offscreen.h"
#include "tests/support/temp_folder.h"

namespace slip::app {
namespace {

// That of the paper with the cheapest cells among those with more than one figure panel.
const std::string kStudy = "seed-001-figure-03";

Studies& StudiesOf(OffscreenUi* ui) { return ui->session().files().studies(); }

const StudyEntry& EntryOf(OffscreenUi* ui, const std::string& id) {
  const auto& list = StudiesOf(ui).list();
  return *std::find_if(list.begin(), list.end(),
                       [&](const StudyEntry& entry) { return entry.id == id; });
}

/// Frames until it is so, for two minutes at the most.
template <class Is>
bool DrawUntil(OffscreenUi* ui, const Is& is) {
  for (int i = 0; i < 6000 && !is(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ui->Frame(0);
  }
  ui->Frame(0);
  return is();
}

/// As a hand does that does not like to scroll.
void ChooseStudy(OffscreenUi* ui, const std::string& id) {
  ui->ui().state.studies.search = id;
  Settle(ui);
  EXPECT_TRUE(ui->Click("studies/" + id));
  ui->ui().state.studies.search.clear();
  Settle(ui);
  EXPECT_EQ(ui->ui().state.studies.file, EntryOf(ui, id).file);
}

/// Opens the place and chooses the study.
void OpenStudies(OffscreenUi* ui, const std::string& id) {
  ui->ui().requests.Do(Action::kStudies);
  Settle(ui);
  EXPECT_TRUE(ui->ui().state.studies.open);
  EXPECT_TRUE(DrawUntil(ui, [&] { return !StudiesOf(ui).listing(); }));
  ChooseStudy(ui, id);
}

void SavePicture(OffscreenUi* ui, const std::string& name) {
  if (std::getenv("SLIP_PICTURES") == nullptr) return;
  ui->Frame(0);
  EXPECT_TRUE(render::WritePng(ui->Read(), BuildFolder() + "/" + name, true).ok());
}

TEST(StudiesWindow, ComesInPlaceOfTheSceneWhichRests) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.2);
  ASSERT_TRUE(ui->session().playback().playing());
  ui->ui().requests.Do(Action::kOpenScene);
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("scenes/studies"));
  Settle(ui.get());
  EXPECT_TRUE(ui->ui().state.studies.open);
  EXPECT_FALSE(ui->ui().state.popups.picker.open);
  EXPECT_TRUE(ui->ui().regions.view.empty());
  EXPECT_EQ(FindWidget("chip/0"), nullptr);
  PassAndDraw(ui.get(), 0.1);
  const double rests = ui->session().snapshot().time;
  PassAndDraw(ui.get(), 0.3);
  EXPECT_EQ(ui->session().snapshot().time, rests);
  EXPECT_NE(ui->ui().actions().WhyDisabled(Action::kRunPause), nullptr);
  ui->ui().requests.Do(Action::kEscape);
  Settle(ui.get());
  EXPECT_FALSE(ui->ui().state.studies.open);
  PassAndDraw(ui.get(), 0.3);
  EXPECT_GT(ui->session().snapshot().time, rests) << "it goes on";
  EXPECT_NE(FindWidget("chip/0"), nullptr);
}

TEST(StudiesWindow, ArrowsGoThroughTheList) {
  OPEN_OR_SKIP(ui, "conveyor");
  OpenStudies(ui.get(), "seed-001-figure-16");
  const auto press = [&](int key) {
    for (const bool down : {true, false}) {
      ui->Send({.kind = InputEvent::Kind::kKey, .code = key, .down = down});
      ui->Frame(0);
    }
    Settle(ui.get());
  };
  press(GLFW_KEY_DOWN);
  EXPECT_EQ(ui->ui().state.studies.file, EntryOf(ui.get(), "seed-001-figure-17").file);
  press(GLFW_KEY_UP);
  press(GLFW_KEY_UP);
  EXPECT_EQ(ui->ui().state.studies.file, EntryOf(ui.get(), "seed-001-figure-15").file);
  // far down in the list its row comes into sight
  ui->ui().state.studies.file = EntryOf(ui.get(), "seed-004-table-3").file;
  for (int i = 0; i < 3; ++i) ui->Frame(0);
  const WidgetRecord* row = FindWidget("studies/seed-004-table-3");
  ASSERT_NE(row, nullptr);
  EXPECT_LT(row->max.y, FindWidget("studies/all")->min.y);
}

TEST(StudiesWindow, RunsJudgesAndShowsTheScene) {
  OPEN_OR_SKIP(ui, "conveyor");
  OpenStudies(ui.get(), kStudy);
  EXPECT_EQ(FindWidget("study/figure/error/0/well"), nullptr);
  ASSERT_NE(FindWidget("study/verdict/0"), nullptr) << "what will be asked is there at once";
  EXPECT_EQ(FindWidget("study/verdict/0")->text, "waits: –");
  ASSERT_TRUE(ui->Click("study/quick"));
  Settle(ui.get());
  ASSERT_NE(FindWidget("study/stop"), nullptr);
  ASSERT_TRUE(DrawUntil(ui.get(), [&] { return !EntryOf(ui.get(), kStudy).Waits(); }));
  EXPECT_EQ(EntryOf(ui.get(), kStudy).state, StudyState::kDone);
  EXPECT_EQ(EntryOf(ui.get(), kStudy).shown->made, 15u);
  EXPECT_TRUE(FindWidget("study/verdict/0")->text.starts_with("holds: "));
  EXPECT_TRUE(FindWidget("studies/" + kStudy)->text.starts_with("holds "));
  const WidgetRecord* well = FindWidget("study/figure/error/0/well");
  ASSERT_NE(well, nullptr);
  SavePicture(ui.get(), "studies_result.png");
  // a click on a point of the figure chooses its step: the first of the axis lies at the right end
  const StudyRun& run = EntryOf(ui.get(), kStudy).ShownPlan()->studies[0].runs[0];
  const Figure& figure = EntryOf(ui.get(), kStudy).shown->report.figures[0];
  const FigureAxes& axes = EntryOf(ui.get(), kStudy).shown->axes[0];
  const FigureCurve& curve = figure.panels[0].curves[0];
  const auto part = [](double unit) { return static_cast<float>(unit); };
  const float x = part(ToUnit(axes.x.scale, axes.x.range, curve.x[2]));
  const float y = part(ToUnit(axes.y[0].scale, axes.y[0].range, curve.y[2]));
  const ImVec2 at(well->min.x + x * (well->max.x - well->min.x),
                  well->max.y - y * (well->max.y - well->min.y));
  ui->Click(at);
  Settle(ui.get());
  const std::size_t point = ui->ui().state.studies.point;
  EXPECT_EQ(run.plan.Values(point)[0], curve.x[2]);
  ASSERT_TRUE(ui->Click("study/show"));
  Settle(ui.get());
  PassAndDraw(ui.get(), 0.2);
  EXPECT_FALSE(ui->ui().state.studies.open);
  ASSERT_EQ(ui->session().channel_count(), 3);
  for (int m = 0; m < 3; ++m) {
    const Config wanted = run.plan.ConfigOf(point * 3 + static_cast<std::size_t>(m));
    EXPECT_EQ(ui->session().frame(m).config.step.time_step, wanted.step.time_step);
    EXPECT_EQ(ui->session().frame(m).config.method(), wanted.method());
  }
  EXPECT_TRUE(ui->session().playback().playing());
  // a button and Escape lead back, and what is known stays
  SavePicture(ui.get(), "studies_shown.png");
  EXPECT_NE(FindWidget("toolbar/to-studies"), nullptr);
  ui->ui().requests.Do(Action::kEscape);
  Settle(ui.get());
  EXPECT_TRUE(ui->ui().state.studies.open);
  EXPECT_EQ(FindWidget("toolbar/to-studies"), nullptr);
  EXPECT_NE(FindWidget("study/figure/error/0/well"), nullptr);
}

// Opened before the list is read, or far above, it is chosen and its row comes into sight.
TEST(StudiesWindow, AStudyThatIsOpenedIsInSight) {
  OPEN_OR_SKIP(ui, "conveyor");
  const TempFolder folder;
  const std::string path = folder.path("mine.toml");
  WriteText(path, ReadText(std::string(SourceFolder()) + "/scenes/studies/" + kStudy + ".toml"));
  ASSERT_TRUE(ui->session().Load(path));
  ASSERT_TRUE(DrawUntil(ui.get(), [&] {
    return StudiesOf(ui.get()).opened() == 1 && ui->ui().state.studies.open &&
           StudiesOf(ui.get()).list().size() > 30;
  }));
  for (int i = 0; i < 4; ++i) ui->Frame(0);
  EXPECT_EQ(ui->ui().state.studies.file, EntryOf(ui.get(), "mine").file);
  const WidgetRecord* row = FindWidget("studies/mine");
  ASSERT_NE(row, nullptr);
  EXPECT_LT(row->max.y, FindWidget("studies/all")->min.y);
  SavePicture(ui.get(), "studies_opened.png");
}

// More models than a window has: it says which are shown and why the others are not.
TEST(StudiesWindow, ShowMeSaysWhatIsLeftOut) {
  OPEN_OR_SKIP(ui, "conveyor");
  OpenStudies(ui.get(), "friction-suite");
  SavePicture(ui.get(), "studies_suite.png");
  ASSERT_NE(FindWidget("study/show/words"), nullptr);
  ASSERT_TRUE(ui->Click("study/show"));
  Settle(ui.get());
  PassAndDraw(ui.get(), 0.2);
  EXPECT_FALSE(ui->ui().state.studies.open);
  const auto& messages = ui->session().messages();
  EXPECT_TRUE(std::any_of(messages.begin(), messages.end(), [](const Message& message) {
    return message.what.find("as a window has 5 models at most") != std::string::npos;
  }));
}

TEST(StudiesWindow, GoesOnBehindTheSceneAndStops) {
  OPEN_OR_SKIP(ui, "conveyor");
  OpenStudies(ui.get(), "seed-001-figure-16");
  ASSERT_TRUE(ui->Click("study/run"));
  Settle(ui.get());
  EXPECT_EQ(EntryOf(ui.get(), "seed-001-figure-16").state, StudyState::kRuns);
  ChooseStudy(ui.get(), "seed-002-figure-05");
  ASSERT_TRUE(ui->Click("study/run"));
  Settle(ui.get());
  EXPECT_EQ(EntryOf(ui.get(), "seed-002-figure-05").state, StudyState::kWaits);
  EXPECT_EQ(FindWidget("study/bar")->text.substr(0, 5), "Waits");
  ASSERT_TRUE(ui->Click("toolbar/back"));
  PassAndDraw(ui.get(), 0.1);
  EXPECT_NE(FindWidget("status/study"), nullptr);
  ui->ui().requests.Do(Action::kStudies);
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("studies/stop-all"));
  ASSERT_TRUE(DrawUntil(ui.get(), [&] { return StudiesOf(ui.get()).job() == nullptr; }));
  EXPECT_EQ(EntryOf(ui.get(), "seed-001-figure-16").state, StudyState::kStopped);
  EXPECT_EQ(EntryOf(ui.get(), "seed-002-figure-05").state, StudyState::kFresh);
}

struct Look {
  int width, height;
  double scale;
  Theme theme;
};

class StudiesLook : public testing::TestWithParam<Look> {};

// Nothing is cut off, and no two controls overlap, before and after a run.
TEST_P(StudiesLook, HasRoomForEverything) {
  const Look look = GetParam();
  OPEN_OR_SKIP(ui, "conveyor", look.width, look.height, look.scale, look.theme);
  const std::string id = "seed-002-figure-05";
  OpenStudies(ui.get(), id);
  const std::string name =
      (look.theme == Theme::kDark ? "dark_" : "light_") + std::to_string(look.width);
  for (const bool run : {false, true}) {
    if (run) {
      ASSERT_TRUE(ui->Click("study/run"));
      Settle(ui.get());
      ASSERT_TRUE(DrawUntil(ui.get(), [&] { return !EntryOf(ui.get(), id).Waits(); }));
    }
    EXPECT_EQ(ClippedWidgets(), std::vector<std::string>());
    SavePicture(ui.get(), "studies_" + name + (run ? "_run.png" : ".png"));
    std::vector<WidgetRecord> controls;
    for (const WidgetRecord& widget : Widgets())
      for (const char* control : {"study/show", "study/copy", "study/save", "study/run",
                                  "study/quick", "toolbar/report", "toolbar/back", "toolbar/scene",
                                  "toolbar/screenshot", "studies/all", "studies/quick-all"})
        if (widget.id == control) controls.push_back(widget);
    EXPECT_GE(controls.size(), 9u);
    for (std::size_t a = 0; a < controls.size(); ++a) {
      EXPECT_LE(controls[a].max.x, static_cast<float>(look.width)) << controls[a].id;
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_FALSE(Overlap(controls[a], controls[b])) << controls[a].id << controls[b].id;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, StudiesLook,
                         testing::Values(Look{960, 540, 1, Theme::kLight},
                                         Look{1280, 720, 1, Theme::kDark},
                                         Look{1920, 1080, 1, Theme::kLight},
                                         Look{1920, 1080, 1.5, Theme::kDark}));

}  // namespace
}  // namespace slip::app
