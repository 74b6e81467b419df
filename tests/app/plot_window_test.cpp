// The plots of the window: difference mode, keyboard, export, search lines, reference.
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "app/frame/input.h"
#include "app/kit/widget_registry.h"
#include "app/panels/curves/plot_content.h"
#include "app/panels/curves/plot_export.h"
#include "app/panels/inspect/tables.h"
#include "app/panels/picture/view.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"
#include "tests/support/window_content.h"

namespace slip::app {
namespace {

class PlotWindow : public testing::Test {
 protected:
  void SetUp() override {
    UiSetup setup;
    setup.scene = *FindScene("conveyor");
    auto made = OffscreenUi::Create(setup, 1600, 900);
    if (!made.ok()) GTEST_SKIP() << made.error().Text();
    ui_ = std::move(made).value();
    EnableWidgetRegistry(true);
    ui_->ui().state.view.quality = render::Quality::kLow;
    ui_->ui().state.view.msaa = 1;
    for (int i = 0; i < 60; ++i) ui_->Skip(1.0 / 60);
    session().playback().SetPlaying(false);
    ui_->Frame(0);
    ui_->Frame(0);
  }
  Session& session() { return ui_->session(); }
  UiState& state() { return ui_->ui().state; }
  void Key(int key, int mods = 0) {
    EXPECT_TRUE(DispatchKey(&ui_->ui(), key, mods, false, false)) << key;
    ui_->Frame(0);
    ui_->Frame(0);
  }
  /// Hovers until the submenu of a menu item is open.
  void OpenSubmenu(const std::string& item) {
    const WidgetRecord* w = FindWidget(item);
    ASSERT_NE(w, nullptr) << item;
    ui_->MoveMouse({(w->min.x + w->max.x) / 2, (w->min.y + w->max.y) / 2});
    for (int i = 0; i < 30; ++i) ui_->Frame(0);
  }

