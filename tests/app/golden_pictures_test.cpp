// What each scene shows three and ten seconds after it was opened and left alone, as a person sees
// it: kept as pictures, compared with a tolerance for other renderers and fonts.
// tests/run --golden writes them (SLIPSCOPE_GOLDEN=write).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "engine/sim/part_signals.h"
#include "render/video/frame_writer.h"
#include "tests/support/folders.h"
#include "tests/support/methods.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

const std::string kFolder = SourceFolder() + "/tests/golden/pictures/";
constexpr int kKeptHeight = 225;  ///< of a picture that is kept [px]
constexpr double kFrame = 1.0 / 30;
/// Levels of 255 by which the mean may differ, and share of pixels that may differ by more than
/// kFar levels.
constexpr double kMean = 2.5, kShare = 0.02;
constexpr int kFar = 48;

/// When, and in which window, a scene is looked at.
struct Look {
  const char* name;
  double seconds;
  int width, height;
  double scale;
  Theme theme;
};
constexpr std::array<Look, 2> kLooks = {
    {{"3s", 3, 1600, 900, 1, Theme::kDark}, {"10s", 10, 1280, 720, 1, Theme::kLight}}};
/// Of the first scene of each kind also at twice the size.
constexpr Look kLarge = {"3s-x2", 3, 2560, 1440, 2, Theme::kDark};

bool Writes() {
  const char* mode = std::getenv("SLIPSCOPE_GOLDEN");
  return mode != nullptr && std::string_view(mode) == "write";
}

struct Difference {
  double mean = 0;   ///< [levels of 255]
  double share = 0;  ///< of pixels that differ much
};

Difference ComparePictures(const render::Image& a, const render::Image& b) {
  Difference out;
  int far = 0;
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      int most = 0;
      for (int c = 0; c < 3; ++c) {
        const int d = std::abs(a.At(x, y)[c] - b.At(x, y)[c]);
        most = std::max(most, d);
        out.mean += d;
      }
      far += most > kFar ? 1 : 0;
    }
  }
  const double pixels = static_cast<double>(a.width) * a.height;
  out.mean /= 3 * pixels;
  out.share = far / pixels;
  return out;
}

/// The window so long after it was opened, in the size that is kept. Empty without OpenGL.
render::Image LookAt(const std::string& name, const Look& look) {
  const auto scene = FindScene(name);
  if (!scene.ok()) return {};
  UiSetup setup;
  setup.scene = *scene;
  setup.scale = look.scale;
  setup.theme = look.theme;
  setup.staged = true;
  setup.shows_machine = false;
  // curves of wall times are others every time
  bool wall = false;
  std::vector<PlotChoice> plots;
  for (const std::string& plot : (*scene)->plots) {
    const auto signal = SignalNamed(*(*scene)->model, plot);
    if (!signal.ok()) return {};
    const bool of_wall = slip::Info(*signal).is_wall;
    wall = wall || of_wall;
    plots.emplace_back().signal = of_wall ? Signal::kKineticEnergy : *signal;
  }
  if (wall) setup.plots = plots;
  auto ui = OffscreenUi::Create(setup, look.width, look.height);
  if (!ui.ok()) return {};
  for (double t = 0; t < look.seconds - kFrame / 2; t += kFrame) {
    // the camera and the instruments need some frames, not each
    const bool drawn = std::fmod(t, 0.2) < kFrame || look.seconds - t < 0.3;
    if (drawn) {
      (*ui)->Frame(kFrame);
    } else {
      (*ui)->Skip(kFrame);
    }
  }
  // as of a screenshot, all numbers are those of the picture
  (*ui)->session().RenewNumbers();
  (*ui)->Frame(0);
  const render::Image image = (*ui)->Read();
  return render::Resize(image, kKeptHeight * look.width / look.height, kKeptHeight);
}

void Check(const std::string& scene, const Look& look) {
  if (LacksAnEngine(**FindScene(scene))) GTEST_SKIP() << "drawn with an engine that is not here";
  const std::string file = scene + "-" + look.name + ".png";
  const render::Image image = LookAt(scene, look);
  if (image.empty()) GTEST_SKIP() << "no off-screen OpenGL here";
  if (Writes()) {
    std::filesystem::create_directories(kFolder);
    ASSERT_TRUE(render::WritePng(image, kFolder + file, true).ok());
    return;
  }
  const auto kept = render::ReadPng(kFolder + file);
  ASSERT_TRUE(kept.ok()) << kept.error().Text() << "; tests/run --golden writes it";
  ASSERT_EQ(kept->width, image.width);
  ASSERT_EQ(kept->height, image.height);
  const Difference found = ComparePictures(image, *kept);
  if (found.mean <= kMean && found.share <= kShare) return;
  const std::string seen = testing::TempDir() + file;
  static_cast<void>(render::WritePng(image, seen, true));
  ADD_FAILURE() << file << " looks otherwise: by " << found.mean << " levels in the mean, "
                << 100 * found.share << " % of its pixels by more than " << kFar << "; see "
                << seen;
}

class GoldenPictures : public testing::TestWithParam<std::string> {};

TEST_P(GoldenPictures, ShowTheIdea) {
  for (const Look& look : kLooks) Check(GetParam(), look);
}

TEST(GoldenPicturesTwice, AreAsLegible) {
  for (const char* scene : {"conveyor", "quadruped-trot", "bunny-grasp"}) Check(scene, kLarge);
}

// a comparison that finds nothing would pass for ever
TEST(GoldenPicturesSelf, AnotherMomentIsFound) {
  const render::Image at_3 = LookAt("conveyor", kLooks[0]);
  if (at_3.empty()) GTEST_SKIP() << "no off-screen OpenGL here";
  Look later = kLooks[0];
  later.seconds = 3.5;
  const Difference found = ComparePictures(at_3, LookAt("conveyor", later));
  EXPECT_TRUE(found.mean > kMean || found.share > kShare)
      << found.mean << " levels, " << found.share;
}

std::string Name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Scenes, GoldenPictures, testing::ValuesIn(ListScenes()), Name);

}  // namespace
}  // namespace slip::app
