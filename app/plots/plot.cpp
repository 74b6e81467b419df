// The time plot: fit, draw, readouts. Input is in plot_input.cpp, decimation in decimate.cpp.
#include "app/plots/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/kit.h"
#include "app/kit/widgets.h"
#include "app/plots/across_plot.h"
#include "app/plots/along_note.h"
#include "app/plots/curve_end.h"
#include "app/plots/halo.h"
#include "app/plots/plot_frame.h"
#include "app/plots/plot_input.h"
#include "app/plots/plot_peaks.h"
#include "app/plots/plot_readouts.h"
#include "app/plots/plot_tooltip.h"
#include "app/plots/shared_dashes.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

constexpr float kDashShift = 5;    // design pixels
constexpr float kUnnamedStep = 8;  // least distance of event lines without a name, design pixels

/// Extent of the visible data; on a log axis of the positive data, column by column.
MinMax VisibleExtent(std::span<const PlotSeries> all, const PlotState& state, const AxisRange& x,
                     AxisScale scale) {
  MinMax extent;
  for (const PlotSeries& series : all) {
    if (Hidden(state, series)) continue;
    if (scale != AxisScale::kLog) {
      extent.Add(series.data.Query(x.min, x.max));
      continue;
    }
    constexpr int kParts = 200;
    for (int i = 0; i < kParts; ++i) {
      const double a = x.min + x.span() * i / kParts;
      const MinMax part = series.data.Query(a, a + x.span() / kParts);
      if (part.empty() || part.max <= 0) continue;
      extent.Add(part.max);
      if (part.min > 0) extent.Add(part.min);
    }
  }
  return extent;
}

/// To the present run alone: triangles say where another one goes on. That one has the axis only
/// until the present run has something to show.
void FitY(const PlotSpec& spec, const AxisRange& x, AxisScale scale, PlotState* state) {
  if (state->y_scale != scale && !state->y_locked) state->y_valid = false;
  state->y_scale = scale;
  if (state->y_locked && state->y_valid) return;
  MinMax extent = VisibleExtent(spec.series, *state, x, scale);
  const bool own = !extent.empty();
  if (!own) extent = VisibleExtent(spec.along, *state, x, scale);
  if (spec.include_zero && scale != AxisScale::kLog && !extent.empty()) extent.Add(0.0f);
  if (extent.empty()) {
    const double least = spec.noise > 0 ? spec.noise : 1;
    if (!state->y_valid)
      state->y = scale == AxisScale::kLog ? AxisRange{least, 10 * least} : AxisRange{0, 1};
    return;
  }
  const AxisRange data{static_cast<double>(extent.min), static_cast<double>(extent.max)};
  state->y = AutoFit(scale, data, state->y, state->y_valid, spec.noise);
  state->y_valid = own;
}

/// Small triangles where the line leaves the well: nothing is cut silently.
void DrawOutside(const PlotFrame& frame, const DecimatedLine& line, ImU32 colour) {
  float last_top = -1e9f, last_bottom = -1e9f;
  const float half = Px(4), height = Px(5), spacing = Px(24);
  for (const ImVec2& p : line.points) {
    if (std::isnan(p.x) || p.x < frame.well_min.x || p.x > frame.well_max.x) continue;
    if (p.y < frame.well_min.y - 1 && p.x - last_top > spacing) {
      const float y = frame.well_min.y + Px(1);
      frame.list->AddTriangleFilled({p.x, y}, {p.x + half, y + height}, {p.x - half, y + height},
                                    colour);
      last_top = p.x;
    } else if (p.y > frame.well_max.y + 1 && p.x - last_bottom > spacing) {
      const float y = frame.well_max.y - Px(1);
      frame.list->AddTriangleFilled({p.x, y}, {p.x - half, y - height}, {p.x + half, y - height},
                                    colour);
      last_bottom = p.x;
    }
  }
  // values without a place on a log axis
  float last = -1e9f;
  for (const float x : line.below_x) {
    if (x - last < Px(10)) continue;
    const float y = frame.well_max.y - Px(1);
    frame.list->AddTriangleFilled({x, y}, {x - half, y - height}, {x + half, y - height}, colour);
    last = x;
  }
}

