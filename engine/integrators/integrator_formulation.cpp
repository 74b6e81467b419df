#include "engine/integrators/integrator_formulation.h"

#include <algorithm>
#include <cmath>

#include "engine/collide/contact_detector.h"
#include "engine/collide/narrow_phase.h"
#include "engine/core/numbers.h"
#include "engine/core/stopwatch.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/integrators/integrator_params.h"
#include "engine/integrators/stable_step.h"

namespace slip {
namespace {

// What of the model these formulations do not have, and of which body; empty when nothing.
std::string_view Missing(const Model& model, int* culprit) {
  *culprit = -1;
  if (model.pairs && model.HasPairs()) {
    return "contacts with anchors are those of points on surfaces, and here bodies can touch "
           "bodies";
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    *culprit = static_cast<int>(b);
    if (!body.Moves()) continue;
    if (body.joint.friction > 0)
      return "its joint has dry friction, which this method does not know";
    if (body.joint.leader >= 0) return "its joint follows another, which this method does not know";
  }
  return {};
}

// The first body without contact points whose shape touches a surface; -1 = none.
int FirstOnItsShape(const Model& model, const State& state, PairContacts* found) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!body.collides || !body.points_B.empty() || !body.Moves()) continue;
    for (const Surface& surface : model.surfaces) {
      if (surface.normal.dot(state.X_WB[b].p - surface.point) > body.bound) continue;
      found->clear();
      CollidePlane({surface.normal, surface.point}, body.shape, state.X_WB[b], 0, found, {});
      if (!found->empty()) return static_cast<int>(b);
    }
  }
  return -1;
}

// The first body whose joint is beyond a limit; -1 = none.
int FirstBeyondLimit(const Model& model, const State& state) {
  if (model.articulated == 0) return -1;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.nv != 1 || body.nq != 1) continue;
    const double q = state.q[body.q_start];
    if (q < body.joint.lower || q > body.joint.upper) return static_cast<int>(b);
  }
  return -1;
}

}  // namespace

// The tree at the start of the step: its motion, its touches, and the limit of stable steps where
// that is asked for.
void IntegratorFormulation::BeginTree(const StepInput& input, const Tree& tree,
                                      StepOutput* output) {
  Stopwatch watch(input.time_stages);
  const Model& model = input.model;
  const Config& config = input.config;
  const double h = config.step.time_step;
  TreeDynamics* links = tree.articulated >= 0 ? &At(input.trees, tree.articulated) : nullptr;
  motion_.Update(model, config, tree, links, input.start, input.V_WB, input.actuation,
                 JointsAreImplicit() ? h : 0);
  of_tree_.clear();
  for (const AnchoredTouch& touch : touches_) {
    const Body& body = model.body(touch.touch.body);
    if (&model.TreeOf(body) == &tree) of_tree_.push_back(touch);
  }
  const bool in_the_middle =
      config.step.part<BiasParams>().bias == static_cast<int>(BiasForm::kMidpoint) &&
      MiddleBias::Matters(model, tree);
  if (in_the_middle && JointsAreImplicit()) middle_.Take(input, tree, !of_tree_.empty(), &motion_);
  watch.Add(&output->times.kinematics_us);
  tree_step_.times = input.time_stages ? &output->times : nullptr;
  tree_step_.tree = &tree;
  tree_step_.motion = &motion_;
  tree_step_.touches = of_tree_;
  tree_step_.h = h;
  tree_step_.converged = true;
  tree_step_.beyond_digits = false;
  tree_step_.motors = motion_.motors();
  tree_step_.dampers = motion_.dampers();
  tree_step_.pull = {};
  tree_step_.forces.clear();
  if (!input.measure_condition || of_tree_.empty()) return;
  const StableStep own = Info(config.method()).stable_step;
  double& limit = output->solve.stable_step;  // fmin: the first one replaces the NaN
  limit = std::fmin(
      limit, probe_.Calc(&motion_, of_tree_, own != nullptr ? own : ExplicitEulerStableStep));
}

