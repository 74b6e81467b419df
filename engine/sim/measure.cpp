#include "engine/sim/measure.h"

#include <cmath>
#include <limits>

#include "engine/dynamics/rigid_dynamics.h"
#include "engine/method/mouse_spring.h"

namespace slip {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double& At(SignalValues& values, Signal id) { return values[static_cast<std::size_t>(id)]; }

Vec3 CalcGrabForce(const Model& model, const Config& config, const State& before,
                   const State& after, double* work) {
  const Grab& grab = config.grab;
  *work = 0;
  if (grab.body < 0 || grab.body >= static_cast<int>(model.bodies.size())) return Vec3::Zero();
  const auto b = static_cast<std::size_t>(grab.body);
  const Pose& X = before.X_WB[b];
  const Vec3 p_W = X * grab.p_BP;
  const Vec6 V = CalcSpatialVelocity(model.bodies[b], after.v);
  const Vec3 v_P =
      grab.twist ? Vec3(V.head<3>()) : Vec3(V.tail<3>() + V.head<3>().cross(p_W - X.p));
  const double h = config.step.time_step;
  Vec3 force = grab.stiffness * CalcGrabStretch(grab, X);
  const double magnitude = force.norm();
  if (magnitude > grab.force_limit) {
    force *= grab.force_limit / magnitude;
  } else {
    force -= h * grab.stiffness * v_P;
  }
  force -= grab.damping * v_P;
  *work = h * force.dot(v_P);
  return force;
}

void MeasureBodies(const Model& model, const Config& config, const State& state, double elastic,
                   SignalValues* values) {
  SignalValues& s = *values;
  const double kinetic = CalcKineticEnergy(model, state);
  const double potential = CalcPotentialEnergy(model, state, CalcGravity(config.step));
  At(s, Signal::kKineticEnergy) = kinetic;
  At(s, Signal::kPotentialEnergy) = potential;
  At(s, Signal::kElasticEnergy) = elastic;
  At(s, Signal::kMechanicalEnergy) = kinetic + potential + elastic;
  At(s, Signal::kDriveWork) = state.energy.drive_work;
  At(s, Signal::kFrictionDissipation) = state.energy.friction;
  At(s, Signal::kDampingDissipation) = state.energy.damping;
  At(s, Signal::kNumericalDissipation) = state.energy.numerical;
  At(s, Signal::kTimeStep) = config.step.time_step;
  if (!config.surfaces.empty()) {
    At(s, Signal::kBeltSpeed) = config.surfaces.front().Velocity(state.Time(config.step.time_step));
  }
  if (model.bodies.empty()) return;
  const auto lead = static_cast<std::size_t>(model.lead_body);
  const Pose& X = state.X_WB[lead];
  const Vec6 V = CalcSpatialVelocity(model.bodies[lead], state.v);
  At(s, Signal::kPositionX) = X.p.x();
  At(s, Signal::kPositionZ) = X.p.z();
  At(s, Signal::kVelocityX) = V[3];
  At(s, Signal::kVelocityZ) = V[5];
  // R = R_y(θ) maps x to (cos θ, 0, −sin θ)
  const Vec3 x_axis = X.q * Vec3::UnitX();
  At(s, Signal::kPitch) = std::atan2(-x_axis.z(), x_axis.x());
  At(s, Signal::kPitchRate) = V[1];
}

// One contact at the end of the step.
ContactFrame MeasureContact(const ContactOutcome& outcome) {
  const Vec3 &v_C = outcome.v_C, &f_C = outcome.f_C;
  ContactFrame frame;
  frame.key = outcome.key;
  frame.surface = outcome.surface;
  frame.body_a = outcome.body_a;
  frame.body = outcome.body;
  frame.p_W = outcome.p_W;
  frame.n_W = outcome.n_W;
  frame.vt_W = outcome.ToWorld(Vec3(v_C.x(), v_C.y(), 0));
  frame.ft_W = outcome.ToWorld(Vec3(f_C.x(), f_C.y(), 0));
  frame.vn = v_C.z();
  frame.vt = v_C.head<2>().norm();
  frame.fn = f_C.z();
  frame.ft = f_C.head<2>().norm();
  frame.friction = outcome.mu;
  frame.w = outcome.w;
  frame.signed_distance = outcome.phi;

  const ContactPrediction& p = outcome.prediction;
  frame.stiction_tolerance = p.stiction_tolerance;
  frame.stiffness = p.stiffness;
  frame.dissipation = p.dissipation;
  frame.damping = p.damping;
  const bool loaded = frame.fn > 0;
  // frictionless contacts have no stiction to speak of: they slip whenever they move
  const bool sticks = frame.vt <= p.stiction_tolerance;
  frame.mode = !loaded ? ContactMode::kOpen : sticks ? ContactMode::kStick : ContactMode::kSlip;
  frame.near_rigid = loaded && p.near_rigid;
  frame.gliding_offset = loaded ? frame.signed_distance - p.rest_distance : kNaN;
  frame.gliding_predicted = loaded ? p.gliding_offset : kNaN;
  frame.creep_predicted =
      frame.mode == ContactMode::kStick && std::isfinite(p.creep_speed) ? p.creep_speed : kNaN;
  return frame;
}

}  // namespace

