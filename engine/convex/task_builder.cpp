#include "engine/convex/task_builder.h"

#include <algorithm>
#include <cmath>

#include "engine/convex/joint_terms.h"
#include "engine/core/stopwatch.h"
#include "engine/core/thread_stop.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/method/pull.h"

namespace slip {
namespace {

double* TreeInertia(const Body& body, ContactTask* task) {
  return task->A.data() + task->trees[static_cast<std::size_t>(body.tree)].A_offset;
}

// What A has of the inertia: all of it where joints follow others, or where it is small.
const TreePattern* PatternOf(const Tree& tree) {
  return tree.articulated >= 0 && !tree.coupled && tree.nv > 6 ? &tree.pattern : nullptr;
}

// The gyroscopic moment does no work, but one explicit step of it always adds energy:
// h²|I⁻¹ω×Iω|²/2, which runs away from h|ω| = 4 on. The step keeps its direction and the energy of
// before, `twice_energy` = ωᵀIω [J]. `L_W` is the angular momentum Iω − h ω×Iω.
void KeepSpinEnergy(const Body& body, const Quat& q_WB, double twice_energy, Eigen::Ref<Vec3> L_W) {
  const Vec3 L_B = q_WB.conjugate() * Vec3(L_W);
  const double now = L_B.dot(L_B.cwiseQuotient(body.inertia_B));
  if (now > twice_energy * (1 + 1e-14)) L_W *= std::sqrt(twice_energy / now);
}

// Jacobian of a body with all six coordinates; r = p - origin. A's is that of the opposite motion.
template <bool kOfA>
void FillFreeRows(const Vec3& r_OP, const ContactGeometry& g, double* rows) {
  const Vec3 r = kOfA ? Vec3(-r_OP) : r_OP;
  for (const Vec3* axis : {&g.t1_W, &g.t2_W, &g.n_W}) {
    const Vec3& a = *axis;
    rows[0] = r.y() * a.z() - r.z() * a.y();
    rows[1] = r.z() * a.x() - r.x() * a.z();
    rows[2] = r.x() * a.y() - r.y() * a.x();
    for (int i = 0; i < 3; ++i) rows[3 + i] = kOfA ? -a[i] : a[i];
    rows += 6;
  }
}

}  // namespace

ContactStart MakeContactStart(const StepParams& params, const Material& material) {
  ContactStart start;
  start.h = params.time_step;
  start.mu = material.friction;
  start.mu_w = material.torsional_friction;
  start.law.k = material.stiffness;
  start.law.k_hertz = material.hertz_stiffness;
  start.law.d = material.dissipation;
  start.law.tau = material.relaxation_time;
  start.law.kappa = params.barrier_stiffness;
  start.law.dh = params.barrier_distance;
  return start;
}

ModelChoice ChooseModel(const StepParams& params) {
  return {.contact_model = Info(static_cast<MethodId>(params.method)).contact_model,
          .normal_law = params.normal_law,
          .params = {params.stiction_tolerance, params.friction_regularization, params.near_rigid,
                     params.todorov_alpha}};
}

SolverSettings ChooseSettings(const StepParams& params, bool estimate_condition) {
  return {.tolerance = params.solver_tolerance,
          .max_iterations = params.max_iterations,
          .backtracking = params.line_search == 1,
          .solver = static_cast<SolverId>(params.solver),
          .estimate_condition = estimate_condition};
}

void TaskBuilder::AddInertia(const Model& model, const State& state, ContactTask* task) {
  inertia_.clear();
  for (const Tree& tree : model.trees) task->AddTree(tree.nv, PatternOf(tree));
  task->Resize();
  task->v0 = state.v;
  for (const Tree& tree : model.trees) {
    const auto b = static_cast<std::size_t>(tree.first_body);
    const Body& body = model.bodies[b];
    double* A = TreeInertia(body, task);
    if (tree.articulated >= 0) {
      TreeDynamics& links = LinksOf(tree);
      if (PatternOf(tree) != nullptr) {
        links.CalcMassRows(A);
      } else {
        links.CalcMassMatrix(A);
      }
      inertia_.emplace_back();
      continue;
    }
    const BodyInertia& inertia = inertia_.emplace_back(CalcInertia(body, state.X_WB[b]));
    if (body.joint.kind == JointKind::kFree) {
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) A[6 * r + c] = inertia.I_W(r, c);
        A[7 * (r + 3)] = inertia.mass;
      }
      continue;
    }
    for (int i = 0; i < body.nv; ++i) {
      const int r = body.dof[i];
      for (int j = 0; j < body.nv; ++j) {
        const int c = body.dof[j];
        if (r < 3 && c < 3) A[i * body.nv + j] = inertia.I_W(r, c);
        if (r >= 3 && r == c) A[i * body.nv + j] = inertia.mass;
      }
    }
  }
}

