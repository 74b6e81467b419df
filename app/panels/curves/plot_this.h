// "Plot this": from a number that is a signal, or a contact, to its curve.
#pragma once

#include <string_view>

#include "app/state/plots_state.h"
#include "engine/sim/snapshot.h"

namespace slip::app {

/// What a drag of a row of the contact table carries: its ContactKey.
inline constexpr const char* kContactDrag = "slip-contact";

/// Into the plot that shows it already, or else into the last one.
void ShowPlot(const PlotChoice& choice, PlotsState* plots);
/// A right click on the last item opens "Plot this". `id` registers "<id>/plot-this".
void PlotThisMenu(std::string_view id, Signal signal, PlotsState* plots);
/// A right click on the last item, the row of a contact, opens a menu of its curves; dragged onto a
/// plot it is shown there. True when its numbers in other engines' terms are asked for. `id` as
/// above.
bool PlotContactMenu(std::string_view id, ContactKey key, std::string_view name, PlotsState* plots);
/// The last item, a plot, takes a contact that is dropped on it.
void TakeContactDrop(PlotSlot* plot);

}  // namespace slip::app
