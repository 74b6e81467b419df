#include "app/report/figure_plot.h"

#include <fmt/format.h>

#include <limits>

#include "app/kit/widgets.h"
#include "app/plots/plot_frame.h"
#include "engine/core/quantity_text.h"

namespace slip::app {
namespace {

constexpr float kLegendLine = 20, kSample = 46, kBetween = 18;  // [design px]
constexpr float kBelowTicks = 18;                               // for the name of the x axis
constexpr float kReach = 14;                                    // of the mouse

/// Grey curves are told apart by their dashes.
constexpr std::array<std::array<float, 4>, 3> kGuideDashes = {
    {{2, 3, 2, 3}, {6, 3, 2, 3}, {6, 4, 6, 4}}};

ImVec2 PlaceOf(const PlotFrame& frame, const FigureCurve& curve, std::size_t i) {
  return {frame.X(curve.x[i]), frame.Y(curve.y[i])};
}

void DrawMarks(const PlotFrame& frame, const FigureCurve& curve, const FigureAxes& axes,
               std::size_t panel, std::size_t place, std::size_t curves) {
  const ChannelStyle style = StyleOf(curve);
  const auto mark = [&](std::size_t i) {
    if (!axes.x.Takes(curve.x[i]) || !axes.y[panel].Takes(curve.y[i])) return;
    if (curve.dots) {
      frame.list->AddCircleFilled(PlaceOf(frame, curve, i), Px(1.6f), style.colour, 6);
    } else {
      DrawMark(frame.list, PlaceOf(frame, curve, i), style, 3.4f, true);
    }
  };
  if (curve.points || curve.dots) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) mark(i);
  } else {
    for (const std::size_t i : MarkedPoints(curve, axes.x, place, curves)) mark(i);
  }
}

void DrawCurve(const PlotFrame& frame, const FigureCurve& curve, const FigureAxes& axes,
               std::size_t panel, std::size_t place, std::size_t curves) {
  const ChannelStyle style = StyleOf(curve);
  if (!curve.dots) {
    std::vector<ImVec2> piece;
    const auto flush = [&] {
      DrawPolyline(frame.list, piece, style);
      piece.clear();
    };
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (axes.x.Takes(curve.x[i]) && axes.y[panel].Takes(curve.y[i])) {
        piece.push_back(PlaceOf(frame, curve, i));
      } else {
        flush();
      }
    }
    flush();
  }
  if (curve.method) DrawMarks(frame, curve, axes, panel, place, curves);
}

struct NearPoint {
  const FigureCurve* curve = nullptr;
  std::size_t index = 0;
};
NearPoint FindNear(const PlotFrame& frame, const FigurePanel& panel, const FigureAxes& axes,
                   std::size_t at) {
  NearPoint near;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  float best = Px(kReach);
  for (const FigureCurve& curve : panel.curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!axes.x.Takes(curve.x[i]) || !axes.y[at].Takes(curve.y[i])) continue;
      const ImVec2 p = PlaceOf(frame, curve, i);
      const float distance = std::hypot(p.x - mouse.x, p.y - mouse.y);
      // what was measured comes before guides
      const float counted = curve.method ? distance : distance + Px(4);
      if (counted >= best) continue;
      best = counted;
      near = {&curve, i};
    }
  }
  return near;
}

/// A row of the tool tip: what, and its number.
void TipRow(const std::string& label, const std::string& value) {
  Rich(label, Role::kCaption, Token::kText2);
  ImGui::SameLine(0, Px(8));
  PushRole(Role::kAxis);
  ImGui::TextUnformatted(value.c_str());
  PopRole();
}

void DrawTip(const Figure& figure, const FigurePanel& panel, const NearPoint& near) {
  if (!TooltipAllowed()) return;
  ImGui::BeginTooltip();
  Rich(near.curve->label, Role::kCaption, Token::kText);
  TipRow(panel.label, FormatQuantity(near.curve->y[near.index], panel.unit, 4));
  TipRow(figure.x_label, FormatQuantity(near.curve->x[near.index], figure.x_unit, 4));
  ImGui::EndTooltip();
}

void DrawEdge(const PlotFrame& frame) {
  frame.list->AddRect(frame.min, frame.max, Color(Token::kLine), Px(4), 0, Snap(1));
}

