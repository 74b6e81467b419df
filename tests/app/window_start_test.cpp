// How the window opens and closes: its size, presenter mode, signals.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "app/host/settings.h"
#include "app/host/window.h"
#include "app/session/autosave.h"
#include "tests/support/program.h"
#include "tests/support/screen.h"
#include "tests/support/slow_search.h"
#include "tests/support/video.h"

namespace slip::app {
namespace {

void ExpectSize(const WindowSize& size, int width, int height) {
  EXPECT_EQ(size.width, width);
  EXPECT_EQ(size.height, height);
}

TEST(WindowStart, TheFirstSizeIsInPoints) {
  ExpectSize(FirstSize({}, 1, {1920, 1080}), 1600, 900);
  ExpectSize(FirstSize({}, 2, {3840, 2160}), 3200, 1800);
  ExpectSize(FirstSize({}, 1.5, {2880, 1620}), 2400, 1350);
  // never larger than the screen
  ExpectSize(FirstSize({}, 2, {1600, 860}), 1440, 774);
  ExpectSize(FirstSize({}, 1, {1366, 728}), 1229, 655);
  // a saved size is pixels, and fits too
  ExpectSize(FirstSize({1000, 700}, 2, {3840, 2160}), 1000, 700);
  ExpectSize(FirstSize({3200, 1800}, 1, {1920, 1080}), 1920, 1080);
  // no monitor is known
  ExpectSize(FirstSize({}, 2, {}), 3200, 1800);
}

TEST(WindowStart, PresenterModeLeavesTheThemeAlone) {
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    UiSetup setup;
    setup.scene = *FindScene("conveyor");
    setup.theme = theme;
    auto made = OffscreenUi::Create(setup, 1000, 700);
    if (!made.ok()) GTEST_SKIP() << "no off-screen OpenGL here";
    auto ui = std::move(made).value();
    ui->Frame(0.02);
    ui->ui().requests.Do(Action::kPresenter);
    ui->Frame(0);
    ui->Frame(0);
    EXPECT_EQ(CurrentTheme(), Theme::kLight);
    EXPECT_EQ(ui->ui().state.shell.theme, theme) << "this is what the settings keep";
    ui->ui().requests.Do(Action::kPresenter);
    ui->Frame(0);
    ui->Frame(0);
    EXPECT_EQ(CurrentTheme(), theme);
  }
}

TEST(WindowStart, ASignalKeepsTheSettings) {
  const Screen screen;
  if (screen.display.empty()) GTEST_SKIP() << "no Xvfb here";
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    const TempFolder home;
    const std::string file = home.path("slipscope/window.txt");
    setenv("DISPLAY", screen.display.c_str(), 1);
    const std::string state_home = home.path("state");
    setenv("XDG_CONFIG_HOME", home.path().c_str(), 1);
    setenv("XDG_STATE_HOME", state_home.c_str(), 1);
    const ProgramResult result = RunProgram({"conveyor", "--theme", "light"}, 4, signal);
    for (const char* name : {"DISPLAY", "XDG_CONFIG_HOME", "XDG_STATE_HOME"}) unsetenv(name);
    if (result.exit == 6) GTEST_SKIP() << "no window here: " << result.err;
    EXPECT_EQ(result.exit, 128 + signal) << result.err;
    ASSERT_TRUE(std::filesystem::exists(file)) << "signal " << signal;
    UiState state;
    WindowSize size;
    LoadSettings(file, &state, &size);
    EXPECT_EQ(state.shell.theme, Theme::kDark) << "the command line asks for this time alone";
    EXPECT_EQ(state.kept.last_scene, "conveyor");
    EXPECT_GT(size.width, 0);
    EXPECT_TRUE(std::filesystem::is_empty(state_home + "/slipscope")) << "nothing was lost";
  }
}

