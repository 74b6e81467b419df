#include "engine/integrators/trial_dynamics.h"

#include <algorithm>
#include <limits>

#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr double kRamp = 1e-3, kThickRamp = 0.1;  // of the way of a step

// Derivative of the projected force by the force before it (eq. (2), radial scaling).
Mat3 CalcProjectionDerivative(const TrialContact& contact) {
  const BristleForce& force = contact.force;
  const Vec3& n = contact.at.touch.n_W;
  const double fn = contact.trial_W.dot(n);
  if (!(fn > 0) && !contact.held) return Mat3::Zero();
  if (!force.slips) return Mat3::Identity();
  const double mu = contact.at.touch.params.friction;
  const Vec3 ft = contact.trial_W - fn * n;
  const double size = ft.norm();
  const Vec3 t = ft / size;
  return (n + mu * t) * n.transpose() +
         mu * fn / size * (Mat3::Identity() - n * n.transpose() - t * t.transpose());
}

// The force on a piece of the law: friction is that of its side of the cone, whatever its limit,
// and the normal force may pull.
BristleForce CalcOnPiece(bool slips, double friction, const Vec3& n_W, const Vec3& trial_W) {
  BristleForce out{.f_W = trial_W, .slips = slips};
  if (!slips) return out;
  const double fn = trial_W.dot(n_W);
  const Vec3 ft = trial_W - fn * n_W;
  const double size = ft.norm();
  out.f_W = fn * n_W;
  if (size > 0) out.f_W += friction * fn / size * ft;
  return out;
}

}  // namespace

void TrialDynamics::Begin(const StepInput& input, const MaterialPairs& materials) {
  input_ = &input;
  materials_ = &materials;
  state_ = input.start;
}

void TrialDynamics::Reserve(int points, int nv) {
  found_.reserve(static_cast<std::size_t>(points));
  contacts_.reserve(static_cast<std::size_t>(points));
  J_.resize(3, nv);
  by_force_.resize(nv, 3);
  motion_.ReservePoints(points, nv);
}

void TrialDynamics::Start(const Tree& tree, std::span<const AnchoredTouch> touches, bool ramps) {
  tree_ = &tree;
  touches_ = touches;
  ramps_ = ramps;
  RampAll(false);
  Hold(nullptr);
}

double TrialDynamics::CalcReach(const Touch& touch) const {
  const Vec3& origin = state_.pose(touch.body).p;
  return origin.norm() + (touch.p_W - origin).norm();
}

void TrialDynamics::Hold(const TrialPieces* pieces) {
  held_ = pieces;
  motion_.HoldMotors(pieces != nullptr ? std::span<const int>(pieces->motors)
                                       : std::span<const int>());
}

void TrialDynamics::FindPieces(TrialPieces* pieces) const {
  pieces->contacts.clear();
  for (const TrialContact& contact : contacts_) {
    if (contact.whole_W == Vec3::Zero()) continue;
    pieces->contacts.push_back(
        {contact.at.touch.key, contact.force.slips, contact.weight_rate != 0});
  }
  pieces->motors.assign(static_cast<std::size_t>(tree_->nv), 0);
  for (int i = 0; i < tree_->nv; ++i) At(pieces->motors, i) = motion_.MotorPiece(i);
}

// Of all points those that the piece takes for closed.
void TrialDynamics::KeepHeld() {
  auto piece = held_->contacts.begin();
  std::erase_if(found_, [&](const Touch& touch) {
    while (piece != held_->contacts.end() && piece->key < touch.key) ++piece;
    return piece == held_->contacts.end() || piece->key != touch.key;
  });
}

// Length of the ramp on which the last bits of the point's position are no more than `soft_`.
double TrialDynamics::CalcSoftRamp(const TrialContact& contact, double elapsed) {
  const Touch& touch = contact.at.touch;
  J_.resize(3, tree_->nv);
  motion_.CalcRows(touch, J_);
  by_force_ = J_.transpose();
  motion_.SolveInPlace(by_force_);
  const double bits = kLastBits * std::numeric_limits<double>::epsilon() * CalcReach(touch);
  return elapsed * by_force_.norm() * contact.whole_W.norm() * bits / soft_;
}

