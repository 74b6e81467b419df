#include "tests/random/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/convex/contact_problem.h"
#include "engine/convex/convex.h"
#include "engine/convex/convex_formulation.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/method/joint_motor.h"

namespace slip {
namespace {

constexpr double kEnergyTolerance = 0.01;  // of the energy turned over
constexpr double kDepthTolerance = 1e-4;   // [m]
constexpr double kLastBits = 4 * std::numeric_limits<double>::epsilon();

double SignalOf(const Simulation& sim, Signal signal) {
  return sim.signals()[static_cast<std::size_t>(signal)];
}

// With overlap that a step has left, which the laws hold all the same.
double StoredEnergy(const Simulation& sim) {
  return SignalOf(sim, Signal::kElasticEnergy) + SignalOf(sim, Signal::kOverlapEnergy);
}

double KineticAndPotential(const Simulation& sim) {
  return SignalOf(sim, Signal::kKineticEnergy) + SignalOf(sim, Signal::kPotentialEnergy);
}

// Of the distances that the last step was given.
double ElasticAtStart(const Simulation& sim) {
  double elastic = 0;
  const ContactTask& task = ProblemOf(sim.formulation())->task;
  for (const auto& contact : task.contacts) {
    elastic += CalcElasticEnergy(task.model, contact.start, contact.start.phi0);
  }
  return elastic;
}

// Potentials of the joints' limits at the solved velocities less those of a stop.
double LimitGain(const Simulation& sim) {
  double energy = 0;
  const auto& [task, settings, solution] = *ProblemOf(sim.formulation());
  for (const ContactTask::Scalar& scalar : task.scalars) {
    if (scalar.source != ContactTask::Scalar::Source::kLimit) continue;
    const int start = task.trees[static_cast<std::size_t>(scalar.tree)].start;
    energy += scalar.Cost(solution.v[start + scalar.coordinate]) - scalar.Cost(0);
  }
  return energy;
}

// Of a motor that has a limit and gains.
std::optional<double> LimitedImpulse(const Simulation& sim, const Body& body) {
  const auto& [task, settings, solution] = *ProblemOf(sim.formulation());
  const int coordinate = body.v_start - sim.model().TreeOf(body).v_start;
  for (std::size_t i = 0; i < task.scalars.size(); ++i) {
    const ContactTask::Scalar& scalar = task.scalars[i];
    if (scalar.source == ContactTask::Scalar::Source::kMotor && scalar.tree == body.tree &&
        scalar.coordinate == coordinate)
      return solution.scalar_impulses[i];
  }
  return std::nullopt;
}

}  // namespace

std::string_view Name(Cause cause) {
  constexpr std::array<std::string_view, kCauses> names = {"not converged", "rotation", "contact"};
  return names[static_cast<std::size_t>(cause)];
}

Cause Verdict::MainCause() const {
  return static_cast<Cause>(std::max_element(by_cause.begin(), by_cause.end()) - by_cause.begin());
}

Judge::Judge(const Simulation& sim, Verdict* verdict) : verdict_(verdict), before_(sim.state()) {
  const Model& model = sim.model();
  verdict_->bodies = CountMoving(model);
  gravity_ = sim.config().step.gravity;
  for (const Body& body : model.bodies) {
    if (body.tree >= 0) mass_ += body.mass;
  }
  speed_.assign(model.trees.size(), 0);
  sunk_.assign(model.bodies.size(), 0);
  TakeSpeeds(sim);
  energy_ = KineticAndPotential(sim);
  start_potential_ = lowest_potential_ = SignalOf(sim, Signal::kPotentialEnergy);
  const double elastic = std::max(0.0, StoredEnergy(sim));
  start_energy_ = energy_ + elastic;
  turned_ = SignalOf(sim, Signal::kKineticEnergy) + elastic;
}

// What the explicit parts of a step do to the energy of spinning bodies: the gyroscopic moment in
// the free motion, and the inertia that turns under a velocity that stays.
double Judge::RotationGain(const Simulation& sim) const {
  double gain = 0;
  const VectorX& v_star = ProblemOf(sim.formulation())->task.v_star;
  for (std::size_t b = 0; b < before_.X_WB.size(); ++b) {
    const Body& body = sim.model().bodies[b];
    if (body.joint.kind != JointKind::kFree) continue;
    const Mat3 I0 = CalcInertia(body, before_.X_WB[b]).I_W;
    const Mat3 I1 = CalcInertia(body, sim.state().X_WB[b]).I_W;
    const Vec3 w0 = before_.v.segment<3>(body.v_start);
    const Vec3 w_star = v_star.segment<3>(body.v_start);
    const Vec3 w1 = sim.state().v.segment<3>(body.v_start);
    gain += 0.5 * (w_star.dot(I0 * w_star) - w0.dot(I0 * w0));
    gain += 0.5 * (w1.dot(I1 * w1) - w1.dot(I0 * w1));
  }
  return gain;
}

// What a step of trees gains since its forces and inertia are those of the start.
double Judge::ExplicitGain(const Simulation& sim) {
  const Model& model = sim.model();
  const State& end = sim.state();
  const Vec3 gravity_W = CalcGravity(sim.config().step);
  // positions of the start, velocities of the solve: in free flight they are not those of the end
  const VectorX& solved = ProblemOf(sim.formulation())->solution.v;
  State between = before_;
  between.v = solved;
  double gain = 0;
  for (const Tree& tree : model.trees) {
    if (tree.articulated < 0) continue;
    nle_.resize(tree.nv);
    links_.Update(model, tree, before_);
    links_.CalcInverseDynamics(gravity_W, nullptr, nle_.data());
    gain -= sim.config().step.time_step * nle_.dot(solved.segment(tree.v_start, tree.nv));
    links_.Update(model, tree, between);
    gain -= links_.CalcKineticEnergy();
    links_.Update(model, tree, end);
    gain += links_.CalcKineticEnergy();
    for (int i = tree.first_body; i < tree.first_body + tree.links; ++i) {
      const auto b = static_cast<std::size_t>(i);
      gain -= model.bodies[b].mass * gravity_W.dot(end.X_WB[b].p - before_.X_WB[b].p);
    }
  }
  // motors pushed with the force of the solved velocity, and their work is told with that of the
  // end
  sim.GetJoints(&joints_);
  const double h = sim.config().step.time_step;
  for (const JointFrame& joint : joints_) {
    const Body& body = model.bodies[static_cast<std::size_t>(joint.body)];
    const double v1 = end.v[body.v_start], v = solved[body.v_start];
    if (v == v1) continue;
    const Motor motor = MotorOf(body, sim.config());
    const double more = (motor.damping + h * motor.stiffness) * (v1 - v);
    const double impulse = LimitedImpulse(sim, body).value_or(h * (joint.force + more));
    gain += impulse * v - h * joint.force * v1;
  }
  return gain;
}

void Judge::TakeSpeeds(const Simulation& sim) {
  kinematics_.Update(sim.model(), sim.state());
  for (std::size_t b = 0; b < sim.model().bodies.size(); ++b) {
    const Body& body = sim.model().bodies[b];
    if (body.tree < 0) continue;
    const Vec6& V = kinematics_.V_WB[b];
    double& fastest = speed_[static_cast<std::size_t>(body.tree)];
    fastest = std::max(fastest, V.tail<3>().norm() + body.bound * V.head<3>().norm());
  }
}

bool Judge::TakeEnergy(const Simulation& sim, bool converged) {
  const int64_t step = sim.step();
  const double energy = KineticAndPotential(sim);
  const double potential = SignalOf(sim, Signal::kPotentialEnergy);
  const double work = SignalOf(sim, Signal::kDriveWork);
  const double explicit_gain = ExplicitGain(sim);
  turned_work_ += std::abs(work - work_);
  turned_ += std::abs(explicit_gain);
  verdict_->work = work;
  verdict_->explicit_gain += explicit_gain;
  lowest_potential_ = std::min(lowest_potential_, potential);
  verdict_->kinetic.Take(SignalOf(sim, Signal::kKineticEnergy), step);

  const double gh = gravity_ * sim.config().step.time_step;
  verdict_->energy = turned_ + (start_potential_ - lowest_potential_) + turned_work_;
  const double elastic = StoredEnergy(sim);
  const double tolerance =
      std::max(1e-12, kEnergyTolerance * verdict_->energy + 0.5 * mass_ * gh * gh) +
      kLastBits * std::abs(elastic);
  // a barrier's potential has no floor: what it has given out counts as paid
  const double thrown =
      energy + std::min(0.0, elastic) - start_energy_ - work - verdict_->explicit_gain;
  verdict_->thrown.Take(thrown, step);
  verdict_->thrown_ratio.Take(thrown / tolerance, step);

  const double released = ElasticAtStart(sim) - elastic;
  const double created =
      energy - energy_ - (work - work_) - released + LimitGain(sim) - explicit_gain;
  released_ += released;
  sum_ = std::max(0.0, sum_ + created);
  verdict_->gain.Take(sum_, step);
  verdict_->gain_ratio.Take(sum_ / tolerance, step);
  verdict_->created.Take(created / tolerance, step);
  if (created > tolerance) {
    const double by_rotation = std::clamp(RotationGain(sim), 0.0, created);
    auto& causes = verdict_->by_cause;
    causes[static_cast<int>(Cause::kRotation)] += by_rotation;
    causes[static_cast<int>(converged ? Cause::kContact : Cause::kUnconverged)] +=
        created - by_rotation;
  }
  energy_ = energy;
  work_ = work;
  return created <= tolerance;
}

// The mass of the body's tree and that of all above it, within a few diameters to the side.
double Judge::LoadMass(const Model& model, int body, const Vec3& normal) const {
  const auto own = static_cast<std::size_t>(body);
  double mass = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& other = model.bodies[b];
    if (other.tree < 0) continue;
    if (other.tree == model.bodies[own].tree) {
      mass += other.mass;
      continue;
    }
    const Vec3 apart = before_.X_WB[b].p - before_.X_WB[own].p;
    const double above = normal.dot(apart);
    const double aside = (apart - above * normal).norm();
    if (above > 0 && aside < 4 * (other.bound + model.bodies[own].bound)) mass += other.mass;
  }
  return mass;
}

