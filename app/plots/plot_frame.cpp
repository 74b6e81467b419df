// Panel, well, grid and labels of a plot (design tokens, section 4).
#include "app/plots/plot_frame.h"

#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

constexpr float kHeader = 32, kLeft = 52, kRight = 12, kBottom = 24;

float Clamped(double unit) { return static_cast<float>(std::clamp(unit, -2.0, 3.0)); }

void DrawYAxis(const PlotFrame& frame) {
  const float height = frame.well_max.y - frame.well_min.y;
  const double linear = SymlogThreshold(frame.y);
  const float room = frame.well_min.x - Px(8) - frame.min.x;
  std::vector<Tick> ticks;
  // wider steps have shorter figures
  for (int count = std::max(2, static_cast<int>(height / Px(28))); count >= 2; --count) {
    ticks = MakeTicks(frame.y_scale, frame.y, count, frame.y_unit.factor, linear);
    const bool fits = std::all_of(ticks.begin(), ticks.end(), [&](const Tick& tick) {
      return MeasureRich(tick.label, Role::kAxis).x <= room;
    });
    if (fits) break;
  }
  for (const Tick& tick : ticks) {
    const float y = std::round(frame.Y(tick.value));
    const bool zero = tick.value == 0;
    const bool strong = zero || (frame.y_scale != AxisScale::kLinear && tick.major);
    frame.list->AddRectFilled({frame.well_min.x, y}, {frame.well_max.x, y + Snap(1)},
                              Color(strong ? Token::kGridStrong : Token::kGrid));
    if (tick.label.empty()) continue;
    const ImVec2 size = MeasureRich(tick.label, Role::kAxis);
    DrawRich(frame.list, {frame.well_min.x - Px(8) - size.x, y - size.y / 2}, tick.label,
             Role::kAxis, Color(Token::kText3));
  }
}

void DrawXAxis(const PlotFrame& frame, std::string_view x_label) {
  const float width = frame.well_max.x - frame.well_min.x;
  const float label_y = frame.well_max.y + Px(6);
  const bool own = frame.x_ticks != nullptr;
  // the label of the axis has the corner; ticks keep clear of it
  const float label_width = MeasureRich(x_label, Role::kCaption).x;
  const float label_x =
      own ? frame.well_min.x + (width - label_width) / 2 : frame.well_max.x - label_width;
  const float label_top = own ? label_y + FontPx(Role::kTick) + Px(1)
                              : label_y + (FontPx(Role::kTick) - FontPx(Role::kCaption)) / 2;
  DrawRich(frame.list, {label_x, label_top}, x_label, Role::kCaption, Color(Token::kText3));

  const int count = std::max(2, static_cast<int>(width / Px(70)));
  const std::vector<Tick> ticks =
      own ? *frame.x_ticks
          : MakeTicks(frame.x_scale, frame.x, count, frame.x_unit.factor, SymlogThreshold(frame.x));
  for (const Tick& tick : ticks) {
    const float x = std::round(frame.X(tick.value));
    const bool strong = tick.value == 0 || (frame.x_scale == AxisScale::kLog && tick.major);
    frame.list->AddRectFilled({x, frame.well_min.y}, {x + Snap(1), frame.well_max.y},
                              Color(strong ? Token::kGridStrong : Token::kGrid));
    if (tick.label.empty()) continue;
    const float half = MeasureRich(tick.label, Role::kTick).x / 2;
    if (!own && x + half > label_x - Px(6)) continue;
    const float left = own ? std::min(x - half, frame.max.x - Px(3) - 2 * half) : x - half;
    DrawRich(frame.list, {left, label_y}, tick.label, Role::kTick, Color(Token::kText3));
  }
}

}  // namespace

float PlotFrame::X(double value) const {
  const double unit = ToUnit(x_scale, x, value, SymlogThreshold(x));
  return well_min.x + Clamped(unit) * (well_max.x - well_min.x);
}
float PlotFrame::Y(double value) const {
  const double unit = ToUnit(y_scale, y, value, SymlogThreshold(y));
  return well_max.y - Clamped(unit) * (well_max.y - well_min.y);
}
double PlotFrame::XAt(float pixel) const {
  const auto unit = static_cast<double>((pixel - well_min.x) / (well_max.x - well_min.x));
  return FromUnit(x_scale, x, unit, SymlogThreshold(x));
}
double PlotFrame::YAt(float pixel) const {
  const auto unit = static_cast<double>((well_max.y - pixel) / (well_max.y - well_min.y));
  return FromUnit(y_scale, y, unit, SymlogThreshold(y));
}

double SymlogThreshold(const AxisRange& range) {
  const double top = std::max(std::fabs(range.min), std::fabs(range.max));
  return top > 0 ? std::pow(10.0, std::ceil(std::log10(top)) - 4) : 1e-3;
}

PlotFrame LayoutFrame(ImVec2 position, ImVec2 size) {
  PlotFrame frame;
  frame.list = ImGui::GetWindowDrawList();
  frame.min = {std::round(position.x), std::round(position.y)};
  frame.max = {std::round(position.x + size.x), std::round(position.y + size.y)};
  frame.well_min = {frame.min.x + Snap(kLeft), frame.min.y + Snap(kHeader)};
  frame.well_max = {std::max(frame.well_min.x + 8, frame.max.x - Snap(kRight)),
                    std::max(frame.well_min.y + 8, frame.max.y - Snap(kBottom))};
  return frame;
}

