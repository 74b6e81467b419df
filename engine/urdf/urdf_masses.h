// What links weigh where their file does not say it, or says what no body has.
#pragma once

#include "engine/urdf/urdf_check.h"

namespace slip {

/// Lighter than this is no body but a slip of units; dividing by it loses the contact's digits
/// [kg].
inline constexpr double kLightestBody = 1e-9;

/// Gives a link the mass, centre and inertia of its collision shapes, as dense as water. False
/// where it has none.
bool WeighByShapes(LinkFacts* facts);
/// Gives a link with a mass the inertia of its collision shapes; where it has none that of a ball,
/// as dense as water, and false.
bool TurnByShapes(LinkFacts* facts);

}  // namespace slip
