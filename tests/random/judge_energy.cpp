// Energy of steps that are one contact problem.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/convex/contact_problem.h"
#include "engine/convex/convex.h"
#include "engine/convex/convex_formulation.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/method/joint_motor.h"
#include "engine/sim/applied_forces.h"
#include "tests/random/judge.h"

namespace slip {
namespace {

constexpr double kEnergyTolerance = 0.01;  // of the energy turned over
constexpr double kLastBits = 4 * std::numeric_limits<double>::epsilon();

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
  // motors, and what carries a weight or pushes, acted with the solved velocity, and their work is
  // told with that of the end
  const double h = sim.config().step.time_step;
  kinematics_.Update(model, before_);
  applied_.setZero(model.nv);
  CompensateWeight(model, sim.config(), before_, &kinematics_, &applied_);
  AddPushes(model, sim.config(), before_, sim.time(), &kinematics_, &applied_);
  for (const Body& body : model.bodies) {
    if (body.nv <= 1 || model.TreeOf(body).articulated < 0) continue;
    const auto of_body = [&body](const VectorX& x) { return x.segment(body.v_start, body.nv); };
    gain += h * of_body(applied_).dot(of_body(solved) - of_body(end.v));
  }
  sim.GetJoints(&joints_);
  for (const JointFrame& joint : joints_) {
    const Body& body = model.bodies[static_cast<std::size_t>(joint.body)];
    const double v1 = end.v[body.v_start], v = solved[body.v_start];
    if (v == v1) continue;
    const Motor motor = MotorOf(body, sim.config());
    const double force =
        std::clamp(joint.force + applied_[body.v_start], -body.joint.effort, body.joint.effort);
    const double more = (motor.damping + h * motor.stiffness) * (v1 - v);
    const double impulse = LimitedImpulse(sim, body).value_or(h * (force + more));
    gain += impulse * v - h * force * v1;
  }
  return gain;
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

}  // namespace slip
