#include "engine/ode/engine.h"

#include <array>
#include <cmath>

#ifdef SLIP_ODE
#include "engine/ode/library.h"
#endif

#include "engine/core/numbers.h"

namespace slip {

#ifndef SLIP_ODE

// Without the library: nothing can be loaded, and so nothing else is ever called.
struct OdeEngine::Impl {};
std::string_view OdeVersion() { return {}; }
std::string_view WhyNoOde() { return "libode-dev was not found"; }
OdeEngine::OdeEngine() = default;
OdeEngine::~OdeEngine() = default;
OdeEngine::OdeEngine(OdeEngine&&) noexcept = default;
OdeEngine& OdeEngine::operator=(OdeEngine&&) noexcept = default;
std::string OdeEngine::Load(std::span<const OdeBody>, std::span<const OdeJoint>) {
  return "not in this build: " + std::string(WhyNoOde());
}
void OdeEngine::SetState(int, const Vec3&, const Quat&, const Vec3&, const Vec3&) {}
void OdeEngine::AddWrench(int, const Vec3&, const Vec3&) {}
void OdeEngine::SetMotor(std::size_t, int, const OdeMotor&) {}
void OdeEngine::SetStop(std::size_t, double, double, double, double, double) {}
std::string_view OdeEngine::Step(const OdeOptions&, std::span<const OdeTouch>) {
  return "not in this build";
}
bool OdeEngine::complained() const { return false; }
Vec3 OdeEngine::Position(int) const { return Vec3::Zero(); }
Quat OdeEngine::Orientation(int) const { return Quat::Identity(); }
Vec3 OdeEngine::Velocity(int) const { return Vec3::Zero(); }
Vec3 OdeEngine::AngularVelocity(int) const { return Vec3::Zero(); }
Vec3 OdeEngine::Force(std::size_t) const { return Vec3::Zero(); }

#else

std::string_view OdeVersion() { return dODE_VERSION; }
std::string_view WhyNoOde() {
  return dCheckConfiguration("ODE_double_precision") != 0 ? ""
                                                          : "libode is not of double precision";
}

namespace {

/// A joint of ours in theirs.
struct JointParts {
  OdeJoint of;
  dxJoint* joint = nullptr;
  dxJoint* stop = nullptr;  // of a hinge, whose own has no turns beyond half a one
  std::array<dxJoint*, kOdeMotors> motors{};
};

}  // namespace

struct OdeEngine::Impl {
  OdeThreads threads;  // outlive the world
  OdeWorld world;
  OdeJoints contacts;
  std::vector<dxBody*> bodies;
  std::vector<JointParts> joints;
  std::vector<dJointFeedback> feedback;
  int messages = 0;
  std::string error;

  const OdeOptions* options = nullptr;  // of the step under way
  std::span<const OdeTouch> given;

  dxBody* Body(int b) const { return b >= 0 ? At(bodies, b) : nullptr; }
  void AddBody(const OdeBody& from);
  void AddJoint(const OdeJoint& from);
  void AddContacts();
  static void RunStep(void* context);
};

OdeEngine::OdeEngine() : impl_(std::make_unique<Impl>()) {}
OdeEngine::~OdeEngine() = default;
OdeEngine::OdeEngine(OdeEngine&&) noexcept = default;
OdeEngine& OdeEngine::operator=(OdeEngine&&) noexcept = default;

namespace {

Vec3 Get(const dReal* v) { return {v[0], v[1], v[2]}; }
void Put(const Vec3& from, dReal* to) {
  for (int i = 0; i < 3; ++i) to[i] = from[i];
}

// A motor without a limit to its force, on a speed of zero.
void HoldAxes(dxWorld* world, dxBody* body, std::span<const Vec3> axes) {
  if (axes.empty()) return;
  dxJoint* motor = dJointCreateLMotor(world, nullptr);
  dJointAttach(motor, body, nullptr);
  dJointSetLMotorNumAxes(motor, static_cast<int>(axes.size()));
  constexpr int kMost[] = {dParamFMax1, dParamFMax2, dParamFMax3};
  constexpr int kSpeed[] = {dParamVel1, dParamVel2, dParamVel3};
  constexpr int kMixing[] = {dParamCFM1, dParamCFM2, dParamCFM3};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    dJointSetLMotorAxis(motor, static_cast<int>(i), 0, axes[i].x(), axes[i].y(), axes[i].z());
    dJointSetLMotorParam(motor, kMost[i], dInfinity);
    dJointSetLMotorParam(motor, kSpeed[i], 0);
    dJointSetLMotorParam(motor, kMixing[i], 0);
  }
}

}  // namespace

