// Contact of convex shapes through their support functions. Apart and overlapping pairs are good
// to about 1e-9 of their size, those with the rim of a cylinder to 1e-6 m; nothing is allocated
// but room in `contacts`.
#pragma once

#include "engine/collide/pair_contact.h"
#include "engine/collide/separation.h"
#include "engine/geometry/held_features.h"
#include "engine/geometry/shape.h"

namespace slip {

/// Appends at most four points with phi <= margin. Any two of sphere, box, capsule, cylinder and
/// convex mesh. The smallest phi is the signed distance; a sphere or capsule may be as deep as its
/// radius before the general (still correct) overlap routine takes over.
void CollideConvex(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   double margin, PairContacts* contacts, const HeldFeatures& held = {});

/// Signed distance of two cores, or infinity when it is above the limit.
using SeparationRoutine = Separation (*)(const ConvexCore& a, const ConvexCore& b, double limit);

/// CollideConvex with another routine for the separation.
void CollideConvexWith(SeparationRoutine routine, const Shape& a, const Pose& pose_a,
                       const Shape& b, const Pose& pose_b, double margin, PairContacts* contacts,
                       const HeldFeatures& held);

/// The half-space {p : normal·(p - point) <= 0} as A against a cylinder or convex mesh as B.
void CollideHalfSpace(const Vec3& normal_W, const Vec3& point_W, const Shape& shape,
                      const Pose& pose, double margin, PairContacts* contacts,
                      const HeldFeatures& held = {});

/// The same against every point of a cloud, as B; the feature is the point's index.
void CollideHalfSpace(const Vec3& normal_W, const Vec3& point_W, const PointCloud& cloud,
                      const Pose& pose, double margin, PairContacts* contacts);

/// Signed distance of a point from a solid shape, negative inside, both in the shape's frame; the
/// outward unit normal there is its gradient. Sphere, box, capsule, cylinder, convex mesh.
double CalcPointDistance(const Shape& shape, const Vec3& p_B, Vec3* normal_B);

}  // namespace slip
