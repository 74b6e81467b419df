#include "engine/convex/convex_formulation.h"

#include "engine/convex/start_state.h"
#include "engine/core/stopwatch.h"
#include "engine/dynamics/rigid_dynamics.h"

namespace slip {
namespace {

// Contact velocity J v + bias
Vec3 CalcContactVelocity(const ContactProblem& p, const ContactProblem::Contact& c) {
  Vec3 v = c.bias;
  const auto add = [&](int tree_index, int offset) {
    if (tree_index < 0) return;
    const auto& tree = p.trees[static_cast<std::size_t>(tree_index)];
    const double* row = p.J.data() + offset;
    const double* x = p.v.data() + tree.start;
    for (int r = 0; r < 3; ++r, row += tree.nv) {
      for (int k = 0; k < tree.nv; ++k) v[r] += row[k] * x[k];
    }
  };
  add(c.tree_a, c.J_a);
  add(c.tree_b, c.J_b);
  return v;
}

ContactOutcome MakeOutcome(const ContactProblem& problem, const ContactProblem::Contact& contact,
                           const ContactGeometry& geometry) {
  ContactOutcome out;
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
  out.v_C = CalcContactVelocity(problem, contact);
  out.f_C = contact.gamma / problem.h;
  out.phi = contact.start.phi0 + problem.h * out.v_C.z();
  const ContactLoad load{
      .fn = out.f_C.z(), .ft = out.f_C.head<2>().norm(), .slip_speed = out.v_C.head<2>().norm()};
  const ContactResponse response = CalcResponse(problem, contact.start, load, out.phi, out.v_C.z());
  out.prediction = response.prediction;
  out.elastic_energy = response.elastic_energy;
  out.damping_force = response.damping_force;
  return out;
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

  // what is there: inertia, free-motion velocity, contacts
  BuildProblem(model, input.config, input.start, &detector_, &problem_, &geometry_,
               input.time_stages ? &output->times : nullptr);
  problem_.estimate_condition = input.measure_condition;
  if (!problem_.v_star.allFinite()) {
    output->culprit_body = FirstNotFinite(model, input.start);
    return StepStatus::kNotFinite;
  }

  // new velocities
  Stopwatch watch(input.time_stages);
  const SolveStatus solved = solver_.Solve(&problem_);
  watch.Lap(&output->times.solve_us);
  output->solve = problem_.record;
  const int culprit = solver_.culprit();
  if (culprit >= 0) output->culprit_body = geometry_[static_cast<std::size_t>(culprit)].body;
  switch (solved) {
    case SolveStatus::kConverged:
    case SolveStatus::kIterationLimit:
      break;
    case SolveStatus::kNotFinite:
      return StepStatus::kNotFinite;
    case SolveStatus::kInfeasible:
      return StepStatus::kInfeasible;
    case SolveStatus::kFactorizationFailed:
      output->culprit_body = FirstWithoutInertia(model);
      return StepStatus::kFactorizationFailed;
  }
  if (problem_.record.worst_residual > kLostResidual && input.config.step.lost_steps == 0) {
    return StepStatus::kLost;
  }

  // new poses
  State& end = output->end;
  end = input.start;
  end.v = problem_.v;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    IntegratePose(model.bodies[b], end.v, problem_.h, &end.X_WB[b]);
  }
  ++end.step;
  end.contacts.clear();
  for (const ContactGeometry& g : geometry_) end.contacts.push_back(g.key);
  if (const int lost = FirstNotFinite(model, end); lost >= 0) {
    output->culprit_body = lost;
    return StepStatus::kNotFinite;
  }
  Report(output);
  return solved == SolveStatus::kConverged ? StepStatus::kConverged : StepStatus::kIterationLimit;
}

void ConvexFormulation::Report(StepOutput* output) const {
  output->contacts.clear();
  output->contacts.reserve(problem_.contacts.size());
  output->drive_work = 0;
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    const auto& contact = problem_.contacts[i];
    output->contacts.push_back(MakeOutcome(problem_, contact, geometry_[i]));
    output->drive_work -= contact.gamma.dot(contact.bias);
  }
}

void ConvexFormulation::SetWorkers(WorkerPool* workers) {
  detector_.SetWorkers(workers);
  solver_.SetWorkers(workers);
}

State ConvexFormulation::StartState(const Model& model, const Config& config) const {
  return MakeStartState(model, config);
}

double ConvexFormulation::ElasticEnergy(const StepInput& input) const {
  ContactDetector detector;
  ContactProblem problem;
  std::vector<ContactGeometry> geometry;
  BuildProblem(input.model, input.config, input.start, &detector, &problem, &geometry);
  double elastic = 0;
  for (const auto& contact : problem.contacts) {
    elastic += CalcElasticEnergy(problem, contact.start, contact.start.phi0);
  }
  return elastic;
}

double ConvexFormulation::ElasticEnergy(const Model& model, const Config& config,
                                        std::span<const StoredContact> contacts) const {
  ContactProblem knobs;
  SetContactModel(config.step, &knobs);
  double elastic = 0;
  for (const StoredContact& contact : contacts) {
    ContactStart start = MakeContactStart(
        config, ContactMaterial(model, config, contact.surface, contact.body_a, contact.body));
    start.w = contact.w;
    elastic += CalcElasticEnergy(knobs, start, contact.phi);
  }
  return elastic;
}

bool ConvexFormulation::Trace(const StepInput& input, SolveRecord* record,
                              SolveTrace* trace) const {
  ContactDetector detector;
  ContactProblem problem;
  std::vector<ContactGeometry> geometry;
  BuildProblem(input.model, input.config, input.start, &detector, &problem, &geometry);
  if (!problem.v_star.allFinite()) return false;
  problem.estimate_condition = input.measure_condition;
  ConvexSolver solver;
  solver.Solve(&problem, trace);
  *record = problem.record;
  return true;
}

const ContactProblem* ProblemOf(const Formulation& formulation) {
  const auto* convex = dynamic_cast<const ConvexFormulation*>(&formulation);
  return convex != nullptr ? &convex->problem() : nullptr;
}

}  // namespace slip
