// The row of plots.
#pragma once

#include "app/plots/plot_sources.h"
#include "app/session/session.h"
#include "app/state/layout.h"
#include "app/state/plots_state.h"
#include "app/state/requests.h"
#include "app/state/view_state.h"

namespace slip::app {

/// True when a plot that the lesson holds back was clicked: the lesson is asked for.
bool DrawPlots(const Session& session, const Regions& regions, Compare compare, PlotsState* plots,
               PlotSources* sources, Requests* requests);

}  // namespace slip::app
