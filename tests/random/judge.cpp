#include "tests/random/judge.h"

#include <algorithm>
#include <cmath>

#include "engine/convex/contact_problem.h"
#include "engine/convex/convex.h"
#include "engine/convex/convex_formulation.h"

namespace slip {
namespace {

constexpr double kDepthTolerance = 1e-4;  // [m]

}  // namespace

std::string_view Name(Cause cause) {
  constexpr std::array<std::string_view, kCauses> names = {"not converged", "rotation", "contact"};
  return names[static_cast<std::size_t>(cause)];
}

Cause RunVerdict::MainCause() const {
  return static_cast<Cause>(std::max_element(by_cause.begin(), by_cause.end()) - by_cause.begin());
}

Judge::Judge(const Simulation& sim, RunVerdict* verdict) : verdict_(verdict), before_(sim.state()) {
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
  if (ProblemOf(sim.formulation()) == nullptr) ledger_.emplace(sim, &verdict_->ledger);
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

// Depths as the geometry has them: at the start of a step that is one contact problem, else at its
// end.
bool Judge::TakeDepth(const Simulation& sim) {
  bool explained = true;
  verdict_->through = {};
  sinks_.assign(sunk_.size(), 0);
  const Model& model = sim.model();
  const ContactProblem* problem = ProblemOf(sim.formulation());
  const State& then = problem != nullptr ? before_ : sim.state();
  // a point that has come has its anchor where it was found, and a step later a force
  const double h = (Info(sim.config().method()).family == Family::kAnchored ? 2 : 1) *
                   sim.config().step.time_step;
  for (std::size_t i = 0; i < sim.contacts().size(); ++i) {
    const ContactFrame& frame = sim.contacts()[i];
    const ContactStart* start = problem != nullptr ? &problem->task.contacts[i].start : nullptr;
    const double depth = start != nullptr ? -start->phi0 : -frame.signed_distance;
    if (frame.surface < 0 || depth <= 0) continue;
    verdict_->depth.Take(depth, sim.step());
    const auto b = static_cast<std::size_t>(frame.body);
    const Surface& surface = model.surfaces[static_cast<std::size_t>(frame.surface)];
    const double centre = -surface.normal.dot(then.X_WB[b].p - surface.point);
    const Body& body = model.bodies[b];
    const double u = speed_[static_cast<std::size_t>(body.tree)];
    if (centre <= 0 && depth <= h * u + kDepthTolerance) continue;
    const double mass = LoadMass(model, frame.body, surface.normal);
    double k = frame.stiffness > 0 ? frame.stiffness : HUGE_VAL;
    // laws that stiffen with depth held less on the way down
    const double energy =
        start != nullptr ? CalcElasticEnergy(problem->task.model, *start, -depth) : 0;
    if (energy > 0) k = std::min(k, 2 * energy / (depth * depth));
    const double motors = model.TreeOf(body).articulated >= 0 ? TurnedWork() : 0;
    const double pressed = 2 * (mass * gravity_ / k + u * std::sqrt(mass / k)) +
                           std::sqrt(2 * motors / k) + kDepthTolerance;
    // what a scene starts with is its own
    if (problem != nullptr && before_.step == 0) continue;
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
  verdict_->contacts.Take(static_cast<double>(sim.contacts().size()), step);
  const double energy = KineticAndPotential(sim);
  if (!std::isfinite(energy) || !sim.state().v.allFinite()) {
    verdict_->not_finite = true;
    return;
  }
  if (ledger_) TakeSpeeds(sim);
  // depths are those that the step before left
  if (!TakeDepth(sim) && in_doubt_) ++verdict_->harmful;
  in_doubt_ = false;
  const bool balanced = ledger_ ? ledger_->Take(sim) : TakeEnergy(sim, converged);
  if (sim.solve().floor_steps > 0) {
    ++verdict_->at_floor;
  } else if (!converged && sim.solve().mismatch > 0) {
    // a step of another law, whole and balanced, and said to be one
    ++verdict_->labelled;
    if (!balanced) ++verdict_->harmful;
    in_doubt_ = balanced;
  } else if (!converged) {
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

double Judge::TurnedWork() const { return ledger_ ? ledger_->turned_work() : turned_work_; }

// A runaway that nobody paid for is told of by the limit of its method, or is none of the knobs'.
bool Judge::WasDriven(const Simulation& sim) const {
  const double kinetic = SignalOf(sim, Signal::kKineticEnergy);
  if (ledger_) {
    ChannelFrame frame;
    sim.Fill(&frame);
    return std::isfinite(frame.exceeded_step) || verdict_->ledger.expected ||
           ledger_->turned() >= 0.5 * kinetic;
  }
  return verdict_->gain_ratio.value <= 1 && sim.last_solve().converged &&
         work_ + verdict_->explicit_gain + released_ >= 0.5 * kinetic;
}

void Judge::Fail(const Simulation& sim, StepStatus status) {
  verdict_->failure = sim.failure();
  if (ledger_) ledger_->Fail(sim, status);
  switch (status) {
    case StepStatus::kNotFinite:
      verdict_->not_finite = true;
      break;
    case StepStatus::kRunaway:
      verdict_->runaway = true;
      verdict_->driven = WasDriven(sim);
      break;
    case StepStatus::kInfeasible:
    case StepStatus::kBeyondDigits:
    case StepStatus::kFactorizationFailed:
      break;
    default:
      verdict_->refused = status == StepStatus::kLost;
      verdict_->kept_back = status == StepStatus::kGain;
      verdict_->through = {};
  }
}

}  // namespace slip
