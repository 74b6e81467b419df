// Whether a switch is on, and why an action cannot be done now.
#pragma once

#include "app/session/session.h"
#include "app/state/action_states.h"
#include "app/state/machine.h"
#include "app/state/ui_state.h"

namespace slip::app {

class WindowActions final : public ActionStates {
 public:
  WindowActions(const Session& session, const UiState& state, const Machine& machine)
      : session_(session), state_(state), machine_(machine) {}

  bool IsOn(Action action) const override;
  const char* WhyDisabled(Action action) const override;

 private:
  const Session& session_;
  const UiState& state_;
  const Machine& machine_;
};

}  // namespace slip::app
