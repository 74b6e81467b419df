// "Record": the card asks for a video, a second process makes it, and its end is said.
#include <gtest/gtest.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <thread>

#include "app/frame/input.h"
#include "app/host/settings.h"
#include "app/session/record_settings.h"
#include "app/session/recording_job.h"
#include "engine/run/record/recording_file.h"
#include "render/video/frame_writer.h"
#include "render/video/video_writer.h"
#include "tests/support/folders.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

/// An environment variable with another value while it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() { setenv(name_, before_.c_str(), 1); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::string before_;
};

const Message* Said(const OffscreenUi& ui, const std::string& what) {
  for (const Message& message : const_cast<OffscreenUi&>(ui).session().messages()) {
    if (message.what.find(what) != std::string::npos) return &message;
  }
  return nullptr;
}

/// Frames until `condition`, at most a minute of them.
template <class Condition>
bool FramesUntil(OffscreenUi* ui, Condition condition) {
  for (int i = 0; i < 6000; ++i) {
    ui->Frame(0);
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

class Record : public ::testing::Test {
 protected:
  /// A window on a scene that has run for half a second, recording small pictures.
  std::unique_ptr<OffscreenUi> Window(RecordFormat format) {
    std::unique_ptr<OffscreenUi> ui = Open("conveyor", 1280, 720);
    if (ui == nullptr) return nullptr;
    Pass(ui.get(), 0.5);
    ui->ui().program = BuildFolder() + "/slipscope";
    RecordSettings& settings = ui->ui().state.record.settings;
    settings.folder = folder_.path();
    settings.size = RecordSize::k720;
    settings.fps = 30;
    settings.format = format;
    ui->session().playback().SetPlaying(false);
    Settle(ui.get());
    return ui;
  }
  static void Press(OffscreenUi* ui) {
    DispatchKey(&ui->ui(), GLFW_KEY_R, GLFW_MOD_CONTROL, false, false);
    Settle(ui);
  }
  std::string Only(const std::string& ending) const {
    std::string found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      const std::string path = entry.path().string();
      if (path.ends_with(ending)) found = path;
    }
    return found;
  }

  TempFolder folder_;
};

TEST(RecordSettings, BecomeASectionOfTheExperiment) {
  RecordSettings settings;
  settings.region = RecordRegion::kViewPlots;
  settings.size = RecordSize::k2160;
  settings.fps = 30;
  const RenderSpec spec = SpecOf(settings, {}, {0.25, 1.5}, {.playback = 0.1});
  EXPECT_EQ(spec.region, "view-plots");
  EXPECT_EQ(spec.width, 3840);
  EXPECT_EQ(spec.height, 2160);
  EXPECT_EQ(spec.fps, 30);
  EXPECT_EQ(spec.speed, 0.1) << "as it is played";
  EXPECT_EQ(spec.from, 0.25);
  EXPECT_EQ(spec.to, 1.5);
  EXPECT_EQ(spec.Frames(*spec.to), 375);
  EXPECT_DOUBLE_EQ(spec.scale, 2.4);
  settings.speed = 0.5;
  settings.format = RecordFormat::kGif;
  const RenderSpec gif = SpecOf(settings, {}, {0, 1}, {.playback = 0.1});
  EXPECT_EQ(gif.speed, 0.5);
  EXPECT_LE(gif.fps, render::MostFramesPerSecond("a.gif"));
  // as fast as possible is no speed of a video
  settings.speed = 0;
  const double fast = std::numeric_limits<double>::infinity();
  EXPECT_EQ(SpecOf(settings, {}, {0, 1}, {.playback = fast}).speed, 1);
}

TEST(RecordSettings, EveryStepIsAFrameWhereThatIsAskedFor) {
  RecordSettings settings;
  settings.fps = 30;
  settings.speed = RecordSettings::kEveryStep;
  const RenderSpec spec = SpecOf(settings, {}, {0, 0.5}, {.time_step = 2e-3});
  EXPECT_EQ(spec.Frames(*spec.to), 250);
  EXPECT_DOUBLE_EQ(spec.TimeOf(100), 0.2);
}

TEST(RecordSettings, AsShownHasThePixelsOfTheRegion) {
  RecordSettings settings;
  settings.size = RecordSize::kShown;
  const ShownFrame shown{.time = 2, .width = 921, .height = 520, .scale = 1.5};
  const RenderSpec spec = SpecOf(settings, {}, {0, 1}, shown);
  EXPECT_EQ(spec.width, 920) << "videos have even sizes";
  EXPECT_EQ(spec.height, 520);
  EXPECT_EQ(spec.scale, 1.5);
  // live there are no single pictures, and the choice of them waits for the history
  settings.source = RecordSource::kLive;
  settings.format = RecordFormat::kPictures;
  EXPECT_EQ(FormatOf(settings), RecordFormat::kMp4);
  EXPECT_EQ(LiveSpecOf(settings, {}, shown).from, 2);
}

TEST(RecordSettings, AFilmOfWhatIsShownHasItsShape) {
  RecordSettings settings;
  settings.source = RecordSource::kLive;
  for (const auto& [width, height] : {std::pair{1280.0, 610.0},
                                      {921.0, 520.0},
                                      {500.0, 900.0},
                                      {1600.0, 900.0},
                                      {1057.0, 641.0}}) {
    for (const RecordSize size : {RecordSize::k720, RecordSize::k1080, RecordSize::k2160}) {
      settings.size = size;
      const ShownFrame shown{.width = width, .height = height};
      const RenderSpec most = SpecOf(settings, {}, {0, 1}, shown);
      const RenderSpec film = LiveSpecOf(settings, {}, shown);
      EXPECT_LE(film.width, most.width);
      EXPECT_LE(film.height, most.height);
      EXPECT_EQ(film.width % 2 + film.height % 2, 0);
      // a picture that is scaled into it leaves no line of pixels free
      EXPECT_GE(std::lround(film.height * width / height), film.width);
      EXPECT_GE(std::lround(film.width * height / width), film.height);
      // and it is no smaller than it must be
      EXPECT_TRUE(film.width > most.width * 0.97 || film.height > most.height * 0.97)
          << film.width << " x " << film.height;
    }
  }
}

TEST(RecordSettings, TheNameIsFree) {
  const TempFolder folder;
  RecordSettings settings;
  settings.folder = folder.path();
  const std::string first = RecordName(settings, "conveyor");
  EXPECT_TRUE(first.starts_with("slipscope-conveyor-")) << first;
  EXPECT_TRUE(first.ends_with("-001.mp4")) << first;
  WriteText(folder.path(first), "");
  EXPECT_TRUE(RecordName(settings, "conveyor").ends_with("-002.mp4"));
  // what was cut off is not written over
  WriteText(folder.path(first.substr(0, first.size() - 7) + "002.mp4.part"), "");
  EXPECT_TRUE(RecordName(settings, "conveyor").ends_with("-003.mp4"));
  settings.format = RecordFormat::kPictures;
  EXPECT_TRUE(RecordName(settings, "conveyor").ends_with("-001"));
}

TEST(RecordSettings, AreKept) {
  const TempFolder folder;
  UiState state;
  state.record.settings = {.source = RecordSource::kLive,
                           .region = RecordRegion::kWindow,
                           .size = RecordSize::kShown,
                           .fps = 30,
                           .format = RecordFormat::kWebm,
                           .speed = RecordSettings::kEveryStep,
                           .keys = true,
                           .end_card = true,
                           .folder = "/some where/else"};
  ASSERT_TRUE(SaveSettings(folder.path("window.txt"), state, {}).ok());
  UiState read;
  WindowSize size;
  LoadSettings(folder.path("window.txt"), &read, &size);
  EXPECT_EQ(read.record.settings.region, RecordRegion::kWindow);
  EXPECT_EQ(read.record.settings.source, RecordSource::kLive);
  EXPECT_EQ(read.record.settings.size, RecordSize::kShown);
  EXPECT_EQ(read.record.settings.fps, 30);
  EXPECT_EQ(read.record.settings.format, RecordFormat::kWebm);
  EXPECT_EQ(read.record.settings.speed, RecordSettings::kEveryStep);
  EXPECT_TRUE(read.record.settings.keys);
  EXPECT_TRUE(read.record.settings.end_card);
  EXPECT_EQ(read.record.settings.folder, "/some where/else");
}

TEST_F(Record, PressedTwiceItMakesAVideoWithTheCameraOfTheWindow) {
  if (render::VideoWriter::FindFfmpeg().empty()) GTEST_SKIP() << "ffmpeg is not installed";
  UI_OR_SKIP(ui, Window(RecordFormat::kMp4));
  const RecordSettings& settings = ui->ui().state.record.settings;
  CameraSpec camera = ui->ui().rig.camera.spec();
  camera.azimuth += 0.5;
  camera.distance *= 1.25;
  ui->ui().rig.camera.Set(camera);
  Press(ui.get());
  ASSERT_NE(FindWidget("record/start"), nullptr);
  for (const std::string& id : ClippedWidgets()) EXPECT_FALSE(id.starts_with("record/")) << id;
  const auto frames =
      static_cast<int>(std::lround(ui->session().snapshot().history_end * settings.fps));
  const std::string count = std::to_string(frames) + " frames";
  EXPECT_EQ(FindWidget("record/summary/1")->text, count + " of 1280 × 720, 30 a second");
  Press(ui.get());
  EXPECT_FALSE(ui->ui().state.record.open);
  ASSERT_NE(ui->ui().recording, nullptr);
  // the window goes on
  ui->session().playback().SetPlaying(true);
  const double before = ui->session().snapshot().time;
  ui->Frame(0.05);
  ui->Frame(0.05);
  EXPECT_GT(ui->session().snapshot().time, before);
  EXPECT_NE(FindWidget("status/recording"), nullptr);
  ASSERT_TRUE(FramesUntil(ui.get(), [&] { return ui->ui().recording == nullptr; }));
  const Message* done = Said(*ui, "The video is ready");
  ASSERT_NE(done, nullptr) << ui->session().status();
  EXPECT_EQ(done->where, Only(".mp4"));
  EXPECT_NE(done->advice.find("0.5 s, " + count), std::string::npos) << done->advice;
  ASSERT_EQ(done->actions.size(), 2u);
  EXPECT_EQ(done->actions[1].label, "Copy path");
  const Result<RecordingFile> file = ReadRecording(Only(".mp4.json"));
  ASSERT_TRUE(file.ok());
  const Result<RenderSpec> spec = ReadRenderSpec(file->recording->render, "video");
  ASSERT_TRUE(spec.ok());
  ASSERT_TRUE(spec->camera.has_value());
  EXPECT_EQ(spec->camera->azimuth, camera.azimuth);
  EXPECT_EQ(spec->camera->distance, camera.distance);
}

TEST_F(Record, WhatIsRecordedLooksAsTheWindowDoes) {
  UI_OR_SKIP(ui, Window(RecordFormat::kPictures));
  // the picture is the window's at the same moment, but for its size: here they are equal
  ui->ui().state.view.compare = Compare::kSingle;
  ui->ui().state.view.forces = false;
  ui->ui().state.plots.slots[1].state.scale = AxisScale::kLog;
  ui->ui().state.plots.linked_x.follow = FollowMode::kFree;
  ui->ui().state.plots.linked_x.range = {0.1, 0.3};
  ui->ui().state.shell.inspect_tab = TabId::kBody;
  ui->session().looks().SetLead(1);
  TimeRange& range = ui->ui().state.time_line.range;
  range.active = true;
  range.from = 0.25;
  range.to = 0.5;
  Settle(ui.get());
  Press(ui.get());
  ASSERT_NE(FindWidget("record/range/Selected"), nullptr);
  Press(ui.get());
  ASSERT_TRUE(FramesUntil(ui.get(), [&] { return ui->ui().recording == nullptr; }));
  const std::string sidecar = Only(".json");
  const Result<RecordingFile> file = ReadRecording(sidecar);
  ASSERT_TRUE(file.ok()) << ui->session().status();
  const Result<RenderSpec> spec = ReadRenderSpec(file->recording->render, "video");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec->from, 0.25);
  EXPECT_EQ(*spec->to, 0.5);
  EXPECT_EQ(spec->lead, 1);
  EXPECT_EQ(spec->compare, "single");
  EXPECT_EQ(spec->plot_scales, (std::vector<std::string>{"auto", "log", "auto"}));
  EXPECT_EQ(spec->time_axis, "free");
  EXPECT_EQ(spec->time_range, (std::array{0.1, 0.3}));
  EXPECT_EQ(spec->inspect_tab, "body");
  EXPECT_EQ(std::count(spec->show->begin(), spec->show->end(), ActionId(Action::kForces)), 0);
  EXPECT_EQ(std::count(spec->show->begin(), spec->show->end(), ActionId(Action::kLegend)), 1);
  // round(0.25 · 30) = 8 pictures, and the same ones again
  const std::string pictures = sidecar.substr(0, sidecar.size() - 5);
  const ProgramResult again = RunProgram({"render", sidecar, "-o", folder_.path("again/")});
  ASSERT_EQ(again.exit, 0) << again.err;
  for (int i = 0; i < 8; ++i) {
    const std::string name = "/frame-00000" + std::to_string(i) + ".png";
    ASSERT_TRUE(fs::exists(pictures + name));
    EXPECT_EQ(ReadText(pictures + name), ReadText(folder_.path("again") + name));
  }
  EXPECT_FALSE(fs::exists(pictures + "/frame-000008.png"));
}

