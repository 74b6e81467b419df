// Gap instrument: how far bodies stand above a surface or lie in it, magnified.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/instrument_parts.h"
#include "app/kit/widgets.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

// Design pixels.
constexpr float kCutTop = 40, kCutBottom = 145;        // of the cut-away picture
constexpr float kSurfaceHigh = 64, kSurfaceLow = 136;  // of the surface: room below, or above it
constexpr float kGaugeTop = 172;                       // heading of the gauges
constexpr float kWideHeight = 158, kWideCut = 224;     // of the wide form; width of its picture
constexpr float kHeadroom = 8;  // between the lowest edge drawn and the border
/// Smaller offsets are dust and no full scale [m].
constexpr double kLeastFull = 1e-6;
constexpr double kMostMagnified = 1e5;

float SurfaceY(const GapScale& scale) { return scale.below ? kSurfaceHigh : kSurfaceLow; }

/// Pixels for the largest extent.
float RoomOf(bool below) {
  return below ? Px(kCutBottom - kSurfaceHigh - kHeadroom) : Px(kSurfaceLow - kCutTop - kHeadroom);
}

/// Lengths of one instrument in one unit, with enough decimals for three digits of the largest.
struct LengthText {
  double factor = 1e3;
  std::string unit = "mm";
  int decimals = 2;

  explicit LengthText(double full) {
    factor = DisplayFactor(full, "m");
    unit = SplitQuantity(full, "m").unit;
    const double shown = full * factor;
    decimals = shown < 0.999 ? 3 : shown < 9.99 ? 2 : shown < 99.9 ? 1 : 0;
  }
  std::string operator()(double metres) const { return FormatFixed(metres * factor, decimals); }
};

void DrawRuler(ImDrawList* list, ImVec2 origin, float left, float right, const GapScale& scale) {
  const float top = origin.y + Px(kCutTop), bottom = origin.y + Px(kCutBottom);
  const float surface = std::round(origin.y + Px(SurfaceY(scale)));
  const double span = static_cast<double>(RoomOf(scale.below)) / scale.pixels_per_metre;
  const double step = NiceStep(span, 4), factor = DisplayFactor(span, "m");
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step * factor) + 1e-9)));
  const auto lowest = static_cast<int>(
      std::ceil(-static_cast<double>(bottom - surface) / (scale.pixels_per_metre * step) + 0.2));
  for (int n = lowest;; ++n) {
    const double height = n * step;
    const float y = std::round(surface - static_cast<float>(height * scale.pixels_per_metre));
    if (y < top + Px(6)) break;
    list->AddRectFilled({left - Px(8), y}, {right, y + Snap(1)}, Color(Token::kLine));
    const std::string text = FormatFixed(height * factor, decimals);
    const ImVec2 size = MeasureText(text, Role::kAxis);
    DrawText(list, {left - Px(14) - size.x, y - size.y / 2}, text, Role::kAxis,
             Color(Token::kText3));
  }
  DrawText(list, {origin.x + Px(12), top - Px(14)}, SplitQuantity(span, "m").unit, Role::kCaption,
           Color(Token::kText3));
}

/// From the surface to the body's lower edge.
void DrawDimension(ImDrawList* list, float x, float surface, float edge) {
  const float middle = (surface + edge) / 2, inward = edge < surface ? Px(2) : -Px(2);
  DrawArrow(list, {x, middle}, {x, edge + inward}, Color(Token::kText2), 1);
  DrawArrow(list, {x, middle}, {x, surface - inward}, Color(Token::kText2), 1);
}

/// Ruler, boxes with their gap or penetration, dimension arrows.
void DrawCutAway(ImDrawList* list, ImVec2 origin, float room, std::span<const GapReading> readings,
                 const GapScale& scale) {
  const float left = origin.x + Px(58), right = origin.x + Px(room - 12);
  const float top = origin.y + Px(kCutTop), end = origin.y + Px(kCutBottom);
  const float surface = std::round(origin.y + Px(SurfaceY(scale)));
  list->AddRectFilled({left - Px(8), surface}, {right, end}, Color(Token::kControl));
  DrawRuler(list, origin, left, right, scale);
  if (!scale.below) {  // slats, as a belt has
    for (float x = left; x < right - Px(8); x += Px(28))
      list->AddRectFilled({x, surface + Px(1)}, {x + Px(8), surface + Px(8)},
                          Color(Token::kLineStrong));
  }
  list->AddRectFilled({left - Px(8), surface}, {right, surface + Snap(1)},
                      Color(Token::kReference));

  const auto count = static_cast<float>(std::max<std::size_t>(1, readings.size()));
  const float pitch = (right - left) / count, width = std::min(Px(66), pitch - Px(10));
  list->PushClipRect({left - Px(8), top}, {right, end}, true);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const GapReading& reading = readings[i];
    if (!std::isfinite(reading.gap)) continue;
    const float centre = std::round(left + pitch * (static_cast<float>(i) + 0.5f));
    const double pixels = std::clamp(reading.gap * scale.pixels_per_metre, -1e4, 1e4);
    const float bottom = std::round(surface - static_cast<float>(pixels));
    const ImVec2 a{centre - width / 2, top - Px(20)}, b{centre + width / 2, bottom};
    // the box is cut open at the top: it is higher than the window of the instrument
    if (bottom > top + 1) {
      list->AddRectFilled(a, b, WithAlpha(reading.style.colour, 0.28f));
      list->AddRect(a, b, reading.style.colour, 0, 0, Px(1.5f));
    } else {
      // lifted out of the picture: an arrow says so
      list->AddTriangleFilled({centre - Px(5), top + Px(10)}, {centre + Px(5), top + Px(10)},
                              {centre, top + Px(3)}, reading.style.colour);
    }
    const float mark_y = std::min(top + Px(14), bottom - Px(12));
    if (mark_y > top) DrawMark(list, {centre, mark_y}, reading.style, 5);
    const float seen = std::clamp(bottom, top, end);
    if (std::abs(surface - seen) > Px(14)) DrawDimension(list, centre, surface, seen);
  }
  list->PopClipRect();
}

