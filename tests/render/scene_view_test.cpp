// Pictures: they come up without an X server, differ where they should, and survive odd input.
#include "render/frame/scene_view.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <set>

#include "render/gl/gl.h"
#include "render/gl/offscreen.h"
#include "render/quantities/contact_glyphs.h"
#include "render/quantities/picking.h"
#include "render/video/frame_writer.h"
#include "render/video/video_writer.h"
#include "tests/render/fake_scene.h"

namespace slip::render {
namespace {

class SceneViewTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto context = OffscreenContext::Create();
    if (!context) GTEST_SKIP() << context.error().Text();
    context_ = std::move(context).value();
    auto view = SceneView::Create();
    ASSERT_TRUE(view.ok()) << view.error().Text();
    view_ = std::move(view).value();
    request_.quality = Quality::kLow;
    request_.msaa = 0;
    request_.fan_out = 0.25;
  }

  Image Shoot(int width = 320, int height = 200) {
    const ViewPicture& picture = view_->Draw(snapshot_, Camera(camera_), request_, width, height);
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    return ReadPixels(picture.framebuffer, picture.width, picture.height);
  }

  static std::size_t Tones(const Image& image) {
    std::set<uint32_t> tones;
    for (std::size_t i = 0; i + 3 < image.pixels.size(); i += 4) {
      tones.insert(static_cast<uint32_t>(image.pixels[i] << 16 | image.pixels[i + 1] << 8 |
                                         image.pixels[i + 2]));
    }
    return tones.size();
  }

  std::unique_ptr<OffscreenContext> context_;
  std::unique_ptr<SceneView> view_;
  Snapshot snapshot_ = MakeConveyorSnapshot();
  CameraSpec camera_ = ConveyorCamera();
  ViewRequest request_;
};

TEST_F(SceneViewTest, DrawsSomethingAndThemesDiffer) {
  const Image dark = Shoot();
  EXPECT_GT(Tones(dark), 50u);
  request_.theme = Theme::kLight;
  EXPECT_NE(dark.pixels, Shoot().pixels);
}

TEST_F(SceneViewTest, EveryQualityWorks) {
  for (Quality quality : {Quality::kLow, Quality::kMedium, Quality::kHigh}) {
    for (int msaa : {0, 4, 64}) {
      request_.quality = quality;
      request_.msaa = msaa;
      EXPECT_GT(Tones(Shoot()), 50u);
    }
  }
}

TEST_F(SceneViewTest, SlatsMoveWithTheBelt) {
  const Image before = Shoot();
  snapshot_.channels[0].time += 0.02;
  EXPECT_NE(before.pixels, Shoot().pixels);
}

TEST_F(SceneViewTest, SameInputSamePicture) { EXPECT_EQ(Shoot().pixels, Shoot().pixels); }

TEST_F(SceneViewTest, ZeroSizeAndEmptySnapshot) {
  EXPECT_EQ(view_->Draw(snapshot_, Camera(camera_), request_, 0, 100).texture, 0u);
  EXPECT_EQ(view_->Draw(snapshot_, Camera(camera_), request_, 100, -3).texture, 0u);
  EXPECT_EQ(Shoot(1, 1).width, 1);
  snapshot_ = Snapshot{};
  EXPECT_EQ(Tones(Shoot()), 1u);
}

TEST_F(SceneViewTest, SurvivesNonFiniteAndFarBodies) {
  snapshot_.channels[0].bodies[0].X_WB.p.x() = std::numeric_limits<double>::quiet_NaN();
  snapshot_.channels[0].contacts[0].p_W.z() = std::numeric_limits<double>::infinity();
  snapshot_.channels[0].contacts[0].fn = std::numeric_limits<double>::quiet_NaN();
  snapshot_.channels[1].bodies[0].X_WB.p.x() = 1e9;
  snapshot_.channels[1].contacts[0].p_W.x() = -1e12;
  snapshot_.channels[2].bodies.clear();
  EXPECT_GT(Tones(Shoot()), 50u);
}

