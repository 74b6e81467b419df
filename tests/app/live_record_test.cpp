// "Record", live: what is shown becomes a video while it is shown, without what says that it does.
#include <gtest/gtest.h>

#include <GLFW/glfw3.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "app/frame/input.h"
#include "app/panels/record/record.h"
#include "app/session/live_recording.h"
#include "app/session/record_settings.h"
#include "engine/run/record/recording_file.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"
#include "tests/support/video.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

class LiveRecord : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!CanProbeVideos()) GTEST_SKIP() << "ffmpeg is not installed";
  }
  /// A window on the running conveyor that records what it shows.
  std::unique_ptr<OffscreenUi> Window(RecordRegion region, const std::string& folder) {
    std::unique_ptr<OffscreenUi> ui = Open("conveyor", 1280, 720);
    if (ui == nullptr) return nullptr;
    ui->ui().state.record.countdown = 0;
    RecordSettings& settings = ui->ui().state.record.settings;
    settings.source = RecordSource::kLive;
    settings.folder = folder;
    settings.region = region;
    settings.size = RecordSize::kShown;
    settings.fps = 30;
    Frames(ui.get(), 4);
    return ui;
  }
  std::unique_ptr<OffscreenUi> Window(RecordRegion region) {
    return Window(region, folder_.path());
  }
  /// The window's sixtieths of a second.
  static void Frames(OffscreenUi* ui, int count) {
    for (int i = 0; i < count; ++i) ui->Frame(1.0 / 60);
  }
  static void Press(OffscreenUi* ui) {
    DispatchKey(&ui->ui(), GLFW_KEY_R, GLFW_MOD_CONTROL, false, false);
  }
  static void Begin(OffscreenUi* ui) {
    Press(ui);
    Frames(ui, 2);
    Press(ui);
    Frames(ui, 1);
  }
  static bool End(OffscreenUi* ui) {
    return WaitFor([&] {
      Frames(ui, 1);
      return ui->ui().live == nullptr;
    });
  }
  std::string Only(const std::string& ending) const {
    std::string found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      if (entry.path().string().ends_with(ending)) found = entry.path().string();
    }
    return found;
  }
  static const Message* Said(OffscreenUi* ui, const std::string& what) {
    for (const Message& message : ui->session().messages()) {
      if (message.what.find(what) != std::string::npos) return &message;
    }
    return nullptr;
  }

  TempFolder folder_;
};

/// Red beyond anything that the picture has at its border.
bool IsRed(const uint8_t* p) { return p[0] > 180 && p[1] < 150 && p[2] < 150; }

