// The pair table: which routine serves which pair of shapes.
#pragma once

#include "engine/collide/collide_analytic.h"
#include "engine/collide/pair_contact.h"
#include "engine/geometry/held_features.h"
#include "engine/geometry/shape.h"

namespace slip {

/// Whose routine serves the pairs without a closed form: those of a cylinder or a convex mesh with
/// each other or with a sphere, box or capsule.
enum class NarrowPhaseId : int {
  kOwn,     ///< collide_convex.h: allocates nothing but room in `out`
  kLibccd,  ///< collide_ccd.h
};

/// Appends the contact points of A and B whose signed distance is at most the margin; n points from
/// A into B. Where there are too many to keep, held ones are preferred to others as good. Features
/// are those of the table's routine, whichever of the two came first. Pairs that are not in the
/// table give nothing.
void Collide(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, double margin,
             PairContacts* out, NarrowPhaseId narrow_phase = NarrowPhaseId::kOwn,
             const HeldFeatures& held = {});

/// The same for a half-space A; shapes without a routine give nothing.
void CollidePlane(const Plane& plane, const Shape& b, const Pose& X_WB, double margin,
                  PairContacts* out, const HeldFeatures& held = {});

/// Whether the pair is in the table, in either order.
bool CanCollide(ShapeKind a, ShapeKind b);

/// Whether NarrowPhaseId chooses the pair's routine.
bool HasNarrowPhases(ShapeKind a, ShapeKind b);

}  // namespace slip
