// Pictures of scenes: made beside the running window, kept on disk, renewed when the file changes.
#include "app/view/thumbnails.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "render/video/frame_writer.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

class ThumbnailsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "slipscope-thumbnails";
    fs::remove_all(folder_);
    auto ui = OffscreenUi::Create({}, 1280, 900);
    if (!ui.ok()) GTEST_SKIP() << "no off-screen OpenGL here";
    ui_ = std::move(ui).value();
    EnableWidgetRegistry(true);
    ui_->ui().thumbnails.set_folder(folder_.string());
  }
  void TearDown() override { fs::remove_all(folder_); }
  template <class Condition>
  bool FramesUntil(Condition condition) {
    for (int i = 0; i < 600; ++i) {
      ui_->Frame(0);
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  std::vector<fs::path> Kept() const {
    std::vector<fs::path> files;
    std::error_code code;
    for (fs::directory_iterator it(folder_, code), end; !code && it != end; ++it)
      files.push_back(it->path());
    return files;
  }

  fs::path folder_;
  std::unique_ptr<OffscreenUi> ui_;
};

TEST_F(ThumbnailsTest, ThePickerShowsAFrameAndThenThePicture) {
  ui_->ui().requests.Do(Action::kOpenScene);
  ui_->Frame(0);
  ui_->Frame(0);
  EXPECT_NE(FindWidget("scenes/conveyor-constant/frame"), nullptr)
      << "it must not wait for pictures";
  ASSERT_TRUE(
      FramesUntil([] { return FindWidget("scenes/conveyor-constant/picture") != nullptr; }));
  ASSERT_TRUE(FramesUntil([&] { return !ui_->ui().thumbnails.busy(); }));
  const std::vector<fs::path> files = Kept();
  ASSERT_GE(files.size(), 2u);
  for (const fs::path& file : files) {
    ASSERT_EQ(file.extension(), ".png") << "nothing half written stays";
    const auto image = render::ReadPng(file.string());
    ASSERT_TRUE(image.ok());
    EXPECT_EQ(image->width, Thumbnails::kWidth);
    EXPECT_EQ(image->height, Thumbnails::kHeight);
    std::set<uint32_t> colours;
    for (std::size_t i = 0; i + 3 < image->pixels.size(); i += 4) {
      colours.insert(static_cast<uint32_t>(image->pixels[i]) << 16 |
                     static_cast<uint32_t>(image->pixels[i + 1]) << 8 | image->pixels[i + 2]);
    }
    EXPECT_GT(colours.size(), 50u) << file << " is nearly empty";
  }
  // only what is in sight was asked for
  EXPECT_LT(files.size(), ListScenes().size());
}

TEST_F(ThumbnailsTest, APictureFollowsTheContentOfItsFile) {
  const auto conveyor = FindScene("conveyor");
  ASSERT_TRUE(conveyor.ok());
  std::ifstream in((*conveyor)->file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const fs::path own = fs::path(testing::TempDir()) / "own-scene.toml";
  std::ofstream(own) << text;
  Thumbnails& thumbnails = ui_->ui().thumbnails;
  const auto made = [&] {
    thumbnails.Update(&ui_->ui().panes);
    return thumbnails.Texture(own.string(), render::Theme::kDark) != 0 && !thumbnails.busy();
  };
  EXPECT_EQ(thumbnails.Texture(own.string(), render::Theme::kDark), 0u);
  ASSERT_TRUE(FramesUntil(made));
  EXPECT_EQ(Kept().size(), 1u);
  // the same text again, newer: no new picture
  fs::last_write_time(own, fs::last_write_time(own) + std::chrono::seconds(5));
  EXPECT_TRUE(made());
  EXPECT_EQ(Kept().size(), 1u);
  std::ofstream(own) << text << "\n# changed\n";
  fs::last_write_time(own, fs::last_write_time(own) + std::chrono::seconds(10));
  thumbnails.Texture(own.string(), render::Theme::kDark);
  EXPECT_TRUE(thumbnails.busy());
  ASSERT_TRUE(FramesUntil(made));
  EXPECT_EQ(Kept().size(), 2u);
  // a broken file has none
  std::ofstream(own) << "time_step = ";
  fs::last_write_time(own, fs::last_write_time(own) + std::chrono::seconds(20));
  thumbnails.Texture(own.string(), render::Theme::kLight);
  ASSERT_TRUE(FramesUntil([&] {
    thumbnails.Update(&ui_->ui().panes);
    return !thumbnails.busy();
  }));
  EXPECT_EQ(thumbnails.Texture(own.string(), render::Theme::kLight), 0u);
  EXPECT_TRUE(FramesUntil([&] { return !thumbnails.busy(); }));
  fs::remove(own);
}

TEST_F(ThumbnailsTest, APictureComesBackFromTheDisk) {
  const std::string file = (*FindScene("sliding-box"))->file;
  const auto make = [&](Thumbnails* thumbnails) {
    return FramesUntil([&] {
      thumbnails->Update(&ui_->ui().panes);
      return thumbnails->Texture(file, render::Theme::kDark) != 0;
    });
  };
  ASSERT_TRUE(make(&ui_->ui().thumbnails));
  ASSERT_EQ(Kept().size(), 1u);
  // marked, to tell it from one that is drawn anew
  const auto kept = render::ReadPng(Kept()[0].string());
  ASSERT_TRUE(kept.ok());
  render::Image image = *kept;
  std::fill(image.pixels.begin(), image.pixels.end(), uint8_t{200});
  ASSERT_TRUE(render::WritePng(image, Kept()[0].string(), true).ok());
  const auto before = fs::last_write_time(Kept()[0]);
  Thumbnails second;
  second.set_folder(folder_.string());
  ASSERT_TRUE(make(&second));
  EXPECT_EQ(fs::last_write_time(Kept()[0]), before);
  second.Stop();
}

}  // namespace
}  // namespace slip::app
