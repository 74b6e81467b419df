// Which parameters a method, a contact model or a normal law reads beyond those that all of them
// do.
#pragma once

#include "engine/core/params.h"

namespace slip::knob {

inline constexpr KnobMask kNormalLaw = 1 << 0;
inline constexpr KnobMask kStiffness = 1 << 1;
inline constexpr KnobMask kHertzStiffness = 1 << 2;
inline constexpr KnobMask kDissipation = 1 << 3;
inline constexpr KnobMask kRelaxationTime = 1 << 4;
inline constexpr KnobMask kBarrierStiffness = 1 << 5;
inline constexpr KnobMask kBarrierDistance = 1 << 6;
inline constexpr KnobMask kStictionTolerance = 1 << 7;
inline constexpr KnobMask kFrictionRegularization = 1 << 8;
inline constexpr KnobMask kNearRigid = 1 << 9;
inline constexpr KnobMask kTodorovAlpha = 1 << 10;
inline constexpr KnobMask kNarrowPhase = 1 << 11;
inline constexpr KnobMask kConvexSolver = 1 << 12;
inline constexpr KnobMask kDamping = 1 << 13;
inline constexpr KnobMask kExponential = 1 << 14;
inline constexpr KnobMask kNewton = 1 << 15;
inline constexpr KnobMask kErrorControl = 1 << 16;  // of every method, while errors are controlled
inline constexpr KnobMask kTorsion = 1 << 17;
inline constexpr KnobMask kImpedance = 1 << 18;
inline constexpr KnobMask kQuadraticProgram = 1 << 19;
inline constexpr KnobMask kTurning = 1 << 20;
inline constexpr KnobMask kBias = 1 << 21;
inline constexpr KnobMask kBalance = 1 << 22;

}  // namespace slip::knob