void TaskBuilder::CalcFreeMomentum(const Model& model, const StepParams& params, const State& state,
                                   ContactTask* task) {
  const double h = params.time_step;
  const Vec3 gravity_W = CalcGravity(params);
  VectorX& momentum = task->momentum;
  for (const Tree& tree : model.trees) {
    const auto b = static_cast<std::size_t>(tree.first_body);
    const Body& body = model.bodies[b];
    if (tree.articulated >= 0) {
      // M v - h nle: -h times the forces of a stop within the step
      auto own = momentum.segment(tree.v_start, tree.nv);
      row_ = state.v.segment(tree.v_start, tree.nv) / -h;
      LinksOf(tree).CalcInverseDynamics(gravity_W, row_.data(), own.data());
      turning_.NoteInverseDynamics(tree, own);
      own *= -h;
      continue;
    }
    const BodyInertia& inertia = inertia_[static_cast<std::size_t>(body.tree)];
    const Vec6 V = CalcSpatialVelocity(body, state.v);
    Vec6 M_V, tau;
    M_V.head<3>() = inertia.I_W * V.head<3>();
    M_V.tail<3>() = inertia.mass * V.tail<3>();
    tau.head<3>() = -V.head<3>().cross(M_V.head<3>());
    tau.tail<3>() = inertia.mass * gravity_W;
    if (body.joint.kind == JointKind::kFree) {
      momentum.segment<6>(body.v_start) = M_V + h * tau;
      Vec3 L_W;
      if (turning_.CalcFreeMomentum(body, inertia, &L_W)) {
        momentum.segment<3>(body.v_start) = L_W;
        continue;
      }
      KeepSpinEnergy(body, state.X_WB[b].q, V.head<3>().dot(M_V.head<3>()),
                     momentum.segment<3>(body.v_start));
      continue;
    }
    for (int i = 0; i < body.nv; ++i) {
      const int r = body.dof[i];
      momentum[body.v_start + i] = M_V[r] + h * tau[r];
    }
  }
}

// Mouse spring, implicit in the new velocity so that it is stable at any time step:
// A += (h c + h² k) JᵀJ and h Jᵀ k (anchor − p) on the right. The pull is capped. A twist has the
// rows of the angular velocity and the rotation that is missing in place of anchor − p.
void TaskBuilder::AddPull(const Model& model, const Config& config, const State& state,
                          ContactTask* task) {
  const Pull pull = CalcPull(model, config.grab, state);
  if (!pull.pulls()) return;
  const Body& body = model.bodies[static_cast<std::size_t>(pull.body)];
  const Tree& tree = model.TreeOf(body);
  const double h = config.step.time_step;
  const double gain = h * pull.damping + h * h * pull.stiffness;
  const TreeDynamics* links = tree.articulated >= 0 ? &LinksOf(tree) : nullptr;
  double* A = TreeInertia(body, task);
  for (int axis = 0; axis < 3; ++axis) {
    row_.resize(tree.nv);
    double* row = row_.data();
    CalcPullRow(model, state, pull, links, axis, row);
    for (int i = 0; i < tree.nv; ++i) {
      task->momentum[tree.v_start + i] += h * row[i] * pull.force[axis];
    }
    if (const TreePattern* pattern = PatternOf(tree)) {
      for (int i = 0; i < tree.nv; ++i) {
        double* entry = A + pattern->Begin(i);
        for (const int j : pattern->Way(i)) *entry++ += gain * row[i] * row[j];
      }
      continue;
    }
    for (int i = 0; i < tree.nv; ++i) {
      for (int j = 0; j < tree.nv; ++j) A[i * tree.nv + j] += gain * row[i] * row[j];
    }
  }
}