double CalcMechanicalEnergy(const Model& model, const Config& config, const State& state,
                            double elastic) {
  return CalcKineticEnergy(model, state) +
         CalcPotentialEnergy(model, state, CalcGravity(config.step)) + elastic;
}

void Measure(const Model& model, const Config& config, const StepOutput& output,
             const StepRecord& before, StepRecord* next) {
  const State& previous = before.state;
  const double h = config.step.time_step;
  SignalValues& s = next->signals;
  s.fill(kNaN);
  next->contacts.clear();
  next->solve = output.solve;
  next->measured = true;

  double normal = 0, friction = 0, penetration = 0, elastic = 0, friction_loss = 0,
         damping_loss = 0;
  double support = 0, depth = 0, tolerance = 0, tolerance_max = 0;
  double impact = kNaN;
  auto known = before.contacts.begin();
  int sticking = 0, slipping = 0;
  const ContactFrame* primary = nullptr;
  next->contacts.reserve(output.contacts.size());
  for (const ContactOutcome& outcome : output.contacts) {
    const ContactFrame& frame = next->contacts.emplace_back(MeasureContact(outcome));
    normal += frame.fn;
    friction += frame.ft;
    penetration = std::max(penetration, -frame.signed_distance);
    if (frame.fn > 0) {
      depth -= frame.signed_distance;
      tolerance += frame.stiction_tolerance;
      tolerance_max = std::max(tolerance_max, frame.stiction_tolerance);
    }
    // both lists are sorted by key; a gap that closes under load is no impact
    while (known != before.contacts.end() && known->key < frame.key) ++known;
    const bool pressed = known != before.contacts.end() && known->key == frame.key && known->fn > 0;
    // fmax: the first one replaces the NaN
    if (frame.fn > 0 && !pressed) impact = std::fmax(impact, std::max(0.0, -outcome.vn0));
    // A is at rest or driven: what it gives to B comes from outside
    if (!outcome.a_moves) support += frame.fn * frame.n_W.z() + frame.ft_W.z();
    sticking += frame.mode == ContactMode::kStick;
    slipping += frame.mode == ContactMode::kSlip;
    elastic += outcome.elastic_energy;
    friction_loss -= h * frame.ft_W.dot(frame.vt_W);
    damping_loss -= h * outcome.damping_force * frame.vn;
    if (primary == nullptr || frame.fn > primary->fn) primary = &frame;
  }

  double grab_work = 0;
  next->grab_force_W = CalcGrabForce(model, config, previous, next->state, &grab_work);

  // the balance closes by definition; what is left is the time stepping's own
  EnergyLedger& ledger = next->state.energy;
  MeasureBodies(model, config, next->state, elastic, &s);
  const double mechanical = At(s, Signal::kMechanicalEnergy);
  const double numerical = previous.energy.mechanical + output.drive_work + grab_work -
                           friction_loss - damping_loss - mechanical;
  ledger.drive_work = previous.energy.drive_work + output.drive_work + grab_work;
  ledger.friction = previous.energy.friction + friction_loss;
  ledger.damping = previous.energy.damping + damping_loss;
  ledger.numerical = previous.energy.numerical + numerical;
  ledger.mechanical = mechanical;
  At(s, Signal::kDriveWork) = ledger.drive_work;
  At(s, Signal::kFrictionDissipation) = ledger.friction;
  At(s, Signal::kDampingDissipation) = ledger.damping;
  At(s, Signal::kNumericalDissipation) = ledger.numerical;

  At(s, Signal::kNormalForce) = normal;
  At(s, Signal::kFrictionForce) = friction;
  At(s, Signal::kSupportForce) = support;
  At(s, Signal::kImpactSpeed) = impact;
  At(s, Signal::kPenetration) = penetration;
  if (const int loaded = sticking + slipping; loaded > 0) {
    At(s, Signal::kMeanPenetration) = depth / loaded;
    At(s, Signal::kMeanStictionTolerance) = tolerance / loaded;
    At(s, Signal::kMaxStictionTolerance) = tolerance_max;
  }
  At(s, Signal::kContacts) = static_cast<double>(output.contacts.size());
  At(s, Signal::kSticking) = sticking;
  At(s, Signal::kSlipping) = slipping;
  if (primary != nullptr) {
    At(s, Signal::kSignedDistance) = primary->signed_distance;
    At(s, Signal::kNormalVelocity) = primary->vn;
    At(s, Signal::kSlipSpeed) = primary->vt;
    At(s, Signal::kGlidingOffset) = primary->gliding_offset;
    At(s, Signal::kGlidingPredicted) = primary->gliding_predicted;
    At(s, Signal::kCreepPredicted) = primary->creep_predicted;
    At(s, Signal::kStictionTolerance) = primary->stiction_tolerance;
    At(s, Signal::kEffectiveStiffness) = primary->stiffness;
    At(s, Signal::kEffectiveDissipation) = primary->dissipation;
    At(s, Signal::kEffectiveDamping) = primary->damping;
    const double limit = primary->friction * primary->fn;
    if (limit > 0) At(s, Signal::kFrictionUsed) = primary->ft / limit;
  }

  const SolveRecord& record = output.solve;
  At(s, Signal::kIterations) = record.iterations;
  At(s, Signal::kInteriorPointIterations) = record.interior_point_iterations;
  At(s, Signal::kFallbacks) = record.fallbacks;
  At(s, Signal::kIslands) = record.islands;
  At(s, Signal::kLargestIsland) = record.largest_island;
  At(s, Signal::kLineSearchIterations) = record.line_search_iterations;
  At(s, Signal::kMomentumResidual) = record.momentum_residual;
  At(s, Signal::kInverseDynamicsResidual) = record.inverse_dynamics_residual;
  At(s, Signal::kConditionNumber) = record.condition_number;
  At(s, Signal::kConditionNumberRaw) = record.condition_number_raw;
  At(s, Signal::kCost) = record.cost;
  At(s, Signal::kConverged) = record.converged ? 1 : 0;
  At(s, Signal::kDetectionTimeUs) = output.times.detection_us;
  At(s, Signal::kAssemblyTimeUs) = output.times.assembly_us;
  At(s, Signal::kSolveTimeUs) = output.times.solve_us;
}

void MeasureStart(const Model& model, const Config& config, double elastic, StepRecord* record) {
  record->measured = false;
  record->contacts.clear();
  record->signals.fill(kNaN);
  record->solve = SolveRecord{};
  record->grab_force_W.setZero();
  State& state = record->state;
  state.energy = EnergyLedger{};
  state.energy.mechanical = CalcMechanicalEnergy(model, config, state, elastic);
  MeasureBodies(model, config, state, elastic, &record->signals);
}

}  // namespace slip