std::string OdeEngine::Load(std::span<const OdeBody> bodies, std::span<const OdeJoint> joints) {
  impl_ = std::make_unique<Impl>();
  Impl& s = *impl_;
  s.world = MakeOdeWorld(&s.threads);
  s.contacts.reset(dJointGroupCreate(0));
  dWorldSetERP(s.world.get(), kOdeErp);
  dWorldSetCFM(s.world.get(), kOdeCfm);
  for (const OdeBody& from : bodies) s.AddBody(from);
  for (const OdeJoint& from : joints) s.AddJoint(from);
  return {};
}

void OdeEngine::Impl::AddBody(const OdeBody& from) {
  dxBody* body = bodies.emplace_back(dBodyCreate(world.get()));
  dMass mass;
  const Vec3& I = from.inertia;
  dMassSetParameters(&mass, from.mass, 0, 0, 0, I.x(), I.y(), I.z(), 0, 0, 0);
  dBodySetMass(body, &mass);
  dBodySetGyroscopicMode(body, from.gyroscopic ? 1 : 0);
  const dQuaternion turn = {from.q_W.w(), from.q_W.x(), from.q_W.y(), from.q_W.z()};
  dBodySetPosition(body, from.p_W.x(), from.p_W.y(), from.p_W.z());
  dBodySetQuaternion(body, turn);
  HoldAxes(world.get(), body, from.held);
}

// Motors and stops of their own beside a joint: in one of theirs they would share one row.
void OdeEngine::Impl::AddJoint(const OdeJoint& from) {
  using Kind = OdeJoint::Kind;
  JointParts& parts = joints.emplace_back(JointParts{.of = from});
  dxBody *child = Body(from.child), *parent = Body(from.parent);
  const Vec3 &p = from.p_W, &axis = from.axis_W;
  const auto add_turn = [&] {
    dxJoint* motor = dJointCreateAMotor(world.get(), nullptr);
    dJointAttach(motor, child, parent);
    dJointSetAMotorMode(motor, dAMotorUser);
    dJointSetAMotorNumAxes(motor, 1);
    dJointSetAMotorAxis(motor, 0, 1, axis.x(), axis.y(), axis.z());
    return motor;
  };
  switch (from.kind) {
    case Kind::kHinge:
      parts.joint = dJointCreateHinge(world.get(), nullptr);
      dJointAttach(parts.joint, child, parent);
      dJointSetHingeAnchor(parts.joint, p.x(), p.y(), p.z());
      dJointSetHingeAxis(parts.joint, axis.x(), axis.y(), axis.z());
      parts.stop = add_turn();
      for (dxJoint*& motor : parts.motors) motor = add_turn();
      break;
    case Kind::kSlider:
      parts.joint = parts.stop = dJointCreateSlider(world.get(), nullptr);
      dJointAttach(parts.joint, child, parent);
      dJointSetSliderAxis(parts.joint, axis.x(), axis.y(), axis.z());
      for (dxJoint*& motor : parts.motors) {
        motor = dJointCreateLMotor(world.get(), nullptr);
        dJointAttach(motor, child, parent);
        dJointSetLMotorNumAxes(motor, 1);
        dJointSetLMotorAxis(motor, 0, 0, axis.x(), axis.y(), axis.z());
      }
      break;
    case Kind::kBall:
      parts.joint = dJointCreateBall(world.get(), nullptr);
      dJointAttach(parts.joint, child, parent);
      dJointSetBallAnchor(parts.joint, p.x(), p.y(), p.z());
      break;
    case Kind::kFixed:
      parts.joint = dJointCreateFixed(world.get(), nullptr);
      dJointAttach(parts.joint, child, parent);
      dJointSetFixed(parts.joint);
      break;
  }
}

void OdeEngine::SetMotor(std::size_t joint, int which, const OdeMotor& motor) {
  const JointParts& parts = impl_->joints[joint];
  dxJoint* to = At(parts.motors, which);
  const bool slides = parts.of.kind == OdeJoint::Kind::kSlider;
  const auto set = slides ? dJointSetLMotorParam : dJointSetAMotorParam;
  set(to, dParamVel, motor.speed);
  set(to, dParamCFM, motor.cfm);
  set(to, dParamFMax, std::isfinite(motor.most) ? motor.most : dInfinity);
}

