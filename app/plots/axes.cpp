// Scales, ticks and automatic ranges.
#include "app/plots/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

// Where data come nearer to the border than this share of the axis, it moves.
constexpr double kLeastAir = 0.03;

double Bend(AxisScale scale, double value, double linear) {
  switch (scale) {
    case AxisScale::kLinear:
      return value;
    case AxisScale::kLog:
      return value > 0 ? std::log10(value) : -kInfinity;
    case AxisScale::kSymlog:
      return std::asinh(value / (2 * linear)) / std::log(10.0);
  }
  return value;
}

double Unbend(AxisScale scale, double bent, double linear) {
  switch (scale) {
    case AxisScale::kLinear:
      return bent;
    case AxisScale::kLog:
      return std::pow(10.0, bent);
    case AxisScale::kSymlog:
      return 2 * linear * std::sinh(bent * std::log(10.0));
  }
  return bent;
}

std::string DecadeLabel(int exponent, bool negative = false) {
  std::string text = negative ? "\u2212" : "";
  text += exponent < 0 ? fmt::format("10^\u2212{}", -exponent) : fmt::format("10^{}", exponent);
  return text;
}

void LinearTicks(const AxisRange& range, int max_count, double factor, std::vector<Tick>* ticks) {
  const double lo = range.min * factor, hi = range.max * factor;
  const double step = NiceStep(hi - lo, max_count);
  if (!(step > 0)) return;
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
  const bool huge = std::max(std::fabs(lo), std::fabs(hi)) >= 1e6;
  const double first = std::ceil(lo / step - 1e-6), last = std::floor(hi / step + 1e-6);
  for (double i = first; i <= last && ticks->size() < 200; ++i) {
    const double shown = i * step;
    ticks->push_back(
        {shown / factor, true, huge ? FormatSignificant(shown, 3) : FormatFixed(shown, decimals)});
  }
}

void LogTicks(const AxisRange& range, int max_count, double factor, std::vector<Tick>* ticks) {
  const double lo = std::log10(range.min * factor), hi = std::log10(range.max * factor);
  const int first = static_cast<int>(std::ceil(lo - 1e-6));
  const int last = static_cast<int>(std::floor(hi + 1e-6));
  // less than a decade in view: ordinary round numbers say more
  if (last - first < 1) {
    LinearTicks(range, max_count, factor, ticks);
    return;
  }
  const int every = std::max(1, (last - first + max_count) / std::max(1, max_count));
  const bool minor = last - first <= 2 * max_count;
  for (int n = first - 1; n <= last; ++n) {
    const double decade = std::pow(10.0, n) / factor;
    if (n >= first) {
      // labels on multiples, so that they do not move when the range does
      const bool labelled = n % every == 0;
      ticks->push_back({decade, true, labelled ? DecadeLabel(n) : ""});
    }
    if (!minor || every > 1) continue;
    for (const double m : {2.0, 5.0}) {
      const double value = m * decade;
      if (value >= range.min && value <= range.max) ticks->push_back({value, false, ""});
    }
  }
}

void SymlogTicks(const AxisRange& range, int max_count, double factor, double linear,
                 std::vector<Tick>* ticks) {
  if (range.min <= 0 && range.max >= 0) ticks->push_back({0, true, "0"});
  const double top = std::max(std::fabs(range.min), std::fabs(range.max)) * factor;
  const int first = static_cast<int>(std::ceil(std::log10(linear * factor) - 1e-6));
  const int last = static_cast<int>(std::floor(std::log10(std::max(top, 1e-300)) + 1e-6));
  const int every = std::max(1, 2 * (last - first + 1) / std::max(1, max_count));
  for (int n = first; n <= last; ++n) {
    const double decade = std::pow(10.0, n) / factor;
    const bool labelled = (n - first) % every == 0 && n > first;
    for (const double sign : {-1.0, 1.0}) {
      if (sign * decade < range.min || sign * decade > range.max) continue;
      ticks->push_back({sign * decade, true, labelled ? DecadeLabel(n, sign < 0) : ""});
    }
  }
  std::sort(ticks->begin(), ticks->end(),
            [](const Tick& a, const Tick& b) { return a.value < b.value; });
}

}  // namespace

double ToUnit(AxisScale scale, const AxisRange& range, double value, double linear) {
  const double lo = Bend(scale, range.min, linear), hi = Bend(scale, range.max, linear);
  return (Bend(scale, value, linear) - lo) / (hi - lo);
}

double FromUnit(AxisScale scale, const AxisRange& range, double unit, double linear) {
  const double lo = Bend(scale, range.min, linear), hi = Bend(scale, range.max, linear);
  return Unbend(scale, lo + unit * (hi - lo), linear);
}

std::vector<Tick> MakeTicks(AxisScale scale, const AxisRange& range, int max_count, double factor,
                            double linear) {
  std::vector<Tick> ticks;
  if (!(range.max > range.min)) return ticks;
  max_count = std::max(1, max_count);
  switch (scale) {
    case AxisScale::kLinear:
      LinearTicks(range, max_count, factor, &ticks);
      break;
    case AxisScale::kLog:
      if (range.min > 0) LogTicks(range, max_count, factor, &ticks);
      break;
    case AxisScale::kSymlog:
      SymlogTicks(range, max_count, factor, linear, &ticks);
      break;
  }
  return ticks;
}

