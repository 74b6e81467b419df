// Gap instrument and friction cone: drawings that hold numbers.
#include <algorithm>
#include <cmath>

#include "app/kit/format.h"
#include "app/kit/widgets.h"

namespace slip::app {
namespace {

constexpr float kGapWidth = 292;  // design pixels
constexpr float kPxPerMm = 28;
constexpr double kMetrePerMm = 1e-3;
constexpr float kGapTop = 40;    // top of the cut-away boxes
constexpr float kBeltY = 136;    // top of the belt: height 0 of the ruler
constexpr float kBodyTop = 172;  // heading of the gauges
constexpr float kGaugeStep = 24;
constexpr float kCompactWidth = 212, kCompactStep = 22;

std::string Millimetres(double metres) { return FormatFixed(metres * 1e3, 2); }

/// Ruler in millimetres, boxes with their gap, dimension arrows.
void DrawCutAway(ImDrawList* list, ImVec2 origin, std::span<const GapReading> readings) {
  const float left = origin.x + Px(46), right = origin.x + Px(kGapWidth - 12);
  const float belt = std::round(origin.y + Px(kBeltY)), top = origin.y + Px(kGapTop);
  const float top_mm = (belt - top) / Px(kPxPerMm);
  for (int mm = 0; static_cast<float>(mm) <= top_mm - 0.2f; ++mm) {
    const float y = std::round(belt - Px(kPxPerMm) * static_cast<float>(mm));
    list->AddRectFilled({left - Px(8), y}, {right, y + Snap(1)}, Color(Token::kLine));
    const std::string text = std::to_string(mm);
    const ImVec2 size = MeasureText(text, Role::kAxis);
    DrawText(list, {left - Px(14) - size.x, y - size.y / 2}, text, Role::kAxis,
             Color(Token::kText3));
  }
  DrawText(list, {origin.x + Px(12), top - Px(14)}, "mm", Role::kCaption, Color(Token::kText3));

  // belt with slats
  list->AddRectFilled({left - Px(8), belt}, {right, belt + Px(9)}, Color(Token::kControl));
  for (float x = left; x < right - Px(8); x += Px(28)) {
    list->AddRectFilled({x, belt + Px(1)}, {x + Px(8), belt + Px(8)}, Color(Token::kLineStrong));
  }
  list->AddRectFilled({left - Px(8), belt}, {right, belt + Snap(1)}, Color(Token::kReference));

  const auto count = static_cast<float>(std::max<std::size_t>(1, readings.size()));
  const float pitch = (right - left) / count, width = std::min(Px(66), pitch - Px(10));
  list->PushClipRect({left - Px(8), top}, {right, belt + Px(9)}, true);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const GapReading& reading = readings[i];
    const float centre = std::round(left + pitch * (static_cast<float>(i) + 0.5f));
    const double mm = std::clamp(reading.gap / kMetrePerMm, -1.0, 4.0);
    const float bottom = std::round(belt - Px(kPxPerMm) * static_cast<float>(mm));
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
    if (belt - bottom > Px(14)) {
      const float middle = (belt + std::max(bottom, top)) / 2;
      DrawArrow(list, {centre, middle}, {centre, std::max(bottom, top) + Px(2)},
                Color(Token::kText2), 1);
      DrawArrow(list, {centre, middle}, {centre, belt - Px(2)}, Color(Token::kText2), 1);
    }
  }
  list->PopClipRect();
}

/// Draws text about a middle line, from the left or up to the right.
struct RowText {
  ImDrawList* list;
  void Left(float x, float middle, std::string_view text, Role role, Token token) const {
    DrawRich(list, {x, middle - FontPx(role) / 2}, text, role, Color(token));
  }
  void Right(float x, float middle, std::string_view text, Role role, Token token) const {
    Left(x - MeasureRich(text, role).x, middle, text, role, token);
  }
};

/// The numbers alone, where a picture of the gap would cover the bodies.
void DrawGapRows(ImDrawList* list, ImVec2 o, std::span<const GapReading> readings) {
  const RowText text{list};
  const float measured = o.x + Px(128), predicted = o.x + Px(kCompactWidth - 12);
  float y = o.y + Px(16);
  text.Left(o.x + Px(12), y, "Gliding offset", Role::kTitle, Token::kText);
  text.Right(predicted - Px(28), y, "mm", Role::kCaption, Token::kText3);
  y += Px(20);
  text.Right(measured, y, "measured", Role::kCaption, Token::kText3);
  text.Right(predicted, y, "predicted", Role::kCaption, Token::kText3);
  for (const GapReading& reading : readings) {
    y += Px(kCompactStep);
    DrawMark(list, {o.x + Px(18), y}, reading.style, 4.5f);
    text.Right(measured, y, Millimetres(reading.measured), Role::kValueStrong, Token::kText);
    text.Right(predicted, y, Millimetres(reading.predicted), Role::kValue, Token::kText2);
  }
}

/// Round full scale of the gauges [m].
double GaugeFull(std::span<const GapReading> readings) {
  double full = 0;
  for (const GapReading& reading : readings) {
    for (const double value : {reading.measured, reading.predicted}) {
      if (std::isfinite(value)) full = std::max(full, value);
    }
  }
  // at least a tenth of a millimetre: dust is not a reading
  const double step = NiceStep(std::max(full * 1.05, 1e-4), 4);
  return std::ceil(std::max(full * 1.05, 1e-4) / step) * step;
}

void DrawGapPicture(ImDrawList* list, ImVec2 o, ImVec2 max, std::string_view title,
                    std::span<const GapReading> readings, std::string_view formula) {
  const RowText text{list};
  const float right = max.x - Px(12);
  text.Left(o.x + Px(12), o.y + Px(18), icon::kMagnifier, Role::kIcon, Token::kText2);
  text.Left(o.x + Px(32), o.y + Px(18), title, Role::kTitle, Token::kText);
  text.Right(right, o.y + Px(18), "×20 height", Role::kCaption, Token::kText3);
  DrawCutAway(list, o, readings);

  // gauges
  float y = o.y + Px(kBodyTop - 4);
  text.Left(o.x + Px(12), y, "Gliding offset", Role::kTitle, Token::kText);
  text.Right(o.x + Px(196), y, "measured", Role::kCaption, Token::kText3);
  text.Right(right, y, "predicted", Role::kCaption, Token::kText3);
  const double full = GaugeFull(readings);
  y += Px(kGaugeStep - 2);
  for (const GapReading& reading : readings) {
    DrawMark(list, {o.x + Px(18), y}, reading.style, 4.5f);
    DrawGauge(list, {o.x + Px(34), y}, 86, reading.measured, reading.predicted, full,
              reading.style.colour);
    text.Right(o.x + Px(170), y, Millimetres(reading.measured), Role::kValueStrong, Token::kText);
    text.Right(o.x + Px(196), y, "mm", Role::kCaption, Token::kText3);
    text.Right(right - Px(27), y, Millimetres(reading.predicted), Role::kValue, Token::kText2);
    text.Right(right, y, "mm", Role::kCaption, Token::kText3);
    y += Px(kGaugeStep);
  }
  const float rule = max.y - Px(28);
  list->AddRectFilled({o.x + Px(12), rule}, {right, rule + Snap(1)}, Color(Token::kGlassLine));
  text.Left(o.x + Px(12), max.y - Px(14), formula, Role::kCaption, Token::kText2);
}

/// "?": after the formula, or in the heading.
bool HelpSign(std::string_view id, ImVec2 o, ImVec2 max, bool compact, const char* question) {
  const float right = max.x - Px(12), help = compact ? o.y + Px(16) : max.y - Px(14);
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

std::string MicrometresPerSecond(double speed) { return FormatFixed(speed * 1e6, 2); }

/// Round full scale of the gauges of creep [m/s].
double CreepFull(std::span<const CreepReading> readings) {
  double full = 1e-8;
  for (const CreepReading& reading : readings) {
    // a slip that is no creep does not flatten the gauges of the others
    if (std::isfinite(reading.predicted) && std::isfinite(reading.measured))
      full = std::max({full, reading.predicted, reading.measured});
  }
  const double step = NiceStep(full * 1.05, 4);
  return std::ceil(full * 1.05 / step) * step;
}

}  // namespace

ImVec2 GapInstrumentSize(int readings, bool compact) {
  const auto rows = static_cast<float>(std::max(1, readings));
  if (compact) return {Snap(kCompactWidth), Snap(52 + kCompactStep * rows)};
  return {Snap(kGapWidth), Snap(kBodyTop + 8 + kGaugeStep * rows + 4 + 28)};
}

bool GapInstrument(std::string_view id, ImVec2 position, std::string_view title,
                   std::span<const GapReading> readings, std::string_view formula, bool compact) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 o{std::round(position.x), std::round(position.y)};
  const ImVec2 size = GapInstrumentSize(static_cast<int>(readings.size()), compact);
  const ImVec2 max{o.x + size.x, o.y + size.y};
  DrawGlass(list, o, max);
  if (compact) {
    DrawGapRows(list, o, readings);
  } else {
    DrawGapPicture(list, o, max, title, readings, formula);
  }