TEST_F(SceneViewTest, FourChannelsAllOptions) {
  snapshot_.channels.push_back(snapshot_.channels[0]);
  request_.friction_cone = request_.slip_velocity = request_.com_marks = true;
  request_.coulomb_distance = true;
  for (ChannelFrame& frame : snapshot_.channels)
    for (ContactFrame& contact : frame.contacts) contact.coulomb.distance = 3;
  request_.wireframe = request_.transparent = true;
  for (ArrowScale scale :
       {ArrowScale::kFixed, ArrowScale::kLinear, ArrowScale::kLog, ArrowScale::kAuto}) {
    request_.arrow_scale = scale;
    EXPECT_GT(Tones(Shoot()), 50u);
  }
}

TEST_F(SceneViewTest, RestoresTheCallersState) {
  glEnable(GL_SCISSOR_TEST);
  glScissor(1, 2, 3, 4);
  glDisable(GL_DEPTH_TEST);
  Shoot();
  GLint box[4] = {};
  glGetIntegerv(GL_SCISSOR_BOX, box);
  EXPECT_EQ(box[2], 3);
  EXPECT_TRUE(glIsEnabled(GL_SCISSOR_TEST));
  EXPECT_FALSE(glIsEnabled(GL_DEPTH_TEST));
  GLint framebuffer = -1;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &framebuffer);
  EXPECT_EQ(framebuffer, 0);
}

TEST_F(SceneViewTest, SixForceLabelsAtMost) {
  for (int i = 0; i < 20; ++i) {
    snapshot_.channels[0].contacts.push_back(
        FakeContact(Vec3(0.01 * i, 0, 0), 1 + i, 1, ContactMode::kSlip));
  }
  const auto& picture = view_->Draw(snapshot_, Camera(camera_), request_, 320, 200);
  int forces = 0;
  for (const LabelAnchor& label : picture.labels) forces += label.kind != LabelKind::kBeltSpeed;
  EXPECT_EQ(forces, kMaxForceLabels);
  EXPECT_EQ(picture.labels.front().value, 20);
}

TEST(GlyphTest, ArrowsStandWhereTheBodyIsDrawn) {
  Snapshot snapshot = MakeConveyorSnapshot();
  ChannelFrame& frame = snapshot.channels[0];
  ContactFrame& contact = frame.contacts[0];
  // found at the step's start, 10 cm behind
  contact.p_BP = contact.p_W - frame.bodies[0].X_WB.p;
  contact.p_W.x() -= 0.1;
  ViewRequest request;
  request.solo = 0;
  request.belt_velocity = false;
  const Camera camera(ConveyorCamera());
  const DrawContext context{snapshot, request, camera, {920, 524}, ColoursOf(request.theme)};
  DrawList list;
  AppendGlyphs(context, &list);
  ASSERT_EQ(list.arrows.size(), 2u);
  for (const ArrowInstance& arrow : list.arrows)
    EXPECT_NEAR(static_cast<double>(arrow.origin[0]), 0.1 - camera.spec().target.x(), 1e-6);
  EXPECT_NEAR(static_cast<double>(list.marks.at(0).rows[0][3]), 0.1 - camera.spec().target.x(),
              1e-6);
}

TEST(PickingTest, BoxCentreAndFanOut) {
  const Snapshot snapshot = MakeConveyorSnapshot();
  ViewRequest request;
  request.fan_out = 0.4;
  const Camera camera(ConveyorCamera());
  const Viewport viewport{920, 524};
  for (int channel = 0; channel < 3; ++channel) {
    const Pose pose = DrawnPose(snapshot, request, channel, 0);
    const auto pixel = camera.Project(pose.p, viewport);
    ASSERT_TRUE(pixel.has_value());
    const auto hit = PickBody(snapshot, request, camera, viewport, pixel->head<2>());
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->channel, channel);
    EXPECT_NEAR(hit->p_BP.cwiseAbs().maxCoeff(), 0.1, 1e-9);
    EXPECT_NEAR((hit->p_drawn - hit->p_W).y(), channel * 0.4, 1e-12);
  }
  EXPECT_FALSE(PickBody(snapshot, request, camera, viewport, Vec2(2, 2)).has_value());
  const auto contact = camera.Project(snapshot.channels[0].contacts[0].p_W, viewport);
  ASSERT_TRUE(contact.has_value());
  const auto hit =
      PickContact(snapshot, request, camera, viewport, contact->head<2>() + Vec2(3, 0));
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->channel, 0);
}

