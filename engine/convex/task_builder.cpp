#include "engine/convex/task_builder.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/core/stopwatch.h"
#include "engine/core/thread_stop.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/method/joint_terms.h"
#include "engine/method/pull.h"
#include "engine/solver/dense_factor.h"

namespace slip {
namespace {

/// A contact on the axis of the only joint moves nothing, but for rounding: with an inverse mass of
/// that, its regularisation would be below the smallest numbers [1/kg].
constexpr double kLeastDelassus = 1e-20;

double* TreeInertia(const Body& body, ContactTask* task) {
  return task->A.data() + At(task->trees, body.tree).A_offset;
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

// How far the normal law acts: barriers hold bodies at a distance.
LawReach ReachOf(const Config& config) {
  const auto& params = config.step.part<ConvexParams>();
  return {.distance = params.law() == NormalLawId::kIpcBarrier ? params.barrier_distance : 0,
          .unlimited = params.law() == NormalLawId::kLogBarrier && Info(config.method()).takes_law};
}

}  // namespace

ContactStart MakeContactStart(double h, const ConvexParams& params, const Material& material) {
  ContactStart start;
  start.h = h;
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
  const auto& own = params.part<ConvexParams>();
  return {.contact_model = Info(static_cast<MethodId>(params.method)).contact_model,
          .normal_law = own.normal_law,
          .params = {own.stiction_tolerance, own.friction_regularization, own.near_rigid,
                     own.todorov_alpha}};
}

SolverSettings ChooseSettings(const StepParams& params, bool estimate_condition) {
  const auto& own = params.part<ConvexParams>();
  return {.tolerance = params.solver_tolerance,
          .max_iterations = params.max_iterations,
          .backtracking = own.line_search == 1,
          .solver = static_cast<SolverId>(own.solver),
          .estimate_condition = estimate_condition};
}

void TaskBuilder::AddInertia(const Model& model, const State& state, std::span<TreeDynamics> links,
                             ContactTask* task) {
  motions_.clear();
  for (const Tree& tree : model.trees) {
    task->AddTree(tree.nv, PatternOf(tree));
    motions_.emplace_back(model, tree, state, links);
  }
  task->Resize();
  task->v0 = state.v;
  for (std::size_t t = 0; t < motions_.size(); ++t) {
    double* A = task->A.data() + task->trees[t].A_offset;
    if (task->trees[t].pattern != nullptr) {
      motions_[t].CalcMassRows(A);
    } else {
      motions_[t].CalcMassMatrix(A);
    }
  }
}

void TaskBuilder::CalcFreeMomentum(const CommonParams& params, const State& state,
                                   ContactTask* task) {
  const Vec3 gravity_W = CalcGravity(params);
  for (const Motion& motion : motions_) {
    const Tree& tree = motion.tree();
    auto momentum = task->momentum.segment(tree.v_start, tree.nv);
    motion.CalcMomentum(gravity_W, params.time_step, &row_, momentum.data());
    if (motion.has_links()) {
      turning_.NoteInverseDynamics(tree, row_);
      continue;
    }
    const Body& body = motion.body();
    if (body.joint.kind != JointKind::kFree) continue;
    Vec3 L_W;
    if (turning_.CalcFreeMomentum(body, motion.inertia(), &L_W)) {
      momentum.head<3>() = L_W;
      continue;
    }
    const Vec3 w_W = state.v.segment<3>(tree.v_start);
    KeepSpinEnergy(body, state.pose(tree.first_body).q, w_W.dot(motion.inertia().I_W * w_W),
                   momentum.head<3>());
  }
}

// Mouse spring, implicit in the new velocity so that it is stable at any time step:
// A += (h c + h² k) JᵀJ and h Jᵀ k (anchor − p) on the right. The pull is capped. A twist has the
// rows of the angular velocity and the rotation that is missing in place of anchor − p.
void TaskBuilder::AddPull(const Model& model, const Config& config, const State& state,
                          ContactTask* task) {
  const Pull pull = CalcPull(model, config.grab, state);
  if (!pull.pulls()) return;
  const Body& body = model.body(pull.body);
  const Tree& tree = model.TreeOf(body);
  const double h = config.step.time_step;
  const double gain = h * pull.damping + h * h * pull.stiffness;
  const Motion& motion = MotionOf(body);
  double* A = TreeInertia(body, task);
  for (int axis = 0; axis < 3; ++axis) {
    row_.resize(tree.nv);
    double* row = row_.data();
    CalcPullRow(motion, pull, axis, row);
    for (int i = 0; i < tree.nv; ++i) {
      task->momentum[tree.v_start + i] += h * row[i] * pull.force[axis];
    }
    if (const TreePattern* pattern = PatternOf(tree)) {
      for (int i = 0; i < tree.nv; ++i) {
        double* entry = A + pattern->Begin(i);
        for (const int j : pattern->Path(i)) *entry++ += gain * row[i] * row[j];
      }
      continue;
    }
    for (int i = 0; i < tree.nv; ++i) {
      for (int j = 0; j < tree.nv; ++j) A[i * tree.nv + j] += gain * row[i] * row[j];
    }
  }
}

void TaskBuilder::SolveFreeMotion(const Model& model, const Config& config, ContactTask* task) {
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
        FactorizeInPlace(factor_);
        SolveByFactor(factor_, x);
      }
      continue;
    }
    if (config.grab.body != static_cast<int>(b)) {  // A is M
      At(motions_, body.tree).SolveBody(v_star.data() + tree.v_start);
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
    const Motion& motion = MotionOf(model.body(index));
    double* row = task->J.data() + J + 3 * columns;
    const Vec3 axis = sign * g.n_W;
    if (way == nullptr) return motion.CalcTurnRow(index, axis, row);
    row_.resize(motion.nv());
    motion.CalcTurnRow(index, axis, row_.data());
    for (int i = 0; i < columns; ++i) row[i] = row_[way[i]];
  };
  fill(g.body, task->WayOf(contact), task->Columns(contact), contact.J_b, 1);
  if (contact.tree_a < 0) return;
  fill(g.body_a, nullptr, At(task->trees, contact.tree_a).nv, contact.J_a, -1);
}

