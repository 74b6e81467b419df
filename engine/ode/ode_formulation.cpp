#include "engine/ode/ode_formulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/contact/error_reduction.h"
#include "engine/core/numbers.h"
#include "engine/core/stopwatch.h"
#include "engine/core/thread_stop.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/motion.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/method/rest_load.h"

namespace slip {
namespace {

/// The direct solver's work grows with the cube of its rows.
constexpr int kMostDirectRows = 3000;

// SAP's, whose struct is another formulation's: read as everybody reads parameters, by name.
double RegularizationOf(const StepParams& params) {
  static const Param<StepParams>& row =
      *std::find_if(StepParamTable().begin(), StepParamTable().end(),
                    [](const auto& each) { return each.info.name == "friction_regularization"; });
  return row.Get(params);
}

}  // namespace

std::string_view OdeFormulation::Prepare(const Model& model) {
  if (model_ == &model) return refusal_;
  model_ = &model;
  carried_.clear();
  joints_.clear();
  theirs_.assign(model.bodies.size(), -1);
  refusal_ = FindOdeRefusal(model);
  if (!refusal_.empty()) return refusal_;
  State start;
  SetStart(model, &start);
  std::vector<OdeBody> bodies;
  std::vector<OdeJoint> joints;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.shape_of_link >= 0 || !body.Moves()) continue;
    Carry(model, start, static_cast<int>(b), &bodies);
    CarryJoint(model, start, static_cast<int>(b), &joints);
  }
  return refusal_ = engine_.Load(bodies, joints);
}

// What does not turn has an inertia that nothing turns, about the world's axes; what does not slide
// is held by motors.
void OdeFormulation::Carry(const Model& model, const State& start, int b,
                           std::vector<OdeBody>* out) {
  const Body& body = model.body(b);
  At(theirs_, b) = static_cast<int>(carried_.size());
  Carried& carried = carried_.emplace_back(Carried{.body = b});
  OdeBody& to = out->emplace_back(OdeBody{.p_W = start.pose(b).p,
                                          .q_W = start.pose(b).q,
                                          .mass = body.mass,
                                          .inertia = body.inertia_B});
  carried.keeps_pose = body.nq == 0 && body.joint.parent < 0;
  carried.floats = carried.keeps_pose && body.joint.kind == JointKind::kFree;
  carried.alone = carried.floats && model.TreeOf(body).links == 1;
  if (carried.floats || !carried.keeps_pose) return;
  to.q_W = Quat::Identity();
  to.inertia.setConstant(kOdeStillInertia);
  to.gyroscopic = false;
  carried.turn = body.X_WB.q.conjugate();
  bool slides[3] = {false, false, false};
  for (int i = 0; i < body.nv; ++i) {
    const int dof = body.dof[i];
    if (dof >= 3) {
      slides[dof - 3] = true;
    } else {
      const Vec3 axis_B = carried.turn * Vec3::Unit(dof);
      to.inertia[dof] = axis_B.cwiseAbs2().dot(body.inertia_B);
    }
  }
  for (int axis = 0; axis < 3; ++axis)
    if (!slides[axis]) to.held.push_back(Vec3::Unit(axis));
}

int OdeFormulation::TheirsOf(const Model& model, int body) const {
  return body >= 0 ? At(theirs_, model.body(body).Owner(body)) : -1;
}

OdeLaw OdeFormulation::LawOf(const Config& config, const Material& material, double w) {
  const auto& params = config.step.part<OdeParams>();
  const double h = config.step.time_step;
  OdeLaw law{.soft = params.soft(), .erp = kOdeErp, .cfm = kOdeCfm};
  law.friction = material.friction;
  law.slip = kOdeCfm;
  if (!law.soft) return law;
  law.stiffness = material.stiffness;
  law.damping = material.stiffness * material.relaxation_time;
  const ErrorReduction numbers = CalcErrorReduction(law.stiffness, law.damping, h);
  law.erp = numbers.erp;
  law.cfm = numbers.cfm;
  const double sigma = RegularizationOf(config.step);
  if (sigma > 0) law.slip = sigma * w * h;
  return law;
}

// What all contacts of a step ask for: inverse moments of what floats alone, factors of trees.
void OdeFormulation::BeginMobility(const StepInput& input) {
  const Model& model = input.model;
  inverse_inertia_.resize(carried_.size());
  for (std::size_t i = 0; i < carried_.size(); ++i) {
    if (!carried_[i].alone) continue;
    const Mat3 R = input.start.pose(carried_[i].body).q.toRotationMatrix();
    const Vec3 inverse = model.body(carried_[i].body).inertia_B.cwiseInverse();
    inverse_inertia_[i] = R * inverse.asDiagonal() * R.transpose();
  }
  factors_.resize(model.trees.size());
  for (TreeFactor& factor : factors_) factor.made = false;
}

