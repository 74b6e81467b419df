// Motion that no method should make: energy from nothing, and speeds beyond mechanics.
#pragma once

#include <span>

#include "engine/sim/simulation.h"

namespace slip {

/// Mass of what moves [kg].
double MovingMass(const Model& model);

/// The first body that is faster than any in mechanics; -1 = none.
int FirstRunaway(std::span<const Vec6> V_WB);

/// What a step made of the whole model's energy beyond its balance [J]; zero where it lost some.
double CalcMade(const StepRecord& before, const StepRecord& after);

/// The same, less than nothing too. What springs hold at its end says little where a step went
/// wrong, and is left out.
double CalcCreated(const StepRecord& before, const StepRecord& after);

/// That as a share of what there is without it; zero where there is none. Work that motors took out
/// does not count: the ledger has it by the forces of one moment, and of a robot that trembles it
/// has too much.
EnergyGain CalcGain(const Model& model, const StepParams& params, const StepRecord& before,
                    const StepRecord& after);

}  // namespace slip
