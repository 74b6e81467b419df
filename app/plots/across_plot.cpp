// Draws plots against another signal and histograms, and handles the mouse over them.
#include "app/plots/across_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "app/plots/plot_input.h"
#include "app/plots/plot_readouts.h"
#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

bool HasPlace(const PlotFrame& frame, const AcrossPoint& p) {
  return !p.IsGap() && (frame.x_scale != AxisScale::kLog || p.x > 0) &&
         (frame.y_scale != AxisScale::kLog || p.y > 0);
}

/// What is in force at a time: the play head's place on a curve.
AcrossPoint PointAt(const PlotSeries& series, double time) {
  return {series.across.At(time), series.data.At(time), time};
}

void DrawPath(const PlotFrame& frame, const PlotSeries& series, const ChannelStyle& style,
              const AxisRange& times, std::vector<AcrossPoint>* path) {
  CalcAcrossPath(series.across, series.data, times.min, times.max, path);
  std::vector<ImVec2> piece;
  float phase = 0;
  const auto flush = [&] {
    if (piece.size() == 1) frame.list->AddCircleFilled(piece[0], Px(1.5f), style.colour);
    if (piece.size() > 1) DrawPolyline(frame.list, piece, style, &phase);
    piece.clear();
  };
  for (const AcrossPoint& p : *path) {
    if (!HasPlace(frame, p)) {
      flush();
      continue;
    }
    const ImVec2 at{frame.X(p.x), frame.Y(p.y)};
    // less than half a pixel says nothing and costs vertices
    const bool new_place = piece.empty() || std::fabs(at.x - piece.back().x) > 0.5f ||
                           std::fabs(at.y - piece.back().y) > 0.5f;
    if (new_place) piece.push_back(at);
  }
  flush();
}

/// Marks at round times, as on curves over time.
void DrawMarksAlong(const PlotFrame& frame, const PlotSeries& series, const AxisRange& times,
                    std::size_t index, std::size_t count) {
  constexpr int kMarks = 6;
  const double step = NiceStep(times.span(), kMarks);
  if (series.style.mark == Mark::kNone || series.data.empty() || !(step > 0)) return;
  const double shift = step * (0.2 + static_cast<double>(index) /
                                         static_cast<double>(std::max<std::size_t>(1, count)));
  for (double t = std::floor(times.min / step) * step + shift; t < times.max; t += step) {
    if (!series.data.Covers(t)) continue;
    const AcrossPoint p = PointAt(series, t);
    if (!HasPlace(frame, p)) continue;
    const ImVec2 at{frame.X(p.x), frame.Y(p.y)};
    if (frame.InWell(at)) DrawMark(frame.list, at, series.style, 3.4f, true);
  }
}

/// y = slope x, and its label beside its upper end.
void DrawCone(const PlotFrame& frame, double slope) {
  std::vector<ImVec2> points;
  ImVec2 end{frame.well_min.x, frame.well_max.y};
  for (int i = 0; i <= 64; ++i) {
    const double x = FromUnit(frame.x_scale, frame.x, i / 64.0);
    const AcrossPoint p{x, slope * x, 0};
    if (!HasPlace(frame, p)) continue;
    points.push_back({frame.X(p.x), frame.Y(p.y)});
    if (frame.InWell(points.back())) end = points.back();
  }
  DrawPolyline(frame.list, points, PredictionStyle());
  const std::string label = fmt::format("limit μ f_n, μ = {}", AsRich(FormatSignificant(slope, 2)));
  // below the line, which rises
  const ImVec2 size = MeasureRich(label, Role::kCaption);
  const float x = std::max(frame.well_min.x + Px(4), frame.well_max.x - size.x - Px(6));
  const float y = std::min(end.y + Px(26), frame.well_max.y - size.y - Px(4));
  frame.list->AddRectFilled({x - Px(3), y - Px(1)}, {x + size.x + Px(3), y + size.y + Px(1)},
                            frame.print ? IM_COL32_WHITE : Color(Token::kWell, 0.85f), Px(3));
  DrawRich(frame.list, {x, y}, label, Role::kCaption, Color(Token::kText2));
}

void DrawCurvesAcross(const PlotFrame& frame, const PlotSpec& spec, const PlotState& state,
                      const AxisRange& times, const std::string& emphasised) {
  std::vector<AcrossPoint> path;
  for (const PlotSeries& series : spec.along) {
    if (Hidden(state, series)) continue;
    ChannelStyle style = series.style;
    style.colour = WithAlpha(style.colour, series.alpha);
    DrawPath(frame, series, style, times, &path);
  }
  for (const bool dashed : {false, true}) {
    for (const PlotSeries& series : spec.series) {
      if (Hidden(state, series) || (series.style.dash_count > 0) != dashed) continue;
      ChannelStyle style = series.style;
      if (emphasised == series.label) style.width += 1;
      DrawPath(frame, series, style, times, &path);
    }
  }
  if (spec.slope) DrawCone(frame, *spec.slope);
  for (std::size_t i = 0; i < spec.series.size(); ++i) {
    if (!Hidden(state, spec.series[i]))
      DrawMarksAlong(frame, spec.series[i], times, i, spec.series.size());
  }
}