Mat3 OdeFormulation::CalcMobility(const StepInput& input, int body_a, int body_b, const Vec3& p_W) {
  const Model& model = input.model;
  const auto tree_of = [&](int b) { return b >= 0 ? model.body(b).tree : -1; };
  const bool shared = tree_of(body_a) == tree_of(body_b);  // two links of one tree
  Mat3 W = Mat3::Zero();
  for (const int b : {body_b, body_a}) {
    if (tree_of(b) < 0 || (shared && b == body_a)) continue;
    const int theirs = TheirsOf(model, b);
    if (const Carried& carried = At(carried_, theirs); carried.alone) {
      // 1/m - [r] I⁻¹ [r]
      const Vec3 r = p_W - input.start.pose(carried.body).p;
      Mat3 cross;
      cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
      W -= cross * At(inverse_inertia_, theirs) * cross;
      W.diagonal().array() += 1 / model.body(carried.body).mass;
      continue;
    }
    const Motion motion(model, model.TreeOf(model.body(b)), input.start, input.trees);
    const int n = motion.nv();
    rows_.resize(static_cast<std::size_t>(3 * n));
    motion.CalcPointRows(b, p_W, Mat3::Identity(), rows_.data());
    if (shared) {
      solved_.resize(rows_.size());
      motion.CalcOppositePointRows(body_a, p_W, Mat3::Identity(), solved_.data());
      for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] += solved_[i];
    }
    TreeFactor& factor = At(factors_, tree_of(b));
    if (!factor.made) {
      mass_.resize(n, n);
      motion.CalcMassMatrix(mass_.data());
      factor.llt.compute(mass_);
      factor.made = true;
    }
    using Rows = Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>>;
    solution_ = Rows(rows_.data(), 3, n).transpose();
    factor.llt.matrixL().solveInPlace(solution_);
    W += solution_.transpose().lazyProduct(solution_);
  }
  return W;
}

// Contacts that overlap; there is no force before touch.
void OdeFormulation::HandIn(const StepInput& input) {
  const Model& model = input.model;
  contacts_.clear();
  given_.clear();
  BeginMobility(input);
  for (const ContactGeometry& g : geometry_) {
    const Material& material = finder_.material(model, g);
    Contact& contact = contacts_.emplace_back();
    contact.w = CalcMobility(input, g.body_a, g.body, g.p_W).norm() / 3;
    contact.law = LawOf(input.config, material, contact.w);
    if (!(g.phi0 < 0)) continue;
    contact.place = static_cast<int>(given_.size());
    const OdeLaw& law = contact.law;
    given_.push_back({.body_a = TheirsOf(model, g.body_a),
                      .body_b = TheirsOf(model, g.body),
                      .phi = g.phi0,
                      .p_W = g.p_W,
                      .n_W = g.n_W,
                      .t1_W = g.t1_W,
                      .friction = law.friction,
                      .soft = law.soft,
                      .erp = law.erp,
                      .cfm = law.cfm,
                      .slip = law.slip > kOdeCfm ? law.slip : 0,
                      .belt = g.belt});
  }
}

void OdeFormulation::WriteState(const StepInput& input) {
  const Model& model = input.model;
  start_.clear();
  for (std::size_t i = 0; i < carried_.size(); ++i) {
    const Carried& carried = carried_[i];
    const Body& body = model.body(carried.body);
    const Pose& X = start_.emplace_back(input.start.pose(carried.body));
    const Vec6& V = At(input.V_WB, carried.body);
    const auto theirs = static_cast<int>(i);
    engine_.SetState(theirs, X.p, X.q * carried.turn, V.tail<3>(), V.head<3>());
    if (input.actuation == nullptr || !carried.keeps_pose) continue;
    const Vec6 wrench = CalcSpatialVelocity(body, *input.actuation);
    engine_.AddWrench(theirs, wrench.head<3>(), wrench.tail<3>());
  }
  WriteJoints(input);
  WritePull(input);
}

// Explicit, and made stable by what the body alone would do of it within the step.
void OdeFormulation::WritePull(const StepInput& input) {
  const Model& model = input.model;
  const double h = input.config.step.time_step;
  pulled_ = {};
  pull_ = CalcPull(model, input.config.grab, input.start);
  if (!pull_.pulls()) return;
  const int theirs = TheirsOf(model, pull_.body);
  const Pose& X = input.start.pose(pull_.body);
  const Vec3 v = pull_.CalcVelocity(X, At(input.V_WB, pull_.body));
  const Body& owner = model.body(model.body(pull_.body).Owner(pull_.body));
  const double inverse = pull_.twist
                             ? owner.inertia_B.cwiseInverse().maxCoeff()
                             : CalcMobility(input, -1, pull_.body, pull_.p_W).diagonal().maxCoeff();
  const double gain = h * (pull_.damping + h * pull_.stiffness) * inverse;
  pulled_.force_W = (pull_.force - (h * pull_.stiffness + pull_.damping) * v) / (1 + gain);
  if (pull_.twist) return engine_.AddWrench(theirs, pulled_.force_W, Vec3::Zero());
  const Vec3 to_point = pull_.p_W - start_[static_cast<std::size_t>(theirs)].p;
  engine_.AddWrench(theirs, to_point.cross(pulled_.force_W), pulled_.force_W);
}

