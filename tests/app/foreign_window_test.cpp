// Recorded runs in the window: opened beside the models, measured, drawn, started from, removed; a
// wrong file changes nothing.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/panels/curves/plot_content.h"
#include "app/panels/inspect/setting_rows.h"
#include "app/panels/inspect/tables.h"
#include "engine/npz/npz_writer.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"

namespace slip::app {
namespace {

constexpr double kRecorded = 0.5;  // [s]

/// A run of ours as a recording of somebody else.
std::string Record(const TempFolder& folder, const std::string& name, const std::string& model,
                   const std::string& scene = "conveyor") {
  const std::string path = folder.path(name);
  const ProgramResult made =
      RunProgram({"run", scene, "-m", model, "-t", std::to_string(kRecorded), "-o", path});
  EXPECT_EQ(made.exit, 0) << made.err;
  return path;
}

double CellOf(const std::string& row, int column) {
  const WidgetRecord* cell = FindWidget("compare/" + row + "/" + std::to_string(column));
  if (cell == nullptr || cell->text == "–") return kNaN;
  return std::stod(cell->text);
}

const Message* Said(const OffscreenUi& ui, const std::string& words) {
  const auto& all = const_cast<OffscreenUi&>(ui).session().messages();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Message& m) {
    return m.what.find(words) != std::string::npos;
  });
  return found == all.end() ? nullptr : &*found;
}

TEST(ForeignWindow, ADroppedRunStandsBesideTheModels) {
  const TempFolder folder;
  const std::string path = Record(folder, "other.npz", "lagged");
  UI_OR_SKIP(ui, OpenPlan("conveyor", "sap,similar"));
  PassAndDraw(ui.get(), 0.3);
  EXPECT_EQ(FindWidget("left/tabs/Differs"), nullptr) << "nothing to tell yet";
  ASSERT_TRUE(ui->session().Load(path));
  ui->ui().state.shell.inspect_tab = TabId::kCompare;
  PassAndDraw(ui.get(), 0.1);
  const ForeignRuns& foreign = ui->session().files().foreign();
  ASSERT_EQ(foreign.count(), 1);
  EXPECT_EQ(foreign.run(0).name(), "other");
  EXPECT_TRUE(foreign.Has(0));
  EXPECT_EQ(foreign.Progress(0), 1);
  ASSERT_NE(foreign.ghosts(), nullptr);
  EXPECT_EQ(foreign.ghosts()->runs.at(0).size(), ui->session().model()->bodies.size());
  // its chip and its tab, which has come by itself
  EXPECT_NE(FindWidget("chip/foreign/1"), nullptr);
  ASSERT_NE(FindWidget("foreign/1"), nullptr);
  EXPECT_EQ(FindWidget("foreign/1/line/3")->text, "bodies matched: 1 of 1");
  // in the table it is the last column: the other lifts off, so the two come apart
  EXPECT_GT(CellOf("apart_s", 2), 0);
  EXPECT_LT(CellOf("apart_s", 2), 0.3);
  EXPECT_GT(CellOf("position_rms_mm", 2), 1e-3);
  EXPECT_TRUE(std::isnan(CellOf("apart_s", 0))) << "the lead is not apart from itself";
  EXPECT_TRUE(std::isfinite(CellOf("position_rms_mm", 1))) << "channels are compared as well";
  EXPECT_TRUE(std::isnan(CellOf("iterations_mean", 2))) << "a recording tells of no solver";
  EXPECT_LT(foreign.forces(0).defect_max, 1e-6) << "our own reports obey Newton";
  const DataTable table = MetricsTable(ui->session(), &ui->ui().sources.differences);
  EXPECT_EQ(table.columns.back(), "other");
  // and a curve in the plots, whose future is there already
  EXPECT_GT(foreign.series(0).View(0, Signal::kNormalForce).size(), 40U);
  const PlotContent content =
      MakePlotContent(ui->session(), ui->ui().state.plots, 0, Compare::kGhosts, &ui->ui().sources);
  const auto line = std::find_if(content.series.begin(), content.series.end(),
                                 [](const PlotSeries& series) { return series.label == "other"; });
  ASSERT_NE(line, content.series.end());
  EXPECT_TRUE(line->style.hollow);
  EXPECT_NEAR(line->data.TimeAt(line->data.size() - 1), kRecorded, 1e-2);
}

