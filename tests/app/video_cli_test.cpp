// Videos from outside: their length and rate, what plays after a kill, and the file beside them
// that makes the same frames again.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>

#include "app/session/render_spec.h"
#include "render/video/video_writer.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"
#include "tests/support/video.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

class VideoCli : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!CanProbeVideos()) GTEST_SKIP() << "ffmpeg is not installed";
    static const int exit = [] {
      const TempFolder folder;
      return RunProgram({"render", "conveyor", "--time", "0", "--region", "view", "--size", "64x64",
                         "-o", folder.path("a.png")})
          .exit;
    }();
    if (exit == 6) GTEST_SKIP() << "no off-screen OpenGL here";
  }
  ProgramResult Render(const std::string& what, const std::string& name, const Arguments& more) {
    Arguments all = {"render", what, "-o", folder_.path(name)};
    all.insert(all.end(), more.begin(), more.end());
    return RunProgram(all);
  }
  /// The pictures in two folders, byte for byte.
  void ExpectSameFrames(const std::string& a, const std::string& b, std::size_t count) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path(a)))
      names.insert(entry.path().filename().string());
    EXPECT_EQ(names.size(), count);
    for (const std::string& name : names) {
      EXPECT_EQ(ReadText(folder_.path(a + "/" + name)), ReadText(folder_.path(b + "/" + name)))
          << name;
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path(b)), fs::directory_iterator()),
              static_cast<std::ptrdiff_t>(count));
  }

  TempFolder folder_;
};

TEST_F(VideoCli, FramesAndDurationFollowFromRangeSpeedAndRate) {
  struct Case {
    const char* name;
    const char *from, *to, *speed, *fps;
    int frames;
    double rate;
  };
  for (const Case& c :
       {Case{"a.mp4", "0", "0.5", "1", "60", 30, 60},
        Case{"b.mp4", "0.2", "0.5", "0.1", "30", 90, 30},
        Case{"c.webm", "0", "0.5", "0.5", "30", 30, 30}, Case{"d.gif", "0", "1", "2", "50", 25, 50},
        Case{"e.mkv", "0", "1", "20", "60", 3, 60}}) {
    const ProgramResult result = Render("conveyor", c.name,
                                        {"--region", "view", "--size", "128x72", "--from", c.from,
                                         "--to", c.to, "--speed", c.speed, "--fps", c.fps});
    ASSERT_EQ(result.exit, 0) << c.name << result.err;
    const Probe probe = ProbeVideo(folder_.path(c.name));
    EXPECT_EQ(probe.frames, c.frames) << c.name;
    EXPECT_NEAR(probe.rate, c.rate, 1e-6) << c.name;
    EXPECT_NEAR(probe.duration, c.frames / c.rate, 0.011) << c.name;
    EXPECT_EQ(probe.width, 128);
    EXPECT_EQ(probe.height, 72);
    EXPECT_TRUE(fs::exists(folder_.path(c.name + std::string(".json"))));
  }
}

TEST(VideoTimes, AFrameShowsTheStepAtItsTime) {
  OPEN_OR_SKIP(ui, "conveyor", 160, 90);
  const double time_step = ui->session().scene()->config.step.time_step;
  RenderSpec spec;
  spec.fps = 30;
  spec.speed = 0.7;
  spec.from = 0.1;
  ui->session().playback().SetSpeed(spec.speed);
  ui->SkipTo(spec.from);
  for (int i = 0; i < 60; ++i) {
    ui->FrameAt(spec.TimeOf(i), 1 / spec.fps);
    // the first step that does not end before it, however many frames there were
    const double step = std::ceil(spec.TimeOf(i) / time_step - 1e-6) * time_step;
    EXPECT_NEAR(ui->session().snapshot().time, step, 1e-9) << i;
  }
}

TEST_F(VideoCli, AScenesOwnPaceDoesNotChangeTheMoments) {
  // this scene asks to be looked at at a tenth of real time
  ASSERT_EQ(Render("spinning-puck", "puck/",
                   {"--region", "view", "--size", "96x64", "--to", "0.5", "--fps", "10"})
                .exit,
            0);
  EXPECT_NE(ReadText(folder_.path("puck.json")).find("\"to\": 0.5"), std::string::npos);
  const ProgramResult check = RunProgram({"replay", folder_.path("puck.json"), "--verify"});
  EXPECT_EQ(check.exit, 0) << check.err;
}