TEST(PickingTest, SphereAndCapsule) {
  Shape sphere{.kind = ShapeKind::kSphere, .radius = 0.2};
  EXPECT_NEAR(*HitShape({Vec3(-1, 0, 0), Vec3::UnitX()}, sphere), 0.8, 1e-12);
  EXPECT_FALSE(HitShape({Vec3(-1, 0.3, 0), Vec3::UnitX()}, sphere).has_value());
  Shape capsule{.kind = ShapeKind::kCapsule, .radius = 0.1, .length = 1};
  EXPECT_NEAR(*HitShape({Vec3(-2, 0, 0), Vec3::UnitX()}, capsule), 1.4, 1e-12);
  EXPECT_NEAR(*HitShape({Vec3(0.3, -1, 0), Vec3::UnitY()}, capsule), 0.9, 1e-12);
}

class WriterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "slip_writer_test";
    std::filesystem::create_directories(folder_);
    image_.width = 33;  // odd on purpose: 4:2:0 needs even sizes
    image_.height = 21;
    image_.pixels.assign(4 * 33 * 21, 128);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
  Image image_;
};

TEST_F(WriterTest, PngAndScaling) {
  const auto path = (folder_ / "a.png").string();
  EXPECT_TRUE(WritePng(image_, path, false).ok());
  EXPECT_GT(std::filesystem::file_size(path), 50u);
  EXPECT_FALSE(WritePng(image_, (folder_ / "no" / "a.png").string(), false).ok());
  EXPECT_FALSE(WritePng(Image{}, path, true).ok());
  const Image half = Resize(image_, 16, 10);
  EXPECT_EQ(half.width, 16);
  EXPECT_EQ(half.pixels[5], 128);
  EXPECT_EQ(Crop(image_, 30, 20, 10, 10).width, 3);
  EXPECT_TRUE(Crop(image_, 90, 20, 10, 10).empty());
}

TEST_F(WriterTest, SequenceOfPictures) {
  auto writer = VideoWriter::Create((folder_ / "run.png").string(), {.frames_per_second = 30});
  ASSERT_TRUE(writer.ok());
  EXPECT_TRUE(writer.value().Add(image_).ok());
  EXPECT_TRUE(writer.value().Add(Resize(image_, 40, 40)).ok());
  EXPECT_TRUE(writer.value().Finish().ok());
  EXPECT_TRUE(std::filesystem::exists(folder_ / "run-000001.png"));
}

TEST_F(WriterTest, VideoOfOddSize) {
  if (VideoWriter::FindFfmpeg().empty()) GTEST_SKIP() << "ffmpeg is not installed";
  const auto path = (folder_ / "run.mp4").string();
  auto writer = VideoWriter::Create(path, {.frames_per_second = 30});
  ASSERT_TRUE(writer.ok());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(writer.value().Add(image_).ok());
  const Status finished = writer.value().Finish();
  EXPECT_TRUE(finished.ok()) << finished.error().Text();
  EXPECT_GT(std::filesystem::file_size(path), 500u);
}

TEST_F(WriterTest, EncoderErrorsAreSentences) {
  if (VideoWriter::FindFfmpeg().empty()) GTEST_SKIP() << "ffmpeg is not installed";
  EXPECT_FALSE(VideoWriter::Create((folder_ / "no" / "run.mp4").string(), {}).ok());
  std::filesystem::create_directories(folder_ / "sub");
  auto writer = VideoWriter::Create((folder_ / "sub" / "run.mp4").string(), {});
  ASSERT_TRUE(writer.ok());
  std::filesystem::remove_all(folder_ / "sub");
  // the encoder dies at once: writing must fail, not kill us with SIGPIPE
  Status status = Ok{};
  for (int i = 0; i < 2000 && status; ++i) status = writer.value().Add(image_);
  if (status) status = writer.value().Finish();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("No such file"), std::string::npos)
      << status.error().Text();
}

