// The numbers at the right of a plot's header, which are its legend too. Internal to app/plots.
#pragma once

#include <functional>
#include <string>

#include "app/plots/plot.h"
#include "app/plots/plot_frame.h"

namespace slip::app {

inline bool Hidden(const PlotState& state, const PlotSeries& series) {
  return state.hidden.contains(series.label);
}

/// Where readouts come from, and what axis they are written for.
struct ReadoutAxis {
  AxisScale scale = AxisScale::kLinear;
  AxisRange range;
  double factor = 1;  ///< display units per SI unit
  bool is_count = false;
};

/// A value [SI] as headers and notes of that axis write it, with so many digits.
std::string ReadoutOf(double value, const ReadoutAxis& axis, int digits);

/// `value` [SI] by series. Returns the label under the mouse; *left is where the readouts begin.
/// A click hides a series, with Ctrl the others.
std::string DrawReadouts(const PlotFrame& frame, const PlotSpec& spec, PlotState* state,
                         const ReadoutAxis& axis,
                         const std::function<double(const PlotSeries&)>& value, double time,
                         float* left);
/// The values at `time` [s].
std::string DrawReadouts(const PlotFrame& frame, const PlotSpec& spec, PlotState* state,
                         double time, float* left);

}  // namespace slip::app