void TaskBuilder::SolveFreeMotion(const Model& model, const Config& config, const State& state,
                                  ContactTask* task) {
  VectorX& v_star = task->v_star;
  v_star = task->momentum;
  for (const Tree& tree : model.trees) {
    const auto b = static_cast<std::size_t>(tree.first_body);
    const Body& body = model.bodies[b];
    if (tree.articulated >= 0) {
      const double* A = TreeInertia(body, task);
      auto x = v_star.segment(tree.v_start, tree.nv);
      if (PatternOf(tree) != nullptr) {
        inverse_.Solve(body.tree, x.data());
      } else {
        factor_ = Eigen::Map<const MatrixX>(A, tree.nv, tree.nv);
        Eigen::LLT<Eigen::Ref<MatrixX>>(factor_).solveInPlace(x);
      }
      continue;
    }
    if (body.joint.kind == JointKind::kFree && config.grab.body != static_cast<int>(b)) {
      // closed form: the inertia is diagonal in the body's axes
      const Mat3 R = state.X_WB[b].q.toRotationMatrix();
      auto x = v_star.segment<6>(body.v_start);
      x.head<3>() = R * (R.transpose() * x.head<3>()).cwiseQuotient(body.inertia_B);
      x.tail<3>() /= body.mass;
      continue;
    }
    if (body.joint.kind != JointKind::kFree && config.grab.body != static_cast<int>(b)) {
      // one axis of rotation at most: the inertia is diagonal; twice, as its factor would
      const double* A = TreeInertia(body, task);
      for (int i = 0; i < body.nv; ++i) {
        const double root = std::sqrt(A[i * (body.nv + 1)]);
        double& x = v_star[body.v_start + i];
        x = x / root / root;
      }
      continue;
    }
    using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 6>;
    using BlockVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
    const Block A = Eigen::Map<const Block>(TreeInertia(body, task), body.nv, body.nv);
    BlockVector x = v_star.segment(body.v_start, body.nv);
    Eigen::LLT<Block>(A).solveInPlace(x);
    v_star.segment(body.v_start, body.nv) = x;
  }
}

// The fourth row of a contact: angular velocity about the normal, of B relative to A.
void TaskBuilder::AddSpinRow(const Model& model, const ContactGeometry& g,
                             const ContactTask::Contact& contact, ContactTask* task) {
  const auto fill = [&](int index, const int* way, int columns, int J, double sign) {
    const Body& body = model.bodies[static_cast<std::size_t>(index)];
    const Tree& tree = model.TreeOf(body);
    double* row = task->J.data() + J + 3 * columns;
    if (tree.articulated < 0) {
      for (int i = 0; i < body.nv; ++i)
        if (body.dof[i] < 3) row[i] = sign * g.n_W[body.dof[i]];
      return;
    }
    row_.resize(tree.nv);
    LinksOf(tree).CalcTurnRow(index, sign * g.n_W, row_.data());
    for (int i = 0; i < columns; ++i) row[i] = row_[way != nullptr ? way[i] : i];
  };
  fill(g.body, task->WayOf(contact), task->Columns(contact), contact.J_b, 1);
  if (contact.tree_a < 0) return;
  fill(g.body_a, nullptr, task->trees[static_cast<std::size_t>(contact.tree_a)].nv, contact.J_a,
       -1);
}

