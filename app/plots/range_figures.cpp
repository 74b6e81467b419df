// What a range of samples comes to: its statistics, and its numbers as CSV.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plots/across_plot.h"
#include "app/plots/plot.h"
#include "engine/core/numbers.h"

namespace slip::app {

SpanStatistics CalcSpanStatistics(const SeriesView& data, double t0, double t1) {
  SpanStatistics result;
  if (t1 < t0) std::swap(t0, t1);
  const double y0 = data.At(t0), y1 = data.At(t1);
  result.delta = y1 - y0;
  // between the samples, not between the cursors
  const double span = data.SampleTime(t1) - data.SampleTime(t0);
  result.slope = span > 0 ? result.delta / span : kNaN;

  double sum = 0, squares = 0, last_t = 0, last_y = 0;
  bool joined = false;
  for (std::size_t i = data.LowerBound(t0); i < data.size() && data.TimeAt(i) <= t1; ++i) {
    const double t = data.TimeAt(i), y = static_cast<double>(data.ValueAt(i));
    if (std::isnan(y)) {
      joined = false;
      continue;
    }
    sum += y;
    squares += y * y;
    ++result.samples;
    if (joined) result.integral += 0.5 * (y + last_y) * (t - last_t);
    last_t = t;
    last_y = y;
    joined = true;
  }
  const auto n = static_cast<double>(result.samples);
  result.mean = n > 0 ? sum / n : kNaN;
  result.rms = n > 0 ? std::sqrt(squares / n) : kNaN;
  return result;
}

std::string PlotCsv(const PlotSpec& spec, const AxisRange& x) {
  if (spec.kind != PlotKind::kTime) return AcrossCsv(spec, x);
  std::string csv = "time [s]";
  std::vector<double> times;
  for (const PlotSeries& series : spec.series) {
    csv += fmt::format(",{}{} [{}]", series.label, series.prediction ? " predicted" : "",
                       spec.unit.empty() ? "-" : spec.unit);
    const std::size_t last = std::min(series.data.LowerBound(x.max) + 1, series.data.size());
    for (std::size_t i = series.data.LowerBound(x.min); i < last; ++i) {
      if (series.data.TimeAt(i) <= x.max) times.push_back(series.data.TimeAt(i));
    }
  }
  csv += '\n';
  std::sort(times.begin(), times.end());
  // channels on one clock differ by rounding only
  const auto same = [](double a, double b) { return b - a < 1e-9; };
  times.erase(std::unique(times.begin(), times.end(), same), times.end());
  for (const double t : times) {
    csv += fmt::format("{:.10g}", t);
    for (const PlotSeries& series : spec.series) {
      const double value = series.data.At(t);
      csv += std::isnan(value) ? "," : fmt::format(",{:.8g}", value);
    }
    csv += '\n';
  }
  return csv;
}

}  // namespace slip::app