// Depths at the start of the step, as the geometry has them.
bool Judge::TakeDepth(const Simulation& sim) {
  bool explained = true;
  verdict_->through = {};
  sinks_.assign(sunk_.size(), 0);
  const Model& model = sim.model();
  const ContactTask& task = ProblemOf(sim.formulation())->task;
  const auto& contacts = task.contacts;
  const double h = sim.config().step.time_step;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactFrame& frame = sim.contacts()[i];
    const double depth = -contacts[i].start.phi0;
    if (frame.surface < 0 || depth <= 0) continue;
    verdict_->depth.Take(depth, sim.step());
    const auto b = static_cast<std::size_t>(frame.body);
    const Surface& surface = model.surfaces[static_cast<std::size_t>(frame.surface)];
    const double centre = -surface.normal.dot(before_.X_WB[b].p - surface.point);
    const Body& body = model.bodies[b];
    const double u = speed_[static_cast<std::size_t>(body.tree)];
    if (centre <= 0 && depth <= h * u + kDepthTolerance) continue;
    const double mass = LoadMass(model, frame.body, surface.normal);
    double k = frame.stiffness > 0 ? frame.stiffness : HUGE_VAL;
    // laws that stiffen with depth held less on the way down
    const double energy = CalcElasticEnergy(task.model, contacts[i].start, -depth);
    if (energy > 0) k = std::min(k, 2 * energy / (depth * depth));
    const double motors = model.TreeOf(body).articulated >= 0 ? turned_work_ : 0;
    const double pressed = 2 * (mass * gravity_ / k + u * std::sqrt(mass / k)) +
                           std::sqrt(2 * motors / k) + kDepthTolerance;
    verdict_->depth_ratio.Take(depth / (pressed + h * u), sim.step());
    if (centre > 0 && depth >= centre && depth > pressed) sinks_[b] = std::max(sinks_[b], centre);
    explained = explained && depth <= pressed + h * u;
  }
  for (std::size_t b = 0; b < sunk_.size(); ++b) {
    sunk_[b] = sinks_[b] > 0 ? sunk_[b] + 1 : 0;
    if (sunk_[b] >= kSunkSteps) verdict_->through.Take(sinks_[b], sim.step());
  }
  return explained;
}

