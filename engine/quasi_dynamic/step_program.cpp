#include "engine/quasi_dynamic/step_program.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/numbers.h"
#include "engine/method/pull.h"

namespace slip {
namespace {

// The solver is dense: more is another method's work.
constexpr int kMostCoordinates = 120;
// A joint that is held at a limit may be beyond it by so much [m], [rad].
constexpr double kLimitReached = 1e-9;

double BeltWay(const StepInput& input, const Candidate& candidate) {
  if (candidate.surface < 0) return 0;
  const int drive = At(input.model.surfaces, candidate.surface).drive;
  if (drive < 0) return 0;
  const SurfaceDrive& belt = At(input.config.surfaces, drive);
  const double h = input.config.step.time_step, t = input.start.Time(h);
  return belt.Displacement(t + h) - belt.Displacement(t);
}

const JointDrive* ActuatorOf(const Body& body, const Config& config) {
  if (body.drive < 0) return nullptr;
  return &At(config.joints, body.drive);
}

}  // namespace

std::string_view StepProgram::Missing(const Model& model, const Config& config, int* culprit) {
  *culprit = -1;
  if (model.nv > kMostCoordinates)
    return "the quasi-dynamic program is dense and takes at most 120 coordinates";
  for (const Tree& tree : model.trees) {
    if (tree.articulated < 0) continue;
    for (int b = tree.first_body; b < tree.first_body + tree.links; ++b) {
      const Body& body = model.body(b);
      if (body.nv == 0 || body.joint.leader >= 0) continue;
      *culprit = b;
      const JointDrive* actuator = ActuatorOf(body, config);
      if (actuator == nullptr)
        return "the quasi-dynamic method moves robots by actuators of joints, and here is a "
               "joint that has none";
      if (!(actuator->impedance > 0))
        return "the quasi-dynamic method moves joints by their impedance, which is 0 here: give "
               "the robot one, such as impedance = { JOINT = 2000 }";
    }
  }
  *culprit = -1;
  return {};
}

void StepProgram::NumberColumns(const Model& model) {
  if (numbered_ == &model) return;
  numbered_ = &model;
  column_.assign(static_cast<std::size_t>(model.nv), -1);
  ratio_.assign(static_cast<std::size_t>(model.nv), 1);
  columns_ = 0;
  for (const Body& body : model.bodies) {
    if (!body.Moves() || body.shape_of_link >= 0) continue;
    for (int i = 0; i < body.nv; ++i) {
      const auto at = static_cast<std::size_t>(body.v_start + i);
      if (body.joint.leader < 0) column_[at] = columns_++;
    }
  }
  // a follower may come before its leader
  for (const Body& body : model.bodies) {
    if (!body.Moves() || body.shape_of_link >= 0 || body.joint.leader < 0) continue;
    const Body* leader = &body;
    double ratio = 1;
    while (leader->joint.leader >= 0) {
      ratio *= leader->joint.ratio;
      leader = &model.body(leader->joint.leader);
    }
    const auto at = static_cast<std::size_t>(body.v_start);
    column_[at] = At(column_, leader->v_start);
    ratio_[at] = ratio;
  }
}

void StepProgram::Fold(const Tree& tree, const double* row, double sign,
                       Eigen::Ref<Row> out) const {
  for (int i = 0; i < tree.nv; ++i) {
    const auto at = static_cast<std::size_t>(tree.v_start + i);
    out[column_[at]] += sign * ratio_[at] * row[i];
  }
}

// M/h and the forces on a body without actuators, from rest: no Coriolis forces.
void StepProgram::AddBody(const StepInput& input, const Motion& motion) {
  const Tree& tree = motion.tree();
  mass_.resize(static_cast<std::size_t>(tree.nv * tree.nv));
  motion.CalcMassMatrix(mass_.data());
  const double* entry = mass_.data();
  for (int i = 0; i < tree.nv; ++i) {
    const auto at = static_cast<std::size_t>(tree.v_start + i);
    for (int j = 0; j < tree.nv; ++j)
      qp_.H(column_[at], At(column_, tree.v_start + j)) += *entry++ / h_;
    if (input.actuation == nullptr) continue;
    const double force = (*input.actuation)[tree.v_start + i];
    qp_.g[column_[at]] += h_ * force;
    drive_[column_[at]] += force;
  }
}

// A spring from the joint to its target at the end of the step.
void StepProgram::AddActuator(const StepInput& input, const Body& body) {
  if (body.nv == 0 || body.joint.leader >= 0) return;
  const JointDrive& actuator = *ActuatorOf(body, input.config);
  const int at = At(column_, body.v_start);
  double force = actuator.impedance * (actuator.target - input.start.q[body.q_start]);
  if (input.actuation != nullptr) force += (*input.actuation)[body.v_start];
  qp_.H(at, at) += h_ * actuator.impedance;
  qp_.g[at] += h_ * force;
  drive_[at] += force;
  gains_[at] += actuator.impedance;
}

// The mouse spring at the end of the step; a capped one has a constant force.
void StepProgram::AddPull(const StepInput& input) {
  const Pull pull = CalcPull(input.model, input.config.grab, input.start);
  if (!pull.pulls()) return;
  const double gain = h_ * pull.stiffness + pull.damping;
  const Motion& motion = MotionOf(input.model.body(pull.body));
  J_.setZero(4, columns_);
  for (int axis = 0; axis < 3; ++axis) {
    CalcPullRow(motion, pull, axis, scratch_.data());
    Fold(motion.tree(), scratch_.data(), 1, J_.row(axis));
  }
  if (!pull.twist) {
    qp_.g += h_ * J_.topRows<3>().transpose() * pull.force;
    qp_.H.noalias() += gain * J_.topRows<3>().transpose() * J_.topRows<3>();
    return;
  }
  for (int axis = 0; axis < 3; ++axis) {
    qp_.g += h_ * pull.force[axis] * J_.row(axis).transpose();
    qp_.H.noalias() += gain * J_.row(axis).transpose() * J_.row(axis);
  }
}

void StepProgram::AddLimits(const StepInput& input, bool every_limit) {
  limits_.clear();
  if (input.model.articulated == 0) return;
  for (int b = 0; b < static_cast<int>(input.model.bodies.size()); ++b) {
    const Body& body = input.model.body(b);
    if (!body.Moves() || body.nv != 1 || body.nq != 1 || body.joint.leader >= 0) continue;
    const int column = At(column_, body.v_start);
    const double q = input.start.q[body.q_start];
    // those that this step may come to: as far as the target, and what a push may add
    const JointDrive& actuator = *ActuatorOf(body, input.config);
    const double reach = every_limit
                             ? std::numeric_limits<double>::max()
                             : std::abs(actuator.target - q) + (actuator.slides ? 0.01 : 0.1);
    if (body.joint.lower > q - reach) limits_.push_back({b, column, 1, body.joint.lower - q});
    if (body.joint.upper < q + reach) limits_.push_back({b, column, -1, q - body.joint.upper});
  }
}

void StepProgram::AddMotion(const Model& model, int index, const Vec3& p_W, double sign,
                            const Candidate& candidate) {
  const Body& body = model.body(index);
  if (!body.Moves()) return;
  const Motion& motion = MotionOf(body);
  int r = 0;
  for (const Vec3* axis : {&candidate.t1_W, &candidate.t2_W, &candidate.n_W}) {
    motion.CalcPointRow(index, p_W, *axis, scratch_.data());
    Fold(motion.tree(), scratch_.data(), sign, J_.row(r++));
  }
  motion.CalcTurnRow(index, candidate.n_W, scratch_.data());
  Fold(motion.tree(), scratch_.data(), sign, J_.row(3));
}

void StepProgram::Build(const StepInput& input, const std::vector<Candidate>& candidates,
                        bool every_limit) {
  const Model& model = input.model;
  NumberColumns(model);
  h_ = input.config.step.time_step;
  qp_.H.setZero(columns_, columns_);
  qp_.g.setZero(columns_);
  drive_.setZero(columns_);
  gains_.setZero(columns_);
  motions_.clear();
  scratch_.resize(static_cast<std::size_t>(model.nv));
  const Vec3 gravity_W = CalcGravity(input.config.step);
  for (const Tree& tree : model.trees) {
    const Motion& motion = motions_.emplace_back(model, tree, input.start, input.trees);
    motion.ForEachWeight(gravity_W, scratch_.data(), [&](int b, double scale, const double* row) {
      Fold(tree, row, h_ * scale, qp_.g.transpose());
      // what has actuators has no inertia beside their impedance
      if (motion.has_links()) AddActuator(input, model.body(b));
    });
    if (!motion.has_links()) AddBody(input, motion);
  }
  AddPull(input);
  AddLimits(input, every_limit);

  int rows = static_cast<int>(limits_.size());
  first_row_.clear();
  for (const Candidate& candidate : candidates) {
    first_row_.push_back(rows);
    rows += candidate.mu_w > 0 ? 6 : 4;
  }
  qp_.A.setZero(rows, columns_);
  qp_.b.setZero(rows);
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const auto r = static_cast<Eigen::Index>(i);
    qp_.A(r, limits_[i].column) = limits_[i].sign;
    qp_.b[r] = limits_[i].bound;
  }
  if (contact_rows_.size() < candidates.size()) contact_rows_.resize(candidates.size());
  belts_.resize(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& c = candidates[i];
    J_.setZero(4, columns_);
    AddMotion(model, c.body, c.beta_W, 1, c);
    if (c.body_a >= 0) AddMotion(model, c.body_a, c.alpha_W, -1, c);
    contact_rows_[i] = J_;
    belts_[i] = BeltWay(input, c);
    const Eigen::Index r = first_row_[i];
    const auto normal = J_.row(2);
    for (int k = 0; k < 2; ++k) {
      const double moved = k == 0 ? c.mu * belts_[i] : 0;
      qp_.A.row(r + k) = normal + c.mu * J_.row(k);
      qp_.A.row(r + k + 2) = normal - c.mu * J_.row(k);
      qp_.b[r + k] = -c.phi + moved;
      qp_.b[r + k + 2] = -c.phi - moved;
    }
    if (!(c.mu_w > 0)) continue;
    qp_.A.row(r + 4) = normal + c.mu_w * J_.row(3);
    qp_.A.row(r + 5) = normal - c.mu_w * J_.row(3);
    qp_.b[r + 4] = qp_.b[r + 5] = -c.phi;
  }
}

