// Actions of the plots: keyboard focus, crosshair, zoom history.
#pragma once

namespace slip::app {

struct Ui;
enum class Action : int;

/// Does the action if it is one of the plots; false otherwise.
bool PerformPlotAction(Ui* ui, Action action);

}  // namespace slip::app
