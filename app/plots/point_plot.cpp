// Points instead of samples over time: residual per iteration, forces by rank, friction and load.
#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "app/plots/plot.h"
#include "app/plots/plot_frame.h"
#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

AxisRange FitPoints(const PointPlotSpec& spec, bool of_x, AxisScale scale) {
  MinMax extent;
  for (const PointSeries& series : spec.series) {
    for (const PlotPoint& point : series.points) {
      const double value = of_x ? point.x : point.y;
      if (std::isfinite(value) && (scale != AxisScale::kLog || value > 0)) {
        extent.Add(static_cast<float>(value));
      }
    }
  }
  if (!of_x) {
    for (const PlotLine& line : spec.lines) extent.Add(static_cast<float>(line.value));
  }
  if (extent.empty()) return scale == AxisScale::kLog ? AxisRange{1, 10} : AxisRange{0, 1};
  const AxisRange data{static_cast<double>(extent.min), static_cast<double>(extent.max)};
  if (of_x && scale == AxisScale::kLinear) {
    // ranks and iterations: half a place of air, no rounding to tens
    const double air = std::max(0.5, 0.01 * data.span());
    return {data.min - air, data.max + air};
  }
  AxisRange range = AutoFit(scale, data, {}, false);
  // room for the marks at the ends of a log axis
  if (scale == AxisScale::kLog) {
    const double margin = std::pow(range.max / range.min, 0.06);
    range = {range.min / margin, range.max * margin};
  }
  return range;
}

void DrawSlope(const PlotFrame& frame, double slope, std::string_view label) {
  std::vector<ImVec2> points;
  for (int i = 0; i <= 64; ++i) {
    const double x = FromUnit(frame.x_scale, frame.x, i / 64.0);
    points.push_back({frame.X(x), frame.Y(slope * x)});
  }
  DrawPolyline(frame.list, points, PredictionStyle());
  const ImVec2 size = MeasureRich(label, Role::kCaption);
  DrawRich(frame.list, {frame.well_max.x - size.x - Px(40), frame.well_min.y + Px(6)}, label,
           Role::kCaption, Color(Token::kText2));
}

void DrawSeries(const PlotFrame& frame, const PointSeries& series) {
  // stems below lines below marks
  std::vector<ImVec2> line;
  for (const PlotPoint& point : series.points) {
    const ImVec2 p{frame.X(point.x), frame.Y(point.y)};
    const ImU32 colour = point.colour ? point.colour : series.style.colour;
    const bool no_place =
        !std::isfinite(point.y) || (frame.y_scale == AxisScale::kLog && point.y <= 0);
    if (series.stems && !no_place) {
      frame.list->AddLine({p.x, frame.well_max.y}, p, WithAlpha(colour, 0.6f), Px(3));
    }
    if (!no_place) line.push_back(p);
  }
  if (series.line) {
    ChannelStyle style = series.style;
    style.dash_count = 0;
    style.width = 1;
    style.colour = WithAlpha(style.colour, 0.7f);
    DrawPolyline(frame.list, line, style);
  }
  for (const PlotPoint& point : series.points) {
    ChannelStyle style = series.style;
    if (point.colour) style.colour = point.colour;
    if (point.mark != Mark::kNone) style.mark = point.mark;
    ImVec2 p{frame.X(point.x), frame.Y(point.y)};
    if (!std::isfinite(point.y)) continue;
    if (frame.y_scale == AxisScale::kLog && point.y <= 0) {
      // converged to exactly zero: on the lower border, pointing down
      style.mark = Mark::kTriangleDown;
      p.y = frame.well_max.y - Px(5);
    }
    DrawMark(frame.list, p, style, series.mark_radius);
  }
}

}  // namespace

int PointPlot(const PointPlotSpec& spec, ImVec2 size) {
  const ImVec2 position = ImGui::GetCursorScreenPos();
  ImGui::PushID(spec.id.data(), spec.id.data() + spec.id.size());
  PlotFrame frame = LayoutFrame(position, size);
  frame.x_scale = spec.x_scale;
  frame.y_scale = spec.y_scale;
  frame.x = spec.x_range ? *spec.x_range : FitPoints(spec, true, spec.x_scale);
  frame.y = spec.y_range ? *spec.y_range : FitPoints(spec, false, spec.y_scale);
  frame.y_unit = ChooseUnit(frame.y, frame.y_scale, spec.unit);

  DrawFrame(frame, spec.x_label);
  const float note_width = MeasureRich(spec.note, Role::kCaption).x;
  const float note_x = frame.max.x - Px(12) - note_width;
  DrawPlotTitle(frame, spec.title, frame.y_unit.text, note_x - Px(10));
  DrawRich(frame.list, {note_x, frame.min.y + Px(16) - FontPx(Role::kCaption) / 2}, spec.note,
           Role::kCaption, Color(Token::kAccent));

  // input: the nearest point within reach
  ImGui::SetCursorScreenPos(frame.well_min);
  const bool pressed = ImGui::InvisibleButton(
      "points", {frame.well_max.x - frame.well_min.x, frame.well_max.y - frame.well_min.y});
  RegisterLastItem("plot/" + std::string(spec.id) + "/well");
  int nearest = -1;
  if (!spec.series.empty() && ImGui::IsItemHovered()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    float best = Px(14);
    const auto& points = spec.series[0].points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const float dx = frame.X(points[i].x) - mouse.x;
      const float dy = frame.Y(points[i].y) - mouse.y;
      const float distance =
          spec.series[0].line || spec.series[0].stems ? std::fabs(dx) : std::hypot(dx, dy);
      if (distance < best) {
        best = distance;
        nearest = static_cast<int>(i);
      }
    }
  }

  frame.list->PushClipRect(frame.well_min, frame.well_max, true);
  for (const PlotLine& line : spec.lines) DrawReferenceLine(frame, line.value, line.label, true);
  if (spec.slope) DrawSlope(frame, *spec.slope, spec.slope_label);
  for (const PointSeries& series : spec.series) DrawSeries(frame, series);
  if (!spec.series.empty()) {
    const auto& points = spec.series[0].points;
    for (const int index : {spec.selected, nearest}) {
      if (index < 0 || static_cast<std::size_t>(index) >= points.size()) continue;
      const PlotPoint& point = At(points, index);
      frame.list->AddCircle({frame.X(point.x), frame.Y(point.y)}, Px(7), Color(Token::kHead), 0,
                            Px(1.75f));
    }
    if (nearest >= 0) {
      const PlotPoint& point = At(points, nearest);
      Tooltip(FormatSignificant(point.x, 4) + ",  " + FormatQuantity(point.y, spec.unit, 4));
    }
  }
  frame.list->PopClipRect();
  ImGui::PopID();
  ImGui::SetCursorScreenPos(position);
  ImGui::Dummy(size);
  return pressed ? nearest : -1;
}

}  // namespace slip::app
