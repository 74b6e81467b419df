// Joints between bodies in ODE. Its bodies have six coordinates each, and joints are constraints;
// ours are those of the joints, written anew in every step. What bodies on joints accelerate by
// without acceleration of any coordinate, J̇ v, is therefore handed in as a force.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/contact/error_reduction.h"
#include "engine/core/numbers.h"
#include "engine/core/pose.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/motion.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/ode/ode_formulation.h"

namespace slip {
namespace {

/// The joint's frame on what it hangs on.
Pose FrameOf(const Body& body, const State& state) {
  const Joint& joint = body.joint;
  return joint.parent >= 0 ? state.pose(joint.parent) * joint.X_PF : joint.X_PF;
}

/// Whether it can turn, by its own joint or those it hangs on.
bool CanTurn(const Model& model, int b) {
  for (; b >= 0 && model.body(b).Moves(); b = model.body(b).joint.parent) {
    const JointKind kind = model.body(b).joint.kind;
    if (kind != JointKind::kPrismatic && kind != JointKind::kFixed) return true;
  }
  return false;
}

bool OnJoint(const Body& body) { return body.nq > 0 || body.joint.parent >= 0; }

}  // namespace

std::string FindOdeRefusal(const Model& model) {
  for (const Body& body : model.bodies) {
    if (body.shape_of_link >= 0 || !body.Moves()) continue;
    if (!(body.mass > 0 && body.inertia_B.minCoeff() > 0))
      return fmt::format("ODE has no moving bodies without mass, such as '{}'", body.name);
    if (!OnJoint(body)) continue;
    const Joint& joint = body.joint;
    if (joint.leader >= 0)
      return fmt::format("ODE has no joints that follow others, as that of '{}'", body.name);
    const bool slides = joint.kind == JointKind::kPrismatic;
    if (slides && CanTurn(model, joint.parent))
      return fmt::format("slides on links that turn, as that of '{}', are not handed to ODE",
                         body.name);
    const bool ball = joint.kind == JointKind::kBall;
    if (!slides && !ball && joint.kind != JointKind::kRevolute && joint.kind != JointKind::kFixed)
      return fmt::format("joints of several coordinates, as that of '{}', are not handed to ODE",
                         body.name);
    if (ball && (joint.damping > 0 || joint.armature > 0 || std::isfinite(joint.lower) ||
                 std::isfinite(joint.upper)))
      return fmt::format(
          "damping, motors and limits of ball joints, as that of '{}', are not "
          "handed to ODE",
          body.name);
  }
  return {};
}

void OdeFormulation::CarryJoint(const Model& model, const State& start, int b,
                                std::vector<OdeJoint>* out) {
  const Body& body = model.body(b);
  if (!OnJoint(body)) return;
  using Kind = OdeJoint::Kind;
  const Pose X_WF = FrameOf(body, start);
  OdeJoint& to = out->emplace_back();
  to.child = At(theirs_, b);
  to.parent = body.joint.parent >= 0 ? TheirsOf(model, body.joint.parent) : -1;
  to.p_W = X_WF.p;
  to.axis_W = X_WF.q * body.joint.axis;
  switch (body.joint.kind) {
    case JointKind::kRevolute:
      to.kind = Kind::kHinge;
      break;
    case JointKind::kPrismatic:
      to.kind = Kind::kSlider;
      break;
    case JointKind::kBall:
      to.kind = Kind::kBall;
      break;
    default:
      to.kind = Kind::kFixed;
  }
  if (body.nq == 1) to.q = start.q[body.q_start];
  joints_.push_back({b, body.joint.parent, X_WF});
}

void OdeFormulation::WriteJoints(const StepInput& input) {
  const Model& model = input.model;
  const double h = input.config.step.time_step;
  turn_bias_.assign(joints_.empty() ? 0 : model.bodies.size(), Vec3::Zero());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    Jointed& joint = joints_[i];
    const Body& body = model.body(joint.body);
    joint.X_WF = FrameOf(body, input.start);
    // what it accelerates by as it is
    const Pose& X = input.start.pose(joint.body);
    const Vec3 w = At(input.V_WB, joint.body).head<3>();
    Vec3& bias = At(turn_bias_, joint.body);
    if (joint.parent >= 0)
      bias = At(turn_bias_, joint.parent) + At(input.V_WB, joint.parent).head<3>().cross(w);
    const Motion motion(model, model.TreeOf(body), input.start, input.trees);
    const Vec3 moves = motion.CalcPointBias(joint.body, X.p);
    engine_.AddWrench(At(theirs_, joint.body), -CalcInertia(body, X).I_W * bias,
                      -body.mass * moves);
    const double* asked = input.actuation != nullptr && body.nv > 0
                              ? input.actuation->data() + body.v_start
                              : nullptr;
    if (body.joint.kind == JointKind::kBall && asked != nullptr)
      Turn(model, joint, joint.X_WF.q * Vec3(asked[0], asked[1], asked[2]));
    if (body.nv != 1) continue;
    WriteMotors(input, i, asked != nullptr ? *asked : 0);
    const double lower = body.joint.lower, upper = body.joint.upper;
    if (!std::isfinite(lower) && !std::isfinite(upper)) continue;
    ErrorReduction stop{kOdeErp, kOdeCfm};
    const double k = body.joint.limit_stiffness;
    if (std::isfinite(k)) stop = CalcErrorReduction(k, k * body.joint.limit_relaxation, h);
    engine_.SetStop(i, input.start.q[body.q_start], lower, upper, stop.erp, stop.cfm);
  }
}

