#include "engine/mujoco/mujoco_formulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/core/stopwatch.h"
#include "engine/core/thread_stop.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/rigid_dynamics.h"

namespace slip {
namespace {

/// Why a model is not handed in, of which body; empty where it is.
std::string FindRefusal(const Model& model, bool shapes) {
  int moving = 0;
  for (const Body& body : model.bodies) {
    const ShapeKind kind = body.shape.kind;
    const bool meshed = kind == ShapeKind::kTriangleMesh || kind == ShapeKind::kPointCloud;
    if (shapes && ((body.collides && meshed) || (!body.collides && !body.points_B.empty())))
      return fmt::format(
          "MuJoCo finds no contacts of meshes that are not convex, of clouds and of "
          "single points, as those of '{}': let Slipscope find them",
          body.name);
    if (body.shape_of_link >= 0) continue;
    moving += body.nv > 0 ? 1 : 0;
    if (body.nv > 0 && !(body.mass > 0 && body.inertia_B.minCoeff() > 0))
      return fmt::format("MuJoCo has no moving bodies without mass, such as '{}'", body.name);
    if (body.nv > 1 && body.nq > 0 &&
        (std::isfinite(body.joint.lower) || std::isfinite(body.joint.upper)))
      return fmt::format(
          "limits of joints of several coordinates, as that of '{}', are not "
          "handed to MuJoCo",
          body.name);
  }
  if (moving > kMostMujocoBodies)
    return fmt::format(
        "{} bodies move, and its memory grows with the square: MuJoCo is run with "
        "{} at most",
        moving, kMostMujocoBodies);
  return {};
}

}  // namespace

std::string_view MujocoFormulation::Prepare(const Model& model, const Config& config) const {
  const bool shapes = config.step.part<MujocoParams>().finds_contacts();
  if (model_ == &model && has_shapes_ == shapes) return refusal_;
  model_ = &model;
  has_shapes_ = shapes;
  refusal_ = FindRefusal(model, shapes);
  if (!refusal_.empty()) return refusal_;
  coordinates_ = std::make_unique<MujocoCoordinates>(model);
  const std::string error =
      engine_.Load(WriteMujocoModel(model, shapes), static_cast<int>(model.bodies.size()));
  if (!error.empty()) return refusal_ = error;
  bool agrees = engine_.nq() == coordinates_->nq() && engine_.nv() == coordinates_->nv();
  for (std::size_t b = 0; agrees && b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.nv == 0 || body.shape_of_link >= 0) continue;
    agrees = engine_.DofOf(static_cast<int>(b)) == coordinates_->DofOf(static_cast<int>(b));
  }
  if (!agrees) refusal_ = "MuJoCo counts the coordinates of this model in another order";
  return refusal_;
}

double MujocoFormulation::InverseMass(const Model& model, int body_a, int body_b) const {
  double sum = 0;
  for (const int body : {body_a, body_b})
    if (body >= 0) sum += engine_.InverseMass(model.body(body).Owner(body));
  return sum;
}

MujocoLaw MujocoFormulation::LawOf(const Config& config, const Material& material,
                                   double inverse_mass) const {
  const auto& params = config.step.part<MujocoParams>();
  MujocoLaw law;
  law.elliptic = elliptic_;
  law.impratio = params.impratio;
  law.friction = material.friction;
  if (params.from_materials()) {
    const double delta = params.impedance_full;
    law.solimp = {delta, delta, params.impedance_width, params.impedance_midpoint,
                  params.impedance_power};
    // four rows of a pyramid carry as much as one of a cone would
    const double mu = law.friction;
    const double rows = law.has_pyramid() ? 2 * law.impratio / (mu * mu * (1 + mu * mu)) : 1;
    const double K = material.stiffness * (1 - delta) * inverse_mass / rows;
    law.solref = {-K, -K * material.relaxation_time};
  } else {
    law.solref = {params.time_constant, params.damping_ratio};
    law.solimp = {params.impedance_start, params.impedance_full, params.impedance_width,
                  params.impedance_midpoint, params.impedance_power};
  }
  law.Prepare(config.step.time_step);
  return law;
}

MujocoOptions MujocoFormulation::OptionsOf(const Config& config) const {
  const auto& params = config.step.part<MujocoParams>();
  return {.time_step = config.step.time_step,
          .gravity = CalcGravity(config.step),
          .elliptic = elliptic_,
          .implicit = params.integrator == 1,
          .warm_start = params.warm_start == 1,
          .solver = params.solver,
          .impratio = params.impratio,
          .tolerance = config.step.solver_tolerance,
          .iterations = config.step.max_iterations,
          .noslip_iterations = params.noslip_iterations};
}

