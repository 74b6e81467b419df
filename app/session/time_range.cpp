#include "app/session/time_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/core/numbers.h"
#include "engine/sim/part_signals.h"
#include "engine/tell/format.h"

namespace slip::app {

RangeStats CalcRangeStats(const SeriesView& view, double from, double to) {
  RangeStats stats;
  double sum = 0, squares = 0;
  for (std::size_t i = view.LowerBound(from); i < view.size() && view.TimeAt(i) <= to; ++i) {
    const double value = static_cast<double>(view.ValueAt(i));
    if (!std::isfinite(value)) continue;
    stats.min = stats.count == 0 ? value : std::min(stats.min, value);
    stats.max = stats.count == 0 ? value : std::max(stats.max, value);
    sum += value;
    squares += value * value;
    ++stats.count;
  }
  if (stats.count == 0) return stats;
  const auto n = static_cast<double>(stats.count);
  stats.mean = sum / n;
  stats.rms = std::sqrt(squares / n);
  return stats;
}

std::array<std::string, 4> FormatRangeStats(const RangeStats& stats, const SignalInfo& info,
                                            double scale) {
  const double factor = scale > 0 ? DisplayFactor(scale, info.unit) : 1;
  const int decimals =
      scale > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(scale * factor))), 0, 6)
                : 0;
  const auto text = [&](double value, int places) {
    return FormatFixed(stats.count > 0 ? AboveNoise(info.id, value) * factor : kNaN, places);
  };
  const int extreme = info.is_count ? 0 : decimals;
  return {text(stats.min, extreme), text(stats.mean, decimals), text(stats.rms, decimals),
          text(stats.max, extreme)};
}

int64_t StepAt(const Session& session, double time) {
  const auto moment = session.series().MomentAt(session.looks().lead(), time);
  return moment ? moment->step : -1;
}

std::string RangeCsv(const Session& session, double from, double to) {
  std::string text = "model,time_s";
  const std::vector<Signal> signals = ListSignals(session.scene_model());
  for (const Signal signal : signals) text += "," + NameOf(session.scene_model(), signal);
  text += '\n';
  for (int channel = 0; channel < session.channel_count(); ++channel) {
    std::string model(Info(session.looks().Of(channel).model).id);
    if (session.looks().Of(channel).second) model += "#2";
    const SeriesView first = session.series().View(channel, Signal::kNormalForce);
    for (std::size_t i = first.LowerBound(from); i < first.size() && first.TimeAt(i) <= to; ++i) {
      fmt::format_to(std::back_inserter(text), "{},{:.9g}", model, first.TimeAt(i));
      for (const Signal signal : signals) {
        const float value = session.series().View(channel, signal).ValueAt(i);
        text += ',';
        // an empty field: the signal has no meaning at this step
        if (std::isfinite(value)) fmt::format_to(std::back_inserter(text), "{:.7g}", value);
      }
      text += '\n';
    }
  }
  return text;
}

}  // namespace slip::app