TEST_F(Record, APictureCanBeLargerAndWithoutGround) {
  UI_OR_SKIP(ui, Window(RecordFormat::kPicture));
  RecordSettings& settings = ui->ui().state.record.settings;
  settings.region = RecordRegion::kView;  // the others have panels on a ground
  settings.picture_scale = 2;
  settings.transparent = true;
  Settle(ui.get());
  Press(ui.get());
  ASSERT_NE(FindWidget("record/times/×2"), nullptr);
  ASSERT_NE(FindWidget("record/transparent"), nullptr);
  const Rect view = ui->ui().regions.view;
  Press(ui.get());
  ASSERT_TRUE(FramesUntil(ui.get(), [&] { return ui->ui().recording == nullptr; }));
  const Result<render::Image> image = render::ReadPng(Only(".png"));
  ASSERT_TRUE(image.ok()) << ui->session().status();
  EXPECT_EQ(image->width, std::lround(2 * view.width()));
  EXPECT_EQ(image->height, std::lround(2 * view.height()));
  // the sky is clear, a body is not
  EXPECT_EQ(image->At(image->width / 2, 10)[3], 0);
  int solid = 0;
  for (std::size_t at = 3; at < image->pixels.size(); at += 4) solid += image->pixels[at] == 255;
  EXPECT_GT(solid, image->width * image->height / 100);
  EXPECT_LT(solid, image->width * image->height / 2);
}

