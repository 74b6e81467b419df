// Table of readings and friction cone: drawings that hold numbers.
#include <algorithm>
#include <cmath>

#include "app/kit/instrument_parts.h"
#include "app/kit/widgets.h"
#include "engine/tell/format.h"

namespace slip::app {
double RoundFull(double largest, double least) {
  const double full = std::max(largest * 1.05, least), step = NiceStep(full, 4);
  return std::ceil(full / step) * step;
}

void DrawLaw(ImDrawList* list, float x, float middle, const LawLine& law) {
  for (const ChannelStyle& model : law.models) {
    DrawMark(list, {x + Px(6), middle}, model, 4);
    x += Px(16);
  }
  RowText{list}.Left(x + (law.models.empty() ? 0 : Px(4)), middle, law.text, Role::kCaption,
                     Token::kText2);
}

void DrawLaws(ImDrawList* list, ImVec2 o, ImVec2 max, std::span<const LawLine> laws) {
  const float rule = max.y - Px(LawsHeight(static_cast<int>(laws.size())));
  list->AddRectFilled({o.x + Px(12), rule}, {max.x - Px(12), rule + Snap(1)},
                      Color(Token::kGlassLine));
  float middle = rule + Px(14);
  for (const LawLine& law : laws) {
    DrawLaw(list, o.x + Px(12), middle, law);
    middle += Px(kLawStep);
  }
}

ImVec2 GaugeTableSize(int rows, InstrumentForm form, int laws) {
  const auto count = static_cast<float>(std::max(1, rows));
  if (form != InstrumentForm::kFull) {
    const float width = form == InstrumentForm::kWide ? kWideTableWidth : kCompactInstrumentWidth;
    return {Snap(width), Snap(52 + kCompactInstrumentStep * count)};
  }
  return {Snap(kInstrumentWidth), Snap(68 + kInstrumentStep * count + LawsHeight(laws))};
}

bool GaugeTable(std::string_view id, ImVec2 position, const GaugeTableText& text,
                std::span<const GaugeRow> rows, double full, InstrumentForm form) {
  const bool low = form != InstrumentForm::kFull;
  const bool compact = form == InstrumentForm::kCompact;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 o{std::round(position.x), std::round(position.y)};
  const ImVec2 size =
      GaugeTableSize(static_cast<int>(rows.size()), form, static_cast<int>(text.laws.size()));
  const ImVec2 max{o.x + size.x, o.y + size.y};
  DrawGlass(list, o, max);
  const RowText row_text{list};
  const float right = max.x - Px(12);
  // right ends of the columns; the middle one of three is left out where it is narrow
  const std::size_t columns = text.headings.size();
  const std::size_t beside = text.beside < 0 ? columns - 1 : static_cast<std::size_t>(text.beside);
  const auto width_of = [&](std::size_t column) {
    float width = MeasureRich(text.headings[column], Role::kCaption).x;
    for (const GaugeRow& row : rows) {
      if (column < row.cells.size())
        width = std::max(width, MeasureRich(row.cells[column], Role::kValue).x);
    }
    return width;
  };
  const float widest_beside = width_of(beside);
  const auto end = [&](std::size_t column) {
    if (column == (compact ? beside : columns - 1)) return right;
    if (compact) return std::min(o.x + Px(128), right - widest_beside - Px(10));
    if (columns == 2 && !low)
      return std::min(o.x + Px(192), right - std::max(Px(76), widest_beside + Px(14)));
    float x = right;
    for (std::size_t c = columns - 1; c > column; --c) {
      // the last column has units of its own
      const float step = Px(c == columns - 1 ? 76.0f : 68.0f);
      x -= std::max(step, width_of(c) + Px(12));
    }
    return x;
  };
  const auto seen = [&](std::size_t column) { return !compact || column == 0 || column == beside; };
  // long numbers take their room from the gauges
  float widest = 0;
  for (const GaugeRow& row : rows) {
    if (!row.cells.empty())
      widest = std::max(widest, MeasureRich(row.cells.front(), Role::kValueStrong).x);
  }
  const bool wide_gauge = columns == 2 && o.x + Px(34 + 86 + 8) + widest <= end(0);
  const bool no_gauge = o.x + Px(34 + 52 + 6) + widest > end(0);
  float y = o.y + Px(low ? 16 : 18);
  row_text.Left(o.x + Px(12), y, text.title, Role::kTitle, Token::kText);
  // a long title needs the width: then the unit stands before the headings
  const std::size_t last =
      text.unit_over < 0 ? columns - 1 : static_cast<std::size_t>(text.unit_over);
  const float unit_end = low ? right : end(last);
  const float title_end = o.x + Px(12) + MeasureRich(text.title, Role::kTitle).x + Px(8);
  const bool beside_title =
      !low && title_end + MeasureRich(text.unit, Role::kCaption).x <= unit_end;
  ImVec2 unit_at{unit_end - MeasureRich(text.unit, Role::kCaption).x, y};
  y += Px(low ? 20 : 24);
  if (!beside_title) unit_at = {o.x + Px(12), y};
  row_text.Left(unit_at.x, unit_at.y, text.unit, Role::kCaption, Token::kText3);
  RegisterWidget(std::string(id) + "/unit", {unit_at.x, unit_at.y - Px(10)},
                 {unit_at.x + MeasureRich(text.unit, Role::kCaption).x, unit_at.y + Px(10)}, false,
                 text.unit);
  for (std::size_t c = 0; c < columns; ++c) {
    if (seen(c)) row_text.Right(end(c), y, text.headings[c], Role::kCaption, Token::kText3);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const GaugeRow& row = rows[i];
    y += Px(low ? kCompactInstrumentStep : kInstrumentStep);
    if (row.name.empty()) {
      DrawMark(list, {o.x + Px(18), y}, row.style, 4.5f);
    } else {
      DrawDashedLine(list, {o.x + Px(12), y}, {o.x + Px(25), y}, row.style.colour, 1.5f, 2, 3);
      row_text.Left(o.x + Px(32), y, row.name, Role::kCaption, Token::kText2);
    }
    if (!low && full > 0 && !no_gauge && row.name.empty()) {
      const ImVec2 left{o.x + Px(34), y};
      const float bar =
          DrawGauge(list, left, wide_gauge ? 86 : 52, row.bar, row.tick, full, row.style.colour);
      RegisterWidget(std::string(id) + "/bar/" + std::to_string(i), {left.x, y - Px(5)},
                     {left.x + bar, y + Px(5)});
    }
    std::string words;
    for (std::size_t c = 0; c < columns && c < row.cells.size(); ++c) {
      words += (words.empty() ? "" : " ") + row.cells[c];
      if (!seen(c)) continue;
      row_text.Right(end(c), y, row.cells[c], c == 0 ? Role::kValueStrong : Role::kValue,
                     c == 0 ? Token::kText : Token::kText2);
    }
    RegisterWidget(std::string(id) + "/" + std::to_string(i), {o.x, y - Px(10)},
                   {max.x, y + Px(10)}, false, words);
  }
  std::vector<LawLine> laws = text.laws;
  // a line of no model tells what the gauges are
  for (LawLine& law : laws) {
    if (no_gauge && law.models.empty()) law.text.clear();
  }
  if (!low) DrawLaws(list, o, max, laws);
  const bool clicked = HelpSign(id, o, max, low, text.question);
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
  for (const ConePoint& point : points) {
    if (!(point.mu > 0) || std::fabs(point.mu - mu) < 1e-9 * mu) continue;
    for (const double side : {-point.mu, point.mu}) {
      const double high = std::min(fn_max, static_cast<double>(half_width) / per_newton / point.mu);
      DrawDashedLine(list, apex, place(side * high, high), point.style.colour, 1, 4, 3);
    }
  }
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
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  int tick = 0;
  for (double value = step; value <= fn_max * 1.001; value += step) {
    ++tick;
    const float y = std::round(place(0, value).y);
    list->AddRectFilled({centre - Px(3), y}, {centre + Px(4), y + Snap(1)},
                        Color(Token::kLineStrong));
    const std::string text = FormatFixed(value, decimals);
    DrawText(list, {centre + Px(8), y - FontPx(Role::kTick) / 2}, text, Role::kTick,
             Color(Token::kText3));
    for (const double sign : {-1.0, 1.0}) {
      const ImVec2 p = place(sign * value, 0);
      if (tick % every != 0) continue;  // a wide cone crowds its lower axis
      const std::string label = FormatFixed(sign * value, decimals);
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
  // a wide cone reaches there
  const std::string coefficient = "µ = " + FormatSignificant(mu, 2);
  const ImVec2 extent = MeasureText(coefficient, Role::kAxis);
  list->AddRectFilled({o.x, o.y + Px(18)}, {o.x + extent.x + Px(4), o.y + Px(22) + extent.y},
                      Color(Token::kPanel), Px(3));
  DrawText(list, {o.x, o.y + Px(20)}, coefficient, Role::kAxis, Color(Token::kText3));
  DrawRich(list, {o.x, o.y + Px(38)}, note, Role::kCaption, Color(Token::kText3));
}

void FrictionUsedRow(std::string_view id, const ChannelStyle& style, double used, double written) {
  const ImVec2 o = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float middle = std::round(o.y + Px(10));
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawMark(list, {o.x + Px(8), middle}, style, 4.5f);
  const std::string text =
      std::isfinite(written) ? FormatFixed(written * 100, 1) + " %" : std::string("–");
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
  RegisterWidget(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), false, text);
}

}  // namespace slip::app