StepStatus IntegratorFormulation::Step(const StepInput& input, StepOutput* output) {
  const Model& model = input.model;
  const Config& config = input.config;
  const State& start = input.start;
  const double h = config.step.time_step, time = start.Time(h);
  if (checked_ != &model) {
    checked_ = &model;
    missing_ = Missing(model, &missing_in_);
  }
  output->reason = missing_;
  output->culprit_body = missing_in_;
  if (!missing_.empty()) return StepStatus::kUnable;
  output->culprit_body = -1;
  output->motor_work = output->joint_damping_loss = output->joint_friction_loss = 0;
  output->pull = {};
  output->solve = {};
  output->solve.converged = true;
  // nothing is minimised here
  output->solve.cost = output->solve.momentum_residual = output->solve.inverse_dynamics_residual =
      output->solve.condition_number = output->solve.condition_number_raw = kNaN;
  Stopwatch watch(input.time_stages);
  if (input.time_stages) output->times.ForgetParts();

  materials_.Combine(config.materials);
  FindTouches(model, config, materials_, time, start, &found_);
  FindAnchors(found_, start.memory, &touches_);
  forces_.clear();
  watch.Lap(&output->times.detection_us);

  State& end = output->end;
  end.TakeUnsolved(start);
  end.v = start.v;
  ClearSums(model);
  bool beyond_digits = false;
  Begin(input, materials_);
  for (const Tree& tree : model.trees) {
    BeginTree(input, tree, output);
    if (IsStopped(input.stop)) return StepStatus::kStopped;
    if (!Integrate(input, &tree_step_, &output->solve)) {
      if (IsStopped(input.stop)) return StepStatus::kStopped;
      output->culprit_body = tree.first_body;
      if (tree_step_.beyond_digits) {
        output->reason =
            "stiffness and damping, over its mass, are so large for this time step that its "
            "exponential has no digits";
        return StepStatus::kBeyondDigits;
      }
      return motion_.positive() ? StepStatus::kNotFinite : StepStatus::kFactorizationFailed;
    }
    AddTree(input, output);
    beyond_digits |= tree_step_.beyond_digits;
  }
  // positions (+) (h v + h²/2 drift)
  std::swap(end.v, displacement_);
  IntegratePositions(model, h, &end);
  std::swap(end.v, displacement_);
  ++end.step;
  watch.Lap(&output->times.solve_us);
  if (const StepStatus status = CheckEnd(input, beyond_digits, output); !Advanced(status))
    return status;
  // trees may have their bodies, and so their keys, in each other's midst
  const auto by_key = [](const PointForce& a, const PointForce& b) {
    return a.touch.key < b.touch.key;
  };
  if (!std::is_sorted(forces_.begin(), forces_.end(), by_key))
    std::sort(forces_.begin(), forces_.end(), by_key);
  Finish(input, &end);
  output->losses = losses_;
  output->shared_error = CalcSharedError(input, end);
  output->solve.gain = CalcGain(input, end);
  output->solve.contacts = static_cast<int>(forces_.size());
  return output->solve.converged ? StepStatus::kConverged : StepStatus::kIterationLimit;
}

// Of the trees of a step.
void IntegratorFormulation::ClearSums(const Model& model) {
  displacement_.setZero(model.nv);
  works_.assign(model.trees.size(), 0.0);
}

// What the tree's step has come to, into that of all.
void IntegratorFormulation::AddTree(const StepInput& input, StepOutput* output) {
  const State& start = input.start;
  const double h = input.config.step.time_step;
  const Tree& tree = *tree_step_.tree;
  TreeStep& out = tree_step_;
  if (JointsAreImplicit()) motion_.AddImplicitForces(out.acceleration, &out.motors, &out.dampers);
  forces_.insert(forces_.end(), out.forces.begin(), out.forces.end());
  output->solve.converged &= out.converged;
  const auto v = start.v.segment(tree.v_start, tree.nv);
  auto mean = displacement_.segment(tree.v_start, tree.nv);
  mean = v + 0.5 * h * out.drift;
  output->motor_work += h * out.motors.dot(mean);
  output->pull.force_W += out.pull.force_W;  // it pulls at most one of them
  output->pull.work += out.pull.work;
  output->joint_damping_loss -= h * out.dampers.dot(mean);
  works_[static_cast<std::size_t>(&tree - input.model.trees.data())] +=
      h * (out.motors.dot(mean) + out.dampers.dot(mean)) + out.pull.work;
  output->end.v.segment(tree.v_start, tree.nv) = v + h * out.acceleration;
}