namespace {

/// All but what the well covers: a renderer on the CPU feels each pixel that is filled twice.
void DrawCard(const PlotFrame& frame, ImU32 colour, float rounding) {
  const ImVec2 min = frame.min, max = frame.max;
  // the well of a tiny plot may reach beyond the card
  const ImVec2 hole_min{std::min(std::ceil(frame.well_min.x), max.x),
                        std::min(std::ceil(frame.well_min.y), max.y)};
  const ImVec2 hole_max{std::min(std::floor(frame.well_max.x), max.x),
                        std::min(std::floor(frame.well_max.y), max.y)};
  ImDrawList* list = frame.list;
  list->AddRectFilled(min, {max.x, hole_min.y}, colour, rounding, ImDrawFlags_RoundCornersTop);
  list->AddRectFilled({min.x, hole_max.y}, max, colour, rounding, ImDrawFlags_RoundCornersBottom);
  list->AddRectFilled({min.x, hole_min.y}, {hole_min.x, hole_max.y}, colour);
  list->AddRectFilled({hole_max.x, hole_min.y}, {max.x, hole_max.y}, colour);
}

}  // namespace

void DrawFrame(const PlotFrame& frame, std::string_view x_label) {
  const ImU32 white = IM_COL32_WHITE;
  DrawCard(frame, frame.print ? white : Color(Token::kPanel), frame.print ? 0 : Px(4));
  frame.list->AddRectFilled(frame.well_min, frame.well_max,
                            frame.print ? white : Color(Token::kWell));
  DrawXAxis(frame, x_label);
  DrawYAxis(frame);
}

float DrawPlotTitle(const PlotFrame& frame, std::string_view title, std::string_view unit,
                    float right, std::string_view note) {
  const float middle = frame.min.y + Px(16);
  float x = frame.min.x + Px(12);
  const std::string shown = EllipsizeRich(title, Role::kTitle, std::max(0.0f, right - x));
  x += DrawRich(frame.list, {x, middle - FontPx(Role::kTitle) / 2}, shown, Role::kTitle,
                Color(Token::kText));
  const std::string bracket = "[" + std::string(unit.empty() ? "–" : unit) + "]";
  const float width = MeasureRich(bracket, Role::kCaption).x;
  if (x + Px(8) + width < right) {
    x += Px(8);
    x += DrawRich(frame.list, {x, middle - FontPx(Role::kCaption) / 2}, bracket, Role::kCaption,
                  Color(Token::kText3));
  }
  if (!note.empty() && x + Px(8) + MeasureText(note, Role::kCaption).x < right) {
    x += Px(8);
    x += DrawText(frame.list, {x, middle - FontPx(Role::kCaption) / 2}, note, Role::kCaption,
                  Color(Token::kText2));
  }
  return x;
}

void DrawReferenceLabel(const PlotFrame& frame, double value, std::string_view label,
                        float* taken) {
  const double unit = ToUnit(frame.y_scale, frame.y, value, SymlogThreshold(frame.y));
  if (label.empty() || !(unit >= 0 && unit <= 1)) return;
  const ImVec2 size = MeasureRich(label, Role::kTag);
  const float y = frame.Y(value), x = frame.well_max.x - size.x - Px(6);
  // the names of events stand at the top
  const float free = frame.well_min.y + Px(18);
  float top = y - size.y - Px(3) > free ? y - size.y - Px(3) : std::max(y + Px(3), free);
  if (std::fabs(top - *taken) < size.y + Px(2)) top = *taken + size.y + Px(2);
  *taken = top;
  const ImVec2 min{x - Px(3), top - Px(1)}, max{x + size.x + Px(3), top + size.y + Px(1)};
  frame.list->AddRectFilled(min, max, frame.print ? IM_COL32_WHITE : Color(Token::kWell, 0.9f),
                            Px(3));
  DrawRich(frame.list, {x, top}, label, Role::kTag, Color(Token::kText2));
}

void DrawReferenceLine(const PlotFrame& frame, double value, std::string_view label,
                       bool label_left) {
  const double unit = ToUnit(frame.y_scale, frame.y, value, SymlogThreshold(frame.y));
  if (!(unit >= 0 && unit <= 1)) return;
  const float y = std::round(frame.Y(value)) + 0.5f;
  DrawDashedLine(frame.list, {frame.well_min.x, y}, {frame.well_max.x, y}, Color(Token::kText2), 1,
                 2, 3);
  if (label.empty()) return;
  const ImVec2 size = MeasureRich(label, Role::kCaption);
  // the names of events stand at the top
  const float free = frame.well_min.y + Px(18);
  const bool above = !label_left && y - size.y - Px(2) > free;
  float below = label_left ? y + Px(2) : std::max(y + Px(2), free);
  if (below + size.y > frame.well_max.y) below = y - size.y - Px(1);
  DrawRich(frame.list,
           {label_left ? frame.well_min.x + Px(6) : frame.well_max.x - size.x - Px(6),
            above ? y - size.y - Px(1) : below},
           label, Role::kCaption, Color(Token::kText2));
}

std::string ReadoutText(double shown, AxisScale scale, bool is_count, int digits) {
  // differences of channels with steps of their own may lie between two counts
  if (is_count) {
    if (const auto count = FormatCount(shown)) return *count;
  }
  const double size = std::fabs(shown);
  if (!std::isfinite(shown) || size >= 1e5) return FormatSignificant(shown, digits);
  if (scale == AxisScale::kLog && (size < 0.1 || size >= 1e4))
    return FormatSignificant(shown, digits);
  return FormatFixed(shown, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

}  // namespace slip::app