void OdeFormulation::Turn(const Model& model, const Jointed& joint, const Vec3& torque_W) {
  engine_.AddWrench(At(theirs_, joint.body), torque_W, Vec3::Zero());
  const int parent = TheirsOf(model, joint.parent);
  if (parent >= 0) engine_.AddWrench(parent, -torque_W, Vec3::Zero());
}

// Springs and dampers are taken at the step's end, as ours are: F - D v is a motor to the speed F/D
// with the softness 1/D. So is a motor's own inertia J, as J/h (v_0 - v).
void OdeFormulation::WriteMotors(const StepInput& input, std::size_t i, double held) {
  Jointed& joint = joints_[i];
  const Body& body = input.model.body(joint.body);
  const double h = input.config.step.time_step;
  const Motor motor = MotorOf(body, input.config);
  const double q = input.start.q[body.q_start], v = input.start.v[body.v_start];
  double D = body.joint.armature / h + body.joint.damping, F = body.joint.armature / h * v;
  joint.force = motor.stiffness * (motor.target - q) + held;
  joint.damping = h * motor.stiffness + motor.damping;
  joint.held = held;
  const auto set = [&](int which, double force, double damping, double most) {
    if (damping > 0) return engine_.SetMotor(i, which, {force / damping, 1 / damping, most});
    engine_.SetMotor(i, which, {});
    const Vec3 push = std::clamp(force, -most, most) * (joint.X_WF.q * body.joint.axis);
    if (body.joint.kind == JointKind::kRevolute) return Turn(input.model, joint, push);
    engine_.AddWrench(At(theirs_, joint.body), Vec3::Zero(), push);
    const int parent = TheirsOf(input.model, joint.parent);  // which does not turn
    if (parent >= 0) engine_.AddWrench(parent, Vec3::Zero(), -push);
  };
  const bool bounded = std::isfinite(body.joint.effort);
  if (!bounded) D += joint.damping, F += joint.force;
  set(0, F, D, kInfinity);
  set(1, bounded ? joint.force : 0, bounded ? joint.damping : 0, body.joint.effort);
  engine_.SetMotor(i, 2, {0, kOdeCfm, body.joint.friction});
}

// Of a joint as constraints have left it, where no other coordinate has its own.
void OdeFormulation::ReadJoint(const Model& model, const Jointed& joint, VectorX* v) const {
  const Body& body = model.body(joint.body);
  const int child = At(theirs_, joint.body), parent = TheirsOf(model, joint.parent);
  Vec3 turns = engine_.AngularVelocity(child), moves = engine_.Velocity(child);
  if (parent >= 0) {
    turns -= engine_.AngularVelocity(parent);
    moves -= CalcEndVelocity(model, joint.parent, At(start_, child).p);
  }
  const Vec3 axis_W = joint.X_WF.q * body.joint.axis;
  if (body.joint.kind == JointKind::kBall) {
    v->segment<3>(body.v_start) = joint.X_WF.q.conjugate() * turns;
  } else if (body.nv == 1) {
    (*v)[body.v_start] = axis_W.dot(body.joint.kind == JointKind::kRevolute ? turns : moves);
  }
}

void OdeFormulation::ReadJointWork(const StepInput& input, StepOutput* output) const {
  const Model& model = input.model;
  const VectorX& v = output->end.v;
  const double h = time_step_;
  output->motor_work = output->joint_damping_loss = output->joint_friction_loss = 0;
  if (input.actuation != nullptr) output->motor_work = h * input.actuation->dot(v);
  for (const Jointed& joint : joints_) {
    const Body& body = model.body(joint.body);
    if (body.nv != 1) continue;
    const double rate = v[body.v_start], effort = body.joint.effort;
    const double force = std::clamp(joint.force - joint.damping * rate, -effort, effort);
    // what a controller asked for is among the actuation
    output->motor_work += h * (force - joint.held) * rate;
    output->joint_damping_loss += h * body.joint.damping * rate * rate;
    output->joint_friction_loss += h * body.joint.friction * std::abs(rate);
  }
}

}  // namespace slip