  std::unique_ptr<OffscreenUi> ui_;
};

TEST_F(PlotWindow, PlotsKnowWhichSignalsAreCounts) {
  state().plots.slots[0].signal = Signal::kIterations;
  state().plots.slots[1].signal = Signal::kNormalForce;
  EXPECT_TRUE(test::ContentOf(&ui_->ui(), 0).Spec().is_count);
  EXPECT_FALSE(test::ContentOf(&ui_->ui(), 1).Spec().is_count);
}

TEST_F(PlotWindow, DifferenceModeShowsModelMinusLead) {
  session().looks().SetLead(1);
  ui_->Frame(0);
  const PlotContent plain = test::ContentOf(&ui_->ui(), 0);
  EXPECT_EQ(plain.title, "Normal force");
  // a range that was chosen for forces is none for their differences
  state().plots.slots[0].state.y = {9, 10};
  state().plots.slots[0].state.y_locked = true;
  ASSERT_TRUE(ui_->Click("toolbar/compare/Difference"));
  ui_->Frame(0);
  EXPECT_EQ(state().view.compare, Compare::kDifference);
  const PlotContent content = test::ContentOf(&ui_->ui(), 0);
  EXPECT_EQ(content.title, "Δ normal force");
  EXPECT_FALSE(state().plots.slots[0].state.y_locked);
  EXPECT_LE(state().plots.slots[0].state.y.min, 0);
  EXPECT_EQ(content.note, "against Lagged");
  ASSERT_EQ(content.series.size(), 2u);
  EXPECT_EQ(content.series[0].label, "SAP");
  const SeriesStore& store = session().series();
  const SeriesView own = store.View(0, Signal::kNormalForce);
  const SeriesView lead = store.View(1, Signal::kNormalForce);
  const SeriesView difference = content.series[0].data;
  ASSERT_EQ(difference.size(), own.size());
  double largest = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double wanted =
        static_cast<double>(own.ValueAt(i)) - static_cast<double>(lead.ValueAt(i));
    if (std::isnan(wanted)) continue;
    EXPECT_NEAR(static_cast<double>(difference.ValueAt(i)), wanted, 3e-6);
    largest = std::max(largest, std::fabs(wanted));
  }
  EXPECT_GT(largest, 0.1);
  state().plots.slots[2].signal = Signal::kIterations;
  EXPECT_EQ(test::ContentOf(&ui_->ui(), 2).title, "Δ Newton iterations");
  // positive values of one model make no positive difference: no plain logarithm
  state().plots.slots[2].signal = Signal::kConditionNumber;
  EXPECT_EQ(test::ContentOf(&ui_->ui(), 2).scale, AxisScale::kSymlog);
  EXPECT_NE(FindWidget("overlay/difference"), nullptr);
}

TEST_F(PlotWindow, DifferenceWithNothingToCompareIsThePlainView) {
  state().view.compare = Compare::kDifference;
  session().looks().ToggleSolo(session().looks().lead());
  EXPECT_FALSE(ShowsDifference(session(), state().view.compare));
  EXPECT_EQ(test::ContentOf(&ui_->ui(), 0).title, "Normal force");
  session().looks().ToggleSolo(session().looks().lead());
  EXPECT_TRUE(ShowsDifference(session(), state().view.compare));
  // solo chooses what is compared
  session().looks().ToggleSolo(2);
  const PlotContent content = test::ContentOf(&ui_->ui(), 0);
  ASSERT_EQ(content.series.size(), 1u);
  EXPECT_EQ(content.series[0].label, "Similar");
}

TEST_F(PlotWindow, TheCompareKeyComesRound) {
  const Compare first = state().view.compare;
  bool difference = false;
  for (int i = 0; i < static_cast<int>(Compare::kCount); ++i) {
    Key(GLFW_KEY_V);
    difference = difference || state().view.compare == Compare::kDifference;
  }
  EXPECT_TRUE(difference);
  EXPECT_EQ(state().view.compare, first);
}

TEST_F(PlotWindow, TheKeyboardWalksAlongTheSamples) {
  LinkedX& x = state().plots.linked_x;
  const double time = session().snapshot().time;
  Key(GLFW_KEY_F4);
  ASSERT_TRUE(state().plots.focus.on);
  EXPECT_NEAR(*x.hover, time, 1e-9);
  Key(GLFW_KEY_LEFT);
  EXPECT_NEAR(*x.hover, time - 0.01, 1e-9);
  Key(GLFW_KEY_LEFT, GLFW_MOD_SHIFT);
  EXPECT_NEAR(*x.hover, time - 0.11, 1e-9);
  // the play head stays: outside the plots the same key steps the run
  EXPECT_EQ(session().snapshot().time, time);
  Key(GLFW_KEY_A);
  Key(GLFW_KEY_RIGHT);
  EXPECT_NEAR(*x.hover - *x.anchor, 0.01, 1e-9);
  Key(GLFW_KEY_G);
  EXPECT_NEAR(session().snapshot().time, time - 0.10, 1e-9);
  // next plot, next curve, hide it and show it again
  Key(GLFW_KEY_TAB);
  EXPECT_EQ(state().plots.focus.slot, 1);
  EXPECT_TRUE(state().shell.show_left);
  const std::string first = state().plots.focus.series;
  Key(GLFW_KEY_DOWN);
  EXPECT_NE(state().plots.focus.series, first);
  Key(GLFW_KEY_ENTER);
  EXPECT_TRUE(state().plots.slots[1].state.hidden.contains(state().plots.focus.series));
  Key(GLFW_KEY_ENTER);
  EXPECT_TRUE(state().plots.slots[1].state.hidden.empty());
  Key(GLFW_KEY_UP);
  EXPECT_EQ(state().plots.focus.series, first);
  Key(GLFW_KEY_TAB, GLFW_MOD_SHIFT);
  EXPECT_EQ(state().plots.focus.slot, 0);
  Key(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(state().plots.focus.on);
  EXPECT_FALSE(x.hover.has_value());
  Key(GLFW_KEY_TAB);
  EXPECT_FALSE(state().shell.show_left);
}

TEST_F(PlotWindow, TheCursorTakesTheRangeAlongAndZoomComesBack) {
  LinkedX& x = state().plots.linked_x;
  x.follow = FollowMode::kFree;
  x.range = {0.5, 0.6};
  Key(GLFW_KEY_F4);
  EXPECT_GE(x.range.max, *x.hover);
  EXPECT_LE(x.range.min, *x.hover);
  Key(GLFW_KEY_Z, GLFW_MOD_ALT);
  EXPECT_EQ(x.range, (AxisRange{0.5, 0.6}));
}

TEST_F(PlotWindow, ARangeIsTypedExactly) {
  ASSERT_TRUE(ui_->Click("plot/0/well", 1));
  ui_->Frame(0);
  OpenSubmenu("plot/menu/range");
  const WidgetRecord* box = FindWidget("plot/range/x/from");
  ASSERT_NE(box, nullptr);
  const ImVec2 at{box->min.x + 20, (box->min.y + box->max.y) / 2};
  // a double click chooses the number that is there
  ui_->Click(at);
  ui_->Click(at);
  ui_->Type("0.25");
  ui_->Frame(0);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, true);
  ui_->Frame(0);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, false);
#else
  ImGui::GetIO().KeyMap[ImGuiKey_Enter] = 100;
  ImGui::GetIO().KeysDown[100] = true;
  ui_->Frame(0);
  ImGui::GetIO().KeysDown[100] = false;
#endif
  ui_->Frame(0);
  EXPECT_NEAR(state().plots.linked_x.range.min, 0.25, 1e-12);
  EXPECT_EQ(state().plots.linked_x.follow, FollowMode::kFree);
}

