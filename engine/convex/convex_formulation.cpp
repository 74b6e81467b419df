#include "engine/convex/convex_formulation.h"

#include "engine/contact/contact_models.h"
#include "engine/convex/start_state.h"
#include "engine/core/numbers.h"
#include "engine/core/stopwatch.h"
#include "engine/core/thread_stop.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/method/joint_terms.h"
#include "engine/method/pull.h"
#include "engine/solver/unroll.h"

namespace slip {
namespace {

// Contact velocity J v + bias
Vec3 CalcContactVelocity(const ContactTask& task, const ContactTask::Contact& c,
                         const VectorX& velocities) {
  Vec3 v = c.bias;
  const auto add = [&](int tree_index, int offset) {
    if (tree_index < 0) return;
    const auto& tree = At(task.trees, tree_index);
    const double* row = task.J.data() + offset;
    const double* x = velocities.data() + tree.start;
    if (tree.nv == 6) {  // most: all in registers
      Eigen::Array2d first = v.head<2>();
      double last = v[2];
      Unroll<6>([&](auto k) SLIP_INLINE {
        first += Eigen::Array2d(row[k], row[k + 6]) * x[k];
        last += row[k + 12] * x[k];
      });
      v[0] = first[0], v[1] = first[1], v[2] = last;
      return;
    }
    for (int r = 0; r < 3; ++r, row += tree.nv) {
      double sum = v[r];
      for (int k = 0; k < tree.nv; ++k) sum += row[k] * x[k];
      v[r] = sum;
    }
  };
  if (c.last < 0) {
    add(c.tree_a, c.J_a);
    add(c.tree_b, c.J_b);
    return v;
  }
  const double* row = task.J.data() + c.J_b;
  const double* x = velocities.data() + At(task.trees, c.tree_b).start;
  const int* way = task.WayOf(c);
  const int columns = task.Columns(c);
  for (int r = 0; r < 3; ++r, row += columns) {
    for (int k = 0; k < columns; ++k) v[r] += row[k] * x[way[k]];
  }
  return v;
}

// Angular velocity about the normal, of B relative to A.
double CalcSpin(const ContactTask& task, const ContactTask::Contact& c, const VectorX& velocities) {
  double spin = 0;
  const auto add = [&](int tree, int J, int columns, const int* way) {
    if (tree < 0) return;
    const double* row = task.J.data() + J + 3 * columns;
    const double* x = velocities.data() + At(task.trees, tree).start;
    for (int k = 0; k < columns; ++k) spin += row[k] * x[way != nullptr ? way[k] : k];
  };
  const int n_a = c.tree_a < 0 ? 0 : At(task.trees, c.tree_a).nv;
  add(c.tree_a, c.J_a, n_a, nullptr);
  add(c.tree_b, c.J_b, task.Columns(c), task.WayOf(c));
  return spin;
}

// All members but those that SetResponses sets.
void SetOutcome(const ContactTask& task, const ContactSolution& solution, std::size_t i,
                const ContactGeometry& geometry, ContactOutcome* outcome) {
  const ContactTask::Contact& contact = task.contacts[i];
  ContactOutcome& out = *outcome;
  out.key = geometry.key;
  out.surface = geometry.surface;
  out.body_a = geometry.body_a;
  out.body = geometry.body;
  out.a_moves = contact.tree_a >= 0;
  out.p_W = geometry.p_W;
  out.t1_W = geometry.t1_W;
  out.t2_W = geometry.t2_W;
  out.n_W = geometry.n_W;
  out.vn0 = contact.start.vn0;
  out.mu = contact.start.mu;
  out.w = contact.start.w;
  out.v_C = CalcContactVelocity(task, contact, solution.v);
  out.f_C = solution.impulses[i] / task.h;
  out.phi = contact.start.phi0 + task.h * out.v_C.z();
  // both square roots at once
  const Eigen::Array2d tangential =
      Eigen::Array2d(out.v_C.head<2>().squaredNorm(), out.f_C.head<2>().squaredNorm()).sqrt();
  out.vt = tangential[0];
  out.ft = tangential[1];
  out.drive_work = -solution.impulses[i].dot(Vec3(-geometry.belt, 0, 0));
  out.torsion = {};
  if (contact.spins()) {
    out.torsion = {.rho = contact.start.rho(),
                   .spin = CalcSpin(task, contact, solution.v),
                   .torque = solution.spin_impulses[i] / task.h};
  }
}

// How far the contact is from Coulomb's law with the scene's normal law.
template <class M, class Law>
CoulombDistance MeasureDistance(const ContactStart& start, const typename M::Frozen& frozen,
                                const ContactOutcome& out) {
  MeasuredContact c = out.Measured(start.h, CalcLawVelocity<M, Law>(start, out.f_C.z()));
  if constexpr (M::kTraits.lags) c.friction_load = frozen.n0 / start.h;
  return CalcCoulombDistance(c);
}

// What the model says of contacts, from place `first` on, under their loads.
void SetResponses(const ContactTask& task, std::size_t first, bool measure_distance,
                  std::span<ContactOutcome> outcomes) {
  VisitContactModel(task.model.contact_model, task.model.normal_law, [&]<class M, class Law>() {
    const ContactTask::Contact* contact = &task.contacts[first];
    for (ContactOutcome& out : outcomes) {
      const ContactStart& start = (contact++)->start;
      const auto frozen = M::Freeze(task.model.params, start);
      const Torsion& torsion = out.torsion;
      out.prediction = M::Predict(frozen, start,
                                  {.fn = out.f_C.z(),
                                   .ft = torsion.FrictionNorm(out.ft),
                                   .slip_speed = torsion.SlipNorm(out.vt)});
      out.elastic_energy = M::ElasticEnergy(frozen, start, out.phi);
      out.start_energy = M::ElasticEnergy(frozen, start, start.phi0);
      const double held =
          out.f_C.z() > 0 ? M::ElasticEnergy(frozen, start, out.prediction.rest_distance) : 0;
      out.unloaded_energy = std::max(0.0, out.elastic_energy - held);
      out.asked_stiffness = start.law.k;
      out.damping_force = M::DampingForce(frozen, start, out.phi, out.v_C.z());
      out.coulomb =
          measure_distance ? MeasureDistance<M, Law>(start, frozen, out) : CoulombDistance{};
    }
  });
}

int FirstWithoutInertia(const Model& model) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.nv > 0 && !(body.mass > 0 && body.inertia_B.minCoeff() > 0)) {
      return static_cast<int>(b);
    }
  }
  return -1;
}

}  // namespace

