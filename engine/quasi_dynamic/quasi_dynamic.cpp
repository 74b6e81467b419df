#include "engine/quasi_dynamic/quasi_dynamic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/core/stopwatch.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/method/pull.h"
#include "engine/quasi_dynamic/quasi_dynamic_params.h"

namespace slip {
namespace {

/// Slip in a step below which a contact sticks [m]: what the solver's tolerance leaves.
constexpr double kStickWay = 1e-9;
/// Rows of a regularised program may be violated by so much [m], [rad].
constexpr double kMostGivenWay = 1e-6;

}  // namespace

StepStatus QuasiDynamic::Step(const StepInput& input, StepOutput* output) {
  const Model& model = input.model;
  const Config& config = input.config;
  output->reason = StepProgram::Missing(model, config, &output->culprit_body);
  if (!output->reason.empty()) return StepStatus::kUnable;
  output->culprit_body = -1;
  output->joint_damping_loss = output->joint_friction_loss = 0;
  Stopwatch watch(input.time_stages);

  if (!finder_.Find(input, config.step.part<QuasiDynamicParams>().closest_points, &candidates_,
                    input.time_stages ? &output->times : nullptr) ||
      IsStopped(input.stop))
    return StepStatus::kStopped;
  watch.Lap(&output->times.detection_us);
  program_.Build(input, candidates_, false);
  watch.Lap(&output->times.assembly_us);
  // a step with more iterations than all before asks for no memory
  result_.history.reserve(static_cast<std::size_t>(std::max(config.step.max_iterations, 0)) + 1);
  const QpSettings settings{.tolerance = config.step.part<QuasiDynamicParams>().qp_tolerance,
                            .max_iterations = config.step.max_iterations,
                            .least_multipliers = true};
  if (program_.qp().g.size() > 0) {
    solver_.Solve(program_.qp(), settings, &result_);
  } else {  // nothing moves
    result_.status = QpStatus::kSolved;
    result_.x.resize(0);
    result_.lambda.setZero(program_.qp().b.size());
  }
  if (result_.status != QpStatus::kFailed && program_.BreaksLimit(input, result_.x)) {
    program_.Build(input, candidates_, true);
    solver_.Solve(program_.qp(), settings, &result_);
  }
  watch.Lap(&output->times.solve_us);
  SetRecord(&output->solve);
  if (result_.status == QpStatus::kFailed) return StepStatus::kNotFinite;
  if (config.step.lost_steps == 0) {
    if (result_.status == QpStatus::kRegularised && result_.violation > kMostGivenWay) {
      Blame(input, output);
      return StepStatus::kInfeasible;
    }
    if (output->solve.worst_residual > kLostResidual) return StepStatus::kLost;
  }

  State& end = output->end;
  end.TakeUnsolved(input.start);
  program_.SetVelocities(result_.x, &end.v);
  IntegratePositions(model, config.step.time_step, &end);
  ++end.step;
  if (const int lost = FirstNotFinite(model, end); lost >= 0) {
    output->culprit_body = lost;
    return StepStatus::kNotFinite;
  }
  SetOutcomes(input);
  end.contacts.clear();
  for (const ContactOutcome& out : outcomes_) end.contacts.push_back(out.key);
  output->pull = CalcImplicitPull(input, end);
  output->motor_work = program_.CalcDriveWork(result_.x);
  output->losses = losses_;
  output->unseen_penetration = finder_.CalcLeftOutPenetration(input, end);
  return output->solve.converged ? StepStatus::kConverged : StepStatus::kIterationLimit;
}

// The row that gives way most.
void QuasiDynamic::Blame(const StepInput& input, StepOutput* output) {
  Eigen::Index worst = 0;
  result_.slack.minCoeff(&worst);
  const auto& bodies = input.model.bodies;
  const int i = program_.ContactOfRow(static_cast<int>(worst));
  if (i < 0) {
    output->culprit_body = program_.BodyOfLimit(static_cast<int>(worst));
    reason_ = "its joint is beyond a limit, and no motion of this step goes back";
  } else {
    const Candidate& c = At(candidates_, i);
    output->culprit_body = c.body;
    reason_ = fmt::format(
        "no motion of this step holds all gaps: against {} it would overlap by {:.2g} mm",
        c.surface >= 0 ? At(input.model.surfaces, c.surface).name
                       : "'" + At(bodies, c.body_a).name + "'",
        1e3 * result_.violation);
  }
  output->reason = reason_;
}

MotorLoad QuasiDynamic::LoadOfMotor(const Body& body, const Config& config, const State& state,
                                    double held) const {
  MotorLoad load{.force = held, .limit = kInfinity};
  if (body.drive < 0) return load;
  const JointDrive& actuator = At(config.joints, body.drive);
  load.force += actuator.impedance * (actuator.target - state.q[body.q_start]);
  load.has_target = actuator.impedance > 0;
  return load;
}

void QuasiDynamic::SetRecord(SolveRecord* record) {
  *record = {};
  const ConvexQp& qp = program_.qp();
  record->iterations = record->interior_point_iterations = result_.iterations;
  record->system_size = static_cast<int>(qp.g.size());
  record->contacts = static_cast<int>(candidates_.size());
  record->islands = 1;
  record->converged = result_.status == QpStatus::kSolved;
  record->condition_number = result_.condition;
  record->condition_number_raw = kNaN;
  record->inverse_dynamics_residual = kNaN;
  momentum_.noalias() = qp.H * result_.x;
  record->cost = 0.5 * result_.x.dot(momentum_) - qp.g.dot(result_.x);
  const double scale = qp.g.lpNorm<Eigen::Infinity>();
  record->momentum_residual = scale > 0 ? result_.stationarity / scale : result_.stationarity;
  if (result_.status == QpStatus::kIterationLimit) {
    record->worst_residual = std::max(result_.residual, result_.mu / kMuOfTolerance);
  } else if (!record->converged) {
    record->worst_residual = result_.residual;
  }
  record->program.status = static_cast<int>(result_.status);
  record->program.rows = static_cast<int>(qp.b.size());
  record->program.checked = static_cast<double>(finder_.checked());
  for (const QpIteration& from : result_.history) {
    if (record->recorded == kMaxRecordedIterations) break;
    At(record->history, record->recorded++) = {.cost = kNaN,
                                               .residual = std::max(from.primal, from.dual),
                                               .alpha = from.step,
                                               .line_search_iterations = 0};
  }
}

// Contacts that carry a load, and those near enough to be one soon.
void QuasiDynamic::SetOutcomes(const StepInput& input) {
  const double h = input.config.step.time_step;
  outcomes_.clear();
  chosen_.clear();
  losses_ = {};
  // below it a force is what the solver leaves
  const double largest = result_.lambda.size() > 0 ? result_.lambda.maxCoeff() : 0;
  const double least = 1e-6 * std::max(largest, program_.qp().g.lpNorm<Eigen::Infinity>()) / h;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& c = candidates_[i];
    ContactLoadOut load = program_.Load(i, c, result_.x, result_.lambda);
    const bool loaded = load.f_C.z() > least;
    if (!loaded) {
      load.f_C.setZero();
      load.torque = 0;
      load.multipliers.fill(0);
    }
    const Shape& shape = input.model.body(c.body).shape;
    if (c.point >= 0 && shape.kind == ShapeKind::kPointCloud) {
      chosen_.push_back({.surface = c.surface,
                         .body_a = c.body_a,
                         .body = c.body,
                         .point = c.point,
                         .phi = load.gap,
                         .fn = loaded ? load.f_C.z() : 0});
    }
    if (!loaded && load.gap > input.model.contact_margin) continue;
    ContactOutcome& out = outcomes_.emplace_back();
    out.key = c.key;
    out.surface = c.surface;
    out.body_a = c.body_a;
    out.body = c.body;
    out.a_moves = c.body_a >= 0 && input.model.body(c.body_a).Moves();
    out.p_W = c.beta_W;
    out.t1_W = c.t1_W;
    out.t2_W = c.t2_W;
    out.n_W = c.n_W;
    out.phi = load.gap;
    out.mu = c.mu;
    out.v_C = load.slip_C / h;
    out.f_C = load.f_C;
    out.vt = out.v_C.head<2>().norm();
    out.ft = out.f_C.head<2>().norm();
    out.torsion = {
        .rho = c.mu > 0 ? c.mu_w / c.mu : 0, .spin = load.turn / h, .torque = load.torque};
    out.prediction.gliding_offset = load.predicted;
    out.prediction.stiffness = out.prediction.dissipation = out.prediction.damping = kNaN;
    // rigid; without inertia no velocity can be told in newtons
    out.coulomb = CalcCoulombDistance(out.Measured(h, out.v_C.z() - load.gap / h));
    out.octahedral = true;
    out.multipliers = load.multipliers;
    out.sticks = load.predicted > c.mu * kStickWay ? 0 : 1;
    losses_.friction -=
        h * (out.f_C.head<2>().dot(out.v_C.head<2>()) + load.torque * load.turn / h);
    out.drive_work = out.f_C.x() * load.belt;
  }
}

std::span<const ContactOutcome> QuasiDynamic::Contacts(std::size_t first) {
  return std::span<const ContactOutcome>(outcomes_).subspan(first);
}

State QuasiDynamic::StartState(const Model& model, const Config&) const {
  State state;
  SetStart(model, &state);
  return state;
}

}  // namespace slip