TEST_F(VideoCli, TheFileBesideTheVideoMakesTheSameFrames) {
  const ProgramResult first =
      Render("conveyor", "first/", {"--region", "window",      "--size",  "960x540",
                                    "--from",   "0.1",         "--to",    "0.5",
                                    "--speed",  "0.5",         "--fps",   "10",
                                    "--theme",  "light",       "--plots", "slip_speed,normal_force",
                                    "-m",       "sap,similar", "--at",    "0.3:friction=0.2"});
  ASSERT_EQ(first.exit, 0) << first.err;
  const ProgramResult again = Render(folder_.path("first.json"), "again/", {});
  ASSERT_EQ(again.exit, 0) << again.err;
  ExpectSameFrames("first", "again", 8);
  const ProgramResult third = Render(folder_.path("again.json"), "third/", {});
  ASSERT_EQ(third.exit, 0) << third.err;
  ExpectSameFrames("first", "third", 8);
  EXPECT_EQ(RunProgram({"replay", folder_.path("first.json"), "--verify"}).exit, 0);
  // what is given comes before what the file says
  ASSERT_EQ(Render(folder_.path("first.json"), "few/", {"--fps", "5"}).exit, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path("few")), fs::directory_iterator()),
            4);
}

TEST_F(VideoCli, ACardStandsAtTheEndForTwoSeconds) {
  ASSERT_EQ(Render("conveyor", "plain/",
                   {"--region", "view", "--size", "480x270", "--to", "0.3", "--fps", "10"})
                .exit,
            0);
  std::string text = ReadText(folder_.path("plain.json"));
  const std::size_t at = text.find("\"region\": \"view\"");
  ASSERT_NE(at, std::string::npos);
  text.insert(at, "\"end_card\": [\"A box\", \"slipscope run conveyor\", \"Slipscope\"], ");
  WriteText(folder_.path("edited.json"), text);
  const ProgramResult result = Render(folder_.path("edited.json"), "carded/", {});
  ASSERT_EQ(result.exit, 0) << result.err;
  const auto frame = [&](const char* name) {
    return ReadText(folder_.path(std::string("carded/frame-0000") + name + ".png"));
  };
  EXPECT_EQ(ReadText(folder_.path("plain/frame-000002.png")), frame("02"));
  EXPECT_NE(frame("02"), frame("03"));
  EXPECT_EQ(frame("03"), frame("22"));
  EXPECT_FALSE(fs::exists(folder_.path("carded/frame-000023.png")));
}

TEST_F(VideoCli, AFinishedMp4KnowsItsLengthWithoutBeingRead) {
  ASSERT_EQ(Render("conveyor", "a.mp4",
                   {"--region", "view", "--size", "64x64", "--to", "3", "--fps", "10"})
                .exit,
            0);
  // fragments have no count of frames at the beginning
  std::FILE* pipe = popen(("ffprobe -v error -select_streams v:0 -show_entries stream=nb_frames "
                           "-of default=nw=1:nk=1 '" +
                           folder_.path("a.mp4") + "'")
                              .c_str(),
                          "r");
  ASSERT_NE(pipe, nullptr);
  int frames = 0;
  EXPECT_EQ(std::fscanf(pipe, "%d", &frames), 1);
  pclose(pipe);
  EXPECT_EQ(frames, 30);
  EXPECT_FALSE(fs::exists(folder_.path("a.mp4.part.whole")));
}

TEST_F(VideoCli, NothingIsOverwrittenWithoutForce) {
  const Arguments brief = {"--region", "view", "--size", "64x64", "--to", "0.1"};
  WriteText(folder_.path("a.mp4.json"), "mine");
  const ProgramResult taken = Render("conveyor", "a.mp4", brief);
  EXPECT_EQ(taken.exit, 2);
  EXPECT_NE(taken.err.find("a.mp4.json: exists already"), std::string::npos) << taken.err;
  EXPECT_EQ(ReadText(folder_.path("a.mp4.json")), "mine");
  EXPECT_FALSE(fs::exists(folder_.path("a.mp4")));
  Arguments force = brief;
  force.push_back("--force");
  EXPECT_EQ(Render("conveyor", "a.mp4", force).exit, 0);
  EXPECT_EQ(Render("conveyor", "a.mp4", brief).exit, 2);
}

