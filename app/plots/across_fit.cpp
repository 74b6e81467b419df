// Axes, bins and CSV of plots that are not over time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plots/across_plot.h"
#include "app/plots/plot_readouts.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr int kMostBins = 24;

/// Extent of what has a place on the axis.
void AddTo(MinMax* extent, AxisScale scale, double value) {
  if (std::isfinite(value) && (scale != AxisScale::kLog || value > 0))
    extent->Add(static_cast<float>(value));
}

AxisRange RangeOf(const MinMax& extent) {
  return {static_cast<double>(extent.min), static_cast<double>(extent.max)};
}

/// The automatic range of one axis, unless the user holds it. Of the present run or, until that
/// has something to show, of another: then the range is not `own`.
void FitAxis(const MinMax& extent, bool own, AxisScale scale, double noise, bool locked,
             bool* valid, AxisRange* range) {
  if (locked && *valid) return;
  if (extent.empty()) {
    if (!*valid) *range = scale == AxisScale::kLog ? AxisRange{1, 10} : AxisRange{0, 1};
    return;
  }
  *range = AutoFit(scale, RangeOf(extent), *range, *valid, noise);
  *valid = own;
}

void AddRowOfBins(const BinAxis& axis, const std::vector<HistogramBars>& bars, int bin,
                  std::string* csv) {
  *csv += fmt::format("{:.8g},{:.8g}", axis.Border(bin), axis.Border(bin + 1));
  for (const HistogramBars& of : bars) *csv += fmt::format(",{:.8g}", At(of.bins.shares, bin));
  *csv += '\n';
}

std::string UnitOr(std::string_view unit) { return std::string(unit.empty() ? "-" : unit); }

std::string HistogramCsv(const PlotSpec& spec, const AxisRange& times) {
  const Histogram histogram = MakeHistogram(spec, PlotState(), times);
  const std::string unit = UnitOr(spec.across.unit);
  std::string csv = fmt::format("from [{0}],to [{0}]", unit);
  for (const HistogramBars& of : histogram.bars)
    csv += fmt::format(",{} share of steps [-]", of.series->label);
  csv += '\n';
  for (int bin = 0; bin < histogram.axis.count && !histogram.bars.empty(); ++bin)
    AddRowOfBins(histogram.axis, histogram.bars, bin, &csv);
  return csv;
}

}  // namespace

BarPlace PlaceBar(std::size_t index, std::size_t count) {
  constexpr double kRoom = 0.08;  // at either border
  const double width = (1 - 2 * kRoom) / static_cast<double>(std::max<std::size_t>(count, 1));
  const double from = kRoom + width * static_cast<double>(index);
  return {from, from + width};
}

Histogram MakeHistogram(const PlotSpec& spec, const PlotState& state, const AxisRange& times) {
  Histogram histogram;
  const AxisScale scale = state.across_scale.value_or(spec.across.scale);
  const auto end = [&](const PlotSeries& series) { return std::min(times.max, series.read_until); };
  MinMax extent;
  for (const PlotSeries& series : spec.series) {
    if (Hidden(state, series) || series.prediction) continue;
    const MinMax part = series.data.Query(times.min, end(series));
    if (part.empty()) continue;
    for (const float value : {part.min, part.max})
      AddTo(&extent, scale, spec.across.Read(static_cast<double>(value)));
  }
  if (extent.empty()) return histogram;
  histogram.axis =
      MakeBins(scale, RangeOf(extent), kMostBins, spec.across.is_count, spec.across.noise);
  for (const PlotSeries& series : spec.series) {
    if (Hidden(state, series) || series.prediction) continue;
    HistogramBars bars{
        &series, CalcBins(series.data, times.min, end(series), histogram.axis, spec.across.noise)};
    if (bars.bins.samples == 0) continue;
    for (const double share : bars.bins.shares)
      histogram.highest = std::max(histogram.highest, share);
    histogram.bars.push_back(std::move(bars));
  }
  return histogram;
}

bool MayBeEqual(const PlotSpec& spec, const PlotFrame& frame) {
  return spec.kind == PlotKind::kAgainst && spec.unit == spec.across.unit &&
         frame.x_scale == AxisScale::kLinear && frame.y_scale == AxisScale::kLinear;
}