void OdeEngine::SetStop(std::size_t joint, double q, double lower, double upper, double erp,
                        double cfm) {
  const JointParts& parts = impl_->joints[joint];
  const bool slides = parts.of.kind == OdeJoint::Kind::kSlider;
  const auto set = slides ? dJointSetSliderParam : dJointSetAMotorParam;
  // a slider counts from where it was made, a motor is told
  const double from = slides ? parts.of.q : 0;
  if (!slides) dJointSetAMotorAngle(parts.stop, 0, q);
  set(parts.stop, dParamLoStop, std::isfinite(lower) ? lower - from : -dInfinity);
  set(parts.stop, dParamHiStop, std::isfinite(upper) ? upper - from : dInfinity);
  set(parts.stop, dParamStopERP, erp);
  set(parts.stop, dParamStopCFM, cfm);
}

void OdeEngine::SetState(int body, const Vec3& p, const Quat& q, const Vec3& v, const Vec3& w) {
  dxBody* to = impl_->Body(body);
  const dQuaternion turn = {q.w(), q.x(), q.y(), q.z()};
  dBodySetPosition(to, p.x(), p.y(), p.z());
  dBodySetQuaternion(to, turn);
  dBodySetLinearVel(to, v.x(), v.y(), v.z());
  dBodySetAngularVel(to, w.x(), w.y(), w.z());
  dBodySetForce(to, 0, 0, 0);
  dBodySetTorque(to, 0, 0, 0);
}

void OdeEngine::AddWrench(int body, const Vec3& torque, const Vec3& force) {
  dBodyAddForce(impl_->Body(body), force.x(), force.y(), force.z());
  dBodyAddTorque(impl_->Body(body), torque.x(), torque.y(), torque.z());
}

void OdeEngine::Impl::AddContacts() {
  dJointGroupEmpty(contacts.get());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const OdeTouch& c = given[i];
    dContact out{};
    // the one that is pushed along the normal comes first
    Put(c.p_W, out.geom.pos);
    Put(c.n_W, out.geom.normal);
    out.geom.depth = -c.phi;
    Put(c.t1_W, out.fdir1);
    dSurfaceParameters& law = out.surface;
    law.mode = dContactFDir1 | dContactApprox1;
    law.mu = c.friction;
    if (c.soft) {
      law.mode |= dContactSoftERP | dContactSoftCFM;
      law.soft_erp = c.erp;
      law.soft_cfm = c.cfm;
    }
    if (c.slip > 0) {
      law.mode |= dContactSlip1 | dContactSlip2;
      law.slip1 = law.slip2 = c.slip;
    }
    if (c.belt != 0) {
      law.mode |= dContactMotion1;
      law.motion1 = c.belt;
    }
    dxJoint* joint = dJointCreateContact(world.get(), contacts.get(), &out);
    dJointAttach(joint, Body(c.body_b), Body(c.body_a));
    dJointSetFeedback(joint, &feedback[i]);
  }
}

void OdeEngine::Impl::RunStep(void* context) {
  Impl& s = *static_cast<Impl*>(context);
  dxWorld* world = s.world.get();
  const OdeOptions& options = *s.options;
  dWorldSetGravity(world, options.gravity.x(), options.gravity.y(), options.gravity.z());
  s.AddContacts();
  if (options.quick) {
    dWorldSetQuickStepNumIterations(world, options.iterations);
    dWorldQuickStep(world, options.time_step);
  } else {
    dWorldStep(world, options.time_step);
  }
}

std::string_view OdeEngine::Step(const OdeOptions& options, std::span<const OdeTouch> contacts) {
  Impl& s = *impl_;
  s.options = &options;
  s.given = contacts;
  if (s.feedback.size() < contacts.size()) s.feedback.resize(contacts.size());
  // only quick steps draw numbers
  const std::string_view error =
      options.quick ? GuardOdeWithSeed(options.seed, &Impl::RunStep, &s, &s.error, &s.messages)
                    : GuardOde(&Impl::RunStep, &s, &s.error, &s.messages);
  s.given = {};
  return error;
}

bool OdeEngine::complained() const { return impl_->messages > 0; }
Vec3 OdeEngine::Position(int body) const { return Get(dBodyGetPosition(impl_->Body(body))); }
Quat OdeEngine::Orientation(int body) const {
  const dReal* q = dBodyGetQuaternion(impl_->Body(body));
  return {q[0], q[1], q[2], q[3]};
}
Vec3 OdeEngine::Velocity(int body) const { return Get(dBodyGetLinearVel(impl_->Body(body))); }
Vec3 OdeEngine::AngularVelocity(int body) const {
  return Get(dBodyGetAngularVel(impl_->Body(body)));
}
Vec3 OdeEngine::Force(std::size_t contact) const { return Get(impl_->feedback[contact].f1); }

#endif

}  // namespace slip