/// The numbers alone, where a picture of the gap would cover the bodies.
void DrawGapRows(ImDrawList* list, ImVec2 o, std::span<const GapReading> readings,
                 const LengthText& length) {
  const RowText text{list};
  const float measured = o.x + Px(128), predicted = o.x + Px(kCompactInstrumentWidth - 12);
  float y = o.y + Px(16);
  text.Left(o.x + Px(12), y, "Gliding offset", Role::kTitle, Token::kText);
  text.Right(predicted - Px(28), y, length.unit, Role::kCaption, Token::kText3);
  y += Px(20);
  text.Right(measured, y, "measured", Role::kCaption, Token::kText3);
  text.Right(predicted, y, "predicted", Role::kCaption, Token::kText3);
  for (const GapReading& reading : readings) {
    y += Px(kCompactInstrumentStep);
    DrawMark(list, {o.x + Px(18), y}, reading.style, 4.5f);
    text.Right(measured, y, length(reading.written_measured), Role::kValueStrong, Token::kText);
    text.Right(predicted, y, length(reading.written_predicted), Role::kValue, Token::kText2);
  }
}

/// "×20 height": a click keeps the magnification, or lets it choose itself again.
bool ScaleSign(std::string_view id, ImVec2 o, float room, const GapScale& scale) {
  const std::string text = "×" + FormatSignificant(scale.magnification, 1) + " height";
  const float right = o.x + Px(room - 12), middle = o.y + Px(18);
  const float width = MeasureRich(text, Role::kCaption).x + (scale.locked ? Px(16) : 0);
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({right - width - Px(4), middle - Px(10)});
  ImGui::PushID(id.data(), id.data() + id.size());
  const bool clicked = ImGui::InvisibleButton("scale", {width + Px(8), Px(20)});
  ImGui::PopID();
  RegisterWidget(std::string(id) + "/scale", ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                 false, text);
  const bool hovered = ImGui::IsItemHovered();
  Tooltip(scale.locked ? "Heights are drawn so many times larger than in the picture behind. "
                         "Click: it follows the largest one again."
                       : "Heights are drawn so many times larger than in the picture behind; this "
                         "follows the largest one of the last two seconds. Click to keep it.");
  ImGui::SetCursorScreenPos(cursor);
  const RowText row{ImGui::GetWindowDrawList()};
  const Token token = hovered ? Token::kText : Token::kText3;
  row.Right(right, middle, text, Role::kCaption, token);
  if (scale.locked) row.Left(right - width, middle, icon::kLock, Role::kIconSmall, token);
  return clicked;
}

void DrawGauges(ImDrawList* list, ImVec2 o, ImVec2 max, std::span<const GapReading> readings,
                double full, const LengthText& length) {
  const RowText text{list};
  const float right = max.x - Px(12);
  float y = o.y + Px(kGaugeTop - 4);
  text.Left(o.x + Px(12), y, "Gliding offset", Role::kTitle, Token::kText);
  text.Right(o.x + Px(196), y, "measured", Role::kCaption, Token::kText3);
  text.Right(right, y, "predicted", Role::kCaption, Token::kText3);
  y += Px(kInstrumentStep - 2);
  for (const GapReading& reading : readings) {
    DrawMark(list, {o.x + Px(18), y}, reading.style, 4.5f);
    DrawGauge(list, {o.x + Px(34), y}, 86, reading.measured, reading.predicted, full,
              reading.style.colour);
    text.Right(o.x + Px(170), y, length(reading.written_measured), Role::kValueStrong,
               Token::kText);
    text.Right(o.x + Px(196), y, length.unit, Role::kCaption, Token::kText3);
    text.Right(right - Px(27), y, length(reading.written_predicted), Role::kValue, Token::kText2);
    text.Right(right, y, length.unit, Role::kCaption, Token::kText3);
    y += Px(kInstrumentStep);
  }
}

}  // namespace