StepStatus ConvexFormulation::Step(const StepInput& input, StepOutput* output) {
  const Model& model = input.model;
  output->culprit_body = -1;
  measure_distance_ = input.measure_distance;

  // what is there: inertia, free-motion velocity, contacts
  {
    const ThreadStop stop(input.stop);
    if (!builder_.Build(input, &problem_.task, input.time_stages ? &output->times : nullptr))
      return StepStatus::kStopped;
  }
  problem_.settings = ChooseSettings(input.config.step, input.measure_condition);
  problem_.settings.stop = input.stop;

  // new velocities
  Stopwatch watch(input.time_stages);
  const SolveStatus solved = solver_.Solve(&problem_);
  problem_.settings.stop = nullptr;
  watch.Lap(&output->times.solve_us);
  const ContactSolution& solution = problem_.solution;
  output->solve = solution.record;
  const int culprit = solver_.culprit();
  if (culprit >= 0) output->culprit_body = At(builder_.geometry(), culprit).body;
  switch (solved) {
    case SolveStatus::kConverged:
    case SolveStatus::kIterationLimit:
      break;
    case SolveStatus::kNotFinite:
      if (culprit < 0) output->culprit_body = FirstNotFinite(model, input.start);
      return StepStatus::kNotFinite;
    case SolveStatus::kInfeasible:
      return StepStatus::kInfeasible;
    case SolveStatus::kFactorizationFailed:
      output->culprit_body = FirstWithoutInertia(model);
      return StepStatus::kFactorizationFailed;
    case SolveStatus::kStopped:
      return StepStatus::kStopped;
  }
  if (solution.record.worst_residual > kLostResidual && input.config.step.lost_steps == 0) {
    return StepStatus::kLost;
  }

  // new poses
  State& end = output->end;
  end.TakeUnsolved(input.start);
  builder_.CalcEndVelocities(problem_.task, solution, &end.v);
  IntegratePositions(model, problem_.task.h, &end);
  ++end.step;
  end.contacts.clear();
  for (const ContactGeometry& g : builder_.geometry()) end.contacts.push_back(g.key);
  if (const int lost = FirstNotFinite(model, end); lost >= 0) {
    output->culprit_body = lost;
    return StepStatus::kNotFinite;
  }
  output->pull = CalcImplicitPull(input, end);
  output->motor_work = 0;
  output->joint_damping_loss = 0;
  output->joint_friction_loss = 0;
  if (model.articulated > 0 || input.actuation != nullptr) {
    const JointWork work = CalcJointWork(model, input.config, end, input.actuation,
                                         problem_.task.scalars, problem_.solution.scalar_impulses);
    output->motor_work = work.motors;
    output->joint_damping_loss = work.damping_loss;
    output->joint_friction_loss = work.friction_loss;
  }
  return solved == SolveStatus::kConverged ? StepStatus::kConverged : StepStatus::kIterationLimit;
}

