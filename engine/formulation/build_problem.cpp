#include "engine/formulation/build_problem.h"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/rigid_dynamics.h"

namespace slip {
namespace {

// Mouse spring, implicit in the new velocity so that it is stable at any time step:
// A += (h c + h² k) JᵀJ and h Jᵀ k (anchor − p) on the right. The pull is capped.
void AddGrab(const Model& model, const Config& config, const State& state, ContactProblem* problem,
             VectorX* momentum) {
  const Grab& grab = config.grab;
  if (grab.body < 0 || grab.body >= static_cast<int>(model.bodies.size())) return;
  const auto b = static_cast<std::size_t>(grab.body);
  const Body& body = model.bodies[b];
  const Pose& X = state.X_WB[b];
  const Vec3 p_W = X * grab.p_BP;
  Vec3 pull = grab.stiffness * (grab.p_WA - p_W);
  double stiffness = grab.stiffness;
  if (pull.norm() > grab.force_limit) {
    stiffness = 0;  // a capped spring has a constant force
    pull *= grab.force_limit / pull.norm();
  }
  const double h = config.step.time_step;
  const double gain = h * grab.damping + h * h * stiffness;
  double* A = problem->A.data() + problem->trees[b].A_offset;
  for (int axis = 0; axis < 3; ++axis) {
    double row[6];
    CalcJacobianRow(body, X, p_W, Vec3::Unit(axis), row);
    for (int i = 0; i < body.nv; ++i) {
      (*momentum)[body.v_start + i] += h * row[i] * pull[axis];
      for (int j = 0; j < body.nv; ++j) A[i * body.nv + j] += gain * row[i] * row[j];
    }
  }
}

}  // namespace

Vec3 CalcGravity(const StepParams& params) {
  return params.gravity * Vec3(std::sin(params.tilt), 0, -std::cos(params.tilt));
}

double CalcSignedDistance(const Model& model, const ContactCandidate& candidate, const Pose& X_WB,
                          Vec3* p_W) {
  const Body& body = model.bodies[static_cast<std::size_t>(candidate.body)];
  const Surface& surface = model.surfaces[static_cast<std::size_t>(candidate.surface)];
  const Vec3 center = X_WB * body.points_B[static_cast<std::size_t>(candidate.point)];
  if (p_W != nullptr) *p_W = center - body.point_radius * surface.normal;
  return surface.normal.dot(center - surface.point) - body.point_radius;
}

Material CombineMaterials(const Material& a, const Material& b) {
  Material m;
  const double sum = a.stiffness + b.stiffness;
  m.stiffness = sum > 0 ? a.stiffness * b.stiffness / sum : 0;
  const double hertz = a.hertz_stiffness + b.hertz_stiffness;
  m.hertz_stiffness = hertz > 0 ? a.hertz_stiffness * b.hertz_stiffness / hertz : 0;
  m.dissipation =
      sum > 0 ? b.stiffness / sum * a.dissipation + a.stiffness / sum * b.dissipation : 0;
  m.relaxation_time = a.relaxation_time + b.relaxation_time;
  const double mu = a.friction + b.friction;
  m.friction = mu > 0 ? 2 * a.friction * b.friction / mu : 0;
  return m;
}

ContactStart MakeContactStart(const Model& model, const Config& config,
                              const ContactCandidate& candidate) {
  const Body& body = model.bodies[static_cast<std::size_t>(candidate.body)];
  const Surface& surface = model.surfaces[static_cast<std::size_t>(candidate.surface)];
  const Material& own = config.materials[static_cast<std::size_t>(body.material)];
  ContactStart start;
  start.h = config.step.time_step;
  const auto take = [&](const Material& m) {
    start.mu = m.friction;
    start.law.k = m.stiffness;
    start.law.k_hertz = m.hertz_stiffness;
    start.law.d = m.dissipation;
    start.law.tau = m.relaxation_time;
  };
  if (surface.material < 0) {
    take(own);
  } else {
    take(CombineMaterials(config.materials[static_cast<std::size_t>(surface.material)], own));
  }
  start.law.kappa = config.step.barrier_stiffness;
  start.law.dh = config.step.barrier_distance;
  return start;
}

void BuildProblem(const Model& model, const Config& config, const State& state,
                  ContactProblem* problem, std::vector<ContactGeometry>* geometry) {
  ContactProblem& p = *problem;
  const StepParams& params = config.step;
  const double h = params.time_step;
  p.Clear();
  geometry->clear();
  p.h = h;
  p.contact_model = params.contact_model;
  p.normal_law = params.normal_law;
  p.params = {params.stiction_tolerance, params.friction_regularization, params.near_rigid,
              params.todorov_alpha};
  p.tolerance = params.solver_tolerance;
  p.max_iterations = params.max_iterations;
  p.backtracking = params.line_search == 1;
  p.solver = params.solver;

  // inertia, and the momentum A v* = A v0 + h τ with gravity and the gyroscopic moment explicit
  for (const Body& body : model.bodies) p.AddTree(body.nv);
  p.Resize();
  p.v0 = state.v;
  const Vec3 gravity_W = CalcGravity(params);
  VectorX& momentum = p.v_star;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const BodyInertia inertia = CalcInertia(body, state.X_WB[b]);
    const Vec6 V = CalcSpatialVelocity(body, state.v);
    Vec6 M_V;
    M_V << inertia.I_W * V.head<3>(), inertia.mass * V.tail<3>();
    Vec6 tau;
    tau << -V.head<3>().cross(M_V.head<3>()), inertia.mass * gravity_W;
    double* A = p.A.data() + p.trees[b].A_offset;
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
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 6>;
    using BlockVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
    const Block A = Eigen::Map<const Block>(p.A.data() + p.trees[b].A_offset, body.nv, body.nv);
    BlockVector x = momentum.segment(body.v_start, body.nv);
    Eigen::LLT<Block>(A).solveInPlace(x);
    momentum.segment(body.v_start, body.nv) = x;
  }

