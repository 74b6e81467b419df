// Contact with triangle surfaces that do not move, and with point clouds.
//
// A surface is one-sided: a triangle pushes along its front. Per triangle the direction of least
// separation counts only if it is a normal of the surface there: the face's own, or at a convex
// edge or corner one between those of the faces that meet. Anything else is an artefact of cutting
// the surface into triangles (a body sliding over a flat floor would stumble over inner edges) and
// is replaced by the face normal. Bodies whose centre is behind a triangle do not feel it.
#pragma once

#include "engine/collide/pair_contact.h"
#include "engine/geometry/held_features.h"
#include "engine/geometry/shape.h"

namespace slip {

/// The mesh as A; B = sphere, box, capsule, cylinder or convex mesh. At most four points per
/// direction. Feature: the triangle's index << 10, then the features within the pair.
void CollideMesh(const TriangleMesh& mesh, const Pose& pose_mesh, const Shape& shape,
                 const Pose& pose_shape, double margin, PairContacts* contacts,
                 const HeldFeatures& held = {});

/// The cloud as A; B = sphere, box, capsule, cylinder or convex mesh. Every point within margin,
/// or the `keep` (2 to 4) that support best. Feature: the point's index.
void CollideCloud(const PointCloud& cloud, const Pose& pose_cloud, const Shape& shape,
                  const Pose& pose_shape, double margin, int keep, PairContacts* contacts);

/// The mesh as A, a cloud as B. Feature: the point's index << 2, then which of its contacts.
void CollideMesh(const TriangleMesh& mesh, const Pose& pose_mesh, const PointCloud& cloud,
                 const Pose& pose_cloud, double margin, PairContacts* contacts);

}  // namespace slip
