// Derivatives of the equation of motion of one tree. For links see dynamics/tree_derivatives.cpp;
// a single body has M a - u = (I α + ω × I ω, m (v̇ - g)).
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/integrators/tree_motion.h"
#include "engine/method/joint_motor.h"

namespace slip {
namespace {

Vec3 AngularPart(const Body& body, const VectorX& coordinates) {
  Vec3 w = Vec3::Zero();
  for (int i = 0; i < body.nv; ++i) {
    if (body.dof[i] < 3) w[body.dof[i]] = coordinates[i];
  }
  return w;
}

}  // namespace

void TreeMotion::CalcDerivatives(const VectorX& acceleration, MatrixX* by_position,
                                 MatrixX* by_velocity) {
  if (links_ != nullptr) {
    links_->CalcInverseDynamicsDerivatives(CalcGravity(config_->step), acceleration.data(),
                                           by_position, by_velocity);
    for (int b = tree_->first_body; b < tree_->first_body + tree_->links; ++b) {
      const Body& body = model_->body(b);
      if (body.nv != 1 || body.nq != 1) continue;
      const int i = body.v_start - tree_->v_start;
      (*by_velocity)(i, i) += body.joint.damping;
      if (IsAtLimit(body, i)) continue;  // it gives all it has
      const Motor motor = MotorOf(body, *config_);
      (*by_position)(i, i) += motor.stiffness;
      (*by_velocity)(i, i) += motor.damping;
    }
  } else {
    const Body& body = FirstBody();
    const Mat3 I = CalcInertia(body, state_->pose(tree_->first_body)).I_W;
    const Vec3 w = AngularPart(body, v_), alpha = AngularPart(body, acceleration);
    by_position->setZero(nv_, nv_);
    by_velocity->setZero(nv_, nv_);
    for (int k = 0; k < nv_; ++k) {
      if (body.dof[k] >= 3) continue;
      const Vec3 e = Vec3::Unit(body.dof[k]);
      const Vec3 turned =
          e.cross(I * alpha) - I * e.cross(alpha) + w.cross(Vec3(e.cross(I * w) - I * e.cross(w)));
      const Vec3 faster = w.cross(I * e) + e.cross(I * w);
      for (int j = 0; j < nv_; ++j) {
        if (body.dof[j] >= 3) continue;
        (*by_position)(j, k) = turned[body.dof[j]];
        (*by_velocity)(j, k) = faster[body.dof[j]];
      }
    }
  }
  if (!pulls_) return;
  by_velocity->noalias() += pull_.damping * pull_rows_.transpose() * pull_rows_;
  if (!pull_.capped)
    by_position->noalias() += pull_.stiffness * pull_rows_.transpose() * pull_rows_;
}

void TreeMotion::CalcVelocityDerivative(const Touch& touch, MatrixX* by_position) const {
  if (links_ != nullptr) {
    links_->CalcPointVelocityDerivative(touch.body, touch.p_W, touch.centre_W, by_position);
    return;
  }
  const Body& body = FirstBody();
  const auto b = static_cast<std::size_t>(touch.body);
  const Vec3 w = V_WB_[b].head<3>(), arm = touch.centre_W - state_->X_WB[b].p;
  by_position->setZero(3, nv_);
  for (int k = 0; k < nv_; ++k) {
    if (body.dof[k] < 3) by_position->col(k) = w.cross(Vec3(Vec3::Unit(body.dof[k]).cross(arm)));
  }
}

void TreeMotion::AddForceDerivative(const Touch& touch, const Vec3& f_W,
                                    MatrixX* by_position) const {
  if (links_ != nullptr) {
    links_->AddForceDerivative(touch.body, touch.p_W, touch.centre_W, f_W, by_position);
    return;
  }
  const Body& body = FirstBody();
  const Vec3 arm = touch.centre_W - state_->pose(touch.body).p;
  for (int k = 0; k < nv_; ++k) {
    if (body.dof[k] >= 3) continue;
    const Vec3 moved = Vec3::Unit(body.dof[k]).cross(arm).cross(f_W);
    for (int j = 0; j < nv_; ++j) {
      if (body.dof[j] < 3) (*by_position)(j, k) += moved[body.dof[j]];
    }
  }
}

}  // namespace slip
