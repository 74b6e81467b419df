#include "app/plots/curve_cover.h"

#include <algorithm>

#include "app/kit/kit.h"
#include "app/plots/plot_readouts.h"

namespace slip::app {
namespace {

constexpr float kColumn = 4;  // design pixels

bool Passes(const PlotFrame& frame, const SeriesView& data, ImVec2 min, ImVec2 max) {
  const MinMax extent = ExtentBetween(frame, data, min.x, max.x);
  return !extent.empty() && frame.Y(static_cast<double>(extent.max)) < max.y &&
         frame.Y(static_cast<double>(extent.min)) > min.y;
}

}  // namespace

MinMax ExtentBetween(const PlotFrame& frame, const SeriesView& data, float from, float to) {
  const double t0 = frame.XAt(from), t1 = frame.XAt(to);
  MinMax extent = data.Query(t0, t1);
  for (const double t : {t0, t1}) {
    const std::size_t next = data.LowerBound(t);
    if (next == 0 || next >= data.size()) continue;
    const double before = data.TimeAt(next - 1), span = data.TimeAt(next) - before;
    if (!(span > 0)) continue;
    const auto a = static_cast<double>(data.ValueAt(next - 1));
    const auto b = static_cast<double>(data.ValueAt(next));
    extent.Add(static_cast<float>(a + (b - a) * (t - before) / span));
  }
  return extent;
}

bool AnyCurveIn(const PlotFrame& frame, std::span<const PlotSeries> all, ImVec2 min, ImVec2 max) {
  return std::any_of(all.begin(), all.end(), [&](const PlotSeries& series) {
    return Passes(frame, series.data, min, max);
  });
}

int CountCovered(const PlotFrame& frame, const PlotSpec& spec, const PlotState& state, ImVec2 min,
                 ImVec2 max) {
  int covered = 0;
  for (const std::span<const PlotSeries> all : {spec.series, spec.along}) {
    for (const PlotSeries& series : all) {
      if (Hidden(state, series)) continue;
      for (float x = min.x; x < max.x; x += Px(kColumn)) {
        const float end = std::min(x + Px(kColumn), max.x);
        covered += Passes(frame, series.data, {x, min.y}, {end, max.y}) ? 1 : 0;
      }
    }
  }
  return covered;
}

}  // namespace slip::app