bool TaskBuilder::AddContacts(const Model& model, const Config& config, const State& state,
                              ContactTask* task) {
  constexpr std::size_t kPolled = 4096;  // contacts from one question to the next
  std::size_t added = 0;
  auto known = state.contacts.begin();
  if (turning_.middle()) turning_.CalcBiases(geometry_);
  for (const ContactGeometry& g : geometry_) {
    if (added++ % kPolled == 0 && ThreadStop::Asked()) return false;
    const auto tree = [&](int body) {
      return body >= 0 ? model.bodies[static_cast<std::size_t>(body)].tree : -1;
    };
    const int tree_a = tree(g.body_a), tree_b = tree(g.body);
    int last = -1;
    if (task->branched && tree_a < 0 &&
        PatternOf(model.trees[static_cast<std::size_t>(tree_b)]) != nullptr) {
      const Body& body = model.bodies[static_cast<std::size_t>(g.body)];
      last = model.TreeOf(body).link[static_cast<std::size_t>(body.link)].last;
    }
    const Material& material = finder_.material(model, g);
    ContactTask::Contact& contact =
        task->AddContact(tree_a, tree_b, last, material.torsional_friction > 0 ? 4 : 3);
    const auto fill = [&](int index, double* rows, double sign) {
      const Body& body = model.bodies[static_cast<std::size_t>(index)];
      const Pose& X = state.X_WB[static_cast<std::size_t>(index)];
      const Tree& of = model.TreeOf(body);
      if (of.articulated >= 0) {
        const TreeDynamics& links = LinksOf(of);
        if (contact.last >= 0) {
          Mat3 axes;
          axes.col(0) = g.t1_W, axes.col(1) = g.t2_W, axes.col(2) = g.n_W;
          return links.CalcPointRows(index, g.p_W, axes, rows);
        }
        for (const Vec3* axis : {&g.t1_W, &g.t2_W, &g.n_W}) {
          links.CalcPointRow(index, g.p_W, sign * *axis, rows);
          rows += of.nv;
        }
        return;
      }
      if (body.joint.kind == JointKind::kFree) {
        if (sign < 0) return FillFreeRows<true>(g.p_W - X.p, g, rows);
        return FillFreeRows<false>(g.p_W - X.p, g, rows);
      }
      CalcJacobianRow(body, X, g.p_W, sign * g.t1_W, rows);
      CalcJacobianRow(body, X, g.p_W, sign * g.t2_W, rows + body.nv);
      CalcJacobianRow(body, X, g.p_W, sign * g.n_W, rows + 2 * body.nv);
    };
    fill(g.body, task->J.data() + contact.J_b, 1);
    if (contact.tree_a >= 0) fill(g.body_a, task->J.data() + contact.J_a, -1);
    if (contact.rows == 4) AddSpinRow(model, g, contact, task);
    contact.bias = Vec3(-g.belt, 0, 0);
    if (turning_.middle()) contact.bias += turning_.Bias(g, added - 1);
    contact.start = MakeContactStart(config.step, material);
    while (known != state.contacts.end() && *known < g.key) ++known;
    contact.warm = known != state.contacts.end() && *known == g.key;
    contact.start.phi0 = g.phi0;
    contact.start.vn0 = g.vn0;
    contact.start.w = inverse_.CalcDelassus(contact);
  }
  return added > 0 || !ThreadStop::Asked();
}

bool TaskBuilder::Build(const StepInput& input, ContactTask* task, StageTimes* times) {
  const Model& model = input.model;
  const Config& config = input.config;
  const State& state = input.start;
  links_ = input.trees;
  Stopwatch watch(times != nullptr);
  StageTimes laps;
  task->Clear();
  task->h = config.step.time_step;
  task->model = ChooseModel(config.step);
  turning_.Begin(input);
  AddInertia(model, state, task);
  CalcFreeMomentum(model, config.step, state, task);
  AddJoints(model, config, state, input.actuation, &task->momentum, task);
  AddPull(model, config, state, task);
  inverse_.Update(*task);
  SolveFreeMotion(model, config, state, task);
  watch.Lap(&laps.assembly_us);
  finder_.Find(model, config, state, input.V_WB, &geometry_);
  watch.Lap(&laps.detection_us);
  const bool whole = AddContacts(model, config, state, task);
  if (times == nullptr) return whole;
  times->assembly_us = laps.assembly_us + watch.Lap();
  times->detection_us = laps.detection_us;
  return whole;
}

}  // namespace slip