/// Marks on a grid of times, shifted per series: they stay on their samples while panning.
void DrawMarks(const PlotFrame& frame, const PlotSeries& series, const ChannelStyle& style,
               std::size_t index, std::size_t count) {
  if (style.mark == Mark::kNone || series.data.empty()) return;
  const float width = frame.well_max.x - frame.well_min.x;
  const double step = NiceStep(frame.x.span(), std::max(1, static_cast<int>(width / Px(80))));
  if (!(step > 0)) return;
  const double shift = step * (0.2 + static_cast<double>(index) /
                                         static_cast<double>(std::max<std::size_t>(1, count)));
  const double begin = std::floor(frame.x.min / step) * step + shift - step;
  for (double t = begin; t < frame.x.max; t += step) {
    const std::size_t i = series.data.Nearest(t);
    const double at = series.data.TimeAt(i);
    if (std::fabs(at - t) > 0.25 * step || at < frame.x.min || at > frame.x.max) continue;
    const float value = series.data.ValueAt(i);
    if (std::isnan(value) || (frame.y_scale == AxisScale::kLog && value <= 0)) continue;
    const ImVec2 p{frame.X(at), frame.Y(static_cast<double>(value))};
    if (p.y < frame.well_min.y || p.y > frame.well_max.y) continue;
    DrawMark(frame.list, p, style, 3.4f, true);
  }
}

void DrawLine(const PlotFrame& frame, const PlotSeries& series, const ChannelStyle& style,
              std::size_t index, const Turns& turns, DecimatedLine* scratch) {
  DecimatedLine& line = *scratch;
  Decimate(series.data, frame.x, frame.y_scale, frame.y, frame.well_min, frame.well_max, &line);
  // dashes of curves that coincide start at different places: none hides another for good
  float phase = Px(kDashShift) * static_cast<float>(index);
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.points.size(); ++i) {
    if (i < line.points.size() && !std::isnan(line.points[i].x)) continue;
    const std::span<const ImVec2> piece(line.points.data() + begin, i - begin);
    if (piece.size() == 1) frame.list->AddCircleFilled(piece[0], Px(1.5f), style.colour);
    DrawInTurns(frame, piece, style, turns, &phase);
    begin = i + 1;
  }
  DrawOutside(frame, line, style.colour);
}

void DrawData(const PlotFrame& frame, const PlotSpec& spec, const PlotState& state,
              const std::string& emphasised) {
  const bool predicted = std::any_of(spec.series.begin(), spec.series.end(),
                                     [](const PlotSeries& s) { return s.IsFormula(); });
  // other branches under all
  DecimatedLine line;
  for (std::size_t i = 0; i < spec.along.size(); ++i) {
    const PlotSeries& series = spec.along[i];
    if (Hidden(state, series)) continue;
    ChannelStyle style = series.style;
    style.colour = WithAlpha(style.colour, series.alpha);
    DrawLine(frame, series, style, i, Turns(), &line);
  }
  // solid lines, dashed ones over them, so that both show where they coincide; then the marks, then
  // the predictions dotted over all
  std::vector<const PlotSeries*> dashed(spec.series.size(), nullptr);
  for (std::size_t i = 0; i < spec.series.size(); ++i) {
    const PlotSeries& series = spec.series[i];
    if (!Hidden(state, series) && !series.prediction && series.style.dash_count > 0)
      dashed[i] = &series;
  }
  if (state.halo && emphasised.empty()) {
    std::vector<const PlotSeries*> drawn;
    for (const bool with_dashes : {false, true}) {
      for (const PlotSeries& series : spec.series) {
        const bool now = (series.style.dash_count > 0) == with_dashes;
        if (now && !series.prediction && !Hidden(state, series)) drawn.push_back(&series);
      }
    }
    DrawHalos(frame, drawn);
  }
  for (int pass = 0; pass < 4; ++pass) {
    for (std::size_t i = 0; i < spec.series.size(); ++i) {
      const PlotSeries& series = spec.series[i];
      if (Hidden(state, series) || series.prediction != (pass == 3)) continue;
      if (pass < 2 && (series.style.dash_count > 0) != (pass == 1)) continue;
      float alpha = series.alpha;
      if (!emphasised.empty() && emphasised != series.label) alpha *= 0.3f;
      ChannelStyle style = series.IsFormula() ? PredictionStyle() : series.style;
      style.colour = WithAlpha(style.colour, alpha);
      if (predicted && !series.prediction && style.width > 1) style.width = 2.5f;
      if (pass == 2) {
        DrawMarks(frame, series, style, i, spec.series.size());
      } else {
        DrawLine(frame, series, style, i, pass == 1 ? CalcTurns(frame, dashed, i) : Turns(), &line);
        if (!series.end_note.empty()) DrawCurveEnd(frame, spec.id, series);
      }
    }
  }
}

/// The title, or its symbol where the numbers leave no room for it and its unit.
std::string_view TitleBeside(const PlotFrame& frame, const PlotSpec& spec, float right) {
  const float unit = MeasureRich("[" + frame.y_unit.text + "]", Role::kCaption).x + Px(8);
  const bool fits = MeasureRich(spec.title, Role::kTitle).x + unit <= right - frame.min.x - Px(12);
  return fits || spec.symbol.empty() || spec.figure ? spec.title : spec.symbol;
}