StepStatus OdeFormulation::Step(const StepInput& input, StepOutput* output) {
  output->reason = Prepare(input.model);
  output->culprit_body = -1;
  if (!output->reason.empty()) return StepStatus::kUnable;
  time_step_ = input.config.step.time_step;
  measure_distance_ = input.measure_distance;
  Stopwatch watch(input.time_stages);
  {
    const ThreadStop stop(input.stop);
    finder_.Find(input.model, input.config, input.start, input.V_WB, {}, &geometry_);
    if (ThreadStop::Asked()) return StepStatus::kStopped;
  }
  watch.Lap(&output->times.detection_us);
  HandIn(input);
  const auto& params = input.config.step.part<OdeParams>();
  const int rows = 3 * static_cast<int>(given_.size());
  if (!params.quick() && rows > kMostDirectRows) {
    output->reason = "its contacts are too many for dWorldStep: take ode_solver = quick";
    return StepStatus::kUnable;
  }
  WriteState(input);
  watch.Lap(&output->times.assembly_us);

  // an order of its own for each step, and always the same one
  const OdeOptions options{.time_step = time_step_,
                           .gravity = CalcGravity(input.config.step),
                           .quick = params.quick(),
                           .iterations = params.iterations,
                           .seed = static_cast<unsigned long>(input.start.step)};
  const std::string_view error = engine_.Step(options, given_);
  watch.Lap(&output->times.solve_us);
  if (!error.empty()) {
    refusal_ = error;
    output->reason = refusal_;
    model_ = nullptr;  // its world is of no use any more
    return StepStatus::kUnable;
  }
  ReadEnd(input, output);
  if (const int lost = FirstNotFinite(input.model, output->end); lost >= 0) {
    output->culprit_body = lost;
    return StepStatus::kNotFinite;
  }
  SolveRecord& record = output->solve;
  record = {};
  record.iterations = params.quick() && !given_.empty() ? params.iterations : 0;
  record.converged = !engine_.complained();
  record.momentum_residual = CalcResidual();
  if (!record.converged) record.worst_residual = record.momentum_residual;
  record.system_size = 6 * static_cast<int>(carried_.size());
  record.contacts = static_cast<int>(given_.size());
  record.islands = 1;
  record.cost = record.inverse_dynamics_residual = kNaN;
  record.condition_number = record.condition_number_raw = kNaN;
  record.own.count = 2;
  record.own.value[0] = rows;
  record.own.value[1] = params.quick() ? 1 : 0;
  return record.converged ? StepStatus::kConverged : StepStatus::kIterationLimit;
}

// What floats is where ODE left it; what is held is where its own coordinates lead.
void OdeFormulation::ReadEnd(const StepInput& input, StepOutput* output) {
  const Model& model = input.model;
  State& end = output->end;
  end.TakeUnsolved(input.start);
  end.v.resize(model.nv);
  for (std::size_t i = 0; i < carried_.size(); ++i) {
    if (!carried_[i].keeps_pose) continue;
    Vec6 V;
    V << engine_.AngularVelocity(static_cast<int>(i)), engine_.Velocity(static_cast<int>(i));
    SetCoordinates(model.body(carried_[i].body), V, &end.v);
  }
  for (const Jointed& joint : joints_) ReadJoint(model, joint, &end.v);
  IntegratePositions(model, time_step_, &end);
  for (std::size_t i = 0; i < carried_.size(); ++i) {
    if (!carried_[i].floats) continue;
    const auto theirs = static_cast<int>(i);
    end.pose(carried_[i].body) = {engine_.Position(theirs), engine_.Orientation(theirs)};
  }
  if (model.articulated > 0) UpdatePoses(model, &end);
  ++end.step;
  end.contacts.clear();
  for (const ContactGeometry& g : geometry_) end.contacts.push_back(g.key);
  if (pull_.pulls()) {
    const Vec3 moves = pull_.twist ? engine_.AngularVelocity(TheirsOf(model, pull_.body))
                                   : CalcEndVelocity(model, pull_.body, pull_.p_W);
    pulled_.work = time_step_ * pulled_.force_W.dot(moves);
  }
  output->pull = pulled_;
  ReadJointWork(input, output);
}

Vec3 OdeFormulation::CalcEndVelocity(const Model& model, int body, const Vec3& p_W) const {
  const int theirs = TheirsOf(model, body);
  if (theirs < 0) return Vec3::Zero();
  const Vec3& p = At(start_, theirs).p;
  return engine_.Velocity(theirs) + engine_.AngularVelocity(theirs).cross(p_W - p);
}

}  // namespace slip