TEST(WindowStart, AKilledWindowLeavesWhatWasDone) {
  const Screen screen;
  if (screen.display.empty()) GTEST_SKIP() << "no Xvfb here";
  const TempFolder home;
  setenv("DISPLAY", screen.display.c_str(), 1);
  setenv("XDG_CONFIG_HOME", home.path().c_str(), 1);
  setenv("XDG_STATE_HOME", home.path().c_str(), 1);
  ProgramResult result;
  std::vector<std::string> left;
  // a busy machine takes its time to open a window
  for (const double seconds : {5.0, 40.0}) {
    result = RunProgram({"conveyor"}, seconds, SIGKILL);
    left = LeftOverSaves(home.path("slipscope"));
    if (!left.empty() || result.exit == 6) break;
  }
  for (const char* name : {"DISPLAY", "XDG_CONFIG_HOME", "XDG_STATE_HOME"}) unsetenv(name);
  if (result.exit == 6) GTEST_SKIP() << "no window here: " << result.err;
  ASSERT_EQ(left.size(), 1u) << result.err;
  const ProgramResult again = RunProgram({"replay", left.front(), "--verify"});
  EXPECT_EQ(again.exit, 0) << again.err;
}

TEST(WindowStart, AWindowKilledWhileItRecordsLosesASecondAtMost) {
  if (std::system("command -v xdotool >/dev/null") != 0) GTEST_SKIP() << "no xdotool here";
  if (!CanProbeVideos()) GTEST_SKIP() << "ffmpeg is not installed";
  const Screen screen;
  if (screen.display.empty()) GTEST_SKIP() << "no Xvfb here";
  const TempFolder home;
  std::filesystem::create_directories(home.path("slipscope"));
  WriteText(home.path("slipscope/window.txt"),
            "width 960\nheight 600\nrecord_source 1\nrecord_region 0\nrecord_size 3\n"
            "record_fps 30\nrecord_folder " +
                home.path() + "\n");
  Launch launch;
  launch.environment = {{"DISPLAY", screen.display},
                        {"XDG_CONFIG_HOME", home.path()},
                        {"XDG_STATE_HOME", home.path("state")}};
  Program program({"conveyor"}, launch);
  const auto tool = [&](const std::string& words) {
    return std::system(
               ("DISPLAY=" + screen.display + " xdotool " + words + " >/dev/null 2>&1").c_str()) ==
           0;
  };
  std::string part;
  const auto found = [&] {
    for (const auto& entry : std::filesystem::directory_iterator(home.path())) {
      if (entry.path().extension() == ".part") part = entry.path().string();
    }
    return !part.empty();
  };
  // a busy machine takes its time to open a window
  const auto opened = [&] { return tool("search --onlyvisible --name Slipscope"); };
  if (!WaitFor([&] { return opened() || !program.Runs(); }, 240) || !program.Runs()) {
    program.Signal(SIGKILL);
    const ProgramResult result = program.Wait();
    if (result.exit == 6) GTEST_SKIP() << "no window here: " << result.err;
    FAIL() << "no window in four minutes: " << result.err;
  }
  // the first press opens the card, the second begins; a window that just opens may miss one
  ASSERT_TRUE(WaitFor(
      [&] {
        tool("key ctrl+r");
        return WaitFor(found, 2);
      },
      60));
  std::error_code ignored;
  const auto size = [&] { return std::filesystem::file_size(part, ignored); };
  ASSERT_TRUE(WaitFor([&] { return size() > 4000; }));  // the countdown is over
  const auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::seconds(4));
  std::filesystem::copy_file(part, home.path("copy.mp4"));
  program.Signal(SIGKILL);
  const std::chrono::duration<double> recorded = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(program.Wait().exit, 128 + SIGKILL);
  EXPECT_GE(ProbeVideo(home.path("copy.mp4")).frames, 30 * (recorded.count() - 1));
}

// the window shows another scene until then
TEST(WindowStart, ASignalEndsItWhileFirstContactsAreLookedFor) {
  const Screen screen;
  if (screen.display.empty()) GTEST_SKIP() << "no Xvfb here";
  const TempFolder home;
  Launch launch;
  launch.environment = {{"DISPLAY", screen.display},
                        {"XDG_CONFIG_HOME", home.path()},
                        {"XDG_STATE_HOME", home.path("state")}};
  Program program({WriteSlowSearch(home, 40000)}, launch);
  std::this_thread::sleep_for(std::chrono::seconds(6));
  const auto begin = std::chrono::steady_clock::now();
  program.Signal(SIGINT);
  const ProgramResult result = program.Wait(120);
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
  if (result.exit == 6) GTEST_SKIP() << "no window here: " << result.err;
  EXPECT_EQ(result.exit, 128 + SIGINT) << result.err;
  EXPECT_LT(waited.count(), 3);
  EXPECT_TRUE(std::filesystem::exists(home.path("slipscope/window.txt")))
      << "it was a window by then";
}

}  // namespace
}  // namespace slip::app