bool TaskBuilder::AddContacts(const Model& model, const Config& config, const State& state,
                              ContactTask* task) {
  constexpr std::size_t kPolled = 4096;  // contacts from one question to the next
  const auto& params = config.step.part<ConvexParams>();
  std::size_t added = 0;
  auto known = state.contacts.begin();
  if (turning_.middle()) turning_.CalcBiases(geometry_);
  for (const ContactGeometry& g : geometry_) {
    if (added++ % kPolled == 0 && ThreadStop::Asked()) return false;
    const auto tree = [&](int body) { return body >= 0 ? model.body(body).tree : -1; };
    const int tree_a = tree(g.body_a), tree_b = tree(g.body);
    int last = -1;
    if (task->branched && tree_a < 0 && PatternOf(At(model.trees, tree_b)) != nullptr) {
      last = At(motions_, tree_b).last(g.body);
    }
    const Material& material = finder_.material(model, g);
    ContactTask::Contact& contact =
        task->AddContact(tree_a, tree_b, last, material.torsional_friction > 0 ? 4 : 3);
    Mat3 axes;
    axes.col(0) = g.t1_W, axes.col(1) = g.t2_W, axes.col(2) = g.n_W;
    const Motion& motion = At(motions_, tree_b);
    double* rows = task->J.data() + contact.J_b;
    if (contact.last >= 0) {
      motion.CalcWayRows(g.body, g.p_W, axes, rows);
    } else {
      motion.CalcPointRows(g.body, g.p_W, axes, rows);
    }
    if (tree_a >= 0) {
      At(motions_, tree_a)
          .CalcOppositePointRows(g.body_a, g.p_W, axes, task->J.data() + contact.J_a);
    }
    if (contact.rows == 4) AddSpinRow(model, g, contact, task);
    contact.bias = Vec3(-g.belt, 0, 0);
    if (turning_.middle()) contact.bias += turning_.Bias(g, added - 1);
    contact.start = MakeContactStart(config.step.time_step, params, material);
    while (known != state.contacts.end() && *known < g.key) ++known;
    contact.warm = known != state.contacts.end() && *known == g.key;
    contact.start.phi0 = g.phi0;
    contact.start.vn0 = g.vn0;
    contact.start.w = std::max(inverse_.CalcDelassus(contact), kLeastDelassus);
  }
  return added > 0 || !ThreadStop::Asked();
}

bool TaskBuilder::Build(const StepInput& input, ContactTask* task, StageTimes* times) {
  const Model& model = input.model;
  const Config& config = input.config;
  const State& state = input.start;
  const auto& params = config.step.part<ConvexParams>();
  Stopwatch watch(times != nullptr);
  StageTimes laps;
  task->Clear();
  task->h = config.step.time_step;
  task->model = ChooseModel(config.step);
  turning_.Begin(input);
  AddInertia(model, state, input.trees, task);
  CalcFreeMomentum(config.step, state, task);
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    const ContactTask::Tree& own = task->trees[t];
    AddJoints(model, model.trees[t], config, state, input.actuation, params.friction_regularization,
              {task->A.data() + own.A_offset, own.pattern, task->momentum.data() + own.start},
              &task->scalars);
  }
  AddPull(model, config, state, task);
  inverse_.Update(*task);
  SolveFreeMotion(model, config, task);
  watch.Lap(&laps.assembly_us);
  finder_.Find(model, config, state, input.V_WB, ReachOf(config), &geometry_);
  watch.Lap(&laps.detection_us);
  const bool whole = AddContacts(model, config, state, task);
  if (times == nullptr) return whole;
  times->assembly_us = laps.assembly_us + watch.Lap();
  times->detection_us = laps.detection_us;
  return whole;
}

}  // namespace slip
