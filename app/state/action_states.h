// How actions stand: whether a switch is on, and what stands against an action.
#pragma once

#include "app/state/actions.h"

namespace slip::app {

/// What menus and the palette show of actions. Whoever implements it looks at everything, so that
/// they need not.
class ActionStates {
 public:
  virtual ~ActionStates() = default;
  /// Whether a toggle is on, for the check mark in the menu. Not a toggle: false.
  virtual bool IsOn(Action action) const = 0;
  /// Why the action cannot be done now; null when it can.
  virtual const char* WhyDisabled(Action action) const = 0;
};

}  // namespace slip::app