void Judge::Step(const Simulation& sim, StepStatus status) {
  const int64_t step = sim.step();
  const bool converged = status == StepStatus::kConverged;
  verdict_->steps = step;
  verdict_->contacts.Take(static_cast<double>(ProblemOf(sim.formulation())->task.contacts.size()),
                          step);
  const double energy = KineticAndPotential(sim);
  if (!std::isfinite(energy) || !sim.state().v.allFinite()) {
    verdict_->not_finite = true;
    return;
  }
  // depths are those that the step before left
  if (!TakeDepth(sim) && in_doubt_) ++verdict_->harmful;
  in_doubt_ = false;
  const bool balanced = TakeEnergy(sim, converged);
  if (!converged) {
    ++verdict_->unconverged;
    verdict_->residual.Take(SignalOf(sim, Signal::kMomentumResidual), step);
    if (!balanced) ++verdict_->harmful;
    in_doubt_ = balanced;
  }
  before_ = sim.state();
  TakeSpeeds(sim);
}

bool Judge::InDoubt() const {
  return verdict_->through.value == 0 &&
         std::any_of(sunk_.begin(), sunk_.end(), [](int steps) { return steps > 0; });
}

void Judge::Fail(const Simulation& sim, StepStatus status) {
  verdict_->failure = sim.failure();
  switch (status) {
    case StepStatus::kNotFinite:
      verdict_->not_finite = true;
      break;
    case StepStatus::kRunaway:
      verdict_->runaway = true;
      verdict_->driven = verdict_->gain_ratio.value <= 1 && sim.last_solve().converged &&
                         work_ + verdict_->explicit_gain + released_ >=
                             0.5 * SignalOf(sim, Signal::kKineticEnergy);
      break;
    case StepStatus::kInfeasible:
    case StepStatus::kFactorizationFailed:
      break;
    default:
      verdict_->refused = true;
      verdict_->through = {};
  }
}

}  // namespace slip
