#include "engine/sim/measure.h"

#include <algorithm>
#include <cmath>

#include "engine/contact/equivalent.h"
#include "engine/core/numbers.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/sim/step_view.h"
#include "engine/sim/turning_bodies.h"

namespace slip {
namespace {

/// Share of the friction budget from which on a contact is said to be beyond its cone: the
/// hundredth is for what a solver leaves.
constexpr double kBeyondCone = 1.01;
/// Of the largest normal force: what an interior point leaves on the points beside is less.
constexpr double kLeastOctahedralLoad = 1e-3;

// The larger one; of a NaN and a number the number, as fmax has it, without a call.
double LargerKnown(double a, double b) { return a >= b || std::isnan(b) ? a : b; }

// All members of one contact at the end of the step.
void MeasureContact(const ContactOutcome& outcome, ContactFrame* at) {
  const Vec3 &v_C = outcome.v_C, &f_C = outcome.f_C;
  ContactFrame& frame = *at;
  frame.key = outcome.key;
  frame.surface = outcome.surface;
  frame.body_a = outcome.body_a;
  frame.body = outcome.body;
  frame.p_W = outcome.p_W;
  frame.n_W = outcome.n_W;
  frame.vt_W = outcome.ToWorld(Vec3(v_C.x(), v_C.y(), 0));
  frame.ft_W = outcome.ToWorld(Vec3(f_C.x(), f_C.y(), 0));
  frame.vn = v_C.z();
  frame.vt = outcome.vt;
  frame.fn = f_C.z();
  frame.ft = outcome.ft;
  frame.spin = outcome.torsion.spin;
  frame.torque = outcome.torsion.torque;
  frame.friction = outcome.mu;
  frame.torsional_friction = outcome.mu * outcome.torsion.rho;
  frame.ft_C = f_C.head<2>();
  frame.multipliers = outcome.multipliers;
  frame.w = outcome.w;
  frame.signed_distance = outcome.phi;

  const ContactPrediction& p = outcome.prediction;
  frame.stiction_tolerance = p.stiction_tolerance;
  frame.stiffness = p.stiffness;
  frame.dissipation = p.dissipation;
  frame.damping = p.damping;
  const bool loaded = frame.fn > 0;
  // frictionless contacts have no stiction to speak of: they slip whenever they move
  const bool sticks = outcome.sticks >= 0 ? outcome.sticks == 1
                                          : outcome.torsion.SlipNorm(frame.vt) <= p.slip_onset;
  frame.mode = !loaded ? ContactMode::kOpen : sticks ? ContactMode::kStick : ContactMode::kSlip;
  JudgeFriction(outcome.octahedral ? FrictionBound::kOctahedron : FrictionBound::kCone, at);
  frame.friction_off = loaded && p.friction_off;
  frame.near_rigid = loaded && p.near_rigid;
  frame.gliding_offset = loaded ? frame.signed_distance - p.rest_distance : kNaN;
  frame.gliding_predicted = loaded ? p.gliding_offset : kNaN;
  frame.coulomb = outcome.coulomb;
  frame.creep_predicted =
      frame.mode == ContactMode::kStick && std::isfinite(p.creep_speed) ? p.creep_speed : kNaN;
}

/// What the step makes of its fastest impact, beside what the law would.
void AddImpact(const ContactPrediction& p, double w, double h, ContactTotals* totals) {
  const double speed = totals->impact;
  if (!(p.stiffness > 0 && w > 0 && speed > 0)) return;
  const double mass = 1 / w;
  totals->impact_steps = CalcContactPeriod(p.stiffness, mass) / h;
  totals->impact_restitution =
      p.damping > 0 ? CalcKelvinVoigtRestitution(p.damping / p.stiffness, p.stiffness, mass)
                    : CalcHuntCrossleyRestitution(p.dissipation > 0 ? p.dissipation : 0, speed);
}

// What a step has left of overlap that no load made, of `elastic` energy [J]: what its contacts
// hold where the step found them, beyond what the one before had them hold, as long as it has not
// opened and no load has come to hold it.
double CalcOverlapEnergy(const EnergyLedger& before, double found, const ContactTotals& totals,
                         double kinetic) {
  // less is the round-off of the geometry, and what every turning contact has
  constexpr double kLeast = 0.01;
  const double jump = found - before.elastic;
  const bool counts = jump < 0 || jump > kLeast * (before.elastic + kinetic);
  return std::clamp(before.overlap + (counts ? jump : 0), 0.0, totals.unloaded);
}

/// Square of the angular speed of a free body; 0 of others, and of balls, whose points do not turn.
double SquareOfSpin(const Model& model, const State& state, int index) {
  if (index < 0) return 0;
  const Body& body = model.body(index);
  if (!TurnsContacts(model, body)) return 0;
  return state.v.segment<3>(body.v_start).squaredNorm();
}

/// Size of the sum of m v. Where velocities belong to poses earlier than these by `back` [s], so
/// have those of links, whose directions turn with the joints before them.
double CalcLinearMomentum(const Model& model, std::span<const Vec6> V_WB, double back,
                          std::span<TreeDynamics> trees) {
  Vec3 momentum = Vec3::Zero();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.Moves() && body.shape_of_link < 0) momentum += body.mass * V_WB[b].tail<3>();
  }
  for (const Tree& tree : model.trees) {
    if (back > 0 && tree.articulated >= 0)
      momentum -= back * At(trees, tree.articulated).CalcMomentumRate();
  }
  return momentum.norm();
}

