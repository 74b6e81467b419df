// Drawing primitives on ImDrawList: marks, dashed polylines, arrows, glass, gauges.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/kit.h"
#include "app/kit/widgets.h"

namespace slip::app {
namespace {

// One AddPolyline must stay below 65536 vertices of 16-bit indices; it takes up to four per point.
constexpr std::size_t kChunkPoints = 4000;
// A stretch of line that turns back and forth more often than this is a band of noise: dashes
// cannot be read in it and cost a hundred thousand vertices.
constexpr float kStretch = 32;  // design pixels across
constexpr int kMostTurns = 6;   // of more than kLeastTurn design pixels each
constexpr float kLeastTurn = 6;
constexpr float kNoiseAlpha = 0.6f;

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
        p[static_cast<std::size_t>(i)] = {c.x + 1.12f * r * std::cos(angle),
                                          c.y + 1.12f * r * std::sin(angle)};
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

/// True where the line turns by more than a right angle.
bool TurnsSharply(ImVec2 a, ImVec2 b, ImVec2 c) {
  return (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) < 0;
}

void Stroke(ImDrawList* list, const ImVec2* points, std::size_t count, ImU32 colour, float width) {
  // Pieces share their end point, so that no gap opens between them. A piece ends at a sharp turn
  // too: the joint of a polyline thins to nothing there, and a peak would look lower than it is.
  for (std::size_t begin = 0; begin + 1 < count;) {
    std::size_t end = begin + 1;
    while (end + 1 < count && end - begin + 1 < kChunkPoints &&
           !TurnsSharply(points[end - 1], points[end], points[end + 1])) {
      ++end;
    }
    list->AddPolyline(points + begin, static_cast<int>(end - begin + 1), colour, 0, width);
    begin = end;
  }
}

/// Length of a piece of line [px].
float Length(const ImVec2* points, std::size_t count) {
  float length = 0;
  for (std::size_t i = 1; i < count; ++i) {
    length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
  }
  return length;
}

/// End of the stretch of line from `begin` on, and whether it is a band of noise.
std::size_t StretchEnd(std::span<const ImVec2> points, std::size_t begin, bool* noise) {
  const float reach = Px(kStretch), least = Px(kLeastTurn);
  int turns = 0, direction = 0;
  float extreme = points[begin].y;
  std::size_t end = begin + 1;
  for (; end < points.size(); ++end) {
    const float y = points[end].y;
    // turns smaller than the threshold belong to the way they interrupt
    if (direction >= 0 ? y > extreme : y < extreme) extreme = y;
    if (std::fabs(y - extreme) > least) {
      const int now = y > extreme ? 1 : -1;
      if (direction != 0 && now != direction) ++turns;
      direction = now;
      extreme = y;
    }
    if (std::fabs(points[end].x - points[begin].x) >= reach) break;
  }
  *noise = turns > kMostTurns;
  return std::min(end, points.size() - 1);
}

/// Dashes along a line; *phase is the place in the pattern where it starts, and then ends [px].
void StrokeDashed(ImDrawList* list, std::span<const ImVec2> points, const ChannelStyle& style,
                  float width, float* phase) {
  // find the place in the pattern
  const auto dash = [&](int i) {
    return std::max(0.5f, Px(style.dash[static_cast<std::size_t>(i)]));
  };
  float period = 0;
  for (int i = 0; i < style.dash_count; ++i) period += dash(i);
  float offset = std::fmod(*phase, period);
  int index = 0;
  while (offset >= dash(index)) {
    offset -= dash(index);
    index = (index + 1) % style.dash_count;
  }
  float left = dash(index) - offset;  // of the current dash or gap

  // walk along the line; a dash may bend around corners
  std::vector<ImVec2>& piece = CurrentKit().dash;
  piece.clear();
  const auto pen_down = [&] { return index % 2 == 0; };
  if (pen_down()) piece.push_back(points[0]);
  for (std::size_t i = 1; i < points.size(); ++i) {
    ImVec2 from = points[i - 1];
    const ImVec2 to = points[i];
    float rest = std::hypot(to.x - from.x, to.y - from.y);
    while (rest > left) {
      const float t = left / rest;
      from = {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
      rest -= left;
      if (pen_down()) {
        piece.push_back(from);
        Stroke(list, piece.data(), piece.size(), style.colour, width);
        piece.clear();
      }
      index = (index + 1) % style.dash_count;
      left = dash(index);
      if (pen_down()) piece.push_back(from);
    }
    left -= rest;
    if (pen_down()) piece.push_back(to);
  }
  if (pen_down() && piece.size() > 1) {
    Stroke(list, piece.data(), piece.size(), style.colour, width);
  }
  *phase = std::fmod(*phase + Length(points.data(), points.size()), period);
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

void DrawPolyline(ImDrawList* list, std::span<const ImVec2> points, const ChannelStyle& style,
                  float* phase) {
  if (points.size() < 2) return;
  const float width = std::max(1.0f, Px(style.width));
  if (style.dash_count == 0) {
    Stroke(list, points.data(), points.size(), style.colour, width);
    return;
  }
  // dashed where dashes can be read, solid in between; stretches share their end points
  float own_phase = 0;
  if (phase == nullptr) phase = &own_phase;
  bool noise = false;
  std::size_t begin = 0, end = StretchEnd(points, 0, &noise);
  while (begin + 1 < points.size()) {
    bool next_noise = noise;
    std::size_t next = end;
    while (end + 1 < points.size()) {
      next = StretchEnd(points, end, &next_noise);
      if (next_noise != noise) break;
      end = next;
    }
    const auto piece = points.subspan(begin, end - begin + 1);
    if (noise) {
      // thin and faint: what lies below is another model's
      Stroke(list, piece.data(), piece.size(), WithAlpha(style.colour, kNoiseAlpha), Px(1));
    } else {
      StrokeDashed(list, piece, style, width, phase);
    }
    begin = end;
    end = next;
    noise = next_noise;
  }
}

void DrawDashedLine(ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 colour, float width, float on,
                    float off) {
  ChannelStyle style;
  style.colour = colour;
  style.width = width;
  style.dash = {on, off, 0, 0};
  style.dash_count = 2;
  const ImVec2 points[] = {from, to};
  DrawPolyline(list, points, style);
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
                  ImU32 bar, bool draw) {
  const float text_width = rich.empty() ? 0 : MeasureRich(rich, Role::kCaption).x;
  const float gap = rich.empty() || number.empty() ? 0 : Px(5);
  const float number_width = number.empty() ? 0 : MeasureText(number, Role::kAxis).x;
  const ImVec2 size{std::round(Px(8) + text_width + gap + number_width + Px(6)), Snap(20)};
  if (!draw) return size;
  const ImVec2 min{std::round(anchor.x), std::round(anchor.y - size.y / 2)};
  const ImVec2 max{min.x + size.x, min.y + size.y};
  list->AddRectFilled(min, max, Color(Token::kGlass), Px(4));
  if (bar) list->AddRectFilled(min, {min.x + Snap(3), max.y}, bar, Px(2));
  const float middle = (min.y + max.y) / 2;
  DrawRich(list, {min.x + Px(8), middle - FontPx(Role::kCaption) / 2}, rich, Role::kCaption,
           Color(Token::kText));
  DrawText(list, {min.x + Px(8) + text_width + gap, middle - FontPx(Role::kAxis) / 2}, number,
           Role::kAxis, Color(Token::kText));
  return size;
}

ImVec2 LabelPlacer::Place(ImVec2 anchor, ImVec2 size) {
  // upwards, away from what it names; where the picture ends, downwards
  for (const float way : {-1.0f, 1.0f}) {
    for (int step = 0; step < 12; ++step) {
      const float y = anchor.y + way * Px(24) * static_cast<float>(step) - size.y / 2;
      if (y < top_) break;
      const ImVec2 min{anchor.x, y}, max{anchor.x + size.x, y + size.y};
      bool free = true;
      for (const Box& box : boxes_) {
        free = free &&
               (max.x < box.min.x || min.x > box.max.x || max.y < box.min.y || min.y > box.max.y);
      }
      if (!free) continue;
      boxes_.push_back({min, max});
      return {anchor.x, y + size.y / 2};
    }
  }
  return anchor;
}

void DrawGauge(ImDrawList* list, ImVec2 left_centre, float width, double measured, double predicted,
               double full, ImU32 colour) {
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
}

}  // namespace slip::app
