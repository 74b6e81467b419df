// The time plot and the point plot, on ImDrawList. Data come as views; the plot owns only the state
// of its axes. All plots that share a LinkedX pan, zoom and point together.
#pragma once

#include <imgui.h>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/kit/theme.h"
#include "app/plots/axes.h"
#include "app/plots/plot_choice.h"
#include "app/plots/series.h"
#include "engine/core/numbers.h"

namespace slip::app {

enum class FollowMode : int { kAll, kLast, kFree, kCentred };

/// LinkedX::hover_owner while the arrow keys move the crosshair.
inline constexpr unsigned kKeyboardOwner = 0xFFFFFFFFu;

/// The x axis that plots share. Times in seconds.
struct LinkedX {
  AxisRange range{0, 1};
  FollowMode follow = FollowMode::kAll;
  double last_seconds = 4;            ///< width in FollowMode::kLast and kCentred
  std::optional<double> hover;        ///< crosshair; set by the plot under the mouse
  std::optional<double> anchor;       ///< second cursor (Shift+click); measures to `hover`
  int64_t hover_step = -1;            ///< the step of the lead in force there; -1 where it has none
  double hover_time = 0;              ///< of that step [s]
  std::optional<double> anchor_time;  ///< of the lead's step at the anchor [s]
  unsigned hover_owner = 0;           ///< the plot under the mouse, or kKeyboardOwner; internal
  double wheeled_at = -1;             ///< time of the last wheel notch, internal [s]
  std::vector<AxisRange> history;     ///< zoom history, newest last

  /// Moves the range along with the data, or with the play head when that looks at the past.
  /// Once per frame, before the first plot of the frame.
  void Update(double data_start, double data_end, double head);
  /// Remembers the range before a zoom.
  void Remember();
  /// Back to the range before the last zoom.
  void Undo();
};

struct PlotSeries {
  std::string label;  ///< "SAP"
  SeriesView data;
  SeriesView across;  ///< on the x axis of a plot against a signal; the samples of `data`
  ChannelStyle style;
  bool prediction = false;  ///< dotted over the data, no readout of its own; hides with `label`
  std::string end_note;     ///< beside a dot at its end; such a prediction has its own style
  float alpha = 1;          ///< 0.4 for another branch
  bool readout = true;      ///< value at PlotSpec::read_at in the header
  /// Numbers count samples up to here [s]: it may go on while they rest.
  double read_until = kInfinity;

  /// A closed form beside what was measured, not a curve of its own.
  bool IsFormula() const { return prediction && end_note.empty(); }
  /// It is a part of a curve that another one continues, and t is not in it.
  bool IsElsewhere(double t) const {
    return (data.first > 0 || data.last != SeriesView::kAll) && !data.Covers(t);
  }
};

struct PlotEvent {
  double time = 0;     ///< [s]
  std::string label;   ///< rich text, short: "δt"
  std::string detail;  ///< on hover: "δt 10 → 4 ms (step 312)"
  ImU32 colour = 0;    ///< 0 = head colour: shared by all models
};

/// The x axis of a plot that is not over time: the other signal, or of a histogram the signal
/// itself.
struct AcrossSpec {
  std::string_view title;  ///< rich text
  std::string_view unit;   ///< SI
  AxisScale scale = AxisScale::kLinear;
  double noise = 0;  ///< smaller values read 0 [unit]
  bool is_count = false;

  double Read(double value) const { return value > -noise && value < noise ? 0 : value; }
};

/// Horizontal reference, e.g. "m g" at 9.81.
struct PlotLine {
  double value = 0;
  std::string label;  ///< rich text
};

struct PlotSpec {
  std::string_view id;      ///< stable; registers "plot/<id>/{well,title,legend/<i>}"
  std::string_view title;   ///< rich text
  std::string_view symbol;  ///< rich text; in place of a title beside which no number fits
  std::string_view unit;    ///< SI
  std::string_view note;    ///< after the unit: "against Lagged"
  std::string_view held;    ///< in place of curves: why there are none
  AxisScale scale = AxisScale::kLinear;  ///< until the user chooses another
  PlotKind kind = PlotKind::kTime;
  AcrossSpec across;  ///< of other kinds
  /// Of a plot of friction against normal force: the coefficient; y = slope x is drawn.
  std::optional<double> slope;
  std::span<const PlotSeries> series;
  std::span<const PlotSeries> along;  ///< of other branches: under all others, without readouts
  std::string_view along_note;        ///< rich text that says what they are
  std::span<const PlotEvent> events;
  std::span<const PlotLine> lines;
  std::optional<double> play_head;  ///< [s]
  std::optional<double> read_at;    ///< the moment of its numbers [s]; else the play head
  bool include_zero = false;        ///< the automatic y range contains 0
  bool is_count = false;            ///< whole numbers: values, not means, without decimals
  double noise = 0;                 ///< smaller values read 0 [unit]
  bool focused = false;             ///< has the keyboard: ring, values at the crosshair
  std::string_view chosen;          ///< label of the series that the keyboard points at
  bool figure = false;              ///< for a file: names in place of values, axes with titles
  bool print = false;               ///< white ground
  std::string_view undo_key;        ///< that goes back to the zoom before, in the menu