// Whether the end may be one; converged where it may.
StepStatus IntegratorFormulation::CheckEnd(const StepInput& input, bool beyond_digits,
                                           StepOutput* output) {
  const Model& model = input.model;
  const State& end = output->end;
  if (const int lost = FirstNotFinite(model, end); lost >= 0) {
    output->culprit_body = lost;
    return StepStatus::kNotFinite;
  }
  if (output->solve.worst_residual > kLostResidual && input.config.step.lost_steps == 0) {
    if (beyond_digits)
      output->reason =
          "the last digits of positions, times the stiffness, are forces that the body feels";
    return StepStatus::kLost;
  }
  if (const int beyond = FirstBeyondLimit(model, end); beyond >= 0) {
    output->culprit_body = beyond;
    output->reason = "its joint has come to a limit, which this method does not have";
    return StepStatus::kUnable;
  }
  if (const int lies = FirstOnItsShape(model, end, &shape_contacts_); lies >= 0) {
    output->culprit_body = lies;
    output->reason = "its shape comes to a surface, and contacts with anchors are those of points";
    return StepStatus::kUnable;
  }
  return StepStatus::kConverged;
}

// The anchors at the end, and what the contacts of the step have come to.
void IntegratorFormulation::Finish(const StepInput& input, State* end) {
  const Model& model = input.model;
  const Config& config = input.config;
  const double h = config.step.time_step;
  kinematics_.Update(model, *end);
  FindTouches(model, config, materials_, end->Time(h), *end, &found_);
  outcomes_.clear();
  end->contacts.clear();
  end->memory.clear();
  auto before = touches_.begin();
  auto force = forces_.begin();
  losses_ = {};
  gains_.assign(model.trees.size(), 0.0);
  const auto find_before = [&](ContactKey key) {
    while (before != touches_.end() && before->touch.key < key) ++before;
    return before != touches_.end() && before->touch.key == key ? &*before : nullptr;
  };
  const auto leave = [&] {  // it does not touch at the end
    Append(input, *end, force->touch, force->f_W, find_before(force->touch.key), nullptr, false);
    ++force;
  };
  for (const Touch& touch : found_) {
    while (force != forces_.end() && force->touch.key < touch.key) leave();
    const AnchoredTouch* const old = find_before(touch.key);
    const bool felt = force != forces_.end() && force->touch.key == touch.key;
    AnchoredTouch at{touch, touch.p_W};
    if (old != nullptr) at.anchor_W = old->anchor_W + CarryAnchor(input.start, *end, touch, h);
    BristleForce now =
        ProjectOnCone(touch.params.friction, touch.n_W,
                      CalcTrialForce(touch.params, touch.p_W - at.anchor_W, Velocity(*end, touch)));
    // no more of the spring is held than acted: a point may be just above in the step's own numbers
    if (felt) {
      now.f_W *= force->weight;
    } else if (old != nullptr) {
      now.f_W.setZero();
    }
    const bool published =
        config.step.part<AnchorParams>().anchors == static_cast<int>(AnchorRule::kPublished);
    at.anchor_W = (published ? MoveAnchorAsPublished : MoveAnchor)(touch.params, touch.n_W,
                                                                   at.anchor_W, touch.p_W, now);
    end->memory.push_back({touch.key, at.anchor_W, now.slips});
    Append(input, *end, touch, felt ? force->f_W : Vec3::Zero(), old, &at, now.slips);
    outcomes_.back().sticks = now.slips ? 0 : 1;
    if (felt) ++force;
  }
  while (force != forces_.end()) leave();
  for (const ContactOutcome& out : outcomes_) end->contacts.push_back(out.key);
}

// Points that the step has found too late, by their depth. A linear law has gone on where contacts
// pull or begin to slip: the force at the end would be off by so much, and a ramp of force moves a
// mass by h²/6 of its end.
double IntegratorFormulation::CalcSharedError(const StepInput& input, const State& end) const {
  double error = 0;
  auto before = touches_.begin();
  for (const Touch& touch : found_) {
    while (before != touches_.end() && before->touch.key < touch.key) ++before;
    if (before == touches_.end() || before->touch.key != touch.key)
      error = std::max(error, -touch.phi);
  }
  if (!IsLinear()) return error;
  const double h = input.config.step.time_step;
  for (const AnchoredTouch& at : touches_) {
    Touch touch = at.touch;
    const Body& body = input.model.body(touch.body);
    const Surface& surface = At(input.model.surfaces, touch.surface);
    const int point = input.model.FindPoint(body, touch.key);
    CalcSignedDistance(surface, body, At(body.points_B, point), end.pose(touch.body), &touch.p_W);
    const Vec3 anchor_W = at.anchor_W + CarryAnchor(input.start, end, touch, h);
    const Vec3 f_W = CalcTrialForce(touch.params, touch.p_W - anchor_W, Velocity(end, touch));
    const double fn = f_W.dot(touch.n_W), ft = (f_W - fn * touch.n_W).norm();
    double off = std::max(0.0, -fn);
    if (!at.slid) off = std::max(off, ft - touch.params.friction * std::max(0.0, fn));
    error = std::max(error, off * h * h / (6 * body.mass));
  }
  return error;
}

