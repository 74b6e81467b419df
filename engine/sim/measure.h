// What a step is measured by: contact frames, energy ledger and signals, all from the same
// solution.
#pragma once

#include <vector>

#include "engine/convex/build_problem.h"
#include "engine/sim/simulation.h"

namespace slip {

/// Kinetic + potential + elastic energy of a state under this config [J].
double CalcMechanicalEnergy(const Model& model, const Config& config, const State& state);

/// Fills `next` (whose state holds the new poses and velocities) with contacts, ledger and signals.
/// `problem` must be solved; `previous` is the record before the step.
void Measure(const Model& model, const Config& config, const ContactProblem& problem,
             const std::vector<ContactGeometry>& geometry, const StepRecord& previous,
             StepRecord* next);

/// Signals of a state that no step has led to yet: positions and energies, NaN elsewhere.
void MeasureStart(const Model& model, const Config& config, StepRecord* record);

}  // namespace slip