/// Event lines with their short labels, which stand within `room`; returns the detail of the one
/// under the mouse.
const PlotEvent* DrawEvents(const PlotFrame& frame, const PlotSpec& spec, bool hovered,
                            const TopRoom& room) {
  const PlotEvent* under_mouse = nullptr;
  float label_end = -1e9f, last_unnamed = -1e9f;
  for (const PlotEvent& event : spec.events) {
    if (event.time < frame.x.min || event.time > frame.x.max) continue;
    const float x = std::round(frame.X(event.time)) + 0.5f;
    // lines without a name would close up into a curtain
    if (event.label.empty()) {
      if (std::fabs(x - last_unnamed) < Px(kUnnamedStep)) continue;
      last_unnamed = x;
    }
    const ImU32 colour = event.colour ? event.colour : Color(Token::kHead);
    // below the row of words that stands there
    const float top_of_line = x > room.left && x < room.right
                                  ? frame.well_min.y
                                  : frame.well_min.y + FontPx(Role::kCaption) + Px(6);
    DrawDashedLine(frame.list, {x, top_of_line}, {x, frame.well_max.y}, colour, 1, 2, 3);
    if (hovered && std::fabs(ImGui::GetIO().MousePos.x - x) < Px(4)) under_mouse = &event;
    const float width = MeasureRich(event.label, Role::kCaption).x;
    if (event.label.empty() || x + Px(5) < std::max(label_end, room.left) ||
        x + Px(5) + width > room.right) {
      continue;
    }
    const float top = frame.well_min.y + Px(3);
    frame.list->AddRectFilled({x + Px(2), top - Px(1)},
                              {x + Px(8) + width, top + FontPx(Role::kCaption) + Px(1)},
                              spec.print ? IM_COL32_WHITE : Color(Token::kWell, 0.85f), Px(3));
    DrawRich(frame.list, {x + Px(5), top}, event.label, Role::kCaption, Color(Token::kText2));
    label_end = x + Px(9) + width;
  }
  return under_mouse;
}

void DrawVertical(const PlotFrame& frame, double t, ImU32 colour, bool triangle) {
  if (t < frame.x.min || t > frame.x.max) return;
  const float x = std::round(frame.X(t));
  frame.list->AddRectFilled({x, frame.well_min.y}, {x + Snap(1), frame.well_max.y}, colour);
  if (!triangle) return;
  const float middle = x + Snap(1) / 2, half = Px(4.5f), top = frame.well_min.y;
  frame.list->AddTriangleFilled({middle - half, top}, {middle + half, top}, {middle, top + Px(6)},
                                colour);
}

/// All that is visible is less than a log axis shows: rounding, which no axis is stretched for.
bool LiesBelow(const PlotSpec& spec, const PlotState& state, const PlotFrame& frame) {
  if (frame.y_scale != AxisScale::kLog || state.y_locked || frame.y.max > 11 * spec.noise)
    return false;
  const MinMax extent = VisibleExtent(spec.series, state, frame.x, frame.y_scale);
  return !extent.empty() && static_cast<double>(extent.max) < spec.noise;
}

/// Time of the first sample that is kept [s]; nothing without samples.
std::optional<double> BeginOfData(const PlotSpec& spec) {
  std::optional<double> begin;
  for (const PlotSeries& series : spec.series) {
    if (series.data.empty()) continue;
    const double first = series.data.TimeAt(0);
    begin = begin ? std::min(*begin, first) : first;
  }
  return begin;
}

/// In the middle of the well, in place of curves.
void DrawMessage(const PlotFrame& frame, const PlotSpec& spec, const char* id,
                 std::string_view message) {
  const float room = frame.well_max.x - frame.well_min.x - Px(16);
  const std::string text = Ellipsize(std::string(message), Role::kLabel, room);
  const ImVec2 extent = MeasureText(text, Role::kLabel);
  const ImVec2 at{(frame.well_min.x + frame.well_max.x - extent.x) / 2,
                  (frame.well_min.y + frame.well_max.y - extent.y) / 2};
  const ImVec2 end{at.x + extent.x, at.y + extent.y};
  frame.list->AddRectFilled({at.x - Px(8), at.y - Px(4)}, {end.x + Px(8), end.y + Px(4)},
                            Color(Token::kWell));
  DrawText(frame.list, at, text, Role::kLabel, Color(Token::kText2));
  RegisterWidget("plot/" + std::string(spec.id) + "/" + id, at, end, false, text);
}

}  // namespace

