// Drawing primitives on ImDrawList: marks, dashed polylines, arrows, glass, gauges.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/kit.h"
#include "app/kit/widgets.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

/// Corners of a mark of radius r about c; empty for a disc.
int MarkCorners(Mark mark, ImVec2 c, float r, std::array<ImVec2, 5>* out) {
  auto& p = *out;
  switch (mark) {
    case Mark::kSquare: {
      const float h = r * 0.95f;
      p = {
          ImVec2{c.x - h, c.y - h}, {c.x + h, c.y - h}, {c.x + h, c.y + h}, {c.x - h, c.y + h}, {}};
      return 4;
    }
    case Mark::kTriangleUp:
      p = {ImVec2{c.x, c.y - r * 1.1f},
           {c.x + r * 1.15f, c.y + r * 0.9f},
           {c.x - r * 1.15f, c.y + r * 0.9f},
           {},
           {}};
      return 3;
    case Mark::kTriangleDown:
      p = {ImVec2{c.x, c.y + r * 1.1f},
           {c.x - r * 1.15f, c.y - r * 0.9f},
           {c.x + r * 1.15f, c.y - r * 0.9f},
           {},
           {}};
      return 3;
    case Mark::kDiamond: {
      const float h = r * 1.25f;
      p = {ImVec2{c.x, c.y - h}, {c.x + h, c.y}, {c.x, c.y + h}, {c.x - h, c.y}, {}};
      return 4;
    }
    case Mark::kPentagon:
      for (int i = 0; i < 5; ++i) {
        const float angle = -1.5708f + 1.25664f * static_cast<float>(i);
        At(p, i) = {c.x + 1.12f * r * std::cos(angle), c.y + 1.12f * r * std::sin(angle)};
      }
      return 5;
    default:
      return 0;
  }
}

void FillMark(ImDrawList* list, Mark mark, ImVec2 centre, float r, ImU32 colour) {
  std::array<ImVec2, 5> corners;
  const int count = MarkCorners(mark, centre, r, &corners);
  if (count > 0) {
    list->AddConvexPolyFilled(corners.data(), count, colour);
  } else if (mark == Mark::kDisc) {
    list->AddCircleFilled(centre, r, colour);
  }
}

}  // namespace

void DrawMark(ImDrawList* list, ImVec2 centre, const ChannelStyle& style, float r, bool halo) {
  if (style.mark == Mark::kNone) return;
  const float radius = Px(r);
  if (halo) FillMark(list, style.mark, centre, radius + Px(1.2f), Color(Token::kWell));
  if (!style.hollow) {
    FillMark(list, style.mark, centre, radius, style.colour);
    return;
  }
  std::array<ImVec2, 5> corners;
  const int count = MarkCorners(style.mark, centre, radius, &corners);
  if (count > 0) {
    list->AddPolyline(corners.data(), count, style.colour, ImDrawFlags_Closed, Px(1.75f));
  } else {
    list->AddCircle(centre, radius, style.colour, 0, Px(1.75f));
  }
}

void DrawLegendSample(ImDrawList* list, ImVec2 left_centre, const ChannelStyle& style) {
  DrawMark(list, {left_centre.x + Px(5), left_centre.y}, style, 4);
  const ImVec2 line[] = {{left_centre.x + Px(15), left_centre.y},
                         {left_centre.x + Px(40), left_centre.y}};
  DrawPolyline(list, line, style);
}

void DrawArrow(ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 colour, float width) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  if (length < 1) return;
  const ImVec2 d{(to.x - from.x) / length, (to.y - from.y) / length};
  const float head = std::min(length, Px(4 + 2 * width)), half = head * 0.45f;
  const ImVec2 neck{to.x - d.x * head, to.y - d.y * head};
  list->AddLine(from, neck, colour, std::max(1.0f, Px(width)));
  list->AddTriangleFilled(to, {neck.x - d.y * half, neck.y + d.x * half},
                          {neck.x + d.y * half, neck.y - d.x * half}, colour);
}

void HairLine() {
  const ImVec2 p = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, y = std::round(p.y);
  ImGui::GetWindowDrawList()->AddRectFilled({p.x, y}, {p.x + width, y + Snap(1)},
                                            Color(Token::kLine));
  ImGui::Dummy({width, Snap(1)});
}

void DrawGlass(ImDrawList* list, ImVec2 min, ImVec2 max) {
  list->AddRectFilled(min, max, Color(Token::kGlass), Px(6));
  list->AddRect(min, max, Color(Token::kGlassLine), Px(6), 0, Snap(1));
}

ImVec2 GlassLabel(ImDrawList* list, ImVec2 anchor, std::string_view rich, std::string_view number,
                  ImU32 bar, bool draw, const ChannelStyle* mark) {
  const float before = mark != nullptr ? Px(20) : Px(8);
  const float text_width = rich.empty() ? 0 : MeasureRich(rich, Role::kCaption).x;
  const float gap = rich.empty() || number.empty() ? 0 : Px(5);
  const float number_width = number.empty() ? 0 : MeasureText(number, Role::kAxis).x;
  const ImVec2 size{std::round(before + text_width + gap + number_width + Px(6)), Snap(20)};
  if (!draw) return size;
  const ImVec2 min{std::round(anchor.x), std::round(anchor.y - size.y / 2)};
  const ImVec2 max{min.x + size.x, min.y + size.y};
  list->AddRectFilled(min, max, Color(Token::kGlass), Px(4));
  if (bar) list->AddRectFilled(min, {min.x + Snap(3), max.y}, bar, Px(2));
  const float middle = (min.y + max.y) / 2;
  if (mark != nullptr) DrawMark(list, {min.x + Px(12), middle}, *mark, 4);
  DrawRich(list, {min.x + before, middle - FontPx(Role::kCaption) / 2}, rich, Role::kCaption,
           Color(Token::kText));
  DrawText(list, {min.x + before + text_width + gap, middle - FontPx(Role::kAxis) / 2}, number,
           Role::kAxis, Color(Token::kText));
  return size;
}

float DrawGauge(ImDrawList* list, ImVec2 left_centre, float width, double measured,
                double predicted, double full, ImU32 colour) {
  const float w = Px(width), half = Px(5);
  const ImVec2 min{left_centre.x, std::round(left_centre.y - half)};
  const ImVec2 max{min.x + w, min.y + Snap(10)};
  const auto place = [&](double value) {
    const double part = full > 0 && std::isfinite(value) ? std::clamp(value / full, 0.0, 1.0) : 0;
    return static_cast<float>(part) * w;
  };
  list->AddRectFilled(min, max, Color(Token::kControl), Px(2));
  if (place(measured) > 0.5f) {
    list->AddRectFilled(min, {min.x + place(measured), max.y}, colour, Px(2));
  }
  if (std::isfinite(predicted)) {
    const float x = std::round(min.x + place(predicted)), reach = Px(4);
    list->AddRectFilled({x - Px(1), min.y - reach}, {x + Px(1), max.y + reach},
                        Color(Token::kHead));
  }
  return place(measured) > 0.5f ? place(measured) : 0;
}

}  // namespace slip::app