  double Read(double value) const { return value > -noise && value < noise ? 0 : value; }
};

/// What a plot remembers between frames. Plain data: can be saved with the layout.
struct PlotState {
  std::optional<AxisScale> scale;  ///< chosen by the user
  AxisRange y{0, 1};
  bool y_valid = false;
  AxisScale y_scale = AxisScale::kLinear;  ///< that `y` was fitted for, internal
  bool y_locked = false;                   ///< the user zoomed y: no automatic fit
  std::optional<AxisScale> across_scale;   ///< chosen by the user, of AcrossSpec's axis
  AxisRange across{0, 1};
  bool across_valid = false, across_locked = false;  ///< as of y
  std::optional<bool> equal_axes;  ///< chosen by the user; else of the friction cone's section
  std::set<std::string> hidden;    ///< labels of hidden series
  int drag = 0;                    ///< running mouse gesture, internal
  ImVec2 drag_from{0, 0};
  AxisRange drag_x, drag_y;

  bool peaks_left = false;   ///< the row of largest values stands at the upper left
  double peaks_moved = -1;   ///< when it last changed sides, internal [s]
  double peaks_looked = -1;  ///< when it last looked at the other side, internal [s]

  bool halo = true;         ///< a rim where curves coincide
  bool annotations = true;  ///< weight, limits, first change from slip to stick

  void FitAgain() { y_valid = y_locked = across_valid = across_locked = false; }
};

/// What the context menu can ask for; the owner of the plot does it.
enum class PlotExport : int {
  kNone,
  kCopyCsv,     ///< visible range to the clipboard
  kCsvVisible,  ///< to a file
  kCsvAll,
  kPng,
  kSvg,
  kCopyCommand
};

struct PlotResult {
  std::optional<double> seek;  ///< the play head was dragged to this time [s]
  bool hovered = false;
  PlotExport wanted = PlotExport::kNone;
  int picture_scale = 1;  ///< of a PNG: pixels per pixel on the screen
  bool white = false;     ///< PNG: white ground in place of the theme's
};

/// Draws the plot at the cursor, `size` in pixels, and handles the mouse.
PlotResult Plot(const PlotSpec& spec, PlotState* state, LinkedX* x, ImVec2 size);

/// The visible samples as CSV: one time column, one column per series (held values), SI units. Of
/// other kinds: both signals of each series; the bins.
std::string PlotCsv(const PlotSpec& spec, const AxisRange& x);

/// Figures between two times, for the second cursor. Integral by the trapezoidal rule [unit s].
struct SpanStatistics {
  double delta = 0, slope = 0, mean = 0, rms = 0, integral = 0;
  std::size_t samples = 0;
};
SpanStatistics CalcSpanStatistics(const SeriesView& data, double t0, double t1);

/// Vertices of a decimated line in pixels (NaN x separates pieces). At most four per pixel column.
struct DecimatedLine {
  std::vector<ImVec2> points;  ///< pieces are separated by a point with NaN
  std::vector<float> below_x;  ///< log axis: x of values <= 0, for marks on the border
};
void Decimate(const SeriesView& data, const AxisRange& x, AxisScale scale, const AxisRange& y,
              ImVec2 well_min, ImVec2 well_max, DecimatedLine* out);

// --- Points: residual per iteration, forces by rank, friction against load --------------------

struct PlotPoint {
  double x = 0, y = 0;
  ImU32 colour = 0;         ///< 0 = the series' colour
  Mark mark = Mark::kNone;  ///< kNone = the series' mark
};

struct PointSeries {
  std::string label;
  std::span<const PlotPoint> points;
  ChannelStyle style;
  bool line = false;   ///< joins the points
  bool stems = false;  ///< bar from the lower border to each point
  float mark_radius = 3.4f;
};

struct PointPlotSpec {
  std::string_view id;
  std::string_view title;
  std::string_view unit;     ///< SI unit of y
  std::string_view x_label;  ///< rich text at the right end of the x axis: "iteration"
  std::string_view note;     ///< right end of the header
  AxisScale x_scale = AxisScale::kLinear, y_scale = AxisScale::kLinear;
  std::span<const PointSeries> series;
  std::span<const PlotLine> lines;  ///< tolerance and the like
  std::optional<double> slope;      ///< dotted line y = slope x: the friction cone
  std::string_view slope_label;
  std::optional<AxisRange> x_range, y_range;  ///< otherwise fitted
  int selected = -1;                          ///< index in the first series, ringed
};
/// Returns the index in the first series of a clicked point, or -1.
int PointPlot(const PointPlotSpec& spec, ImVec2 size);

}  // namespace slip::app
