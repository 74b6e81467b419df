// From bodies to numbers: the contact problem of one step (engine/README.md section 9, items 1-2).
#pragma once

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"
#include "engine/formulation/config.h"
#include "engine/formulation/contact_problem.h"

namespace slip {

/// Geometry of the contacts in a ContactProblem, index by index.
struct ContactGeometry {
  int candidate = 0;  ///< into Model::candidates
  int body = 0;
  int surface = 0;
  Vec3 p_W = Vec3::Zero();  ///< contact point on the body [m]
  Vec3 t1_W = Vec3::UnitX(), t2_W = Vec3::UnitY(), n_W = Vec3::UnitZ();  ///< contact frame

  Vec3 ToWorld(const Vec3& in_C) const {
    return in_C.x() * t1_W + in_C.y() * t2_W + in_C.z() * n_W;
  }
};

/// Gravity with the scene's tilt: leaning towards +x [m/s^2].
Vec3 CalcGravity(const StepParams& params);

/// Signed distance of a candidate at a pose [m]; p_W (may be null) gets the point on the body.
double CalcSignedDistance(const Model& model, const ContactCandidate& candidate, const Pose& X_WB,
                          Vec3* p_W);

/// Material of a body's contact with a surface: the body's own when the surface is rigid, else
/// combined (engine/README.md 5.4).
Material CombineMaterials(const Material& a, const Material& b);

/// Contact parameters of a candidate under this config, all but phi0, vn0 and w.
ContactStart MakeContactStart(const Model& model, const Config& config,
                              const ContactCandidate& candidate);

/// Fills the problem of the step that starts at `state`, and its geometry. Allocates only while
/// the number of contacts grows.
void BuildProblem(const Model& model, const Config& config, const State& state,
                  ContactProblem* problem, std::vector<ContactGeometry>* geometry);

}  // namespace slip
