// "Plot this": from a number that is a signal, or a contact, to its curve.
#pragma once

#include "app/panels/panels.h"

namespace slip::app {

/// What a drag of a row of the contact table carries: its ContactKey.
inline constexpr const char* kContactDrag = "slip-contact";

/// A right click on the last item opens "Plot this". `id` registers "<id>/plot-this".
void PlotThisMenu(Ui* ui, std::string_view id, Signal signal);
/// A right click on the last item, the row of a contact, opens a menu of its curves; dragged onto a
/// plot it is shown there. `id` as above.
void PlotContactMenu(Ui* ui, std::string_view id, ContactKey key, std::string_view name);
/// The last item, a plot, takes a contact that is dropped on it.
void TakeContactDrop(PlotSlot* plot);

}  // namespace slip::app