// Contacts that overlap; there is no force before touch.
void MujocoFormulation::HandIn(const StepInput& input) {
  const Model& model = input.model;
  const Config& config = input.config;
  const double h = config.step.time_step, time = input.start.Time(h);
  laws_.clear();
  inverse_masses_.clear();
  place_.clear();
  given_.clear();
  for (const ContactGeometry& g : geometry_) {
    const Material& material = finder_.material(model, g);
    const double inverse_mass = InverseMass(model, g.body_a, g.body);
    const MujocoLaw& law = laws_.emplace_back(LawOf(config, material, inverse_mass));
    inverse_masses_.push_back(inverse_mass);
    if (!(g.phi0 < 0)) {
      place_.push_back(-1);
      continue;
    }
    place_.push_back(static_cast<int>(given_.size()));
    const auto owner = [&](int body) {
      return body >= 0 && model.body(body).Moves() ? model.body(body).Owner(body) : -1;
    };
    MujocoTouch& c = given_.emplace_back();
    c.body_a = owner(g.body_a);
    c.body_b = owner(g.body);
    c.phi = g.phi0;
    c.p_W = g.p_W, c.n_W = g.n_W, c.t1_W = g.t1_W, c.t2_W = g.t2_W;
    c.friction = law.friction;
    c.torsion = material.torsional_friction;
    c.solref = law.solref, c.solimp = law.solimp;
    const int drive = g.surface >= 0 ? At(model.surfaces, g.surface).drive : -1;
    if (drive < 0) continue;
    c.belt = At(config.surfaces, drive).Velocity(time);
    c.belt_rate = (g.belt - c.belt) / h;
  }
}

void MujocoFormulation::WriteState(const StepInput& input) {
  const State& start = input.start;
  const bool warm = input.config.step.part<MujocoParams>().warm_start == 1;
  coordinates_->SetPositions(start, engine_.qpos().data());
  coordinates_->SetVelocities(start, engine_.qvel().data());
  const std::span<double> last = engine_.warm_start();
  // not where there are none: GCC 14 sees copies to nowhere when the engine is not here
  if (warm && !last.empty() && start.warm_start.size() == last.size()) {
    std::copy(start.warm_start.begin(), start.warm_start.end(), last.begin());
  } else {
    std::fill(last.begin(), last.end(), 0.0);
  }
  const std::span<double> forces = engine_.forces(), damping = engine_.damping();
  std::fill(forces.begin(), forces.end(), 0.0);
  std::fill(damping.begin(), damping.end(), 0.0);
  engine_.ClearWrenches();
  WriteJoints(input);
  WritePull(input);
}

// Motors pull by the positions of the start and damp by the velocities of the end; what is beyond
// their limit does neither.
void MujocoFormulation::WriteJoints(const StepInput& input) {
  const Model& model = input.model;
  const double h = input.config.step.time_step;
  if (input.actuation != nullptr)
    coordinates_->AddForces(input.start, *input.actuation, engine_.forces().data());
  drives_.clear();
  if (model.articulated == 0) return;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    const int b = static_cast<int>(i);
    if (body.shape_of_link >= 0 || body.nv == 0 || model.TreeOf(body).articulated < 0) continue;
    const int dof = coordinates_->DofOf(b);
    for (int k = 0; k < body.nv; ++k)
      engine_.damping()[static_cast<std::size_t>(dof + k)] = body.joint.damping;
    if (body.nv != 1 || body.nq != 1) continue;
    const auto at = static_cast<std::size_t>(dof);
    const double held = input.actuation != nullptr ? (*input.actuation)[body.v_start] : 0;
    const Motor motor = MotorOf(body, input.config);
    Drive& drive = drives_.emplace_back(Drive{.body = b});
    const double asked = CalcUnlimitedForce(body, input.config, input.start, held);
    if (std::abs(asked) <= body.joint.effort) {
      drive.force = motor.stiffness * (motor.target - input.start.q[body.q_start]) + held;
      drive.damping = motor.damping;
    } else {
      drive.force = std::copysign(body.joint.effort, asked);
    }
    engine_.forces()[at] = drive.force;
    engine_.damping()[at] += drive.damping;
    if (!std::isfinite(body.joint.lower) && !std::isfinite(body.joint.upper)) continue;
    // as a spring and a damper where the step is short enough for them, else as its default
    constexpr double kImpedance = 0.5, kMostDamping = 0.25;
    const double A = engine_.InverseInertiaOf(dof), k = body.joint.limit_stiffness;
    const double K = k * (1 - kImpedance) * A, B = K * body.joint.limit_relaxation;
    const bool soft = std::isfinite(k) && 4 * h * h * K <= 1 && B * h <= kMostDamping;
    if (soft) {
      engine_.SetLimit(b, {-K, -B}, {kImpedance, kImpedance});
    } else {
      constexpr double kFull = 0.95;
      engine_.SetLimit(b, {2 * h, 1}, {kFull, kFull});
    }
  }
}