void DrawContent(const PlotFrame& frame, const Figure& figure, const FigureAxes& axes,
                 std::size_t index, std::optional<double> marked) {
  const FigurePanel& panel = figure.panels[index];
  // marks on the border stay whole, curves that are cut end there
  const float slack = std::isnan(panel.from) ? Px(4) : Px(1);
  frame.list->PushClipRect({frame.well_min.x - Px(4), frame.well_min.y - slack},
                           {frame.well_max.x + Px(4), frame.well_max.y + slack}, true);
  if (marked && axes.x.Takes(*marked)) {
    const float x = std::round(frame.X(*marked)) + 0.5f;
    DrawDashedLine(frame.list, {x, frame.well_min.y}, {x, frame.well_max.y}, Color(Token::kAccent),
                   Px(1), 2, 3);
  }
  for (const StudyLine& line : panel.lines) DrawReferenceLine(frame, line.value, "");
  // guides lie under what was measured
  for (const bool measured : {false, true})
    for (std::size_t i = 0; i < panel.curves.size(); ++i)
      if (panel.curves[i].method.has_value() == measured)
        DrawCurve(frame, panel.curves[i], axes, index, i, panel.curves.size());
  frame.list->PopClipRect();
  float taken = -std::numeric_limits<float>::max();
  for (const StudyLine& line : panel.lines)
    DrawReferenceLabel(frame, line.value, line.label, &taken);
}

}  // namespace

ChannelStyle StyleOf(const FigureCurve& curve) {
  ChannelStyle style = curve.method ? ModelStyle(*curve.method) : ReferenceStyle();
  if (!curve.method) {
    style.colour = Color(Token::kText2);
    style.dash = kGuideDashes[curve.guide % kGuideDashes.size()];
    style.dash_count = 4;
    style.width = 1.25f;
  }
  if (curve.solid) style.dash_count = 0;
  if (curve.alpha < 1) style.colour = WithAlpha(style.colour, curve.alpha);
  return style;
}

void FigureLegend(const std::string& id, const Figure& figure, float width) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  float x = 0, y = 0;
  for (const FigureCurve* curve : LegendOf(figure)) {
    const ChannelStyle style = StyleOf(*curve);
    const float sample = curve->dots ? Px(16) : Px(kSample);
    const std::string shown =
        EllipsizeRich(curve->label, Role::kCaption, std::max(Px(40), width - sample));
    const float room = sample + MeasureRich(shown, Role::kCaption).x;
    if (x > 0 && x + room > width) {
      x = 0;
      y += Px(kLegendLine);
    }
    const ImVec2 at{min.x + x, min.y + y + Px(kLegendLine) / 2};
    if (curve->dots) {
      DrawMark(list, {at.x + Px(5), at.y}, style, 4);
    } else if (curve->method) {
      DrawLegendSample(list, at, style);
    } else {
      const ImVec2 line[] = {{at.x + Px(2), at.y}, {at.x + Px(40), at.y}};
      DrawPolyline(list, line, style);
    }
    DrawRich(list, {at.x + sample, at.y - FontPx(Role::kCaption) / 2}, shown, Role::kCaption,
             Color(Token::kText2));
    x += room + Px(kBetween);
  }
  ImGui::Dummy({width, y + Px(kLegendLine)});
  RegisterLastItem(id + "/legend");
}

std::optional<double> FigurePanelPlot(const std::string& id, const Figure& figure,
                                      const FigureAxes& axes, std::size_t index,
                                      std::optional<double> marked, ImVec2 size) {
  const ImVec2 position = ImGui::GetCursorScreenPos();
  const FigurePanel& panel = figure.panels[index];
  const FigureAxis& y = axes.y[index];
  ImGui::PushID(id.c_str());
  PlotFrame frame = LayoutFrame(position, size);
  frame.well_max.y = std::max(frame.well_min.y + 8, frame.well_max.y - Snap(kBelowTicks));
  frame.x_scale = axes.x.scale;
  frame.x = axes.x.range;
  frame.x_unit = axes.x.unit;
  frame.y_scale = y.scale;
  frame.y = y.range;
  frame.y_unit = y.unit;
  const float width = frame.well_max.x - frame.well_min.x;
  const std::vector<Tick> ticks = axes.XTicks(std::max(2, static_cast<int>(width / Px(70))));
  frame.x_ticks = &ticks;
  DrawFrame(frame, axes.x.Title(figure.x_label));
  const float room = frame.max.x - Px(12);
  const float end = DrawPlotTitle(frame, panel.label, y.unit.text, room);
  RegisterWidget(id + "/title", frame.min, {end, frame.min.y + Px(32)},
                 MeasureRich(panel.label, Role::kTitle).x > room - frame.min.x - Px(12),
                 panel.label);
  ImGui::SetCursorScreenPos(frame.well_min);
  const bool pressed = ImGui::InvisibleButton(
      "points", {frame.well_max.x - frame.well_min.x, frame.well_max.y - frame.well_min.y});
  RegisterLastItem(id + "/well");
  const bool hovered = ImGui::IsItemHovered();
  DrawContent(frame, figure, axes, index, marked);
  DrawEdge(frame);
  std::optional<double> picked;
  if (hovered) {
    const NearPoint near = FindNear(frame, panel, axes, index);
    if (near.curve != nullptr) {
      frame.list->AddCircle(PlaceOf(frame, *near.curve, near.index), Px(7), Color(Token::kHead), 0,
                            Px(1.75f));
      DrawTip(figure, panel, near);
      if (pressed) picked = near.curve->x[near.index];
    }
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos(position);
  ImGui::Dummy(size);
  return picked;
}

}  // namespace slip::app