TEST(ForeignWindow, TheSameRunIsNeverApart) {
  const TempFolder folder;
  const std::string path = Record(folder, "own", "sap");
  UI_OR_SKIP(ui, OpenPlan("conveyor", "sap"));
  ASSERT_TRUE(ui->session().Load(path));
  ui->ui().state.shell.inspect_tab = TabId::kCompare;
  PassAndDraw(ui.get(), 0.4);
  EXPECT_TRUE(std::isnan(ui->session().files().foreign().Difference(0, 0).apart));
  EXPECT_LT(ui->session().files().foreign().Difference(0, 0).position_rms, 1e-4);
  EXPECT_GT(ui->session().files().foreign().Difference(0, 0).samples, 20);
  const SeriesView own = ui->session().series().View(0, Signal::kNormalForce);
  const SeriesView given = ui->session().files().foreign().series(0).View(0, Signal::kNormalForce);
  EXPECT_NEAR(own.At(0.3), given.At(0.3), 1e-6 * own.At(0.3));
  // time moves by what is asked for
  ui->session().files().foreign().Align(0, ForeignAlign::kStart);
  EXPECT_NEAR(ui->session().files().foreign().run(0).time(0), 0, 1e-9);
}

TEST(ForeignWindow, ItIsHiddenStartedFromAndRemoved) {
  const TempFolder folder;
  const std::string path = Record(folder, "other.npz", "lagged");
  UI_OR_SKIP(ui, OpenPlan("conveyor", "sap,similar"));
  ASSERT_TRUE(ui->session().Load(path));
  PassAndDraw(ui.get(), 0.2);
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  ForeignRuns& foreign = ui->session().files().foreign();
  foreign.ToggleVisible(0);
  Settle(ui.get());
  EXPECT_TRUE(foreign.ghosts()->runs.at(0).empty());
  foreign.ToggleVisible(0);
  Settle(ui.get());
  const BodyFrame there = foreign.ghosts()->runs.at(0).front();
  EXPECT_GT((ui->session().frame(0).bodies.front().X_WB.p - there.X_WB.p).norm(), 1e-6);
  ASSERT_TRUE(ui->Click("foreign/1/start"));
  Settle(ui.get());
  Settle(ui.get());
  for (int c = 0; c < 2; ++c) {
    const BodyFrame& body = ui->session().frame(c).bodies.front();
    EXPECT_LT((body.X_WB.p - there.X_WB.p).norm(), 1e-12) << c;
    EXPECT_LT((body.V_WB - there.V_WB).norm(), 1e-12) << c;
  }
  ui->session().playback().SetPlaying(true);
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(ui->session().StoppedCount(), 0);
  ASSERT_TRUE(ui->Click("foreign/1/remove"));
  Settle(ui.get());
  Settle(ui.get());
  EXPECT_EQ(foreign.count(), 0);
  EXPECT_EQ(foreign.ghosts(), nullptr);
  EXPECT_EQ(FindWidget("chip/foreign/1"), nullptr);
}

TEST(ForeignWindow, AWrongFileIsASentenceAndTheLastGoodStateStays) {
  const TempFolder folder;
  const std::string path = Record(folder, "other.npz", "lagged");
  WriteText(folder.path("wrong.csv"), "time_s,body,px_m\n0,box,1\n");
  WriteText(folder.path("stranger.csv"),
            "time_s,body,px_m,py_m,pz_m,qw,qx,qy,qz\n0,barrel,0,0,0,1,0,0,0\n");
  WriteText(folder.path("cut.npz"), ReadText(path).substr(0, 300));
  UI_OR_SKIP(ui, OpenPlan("conveyor", "sap"));
  ASSERT_TRUE(ui->session().Load(path));
  PassAndDraw(ui.get(), 0.1);
  const auto refused = [&](const std::string& name, const std::string& words) {
    EXPECT_FALSE(ui->session().Load(folder.path(name))) << name;
    PassAndDraw(ui.get(), 0.05);
    EXPECT_NE(Said(*ui, words), nullptr) << name;
    EXPECT_EQ(ui->session().files().foreign().count(), 1) << name;
    EXPECT_TRUE(ui->session().files().foreign().Has(0)) << name;
    EXPECT_EQ(ui->session().scene()->id, "conveyor") << name;
  };
  refused("wrong.csv", "has no column 'py_m'");
  refused("stranger.csv", "no body of the scene is in it; it has barrel");
  refused("cut.npz", "npz");
  refused("none.npz", "");
}