AxisUnit ChooseUnit(const AxisRange& range, AxisScale scale, std::string_view unit) {
  double size = std::max(std::fabs(range.min), std::fabs(range.max));
  if (unit == "rad" || !TakesPrefix(unit)) {
    // without prefixes a power of ten keeps the figures short; decades need none
    const double plain = unit == "rad" ? 180 / 3.14159265358979323846 : 1;
    const std::string text = unit == "rad" ? "°" : PrettyUnit(unit);
    if (scale != AxisScale::kLinear || !(size > 0) || size * plain >= 2e-3) return {plain, text};
    const int exponent = 3 * static_cast<int>(std::ceil(-std::log10(size * plain) / 3 - 1e-9));
    return {plain * std::pow(10.0, exponent),
            "10" + Superscript(-exponent) + (unit.empty() ? "" : " " + text)};
  }
  // a log axis is named after its middle: its ends differ by decades
  if (scale == AxisScale::kLog) size = std::sqrt(std::max(range.min, 1e-300) * range.max);
  if (!(size > 0)) return {1, PrettyUnit(unit)};
  constexpr std::string_view kSymbols[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
  const int exponent = static_cast<int>(std::floor(std::log10(size * (1 + 1e-9))));
  // 0.1 ... 100 of a unit without prefix stays as it is; hundreds of mm become 0.x m
  int group = exponent >= 0 ? exponent / 3 : -((-exponent + 1) / 3);
  if ((unit == "s" || unit.starts_with("m")) && group > 0) group = 0;
  group = std::clamp(group, -4, 4);
  return {std::pow(10.0, -3 * group), std::string(At(kSymbols, group + 4)) + PrettyUnit(unit)};
}

AxisRange AutoFit(AxisScale scale, const AxisRange& all, const AxisRange& current, bool has_current,
                  double noise, double air) {
  AxisRange data = all;
  for (double* end : {&data.min, &data.max}) {
    if (std::fabs(*end) < noise) *end = scale == AxisScale::kLog ? noise : 0;
  }
  const double lo = Bend(scale, data.min, 1e-3), hi = Bend(scale, data.max, 1e-3);
  if (!std::isfinite(lo) || !std::isfinite(hi) || hi < lo) return has_current ? current : data;
  if (scale == AxisScale::kSymlog && (data.min < 0 || data.max > 0)) {
    // either side ends at a round number of its own size, which changes rarely; small values of the
    // other sign are not small here
    const double least = 1e-4 * std::max(std::fabs(data.min), std::fabs(data.max));
    const auto end = [least](double size) { return NiceStep(std::max(size, least), 1); };
    return {data.min < 0 ? -end(-data.min) : 0, data.max > 0 ? end(data.max) : 0};
  }
  if (has_current) {
    const double old_lo = Bend(scale, current.min, 1e-3), old_hi = Bend(scale, current.max, 1e-3);
    // a thin line over the border of decades, or over 0, does not move the axis; another keeps air
    const double range = old_hi - old_lo;
    const bool log = scale == AxisScale::kLog;
    const auto least_air = [&](double end) {
      const bool none = std::fabs(end) < 0.005 * range;
      return log || none ? -0.005 * range : kLeastAir * range;
    };
    const double low = least_air(data.min), high = least_air(data.max);
    // decades that carry nothing go; near the border of one the axis stands still
    constexpr double kAir = 0.1;
    const bool fills = scale == AxisScale::kLog ? lo <= old_lo + 1 + kAir && hi >= old_hi - 1 - kAir
                                                : 3 * (hi - lo) >= old_hi - old_lo;
    if (lo >= old_lo + low && hi <= old_hi - high && fills) return current;
  }
  if (scale == AxisScale::kLog) {
    double first = std::floor(lo + 1e-9), last = std::ceil(hi - 1e-9);
    if (last - first < 1) last = first + 1;
    return {std::pow(10.0, first), std::pow(10.0, last)};
  }
  // a constant still deserves an axis around it
  double a = data.min, b = data.max;
  const double least = std::max(std::max(std::fabs(a), std::fabs(b)) * 1e-3, noise);
  // what is 0 lies flat, on an axis far from the noise
  if (a == 0 && b == 0) return {0, noise > 0 ? 1e6 * noise : 1};
  if (b - a <= least) {
    const double pad = std::max({std::fabs(b) * 0.1, 10 * noise, 1e-9});
    a -= pad;
    b += pad;
  }
  const double step = NiceStep(b - a, 5), room = air * (b - a);
  // next to nothing is 0, which needs no air
  const double first = std::fabs(a) < 0.02 * step ? 0 : std::floor((a - room) / step + 1e-6);
  const double last = std::fabs(b) < 0.02 * step ? 0 : std::ceil((b + room) / step - 1e-6);
  return {(a > 0 ? std::max(0.0, first) : first) * step, last * step};
}

}  // namespace slip::app
