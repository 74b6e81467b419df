#include "app/plots/curve_end.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/kit/widget_registry.h"

namespace slip::app {

void DrawCurveEnd(const PlotFrame& frame, std::string_view id, const PlotSeries& series) {
  if (series.data.empty()) return;
  const auto place = [&](std::size_t i) {
    return ImVec2(frame.X(series.data.TimeAt(i)),
                  frame.Y(static_cast<double>(series.data.ValueAt(i))));
  };
  const std::size_t last = series.data.size() - 1;
  const ImVec2 start = place(0), middle = place(last / 2), end = place(last);
  if (frame.InWell(end)) frame.list->AddCircleFilled(end, Px(3.4f), series.style.colour);
  constexpr float kLeast = 12;  // of a curve that words are worth, design pixels
  if (end.x - start.x < Px(kLeast) || !frame.InWell(middle)) return;
  const ImVec2 size = MeasureText(series.end_note, Role::kCaption);
  const float leader = Px(18), rim = Px(4);
  const bool above = middle.y - leader - size.y > frame.well_min.y + Px(18);
  const float y = above ? middle.y - leader - size.y : middle.y + leader;
  const float x = std::min(middle.x - Px(6), frame.well_max.x - size.x - rim);
  if (x < frame.well_min.x + rim || y + size.y > frame.well_max.y) return;
  const float from = above ? middle.y - Px(4) : middle.y + Px(4);
  frame.list->AddLine({middle.x, from}, {middle.x, above ? y + size.y : y}, Color(Token::kText2),
                      Snap(1));
  frame.list->AddRectFilled({x - rim, y - Px(1)}, {x + size.x + rim, y + size.y + Px(1)},
                            Color(Token::kWell, 0.85f), Px(3));
  DrawText(frame.list, {x, y}, series.end_note, Role::kCaption, Color(Token::kText));
  RegisterWidget(fmt::format("plot/{}/end", id), {x, y}, {x + size.x, y + size.y}, false,
                 series.end_note);
}

}  // namespace slip::app