// Its springs are explicit: this one is made stable by what the body alone would do of it within
// the step.
void MujocoFormulation::WritePull(const StepInput& input) {
  const Model& model = input.model;
  const double h = input.config.step.time_step;
  pulled_ = {};
  pull_ = CalcPull(model, input.config.grab, input.start);
  if (!pull_.pulls()) return;
  const int owner = model.body(pull_.body).Owner(pull_.body);
  const Pose& X = input.start.pose(pull_.body);
  const Vec3 v = pull_.CalcVelocity(X, At(input.V_WB, pull_.body));
  const Vec3 arm = pull_.p_W - X.p;
  const double inverse =
      pull_.twist ? engine_.InverseInertia(owner)
                  : engine_.InverseMass(owner) + engine_.InverseInertia(owner) * arm.squaredNorm();
  const double gain = h * (pull_.damping + h * pull_.stiffness) * inverse;
  pulled_.force_W = (pull_.force - (h * pull_.stiffness + pull_.damping) * v) / (1 + gain);
  if (pull_.twist) return engine_.SetWrench(owner, Vec3::Zero(), pulled_.force_W);
  const Vec3 to_point = pull_.p_W - input.start.pose(owner).p;
  engine_.SetWrench(owner, pulled_.force_W, to_point.cross(pulled_.force_W));
}

StepStatus MujocoFormulation::Step(const StepInput& input, StepOutput* output) {
  output->reason = Prepare(input.model, input.config);
  output->culprit_body = -1;
  if (!output->reason.empty()) return StepStatus::kUnable;
  time_step_ = input.config.step.time_step;
  measure_distance_ = input.measure_distance;
  Stopwatch watch(input.time_stages);
  {
    const ThreadStop stop(input.stop);
    finder_.Find(input.model, input.config, input.start, input.V_WB, {}, &geometry_);
    if (ThreadStop::Asked()) return StepStatus::kStopped;
    output->reason = has_shapes_ ? TakeTheirContacts(input) : std::string_view();
    if (!output->reason.empty()) return StepStatus::kUnable;
  }
  watch.Lap(&output->times.detection_us);
  HandIn(input);
  output->reason = engine_.Reserve(static_cast<int>(given_.size()));
  if (!output->reason.empty()) return StepStatus::kUnable;
  WriteState(input);
  watch.Lap(&output->times.assembly_us);

  MujocoSolve solve;
  const double time = input.start.Time(time_step_);
  output->reason = engine_.Step(OptionsOf(input.config), given_, time, &solve);
  watch.Lap(&output->times.solve_us);
  if (!output->reason.empty()) return StepStatus::kUnable;
  if (!engine_.finite()) return StepStatus::kNotFinite;

  SolveRecord& record = output->solve;
  record = {};
  record.iterations = solve.iterations;
  record.line_search_iterations = solve.line_search;
  record.converged = solve.converged;
  record.momentum_residual = solve.residual;
  if (!solve.converged) record.worst_residual = solve.residual;
  record.system_size = engine_.nv();
  record.contacts = static_cast<int>(given_.size());
  record.islands = 1;
  record.cost = record.inverse_dynamics_residual = kNaN;
  record.condition_number = record.condition_number_raw = kNaN;
  record.own.count = 1;
  record.own.value[0] = solve.rows;
  ReadEnd(input, output);
  if (const int lost = FirstNotFinite(input.model, output->end); lost >= 0) {
    output->culprit_body = lost;
    return StepStatus::kNotFinite;
  }
  return solve.converged ? StepStatus::kConverged : StepStatus::kIterationLimit;
}

// Positions follow from velocities as they do there: q (+) h v.
void MujocoFormulation::ReadEnd(const StepInput& input, StepOutput* output) {
  State& end = output->end;
  end.TakeUnsolved(input.start);
  coordinates_->GetVelocities(input.start, engine_.qvel().data(), &end.v);
  IntegratePositions(input.model, time_step_, &end);
  ++end.step;
  end.contacts.clear();
  for (const ContactGeometry& g : geometry_) end.contacts.push_back(g.key);
  if (input.config.step.part<MujocoParams>().warm_start == 1) {
    const std::span<const double> last = engine_.warm_start();
    end.warm_start.assign(last.begin(), last.end());
  }
  if (pull_.pulls()) {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    engine_.Velocity(input.model.body(pull_.body).Owner(pull_.body), pull_.p_W, &linear, &angular);
    pulled_.work = time_step_ * pulled_.force_W.dot(pull_.twist ? angular : linear);
  }
  output->pull = pulled_;
  ReadJoints(input, output);
}

void MujocoFormulation::ReadJoints(const StepInput& input, StepOutput* output) const {
  const Model& model = input.model;
  const VectorX& v = output->end.v;
  const double h = time_step_;
  output->motor_work = output->joint_damping_loss = output->joint_friction_loss = 0;
  if (input.actuation != nullptr) output->motor_work = h * input.actuation->dot(v);
  if (model.articulated == 0) return;
  for (const Body& body : model.bodies) {
    if (body.shape_of_link >= 0 || body.nv == 0 || model.TreeOf(body).articulated < 0) continue;
    output->joint_damping_loss +=
        h * body.joint.damping * v.segment(body.v_start, body.nv).squaredNorm();
  }
  for (const Drive& drive : drives_) {
    const Body& body = model.body(drive.body);
    const double rate = v[body.v_start];
    // what a controller asked for is among the actuation
    const double held = input.actuation != nullptr ? (*input.actuation)[body.v_start] : 0;
    output->motor_work += h * (drive.force - held - drive.damping * rate) * rate;
  }
  output->joint_friction_loss = engine_.FrictionLoss(h);
}

}  // namespace slip