/// The moment of the play head, ringed.
void DrawHeads(const PlotFrame& frame, const PlotSpec& spec, const PlotState& state, double time) {
  for (const PlotSeries& series : spec.series) {
    if (Hidden(state, series) || series.prediction || !series.readout || series.IsElsewhere(time))
      continue;
    const AcrossPoint p = PointAt(series, time);
    if (!HasPlace(frame, p)) continue;
    const ImVec2 at{frame.X(p.x), frame.Y(p.y)};
    if (!frame.InWell(at)) continue;
    ChannelStyle style = series.style;
    if (style.mark == Mark::kNone) style.mark = Mark::kDisc;
    DrawMark(frame.list, at, style, 4, true);
    frame.list->AddCircle(at, Px(7), Color(Token::kHead), 0, Px(1.5f));
  }
}

/// A line over the whole height with its word at the top.
void DrawQuantile(const PlotFrame& frame, double value, const ChannelStyle& style, bool median) {
  const double unit = ToUnit(frame.x_scale, frame.x, value);
  if (!(unit >= 0 && unit <= 1)) return;
  const float x = std::round(frame.X(value)) + 0.5f;
  if (median) {
    frame.list->AddLine({x, frame.well_min.y}, {x, frame.well_max.y}, style.colour, Px(1.25f));
  } else {
    DrawDashedLine(frame.list, {x, frame.well_min.y}, {x, frame.well_max.y}, style.colour, 1.25f, 2,
                   3);
  }
  ChannelStyle mark = style;
  if (mark.mark == Mark::kNone) mark.mark = Mark::kDisc;
  mark.hollow = !median;
  DrawMark(frame.list, {x, frame.well_min.y + Px(7)}, mark, 4, true);
}

void DrawBars(const PlotFrame& frame, const Histogram& histogram, const std::string& emphasised) {
  for (std::size_t i = 0; i < histogram.bars.size(); ++i) {
    const HistogramBars& of = histogram.bars[i];
    const BarPlace place = PlaceBar(i, histogram.bars.size());
    const bool strong = emphasised.empty() || emphasised == of.series->label;
    for (int bin = 0; bin < histogram.axis.count; ++bin) {
      const double share = At(of.bins.shares, bin);
      if (share <= 0) continue;
      const float a = frame.X(histogram.axis.Border(bin));
      const float width = frame.X(histogram.axis.Border(bin + 1)) - a;
      const float left = a + width * static_cast<float>(place.from);
      const float right = std::max(left + 1, a + width * static_cast<float>(place.to));
      // the rarest value is seen
      const float top = std::min(frame.Y(share), frame.well_max.y - Px(1));
      frame.list->AddRectFilled({left, top}, {right, frame.well_max.y},
                                WithAlpha(of.series->style.colour, strong ? 0.8f : 0.3f));
    }
  }
  for (const HistogramBars& of : histogram.bars) {
    DrawQuantile(frame, of.bins.upper, of.series->style, false);
    DrawQuantile(frame, of.bins.median, of.series->style, true);
  }
}

void TipLine(const std::string& text, Token colour = Token::kText) {
  Rich(AsRich(text), Role::kAxis, colour);
}

void HistogramTooltip(const PlotSpec& spec, const PlotFrame& frame, const Histogram& histogram) {
  const int bin = histogram.axis.BinOf(frame.XAt(ImGui::GetIO().MousePos.x));
  if (bin < 0) return;
  const auto quantity = [&](double value) { return FormatQuantity(value, spec.across.unit, 4); };
  ImGui::BeginTooltip();
  TipLine(quantity(histogram.axis.Border(bin)) + " to " + quantity(histogram.axis.Border(bin + 1)),
          Token::kText2);
  for (const HistogramBars& of : histogram.bars) {
    TipLine(fmt::format("{}: {:.3g} %, median {}, 95 % below {}, {} steps", of.series->label,
                        100 * At(of.bins.shares, bin), quantity(of.bins.median),
                        quantity(of.bins.upper), of.bins.samples));
  }
  ImGui::EndTooltip();
}

