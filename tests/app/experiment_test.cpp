// Experiments from outside: saved by a run or the window, run again, opened, autosaved.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/frame/input.h"
#include "app/session/autosave.h"
#include "app/session/session.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

/// Changes one digit behind the last `key`: the resolved scene says much the same before.
std::string Tampered(std::string text, const std::string& key) {
  std::size_t at = text.rfind(key) + key.size();
  while (text[at] < '0' || text[at] > '9') ++at;
  text[at] = text[at] == '9' ? '1' : static_cast<char>(text[at] + 1);
  return text;
}

TEST(Experiment, ASavedRunIsRunAgainBitByBit) {
  const TempFolder folder;
  const std::string file = folder.path("a.json");
  const ProgramResult run =
      RunProgram({"compare", "conveyor", "-m", "sap,similar", "-t", "0.5", "-p", "friction@2=0.3",
                  "--at", "0.2:friction=0.6", "-o", folder.path("a"), "--save", file});
  ASSERT_EQ(run.exit, 0) << run.err;
  const ProgramResult verified = RunProgram({"replay", file, "--verify"});
  EXPECT_EQ(verified.exit, 0) << verified.err;
  EXPECT_NE(verified.out.find("the same bits"), std::string::npos) << verified.out;
  const ProgramResult check = RunProgram({"check", file});
  EXPECT_EQ(check.exit, 0) << check.err;
  EXPECT_NE(check.out.find("2 channels, 100 steps"), std::string::npos) << check.out;
  // the file makes the same data as the command that made it
  const ProgramResult again = RunProgram({"run", file, "-o", folder.path("b")});
  ASSERT_EQ(again.exit, 0) << again.err;
  for (const char* csv : {"bodies.csv", "contacts.csv", "events.csv"}) {
    EXPECT_EQ(ReadText(folder.path(std::string("a/") + csv)),
              ReadText(folder.path(std::string("b/") + csv)))
        << csv;
  }
  EXPECT_EQ(RunProgram({"run", file, "-m", "sap"}).exit, 2);
  EXPECT_EQ(RunProgram({"run", file, "-t", "0.1", "-p", "gravity=5"}).exit, 0);
}

TEST(Experiment, PointsSampledFromAMeshAreTheSameAgain) {
  const TempFolder folder;
  const std::string scene = folder.path("s.toml"), file = folder.path("a.json");
  WriteText(scene,
            "title = \"T\"\n[material.steel]\n[surface.floor]\n[body.a]\nshape = \"cloud\"\n"
            "mesh = \"bunny.obj\"\nsamples = 300\nradius = 0\ninertia = \"hull\"\n"
            "density = 1000\nposition = [0, 0, 0.2]\n[[channel]]\nmodel = \"quasi-dynamic\"\n"
            "[[channel]]\nmodel = \"lagged\"\n");
  const ProgramResult run = RunProgram({"run", scene, "-t", "0.3", "--save", file});
  ASSERT_EQ(run.exit, 0) << run.err;
  const ProgramResult verified = RunProgram({"replay", file, "--verify"});
  EXPECT_EQ(verified.exit, 0) << verified.err;
  // another number of points is another body
  std::string text = ReadText(file);
  const std::size_t at = text.find("samples = 300");
  ASSERT_NE(at, std::string::npos);
  WriteText(file, text.replace(at, 13, "samples = 301"));
  const ProgramResult other = RunProgram({"replay", file, "--verify"});
  EXPECT_EQ(other.exit, 4) << other.err;
  EXPECT_NE(other.err.find("makes other bodies than when it was recorded"), std::string::npos)
      << other.err;
}

