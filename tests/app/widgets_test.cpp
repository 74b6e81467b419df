// The kit under an injected mouse: sliders, typed values, plots.
#include "app/kit/widgets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/core/utf8.h"
#include "tests/support/ui_gallery.h"
#include "tests/support/ui_harness.h"

namespace slip::test {
namespace {

class KitTest : public testing::Test {
 protected:
  KitTest() : ui_({1600, 900, 1.0f, app::Theme::kDark, false}) { ui_.Frames(2, draw_); }
  UiHarness ui_;
  UiGallery gallery_;
  std::function<void()> draw_ = [this] { gallery_.Draw(); };
};

TEST_F(KitTest, SliderDragReachesTheEnd) {
  ASSERT_TRUE(ui_.Drag("param/time_step/slider", {0.5f, 0.5f}, {1.0f, 0.5f}, draw_));
  EXPECT_DOUBLE_EQ(gallery_.time_step, 0.1);
  ASSERT_TRUE(ui_.Drag("param/dissipation/slider", {0.5f, 0.5f}, {0.0f, 0.5f}, draw_));
  EXPECT_EQ(gallery_.dissipation, 0);
}

TEST_F(KitTest, NudgeAndReset) {
  ASSERT_TRUE(ui_.Click("param/time_step/right", draw_));
  EXPECT_NEAR(gallery_.time_step, 4e-3 * std::pow(10.0, 0.05), 1e-9);
  ASSERT_TRUE(ui_.Click("param/time_step/reset", draw_));
  EXPECT_DOUBLE_EQ(gallery_.time_step, 1e-2);
}

TEST_F(KitTest, ADeadArrowSaysWhy) {
  const auto tip = [&](const char* name) {
    const app::WidgetRecord* arrow = app::FindWidget(name);
    if (arrow == nullptr) return std::string("no arrow");
    ui_.MoveMouse({(arrow->min.x + arrow->max.x) / 2, (arrow->min.y + arrow->max.y) / 2});
    ui_.Frames(40, draw_);
    const app::WidgetRecord* shown = app::FindWidget("tooltip");
    return shown == nullptr ? std::string("no tip") : shown->text;
  };
  ui_.Frames(2, draw_);
  EXPECT_EQ(tip("param/time_step/right"), "4.49 ms. Shift: a finer step.");
  ASSERT_TRUE(ui_.Drag("param/time_step/slider", {0.5f, 0.5f}, {1.0f, 0.5f}, draw_));
  EXPECT_NE(tip("param/time_step/right").find("is the largest value"), std::string::npos)
      << tip("param/time_step/right");
  EXPECT_EQ(tip("param/time_step/left"), "89.1 ms. Shift: a finer step.");
  ASSERT_TRUE(ui_.Drag("param/dissipation/slider", {0.5f, 0.5f}, {0.0f, 0.5f}, draw_));
  EXPECT_NE(tip("param/dissipation/left").find("is the smallest value"), std::string::npos)
      << tip("param/dissipation/left");
}

TEST_F(KitTest, ALongDetailLeavesRoomForItsLink) {
  const auto draw = [](const char* detail) {
    return [detail] {
      ImGui::BeginChild("panel", {app::Px(300), 0});
      app::AmberNote("note", "Motion at this speed costs 38 % of the weight as drag.", detail);
      ImGui::EndChild();
    };
  };
  const auto height = [&](const char* detail) {
    ui_.Frames(2, draw(detail));
    const app::WidgetRecord *note = app::FindWidget("note"), *link = app::FindWidget("note/why");
    if (note == nullptr || link == nullptr) return -1.0f;
    EXPECT_FALSE(note->clipped) << detail;
    EXPECT_LE(link->max.y, note->max.y + 1) << detail;
    return note->max.y - note->min.y;
  };
  const float low = height("3.50 N");
  EXPECT_GT(low, 0);
  EXPECT_GT(height("m v/δt = 350 g × 0.100 m/s / 10.0 ms = 3.50 N"), low);
  EXPECT_GT(height("m v/δt = 350.25 g × 0.100 m/s / 10.0 ms = 3.50 N and so on"), low);
}

TEST_F(KitTest, WrappedTextKeepsNumbersWhole) {
  const std::string text =
      "The step of 0.0125 s ended at 1.25e-06 of its momentum, 12,500 times the 0.0000001 that "
      "was asked for.";
  const app::Role role = app::Role::kCaption;
  int broken = 0;
  for (float width = 40; width < 400; width += 1) {
    std::string joined;
    for (const std::string& line : app::WrapText(text, role, width)) {
      EXPECT_LE(app::MeasureText(line, role).x, width);
      joined += (joined.empty() ? "" : " ") + line;
    }
    // narrower than its longest word a text is broken anywhere
    const bool room = app::MeasureText("momentum, ", role).x <= width;
    if (room) EXPECT_EQ(joined, text) << width;
    broken += joined != text;
    if (app::MeasureText("of 0.0125 s ", role).x > width) continue;
    for (const std::string& line : app::WrapText(text, role, width)) {
      EXPECT_NE(line.substr(0, 2), "s ") << width;
    }
  }
  EXPECT_GT(broken, 0);
  EXPECT_EQ(app::WrapText("one\n\ntwo", role, 400), (std::vector<std::string>{"one", "", "two"}));
  // no character is cut in two
  for (const std::string& line : app::WrapText("μμμμμμμμμμμμ", role, 30))
    EXPECT_TRUE(IsUtf8(line)) << line;
}

// Names have bars, which rich text takes for subscripts.
TEST_F(KitTest, CutTextFitsAsItIsDrawn) {
  const std::string name = "left_inner_double_joint_of_x_y";
  const app::Role role = app::Role::kLabel;
  for (float width = 20; width < 300; width += 1) {
    EXPECT_LE(app::MeasureText(app::Ellipsize(name, role, width), role).x, width);
    EXPECT_LE(app::MeasureText(app::EllipsizeMiddle(name, role, width), role).x, width);
    EXPECT_LE(app::MeasureRich(app::EllipsizeRich(name, role, width), role).x, width);
  }
  EXPECT_EQ(app::Ellipsize(name, role, 400), name);
}

TEST_F(KitTest, TypedNumbersMeanTheShownUnit) {
  const auto type = [&](const char* text) {
    ASSERT_TRUE(ui_.Click("param/time_step/value", draw_));
    ui_.Frames(2, draw_);
    ui_.TypeText(text);
    ui_.Frames(2, draw_);
    ui_.Enter(true);
    ui_.Frames(2, draw_);
    ui_.Enter(false);
    ui_.Frames(2, draw_);
  };
  type("7");
  EXPECT_NEAR(gallery_.time_step, 7e-3, 1e-12);
  type("0.5 ms");
  EXPECT_NEAR(gallery_.time_step, 5e-4, 1e-12);
}

TEST_F(KitTest, PlotsZoomPanAndLink) {
  const app::AxisRange before = gallery_.x.range;
  ASSERT_TRUE(ui_.Click("plot/gap/well", draw_, {0.3f, 0.5f}));
  EXPECT_EQ(gallery_.x.range, before);
  EXPECT_TRUE(gallery_.x.hover.has_value());
  ui_.Wheel(2);
  ui_.Frame(draw_);
  ui_.Frame(draw_);
  EXPECT_LT(gallery_.x.range.span(), before.span());
  EXPECT_EQ(gallery_.x.follow, app::FollowMode::kFree);
  // box zoom with the right button
  const double span = gallery_.x.range.span();
  ASSERT_TRUE(ui_.Drag("plot/force/well", {0.2f, 0.2f}, {0.6f, 0.8f}, draw_, 1));
  EXPECT_NEAR(gallery_.x.range.span(), 0.4 * span, 0.02 * span);
  EXPECT_TRUE(gallery_.force.y_locked);
  gallery_.x.Undo();
  EXPECT_NEAR(gallery_.x.range.span(), span, 1e-9);
}

TEST_F(KitTest, LegendHidesAndSolos) {
  ASSERT_TRUE(ui_.Click("plot/force/legend/0", draw_));
  EXPECT_TRUE(gallery_.force.hidden.contains("SAP"));
  ui_.Keys(true, false);
  ASSERT_TRUE(ui_.Click("plot/force/legend/1", draw_));
  EXPECT_EQ(gallery_.force.hidden, (std::set<std::string>{"SAP", "Similar"}));
  ui_.Keys(false, false);
}

TEST_F(KitTest, LongPolylinesStayWithinIndices) {
  std::vector<ImVec2> points;
  for (int i = 0; i < 30000; ++i) {
    points.push_back({static_cast<float>(i % 1000), static_cast<float>((i * 37) % 600)});
  }
  ui_.Frame([&] {
    app::ChannelStyle style;
    app::DrawPolyline(ImGui::GetWindowDrawList(), points, style);
  });
  EXPECT_LT(ui_.largest_command_vertices(), 65536);
}

}  // namespace
}  // namespace slip::test
