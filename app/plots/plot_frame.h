// What all plots share: panel, well, grid, labels, title.
#pragma once

#include <imgui.h>

#include <string_view>
#include <vector>

#include "app/kit/theme.h"
#include "app/plots/axes.h"

namespace slip::app {

/// Pixel geometry and axes of one plot.
struct PlotFrame {
  ImDrawList* list = nullptr;
  ImVec2 min, max;            ///< panel
  ImVec2 well_min, well_max;  ///< plot area, whole pixels
  AxisScale x_scale = AxisScale::kLinear, y_scale = AxisScale::kLinear;
  AxisRange x, y;
  AxisUnit x_unit, y_unit;
  bool print = false;  ///< white ground
  /// Of the x axis, in place of round ones; its label stands below them then. Null = none.
  const std::vector<Tick>* x_ticks = nullptr;

  float X(double value) const;
  float Y(double value) const;
  double XAt(float pixel) const;
  double YAt(float pixel) const;
  bool InWell(ImVec2 p) const {
    return p.x >= well_min.x && p.x < well_max.x && p.y >= well_min.y && p.y < well_max.y;
  }
};

/// Panel and well at the cursor; the header is 32, the left gutter 52, the bottom 24 design pixels.
PlotFrame LayoutFrame(ImVec2 position, ImVec2 size);
/// Threshold of symlog for a range: four decades below its larger end.
double SymlogThreshold(const AxisRange& range);
/// Backgrounds, grid and tick labels. `x_label` (rich) stands at the right end below the well.
void DrawFrame(const PlotFrame& frame, std::string_view x_label);
/// Title, "[unit]" and a note; returns the x where they end. Cut to end before `right`.
float DrawPlotTitle(const PlotFrame& frame, std::string_view title, std::string_view unit,
                    float right, std::string_view note = {});
/// Horizontal reference line, dotted, with its label at one end.
void DrawReferenceLine(const PlotFrame& frame, double value, std::string_view label,
                       bool label_left = false);
/// Its label at the right end on a plate, over the curves; below the one before where they would
/// overlap: `taken` is its top, at first far away.
void DrawReferenceLabel(const PlotFrame& frame, double value, std::string_view label, float* taken);
/// Value for a header readout, in display units: fixed width where possible, counts as whole
/// numbers; `digits` of what has an exponent.
std::string ReadoutText(double shown, AxisScale scale, bool is_count = false, int digits = 3);

}  // namespace slip::app
