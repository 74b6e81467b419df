// The render command from outside: pictures, frames and videos are whole or not there.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "render/video/frame_writer.h"
#include "render/video/video_writer.h"
#include "tests/support/program.h"

namespace slip {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;
using Clock = std::chrono::steady_clock;

class RenderCli : public ::testing::Test {
 protected:
  void SetUp() override {
    static const int exit = [] {
      const TempFolder folder;
      return RunProgram({"render", "conveyor", "--time", "0", "--region", "view", "--size", "64x64",
                         "-o", folder.path("a.png")})
          .exit;
    }();
    if (exit == 6) GTEST_SKIP() << "no off-screen OpenGL here";
  }
  /// A long one of small frames.
  static Arguments Video(const std::string& path) {
    return {"render", "conveyor", "-t",       "1000", "--size", "64x64",
            "--fps",  "10",       "--region", "view", "-o",     path};
  }
  /// An encoder that never reads and never ends.
  Launch Sleeper() const {
    WriteText(folder_.path("ffmpeg"), "#!/bin/sh\nsleep 1000\n");
    fs::permissions(folder_.path("ffmpeg"), fs::perms::owner_all);
    Launch launch;
    launch.environment["PATH"] = folder_.path() + ":/usr/bin:/bin";
    return launch;
  }
  std::size_t Count(const std::string& name) const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      count += entry.path().filename().string().starts_with(name) ? 1 : 0;
    return count;
  }

  TempFolder folder_;
};

TEST_F(RenderCli, AFullDiskKeepsTheFormerPicture) {
  const std::string path = folder_.path("a.png");
  const Arguments render = {"render",  "clutter", "--time", "0.1",    "--size",
                            "800x450", "-o",      path,     "--force"};
  ASSERT_EQ(RunProgram(render).exit, 0);
  const std::string before = ReadText(path);
  ASSERT_GT(before.size(), 10000u);
  Launch launch;
  launch.file_limit = 10000;
  const ProgramResult full = RunProgram(render, launch);
  EXPECT_EQ(full.exit, 1);
  EXPECT_NE(full.err.find("a.png: cannot be written: File too large"), std::string::npos)
      << full.err;
  EXPECT_EQ(ReadText(path), before);
  EXPECT_EQ(Count("a.png"), 1u);
  const ProgramResult frames = RunProgram(
      {"render", "clutter", "-t", "0.1", "--size", "800x450", "-o", folder_.path("frames/")},
      launch);
  EXPECT_EQ(frames.exit, 1);
  EXPECT_NE(frames.err.find("frame-000000.png: cannot be written: File too large"),
            std::string::npos)
      << frames.err;
  EXPECT_TRUE(fs::is_empty(folder_.path("frames")));
}

TEST_F(RenderCli, SwitchesOfThePictureByName) {
  const Arguments plain = {"render", "quadruped-stand", "--time", "0",      "--region",
                           "view",   "--size",          "160x90", "--force"};
  const auto shoot = [&](const std::string& name, const std::string& show) {
    Arguments render = plain;
    render.insert(render.end(), {"-o", folder_.path(name)});
    if (!show.empty()) render.insert(render.end(), {"--show", show});
    const ProgramResult result = RunProgram(render);
    EXPECT_EQ(result.exit, show.find("rubbish") == std::string::npos ? 0 : 2) << result.err;
    return result.err;
  };
  shoot("plain.png", "");
  shoot("same.png", "visual_meshes,no_collision_shapes");
  EXPECT_EQ(ReadText(folder_.path("plain.png")), ReadText(folder_.path("same.png")));
  for (const char* show : {"collision_shapes", "no_visual_meshes", "joint_axes,no_forces"}) {
    shoot("other.png", show);
    EXPECT_NE(ReadText(folder_.path("plain.png")), ReadText(folder_.path("other.png"))) << show;
  }
  const std::string err = shoot("wrong.png", "joint_axes,collision_rubbish");
  EXPECT_NE(err.find("--show: no switch 'collision_rubbish' (did you mean"), std::string::npos)
      << err;
  EXPECT_EQ(Count("wrong.png"), 0u);
}

