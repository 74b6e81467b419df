// Scales, ticks and automatic ranges of a plot axis. Pure functions: tested without a screen.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/tell/format.h"

namespace slip::app {

enum class AxisScale : int { kLinear, kLog, kSymlog };

struct AxisRange {
  double min = 0, max = 1;
  double span() const { return max - min; }
  bool operator==(const AxisRange&) const = default;
};

struct Tick {
  double value = 0;
  bool major = true;  ///< labelled, or a decade
  std::string label;  ///< rich text ("10^3"); empty = grid line only
};

/// Position of a value on an axis: 0 at range.min, 1 at range.max, unclamped. On a log axis values
/// <= 0 give -infinity: the caller marks them on the lower border. `linear` is symlog's threshold.
double ToUnit(AxisScale scale, const AxisRange& range, double value, double linear = 1e-3);
/// Inverse of ToUnit.
double FromUnit(AxisScale scale, const AxisRange& range, double unit, double linear = 1e-3);

/// Ticks inside the range (with a tolerance at the ends). `factor` = display units per SI unit
/// (1e3 for mm): ticks are round in display units, Tick::value stays SI. Log: decades are major,
/// 2 and 5 minor when there is room, labels thinned to `max_count`.
std::vector<Tick> MakeTicks(AxisScale scale, const AxisRange& range, int max_count,
                            double factor = 1, double linear = 1e-3);

/// Prefix for an axis title: {1e3, "mm"} when the range of a length is a few millimetres.
struct AxisUnit {
  double factor = 1;  ///< display units per SI unit
  std::string text;   ///< "mm"; "–" for a pure number
};
AxisUnit ChooseUnit(const AxisRange& range, AxisScale scale, std::string_view unit);

/// Range that shows the data with round ends. Keeps `current` while the data stay inside it and
/// fill at least a third of it, or of a log axis its outermost decades (hysteresis: the axis does
/// not jitter while a simulation runs).
/// Values smaller than `noise` count as 0: they neither fill a linear axis nor lengthen a log one.
/// `air`: room between data and the border of a linear axis, in parts of the data's range; a curve
/// that runs along the border is hard to see, bins need none.
inline constexpr double kAirAtBorder = 0.06;
AxisRange AutoFit(AxisScale scale, const AxisRange& data, const AxisRange& current,
                  bool has_current, double noise = 0, double air = kAirAtBorder);

}  // namespace slip::app