TEST(Experiment, ATamperedFileIsNamed) {
  const TempFolder folder;
  const std::string file = folder.path("a.json"), bad = folder.path("b.json");
  ASSERT_EQ(RunProgram({"run", "falling-sphere", "-m", "sap", "-t", "0.2", "--at",
                        "0.1:friction=0.6", "--save", file})
                .exit,
            0);
  const std::string text = ReadText(file);
  // a knob: the file was changed, and from where on it differs
  WriteText(bad, Tampered(text, "\"gravity\": {\n"));
  ProgramResult result = RunProgram({"replay", bad, "--verify"});
  EXPECT_EQ(result.exit, 4) << result.err;
  EXPECT_NE(result.err.find("changed after it was saved"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("step 1 "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("body 'sphere'"), std::string::npos) << result.err;
  EXPECT_EQ(RunProgram({"replay", bad}).exit, 0) << "a look without a verdict";
  EXPECT_EQ(RunProgram({"check", bad}).exit, 5);
  // one that changes no number of the run
  WriteText(bad, Tampered(text, "\"build\": "));
  result = RunProgram({"replay", bad, "--verify"});
  EXPECT_EQ(result.exit, 4) << result.err;
  WriteText(bad, text.substr(0, text.size() / 2));
  for (const char* command : {"replay", "check", "run"})
    EXPECT_EQ(RunProgram({command, bad}).exit, 5) << command;
}

TEST(Experiment, AFileThatCannotBeWrittenIsNoSuccess) {
  const ProgramResult result =
      RunProgram({"run", "falling-sphere", "-t", "0.1", "--save", "/dev/full"});
  EXPECT_NE(result.exit, 0);
  EXPECT_FALSE(result.err.empty());
}

std::string Saved(OffscreenUi* ui, const std::string& path) {
  ui->session().experiments().Save(path);
  ui->Frame(0);
  return ReadText(path);
}

/// Until the experiment that is being opened is there.
void WaitForReplay(OffscreenUi* ui) {
  for (int i = 0; i < 2000 && ui->session().files().ReplayProgress(); ++i) {
    ui->Frame(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  for (int i = 0; i < 3; ++i) ui->Frame(0);
}

TEST(Experiment, TheWindowSavesAndOpensWhatWasDone) {
  const TempFolder folder;
  const std::string file = folder.path("a.json");
  OPEN_OR_SKIP(ui, "conveyor");
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  Pass(ui.get(), 0.3);
  session.params().Set(-1, "friction", 0.2);
  Pass(ui.get(), 0.3);
  const uint64_t note = session.notebook().AddNote();
  session.notebook().NameNote(note, "here it \"slips\"");
  session.playback().Seek(0.2);
  ui->Frame(0);
  session.params().Set(1, "friction", 0.7);
  session.playback().SetPlaying(true);
  Pass(ui.get(), 0.2);
  session.playback().SetPlaying(false);
  ui->Frame(0);
  ASSERT_EQ(session.snapshot().branches, 2);
  const double end = session.snapshot().history_end;
  ASSERT_FALSE(Saved(ui.get(), file).empty());
  EXPECT_EQ(RunProgram({"replay", file, "--verify"}).exit, 0);

  OPEN_OR_SKIP(other, "falling-sphere");
  other->Frame(0);
  ASSERT_TRUE(other->session().Load(file));
  // what is about to go takes no work, and says so
  other->session().params().Set(-1, "friction", 0.9);
  ASSERT_NE(other->session().Card(), nullptr);
  EXPECT_NE(other->session().Card()->what.find("not there yet"), std::string::npos)
      << other->session().Card()->what;
  WaitForReplay(other.get());
  const Session& opened = other->session();
  ASSERT_NE(opened.scene(), nullptr);
  EXPECT_EQ(opened.scene()->id, "conveyor");
  EXPECT_EQ(opened.snapshot().branches, 2);
  EXPECT_EQ(opened.snapshot().branch, 1);
  EXPECT_EQ(opened.snapshot().history_end, end);
  EXPECT_EQ(opened.params().Value(1, "friction"), 0.7);
  EXPECT_EQ(opened.status().find("Opened"), 0u) << opened.status();
  EXPECT_GT(opened.series().channels(), 1);
  // the old future, with its change and its note
  other->session().branches().ReturnBy(-1);
  for (int i = 0; i < 3; ++i) other->Frame(0);
  EXPECT_EQ(opened.params().Value(0, "friction"), 0.2);
  const auto has = [&](TimeMark::Kind kind) {
    return std::any_of(opened.notebook().marks().begin(), opened.notebook().marks().end(),
                       [kind](const TimeMark& mark) { return mark.kind == kind; });
  };
  EXPECT_TRUE(has(TimeMark::Kind::kParameter));
  EXPECT_TRUE(has(TimeMark::Kind::kNote));
}

TEST(Experiment, KeepsWhichRunIsDrawnAlongAndItsGhost) {
  const TempFolder folder;
  const std::string file = folder.path("a.json");
  OPEN_OR_SKIP(ui, "conveyor");
  Session& session = ui->session();
  for (int i = 0; i < 3; ++i) {
    session.playback().SetPlaying(true);
    Pass(ui.get(), 0.3);
    session.playback().Seek(0.1 + 0.02 * i);
    ui->Frame(0);
    session.params().Set(-1, "friction", 0.2 + 0.1 * i);
    ui->Frame(0);
  }
  ASSERT_EQ(session.snapshot().branches, 4);
  session.branches().along().Set(2, false);
  session.branches().along().Set(1, true);
  session.branches().along().ChooseGhost(0);
  ui->ui().state.view.run_ghost = true;
  Settle(ui.get());
  ASSERT_EQ(session.snapshot().ghost.branch, 0);
  ASSERT_FALSE(Saved(ui.get(), file).empty());

  OPEN_OR_SKIP(other, "falling-sphere");
  ASSERT_TRUE(other->session().Load(file));
  WaitForReplay(other.get());
  EXPECT_EQ(other->session().branches().along().Numbers(), (std::vector<int>{1, 0}));
  EXPECT_EQ(other->session().branches().along().Ghost(), 0);
  EXPECT_TRUE(other->ui().state.view.run_ghost);
  Settle(other.get());
  EXPECT_EQ(other->session().snapshot().ghost.branch, 0);
}

TEST(Experiment, AWrongFileLeavesTheSceneInPlace) {
  const TempFolder folder;
  const std::string file = folder.path("a.json");
  WriteText(file, "{ \"schema\": \"slipscope.experiment/1\", \"scenes\": 3 }");
  OPEN_OR_SKIP(ui, "falling-sphere");
  EXPECT_FALSE(ui->session().Load(file));
  ui->Frame(0);
  EXPECT_EQ(ui->session().scene()->id, "falling-sphere");
  ASSERT_NE(ui->session().Card(), nullptr);
  EXPECT_NE(ui->session().Card()->what.find("scenes"), std::string::npos);
}

TEST(Experiment, ACopiedCommandRepeatsThePullFromAFile) {
  const TempFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path(""));
  OPEN_OR_SKIP(ui, "conveyor");
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  Pass(ui.get(), 0.1);
  session.Send(SetGrab{{.body = 0, .p_WA = Vec3(0, 0, 1), .stiffness = 10, .force_limit = 5}});
  Pass(ui.get(), 0.1);
  std::string line;
  session.experiments().CopyCommandLine(Experiments::CommandKind::kRun,
                                        [&](std::string text) { line = text; });
  ui->Frame(0);
  fs::current_path(before);
  ASSERT_EQ(line.find("slipscope replay '"), 0u) << line;
  ASSERT_NE(session.Card(), nullptr);
  EXPECT_NE(session.Card()->what.find(".json"), std::string::npos) << "a file was written";
  const std::string file = line.substr(18, line.size() - 19);
  EXPECT_EQ(RunProgram({"replay", file, "--verify"}).exit, 0) << file;
  ASSERT_EQ(RunProgram({"run", file, "-o", folder.path("out")}).exit, 0);
  const std::string events = ReadText(folder.path("out/events.csv"));
  EXPECT_NE(events.find("anchor (0 0 1) m; 10 N/m; at most 5 N"), std::string::npos) << events;
}

// reading meshes once more could take minutes, and what they are now is not what runs
TEST(Experiment, ACopiedCommandReadsNoFile) {
  const TempFolder folder;
  WriteText(folder.path("m.obj"),
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  const std::string file = folder.path("a.toml");
  WriteText(file,
            "title = \"A\"\ntime_step = 2e-3\n[material.m]\nfriction = 0.4\n[surface.ground]\n"
            "[body.a]\nshape = \"mesh\"\nfile = \"m.obj\"\nmass = 1\nposition = [0, 0, 1]\n");
  // as the command line opens it: its channels are the window's own
  UI_OR_SKIP(ui, OpenPlan(file, "sap,lagged", {"gravity=9"}));
  Session& session = ui->session();
  Pass(ui.get(), 0.1);
  fs::remove(file);
  fs::remove(folder.path("m.obj"));
  std::string line;
  const auto copy = [&] {
    line.clear();
    session.experiments().CopyCommandLine(Experiments::CommandKind::kRun,
                                          [&](std::string text) { line = text; });
    ui->Frame(0);
  };
  copy();
  EXPECT_EQ(line.rfind("slipscope compare " + file + " -m sap,lagged -p 'gravity=9", 0), 0u)
      << line;
  EXPECT_EQ(line.find("friction"), line.npos) << line;
  session.params().Set(-1, "friction", 0.25);
  Pass(ui.get(), 0.1);
  session.Send(Reset{});
  Pass(ui.get(), 0.1);
  copy();
  EXPECT_NE(line.find("friction=0.25"), line.npos) << line;
}

TEST(Experiment, ACopiedCommandNamesTheValuesThatTheWindowOpensWith) {
  OPEN_OR_SKIP(ui, "bouncing-mass");
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  Pass(ui.get(), 0.1);
  std::string line;
  const auto copy = [&] {
    session.experiments().CopyCommandLine(Experiments::CommandKind::kRun,
                                          [&](std::string text) { line = text; });
    ui->Frame(0);
  };
  copy();
  EXPECT_NE(line.find("-p 'time_step=0.003s'"), line.npos) << line;
  session.params().Set(-1, "time_step", 1e-3);
  Pass(ui.get(), 0.1);
  session.Send(Reset{});
  Pass(ui.get(), 0.1);
  copy();
  EXPECT_NE(line.find("-p 'time_step=0.001s'"), line.npos)
      << "the window would open with another: " << line;
}

TEST(Experiment, WhatACrashLeavesIsOffered) {
  const TempFolder folder;
  const std::string state = folder.path("state");
  fs::create_directories(state);
  OPEN_OR_SKIP(ui, "falling-sphere");
  // of a program that does not run: no process has this number
  const std::string file = state + "/autosave-2147483000.json";
  ASSERT_FALSE(Saved(ui.get(), file).empty());
  EXPECT_EQ(LeftOverSaves(state), std::vector<std::string>{file});
  ui->session().experiments().StartAutosave(state);
  Pass(ui.get(), 60);
  ASSERT_NE(ui->session().Card(), nullptr) << "it stays until it is answered";
  ASSERT_EQ(ui->session().Card()->actions.size(), 2u);
  ui->session().Card()->actions[0].run(&ui->session());
  EXPECT_TRUE(ui->session().files().ReplayProgress().has_value());
  WaitForReplay(ui.get());
  EXPECT_FALSE(ui->session().files().ReplayProgress().has_value());
  // ours is written while it goes on, and is not taken for a left one
  ui->session().playback().SetPlaying(true);
  bool written = false;
  for (int i = 0; i < 400 && !written; ++i) {
    Pass(ui.get(), 0.1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (const auto& entry : fs::directory_iterator(state)) {
      written = written || (entry.path().string() != file && entry.path().extension() == ".json");
    }
  }
  EXPECT_TRUE(written);
  // what was opened is in it
  for (int i = 0; i < 400 && fs::exists(file); ++i) {
    Pass(ui.get(), 0.1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(LeftOverSaves(state).empty());
}

// nothing but a note has changed, and time stands
TEST(Experiment, ANoteOfAPausedRunIsSavedAtOnce) {
  const TempFolder folder;
  OPEN_OR_SKIP(ui, "falling-sphere");
  ui->session().playback().SetPlaying(false);
  ui->session().experiments().StartAutosave(folder.path("state"));
  Pass(ui.get(), 3);
  const uint64_t note = ui->session().notebook().AddNote();
  ui->session().notebook().NameNote(note, "keep me");
  bool written = false;
  for (int i = 0; i < 400 && !written; ++i) {
    Pass(ui.get(), 0.1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (const auto& entry : fs::directory_iterator(folder.path("state")))
      written = written || (entry.path().extension() == ".json" &&
                            ReadText(entry.path().string()).find("keep me") != std::string::npos);
  }
  EXPECT_TRUE(written);
}

// a file is where the folder should be, as root and everybody else find it; then it is gone
TEST(Experiment, ASessionThatCannotBeSavedSaysSoUntilItCan) {
  const TempFolder folder;
  const std::string state = folder.path("state");
  WriteText(state, "in the way");
  OPEN_OR_SKIP(ui, "falling-sphere");
  ui->session().experiments().StartAutosave(state);
  ui->session().playback().SetPlaying(true);
  const auto card = [&]() -> const Message* {
    for (const Message& message : ui->session().messages()) {
      if (message.subject == "autosave") return &message;
    }
    return nullptr;
  };
  ui->Frame(0);
  ASSERT_NE(card(), nullptr) << "at once";
  EXPECT_NE(card()->where.find("state: is a file, not a folder"), std::string::npos)
      << card()->where;
  // it stays, and is said once
  for (int i = 0; i < 40; ++i) {
    Pass(ui.get(), 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ASSERT_NE(card(), nullptr);
  EXPECT_TRUE(card()->stays);
  EXPECT_EQ(card()->repeats, 1);
  EXPECT_EQ(ReadText(state), "in the way");
  // it is tried again although nothing is done any more
  ui->session().playback().SetPlaying(false);
  ui->Frame(0);
  fs::remove(state);
  for (int i = 0; i < 400 && card() != nullptr; ++i) {
    Pass(ui.get(), 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(card(), nullptr);
  EXPECT_EQ(ui->session().experiments().autosave_problem(), "");
  std::size_t saves = 0;
  for (const auto& entry : fs::directory_iterator(state))
    saves += entry.path().extension() == ".json" ? 1 : 0;
  EXPECT_EQ(saves, 1u);
  EXPECT_TRUE(LeftOverSaves(state).empty()) << "it is in use";
}

// a disk that is full lets names be made, and nothing be written
TEST(Autosave, AFullDiskIsToldAndTriedAgain) {
  const TempFolder folder;
  auto scene = FindScene("falling-sphere").value();
  std::vector<Track> tracks;
  tracks.emplace_back(scene->model, scene->channels[0].config);
  const auto recording = std::make_shared<const Recording>(RecordTracks(scene, tracks));
  Autosave autosave(folder.path("state"), {"slipscope", "1", "test"});
  EXPECT_EQ(autosave.problem(), "");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{100, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  autosave.Give(recording);
  autosave.Finish();
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(autosave.problem().find("cannot be written: File too large"), std::string::npos)
      << autosave.problem();
  EXPECT_FALSE(fs::exists(autosave.path()));
  autosave.Give(recording);
  autosave.Finish();
  EXPECT_EQ(autosave.problem(), "");
  EXPECT_TRUE(fs::exists(autosave.path()));
}

}  // namespace
}  // namespace slip::app
