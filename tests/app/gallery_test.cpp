// The page with every widget: draws at all scales and themes without clipped text or index
// overflow. SLIP_PICTURES=1 leaves the pictures in the build folder.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/support/folders.h"
#include "tests/support/ui_gallery.h"
#include "tests/support/ui_harness.h"

namespace slip::test {
namespace {

struct Case {
  const char* name;
  float scale;
  app::Theme theme;
};

class Gallery : public testing::TestWithParam<Case> {};

TEST_P(Gallery, DrawsWithoutClippedText) {
  UiHarness::Options options;
  options.scale = GetParam().scale;
  options.theme = GetParam().theme;
  options.width = static_cast<int>(1600 * options.scale);
  options.height = static_cast<int>(900 * options.scale);
  options.pictures = std::getenv("SLIP_PICTURES") != nullptr;
  UiHarness ui(options);
  if (!ui.ok()) GTEST_SKIP() << "no off-screen OpenGL";
  UiGallery gallery;
  ui.Frames(3, [&] { gallery.Draw(); });
  EXPECT_EQ(app::ClippedWidgets(), std::vector<std::string>());
  EXPECT_GT(ui.vertices(), 5000);
  EXPECT_LT(ui.largest_command_vertices(), 65536);
  if (options.pictures) {
    EXPECT_TRUE(ui.SavePng(BuildFolder() + "/gallery_" + GetParam().name + ".png"));
  }
}

TEST(GalleryCursor, ShowsTheTableBetweenTwoCursors) {
  UiHarness::Options options;
  options.width = 1600;
  options.height = 900;
  options.pictures = std::getenv("SLIP_PICTURES") != nullptr;
  UiHarness ui(options);
  if (!ui.ok()) GTEST_SKIP() << "no off-screen OpenGL";
  UiGallery gallery;
  const auto draw = [&] { gallery.Draw(); };
  ui.Frames(2, draw);
  ui.Keys(false, true);
  ASSERT_TRUE(ui.Click("plot/gap/well", draw, {0.2f, 0.5f}));
  ui.Keys(false, false);
  ASSERT_TRUE(gallery.x.anchor.has_value());
  const app::WidgetRecord* well = app::FindWidget("plot/gap/well");
  ASSERT_NE(well, nullptr);
  ui.MoveMouse({well->min.x + 150, well->min.y + 40});
  ui.Frames(3, draw);
  EXPECT_NEAR(*gallery.x.hover - *gallery.x.anchor, 1.0, 0.5);
  if (options.pictures) ui.SavePng(BuildFolder() + "/gallery_cursor.png");

  // resting on a slider brings its tool tip
  const app::WidgetRecord* slider = app::FindWidget("param/relaxation_time/slider");
  ASSERT_NE(slider, nullptr);
  ui.MoveMouse({slider->min.x + 40, slider->min.y + 12});
  ui.Frames(40, draw);
  EXPECT_FALSE(gallery.x.hover.has_value());
  if (options.pictures) ui.SavePng(BuildFolder() + "/gallery_tooltip.png");
}

INSTANTIATE_TEST_SUITE_P(All, Gallery,
                         testing::Values(Case{"dark_1", 1.0f, app::Theme::kDark},
                                         Case{"light_1", 1.0f, app::Theme::kLight},
                                         Case{"dark_1.5", 1.5f, app::Theme::kDark},
                                         Case{"dark_2", 2.0f, app::Theme::kDark},
                                         Case{"light_2", 2.0f, app::Theme::kLight}),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           for (char& c : name) c = c == '.' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace slip::test