TEST_F(LiveRecord, TheKeyBeginsAndEndsAVideoOfTheViewWithoutItsRing) {
  UI_OR_SKIP(ui, Window(RecordRegion::kView));
  Begin(ui.get());
  ASSERT_NE(ui->ui().live, nullptr);
  const double from = ui->session().snapshot().time;
  const Rect view = ui->ui().regions.view;
  ui->session().Say("a message");
  Message message;
  message.what = "A card over the picture.";
  message.stays = true;
  ui->session().Post(message);
  Frames(ui.get(), 60);
  EXPECT_NE(FindWidget("record/ring"), nullptr);
  ASSERT_NE(FindWidget("record/tag"), nullptr);
  EXPECT_EQ(FindWidget("record/tag")->text, "Recording 0:01");
  EXPECT_EQ(FindWidget("toolbar/record")->text, "0:01");
  EXPECT_NE(FindWidget("status/recording:"), nullptr);
  const WidgetRecord* card = FindWidget("message");
  ASSERT_NE(card, nullptr);
  const ImVec2 card_at(card->min.x - view.min.x, card->min.y - view.min.y);
  const ImVec2 card_end(card->max.x - view.min.x, card->max.y - view.min.y);
  for (const std::string& id : ClippedWidgets()) EXPECT_FALSE(id.starts_with("record/")) << id;
  const render::Image window = ui->Read();
  const int middle = static_cast<int>((view.min.y + view.max.y) / 2);
  EXPECT_TRUE(IsRed(window.At(static_cast<int>(view.min.x) + 1, middle)));
  const double to = ui->session().snapshot().time;
  Press(ui.get());
  ASSERT_TRUE(End(ui.get()));
  const Message* done = Said(ui.get(), "The video is ready");
  ASSERT_NE(done, nullptr);
  EXPECT_EQ(done->where, Only(".mp4"));
  EXPECT_NE(done->advice.find("frames, none repeated"), std::string::npos) << done->advice;
  ASSERT_EQ(done->actions.size(), 2u);
  const Probe probe = ProbeVideo(Only(".mp4"));
  EXPECT_EQ(probe.width, static_cast<int>(view.width()) / 2 * 2);
  EXPECT_EQ(probe.height, static_cast<int>(view.height()) / 2 * 2);
  EXPECT_EQ(probe.rate, 30);
  EXPECT_NEAR(probe.frames, 31, 1);
  EXPECT_NEAR(probe.duration, 1, 0.05);
  const std::vector<std::string> frames = UnpackVideo(Only(".mp4"), folder_.path("u"));
  ASSERT_GT(frames.size(), 20u);
  const Result<render::Image> frame = render::ReadPng(frames[20]);
  ASSERT_TRUE(frame.ok());
  int red = 0;
  for (int y = 0; y < frame->height; ++y) red += IsRed(frame->At(0, y)) || IsRed(frame->At(1, y));
  EXPECT_EQ(red, 0);
  // where the card stood the ground is seen: no border
  int same = 0;
  for (int x = static_cast<int>(card_at.x); x < static_cast<int>(card_end.x); ++x) {
    const uint8_t* at = frame->At(x, static_cast<int>(card_at.y) + 3);
    const uint8_t* shown =
        window.At(x + static_cast<int>(view.min.x), static_cast<int>(card_at.y + view.min.y) + 3);
    same += std::abs(at[0] - shown[0]) < 4 && std::abs(at[2] - shown[2]) < 4;
  }
  EXPECT_LT(same, (card_end.x - card_at.x) / 2);
  // the same stretch again, from the file beside it
  const Result<RecordingFile> file = ReadRecording(Only(".mp4.json"));
  ASSERT_TRUE(file.ok());
  const Result<RenderSpec> spec = ReadRenderSpec(file->recording->render, "video");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec->region, "view");
  EXPECT_NEAR(spec->from, from, 0.04);
  EXPECT_NEAR(*spec->to, to, 0.04);
  EXPECT_EQ(spec->camera->azimuth, ui->ui().rig.camera.spec().azimuth);
  const ProgramResult again =
      RunProgram({"render", Only(".mp4.json"), "-o", folder_.path("b.mp4")});
  ASSERT_EQ(again.exit, 0) << again.err;
  const Probe second = ProbeVideo(folder_.path("b.mp4"));
  EXPECT_EQ(second.width, probe.width);
  EXPECT_NEAR(second.duration, probe.duration, 0.1);
}