TEST_F(WriterTest, AVideoThatIsDroppedLeavesNothing) {
  if (VideoWriter::FindFfmpeg().empty()) GTEST_SKIP() << "ffmpeg is not installed";
  const auto path = folder_ / "run.mp4";
  {
    auto writer = VideoWriter::Create(path.string(), {});
    ASSERT_TRUE(writer.ok());
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(writer.value().Add(image_).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  auto none = VideoWriter::Create(path.string(), {});
  EXPECT_FALSE(none.value().Finish().ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(WriterTest, MissingFfmpegIsNamed) {
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  setenv("PATH", folder_.c_str(), 1);
  const auto writer =
      VideoWriter::Create((folder_ / "run.mp4").string(), {.frames_per_second = 30});
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(writer.ok());
  EXPECT_NE(writer.error().message.find("ffmpeg"), std::string::npos);
}

TEST_F(SceneViewTest, SmoothEdgesAreBetweenTheirSidesAndTheRestStays) {
  request_.forces = request_.contact_points = request_.belt_velocity = request_.outlines = false;
  request_.quality = Quality::kLow;
  request_.msaa = 4;
  request_.smooth = false;
  const Image sampled = Shoot();
  request_.smooth = true;
  EXPECT_EQ(Shoot().pixels, sampled.pixels) << "where there is one sample a pixel only";
  request_.msaa = 1;
  const Image smooth = Shoot();
  request_.smooth = false;
  const Image plain = Shoot();
  int changed = 0;
  double before = 0, after = 0;
  for (std::size_t i = 0; i < plain.pixels.size(); i += 4) {
    changed += std::abs(plain.pixels[i] - smooth.pixels[i]) > 4 ? 1 : 0;
    if (std::abs(plain.pixels[i] - sampled.pixels[i]) < 16) continue;  // no stairs
    before += std::abs(plain.pixels[i] - sampled.pixels[i]);
    after += std::abs(smooth.pixels[i] - sampled.pixels[i]);
  }
  EXPECT_GT(changed, 40) << "edges";
  EXPECT_GT(before, 0);
  EXPECT_LT(changed, 320 * 200 / 10) << "the rest";
  EXPECT_LT(after, 0.9 * before) << "nearer to what four samples show";
}

TEST_F(SceneViewTest, OcclusionDarkensWhereTheBoxStandsAndNothingInTheOpen) {
  request_.forces = request_.contact_points = request_.belt_velocity = request_.outlines = false;
  request_.visible = {false, true, false, false};  // the one that touches
  request_.lead = 1;
  request_.occlusion = true;
  request_.quality = Quality::kMedium;
  const Image without = Shoot();
  request_.occlusion = false;
  EXPECT_EQ(Shoot().pixels, without.pixels) << "at high quality only";
  request_.quality = Quality::kHigh;
  for (const int samples : {0, 4}) {
    request_.msaa = samples;
    request_.occlusion = false;
    const Image plain = Shoot();
    request_.occlusion = true;
    const Image dark = Shoot();
    int darker = 0, same = 0;
    for (std::size_t i = 0; i < plain.pixels.size(); i += 4) {
      EXPECT_LE(dark.pixels[i], plain.pixels[i] + 1) << "it adds no light";
      darker += dark.pixels[i] + 8 < plain.pixels[i] ? 1 : 0;
      same += std::abs(dark.pixels[i] - plain.pixels[i]) <= 2 ? 1 : 0;
    }
    EXPECT_GT(darker, 40) << "corners";
    EXPECT_GT(same, 320 * 200 * 8 / 10) << "the open";
  }
}

}  // namespace
}  // namespace slip::render
