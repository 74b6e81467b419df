// Frames that come when they come, in a video of constant rate.
#include "render/video/live_video.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "render/video/frame_writer.h"
#include "tests/support/program.h"
#include "tests/support/video.h"

namespace slip::render {
namespace {

namespace fs = std::filesystem;

Image Grey(int value, int width = 8, int height = 4) {
  Image image{width, height, {}};
  image.pixels.assign(static_cast<std::size_t>(4 * width * height), static_cast<uint8_t>(value));
  return image;
}

bool WaitUntilDone(const LiveVideo& video) {
  return WaitFor([&] { return video.done(); });
}

/// Its grey values, frame by frame.
std::vector<int> GreysIn(const std::string& folder) {
  std::vector<int> greys;
  for (int i = 0;; ++i) {
    char name[32];
    std::snprintf(name, sizeof name, "/frame-%06d.png", i);
    if (!fs::exists(folder + name)) return greys;
    const Result<Image> image = ReadPng(folder + name);
    greys.push_back(image.ok() ? image->At(image->width / 2, image->height / 2)[0] : -1);
  }
}

TEST(LiveVideo, MissingFramesAreRepeatedAndThoseWithoutAPlaceSkipped) {
  const TempFolder folder;
  auto video = LiveVideo::Start(folder.path("frames/"), {.frames_per_second = 10});
  ASSERT_TRUE(video.ok());
  LiveVideo& live = **video;
  live.Add(Grey(10), 0);
  EXPECT_FALSE(live.Wants(0.04)) << "nearest to the place of the first";
  live.Add(Grey(20), 0.04);
  EXPECT_TRUE(live.Wants(0.06));
  live.Add(Grey(30), 0.06);
  live.Add(Grey(40), 0.4);
  live.AddStill(Grey(50), 0.2);
  live.Finish(0);
  ASSERT_TRUE(WaitUntilDone(live));
  EXPECT_TRUE(live.status().ok());
  EXPECT_EQ(live.frames(), 7);
  EXPECT_EQ(live.repeated(), 2);
  EXPECT_EQ(live.skipped(), 1);
  EXPECT_EQ(GreysIn(folder.path("frames")), (std::vector<int>{10, 30, 30, 30, 40, 50, 50}));
}

TEST(LiveVideo, TheLastFrameStandsUntilItIsStopped) {
  const TempFolder folder;
  auto video = LiveVideo::Start(folder.path("frames/"), {.frames_per_second = 10});
  ASSERT_TRUE(video.ok());
  (*video)->Add(Grey(10), 0);
  (*video)->Finish(0.3);
  ASSERT_TRUE(WaitUntilDone(**video));
  EXPECT_EQ((*video)->frames(), 3);
  EXPECT_EQ(GreysIn(folder.path("frames")), (std::vector<int>{10, 10, 10}));
}

TEST(LiveVideo, AFrameOfAnotherShapeGetsBlackBars) {
  const TempFolder folder;
  auto video = LiveVideo::Start(folder.path("frames/"), {.frames_per_second = 10});
  ASSERT_TRUE(video.ok());
  (*video)->Add(Grey(200, 8, 4), 0);
  (*video)->Add(Grey(200, 4, 4), 0.1);
  (*video)->Finish(0);
  ASSERT_TRUE(WaitUntilDone(**video));
  const Result<Image> image = ReadPng(folder.path("frames/frame-000001.png"));
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->width, 8);
  EXPECT_EQ(image->height, 4);
  EXPECT_EQ(image->At(1, 2)[0], 0);
  EXPECT_EQ(image->At(2, 2)[0], 200);
  EXPECT_EQ(image->At(5, 2)[0], 200);
  EXPECT_EQ(image->At(6, 2)[0], 0);
}

TEST(LiveVideo, IsScaledByTheEncoderAndLastsAsLongAsTheClockSaid) {
  if (!CanProbeVideos()) GTEST_SKIP() << "ffmpeg is not installed";
  for (const char* name : {"a.mp4", "a.webm", "a.gif"}) {
    const TempFolder folder;
    auto video =
        LiveVideo::Start(folder.path(name), {.frames_per_second = 25, .width = 128, .height = 72});
    ASSERT_TRUE(video.ok());
    for (int i = 0; i < 10; ++i) {
      (*video)->Add(Grey(20 * i, 64, 64), 0.1 * i);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    (*video)->Finish(1);
    ASSERT_TRUE(WaitUntilDone(**video));
    EXPECT_TRUE((*video)->status().ok()) << (*video)->status().error().Text();
    const Probe probe = ProbeVideo(folder.path(name));
    EXPECT_EQ(probe.width, 128) << name;
    EXPECT_EQ(probe.height, 72) << name;
    EXPECT_EQ(probe.frames, 25) << name;
    EXPECT_NEAR(probe.duration, 1, 0.02) << name;
    const std::vector<std::string> frames = UnpackVideo(folder.path(name), folder.path("u"));
    ASSERT_EQ(frames.size(), 25u) << name;
    const Result<Image> last = ReadPng(frames.back());
    ASSERT_TRUE(last.ok());
    EXPECT_NEAR(last->At(64, 36)[0], 180, 6) << name;
    EXPECT_LT(last->At(10, 36)[0], 20) << "a square picture has bars in " << name;
  }
}

TEST(LiveVideo, WhatIsCancelledLeavesNothing) {
  if (!CanProbeVideos()) GTEST_SKIP() << "ffmpeg is not installed";
  const TempFolder folder;
  auto video = LiveVideo::Start(folder.path("a.mp4"), {.frames_per_second = 25});
  ASSERT_TRUE(video.ok());
  (*video)->Add(Grey(10, 64, 64), 0);
  (*video)->Cancel();
  ASSERT_TRUE(WaitUntilDone(**video));
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(LiveVideo, AnEncoderThatEndsIsNoticed) {
  if (!CanProbeVideos()) GTEST_SKIP() << "ffmpeg is not installed";
  const TempFolder folder;
  // twice the same name: the second writer is refused
  auto video = LiveVideo::Start(folder.path("a.mp4"), {.frames_per_second = 25});
  ASSERT_TRUE(video.ok());
  EXPECT_FALSE(LiveVideo::Start(folder.path("a.mp4"), {.frames_per_second = 25}).ok());
  (*video)->Finish(0);
  ASSERT_TRUE(WaitUntilDone(**video));
  EXPECT_TRUE((*video)->failed()) << "a video needs a frame";
}

}  // namespace
}  // namespace slip::render
