// Which parameters of materials, contact models and normal laws one of these reads beyond those
// that all of them do. The bits from 2^16 on are those of methods (engine/method/methods.h).
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
inline constexpr KnobMask kDamping = 1 << 11;
inline constexpr KnobMask kTorsion = 1 << 12;

}  // namespace slip::knob