/// The sample nearest to the mouse: a ring and its numbers; other plots' crosshairs go to its time.
void PointTooltip(const PlotSpec& spec, const PlotFrame& frame, const PlotState& state,
                  const AxisRange& times, LinkedX* x, unsigned self) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const PlotSeries* nearest = nullptr;
  AcrossPoint found;
  float best = Px(24);
  std::vector<AcrossPoint> path;
  for (const PlotSeries& series : spec.series) {
    if (Hidden(state, series)) continue;
    CalcAcrossPath(series.across, series.data, times.min, times.max, &path);
    for (const AcrossPoint& p : path) {
      if (!HasPlace(frame, p)) continue;
      const float distance = std::hypot(frame.X(p.x) - mouse.x, frame.Y(p.y) - mouse.y);
      if (distance >= best) continue;
      best = distance;
      nearest = &series;
      found = p;
    }
  }
  if (nearest == nullptr) return;
  x->hover = found.time;
  x->hover_owner = self;
  frame.list->AddCircle({frame.X(found.x), frame.Y(found.y)}, Px(5), nearest->style.colour, 0,
                        Px(1.5f));
  if (!TooltipAllowed()) return;
  ImGui::BeginTooltip();
  TipLine(nearest->label + fmt::format("   {:.4f} s", found.time), Token::kText2);
  Rich(spec.title, Role::kCaption, Token::kText2);
  ImGui::SameLine();
  TipLine(FormatQuantity(spec.Read(found.y), spec.unit, 4));
  Rich(spec.across.title, Role::kCaption, Token::kText2);
  ImGui::SameLine();
  TipLine(FormatQuantity(spec.across.Read(found.x), spec.across.unit, 4));
  ImGui::EndTooltip();
}

}  // namespace

PlotResult PlotAcross(const PlotSpec& spec, PlotState* state, LinkedX* x, ImVec2 size) {
  PlotResult result;
  const ImVec2 position = ImGui::GetCursorScreenPos();
  const bool bars = spec.kind == PlotKind::kHistogram;
  const AxisRange times = x->range.max > x->range.min ? x->range : AxisRange{0, 1};
  ImGui::PushID(spec.id.data(), spec.id.data() + spec.id.size());
  PlotFrame frame = LayoutFrame(position, size);
  frame.print = spec.print;
  FitAcross(spec, times, state, &frame);
  HandleAcrossInput(spec, &frame, state, &result);
  const unsigned self = ImGui::GetID("well");
  if (!result.hovered && x->hover_owner == self) {
    x->hover.reset();
    x->hover_owner = 0;
  }

  DrawFrame(frame, AcrossTitle(spec, frame));
  double latest = 0;
  for (const PlotSeries& series : spec.series) {
    if (!series.data.empty()) latest = std::max(latest, series.data.TimeAt(series.data.size() - 1));
  }
  const double now = spec.read_at.value_or(spec.play_head.value_or(latest));
  const Histogram histogram = bars ? MakeHistogram(spec, *state, times) : Histogram();
  PlotSpec header = spec;
  const std::string of_bars =
      spec.across.unit.empty() ? "median" : "median in " + frame.x_unit.text;
  if (bars) header.note = of_bars;
  float readouts = 0;
  const ReadoutAxis axis =
      bars ? ReadoutAxis{frame.x_scale, frame.x, frame.x_unit.factor, spec.across.is_count}
           : ReadoutAxis{frame.y_scale, frame.y, frame.y_unit.factor, spec.is_count};
  const auto value = [&](const PlotSeries& series) {
    if (!bars) return spec.Read(series.data.At(now));
    for (const HistogramBars& of : histogram.bars) {
      if (of.series->label == series.label) return of.bins.median;
    }
    return kNaN;
  };
  const std::string emphasised = DrawReadouts(frame, header, state, axis, value, now, &readouts);
  const float title_end =
      DrawPlotTitle(frame, spec.title, frame.y_unit.text, readouts, header.note);
  const bool clipped = MeasureRich(spec.title, Role::kTitle).x > readouts - frame.min.x - Px(12);
  RegisterWidget("plot/" + std::string(spec.id) + "/title", frame.min,
                 {title_end, frame.min.y + Px(32)}, clipped);

  const float slack = Px(1.5f);
  frame.list->PushClipRect({frame.well_min.x, frame.well_min.y - slack},
                           {frame.well_max.x, frame.well_max.y + slack}, true);
  if (bars) {
    DrawBars(frame, histogram, emphasised);
  } else {
    for (const PlotLine& line : spec.lines) DrawReferenceLine(frame, line.value, line.label);
    DrawCurvesAcross(frame, spec, *state, times, emphasised);
    if (spec.play_head) DrawHeads(frame, spec, *state, *spec.play_head);
  }
  if (!spec.held.empty()) {
    DrawText(frame.list, {frame.well_min.x + Px(8), frame.well_min.y + Px(8)}, spec.held,
             Role::kLabel, Color(Token::kText2));
  }
  DrawRubberBand(frame, *state);
  frame.list->PopClipRect();
  if (result.hovered && state->drag == 0) {
    if (bars && TooltipAllowed()) HistogramTooltip(spec, frame, histogram);
    if (!bars) PointTooltip(spec, frame, *state, times, x, self);
  }
  if (spec.focused)
    frame.list->AddRect(frame.min, frame.max, Color(Token::kAccent), Px(4), 0, Snap(2));
  ImGui::PopID();
  ImGui::SetCursorScreenPos(position);
  ImGui::Dummy(size);
  return result;
}

}  // namespace slip::app