  const bool clicked = HelpSign(id, o, max, compact, "What is the gliding offset?");
  RegisterWidget(id, o, max);
  return clicked;
}

ImVec2 CreepInstrumentSize(int readings, bool compact) {
  const auto rows = static_cast<float>(std::max(1, readings));
  if (compact) return {Snap(kCompactWidth), Snap(52 + kCompactStep * rows)};
  return {Snap(kGapWidth), Snap(64 + kGaugeStep * rows + 32)};
}

bool CreepInstrument(std::string_view id, ImVec2 position, std::string_view title,
                     std::span<const CreepReading> readings, std::string_view formula,
                     bool compact) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 o{std::round(position.x), std::round(position.y)};
  const ImVec2 size = CreepInstrumentSize(static_cast<int>(readings.size()), compact);
  const ImVec2 max{o.x + size.x, o.y + size.y};
  DrawGlass(list, o, max);
  const RowText text{list};
  const float right = max.x - Px(12), measured = compact ? o.x + Px(128) : o.x + Px(200);
  float y = o.y + Px(compact ? 16 : 18);
  text.Left(o.x + Px(12), y, title, Role::kTitle, Token::kText);
  text.Right(compact ? right - Px(28) : right, y, "µm/s", Role::kCaption, Token::kText3);
  y += Px(compact ? 20 : 24);
  text.Right(measured, y, "measured", Role::kCaption, Token::kText3);
  text.Right(right, y, "predicted", Role::kCaption, Token::kText3);
  const double full = CreepFull(readings);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const CreepReading& reading = readings[i];
    y += Px(compact ? kCompactStep : kGaugeStep);
    DrawMark(list, {o.x + Px(18), y}, reading.style, 4.5f);
    if (!compact) {
      const bool sticks = std::isfinite(reading.predicted);
      DrawGauge(list, {o.x + Px(34), y}, 86, sticks ? reading.measured : 0, reading.predicted, full,
                reading.style.colour);
    }
    const std::string was = !std::isfinite(reading.measured) ? "–"
                            : !std::isfinite(reading.predicted)
                                ? "slides"
                                : MicrometresPerSecond(reading.measured);
    const std::string foretold =
        std::isfinite(reading.predicted) ? MicrometresPerSecond(reading.predicted) : "–";
    text.Right(measured, y, was, Role::kValueStrong, Token::kText);
    text.Right(right, y, foretold, Role::kValue, Token::kText2);
    RegisterWidget(std::string(id) + "/" + std::to_string(i), {o.x, y - Px(10)},
                   {max.x, y + Px(10)}, false, was + " " + foretold);
  }
  if (!compact) {
    const float rule = max.y - Px(28);
    list->AddRectFilled({o.x + Px(12), rule}, {right, rule + Snap(1)}, Color(Token::kGlassLine));
    text.Left(o.x + Px(12), max.y - Px(14), formula, Role::kCaption, Token::kText2);
  }
  const bool clicked = HelpSign(id, o, max, compact, "Why does a box that sticks creep?");
  RegisterWidget(id, o, max);
  return clicked;
}

