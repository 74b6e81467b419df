// What the window remembers from run to run.
#include "app/host/settings.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "app/host/window.h"

namespace slip::app {
namespace {

std::string File() {
  return (std::filesystem::path(testing::TempDir()) / "slipscope-settings" / "window.txt").string();
}

TEST(Settings, ComeBackAsTheyWereSaved) {
  UiState state;
  state.shell.theme = Theme::kLight;
  state.shell.left_tab = TabId::kParameters;
  state.shell.inspect_tab = TabId::kSolver;
  state.time_line.contact_ticks = false;
  state.kept.last_scene = "clutter";
  state.mouse.frequency = 6.5;
  state.kept.views["conveyor"][2].emplace();
  state.kept.views["conveyor"][2]->distance = 4.5;
  state.kept.restore.emplace();
  state.kept.restore->target = Vec3(1, 2, 0.5);
  state.kept.restore->azimuth = 0.25;
  ASSERT_TRUE(SaveSettings(File(), state, {1234, 567}).ok());
  UiState read;
  WindowSize size;
  LoadSettings(File(), &read, &size);
  EXPECT_EQ(size.width, 1234);
  EXPECT_EQ(read.shell.theme, Theme::kLight);
  EXPECT_EQ(read.shell.left_tab, TabId::kParameters);
  EXPECT_EQ(read.shell.inspect_tab, TabId::kSolver);
  EXPECT_FALSE(read.time_line.contact_ticks);
  EXPECT_EQ(read.kept.last_scene, "clutter");
  ASSERT_TRUE(read.kept.restore.has_value());
  EXPECT_EQ(read.kept.restore->target, Vec3(1, 2, 0.5));
  EXPECT_DOUBLE_EQ(read.kept.restore->azimuth, 0.25);
  EXPECT_DOUBLE_EQ(read.mouse.frequency, 6.5);
  ASSERT_TRUE(read.kept.views["conveyor"][2].has_value());
  EXPECT_DOUBLE_EQ(read.kept.views["conveyor"][2]->distance, 4.5);
  EXPECT_FALSE(read.kept.views["conveyor"][0].has_value());
}

TEST(Settings, AFullDiskKeepsTheFormerOnes) {
  UiState state;
  ASSERT_TRUE(SaveSettings(File(), state, {1234, 567}).ok());
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const Status status = SaveSettings(File(), state, {765, 432});
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().Text().find("File too large"), std::string::npos);
  UiState read;
  WindowSize size;
  LoadSettings(File(), &read, &size);
  EXPECT_EQ(size.width, 1234);
}

TEST(Settings, ADamagedFileChangesNothing) {
  std::filesystem::create_directories(std::filesystem::path(File()).parent_path());
  std::ofstream(File()) << "camera 1 2\nleft_tab 77\ninspect_tab lesson\ncamera 0 0 0 -1 0 0 "
                           "0.5\nnonsense\ntheme x\n";
  UiState state;
  WindowSize size;
  LoadSettings(File(), &state, &size);
  EXPECT_FALSE(state.kept.restore.has_value());
  EXPECT_EQ(state.shell.left_tab, Shell{}.left_tab);
  EXPECT_EQ(state.shell.inspect_tab, Shell{}.inspect_tab) << "a tab of the other panel";
  EXPECT_EQ(state.shell.theme, Theme::kDark);
  EXPECT_EQ(size.width, 0);
}

TEST(Settings, TheLastViewOpensOnceAndOnlyForItsScene) {
  for (const bool same : {true, false}) {
    UiSetup setup;
    setup.scene = *FindScene("conveyor");
    auto made = OffscreenUi::Create(setup, 800, 600);
    if (!made.ok()) GTEST_SKIP() << "no off-screen OpenGL here";
    auto ui = std::move(made).value();
    CameraSpec view;
    view.distance = 7;
    ui->ui().state.kept.restore = view;
    ui->ui().state.kept.last_scene = same ? "conveyor" : "clutter";
    ui->Frame(0.02);
    EXPECT_EQ(ui->ui().rig.camera.spec().distance == 7, same);
    ASSERT_TRUE(ui->session().Load("sliding-box"));
    ui->Frame(0.02);
    ui->Frame(0.02);
    EXPECT_NE(ui->ui().rig.camera.spec().distance, 7);
  }
}

}  // namespace
}  // namespace slip::app
