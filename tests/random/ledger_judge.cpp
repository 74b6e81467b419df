#include "tests/random/ledger_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/contact/knobs.h"
#include "engine/convex/convex_params.h"
#include "engine/integrators/integrator_params.h"
#include "engine/method/methods.h"
#include "engine/sim/energy_gain.h"

namespace slip {
namespace {

// Of the energy turned over: what a run may gain, and what a step that did not converge may.
constexpr double kOfNothing = 1e-6, kOfSteps = 0.01, kHarmful = 0.01;
// Energies are sums of large numbers, and steps are many.
constexpr double kRoundOff = 1e4 * std::numeric_limits<double>::epsilon();

}  // namespace

double SignalOf(const Simulation& sim, Signal signal) {
  return sim.signals()[static_cast<std::size_t>(signal)];
}

double KineticAndPotential(const Simulation& sim) {
  return SignalOf(sim, Signal::kKineticEnergy) + SignalOf(sim, Signal::kPotentialEnergy);
}

double StoredEnergy(const Simulation& sim) {
  return SignalOf(sim, Signal::kElasticEnergy) + SignalOf(sim, Signal::kOverlapEnergy);
}

bool ExpectsGains(const Config& config) {
  const StepParams& params = config.step;
  const MethodInfo& method = Info(config.method());
  const auto chosen = [&](std::string_view name, int value) {
    const ParamInfo* info = FindParam(config, name);
    return value != 0 && info != nullptr && Reads(method, *info);
  };
  return chosen("gained_energy", params.gained_energy) ||
         chosen("slip_set", params.part<ExponentialParams>().slip_set) ||
         chosen("anchors", params.part<AnchorParams>().anchors) ||
         chosen("bias", params.part<BiasParams>().bias);
}

LedgerJudge::LedgerJudge(const Simulation& sim, LedgerVerdict* verdict)
    : verdict_(verdict), mass_(MovingMass(sim.model())), notes_(sim.model()) {
  const MethodInfo& method = Info(sim.config().method());
  verdict_->expected = ExpectsGains(sim.config());
  has_floor_ =
      !method.takes_law || sim.config().step.part<ConvexParams>().law() < NormalLawId::kLogBarrier;
  keeps_stored_ = method.family == Family::kAnchored;
  is_exact_ = keeps_stored_ && sim.model().articulated == 0;
  verdict_->judged = (method.knobs & knob::kBalance) != 0 && has_floor_;
  const double stored = std::max(0.0, StoredEnergy(sim));
  start_ = lowest_ = balance_ = KineticAndPotential(sim) + stored;
  start_turned_ = turned_ = SignalOf(sim, Signal::kKineticEnergy) + stored;
  start_potential_ = lowest_potential_ = SignalOf(sim, Signal::kPotentialEnergy);
}

double LedgerJudge::Balance(const Simulation& sim) const {
  return KineticAndPotential(sim) + (keeps_stored_ ? StoredEnergy(sim) : 0) -
         SignalOf(sim, Signal::kDriveWork);
}

bool LedgerJudge::Take(const Simulation& sim) {
  const Config& config = sim.config();
  const int64_t step = sim.step();
  const double potential = SignalOf(sim, Signal::kPotentialEnergy);
  const double work = SignalOf(sim, Signal::kDriveWork);
  turned_work_ += std::abs(work - work_);
  work_ = work;
  lowest_potential_ = std::min(lowest_potential_, potential);
  turned_ = start_turned_ + (start_potential_ - lowest_potential_) + turned_work_;

  const double fall = config.step.gravity * config.step.time_step;
  const double there = turned_ + 0.5 * mass_ * fall * fall;
  const double last_bits = kRoundOff * (std::abs(potential) + StoredEnergy(sim));
  // as a run's note has it (tell/step_notes.h)
  handled_ = std::max(handled_, SignalOf(sim, Signal::kKineticEnergy) +
                                    SignalOf(sim, Signal::kElasticEnergy) + std::abs(work));
  const double noted = std::max(there, handled_ + 0.5 * mass_ * fall * fall);
  const double tolerance =
      std::max(1e-12, is_exact_ ? kOfNothing * there : kOfSteps * noted) + last_bits;
  const double balance = Balance(sim);
  const double rise = balance - start_, created = balance - balance_;
  verdict_->rise.Take(rise, step);
  verdict_->rise_ratio.Take(rise / tolerance, step);
  lowest_ = std::min(lowest_, balance);
  verdict_->climb.Take(balance - lowest_, step);
  verdict_->climb_share.Take((balance - lowest_) / (there + last_bits), step);
  balance_ = balance;

  // what a run tells
  notes_.Watch(sim);
  const std::vector<StepNote> notes = notes_.List();
  const auto steps = [&notes](std::string_view id) {
    const StepNote* note = Find(notes, id);
    return note != nullptr ? note->steps : 0;
  };
  verdict_->halved = steps("halved");
  verdict_->gained = steps("gained");
  verdict_->beyond = steps("beyond");
  verdict_->told.clear();
  for (const char* id : {"gained", "beyond", "created", "overlap", "lent", "gain"}) {
    if (const StepNote* note = Find(notes, id)) verdict_->told = note->what;
  }
  return created <= kHarmful * there + last_bits;
}

void LedgerJudge::Fail(const Simulation& sim, StepStatus status) {
  if (status == StepStatus::kGain || status == StepStatus::kRunaway) verdict_->told = sim.failure();
}

}  // namespace slip