void FrictionCone(std::string_view id, std::span<const ConePoint> points, double mu, ImVec2 size,
                  std::string_view note) {
  const ImVec2 o = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  RegisterLastItem(id);
  ImDrawList* list = ImGui::GetWindowDrawList();
  double top = 1e-3;
  for (const ConePoint& point : points) {
    if (std::isfinite(point.fn)) top = std::max(top, point.fn);
    // a point far to the side must stay in the picture
    if (std::isfinite(point.ft) && mu > 0) top = std::max(top, std::fabs(point.ft) / mu * 0.7);
  }
  const double step = NiceStep(top * 1.15, 3);
  const double fn_max = std::ceil(top * 1.1 / step) * step;
  // equal axes: the angle of the cone is the angle of friction
  const float bottom = o.y + size.y - Px(26), height = size.y - Px(26) - Px(24);
  const float half_width = size.x / 2 - Px(20);
  double per_newton = static_cast<double>(height) / fn_max;
  per_newton = std::min(per_newton, static_cast<double>(half_width) / std::max(mu * fn_max, 1e-12));
  const float centre = std::round(o.x + size.x / 2);
  const auto place = [&](double ft, double fn) {
    return ImVec2{centre + static_cast<float>(ft * per_newton),
                  bottom - static_cast<float>(fn * per_newton)};
  };

  // section of the cone
  const ImVec2 left = place(-mu * fn_max, fn_max), right = place(mu * fn_max, fn_max);
  const ImVec2 apex{centre, bottom};
  list->AddTriangleFilled(apex, left, right, Color(Token::kAccent, 0.12f));
  list->AddLine(apex, left, Color(Token::kAccent), Px(1.5f));
  list->AddLine(apex, right, Color(Token::kAccent), Px(1.5f));
  const float peak = place(0, fn_max).y;
  list->AddRectFilled({o.x, bottom}, {o.x + size.x, bottom + Snap(1)}, Color(Token::kLineStrong));
  list->AddRectFilled({centre, peak - Px(6)}, {centre + Snap(1), bottom},
                      Color(Token::kLineStrong));
  DrawRich(list, {centre - Px(6), peak - Px(26)}, "f_n", Role::kCaption, Color(Token::kText2));
  const float ft_width = MeasureRich("f_t", Role::kCaption).x;
  DrawRich(list, {o.x + size.x - ft_width, bottom + Px(6)}, "f_t", Role::kCaption,
           Color(Token::kText2));

  // ticks: the same step on both axes
  const float widest = MeasureText(FormatSignificant(-fn_max, 2), Role::kTick).x + Px(8);
  const int every =
      std::max(1, static_cast<int>(std::ceil(widest / static_cast<float>(step * per_newton))));
  int tick = 0;
  for (double value = step; value <= fn_max * 1.001; value += step) {
    ++tick;
    const float y = std::round(place(0, value).y);
    list->AddRectFilled({centre - Px(3), y}, {centre + Px(4), y + Snap(1)},
                        Color(Token::kLineStrong));
    const std::string text = FormatFixed(value, value < 1 ? 1 : 0);
    DrawText(list, {centre + Px(8), y - FontPx(Role::kTick) / 2}, text, Role::kTick,
             Color(Token::kText3));
    for (const double sign : {-1.0, 1.0}) {
      const ImVec2 p = place(sign * value, 0);
      if (tick % every != 0) continue;  // a wide cone crowds its lower axis
      const std::string label = FormatFixed(sign * value, value < 1 ? 1 : 0);
      const float w = MeasureText(label, Role::kTick).x;
      if (p.x - w / 2 < o.x || p.x + w / 2 > o.x + size.x - ft_width - Px(8)) continue;
      list->AddRectFilled({p.x, bottom - Px(3)}, {p.x + Snap(1), bottom + Px(3)},
                          Color(Token::kLineStrong));
      DrawText(list, {p.x - w / 2, bottom + Px(6)}, label, Role::kTick, Color(Token::kText3));
    }
  }
  for (const ConePoint& point : points) {
    if (!std::isfinite(point.fn) || !std::isfinite(point.ft) || point.fn <= 0) continue;
    const ImVec2 p = place(point.ft, point.fn);
    list->AddLine(apex, p, point.style.colour, Px(1.75f));
    DrawMark(list, p, point.style, 4.5f);
  }
  DrawText(list, {o.x, o.y + Px(20)}, "µ = " + FormatSignificant(mu, 2), Role::kAxis,
           Color(Token::kText3));
  DrawRich(list, {o.x, o.y + Px(38)}, note, Role::kCaption, Color(Token::kText3));
}

void FrictionUsedRow(std::string_view id, const ChannelStyle& style, double used) {
  const ImVec2 o = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float middle = std::round(o.y + Px(10));
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawMark(list, {o.x + Px(8), middle}, style, 4.5f);
  const std::string text =
      std::isfinite(used) ? FormatFixed(used * 100, 1) + " %" : std::string("–");
  const float number = MeasureText("100.0 %", Role::kAxis).x;
  const float left = o.x + Px(28), right = o.x + width - number - Px(8);
  list->AddRectFilled({left, middle - Px(4)}, {right, middle + Px(4)}, Color(Token::kControl),
                      Px(2));
  if (std::isfinite(used) && used > 0) {
    const auto part = static_cast<float>(std::clamp(used, 0.0, 1.0));
    list->AddRectFilled({left, middle - Px(4)}, {left + part * (right - left), middle + Px(4)},
                        style.colour, Px(2));
  }
  DrawText(list, {o.x + width - MeasureText(text, Role::kAxis).x, middle - FontPx(Role::kAxis) / 2},
           text, Role::kAxis, Color(Token::kText));
  ImGui::Dummy({width, Snap(20) - ImGui::GetStyle().ItemSpacing.y});
  RegisterLastItem(id);
}

}  // namespace slip::app