  // contacts: every candidate that could act within the step. Models that act at a distance need
  // those ahead of touch (engine/README.md section 9, item 1); the log barrier has no end.
  const double t_new = state.Time(h) + h;
  const bool unlimited =
      config.law() == NormalLawId::kLogBarrier && Info(config.model()).uses_normal_law;
  for (std::size_t i = 0; i < model.candidates.size(); ++i) {
    const ContactCandidate& candidate = model.candidates[i];
    const auto b = static_cast<std::size_t>(candidate.body);
    const Surface& surface = model.surfaces[static_cast<std::size_t>(candidate.surface)];
    ContactGeometry g;
    g.candidate = static_cast<int>(i);
    g.body = candidate.body;
    g.surface = candidate.surface;
    const double phi0 = CalcSignedDistance(model, candidate, state.X_WB[b], &g.p_W);
    g.n_W = surface.normal;
    g.t1_W = surface.belt_axis;
    g.t2_W = g.n_W.cross(g.t1_W);
    const double belt =
        surface.drive >= 0
            ? config.surfaces[static_cast<std::size_t>(surface.drive)].Velocity(t_new)
            : 0;
    const Body& body = model.bodies[b];
    const Vec6 V = CalcSpatialVelocity(body, state.v);
    const Vec3 v_point = V.tail<3>() + V.head<3>().cross(g.p_W - state.X_WB[b].p);
    const Vec3 v_relative = v_point - belt * g.t1_W;
    const double vn0 = g.n_W.dot(v_relative);
    ContactStart start = MakeContactStart(model, config, candidate);
    if (!unlimited) {
      const double slip = (v_relative - vn0 * g.n_W).norm();
      const double reach = 2 * h * (std::abs(vn0) + h * params.gravity) +
                           3 * start.mu * (h + start.law.tau) * slip + params.barrier_distance;
      if (phi0 > model.contact_margin + reach) continue;
    }
    ContactProblem::Contact& contact = p.AddContact(-1, static_cast<int>(b));
    double* rows = p.J.data() + contact.J_b;
    CalcJacobianRow(body, state.X_WB[b], g.p_W, g.t1_W, rows);
    CalcJacobianRow(body, state.X_WB[b], g.p_W, g.t2_W, rows + body.nv);
    CalcJacobianRow(body, state.X_WB[b], g.p_W, g.n_W, rows + 2 * body.nv);
    contact.bias = Vec3(-belt, 0, 0);
    contact.start = start;
    contact.start.phi0 = phi0;
    contact.start.vn0 = vn0;
    p.CalcDelassus(&contact);
    geometry->push_back(g);
  }
}

}  // namespace slip