class PlotFiles : public PlotWindow {
 protected:
  void SetUp() override {
    PlotWindow::SetUp();
    if (IsSkipped()) return;
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_.path());
  }
  void TearDown() override {
    if (!before_.empty()) std::filesystem::current_path(before_);
  }
  void Want(PlotExport wanted, int scale = 1, bool white = false) {
    state().plots.wanted = {wanted, 0, scale, white};
    ui_->Frame(0);
  }
  std::string File(const std::string& end) {
    return folder_.path("slipscope-conveyor-normal_force-" + end);
  }
  TempFolder folder_;
  std::filesystem::path before_;
};

TEST_F(PlotFiles, ActionsOfThePaletteWriteThem) {
  for (const Action action : {Action::kPlotCsv, Action::kPlotPng, Action::kPlotSvg}) {
    ui_->ui().requests.Do(action);
    Settle(ui_.get());
    ui_->Frame(0);
  }
  for (const char* end : {"001.csv", "001.png", "001.svg"})
    EXPECT_TRUE(std::filesystem::exists(File(end))) << end;
}

TEST_F(PlotFiles, AreWrittenBesideEachOtherAndSayWhere) {
  state().plots.linked_x.follow = FollowMode::kFree;
  state().plots.linked_x.range = {0.2, 0.4};
  Want(PlotExport::kCsvVisible);
  const std::string visible = ReadText(File("001.csv"));
  ASSERT_FALSE(visible.empty());
  ASSERT_FALSE(session().messages().empty());
  const Message& message = session().messages().back();
  EXPECT_TRUE(message.where.ends_with("normal_force-001.csv")) << message.where;
  ASSERT_EQ(message.actions.size(), 1u);
  EXPECT_EQ(message.actions[0].label, "Copy path");
  Want(PlotExport::kCsvAll);
  EXPECT_EQ(session().messages().size(), 1u);
  EXPECT_EQ(ReadText(File("001.csv")), visible);
  const auto rows = ReadCsv(File("001.csv")), all = ReadCsv(File("002.csv"));
  ASSERT_EQ(rows.size(), 21u);
  EXPECT_EQ(rows.front().at("time [s]"), "0.2");
  EXPECT_GT(all.size(), 90u);
  EXPECT_EQ(all.front().count("Lagged [N]"), 1u);
}

TEST_F(PlotFiles, PicturesHaveTheirSizeAndLeaveTheWindowAlone) {
  const float scale = UiScale();
  const ImGuiContext* context = ImGui::GetCurrentContext();
  const ImVec2 size{std::max(600.0f, state().plots.slots[0].size.x),
                    std::max(280.0f, state().plots.slots[0].size.y)};
  for (const int factor : {1, 2, 4}) {
    const auto image = DrawPlotPicture(ui_->ui().session, ui_->ui().state.plots,
                                       {0, Theme::kLight, true, static_cast<float>(factor)},
                                       ui_->ui().state.view.compare, &ui_->ui().sources);
    ASSERT_TRUE(image.ok());
    EXPECT_EQ(image->width, static_cast<int>(std::round(size.x * static_cast<float>(factor))));
    EXPECT_EQ(image->height, static_cast<int>(std::round(size.y * static_cast<float>(factor))));
    // white corners, and ink in between
    EXPECT_EQ(image->At(0, 0)[0], 255);
    int dark = 0;
    for (int i = 0; i < image->width; ++i) dark += image->At(i, image->height / 2)[0] < 128;
    EXPECT_GT(dark, 0);
  }
  EXPECT_EQ(UiScale(), scale);
  EXPECT_EQ(ImGui::GetCurrentContext(), context);
  EXPECT_EQ(CurrentTheme(), Theme::kDark);
  EXPECT_NE(FindWidget("plot/0/well"), nullptr);
  ui_->Frame(0);
  Want(PlotExport::kPng, 2);
  EXPECT_GT(std::filesystem::file_size(File("001.png")), 2000u);
  Want(PlotExport::kSvg);
  const std::string svg = ReadText(File("001.svg"));
  EXPECT_NE(svg.find("Normal force [N]</text>"), std::string::npos);
  EXPECT_NE(svg.find(">Similar</text>"), std::string::npos);
}

