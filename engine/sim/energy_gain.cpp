#include "engine/sim/energy_gain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr double kLastBits = 4 * std::numeric_limits<double>::epsilon();

double Of(const StepRecord& record, Signal id) { return At(record.signals, id); }

/// By the knobs in force, where they have changed since the step, too.
double Elastic(const EnergyLedger& energy) { return energy.elastic - energy.overlap; }

/// What the stops of joints store that are pressed [J].
double CalcLimitEnergy(const Model& model, const State& state) {
  double energy = 0;
  for (const Body& body : model.bodies) {
    // a stiff stop gives way by what a step resolves, which stores next to nothing
    if (body.nq != 1 || !std::isfinite(body.joint.limit_stiffness)) continue;
    const double q = state.q[body.q_start];
    const double beyond = std::max({0.0, q - body.joint.upper, body.joint.lower - q});
    if (beyond > 0) energy += 0.5 * body.joint.limit_stiffness * beyond * beyond;
  }
  return energy;
}

/// What a step can give out: springs of contacts as it finds them, overlap included, and stops. A
/// barrier's energy has no floor: of that what the step has let go.
double CalcStored(const Model& model, const StepRecord& before, const StepRecord& after) {
  const double found = after.state.energy.found;
  const double kept = after.state.energy.elastic;
  // of large numbers the last bits are nobody's
  const double contacts =
      found >= 0 ? found : std::max(0.0, found - kept) + kLastBits * std::abs(found);
  return contacts + CalcLimitEnergy(model, before.state);
}

}  // namespace

double MovingMass(const Model& model) {
  double mass = 0;
  for (const Body& body : model.bodies) mass += body.Moves() ? body.mass : 0;
  return mass;
}

// The first body that is faster than any in mechanics; -1 = none.
int FirstRunaway(std::span<const Vec6> V_WB) {
  for (std::size_t b = 0; b < V_WB.size(); ++b) {
    if (V_WB[b].tail<3>().squaredNorm() > kRunawaySpeed * kRunawaySpeed) return static_cast<int>(b);
  }
  return -1;
}

double CalcMade(const StepRecord& before, const StepRecord& after) {
  const EnergyLedger &from = before.state.energy, &to = after.state.energy;
  return std::max(0.0, to.mechanical - from.mechanical - (to.drive_work - from.drive_work));
}

double CalcCreated(const StepRecord& before, const StepRecord& after) {
  const EnergyLedger &from = before.state.energy, &to = after.state.energy;
  return to.mechanical - Elastic(to) - from.mechanical - (to.drive_work - from.drive_work);
}

EnergyGain CalcGain(const Model& model, const StepParams& params, const StepRecord& before,
                    const StepRecord& after) {
  const double work = after.state.energy.drive_work - before.state.energy.drive_work;
  const double stored = CalcStored(model, before, after);
  const double gain =
      CalcCreated(before, after) + Elastic(before.state.energy) + std::min(0.0, work) - stored;
  const EnergyLedger &from = before.state.energy, &to = after.state.energy;
  const double last_bits = kLastBits * (std::abs(from.mechanical) + std::abs(to.mechanical) +
                                        std::abs(from.drive_work) + std::abs(to.drive_work));
  if (!(gain > last_bits)) return {};
  const double fall = params.time_step * params.gravity;
  const double handled = std::max(Of(before, Signal::kKineticEnergy) + stored,
                                  Of(after, Signal::kKineticEnergy) - gain) +
                         0.5 * MovingMass(model) * fall * fall;
  return {gain, gain / handled, -1};
}

}  // namespace slip