TEST_F(Record, CancelLeavesNothing) {
  UI_OR_SKIP(ui, Window(RecordFormat::kMp4));
  if (render::VideoWriter::FindFfmpeg().empty()) GTEST_SKIP() << "ffmpeg is not installed";
  ui->ui().state.record.settings.speed = 0.001;  // half a second becomes 500
  Press(ui.get());
  Press(ui.get());
  ASSERT_TRUE(FramesUntil(ui.get(), [&] { return !Only(".mp4.part").empty(); }));
  // the program asks before such work is lost
  ui->ui().requests.Do(Action::kQuit);
  Settle(ui.get());
  EXPECT_FALSE(ui->ui().state.shell.quit);
  EXPECT_NE(Said(*ui, "it is lost when the window closes"), nullptr);
  ASSERT_TRUE(ui->Click("status/Cancel"));
  ASSERT_TRUE(FramesUntil(ui.get(), [&] { return ui->ui().recording == nullptr; }));
  EXPECT_NE(Said(*ui, "it was cancelled"), nullptr);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(Record, WhatWentWrongIsSaid) {
  UI_OR_SKIP(ui, Window(RecordFormat::kMp4));
  {
    const Environment path("PATH", folder_.path());
    Press(ui.get());
    Press(ui.get());
    ASSERT_TRUE(FramesUntil(ui.get(), [&] { return ui->ui().recording == nullptr; }));
  }
  const Message* none = Said(*ui, "The video was not made");
  ASSERT_NE(none, nullptr);
  EXPECT_NE(none->where.find("videos need the program ffmpeg"), std::string::npos) << none->where;
  EXPECT_EQ(none->actions[0].label, "Record pictures");
  // a name that is taken; its ending follows from the format
  WriteText(folder_.path("taken.mp4"), "mine");
  WriteText(folder_.path("taken.mp4.json"), "mine");
  Press(ui.get());
  ui->ui().state.record.name = "taken";
  Press(ui.get());
  ASSERT_TRUE(FramesUntil(ui.get(), [&] { return ui->ui().recording == nullptr; }));
  EXPECT_EQ(Said(*ui, "The video is ready"), nullptr);
  EXPECT_NE(Said(*ui, "The video was not made")->where.find("taken.mp4: exists already"),
            std::string::npos)
      << Said(*ui, "The video was not made")->where;
  EXPECT_EQ(ReadText(folder_.path("taken.mp4")), "mine");
  // a renderer that is killed
  WriteText(folder_.path("killed"), "#!/bin/sh\nkill -9 $$\n");
  fs::permissions(folder_.path("killed"), fs::perms::owner_all);
  ui->ui().program = folder_.path("killed");
  Press(ui.get());
  Press(ui.get());
  ASSERT_TRUE(FramesUntil(ui.get(), [&] { return ui->ui().recording == nullptr; }));
  EXPECT_NE(Said(*ui, "The video was not made")->where.find("signal 9"), std::string::npos);
  // one that is not there
  ui->ui().program = folder_.path("nothing");
  Press(ui.get());
  Press(ui.get());
  ASSERT_TRUE(FramesUntil(ui.get(), [&] { return ui->ui().recording == nullptr; }));
  EXPECT_NE(Said(*ui, "The video was not made")->where.find("could not be started"),
            std::string::npos);
  EXPECT_TRUE(Only(".part").empty());
}

}  // namespace
}  // namespace slip::app
