// Instruments over the picture: magnification, rebound, conditioning.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "app/kit/widgets.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

TEST(GapScale, IsTheLargestOf125ThatFits) {
  OPEN_OR_SKIP(ui, "conveyor", 1600, 900);
  const double picture = 1000;  // pixels per metre
  for (double extent = 1e-9; extent < 1; extent *= 1.7) {
    const GapScale lift = ChooseGapScale(0, extent, extent, picture, 0);
    EXPECT_FALSE(lift.below);
    const double leading =
        lift.magnification / std::pow(10, std::floor(std::log10(lift.magnification) + 1e-9));
    EXPECT_TRUE(std::abs(leading - 1) < 1e-9 || std::abs(leading - 2) < 1e-9 ||
                std::abs(leading - 5) < 1e-9)
        << lift.magnification;
    EXPECT_GE(lift.magnification, 1);
    EXPECT_LE(lift.magnification, 1e5);
    EXPECT_DOUBLE_EQ(lift.pixels_per_metre, lift.magnification * picture);
    EXPECT_GE(lift.full_offset, extent);
    // fits, and two and a half times more would not
    if (lift.magnification > 1) EXPECT_LE(extent * lift.pixels_per_metre, 96);
    if (lift.magnification > 1 && lift.magnification < 1e5)
      EXPECT_GT(extent * lift.pixels_per_metre * 2.5, 80);
  }
}

TEST(GapScale, MakesRoomForPenetration) {
  OPEN_OR_SKIP(ui, "conveyor", 1600, 900);
  const GapScale scale = ChooseGapScale(-1e-4, 1e-6, 0, 1000, 0);
  EXPECT_TRUE(scale.below);
  EXPECT_LE(1e-4 * scale.pixels_per_metre, 90);
  EXPECT_GT(1e-4 * scale.pixels_per_metre, 20);
  EXPECT_EQ(ChooseGapScale(-1e-4, 0, 0, 1000, 20).magnification, 20);
}

TEST(GapInstrument, FollowsTheStepAndKeepsAScale) {
  OPEN_OR_SKIP(ui, "conveyor", 1600, 900);
  const auto magnification = [&] {
    const WidgetRecord* sign = FindWidget("overlay/gap/scale");
    EXPECT_NE(sign, nullptr);
    return sign != nullptr ? sign->text : std::string();
  };
  PassAndDraw(ui.get(), 2.5);
  const std::string coarse = magnification();
  ui->session().params().Set(-1, "time_step", 1e-4);
  ui->session().params().Set(-1, "relaxation_time", 0);
  PassAndDraw(ui.get(), 2.5);
  const std::string fine = magnification();
  EXPECT_NE(coarse, fine);
  ui->Click("overlay/gap/scale");
  EXPECT_GT(ui->ui().state.view.gap_magnification, 0);
  ui->session().params().Set(-1, "time_step", 1e-2);
  PassAndDraw(ui.get(), 2.5);
  EXPECT_EQ(magnification(), fine);
  ui->Click("overlay/gap/scale");
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(magnification(), coarse);
}

TEST(Instruments, ReboundIsBelowTheLimitOfTheLaw) {
  OPEN_OR_SKIP(ui, "bouncing-ball", 1600, 900);
  PassAndDraw(ui.get(), 0.4);
  const double limits[] = {10, 0.5};
  for (int i = 0; i < 2; ++i) {
    const WidgetRecord* row = FindWidget("overlay/rebound/" + std::to_string(i));
    ASSERT_NE(row, nullptr);
    std::istringstream words(row->text);
    double rebound = 0, impact = 0, limit = 0;
    ASSERT_TRUE(words >> rebound >> impact >> limit) << row->text;
    EXPECT_NEAR(limit, limits[i], 0.01);
    EXPECT_GT(rebound, 0);
    EXPECT_LT(rebound, limit);
    EXPECT_LT(rebound, impact);
    if (i == 0) EXPECT_NEAR(impact, std::sqrt(2 * 9.81 * 0.2), 0.02);
  }
}

TEST(Instruments, TheHardestImpactStays) {
  OPEN_OR_SKIP(ui, "bouncing-ball", 1600, 900);
  PassAndDraw(ui.get(), 0.4);
  ASSERT_NE(FindWidget("overlay/rebound/1"), nullptr);
  const std::string first = FindWidget("overlay/rebound/1")->text;
  PassAndDraw(ui.get(), 1.2);
  ASSERT_NE(FindWidget("overlay/rebound/1"), nullptr);
  EXPECT_EQ(FindWidget("overlay/rebound/1")->text, first);
}

