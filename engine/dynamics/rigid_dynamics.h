// Rigid bodies with six or fewer coordinates: velocities, inertia, free motion, integration
// (engine/README.md section 9). World axes at the centre of mass, angular part first.
#pragma once

#include <span>

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"

namespace slip {

/// Spatial velocity of a body without parent from its kept coordinates.
Vec6 CalcSpatialVelocity(const Body& body, const VectorX& v);
/// Writes the kept coordinates of a spatial velocity.
void SetCoordinates(const Body& body, const Vec6& V_WB, VectorX* v);
/// Spatial inertia M = diag(R I R^T, m 1) and bias force (gyroscopic) of a body.
struct BodyInertia {
  Mat3 I_W;
  double mass;
};
BodyInertia CalcInertia(const Body& body, const Pose& X_WB);

/// Row of the point Jacobian: velocity along unit `axis` at point p_W, restricted to the body's
/// coordinates; out has Body::nv entries.
void CalcJacobianRow(const Body& body, const Pose& X_WB, const Vec3& p_W, const Vec3& axis,
                     double* out);

/// p += h v; Q <- exp(h w) Q, renormalised: of a body that keeps its pose as position.
void IntegratePose(const Body& body, const VectorX& v, double h, Pose* X_WB);

/// First body whose pose or velocity is not finite; -1 = none.
int FirstNotFinite(const Model& model, const State& state);

/// Kinetic energy of all bodies, whose velocities are V_WB, and of motors [J].
double CalcKineticEnergy(const Model& model, const State& state, std::span<const Vec6> V_WB);
/// That of the bodies from `first` on and before `last`.
double CalcKineticEnergy(const Model& model, std::size_t first, std::size_t last,
                         const State& state, std::span<const Vec6> V_WB);
/// Potential energy - sum m g . p [J], zero at the world origin.
double CalcPotentialEnergy(const Model& model, const State& state, const Vec3& gravity_W);

}  // namespace slip
