// Bars of dense curves: what is hidden costs nothing, what is seen stays.
#include "app/kit/bars.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/support/ui_harness.h"

namespace slip::app {
namespace {

constexpr int kBarColumns = 40, kBarHeight = 300;

struct Painted {
  std::map<std::pair<int, int>, ImU32> seen;  ///< colour of the uppermost opaque bar, by pixel
  std::map<std::pair<int, int>, int> faint;   ///< bars over that one
  float length = 0;                           ///< of all bars [px]
};

Painted PaintedOf(const ImDrawList& list, int first) {
  Painted painted;
  for (int i = first; i + 3 < list.VtxBuffer.Size; i += 4) {
    const ImDrawVert &a = list.VtxBuffer[i], &c = list.VtxBuffer[i + 2];
    EXPECT_EQ(c.pos.x - a.pos.x, 1);
    EXPECT_GE(c.pos.y, a.pos.y);
    painted.length += c.pos.y - a.pos.y;
    for (int y = 0; y < kBarHeight; ++y) {
      const float middle = static_cast<float>(y) + 0.5f;
      if (middle < a.pos.y || middle >= c.pos.y) continue;
      const std::pair<int, int> pixel(static_cast<int>(a.pos.x), y);
      if (a.col >> IM_COL32_A_SHIFT == 255) {
        painted.seen[pixel] = a.col;
        painted.faint.erase(pixel);
      } else {
        ++painted.faint[pixel];
      }
    }
  }
  return painted;
}

TEST(PlotBars, HiddenPartsGoAndThePictureStays) {
  test::UiHarness ui({640, 480, 1.0f, Theme::kDark, false});
  std::mt19937 random(5);
  std::uniform_real_distribution<float> place(0, kBarHeight);
  ui.Frame([&] {
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect({10, 0}, {10 + kBarColumns, kBarHeight});
    BarStack bars;
    bars.Begin(list);
    const int first = list->VtxBuffer.Size;
    for (int curve = 0; curve < 6; ++curve) {
      const ImU32 colour = IM_COL32(40 * curve, 9, 9, curve % 3 == 1 ? 150 : 255);
      list->PrimReserve(6 * kBarColumns, 4 * kBarColumns);
      for (int x = 10; x < 10 + kBarColumns; ++x) {
        const float y = place(random), z = place(random);
        const auto left = static_cast<float>(x);
        list->PrimRect({left, std::min(y, z)}, {left + 1, std::max(y, z)}, colour);
      }
      bars.Add(list, kBarColumns);
    }
    const Painted before = PaintedOf(*list, first);
    bars.End();
    const Painted after = PaintedOf(*list, first);
    EXPECT_EQ(after.seen, before.seen);
    EXPECT_EQ(after.faint, before.faint);
    EXPECT_LT(after.length, 0.8f * before.length);
    list->PopClipRect();
  });
}

}  // namespace
}  // namespace slip::app
