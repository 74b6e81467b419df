// Actions of the plots: keyboard focus, crosshair, zoom history.
#pragma once

#include "app/plots/plot_sources.h"
#include "app/session/session.h"
#include "app/state/plots_state.h"
#include "app/state/requests.h"
#include "app/state/view_state.h"

namespace slip::app {

/// Does the action if it is one of the plots; false otherwise. `one`: only the plot of the chosen
/// tab is seen.
bool PerformPlotAction(const Session& session, Action action, Compare compare, bool one,
                       PlotsState* plots, PlotSources* sources, Requests* requests);

}  // namespace slip::app
