// What one plot of the window shows, gathered from the session: the same content is drawn in the
// window and written to files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/plots/plot.h"
#include "app/plots/plot_sources.h"
#include "app/session/session.h"
#include "app/state/plots_state.h"
#include "app/state/view_state.h"
#include "engine/sim/signals.h"

namespace slip::app {

struct PlotContent {
  std::string id, title, unit, note;
  std::string held;  ///< why there are no curves yet
  Signal signal = Signal::kNormalForce;
  AxisScale scale = AxisScale::kLinear;
  PlotKind kind = PlotKind::kTime;
  Signal against = Signal::kSlipSpeed;  ///< of PlotKind::kAgainst
  ContactKey contact = -1;              ///< whose curves these are; -1 = of the channel
  std::string across_title;             ///< of other kinds than over time
  std::optional<double> slope;
  std::vector<PlotSeries> series;
  std::vector<PlotSeries> along;  ///< of other branches
  std::string along_note;
  std::vector<PlotEvent> events;
  std::vector<PlotLine> lines;
  std::optional<double> play_head, read_at;
  bool include_zero = false;
  bool is_count = false;
  double noise = 0;

  /// Views into this content, which must outlive it.
  PlotSpec Spec() const;
};

/// The lesson's card asks for a prediction that the signal would give away.
bool IsHeld(const Session& session, Signal signal);
/// All of them.
std::vector<Signal> HeldSignals(const Session& session);

/// In the theme in force. In difference mode every series is the model minus the lead.
PlotContent MakePlotContent(const Session& session, const PlotsState& plots, std::size_t slot,
                            Compare compare, PlotSources* sources);
/// In the order of time, with the content's own.
void AddPlotEvents(std::span<const PlotEvent> events, PlotContent* content);
/// Parameter changes, notes and warnings.
std::vector<PlotEvent> MakePlotEvents(const Session& session);

}  // namespace slip::app