TEST_F(PlotFiles, TheMenuAsksForThem) {
  ASSERT_TRUE(ui_->Click("plot/0/well", 1));
  ui_->Frame(0);
  ASSERT_TRUE(ui_->Click("plot/menu/SVG for print"));
  ui_->Frame(0);
  EXPECT_FALSE(ReadText(File("001.svg")).empty());
}

TEST_F(PlotFiles, TheCommandLineDrawsTheSamePlots) {
  session().params().Set(-1, "time_step", 5e-3);
  session().playback().SetPlaying(true);
  for (int i = 0; i < 12; ++i) ui_->Frame(1.0 / 60);
  session().playback().SetPlaying(false);
  ui_->Frame(0);
  state().plots.slots[0].signal = Signal::kSlipSpeed;
  CopyFigureCommand(session(), state().plots, state().shell.shown_theme(), &ui_->ui().requests);
  ui_->Frame(0);  // asks
  ui_->Frame(0);  // the engine has told what was done
  const std::string command = ImGui::GetClipboardText();
  EXPECT_NE(command.find("render conveyor -m sap,lagged,similar"), std::string::npos) << command;
  EXPECT_NE(command.find(":time_step=0.005s"), std::string::npos) << command;
  EXPECT_NE(command.find("--plots slip_speed,"), std::string::npos) << command;
  const ProgramResult bad = RunProgram({"render", "conveyor", "--time", "0.1", "--region", "plots",
                                        "--plots", "nonsense", "-o", folder_.path("x.png")});
  EXPECT_EQ(bad.exit, 2);
  EXPECT_NE(bad.err.find("nonsense"), std::string::npos);
  const ProgramResult good = RunProgram(
      {"render", "conveyor", "--at", "0.05:time_step=5ms", "--time", "0.1", "--region", "plots",
       "--plots", "slip_speed", "--size", "800x240", "-o", folder_.path("y.png")});
  EXPECT_EQ(good.exit, 0) << good.err;
  EXPECT_TRUE(std::filesystem::exists(folder_.path("y.png")));
}

TEST_F(PlotWindow, AsManyPlotsAreDrawnAsAPictureAsksFor) {
  UiSetup setup;
  setup.scene = *FindScene("conveyor");
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    setup.plots.push_back({Signal::kSlipSpeed});
    ui_.reset();  // one context at a time
    auto made = OffscreenUi::Create(setup, 1600, 900);
    ASSERT_TRUE(made.ok());
    ui_ = std::move(made).value();
    EnableWidgetRegistry(true);
    for (int i = 0; i < 3; ++i) ui_->Frame(0.01);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(FindWidget(fmt::format("plots/{}/signal", i)) != nullptr, i < count)
          << i << " of " << count;
    }
  }
}

TEST_F(PlotWindow, TheSolverTabShowsTheSearchLine) {
  ui_->ui().requests.Do(Action::kSolverTab);
  for (int i = 0; i < 4; ++i) ui_->Frame(0);
  const SolveTrace* trace = session().snapshot().trace.get();
  ASSERT_NE(trace, nullptr);
  EXPECT_TRUE(trace->repeated);
  EXPECT_EQ(trace->step, session().frame(session().looks().lead()).step);
  EXPECT_NE(FindWidget("plot/solver/line/well"), nullptr);
  // another step, another trace; a choice stays
  session().playback().Step(-1);
  for (int i = 0; i < 20; ++i) ui_->Frame(0);
  trace = session().snapshot().trace.get();
  ASSERT_NE(trace, nullptr);
  EXPECT_EQ(trace->step, session().frame(session().looks().lead()).step);
  session().looks().SetLead(2);
  for (int i = 0; i < 20; ++i) ui_->Frame(0);
  EXPECT_EQ(session().snapshot().trace->channel, 2);
}