TEST_F(VideoCli, WhatWasWrittenBeforeAKillPlays) {
  for (const std::string name : {"a.mp4", "a.webm"}) {
    const std::string part = folder_.path(name + ".part"), copy = folder_.path("copy-" + name);
    Program program({"render", "conveyor", "-t", "1000", "--region", "view", "--size", "64x64",
                     "--fps", "10", "-o", folder_.path(name)});
    std::error_code ignored;
    ASSERT_TRUE(WaitFor([&] { return fs::exists(part) && fs::file_size(part, ignored) > 60000; }))
        << name;
    // as it is on the disk when the power goes, nobody having ended anything
    fs::copy_file(part, copy);
    program.Signal(SIGKILL);
    EXPECT_EQ(program.Wait().exit, 137);
    EXPECT_GE(ProbeVideo(copy).frames, 10) << name;
    EXPECT_GE(ProbeVideo(part).frames, 10) << name;
  }
}

TEST_F(VideoCli, WhatCannotBeShownAtItsTimesIsRefused) {
  const ProgramResult gif = Render("conveyor", "a.gif", {"--to", "0.1", "--fps", "60"});
  EXPECT_EQ(gif.exit, 2);
  EXPECT_NE(gif.err.find("a GIF shows at most 50 frames a second"), std::string::npos) << gif.err;
  const ProgramResult speed = Render("conveyor", "a.mp4", {"--to", "0.1", "--speed", "0"});
  EXPECT_EQ(speed.exit, 2);
  EXPECT_NE(speed.err.find("--speed must be a number from"), std::string::npos) << speed.err;
}

TEST_F(VideoCli, AWrongSectionIsNamed) {
  ASSERT_EQ(Render("conveyor", "a/",
                   {"--region", "view", "--size", "64x64", "--to", "0.1", "--fps", "10"})
                .exit,
            0);
  std::string text = ReadText(folder_.path("a.json"));
  const std::size_t at = text.find("\"fps\": 10");
  ASSERT_NE(at, std::string::npos);
  WriteText(folder_.path("b.json"), text.replace(at, 9, "\"fbs\": 10"));
  const ProgramResult wrong = Render(folder_.path("b.json"), "b/", {});
  EXPECT_EQ(wrong.exit, 5);
  EXPECT_NE(wrong.err.find("unknown key 'fbs' in render"), std::string::npos) << wrong.err;
  EXPECT_FALSE(fs::exists(folder_.path("b")));
}

TEST(RenderSpec, ReadsBackWhatItWrites) {
  RenderSpec spec;
  spec.region = "view-plots";
  spec.width = 3840;
  spec.height = 2160;
  spec.fps = 29.97;
  spec.speed = 0.1;
  spec.from = 0.1;
  spec.to = 1.7000000000000002;
  spec.theme = "light";
  spec.scale = 2.4;
  spec.plots = {"normal_force", "slip_speed"};
  CameraSpec camera;
  camera.target = Vec3(0.1, 0.2, 0.30000000000000004);
  camera.azimuth = 1.0 / 3;
  spec.camera = camera;
  spec.orthographic = true;
  spec.follow_body = 2;
  spec.compare = "split-2";
  spec.lead = 1;
  spec.hidden = {0, 2};
  spec.quality = "balanced";
  spec.end_card = {"A box", "slipscope run box", "Slipscope"};
  spec.show = {"forces", "legend"};
  const Result<RenderSpec> read = ReadRenderSpec(FormatRenderSpec(spec), "a.json");
  ASSERT_TRUE(read.ok()) << read.error().Text();
  EXPECT_TRUE(*read == spec);
  // nothing switched on is not the same as nothing said
  spec.show.emplace();
  EXPECT_TRUE(*ReadRenderSpec(FormatRenderSpec(spec), "a.json") == spec);
  EXPECT_TRUE(*ReadRenderSpec("{}", "a.json") == RenderSpec{});
}

TEST(RenderSpec, CountsFramesAndKnowsTheirTimes) {
  RenderSpec spec;
  spec.fps = 30;
  spec.speed = 0.1;
  spec.from = 0.2;
  EXPECT_EQ(spec.Frames(0.5), 90);
  EXPECT_DOUBLE_EQ(spec.TimeOf(0), 0.2);
  EXPECT_DOUBLE_EQ(spec.TimeOf(90), 0.5);
  EXPECT_EQ(spec.Frames(0.2), 1);
}