TEST(ForeignWindow, WhatAFileDoesNotSayIsAsked) {
  const TempFolder folder;
  const std::string path = folder.path("x.npz");
  {
    auto writer = NpzWriter::Open(path);
    ASSERT_TRUE(writer);
    const int time = (*writer)->Add("time", NpyType::kF8),
              position = (*writer)->Add("position", NpyType::kF8, {1, 3}),
              turn = (*writer)->Add("quaternion", NpyType::kF8, {1, 4});
    for (int k = 0; k < 50; ++k) {
      (*writer)->Put(time, 0.01 * k);
      (*writer)->Put(position, std::array{0.0, 0.0, 0.05});
      (*writer)->Put(turn, std::array{0.0, 0.0, 0.0, 1.0});
    }
    const std::string names[] = {"box"};
    (*writer)->AddTexts("bodies", names, false);
    const auto file = OutputFile::Open(path, false);
    ASSERT_TRUE(file);
    (*writer)->Finish(file->get());
    ASSERT_TRUE((*file)->Commit());
  }
  UI_OR_SKIP(ui, OpenPlan("conveyor", "sap"));
  PassAndDraw(ui.get(), 0.1);
  EXPECT_FALSE(ui->session().Load(path));
  const Message* asked = Said(*ui, "does not say how its quaternions are written");
  ASSERT_NE(asked, nullptr);
  ASSERT_EQ(asked->actions.size(), 2U);
  EXPECT_EQ(asked->actions[1].label, "It is xyzw");
  const auto answer = asked->actions[1].run;
  answer(&ui->session());
  PassAndDraw(ui.get(), 0.05);
  EXPECT_EQ(ui->session().files().foreign().count(), 1);
}

TEST(ForeignWindow, SettingsStandSideBySideInOurTerms) {
  const TempFolder folder;
  const std::string path = Record(folder, "theirs.npz", "lagged");
  UI_OR_SKIP(ui, OpenPlan("conveyor", "sap,lagged"));
  PassAndDraw(ui.get(), 0.1);
  ASSERT_TRUE(ui->session().files().foreign().Open(
      {.files = {path}, .meta = {"engine=MuJoCo 3.1", "settings.solref=0.01 1"}}));
  PassAndDraw(ui.get(), 0.1);
  StartMasses masses;
  const SettingTable table = CompareSettings(ui->session(), &masses);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[2].name, "theirs");
  const auto row = [&](const std::string& id) {
    const auto found = std::find_if(table.rows.begin(), table.rows.end(),
                                    [&](const SettingRow& r) { return r.id == id; });
    return found == table.rows.end() ? SettingRow{} : *found;
  };
  ASSERT_EQ(row("stiffness").cells.size(), 3U);
  EXPECT_NE(row("stiffness").cells[2], kNoSetting) << "its solref is a spring";
  EXPECT_FALSE(row("stiffness").agrees);
  EXPECT_TRUE(row("time_step").agrees);
  EXPECT_NE(table.words.find("In our terms, for "), std::string::npos) << table.words;
  EXPECT_NE(FindWidget("differs/row/stiffness"), nullptr);
}

TEST(ForeignWindow, TwoFilesAndTheSameAgain) {
  const TempFolder folder;
  const std::string a = Record(folder, "a.npz", "lagged"), b = Record(folder, "b", "similar");
  UI_OR_SKIP(ui, OpenPlan("conveyor", "sap"));
  ASSERT_TRUE(ui->session().files().Load(std::vector{a, b}));
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(ui->session().files().foreign().count(), 2);
  ASSERT_TRUE(ui->session().Load(a)) << "a path that is open is read again";
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(ui->session().files().foreign().count(), 2);
  EXPECT_EQ(ui->session().files().foreign().run(1).name(), "a");
  ASSERT_TRUE(ui->session().Load("sliding-box")) << "another scene";
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(ui->session().files().foreign().count(), 0);
}

}  // namespace
}  // namespace slip::app