std::span<const ContactOutcome> ConvexFormulation::Contacts(std::size_t first) {
  constexpr std::size_t kBlock = 8;
  const auto& [task, settings, solution] = problem_;
  const std::size_t count = std::min(kBlock, task.contacts.size() - first);
  if (block_.size() < count) block_.resize(kBlock);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = first + k;
    SetOutcome(task, solution, i, builder_.geometry()[i], &block_[k]);
  }
  const std::span<ContactOutcome> block(block_.data(), count);
  if (count > 0) SetResponses(task, first, measure_distance_, block);
  return block;
}

void ConvexFormulation::SetWorkers(WorkerPool* workers) {
  builder_.SetWorkers(workers);
  solver_.SetWorkers(workers);
}

State ConvexFormulation::StartState(const Model& model, const Config& config) const {
  return MakeStartState(model, config);
}

double ConvexFormulation::ElasticEnergy(const StepInput& input) const {
  TaskBuilder builder;
  ContactTask task;
  if (!builder.Build(input, &task)) return kNaN;
  double elastic = 0;
  for (const auto& contact : task.contacts) {
    elastic += CalcElasticEnergy(task.model, contact.start, contact.start.phi0);
  }
  return elastic;
}

double ConvexFormulation::ElasticEnergy(const StepInput& input,
                                        std::span<const StoredContact> left) const {
  const Config& config = input.config;
  const ModelChoice choice = ChooseModel(config.step);
  double elastic = 0;
  for (const StoredContact& contact : left) {
    ContactStart start =
        MakeContactStart(config.step.time_step, config.step.part<ConvexParams>(),
                         ContactMaterial(input.model, config.materials, contact.surface,
                                         contact.body_a, contact.body));
    start.w = contact.w;
    elastic += CalcElasticEnergy(choice, start, contact.phi);
  }
  return elastic;
}

bool ConvexFormulation::Trace(const StepInput& input, SolveRecord* record,
                              SolveTrace* trace) const {
  TaskBuilder builder;
  ContactProblem problem;
  if (!builder.Build(input, &problem.task)) return false;
  if (!problem.task.v_star.allFinite()) return false;
  problem.settings = ChooseSettings(input.config.step, input.measure_condition);
  ConvexSolver solver;
  solver.Solve(&problem, trace);
  *record = problem.solution.record;
  return true;
}

const ContactProblem* ProblemOf(const Formulation& formulation) {
  const auto* convex = dynamic_cast<const ConvexFormulation*>(&formulation);
  return convex != nullptr ? &convex->problem() : nullptr;
}

}  // namespace slip