TEST(RenderSpec, EveryMistakeIsNamedByItsKey) {
  const auto error = [](const std::string& text) {
    const Result<RenderSpec> read = ReadRenderSpec(text, "a.json");
    return read.ok() ? std::string() : read.error().message;
  };
  EXPECT_NE(error(R"({"size": [1920]})").find("render.size"), std::string::npos);
  EXPECT_NE(error(R"({"size": [1920, 10.5]})").find("render.size"), std::string::npos);
  EXPECT_NE(error(R"({"speed": 0})").find("render.speed"), std::string::npos);
  EXPECT_NE(error(R"({"quality": "good"})").find("render.quality"), std::string::npos);
  EXPECT_NE(error(R"({"region": "all"})").find("render.region"), std::string::npos);
  EXPECT_NE(error(R"({"camera": [0, 0, 0, -1, 0, 0, 0.4]})").find("render.camera"),
            std::string::npos);
  EXPECT_NE(error(R"({"hidden": [-1]})").find("render.hidden"), std::string::npos);
  EXPECT_NE(error(R"({"show": "forces"})").find("render.show"), std::string::npos);
  EXPECT_NE(error("[1]").find("render"), std::string::npos);
}

// names that we make up beside the video: what has them is not ours
TEST_F(VideoCli, WhatLiesBesideAVideoStaysAsItIs) {
  const Arguments small = {"-t", "0.2", "--fps", "10", "--size", "64x64", "--region", "view"};
  for (const bool forced : {false, true}) {
    const std::string name = forced ? "b.mp4" : "a.mp4", path = folder_.path(name);
    const std::string mine = folder_.path("mine.txt");
    WriteText(mine, "mine");
    fs::create_symlink("mine.txt", path + ".part.whole");
    WriteText(path + ".part.whole-2", "mine, too");
    WriteText(path + ".before", "before");
    Arguments more = small;
    if (forced) more.push_back("--force");
    const ProgramResult result = Render("conveyor", name, more);
    EXPECT_EQ(result.exit, 0) << result.err;
    EXPECT_EQ(ReadText(mine), "mine");
    EXPECT_TRUE(fs::is_symlink(path + ".part.whole"));
    EXPECT_EQ(ReadText(path + ".part.whole-2"), "mine, too");
    EXPECT_EQ(ReadText(path + ".before"), "before");
    EXPECT_FALSE(fs::is_symlink(path));
    EXPECT_EQ(ProbeVideo(path).frames, 2);
    // a whole file all the same: its index is before its frames, and it has no fragments
    const std::string video = ReadText(path);
    EXPECT_EQ(video.find("moof"), std::string::npos);
    EXPECT_LT(video.find("moov"), video.find("mdat"));
  }
}

TEST_F(VideoCli, AGifKeepsItsLastRowAndColumn) {
  for (const char* size : {"65x33", "64x33", "65x32"}) {
    const std::string name = std::string(size) + ".gif";
    const ProgramResult result =
        Render("conveyor", name, {"-t", "0.2", "--size", size, "--region", "view"});
    EXPECT_EQ(result.exit, 0) << result.err;
    const Probe probe = ProbeVideo(folder_.path(name));
    EXPECT_EQ(std::to_string(probe.width) + "x" + std::to_string(probe.height), size);
  }
}

TEST_F(VideoCli, AnEncoderThatWritesNothingMakesNoVideo) {
  const TempFolder programs;
  WriteText(programs.path("ffmpeg"), "#!/bin/sh\ncat >/dev/null\n");
  fs::permissions(programs.path("ffmpeg"), fs::perms::owner_all);
  Launch launch;
  launch.environment["PATH"] = programs.path() + ":/usr/bin:/bin";
  for (const char* name : {"a.mp4", "a.webm", "a.gif"}) {
    const ProgramResult result = RunProgram({"render", "conveyor", "-t", "0.2", "--size", "64x64",
                                             "--region", "view", "-o", folder_.path(name)},
                                            launch);
    EXPECT_EQ(result.exit, 6) << result.err;
    EXPECT_NE(result.err.find("ffmpeg ended well, and wrote nothing"), std::string::npos)
        << result.err;
    EXPECT_FALSE(fs::exists(folder_.path(name)));
    EXPECT_FALSE(fs::exists(folder_.path(name + std::string(".part"))));
  }
}

}  // namespace
}  // namespace slip::app