/// Totals over the contacts of a step, which come ascending by key, after those of the step before.
class ContactSums {
 public:
  ContactSums(const Model& model, const StepRecord& before, const State& end, double h,
              ContactTotals* totals)
      : model_(model),
        end_(end),
        h_(h),
        known_(before.contacts.begin()),
        known_end_(before.contacts.end()),
        totals_(*totals) {}

  void Add(const ContactOutcome& outcome, const ContactFrame& frame) {
    ContactTotals& t = totals_;
    ++t.contacts;
    t.normal += frame.fn;
    t.friction += frame.ft;
    t.penetration = std::max(t.penetration, -frame.signed_distance);
    if (frame.fn > 0) AddLoaded(outcome, frame);
    AddImpactOf(outcome, frame);
    // A is at rest or driven: what it gives to B comes from outside
    if (!outcome.a_moves) t.support += frame.fn * frame.n_W.z() + frame.ft_W.z();
    t.sticking += frame.mode == ContactMode::kStick;
    t.slipping += frame.mode == ContactMode::kSlip;
    t.without_friction += frame.friction_off;
    // octahedral bounds lie beyond the cone by themselves
    t.beyond_cone += frame.friction_used > kBeyondCone && !outcome.octahedral;
    if (!std::isnan(frame.coulomb.offset)) AddDistance(frame);
    t.elastic += outcome.elastic_energy;
    t.elastic_at_start += outcome.start_energy;
    t.unloaded += outcome.unloaded_energy;
    if (outcome.unloaded_energy > 0) {
      const double held = frame.fn > 0 ? outcome.prediction.rest_distance : 0;
      t.unloaded_overlap = std::max(t.unloaded_overlap, held - outcome.phi);
    }
    if (frame.near_rigid && outcome.asked_stiffness > 0)
      t.near_rigid_overlap =
          std::max(t.near_rigid_overlap, -outcome.phi - frame.fn / outcome.asked_stiffness);
    t.losses.Add(outcome, frame.ft_W, frame.vt_W, h_);
    t.drive_work += outcome.drive_work;
  }

  /// All have come, `primary` has the largest normal force.
  void Finish(std::span<const ContactFrame> contacts, const ContactFrame* primary) {
    for (const ContactFrame& frame : contacts) {
      if (!octahedral_) break;
      if (frame.fn < kLeastOctahedralLoad * primary->fn) continue;
      totals_.largest_budget = LargerKnown(totals_.largest_budget, frame.friction_used);
    }
    totals_.turn = h_ * std::sqrt(spin_squared_);
    AddImpact(hit_, hit_w_, h_, &totals_);
  }

 private:
  void AddDistance(const ContactFrame& frame) {
    ContactTotals& t = totals_;
    const CoulombDistance& c = frame.coulomb;
    t.coulomb_distance = LargerKnown(t.coulomb_distance, c.distance);
    if (!(std::abs(c.offset) <= std::abs(t.coulomb_offset))) t.coulomb_offset = c.offset;
    t.coulomb_lag = LargerKnown(t.coulomb_lag, c.lag);
    t.cone_excess = LargerKnown(t.cone_excess, ConeExcess(frame));
    const double deficit = DissipationDeficit(frame);
    t.dissipation_deficit =
        (std::isnan(t.dissipation_deficit) ? 0 : t.dissipation_deficit) + deficit;
    if (std::isnan(c.distance)) return;
    t.weighted_distance += frame.w * c.distance * c.distance;
    const double about =
        frame.torsional_friction > 0 ? frame.torque * frame.friction / frame.torsional_friction : 0;
    t.weighted_force += frame.w * (frame.fn * frame.fn + frame.ft * frame.ft + about * about);
  }
  void AddLoaded(const ContactOutcome& outcome, const ContactFrame& frame) {
    ContactTotals& t = totals_;
    SeeSpin(frame.body, &seen_b_);
    SeeSpin(frame.body_a, &seen_a_);
    t.loaded_penetration -= frame.signed_distance;
    t.loaded_overlap += std::max(0.0, -frame.signed_distance);
    t.loaded_tolerance += frame.stiction_tolerance;
    t.largest_tolerance = std::max(t.largest_tolerance, frame.stiction_tolerance);
    octahedral_ = octahedral_ || outcome.octahedral;
    if (!outcome.octahedral) t.largest_budget = LargerKnown(t.largest_budget, frame.friction_used);
    if (frame.torsional_friction > 0)
      t.largest_torque = LargerKnown(t.largest_torque, std::abs(frame.torque));
  }

