#include "engine/integrators/trial_dynamics.h"

namespace slip {
namespace {

constexpr double kRamp = 1e-3;  // of the way of a step

// Derivative of the projected force by the force before it (eq. (2), radial scaling).
Mat3 CalcProjectionDerivative(const TrialContact& contact) {
  const BristleForce& force = contact.force;
  const Vec3& n = contact.at.touch.n_W;
  const double fn = contact.trial_W.dot(n);
  if (!(fn > 0)) return Mat3::Zero();
  if (!force.slips) return Mat3::Identity();
  const double mu = contact.at.touch.params.friction;
  const Vec3 ft = contact.trial_W - fn * n;
  const double size = ft.norm();
  const Vec3 t = ft / size;
  return (n + mu * t) * n.transpose() +
         mu * fn / size * (Mat3::Identity() - n * n.transpose() - t * t.transpose());
}

}  // namespace

void TrialDynamics::Begin(const StepInput& input, const MaterialPairs& materials) {
  input_ = &input;
  materials_ = &materials;
  state_ = input.start;
}

void TrialDynamics::Start(const Tree& tree, std::span<const AnchoredTouch> touches, bool ramps) {
  tree_ = &tree;
  touches_ = touches;
  ramps_ = ramps;
}

bool TrialDynamics::Evaluate(const VectorX& displacement, const VectorX& v, double elapsed) {
  const Model& model = input_->model;
  const Config& config = input_->config;
  const State& start = input_->start;
  if (!displacement.allFinite() || !v.allFinite()) return false;
  for (int b = tree_->first_body; b < tree_->first_body + tree_->bodies; ++b)
    state_.X_WB[static_cast<std::size_t>(b)] = start.X_WB[static_cast<std::size_t>(b)];
  state_.q.segment(tree_->q_start, tree_->nq) = start.q.segment(tree_->q_start, tree_->nq);
  state_.v.segment(tree_->v_start, tree_->nv) = displacement;
  IntegratePositions(model, *tree_, 1, &state_);
  state_.v.segment(tree_->v_start, tree_->nv) = v;
  kinematics_.UpdateTree(model, *tree_, state_);
  TreeDynamics* links = tree_->articulated >= 0
                            ? &kinematics_.trees[static_cast<std::size_t>(tree_->articulated)]
                            : nullptr;
  motion_.Update(model, config, *tree_, links, state_, kinematics_.V_WB, input_->actuation);
  if (!motion_.positive()) return false;

  FindTouches(model, config, *materials_, *tree_, start.Time(config.step.time_step), state_,
              &found_);
  contacts_.clear();
  acceleration_.setZero(tree_->nv);
  motion_.ClearPoints();
  auto known = touches_.begin();
  for (const Touch& touch : found_) {
    TrialContact& contact = contacts_.emplace_back();
    contact.at = {touch, touch.p_W};
    while (known != touches_.end() && known->touch.key < touch.key) ++known;
    contact.old = known != touches_.end() && known->touch.key == touch.key;
    if (contact.old)
      contact.at.anchor_W = known->anchor_W + CarryAnchor(start, state_, touch, elapsed);
    const Vec3 v_W = motion_.CalcVelocity(touch);
    contact.trial_W = CalcTrialForce(touch.params, touch.p_W - contact.at.anchor_W, v_W);
    contact.force = ProjectOnCone(touch.params.friction, touch.n_W, contact.trial_W);
    contact.whole_W = contact.force.f_W;
    const double ramp = kRamp * elapsed * -touch.n_W.dot(v_W);
    if (ramps_ && !contact.old && -touch.phi < ramp) {
      contact.weight = -touch.phi / ramp;
      contact.weight_rate = -1 / ramp;
      contact.force.f_W *= contact.weight;
    }
    motion_.AddPoint(touch);
    motion_.AddForce(contacts_.size() - 1, contact.force.f_W, &acceleration_);
  }
  motion_.SolveInPlace(acceleration_);
  acceleration_ += motion_.free_acceleration();
  return acceleration_.allFinite();
}

void TrialDynamics::Linearize(MatrixX* by_position, MatrixX* by_velocity) {
  motion_.CalcDerivatives(acceleration_, by_position, by_velocity);
  J_.resize(3, tree_->nv);
  for (const TrialContact& contact : contacts_) {
    if (contact.whole_W == Vec3::Zero()) continue;
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
    if (contact.weight_rate != 0)
      by_position->noalias() -=
          contact.weight_rate * (J_.transpose() * contact.whole_W) * (touch.n_W.transpose() * J_);
    motion_.AddForceDerivative(touch, -contact.force.f_W, by_position);
  }
}

}  // namespace slip