class ReferenceCurve : public PlotWindow {
 protected:
  void Make() {
    ui_->ui().requests.Do(Action::kMakeReference);
    ui_->Frame(0);
    const auto begin = std::chrono::steady_clock::now();
    while (session().reference().Progress().has_value()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      ui_->Skip(0);
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
      ASSERT_LT(spent.count(), 60);
    }
    ui_->Frame(0);
  }
};

TEST_F(ReferenceCurve, StandsInThePlotsAndInTheTable) {
  EXPECT_EQ(MetricsText(ui_->ui().session, &ui_->ui().sources.differences, false).find("x_error"),
            std::string::npos);
  EXPECT_NE(ui_->ui().actions().WhyDisabled(Action::kDropReference), nullptr);
  Make();
  EXPECT_TRUE(session().reference().Exists());
  const SeriesView curve = session().reference().series().View(0, Signal::kPositionX);
  EXPECT_GE(curve.TimeAt(curve.size() - 1), session().snapshot().history_end - 1e-9);
  const PlotContent content = test::ContentOf(&ui_->ui(), 0);
  EXPECT_EQ(content.series.back().label, "Reference");
  // in difference mode it is the error of the lead, turned round
  state().view.compare = Compare::kDifference;
  const PlotContent difference = test::ContentOf(&ui_->ui(), 0);
  EXPECT_EQ(difference.series.back().label, "Reference");
  const SeriesView error_of_lead = difference.series.back().data;
  const double t = 0.5;
  EXPECT_NEAR(error_of_lead.At(t),
              session().reference().series().View(0, Signal::kNormalForce).At(t) -
                  session().series().View(session().looks().lead(), Signal::kNormalForce).At(t),
              1e-5);
  state().view.compare = Compare::kGhosts;
  // Lagged with a step a hundred times larger is off by first order: a little, but not nothing
  const DifferenceSeries& error = ui_->ui().sources.differences.Against(
      session().series(), 1, session().reference().series(), Signal::kPositionX);
  EXPECT_GT(error.Rms(), 1e-6);
  EXPECT_LT(error.Rms(), 2e-2);
  EXPECT_NE(
      MetricsText(ui_->ui().session, &ui_->ui().sources.differences, false).find("x_error_rms_mm"),
      std::string::npos);
  ui_->ui().requests.Do(Action::kDropReference);
  ui_->Frame(0);
  EXPECT_FALSE(session().reference().Exists());
  EXPECT_NE(test::ContentOf(&ui_->ui(), 0).series.back().label, "Reference");
}

TEST_F(ReferenceCurve, FollowsTheChangesOfTheRun) {
  session().params().Set(-1, "material.steel.friction", 0.2);
  session().playback().SetPlaying(true);
  for (int i = 0; i < 30; ++i) ui_->Frame(1.0 / 60);
  session().playback().SetPlaying(false);
  ui_->Frame(0);
  Make();
  const SeriesView curve = session().reference().series().View(0, Signal::kFrictionForce);
  // |f_t| = mu m g while it slides: one value before the change, another after
  double before = 0, after = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double t = curve.TimeAt(i), value = std::fabs(static_cast<double>(curve.ValueAt(i)));
    if (std::isnan(value)) continue;
    if (t < 0.95) before = std::max(before, value);
    if (t > 1.1) after = std::max(after, value);
  }
  EXPECT_NEAR(before, 4.9, 0.1);
  EXPECT_NEAR(after, 1.96, 0.1);
}

TEST_F(ReferenceCurve, EndsWhereTheParametersBecomeOthers) {
  Make();
  session().playback().Seek(0.5);
  ui_->Frame(0);
  session().params().Set(-1, "material.steel.friction", 0.2);
  ui_->Frame(0);
  ui_->Frame(0);
  const SeriesView curve = session().reference().series().View(0, Signal::kPositionX);
  ASSERT_GT(curve.size(), 10u);
  EXPECT_NEAR(curve.TimeAt(curve.size() - 1), 0.5, 0.011);
  // and with the run that it belongs to
  session().playback().Reset();
  ui_->Frame(0);
  ui_->Frame(0);
  EXPECT_FALSE(session().reference().Exists());
}

}  // namespace
}  // namespace slip::app