void TrialDynamics::TakeTouch(const Touch& touch, const AnchoredTouch* known,
                              const TrialPieces::Contact* piece, double elapsed) {
  TrialContact& contact = contacts_.emplace_back();
  contact.at = {touch, touch.p_W};
  contact.old = known != nullptr;
  contact.held = piece != nullptr;
  if (contact.old)
    contact.at.anchor_W = known->anchor_W + CarryAnchor(input_->start, state_, touch, elapsed);
  const Vec3 v_W = motion_.CalcVelocity(touch);
  const double friction = touch.params.friction;
  contact.trial_W = CalcTrialForce(touch.params, touch.p_W - contact.at.anchor_W, v_W);
  contact.force = contact.held ? CalcOnPiece(piece->slips, friction, touch.n_W, contact.trial_W)
                               : ProjectOnCone(friction, touch.n_W, contact.trial_W);
  contact.whole_W = contact.force.f_W;
  double ramp = (thick_ ? kThickRamp : kRamp) * elapsed * -touch.n_W.dot(v_W);
  const bool may_ramp = ramps_ && (!contact.old || ramp_all_);
  const bool in_ramp = contact.held ? piece->in_ramp && ramp > 0 : may_ramp && -touch.phi < ramp;
  if (in_ramp) {
    if (soft_ > 0) ramp = std::max(ramp, CalcSoftRamp(contact, elapsed));
    contact.weight = -touch.phi / ramp;
    contact.weight_rate = -1 / ramp;
    contact.force.f_W *= contact.weight;
  }
  motion_.AddPoint(touch);
  motion_.AddForce(contacts_.size() - 1, contact.force.f_W, &acceleration_);
}

bool TrialDynamics::Evaluate(const VectorX& displacement, const VectorX& v, double elapsed) {
  const Model& model = input_->model;
  const Config& config = input_->config;
  const State& start = input_->start;
  if (!displacement.allFinite() || !v.allFinite()) return false;
  for (int b = tree_->first_body; b < tree_->first_body + tree_->bodies; ++b)
    state_.pose(b) = start.pose(b);
  state_.q.segment(tree_->q_start, tree_->nq) = start.q.segment(tree_->q_start, tree_->nq);
  state_.v.segment(tree_->v_start, tree_->nv) = displacement;
  IntegratePositions(model, *tree_, 1, &state_);
  state_.v.segment(tree_->v_start, tree_->nv) = v;
  kinematics_.UpdateTree(model, *tree_, state_);
  TreeDynamics* links =
      tree_->articulated >= 0 ? &At(kinematics_.trees, tree_->articulated) : nullptr;
  motion_.Update(model, config, *tree_, links, state_, kinematics_.V_WB, input_->actuation);
  if (!motion_.positive()) return false;

  FindTouches(model, config, *materials_, *tree_, start.Time(config.step.time_step), state_,
              &found_, held_ != nullptr ? kInfinity : 0);
  if (held_ != nullptr) KeepHeld();
  contacts_.clear();
  acceleration_.setZero(tree_->nv);
  motion_.ClearPoints();
  auto known = touches_.begin();
  std::size_t count = 0;
  for (const Touch& touch : found_) {
    while (known != touches_.end() && known->touch.key < touch.key) ++known;
    const bool old = known != touches_.end() && known->touch.key == touch.key;
    TakeTouch(touch, old ? &*known : nullptr,
              held_ != nullptr ? &held_->contacts[count++] : nullptr, elapsed);
  }
  motion_.SolveInPlace(acceleration_);
  acceleration_ += motion_.free_acceleration();
  return acceleration_.allFinite();
}

void TrialDynamics::Linearize(MatrixX* by_position, MatrixX* by_velocity) {
  motion_.CalcDerivatives(acceleration_, by_position, by_velocity);
  J_.resize(3, tree_->nv);
  along_.resize(tree_->nv);
  across_.resize(tree_->nv);
  for (const TrialContact& contact : contacts_) {
    if (contact.whole_W == Vec3::Zero() && !contact.held) continue;
    const auto& [touch, anchor_W, slid_] = contact.at;
    motion_.CalcRows(touch, J_);
    motion_.CalcVelocityDerivative(touch, &rates_);
    weighted_.noalias() = J_.transpose() * (contact.weight * CalcProjectionDerivative(contact));
    by_velocity->noalias() += touch.params.damping * weighted_ * J_;
    rates_ *= touch.params.damping;
    // the anchor of a point that has just come is where the point is: no spring
    if (contact.old) rates_ += touch.params.stiffness * J_;
    by_position->noalias() += weighted_ * rates_;
    // that the ramp also depends on the velocity is a thousandth of this
    if (contact.weight_rate != 0) {
      along_.noalias() = J_.transpose() * (contact.weight_rate * contact.whole_W);
      across_.noalias() = touch.n_W.transpose() * J_;
      by_position->noalias() -= along_ * across_;
    }
    motion_.AddForceDerivative(touch, -contact.force.f_W, by_position);
  }
}

}  // namespace slip