TEST_F(LiveRecord, ItFillsItsFramesAndLeavesToolTipsOut) {
  UI_OR_SKIP(ui, Window(RecordRegion::kViewPlots));
  ui->ui().state.record.settings.size = RecordSize::k720;
  ui->session().playback().SetPlaying(false);
  Begin(ui.get());
  ASSERT_NE(ui->ui().live, nullptr);
  const Rect rect = RecordedRect(ui->ui().regions, "view-plots");
  Frames(ui.get(), 20);
  // a tip of the lowest region, which is taller than that
  const WidgetRecord* button = FindWidget("time/speed");
  ASSERT_NE(button, nullptr);
  ui->MoveMouse({(button->min.x + button->max.x) / 2, (button->min.y + button->max.y) / 2});
  Frames(ui.get(), 90);
  const WidgetRecord* tip = FindWidget("tooltip");
  ASSERT_NE(tip, nullptr);
  const Rect where{tip->min, tip->max};
  Press(ui.get());
  ASSERT_TRUE(End(ui.get()));
  const std::vector<std::string> frames = UnpackVideo(Only(".mp4"), folder_.path("u"));
  ASSERT_GT(frames.size(), 45u);
  const Result<render::Image> before = render::ReadPng(frames[8]);
  const Result<render::Image> last = render::ReadPng(frames[50]);
  ASSERT_TRUE(before.ok() && last.ok());
  const double times = last->height / static_cast<double>(rect.height());
  EXPECT_NEAR(last->width / times, static_cast<double>(rect.width()), 3);
  for (const int y : {0, last->height - 1}) {
    int black = 0;
    for (int x = 0; x < last->width; ++x) black += last->At(x, y)[0] + last->At(x, y)[2] < 8;
    EXPECT_LT(black, last->width / 4) << "row " << y;
  }
  // the run is paused: where the tip stood, all frames are the same
  int compared = 0, other = 0;
  for (float y = where.min.y + 2; y < where.max.y - 2; ++y) {
    for (float x = where.min.x + 2; x < where.max.x - 2; ++x) {
      const int u = static_cast<int>((x - rect.min.x) * static_cast<float>(times));
      const int v = static_cast<int>((y - rect.min.y) * static_cast<float>(times));
      const bool on_button = x < button->max.x + 2 && y > button->min.y - 2;
      if (on_button || u < 0 || v < 0 || u >= last->width || v >= last->height) continue;
      ++compared;
      other += std::abs(last->At(u, v)[1] - before->At(u, v)[1]) > 12;
    }
  }
  EXPECT_GT(compared, 500);
  EXPECT_LT(other, compared / 20);
}

TEST_F(LiveRecord, APauseIsNotInTheVideoAndTheClockStops) {
  UI_OR_SKIP(ui, Window(RecordRegion::kWindow));
  ui->ui().state.record.settings.size = RecordSize::k720;
  Begin(ui.get());
  Frames(ui.get(), 30);
  ASSERT_TRUE(ui->Click("record/pause"));
  Frames(ui.get(), 60);
  EXPECT_EQ(FindWidget("record/tag")->text, "Paused 0:00");
  ASSERT_TRUE(ui->Click("record/pause"));
  Frames(ui.get(), 30);
  ASSERT_TRUE(ui->Click("toolbar/record"));
  ASSERT_TRUE(End(ui.get()));
  const Probe probe = ProbeVideo(Only(".mp4"));
  EXPECT_NEAR(probe.duration, 1.1, 0.12);
  EXPECT_EQ(probe.width, 1280);
  EXPECT_EQ(probe.height, 720);
}

TEST_F(LiveRecord, TheCountdownIsBrokenOffByTheKeyAndLeavesNothing) {
  UI_OR_SKIP(ui, Window(RecordRegion::kView));
  ui->ui().state.record.countdown = 3;
  Begin(ui.get());
  Frames(ui.get(), 2);
  EXPECT_EQ(FindWidget("record/tag")->text, "Recording in 3");
  Frames(ui.get(), 90);
  EXPECT_EQ(FindWidget("record/tag")->text, "Recording in 2");
  EXPECT_EQ(ui->ui().live->video().frames(), 0);
  Press(ui.get());
  ASSERT_TRUE(End(ui.get()));
  EXPECT_TRUE(fs::is_empty(folder_.path()));
  EXPECT_EQ(Said(ui.get(), "The video is ready"), nullptr);
}