TEST_F(RenderCli, AChannelThatStoppedIsSaid) {
  const Arguments stops = {
      "render", "sliding-box",    "-m",     "sap",   "-t",       "0.5",  "-p", "max_iterations=1",
      "-p",     "stiffness=1e11", "--size", "64x64", "--region", "view", "-o"};
  std::vector<std::string> outputs = {folder_.path("a.png"), folder_.path("frames/")};
  if (!render::VideoWriter::FindFfmpeg().empty()) outputs.push_back(folder_.path("a.mp4"));
  for (const std::string& output : outputs) {
    Arguments render = stops;
    render.insert(render.end(), {output, "--fps", "10"});
    const ProgramResult result = RunProgram(render);
    EXPECT_EQ(result.exit, 1) << output;
    EXPECT_NE(result.err.find("slipscope: Step 21 at t = 0.2 s (SAP, time step 0.01 s) failed in "
                              "body 'box': the solver ended"),
              std::string::npos)
        << output << "\n"
        << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(fs::exists(output));
  }
  Arguments before = stops;
  before.insert(before.end(), {folder_.path("b.png"), "--time", "0.1"});
  EXPECT_EQ(RunProgram(before).exit, 0);
  // a length in steps is the length of the video
  Arguments steps = stops;
  steps[4] = "--steps";
  steps[5] = "10";
  steps.insert(steps.end(), {folder_.path("few/"), "--fps", "10"});
  EXPECT_EQ(RunProgram(steps).exit, 0);
  EXPECT_TRUE(fs::exists(folder_.path("few/frame-000000.png")));
  EXPECT_FALSE(fs::exists(folder_.path("few/frame-000001.png")));
}

TEST_F(RenderCli, AFullDiskLeavesNoVideo) {
  if (render::VideoWriter::FindFfmpeg().empty()) GTEST_SKIP() << "ffmpeg is not installed";
  const std::string path = folder_.path("a.mp4");
  WriteText(path, "before");
  Launch launch;
  launch.file_limit = 2000;
  const ProgramResult full = RunProgram({"render", "clutter", "-t", "0.5", "--region", "view",
                                         "--size", "400x300", "--fps", "30", "-o", path, "--force"},
                                        launch);
  EXPECT_EQ(full.exit, 1) << full.err;
  EXPECT_NE(full.err.find("ffmpeg"), std::string::npos) << full.err;
  EXPECT_EQ(ReadText(path), "before");
  EXPECT_EQ(Count("a.mp4"), 1u);
}

