// What a plot says beside its curves: the weight, the friction limit, the first change from slip to
// stick. Internal to app/plots.
#pragma once

#include <optional>

#include "app/panels/curves/plot_content.h"
#include "app/plots/series.h"
#include "app/session/session.h"

namespace slip::app {

/// Lines and events of the signal that the content shows; nothing where they do not apply.
void AddAnnotations(const Session& session, PlotContent* content);

/// Time of the first sample at which nothing slips and something sticks, after some contact had
/// slipped [s]; nothing without one. Both are counts of contacts of one channel.
std::optional<double> FirstStick(const SeriesView& sticking, const SeriesView& slipping);

}  // namespace slip::app