TEST_F(LiveRecord, ViewAndPlotsHaveNoPanelBetween) {
  UI_OR_SKIP(ui, Window(RecordRegion::kViewPlots));
  ASSERT_FALSE(ui->ui().regions.right.empty());
  Begin(ui.get());
  Frames(ui.get(), 30);
  const Regions now = ui->ui().regions;
  EXPECT_TRUE(now.right.empty());
  EXPECT_EQ(now.view.max.x, now.plots.max.x);
  Press(ui.get());
  ASSERT_TRUE(End(ui.get()));
  Frames(ui.get(), 2);
  EXPECT_FALSE(ui->ui().regions.right.empty()) << "it comes back";
  const Probe probe = ProbeVideo(Only(".mp4"));
  EXPECT_NEAR(probe.width, now.view.width(), 2);
  EXPECT_NEAR(probe.height, now.time.max.y - now.view.min.y, 2);
}

TEST_F(LiveRecord, TheCountdownIsBrokenOffByEscape) {
  UI_OR_SKIP(ui, Window(RecordRegion::kView));
  ui->ui().state.record.countdown = 3;
  Begin(ui.get());
  Frames(ui.get(), 2);
  for (int i = 0; i < 3 && ui->ui().live != nullptr && ui->ui().live->counting(); ++i) {
    ui->ui().requests.Do(Action::kEscape);  // the first closes the card
    Frames(ui.get(), 2);
  }
  ASSERT_TRUE(End(ui.get()));
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(LiveRecord, ItEndsWithTheCommandThatRepeatsTheRun) {
  UI_OR_SKIP(ui, Window(RecordRegion::kView));
  ui->ui().state.record.settings.end_card = true;
  Begin(ui.get());
  Frames(ui.get(), 30);
  Press(ui.get());
  std::string card;
  ASSERT_TRUE(WaitFor([&] {
    Frames(ui.get(), 1);
    if (const WidgetRecord* end = FindWidget("record/end")) card = end->text;
    return ui->ui().live == nullptr;
  }));
  EXPECT_TRUE(card.starts_with("slipscope compare conveyor -m sap,lagged,similar -t 0.")) << card;
  const Probe probe = ProbeVideo(Only(".mp4"));
  EXPECT_NEAR(probe.duration, 2.5, 0.1);
  const std::vector<std::string> frames = UnpackVideo(Only(".mp4"), folder_.path("u"));
  ASSERT_GT(frames.size(), 60u);
  const Result<render::Image> first = render::ReadPng(frames[5]),
                              last = render::ReadPng(frames[60]);
  ASSERT_TRUE(first.ok() && last.ok());
  const ImVec4 ground = ColorV(Token::kApp);
  EXPECT_NEAR(last->At(40, 40)[2], 255 * ground.z, 4);
  int differs = 0;
  for (int x = 0; x < last->width; ++x)
    differs += std::abs(first->At(x, 200)[2] - last->At(x, 200)[2]) > 8 ? 1 : 0;
  EXPECT_GT(differs, last->width / 10);
  // the window never showed it
  EXPECT_NE(ui->Read().At(400, 300)[2], last->At(40, 40)[2]);
  // a video of the history that repeats it has the card, too
  const Result<RecordingFile> file = ReadRecording(Only(".mp4.json"));
  ASSERT_TRUE(file.ok());
  const Result<RenderSpec> spec = ReadRenderSpec(file->recording->render, "video");
  ASSERT_EQ(spec->end_card.size(), 3u);
  EXPECT_EQ(spec->end_card[1], card);
}

TEST_F(LiveRecord, KeysAreShownWhereTheyAreAskedFor) {
  UI_OR_SKIP(ui, Window(RecordRegion::kView));
  for (const bool keys : {false, true}) {
    ui->ui().state.record.settings.keys = keys;
    Begin(ui.get());
    Frames(ui.get(), 2);
    DispatchKey(&ui->ui(), GLFW_KEY_L, GLFW_MOD_SHIFT, false, false);
    Frames(ui.get(), 2);
    EXPECT_EQ(FindWidget("echo/keys") != nullptr, keys);
    Press(ui.get());
    ASSERT_TRUE(End(ui.get()));
    EXPECT_EQ(FindWidget("echo/keys"), nullptr) << "nobody watches any more";
  }
}

TEST_F(LiveRecord, QuittingEndsTheVideoFirst) {
  UI_OR_SKIP(ui, Window(RecordRegion::kView));
  Begin(ui.get());
  Frames(ui.get(), 20);
  ui->ui().requests.Do(Action::kQuit);
  Frames(ui.get(), 1);
  EXPECT_FALSE(ui->ui().state.shell.quit);
  ASSERT_TRUE(End(ui.get()));
  EXPECT_TRUE(ui->ui().state.shell.quit);
  EXPECT_GT(ProbeVideo(Only(".mp4")).frames, 5);
  EXPECT_FALSE(Only(".mp4.json").empty());
}

TEST_F(LiveRecord, OfTwoScenesThereIsAVideoAndNoFileThatWouldRepeatOnlyOne) {
  UI_OR_SKIP(ui, Window(RecordRegion::kView));
  Begin(ui.get());
  Frames(ui.get(), 10);
  ASSERT_TRUE(ui->session().Load("sliding-box"));
  Frames(ui.get(), 10);
  Press(ui.get());
  ASSERT_TRUE(End(ui.get()));
  EXPECT_GT(ProbeVideo(Only(".mp4")).frames, 5);
  EXPECT_TRUE(Only(".json").empty());
}

TEST_F(LiveRecord, WhatCannotBeWrittenIsSaid) {
  UI_OR_SKIP(ui, Window(RecordRegion::kView));
  ui->ui().state.record.settings.folder = folder_.path("a/b");
  WriteText(folder_.path("a"), "a file, no folder");
  Begin(ui.get());
  Frames(ui.get(), 1);
  EXPECT_EQ(ui->ui().live, nullptr);
  EXPECT_NE(Said(ui.get(), "The video was not made"), nullptr);
}

/// Runs in a process of its own: four seconds by the clock, then all is over at once.
void RecordAndDie(std::unique_ptr<OffscreenUi> ui, const std::string& folder,
                  const std::string& video) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (int i = 0; i < 240; ++i) {
    ui->Frame(1.0 / 60);
    std::this_thread::sleep_until(start + std::chrono::duration<double>(i / 60.0));
  }
  // as it is on the disk when the power goes
  fs::copy_file(video + ".part", folder + "/copy.mp4");
  std::raise(SIGKILL);
}