bool HasEqualAxes(const PlotSpec& spec, const PlotState& state, const PlotFrame& frame) {
  return MayBeEqual(spec, frame) && state.equal_axes.value_or(spec.slope.has_value());
}

void EqualizeAxes(PlotFrame* frame) {
  const auto width = static_cast<double>(frame->well_max.x - frame->well_min.x);
  const auto height = static_cast<double>(frame->well_max.y - frame->well_min.y);
  if (!(width > 0 && height > 0)) return;
  const double pixel = std::max(frame->x.span() / width, frame->y.span() / height);
  const auto widen = [pixel](AxisRange* range, double pixels) {
    const double middle = (range->min + range->max) / 2;
    *range = {middle - pixel * pixels / 2, middle + pixel * pixels / 2};
  };
  widen(&frame->x, width);
  widen(&frame->y, height);
}

void FitAcross(const PlotSpec& spec, const AxisRange& times, PlotState* state, PlotFrame* frame) {
  frame->x_scale = state->across_scale.value_or(spec.across.scale);
  if (spec.kind == PlotKind::kHistogram) {
    const Histogram histogram = MakeHistogram(spec, *state, times);
    frame->x_scale = histogram.axis.scale;
    frame->y_scale = AxisScale::kLinear;
    frame->x = histogram.axis.range;
    const double top = histogram.highest > 0 ? histogram.highest : 1;
    frame->y = {0, AutoFit(AxisScale::kLinear, {0, top}, {}, false).max};
    frame->y_unit = {100, "%"};
  } else {
    frame->y_scale = state->scale.value_or(spec.scale);
    MinMax x, y;
    std::vector<AcrossPoint> path;
    const auto add = [&](std::span<const PlotSeries> all) {
      for (const PlotSeries& series : all) {
        if (Hidden(*state, series)) continue;
        CalcAcrossPath(series.across, series.data, times.min, times.max, &path);
        for (const AcrossPoint& p : path) {
          if (p.IsGap()) continue;
          AddTo(&x, frame->x_scale, p.x);
          AddTo(&y, frame->y_scale, p.y);
        }
      }
    };
    add(spec.series);
    const bool own = !x.empty() && !y.empty();
    if (!own) add(spec.along);
    FitAxis(x, own, frame->x_scale, spec.across.noise, state->across_locked, &state->across_valid,
            &state->across);
    FitAxis(y, own, frame->y_scale, spec.noise, state->y_locked, &state->y_valid, &state->y);
    frame->x = state->across;
    frame->y = state->y;
    if (HasEqualAxes(spec, *state, *frame)) EqualizeAxes(frame);
    frame->y_unit = ChooseUnit(frame->y, frame->y_scale, spec.unit);
  }
  frame->x_unit = ChooseUnit(frame->x, frame->x_scale, spec.across.unit);
}

std::string AcrossTitle(const PlotSpec& spec, const PlotFrame& frame) {
  return std::string(spec.across.title) + " [" + frame.x_unit.text + "]";
}

std::string AcrossCsv(const PlotSpec& spec, const AxisRange& times) {
  if (spec.kind == PlotKind::kHistogram) return HistogramCsv(spec, times);
  // rows of one series after the other: each has times of its own
  std::string x_name(spec.across.title), y_name(spec.title);
  for (std::string* name : {&x_name, &y_name}) std::erase(*name, '\\');
  std::string csv = fmt::format("series,time [s],{} [{}],{} [{}]\n", x_name,
                                UnitOr(spec.across.unit), y_name, UnitOr(spec.unit));
  for (const PlotSeries& series : spec.series) {
    if (series.across.empty() || series.across.size() != series.data.size()) continue;
    for (std::size_t i = series.data.LowerBound(times.min);
         i < series.data.size() && series.data.TimeAt(i) <= times.max; ++i) {
      const float x = series.across.ValueAt(i), y = series.data.ValueAt(i);
      csv += fmt::format("{},{:.10g},", series.label, series.data.TimeAt(i));
      csv += std::isnan(x) ? "," : fmt::format("{:.8g},", x);
      csv += std::isnan(y) ? "\n" : fmt::format("{:.8g}\n", y);
    }
  }
  return csv;
}

}  // namespace slip::app
