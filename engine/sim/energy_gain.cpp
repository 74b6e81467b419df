#include "engine/sim/energy_gain.h"

#include <algorithm>

namespace slip {
namespace {

double Of(const StepRecord& record, Signal id) {
  return record.signals[static_cast<std::size_t>(id)];
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

double CalcCreated(const StepRecord& before, const StepRecord& after) {
  const EnergyLedger &from = before.state.energy, &to = after.state.energy;
  return to.mechanical - Of(after, Signal::kElasticEnergy) - from.mechanical -
         (to.drive_work - from.drive_work);
}

EnergyGain CalcGain(const Model& model, const StepParams& params, const StepRecord& before,
                    const StepRecord& after) {
  const double work = after.state.energy.drive_work - before.state.energy.drive_work;
  // overlap that the step before left is no gain of this one
  const double left = std::max(0.0, after.state.energy.found - Of(before, Signal::kElasticEnergy));
  const double gain = CalcCreated(before, after) + std::min(0.0, work) - left;
  if (!(gain > 0)) return {};
  const double fall = params.time_step * params.gravity;
  const double handled =
      std::max(Of(before, Signal::kKineticEnergy) + Of(before, Signal::kElasticEnergy) + left,
               Of(after, Signal::kKineticEnergy)) +
      0.5 * MovingMass(model) * fall * fall;
  return {gain, gain / handled, -1};
}

}  // namespace slip