TEST_F(LiveRecord, WhatIsKilledHasLostASecondAtMost) {
  // the child runs this test from its start, with the folder of its parent
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  constexpr const char* kFolder = "SLIP_TEST_KILLED_FOLDER";
  if (std::getenv(kFolder) == nullptr) setenv(kFolder, folder_.path().c_str(), 1);
  const std::string folder = std::getenv(kFolder);
  const auto record = [&] {
    std::unique_ptr<OffscreenUi> ui = Window(RecordRegion::kView, folder);
    if (ui == nullptr) std::exit(6);
    Begin(ui.get());
    const std::string video = ui->ui().live->path();
    RecordAndDie(std::move(ui), folder, video);
  };
  if (Open("conveyor", 320, 240) == nullptr) {
    unsetenv(kFolder);
    GTEST_SKIP() << "no off-screen OpenGL here";
  }
  EXPECT_EXIT(record(), testing::KilledBySignal(SIGKILL), "");
  unsetenv(kFolder);
  const Probe copy = ProbeVideo(folder + "/copy.mp4");
  EXPECT_GE(copy.frames, 3 * 30) << "of four seconds";
  EXPECT_EQ(copy.rate, 30);
  // what was killed alone ends well: the encoder writes all that it was given
  const std::string part = Only(".mp4.part");
  ASSERT_FALSE(part.empty());
  EXPECT_TRUE(WaitFor([&] { return ProbeVideo(part).frames >= 110; }, 20))
      << ProbeVideo(part).frames;
}

}  // namespace
}  // namespace slip::app