bool HelpSign(std::string_view id, ImVec2 min, ImVec2 max, bool compact, const char* question) {
  const float right = max.x - Px(12), help = compact ? min.y + Px(16) : max.y - Px(14);
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({right - Px(20), help - Px(11)});
  ImGui::PushID(id.data(), id.data() + id.size());
  const bool clicked = ImGui::InvisibleButton("help", {Px(24), Px(22)});
  ImGui::PopID();
  RegisterLastItem(std::string(id) + "/help");
  const bool hovered = ImGui::IsItemHovered();
  Tooltip(question);
  ImGui::SetCursorScreenPos(cursor);
  RowText{ImGui::GetWindowDrawList()}.Right(right, help, icon::kHelp, Role::kIcon,
                                            hovered ? Token::kText : Token::kText2);
  return clicked;
}

GapScale ChooseGapScale(double lowest, double highest, double offset, double picture_scale,
                        double locked) {
  GapScale scale;
  scale.below = -lowest > highest;
  scale.locked = locked > 0;
  const double extent = std::max({highest, -lowest, 1e-12});
  const double most = static_cast<double>(RoomOf(scale.below)) / (extent * picture_scale);
  // the largest of 1, 2, 5 times a power of ten that fits
  const double decade = std::pow(10, std::floor(std::log10(std::clamp(most, 1.0, kMostMagnified))));
  const double steps = most / decade;
  scale.magnification = decade * (steps >= 5 ? 5 : steps >= 2 ? 2 : 1);
  scale.magnification = std::min(scale.magnification, kMostMagnified);
  if (scale.locked) scale.magnification = locked;
  scale.pixels_per_metre = scale.magnification * picture_scale;
  scale.full_offset = RoundFull(offset, kLeastFull);
  return scale;
}

ImVec2 GapInstrumentSize(int readings, InstrumentForm form, int laws) {
  const auto rows = static_cast<float>(std::max(1, readings));
  const float numbers = 52 + kCompactInstrumentStep * rows;
  if (form == InstrumentForm::kCompact) return {Snap(kCompactInstrumentWidth), Snap(numbers)};
  if (form == InstrumentForm::kWide)
    return {Snap(kWideCut + kCompactInstrumentWidth), Snap(std::max(kWideHeight, numbers))};
  return {Snap(kInstrumentWidth),
          Snap(kGaugeTop + 8 + kInstrumentStep * rows + 4 + LawsHeight(laws))};
}

GapClick GapInstrument(std::string_view id, ImVec2 position, std::string_view title,
                       std::span<const GapReading> readings, const GapScale& scale,
                       std::span<const LawLine> laws, InstrumentForm form) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 o{std::round(position.x), std::round(position.y)};
  const ImVec2 size =
      GapInstrumentSize(static_cast<int>(readings.size()), form, static_cast<int>(laws.size()));
  const ImVec2 max{o.x + size.x, o.y + size.y};
  DrawGlass(list, o, max);
  const LengthText length(scale.full_offset);
  GapClick click = GapClick::kNone;
  const bool full = form == InstrumentForm::kFull, wide = form == InstrumentForm::kWide;
  if (full || wide) {
    const float room = full ? kInstrumentWidth : kWideCut;
    const RowText text{list};
    text.Left(o.x + Px(12), o.y + Px(18), icon::kMagnifier, Role::kIcon, Token::kText2);
    // beside its numbers the picture needs no name
    if (full) text.Left(o.x + Px(32), o.y + Px(18), title, Role::kTitle, Token::kText);
    DrawCutAway(list, o, room, readings, scale);
    if (ScaleSign(id, o, room, scale)) click = GapClick::kScale;
  }
  const float left = o.x + (wide ? Px(kWideCut) : 0);
  if (full) {
    DrawGauges(list, o, max, readings, scale.full_offset, length);
    DrawLaws(list, o, max, laws);
  } else {
    DrawGapRows(list, {left, o.y}, readings, length);
    if (wide && !laws.empty()) DrawLaw(list, left + Px(12), max.y - Px(14), laws.front());
  }
  if (HelpSign(id, {left, o.y}, max, !full, "What is the gliding offset?")) click = GapClick::kHelp;
  for (std::size_t i = 0; i < readings.size() && WidgetRegistryEnabled(); ++i) {
    RegisterWidget(fmt::format("{}/{}", id, i), o, o, false,
                   length(readings[i].written_measured) + " " +
                       length(readings[i].written_predicted) + " " + length.unit);
  }
  RegisterWidget(id, o, max);
  return click;
}

}  // namespace slip::app