  void AddImpactOf(const ContactOutcome& outcome, const ContactFrame& frame) {
    // both lists are sorted by key; a gap that closes under load is no impact
    while (known_ != known_end_ && known_->key < frame.key) ++known_;
    const bool pressed = known_ != known_end_ && known_->key == frame.key && known_->fn > 0;
    if (!(frame.fn > 0) || pressed) return;
    const double speed = std::max(0.0, -outcome.vn0);
    if (!(speed <= totals_.impact))
      hit_ = outcome.prediction, hit_w_ = outcome.w, totals_.impact = speed;
  }

  void SeeSpin(int body, int* seen) {
    if (body == *seen) return;
    *seen = body;
    spin_squared_ = std::max(spin_squared_, SquareOfSpin(model_, end_, body));
  }

  const Model& model_;
  const State& end_;
  double h_;
  std::vector<ContactFrame>::const_iterator known_, known_end_;
  ContactTotals& totals_;
  bool octahedral_ = false;
  double spin_squared_ = 0;
  int seen_a_ = -1, seen_b_ = -1;  // contacts of one pair follow each other
  ContactPrediction hit_;          // of the fastest impact
  double hit_w_ = 0;
};

// The contacts of a step, ascending by key, after those of the step `before`; sets their totals and
// returns the one with the largest normal force.
const ContactFrame* MeasureContacts(const Model& model, Formulation* formulation,
                                    const StepRecord& before, const State& end, double h,
                                    std::vector<ContactFrame>* contacts, ContactTotals* totals) {
  ContactSums sums(model, before, end, h, totals);
  std::size_t count = 0, primary = 0;
  // the list only grows on the way: what it holds is written over
  for (auto block = formulation->Contacts(0); !block.empty();
       block = formulation->Contacts(count)) {
    if (contacts->size() < count + block.size()) contacts->resize(count + block.size());
    for (const ContactOutcome& outcome : block) {
      ContactFrame* frame = &(*contacts)[count];
      MeasureContact(outcome, frame);
      const Pose& X = (outcome.at_end ? end : before.state).pose(frame->body);
      frame->p_BP = X.q.conjugate() * (frame->p_W - X.p);
      sums.Add(outcome, *frame);
      if (frame->fn > (*contacts)[primary].fn) primary = count;
      ++count;
    }
  }
  contacts->resize(count);
  const ContactFrame* most = count > 0 ? &(*contacts)[primary] : nullptr;
  sums.Finish(*contacts, most);
  return most;
}

/// Bodies that lean by more than 45 degrees from how they stood at the start. A ball stands however
/// it is turned, and links of robots lean on purpose.
int CountFallen(const Model& model, const State& state) {
  constexpr double kCosine = 0.70710678118654752;
  int fallen = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!body.Moves() || body.robot >= 0 || body.shape.kind == ShapeKind::kSphere) continue;
    const Quat turn = state.X_WB[b].q * body.X_WB.q.conjugate();
    const double up = 1 - 2 * (turn.x() * turn.x() + turn.y() * turn.y());
    fallen += up < kCosine ? 1 : 0;
  }
  return fallen;
}

// Signals of the state in `record`, and of what the rest of `step` points to.
void Read(const Model& model, std::span<const Vec6> V_WB, StepView step, StepRecord* record) {
  const State& state = record->state;
  BodyFrame lead;
  if (!model.bodies.empty()) {
    const auto b = static_cast<std::size_t>(model.lead_body);
    lead = {state.X_WB[b], V_WB[b]};
    step.lead = &lead;
    // most frames are the body's own
    if (const Quat& q = model.bodies[b].X_BL.q; !q.vec().isZero(0)) step.lead_x = q * Vec3::UnitX();
    step.start = &model.lead_start;
    step.fallen = CountFallen(model, state);
  }
  ReadSignals(step, &record->signals);
}

}  // namespace

