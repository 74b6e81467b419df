#include "engine/export/contact_terms.h"

#include "engine/sim/method_list.h"

#include <algorithm>
#include <cmath>

#include "engine/contact/equivalent.h"
#include "engine/contact/normal_law.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/dynamics/tree_dynamics.h"
#include "engine/method/methods.h"

namespace slip {
namespace {

KnobMask KnobsOf(const Config& config) {
  const MethodInfo& method = Info(config.method());
  return method.knobs |
         (method.takes_law ? Info(config.step.part<ConvexParams>().law()).knobs : KnobMask{0});
}

/// Of a tree that is one body without coordinates q.
void AddLoneBody(const Body& body, const Pose& X_WB, int v_start, InverseMasses* out, double* sum) {
  const BodyInertia inertia = CalcInertia(body, X_WB);
  for (int i = 0; i < body.nv; ++i) {
    const int r = body.dof[i];
    out->coordinate[static_cast<std::size_t>(v_start + i)] =
        1 / (r < 3 ? inertia.I_W(r, r) : inertia.mass);
    if (r >= 3) *sum += 1 / inertia.mass;
  }
}

}  // namespace

InverseMasses CalcInverseMasses(const Model& model, const State& rest) {
  InverseMasses out;
  out.body.assign(model.bodies.size(), 0);
  out.coordinate.assign(static_cast<std::size_t>(model.nv), 0);
  TreeDynamics links;
  for (const Tree& tree : model.trees) {
    const auto first = static_cast<std::size_t>(tree.first_body);
    if (tree.articulated < 0) {
      double sum = 0;
      AddLoneBody(model.bodies[first], rest.X_WB[first], tree.v_start, &out, &sum);
      out.body[first] = sum / 3;
      continue;
    }
    links.Update(model, tree, rest);
    MatrixX M(tree.nv, tree.nv);
    links.CalcMassMatrix(M.data());
    const Eigen::LLT<MatrixX> factor(M);
    const MatrixX inverse = factor.solve(MatrixX::Identity(tree.nv, tree.nv));
    for (int i = 0; i < tree.nv; ++i)
      out.coordinate[static_cast<std::size_t>(tree.v_start + i)] = inverse(i, i);
    VectorX row(tree.nv);
    for (int b = tree.first_body; b < tree.first_body + tree.links; ++b) {
      const auto at = static_cast<std::size_t>(b);
      for (int axis = 0; axis < 3; ++axis) {
        links.CalcPointRow(b, rest.X_WB[at].p, Vec3::Unit(axis), row.data());
        out.body[at] += row.dot(inverse * row) / 3;
      }
    }
  }
  return out;
}

ContactTerms CalcContactTerms(const Config& config, const Material& material, double inverse_mass,
                              double load) {
  const KnobMask knobs = KnobsOf(config);
  ContactTerms terms;
  terms.friction = material.friction;
  if ((knobs & knob::kTorsion) != 0) terms.torsion = material.torsional_friction;
  if ((knobs & knob::kStiffness) != 0) {
    terms.k = material.stiffness;
  } else if ((knobs & knob::kHertzStiffness) != 0 && load > 0) {
    terms.k = Hertz::Stiffness({.k_hertz = material.hertz_stiffness}, load);
  }
  if (!terms.k || !(inverse_mass > 0)) return terms;
  const double k = *terms.k;
  if ((knobs & knob::kDamping) != 0) {
    terms.c = material.damping;
  } else if ((knobs & knob::kRelaxationTime) != 0) {
    terms.c = k * material.relaxation_time;
  } else if ((knobs & knob::kDissipation) != 0 && material.dissipation > 0) {
    const double e = CalcHuntCrossleyRestitution(material.dissipation, kImpactSpeed);
    terms.c = k * CalcTouchDampingRelaxation(e, k, 1 / inverse_mass);
    terms.damped_by_impact = true;
  }
  return terms;
}

std::optional<double> CalcCreepDamping(const Config& config, const Material& material,
                                       const ExportLoad& load) {
  const KnobMask knobs = KnobsOf(config);
  const StepParams& step = config.step;
  // slip speed per friction force, of small loads
  const double mobility =
      step.part<ConvexParams>().friction_regularization * load.w * step.time_step;
  const double limit = material.friction * load.normal_force;
  if ((knobs & knob::kStictionTolerance) != 0) {
    const double tolerance =
        std::max(step.part<ConvexParams>().stiction_tolerance,
                 (knobs & knob::kFrictionRegularization) != 0 ? mobility * limit : 0.0);
    if (tolerance > 0) return limit / tolerance;
  } else if ((knobs & knob::kFrictionRegularization) != 0 && mobility > 0) {
    return 1 / mobility;
  }
  return std::nullopt;
}

MujocoContact CalcMujocoContact(const ContactTerms& terms, double inverse_mass, double time_step) {
  MujocoContact out;
  out.friction = terms.friction;
  out.torsion = terms.torsion;
  out.condim = !(terms.friction > 0) ? 1 : terms.torsion > 0 ? 4 : 3;
  const double A = inverse_mass, h = time_step;
  const double stiffest = 1 / ((1 - kImpedance) * A * 4 * h * h);
  if (!terms.k || *terms.k > stiffest) {
    out.solref = {2 * h, 1};
    out.stiffness = stiffest;
    out.held_back = true;
    return out;
  }
  // of the damper the explicit step takes as much as stops the body within it
  const double K = *terms.k * (1 - kImpedance) * A, B = terms.c * (1 - kImpedance) * A;
  out.held_back = B * h > 1;
  out.solref = {-K, -std::min(B, 1 / h)};
  out.stiffness = *terms.k;
  return out;
}

}  // namespace slip
