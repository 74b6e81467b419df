// Contact of convex shapes by libccd 2.1 (Fiser), the narrow phase that other simulators use, to
// compare ours with. Measured over random pairs of 1 cm to 1 m: depths of polyhedra exact to
// rounding (touching: 1e-8 m), with a round shape within 2e-7 m; normals within 1e-3 rad in 99 of
// 100 pairs, the rest where two ways out are as short. It allocates while it works; the same input
// gives the same bits.
#pragma once

#include "engine/collide/pair_contact.h"
#include "engine/collide/separation.h"
#include "engine/geometry/held_features.h"
#include "engine/geometry/shape.h"

namespace slip {

/// Who found the separation.
enum class CcdAnswer {
  kLibccd,
  kApart,    ///< libccd sees no overlap and has no distances: ours
  kRefused,  ///< libccd's answer was no depth: ours
};

/// CalcSeparation with the depth and direction of overlapping pairs from libccd's GJK and EPA,
/// which sees the whole shape, rounding included. Shapes apart, or touching to about 1e-8 of their
/// size, get our own; so do answers that fail one of three tests: finite; both shapes' reach along
/// the direction confirms the depth; moved apart by less than the depth the pair still overlaps.
/// The direction is sharpened, and the witness points found, by our nearest points of the pair
/// moved apart along it: a depth good to e leaves a direction good to √e, too coarse for friction.
Separation CalcSeparationByCcd(const ConvexCore& a, const ConvexCore& b, double limit,
                               CcdAnswer* answer);

/// CollideConvex with that separation: the same shapes, points and features.
void CollideConvexByCcd(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        double margin, PairContacts* contacts, const HeldFeatures& held = {});

}  // namespace slip