PlotResult Plot(const PlotSpec& spec, PlotState* state, LinkedX* x, ImVec2 size) {
  if (spec.kind != PlotKind::kTime) return PlotAcross(spec, state, x, size);
  PlotResult result;
  const ImVec2 position = ImGui::GetCursorScreenPos();
  ImGui::PushID(spec.id.data(), spec.id.data() + spec.id.size());
  PlotFrame frame = LayoutFrame(position, size);
  frame.y_scale = state->scale.value_or(spec.scale);
  frame.print = spec.print;
  frame.x = x->range.max > x->range.min ? x->range : AxisRange{0, 1};
  FitY(spec, frame.x, frame.y_scale, state);
  frame.y = state->y;
  frame.y_unit = ChooseUnit(frame.y, frame.y_scale, spec.unit);
  HandlePlotInput(spec, &frame, state, x, &result);
  if (!(frame.x.max > frame.x.min)) frame.x = {0, 1};  // a fit was asked for: next frame chooses

  // units follow the ranges: the span of time, the size of values
  frame.x_unit =
      frame.x.max <= 0.3 ? ChooseUnit(frame.x, AxisScale::kLinear, "s") : AxisUnit{1, "s"};
  frame.y_unit = ChooseUnit(frame.y, frame.y_scale, spec.unit);

  DrawFrame(frame, spec.figure ? "Time [" + frame.x_unit.text + "]" : frame.x_unit.text);
  float readouts = 0;
  double latest = 0;
  for (const PlotSeries& series : spec.series) {
    if (series.end_note.empty() && !series.data.empty())
      latest = std::max(latest, series.data.TimeAt(series.data.size() - 1));
  }
  const double now = spec.play_head.value_or(latest);
  std::string emphasised = DrawReadouts(frame, spec, state, spec.read_at.value_or(now), &readouts);
  if (emphasised.empty() && spec.focused && !state->hidden.contains(std::string(spec.chosen))) {
    emphasised = spec.chosen;
  }
  const std::string_view name = TitleBeside(frame, spec, readouts);
  const float title_end = DrawPlotTitle(frame, name, frame.y_unit.text, readouts, spec.note);
  const bool clipped = MeasureRich(name, Role::kTitle).x > readouts - frame.min.x - Px(12);
  RegisterWidget("plot/" + std::string(spec.id) + "/title", frame.min,
                 {title_end, frame.min.y + Px(32)}, clipped);

  // half a line width of slack: data on the border stay whole
  const float slack = Px(1.5f);
  frame.list->PushClipRect({frame.well_min.x, frame.well_min.y - slack},
                           {frame.well_max.x, frame.well_max.y + slack}, true);
  for (const PlotLine& line : spec.lines) DrawReferenceLine(frame, line.value, {});
  CurrentKit().bars.Begin(frame.list);
  DrawData(frame, spec, *state, emphasised);
  CurrentKit().bars.End();
  // no cursor strikes words through
  if (x->anchor) DrawVertical(frame, *x->anchor, Color(Token::kAccent), false);
  if (x->hover) DrawVertical(frame, *x->hover, Color(Token::kText3, 0.7f), false);
  if (spec.play_head) DrawVertical(frame, *spec.play_head, Color(Token::kHead), true);
  float taken = -1e9f;
  for (const PlotLine& line : spec.lines) DrawReferenceLabel(frame, line.value, line.label, &taken);
  const TopRoom room = DrawPeaks(frame, spec, state, DrawAlongNote(frame, spec));
  const PlotEvent* event = DrawEvents(frame, spec, result.hovered, room);
  DrawRubberBand(frame, *state);
  if (!spec.held.empty()) {
    DrawMessage(frame, spec, "held", spec.held);
  } else if (LiesBelow(spec, *state, frame)) {
    DrawMessage(frame, spec, "below",
                "below " + FormatQuantity(spec.noise, spec.unit, 1) + ", where rounding begins");
  } else if (const auto begin = BeginOfData(spec); begin && now < *begin - 1e-9) {
    DrawMessage(frame, spec, "begins",
                "What is kept for plots begins at " + FormatQuantity(*begin, "s", 4));
  }
  frame.list->PopClipRect();
  const bool by_keyboard = spec.focused && x->hover_owner == kKeyboardOwner;
  const bool by_mouse = result.hovered && state->drag == 0 && x->hover_owner != kKeyboardOwner;
  if (TooltipAllowed() && (by_keyboard || by_mouse)) {
    PlotTooltip(spec, frame, *state, *x, event, by_keyboard);
  }
  if (spec.focused) {
    frame.list->AddRect(frame.min, frame.max, Color(Token::kAccent), Px(4), 0, Snap(2));
  }

  ImGui::PopID();
  ImGui::SetCursorScreenPos(position);
  ImGui::Dummy(size);
  return result;
}

}  // namespace slip::app
