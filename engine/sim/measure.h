// What a step is measured by: contact frames, energy ledger and signals, all from the same
// solution.
#pragma once

#include "engine/dynamics/kinematics.h"
#include "engine/method/formulation.h"
#include "engine/sim/simulation.h"

namespace slip {

/// From this share on a contact that sticks is said to be at the limit.
inline constexpr double kAtLimit = 0.999;
/// Sets bound, friction_used and word of a contact that has its forces and its mode.
void JudgeFriction(FrictionBound bound, ContactFrame* contact);

/// Fills `next` (whose state is the step's end) with contacts, ledger and signals of the step by
/// `formulation` that came to `output`; `previous` is the record before it. The kinematics become
/// those of the end.
void Measure(const Model& model, const Config& config, Formulation* formulation,
             const StepOutput& output, const StepRecord& previous, StepRecord* next,
             Kinematics* kinematics);

/// What Measure leaves out, because most steps nobody asks for it: the signal of linear momentum.
/// The kinematics are those of the record's state.
void MeasureMomentum(const Model& model, const Config& config, Kinematics* kinematics,
                     StepRecord* record);

/// Signals of a state that no step has led to yet: positions and energies, NaN
/// elsewhere.
void MeasureStart(const Model& model, const Config& config, std::span<const Vec6> V_WB,
                  double elastic, StepRecord* record);

}  // namespace slip