TEST_F(RenderCli, AnInterruptedVideoDoesNotStandUnderItsName) {
  if (render::VideoWriter::FindFfmpeg().empty()) GTEST_SKIP() << "ffmpeg is not installed";
  const std::string path = folder_.path("a.mp4");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Program program(Video(path));
    ASSERT_TRUE(WaitFor([&] { return fs::exists(path + ".part"); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    program.Signal(signal);
    const ProgramResult result = program.Wait();
    EXPECT_EQ(result.exit, 128 + signal) << result.err;
    EXPECT_NE(result.err.find("interrupted; there is no video"), std::string::npos) << result.err;
    EXPECT_EQ(Count("a.mp4"), 0u);
  }
  Program program(Video(path));
  ASSERT_TRUE(WaitFor([&] { return fs::exists(path + ".part"); }));
  program.Signal(SIGKILL);
  EXPECT_EQ(program.Wait().exit, 137);
  EXPECT_FALSE(fs::exists(path));
  const ProgramResult again = RunProgram({"render", "conveyor", "-t", "0.1", "-o", path});
  EXPECT_EQ(again.exit, 2);
  EXPECT_NE(again.err.find("a.mp4.part: was left"), std::string::npos) << again.err;
  const ProgramResult forced = RunProgram({"render", "conveyor", "-t", "0.2", "--region", "view",
                                           "--size", "64x64", "-o", path, "--force"});
  EXPECT_EQ(forced.exit, 0) << forced.err;
  EXPECT_GT(fs::file_size(path), 500u);
}

TEST_F(RenderCli, AnEncoderThatDoesNotReadCannotHoldUs) {
  const Launch launch = Sleeper();
  const std::string path = folder_.path("a.mp4");
  // while frames are sent, and while its end is awaited
  Arguments brief = Video(path);
  brief[3] = "0.1";
  for (const Arguments& arguments : {Video(path), brief}) {
    Program program(arguments, launch);
    ASSERT_TRUE(WaitFor([&] { return fs::exists(path + ".part"); }));
    std::this_thread::sleep_for(std::chrono::seconds(3));
    const Clock::time_point signalled = Clock::now();
    program.Signal(SIGINT);
    EXPECT_EQ(program.Wait(60).exit, 130);
    EXPECT_LT(std::chrono::duration<double>(Clock::now() - signalled).count(), 20);
    EXPECT_EQ(Count("a.mp4"), 0u);
  }
}

TEST_F(RenderCli, AVanishedFolderIsAFailure) {
  if (render::VideoWriter::FindFfmpeg().empty()) GTEST_SKIP() << "ffmpeg is not installed";
  const std::string path = folder_.path("sub/a.mp4");
  fs::create_directories(folder_.path("sub"));
  Arguments arguments = Video(path);
  arguments[3] = "20";
  Program program(arguments);
  ASSERT_TRUE(WaitFor([&] { return fs::exists(path + ".part"); }));
  fs::remove_all(folder_.path("sub"));
  const ProgramResult result = program.Wait();
  EXPECT_EQ(result.exit, 1) << result.err;
  EXPECT_NE(result.err.find("No such file"), std::string::npos) << result.err;
}

TEST_F(RenderCli, ATemporaryFolderIsNotNeeded) {
  if (render::VideoWriter::FindFfmpeg().empty()) GTEST_SKIP() << "ffmpeg is not installed";
  Launch launch;
  launch.environment["TMPDIR"] = "/nonexistent";
  const ProgramResult result = RunProgram({"render", "conveyor", "-t", "0.1", "--region", "view",
                                           "--size", "64x64", "-o", folder_.path("a.mp4")},
                                          launch);
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_EQ(Count("a.mp4"), 2u);  // and the file that makes it again
}

TEST_F(RenderCli, OtherEndingsAreRefused) {
  for (const char* name : {"a.jpg", "a.avi", "a.v2"}) {
    const ProgramResult result =
        RunProgram({"render", "conveyor", "-t", "0.1", "-o", folder_.path(name)});
    EXPECT_EQ(result.exit, 2) << result.err;
    EXPECT_NE(result.err.find("use .png, .mp4, .webm, .gif, or a folder"), std::string::npos)
        << result.err;
    EXPECT_EQ(Count(name), 0u);
  }
}

TEST_F(RenderCli, FramesGoIntoAFolderThatIsTheirs) {
  const std::string frames = folder_.path("frames");
  const auto render = [&](const char* length, const Arguments& more = {}) {
    Arguments all = {"render",   "conveyor", "-t",     length,  "--fps", "10",
                     "--region", "view",     "--size", "64x64", "-o",    frames};
    all.insert(all.end(), more.begin(), more.end());
    return RunProgram(all);
  };
  const auto count = [&] {
    return std::distance(fs::directory_iterator(frames), fs::directory_iterator());
  };
  ASSERT_EQ(render("0.5").exit, 0);
  EXPECT_EQ(count(), 5);
  EXPECT_TRUE(render::ReadPng(frames + "/frame-000004.png").ok());
  const std::string before = ReadText(frames + "/frame-000000.png");
  EXPECT_EQ(render("0.3").exit, 2);
  EXPECT_EQ(count(), 5);
  EXPECT_EQ(ReadText(frames + "/frame-000000.png"), before);
  // a shorter series leaves nothing of the longer one behind
  EXPECT_EQ(render("0.3", {"--force", "--theme", "light"}).exit, 0);
  EXPECT_EQ(count(), 3);
  EXPECT_NE(ReadText(frames + "/frame-000000.png"), before);
}

TEST_F(RenderCli, OnlyPicturesOfTheViewAreTransparent) {
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"-o", "a.png"}, {"--region", "view", "-o", "a.mp4"}}) {
    std::vector<std::string> words = {"render", "conveyor", "--transparent"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    const ProgramResult refused = RunProgram(words);
    EXPECT_EQ(refused.exit, 2) << refused.err;
    EXPECT_NE(refused.err.find("--transparent"), std::string::npos) << refused.err;
  }
}

TEST_F(RenderCli, AWindowTooSmallToBeReadIsRefused) {
  const std::string path = folder_.path("small.png");
  const ProgramResult small =
      RunProgram({"render", "conveyor", "--time", "0", "--size", "320x200", "-o", path});
  EXPECT_EQ(small.exit, 2);
  EXPECT_NE(small.err.find("800x450"), std::string::npos) << small.err;
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(RunProgram({"render", "conveyor", "--time", "0", "--size", "1600x900", "--scale", "2.1",
                        "-o", path})
                .exit,
            2);
  EXPECT_EQ(RunProgram({"render", "conveyor", "--time", "0", "--region", "view", "--size",
                        "320x200", "-o", path})
                .exit,
            0);
}

}  // namespace
}  // namespace slip
