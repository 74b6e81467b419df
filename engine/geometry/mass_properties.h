// Mass, centre of mass and inertia of solid shapes of uniform density, and the frame in which
// their inertia is diagonal.
#pragma once

#include "engine/geometry/mesh.h"
#include "engine/geometry/shape.h"

namespace slip {

struct MassProperties {
  double volume = 0;            ///< [m³]
  double mass = 0;              ///< [kg]
  Vec3 p_com = Vec3::Zero();    ///< centre of mass [m]
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, axes of the given frame [kg m²]
};

/// Exact for closed meshes (integrals over signed tetrahedra). A point cloud counts as its spheres,
/// overlaps counted twice.
MassProperties CalcMassProperties(const Shape& shape, double density);
MassProperties CalcMassProperties(const TriangleMesh& mesh, double density);
MassProperties CalcMassProperties(const ConvexMesh& mesh, double density);
MassProperties CalcMassProperties(const PointCloud& cloud, double density);

struct PrincipalAxes {
  Vec3 moments = Vec3::Zero();   ///< [kg m²]
  Mat3 axes = Mat3::Identity();  ///< columns; a rotation, as near to the identity as there is
};

/// Jacobi's rotations: axes that are principal already, and those of equal moments, stay.
PrincipalAxes CalcPrincipalAxes(const Mat3& inertia);

/// Moves a mesh so that its centre of mass is the origin and its principal axes are the frame's.
/// Returns the pose of the old frame in the new one: p_new = pose * p_old.
Pose MoveToPrincipalFrame(TriangleMesh* mesh);
Pose MoveToPrincipalFrame(ConvexMesh* mesh);
Pose MoveToPrincipalFrame(PointCloud* cloud);
/// The same where mass, centre and inertia are not those of the cloud's balls.
Pose MoveToPrincipalFrame(const MassProperties& properties, PointCloud* cloud);

}  // namespace slip