Vec3 IntegratorFormulation::Velocity(const State& end, const Touch& touch) const {
  const auto b = static_cast<std::size_t>(touch.body);
  const Vec6& V = kinematics_.V_WB[b];
  return V.tail<3>() + V.head<3>().cross(touch.p_W - end.X_WB[b].p) - touch.belt_W;
}

void IntegratorFormulation::Append(const StepInput& input, const State& end, const Touch& touch,
                                   const Vec3& f_W, const AnchoredTouch* before,
                                   const AnchoredTouch* now, bool slips) {
  const Model& model = input.model;
  ContactOutcome& out = outcomes_.emplace_back();
  out.key = touch.key;
  out.surface = touch.surface;
  out.body = touch.body;
  const auto b = static_cast<std::size_t>(touch.body);
  const Body& body = model.bodies[b];
  const int point = model.FindPoint(body, touch.key);
  out.phi = CalcSignedDistance(At(model.surfaces, touch.surface), body, At(body.points_B, point),
                               end.X_WB[b], &out.p_W);
  out.at_end = true;
  out.n_W = touch.n_W;
  out.t1_W = touch.t1_W;
  out.t2_W = out.n_W.cross(out.t1_W);
  Touch at = touch;
  at.p_W = out.p_W;
  const auto in_C = [&out](const Vec3& x) {
    return Vec3(out.t1_W.dot(x), out.t2_W.dot(x), out.n_W.dot(x));
  };
  out.v_C = in_C(Velocity(end, at));
  out.f_C = in_C(f_W);
  out.vt = out.v_C.head<2>().norm();
  out.ft = out.f_C.head<2>().norm();
  const Pose& X = input.start.X_WB[b];
  const Vec6& V = input.V_WB[b];
  const Vec3 v0_C = in_C(V.tail<3>() + V.head<3>().cross(touch.p_W - X.p) - touch.belt_W);
  out.vn0 = v0_C.z();
  out.mu = touch.params.friction;
  out.w = 1 / body.mass;
  out.prediction.rest_distance = -out.f_C.z() / touch.params.stiffness;
  out.prediction.stiffness = touch.params.stiffness;
  out.prediction.damping = touch.params.damping;
  out.prediction.dissipation = kNaN;
  out.sticks = 1;
  if (input.measure_distance) {
    const double h = input.config.step.time_step;
    const double v_law = CalcTouchVelocity(touch.params.stiffness, touch.params.damping,
                                           out.phi - h * out.v_C.z(), h, out.f_C.z());
    out.coulomb = CalcCoulombDistance(out.Measured(h, v_law));
  }
  At(gains_, body.tree) -=
      AddLosses(input.config.step.time_step, out.f_C, v0_C, out.v_C, before, now, slips);
  // the belt pushes the body with f, and its drive does f . u
  out.drive_work = input.config.step.time_step * f_W.dot(touch.belt_W);
  works_[static_cast<std::size_t>(body.tree)] += out.drive_work;
  if (now == nullptr) return;
  out.elastic_energy = StoredEnergy(*now);
  out.damping_force = -touch.params.damping * out.v_C.z();
}

std::span<const ContactOutcome> IntegratorFormulation::Contacts(std::size_t first) {
  return std::span<const ContactOutcome>(outcomes_).subspan(first);
}

// Anchors from which springs and dampers give the forces that there are.
void IntegratorFormulation::TakeOver(const Model& model, const Config& config,
                                     std::span<const PreviousContact> contacts, State* state) {
  if (!state->memory.empty()) return;  // of another formulation with anchors
  materials_.Combine(config.materials);
  FindTouches(model, config, materials_, state->Time(config.step.time_step), *state, &found_);
  auto left = contacts.begin();
  for (const Touch& touch : found_) {
    while (left != contacts.end() && left->key < touch.key) ++left;
    if (left == contacts.end() || left->key != touch.key) continue;
    const BristleParams& params = touch.params;
    const Vec3 stretch = (left->f_W + params.damping * left->v_W) / params.stiffness;
    state->memory.push_back({touch.key, touch.p_W + stretch, false});
  }
}

State IntegratorFormulation::StartState(const Model& model, const Config&) const {
  State state;
  SetStart(model, &state);
  return state;
}

}  // namespace slip
