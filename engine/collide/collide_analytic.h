// Exact narrow phase of spheres, boxes, capsules and half-spaces. Every routine appends the points
// of one pair whose signed distance is at most the margin.
//
// phi is the distance between the closest points of separated bodies, and minus the length of the
// shortest translation that parts overlapping ones; n lies along either. A manifold (box and box,
// capsule and box, parallel capsules) has one n and a phi for each point, measured along n; its
// smallest phi is the signed distance of the pair. Accuracy: 1e-9 of the bodies' size, apart from
// one documented liberty of box manifolds (box_manifold.h). Parallel, touching and coincident
// bodies are no exceptions: normals that geometry leaves open are fixed by rule.
#pragma once

#include <span>

#include "engine/collide/pair_contact.h"
#include "engine/geometry/held_features.h"
#include "engine/geometry/shape.h"

namespace slip {

/// Everything behind the plane is solid.
struct Plane {
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of the solid
  Vec3 point = Vec3::Zero();
};

/// One point, feature 0. Coincident centres: n is +z.
void CollideSphereSphere(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                         double margin, PairContacts* out);
/// One point, feature 0. A centre inside leaves through the nearest face.
void CollideSphereBox(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                      double margin, PairContacts* out);
/// One point, feature 0.
void CollideSphereCapsule(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                          double margin, PairContacts* out);
/// One point, feature 0; side by side (axes within 1e-3 rad) two, features 1 and 2 in the order of
/// A's axis.
void CollideCapsuleCapsule(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                           double margin, PairContacts* out);
/// Up to two points, where the axis is nearest to a face or runs along an edge. Features: the
/// capsule's ends 0 and 1, else the box's edge or vertex.
void CollideCapsuleBox(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                       double margin, PairContacts* out);
/// Up to four points. Features: see box_manifold.h.
void CollideBoxBox(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                   double margin, PairContacts* out, const HeldFeatures& held = {});

/// The half-space is A. Features: 0 for spheres, the ends of a capsule, the vertices of a box
/// (those of its lowest face only).
void CollidePlaneSphere(const Plane& plane, const Shape& b, const Pose& X_WB, double margin,
                        PairContacts* out);
void CollidePlaneCapsule(const Plane& plane, const Shape& b, const Pose& X_WB, double margin,
                         PairContacts* out);
void CollidePlaneBox(const Plane& plane, const Shape& b, const Pose& X_WB, double margin,
                     PairContacts* out);

/// Balls of the given radius (zero: points) fixed in A, each on its own against a sphere, box or
/// capsule; other shapes give nothing. The feature is the index of the probe.
void CollideProbes(std::span<const Vec3> p_AP, double radius, const Pose& X_WA, const Shape& b,
                   const Pose& X_WB, double margin, PairContacts* out);

}  // namespace slip
