// Whether a switch is on, and why an action cannot be done now.
#pragma once

#include "app/session/session.h"
#include "app/state/actions.h"
#include "app/state/machine.h"
#include "app/state/ui_state.h"

namespace slip::app {

/// What menus and the palette show of actions. It looks at everything, so that they need not.
class ActionStates {
 public:
  ActionStates(const Session& session, const UiState& state, const Machine& machine)
      : session_(session), state_(state), machine_(machine) {}

  /// Whether a toggle is on, for the check mark in the menu. Not a toggle: false.
  bool IsOn(Action action) const;
  /// Why the action cannot be done now; null when it can.
  const char* WhyDisabled(Action action) const;

 private:
  const Session& session_;
  const UiState& state_;
  const Machine& machine_;
};

}  // namespace slip::app