int StepProgram::ContactOfRow(int row) const {
  const auto next = std::upper_bound(first_row_.begin(), first_row_.end(), row);
  return static_cast<int>(next - first_row_.begin()) - 1;
}

bool StepProgram::BreaksLimit(const StepInput& input, const VectorX& x) const {
  if (input.model.articulated == 0) return false;
  for (const Body& body : input.model.bodies) {
    if (!body.Moves() || body.nv != 1 || body.nq != 1 || body.joint.leader >= 0) continue;
    const double q = input.start.q[body.q_start];
    const double end = q + x[At(column_, body.v_start)];
    // one that began beyond a limit has its row, or goes back
    if (end > std::max(body.joint.upper, q) + kLimitReached ||
        end < std::min(body.joint.lower, q) - kLimitReached)
      return true;
  }
  return false;
}

void StepProgram::SetVelocities(const VectorX& x, VectorX* v) const {
  v->resize(static_cast<Eigen::Index>(column_.size()));
  for (std::size_t i = 0; i < column_.size(); ++i)
    (*v)[static_cast<Eigen::Index>(i)] = ratio_[i] * x[column_[i]] / h_;
}

ContactLoadOut StepProgram::Load(std::size_t contact, const Candidate& c, const VectorX& x,
                                 const VectorX& lambda) const {
  ContactLoadOut out;
  const Eigen::Index r = first_row_[contact];
  const Eigen::Vector4d moved = contact_rows_[contact] * x;
  out.slip_C = moved.head<3>();
  out.belt = belts_[contact];
  out.slip_C.x() -= out.belt;
  out.turn = moved[3];
  out.f_C.x() = c.mu / h_ * (lambda[r] - lambda[r + 2]);
  out.f_C.y() = c.mu / h_ * (lambda[r + 1] - lambda[r + 3]);
  const bool torsion = c.mu_w > 0;
  double sum = lambda.segment<4>(r).sum();
  if (torsion) {
    sum += lambda[r + 4] + lambda[r + 5];
    out.torque = c.mu_w / h_ * (lambda[r + 4] - lambda[r + 5]);
  }
  out.f_C.z() = sum / h_;
  for (Eigen::Index i = 0; i < (torsion ? 6 : 4); ++i) At(out.multipliers, i) = lambda[r + i];
  out.gap = c.phi + out.slip_C.z();
  out.predicted = std::max({c.mu * std::abs(out.slip_C.x()), c.mu * std::abs(out.slip_C.y()),
                            c.mu_w * std::abs(out.turn)});
  return out;
}

// Of what acts at the end of the step, as all else does.
double StepProgram::CalcDriveWork(const VectorX& x) const {
  return (drive_ - gains_.cwiseProduct(x)).dot(x);
}

}  // namespace slip