void JudgeFriction(FrictionBound bound, ContactFrame* contact) {
  ContactFrame& c = *contact;
  c.bound = bound;
  c.friction_used = kNaN;
  if (const double limit = c.friction * c.fn; limit > 0) {
    const double twist = c.torsional_friction > 0 ? c.torque / (c.torsional_friction * c.fn) : 0;
    switch (bound) {
      case FrictionBound::kCone:
        // a patch has one budget for both
        c.friction_used = twist != 0 ? std::hypot(c.ft / limit, twist) : c.ft / limit;
        break;
      case FrictionBound::kOctahedron:
        c.friction_used = c.ft_C.lpNorm<1>() / limit + std::abs(twist);
        break;
    }
  }
  c.word = c.mode == ContactMode::kOpen   ? "open"
           : c.mode == ContactMode::kSlip ? "slip"
           : c.friction_used >= kAtLimit  ? "limit"
                                          : "stick";
}

void Measure(const Model& model, const Config& config, Formulation* formulation,
             const StepOutput& output, const StepRecord& before, StepRecord* next,
             Kinematics* kinematics) {
  const State& previous = before.state;
  State& state = next->state;
  const double h = config.step.time_step;
  next->solve = output.solve;
  next->measured = true;
  ContactTotals totals;
  totals.penetration = output.unseen_penetration;
  const ContactFrame* primary =
      MeasureContacts(model, formulation, before, state, h, &next->contacts, &totals);
  const std::span<const CandidatePoint> chosen = formulation->Candidates();
  next->candidates.assign(chosen.begin(), chosen.end());
  const double drive_work = totals.drive_work + output.motor_work;
  ContactLosses& losses = totals.losses;
  if (output.losses) losses = *output.losses;
  losses.damping += output.joint_damping_loss;
  losses.friction += output.joint_friction_loss;
  next->grab_force_W = output.pull.force_W;

  StepView step{config, state};
  kinematics->Update(model, state);
  step.kinetic = CalcKineticEnergy(model, state, kinematics->V_WB);
  step.potential = CalcPotentialEnergy(model, state, CalcGravity(config.step));
  EnergyLedger& ledger = state.energy;
  ledger.elastic = totals.elastic;
  const bool told = std::isfinite(totals.elastic_at_start);
  ledger.found = told ? totals.elastic_at_start : previous.energy.elastic;
  ledger.overlap =
      told ? CalcOverlapEnergy(previous.energy, ledger.found, totals, step.kinetic) : 0;
  step.elastic = ledger.elastic - ledger.overlap;
  // the balance closes by definition; what is left is the time stepping's own
  ledger.mechanical = step.kinetic + step.potential + step.elastic;
  const double numerical = previous.energy.mechanical + drive_work + output.pull.work -
                           losses.friction - losses.damping - ledger.mechanical;
  ledger.drive_work = previous.energy.drive_work + drive_work + output.pull.work;
  ledger.friction = previous.energy.friction + losses.friction;
  ledger.damping = previous.energy.damping + losses.damping;
  ledger.numerical = previous.energy.numerical + numerical;

  step.totals = &totals;
  step.primary = primary;
  step.solve = &output.solve;
  step.times = &output.times;
  Read(model, kinematics->V_WB, step, next);
}

void MeasureMomentum(const Model& model, const Config& config, Kinematics* kinematics,
                     StepRecord* record) {
  const bool half_a_step = Info(config.method()).contact_model >= 0;
  At(record->signals, Signal::kLinearMomentum) = CalcLinearMomentum(
      model, kinematics->V_WB, half_a_step ? 0.5 * config.step.time_step : 0, kinematics->trees);
}

void MeasureStart(const Model& model, const Config& config, std::span<const Vec6> V_WB,
                  double elastic, StepRecord* record) {
  record->measured = false;
  record->contacts.clear();
  record->candidates.clear();
  record->solve = SolveRecord{};
  record->grab_force_W.setZero();
  State& state = record->state;
  StepView step{config, state};
  step.kinetic = CalcKineticEnergy(model, state, V_WB);
  step.potential = CalcPotentialEnergy(model, state, CalcGravity(config.step));
  step.elastic = elastic;
  step.momentum = CalcLinearMomentum(model, V_WB, 0, {});
  state.energy = EnergyLedger{};
  state.energy.mechanical = step.kinetic + step.potential + step.elastic;
  state.energy.elastic = elastic;
  Read(model, V_WB, step, record);
}

}  // namespace slip
