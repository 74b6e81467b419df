#include "engine/convex/build_problem.h"

#include <algorithm>
#include <cmath>

#include "engine/core/stopwatch.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/method/mouse_spring.h"

namespace slip {
namespace {

double* TreeInertia(const Body& body, ContactProblem* problem) {
  return problem->A.data() + problem->trees[static_cast<std::size_t>(body.tree)].A_offset;
}

// Mouse spring, implicit in the new velocity so that it is stable at any time step:
// A += (h c + h² k) JᵀJ and h Jᵀ k (anchor − p) on the right. The pull is capped. A twist has the
// rows of the angular velocity and the rotation that is missing in place of anchor − p.
void AddGrab(const Model& model, const Config& config, const State& state, ContactProblem* problem,
             VectorX* momentum) {
  const Grab& grab = config.grab;
  if (grab.body < 0 || grab.body >= static_cast<int>(model.bodies.size())) return;
  const auto b = static_cast<std::size_t>(grab.body);
  const Body& body = model.bodies[b];
  if (body.nv == 0) return;
  const Pose& X = state.X_WB[b];
  const Vec3 p_W = X * grab.p_BP;
  Vec3 pull = grab.stiffness * CalcGrabStretch(grab, X);
  double stiffness = grab.stiffness;
  if (pull.norm() > grab.force_limit) {
    stiffness = 0;  // a capped spring has a constant force
    pull *= grab.force_limit / pull.norm();
  }
  const double h = config.step.time_step;
  const double gain = h * grab.damping + h * h * stiffness;
  double* A = TreeInertia(body, problem);
  for (int axis = 0; axis < 3; ++axis) {
    double row[6];
    if (grab.twist) {
      for (int i = 0; i < body.nv; ++i) row[i] = body.dof[i] == axis ? 1 : 0;
    } else {
      CalcJacobianRow(body, X, p_W, Vec3::Unit(axis), row);
    }
    for (int i = 0; i < body.nv; ++i) {
      (*momentum)[body.v_start + i] += h * row[i] * pull[axis];
      for (int j = 0; j < body.nv; ++j) A[i * body.nv + j] += gain * row[i] * row[j];
    }
  }
}

// The gyroscopic moment does no work, but one explicit step of it always adds energy:
// h²|I⁻¹ω×Iω|²/2, which runs away from h|ω| = 4 on. The step keeps its direction and the energy of
// before, `twice_energy` = ωᵀIω [J]. `L_W` is the angular momentum Iω − h ω×Iω.
void KeepSpinEnergy(const Body& body, const Quat& q_WB, double twice_energy, Eigen::Ref<Vec3> L_W) {
  const Vec3 L_B = q_WB.conjugate() * Vec3(L_W);
  const double now = L_B.dot(L_B.cwiseQuotient(body.inertia_B));
  if (now > twice_energy * (1 + 1e-14)) L_W *= std::sqrt(twice_energy / now);
}

// Jacobian of a body with all six coordinates; r = sign (p - origin).
void FillFreeRows(const Vec3& r, double sign, const ContactGeometry& g, double* rows) {
  for (const Vec3* axis : {&g.t1_W, &g.t2_W, &g.n_W}) {
    const Vec3& a = *axis;
    rows[0] = r.y() * a.z() - r.z() * a.y();
    rows[1] = r.z() * a.x() - r.x() * a.z();
    rows[2] = r.x() * a.y() - r.y() * a.x();
    rows[3] = sign * a.x();
    rows[4] = sign * a.y();
    rows[5] = sign * a.z();
    rows += 6;
  }
}

}  // namespace

ContactStart MakeContactStart(const Config& config, const Material& material) {
  ContactStart start;
  start.h = config.step.time_step;
  start.mu = material.friction;
  start.law.k = material.stiffness;
  start.law.k_hertz = material.hertz_stiffness;
  start.law.d = material.dissipation;
  start.law.tau = material.relaxation_time;
  start.law.kappa = config.step.barrier_stiffness;
  start.law.dh = config.step.barrier_distance;
  return start;
}

void SetContactModel(const StepParams& params, ContactProblem* problem) {
  problem->h = params.time_step;
  problem->contact_model = Info(static_cast<MethodId>(params.method)).contact_model;
  problem->normal_law = params.normal_law;
  problem->params = {params.stiction_tolerance, params.friction_regularization, params.near_rigid,
                     params.todorov_alpha};
}

void BuildProblem(const Model& model, const Config& config, const State& state,
                  ContactDetector* detector, ContactProblem* problem,
                  std::vector<ContactGeometry>* geometry, StageTimes* times) {
  Stopwatch watch(times != nullptr);
  StageTimes laps;
  ContactProblem& p = *problem;
  const StepParams& params = config.step;
  const double h = params.time_step;
  p.Clear();
  SetContactModel(params, &p);
  p.tolerance = params.solver_tolerance;
  p.max_iterations = params.max_iterations;
  p.backtracking = params.line_search == 1;
  p.solver = params.solver;

  // inertia, and the momentum A v* = A v0 + h τ with gravity and the gyroscopic moment explicit
  for (const Body& body : model.bodies) {
    if (body.nv > 0) p.AddTree(body.nv);
  }
  p.Resize();
  p.v0 = state.v;
  const Vec3 gravity_W = CalcGravity(params);
  VectorX& momentum = p.v_star;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.nv == 0) continue;
    const BodyInertia inertia = CalcInertia(body, state.X_WB[b]);
    const Vec6 V = CalcSpatialVelocity(body, state.v);
    Vec6 M_V;
    M_V << inertia.I_W * V.head<3>(), inertia.mass * V.tail<3>();
    Vec6 tau;
    tau << -V.head<3>().cross(M_V.head<3>()), inertia.mass * gravity_W;
    double* A = TreeInertia(body, &p);
    if (body.motion == Motion::kFree) {
      momentum.segment<6>(body.v_start) = M_V + h * tau;
      KeepSpinEnergy(body, state.X_WB[b].q, V.head<3>().dot(M_V.head<3>()),
                     momentum.segment<3>(body.v_start));
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) A[6 * r + c] = inertia.I_W(r, c);
        A[7 * (r + 3)] = inertia.mass;
      }
      continue;
    }
    for (int i = 0; i < body.nv; ++i) {
      const int r = body.dof[i];
      momentum[body.v_start + i] = M_V[r] + h * tau[r];
      for (int j = 0; j < body.nv; ++j) {
        const int c = body.dof[j];
        if (r < 3 && c < 3) A[i * body.nv + j] = inertia.I_W(r, c);
        if (r >= 3 && r == c) A[i * body.nv + j] = inertia.mass;
      }
    }
  }
  AddGrab(model, config, state, &p, &momentum);
  p.InvertDiagonal(&p.v);  // not needed for the solution yet
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.nv == 0) continue;
    if (body.motion == Motion::kFree && config.grab.body != static_cast<int>(b)) {
      // closed form: the inertia is diagonal in the body's axes
      const Mat3 R = state.X_WB[b].q.toRotationMatrix();
      auto x = momentum.segment<6>(body.v_start);
      x.head<3>() = R * (R.transpose() * x.head<3>()).cwiseQuotient(body.inertia_B);
      x.tail<3>() /= body.mass;
      continue;
    }
    using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 6>;
    using BlockVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
    const Block A = Eigen::Map<const Block>(TreeInertia(body, &p), body.nv, body.nv);
    BlockVector x = momentum.segment(body.v_start, body.nv);
    Eigen::LLT<Block>(A).solveInPlace(x);
    momentum.segment(body.v_start, body.nv) = x;
  }

  watch.Lap(&laps.assembly_us);
  detector->Detect(model, config, state, geometry);
  watch.Lap(&laps.detection_us);
  auto known = state.contacts.begin();
  for (const ContactGeometry& g : *geometry) {
    const auto tree = [&](int body) {
      return body >= 0 ? model.bodies[static_cast<std::size_t>(body)].tree : -1;
    };
    ContactProblem::Contact& contact = p.AddContact(tree(g.body_a), tree(g.body));
    const auto fill = [&](int index, double* rows, double sign) {
      const Body& body = model.bodies[static_cast<std::size_t>(index)];
      const Pose& X = state.X_WB[static_cast<std::size_t>(index)];
      if (body.motion == Motion::kFree) {
        FillFreeRows(sign * (g.p_W - X.p), sign, g, rows);
        return;
      }
      CalcJacobianRow(body, X, g.p_W, sign * g.t1_W, rows);
      CalcJacobianRow(body, X, g.p_W, sign * g.t2_W, rows + body.nv);
      CalcJacobianRow(body, X, g.p_W, sign * g.n_W, rows + 2 * body.nv);
    };
    fill(g.body, p.J.data() + contact.J_b, 1);
    if (contact.tree_a >= 0) fill(g.body_a, p.J.data() + contact.J_a, -1);
    contact.bias = Vec3(-g.belt, 0, 0);
    contact.start = MakeContactStart(config, detector->material(model, g));
    while (known != state.contacts.end() && *known < g.key) ++known;
    contact.warm = known != state.contacts.end() && *known == g.key;
    contact.start.phi0 = g.phi0;
    contact.start.vn0 = g.vn0;
    p.CalcDelassus(&contact, p.v);
  }
  if (times == nullptr) return;
  times->assembly_us = laps.assembly_us + watch.Lap();
  times->detection_us = laps.detection_us;
}

}  // namespace slip
