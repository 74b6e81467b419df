#include "engine/sim/knob_changes.h"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/rigid_dynamics.h"

namespace slip {

void KnobChanges::Begin(const Config& config, const State& state, double elastic) {
  begun_ = true;
  config_ = config;
  elastic_ = elastic;
  time_base_ = state.time_base;
  step_base_ = state.step_base;
  memory_ = state.memory;
  energy_ = state.energy;
}

bool KnobChanges::KeepsFormulation(const Config& config) const {
  return Info(config.method()).make_formulation == Info(config_.method()).make_formulation &&
         (config.step.error_control != 0) == (config_.step.error_control != 0);
}

void KnobChanges::TakeBack(const Config& config, State* state) const {
  state->time_base = time_base_;
  state->step_base = step_base_;
  state->memory = memory_;
  state->energy = energy_;
  if (config.step.time_step == config_.step.time_step) return;
  state->time_base = state->Time(config_.step.time_step);
  state->step_base = state->step;
}

// By differences of one count: a step's own is off from it by last bits, and under controlled error
// by more.
void KnobChanges::Book(const Model& model, const Config& config, double elastic,
                       State* state) const {
  const auto potential = [&](const Config& by) {
    return CalcPotentialEnergy(model, *state, CalcGravity(by.step));
  };
  EnergyLedger& ledger = state->energy;
  const double change = elastic - elastic_;
  const double overlap = change == 0
                             ? ledger.overlap
                             : std::min(ledger.overlap, std::max(0.0, ledger.elastic + change));
  const double work = potential(config) - potential(config_) + change - (overlap - ledger.overlap);
  if (!std::isfinite(work) || (work == 0 && change == 0)) return;
  ledger.elastic += change;
  ledger.overlap = overlap;
  ledger.drive_work += work;
  ledger.mechanical += work;
}

}  // namespace slip