TEST(Instruments, NumbersAreThoseOfTheMoment) {
  OPEN_OR_SKIP(ui, "falling-sphere", 1600, 900);
  ui->session().playback().SetSpeed(1);
  PassAndDraw(ui.get(), 0.01);
  ASSERT_NE(FindWidget("overlay/numbers/1"), nullptr);
  EXPECT_TRUE(FindWidget("overlay/numbers/1")->text.starts_with("– ")) << "no force yet";
  PassAndDraw(ui.get(), 0.1);
  EXPECT_TRUE(FindWidget("overlay/numbers/0")->text.starts_with("41.0 ms "));
  EXPECT_TRUE(FindWidget("overlay/numbers/1")->text.starts_with("45.0 ms "));
  EXPECT_TRUE(FindWidget("overlay/numbers/2")->text.starts_with("44.0 ms "));
}

// Forces stand in the picture with the first step: so do the numbers, whenever that comes.
TEST(Instruments, TheFirstStepIsWrittenAtOnce) {
  OPEN_OR_SKIP(ui, "sliding-box", 1600, 900);
  Session& session = ui->session();
  session.playback().Reset();
  const auto measured = [&](const Snapshot& of) {
    return !of.channels.empty() && of.channels[0].measured;
  };
  int frames = 0;
  for (; frames < 600 && !measured(session.snapshot()); ++frames) {
    ui->Skip(1e-3);
    ui->Frame(0);
  }
  ASSERT_TRUE(measured(session.snapshot()));
  EXPECT_TRUE(measured(session.written().snapshot()));
  EXPECT_EQ(session.written().time(), session.snapshot().time);
}

TEST(Instruments, AColumnHasOneUnit) {
  OPEN_OR_SKIP(ui, "capsule-pinch", 1600, 900);
  PassAndDraw(ui.get(), 1);
  for (int i = 0; i < 3; ++i) {
    const WidgetRecord* row = FindWidget("overlay/numbers/" + std::to_string(i));
    ASSERT_NE(row, nullptr);
    EXPECT_NE(row->text.find(" mm/s "), std::string::npos) << row->text;
    EXPECT_TRUE(row->text.ends_with(" mm")) << "a unit of the scene's: " << row->text;
  }
}

TEST(Instruments, BarsAreScaledByWhatIsShown) {
  OPEN_OR_SKIP(ui, "capsule-pinch", 1600, 900);
  // it slips by centimetres a second until the grip holds
  PassAndDraw(ui.get(), 0.02);
  PassAndDraw(ui.get(), 4);
  const auto bar = [](int row) {
    const WidgetRecord* widget = FindWidget("overlay/numbers/bar/" + std::to_string(row));
    EXPECT_NE(widget, nullptr);
    return widget != nullptr ? widget->max.x - widget->min.x : -1;
  };
  const auto speed = [&](int channel) {
    return ui->session().frame(channel).signals[static_cast<std::size_t>(Signal::kSlipSpeed)];
  };
  ASSERT_LT(speed(0), 2e-3);
  ASSERT_GT(speed(1), 1e-5);
  EXPECT_GT(bar(0), 30) << speed(0) << " m/s";
  EXPECT_GT(bar(1), 2) << speed(1) << " m/s";
  EXPECT_NEAR(bar(1) / bar(0), speed(1) / speed(0), 0.05);
}

TEST(Instruments, TheWindowOpensWithValuesOfItsOwn) {
  OPEN_OR_SKIP(ui, "quadruped-stand", 1600, 900);
  PassAndDraw(ui.get(), 0.5);
  EXPECT_EQ(ui->session().params().Value(-1, "tilt"), 0.1);
  EXPECT_EQ(ui->session().params().ChangedCount(), 0) << "nobody has changed anything";
  ASSERT_NE(FindWidget("overlay/creep/0"), nullptr);
  EXPECT_TRUE(FindWidget("overlay/creep/0")->text.starts_with("11.10 11.10"))
      << FindWidget("overlay/creep/0")->text;
  // who names a value means it
  UI_OR_SKIP(level, OpenPlan("quadruped-stand", "", {"tilt=0"}));
  PassAndDraw(level.get(), 0.1);
  EXPECT_EQ(level->session().params().Value(-1, "tilt"), 0);
}

TEST(Instruments, ASecondChannelSaysWhatSetsItApart) {
  OPEN_OR_SKIP(ui, "bunny-grasp", 1280, 720);
  PassAndDraw(ui.get(), 0.2);
  const ChannelLooks& looks = ui->session().looks();
  EXPECT_EQ(looks.Difference(0), "");
  EXPECT_EQ(looks.Difference(1), "μ_w = 0 m");
  EXPECT_EQ(looks.Difference(2), "");
  ui->session().params().Set(1, "friction", 0.5);
  PassAndDraw(ui.get(), 0.1);
  EXPECT_TRUE(looks.Difference(1).ends_with(" …")) << looks.Difference(1);
}

TEST(Instruments, ClutterShowsItsConditioning) {
  OPEN_OR_SKIP(ui, "clutter", 1600, 900);
  PassAndDraw(ui.get(), 0.2);
  for (int i = 0; i < 3; ++i)
    EXPECT_NE(FindWidget("overlay/conditioning/" + std::to_string(i)), nullptr);
  EXPECT_EQ(FindWidget("overlay/gap"), nullptr);
}

}  // namespace
}  // namespace slip::app
