// Keys become actions, and actions are done.
#pragma once

#include "app/state/actions.h"

namespace slip::app {

struct Ui;

/// Queues the action bound to this key, if any. Called from the GLFW key callback and by tests.
/// Keys are ignored while a text box is active, except those with Ctrl that it does not use.
bool DispatchKey(Ui* ui, int key, int mods, bool repeat, bool typing);
/// A text box is open, or on its way, and has perhaps not got the keyboard yet.
bool WaitsForText(const Ui& ui);
/// Does what the queue asks for. Once per frame, before drawing.
void PerformActions(Ui* ui);

/// What an action does; `number` tells those of one family apart.
struct ActionRow {
  Action action;
  void (*run)(Ui* ui, int number);
  int number = 0;
};
/// Null where the action is a switch, a tab, one of the plots or one of a hand.
const ActionRow* FindActionRow(Action action);

}  // namespace slip::app
