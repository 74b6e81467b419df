#include "engine/integrators/tree_motion.h"

#include <cmath>

#include "engine/collide/contact_detector.h"
#include "engine/core/numbers.h"
#include "engine/method/joint_motor.h"

namespace slip {
namespace {

const Body& BodyAt(const Model& model, int b) { return model.body(b); }

Vec3 VelocityAt(const Pose& X_WB, const Vec6& V_WB, const Vec3& p_W) {
  return V_WB.tail<3>() + V_WB.head<3>().cross(p_W - X_WB.p);
}

}  // namespace

double MeanBeltSpeed(const Config& config, const Surface& surface, double time, double h) {
  if (surface.drive < 0) return 0;
  const SurfaceDrive& drive = At(config.surfaces, surface.drive);
  return (drive.Displacement(time + h) - drive.Displacement(time)) / h;
}

namespace {

void AppendTouches(const Model& model, const Config& config, const MaterialPairs& materials,
                   std::size_t first, std::size_t last, double time, const State& state,
                   double reach, std::vector<Touch>* touches) {
  const double h = config.step.time_step;
  for (std::size_t b = first; b < last; ++b) {
    const Body& body = model.bodies[b];
    if (!body.Moves() || body.points_B.empty()) continue;
    const Pose& X = state.X_WB[b];
    for (std::size_t s = 0; s < model.surfaces.size(); ++s) {
      const Surface& surface = model.surfaces[s];
      if (surface.normal.dot(X.p - surface.point) > body.bound + reach) continue;
      Touch touch;
      touch.key = body.first_key + static_cast<ContactKey>(s * body.points_B.size());
      for (const Vec3& point : body.points_B) {
        touch.phi = CalcSignedDistance(surface, body, point, X, &touch.p_W);
        if (touch.phi <= reach) {
          touch.surface = static_cast<int>(s);
          touch.body = static_cast<int>(b);
          const Material& m = materials.Of(model, touch.surface, -1, touch.body);
          touch.params = {m.stiffness, m.damping, m.friction};
          touch.centre_W = X * point;
          touch.n_W = surface.normal;
          touch.t1_W = surface.belt_axis;
          touch.belt_W = MeanBeltSpeed(config, surface, time, h) * surface.belt_axis;
          touches->push_back(touch);
        }
        ++touch.key;
      }
    }
  }
}

}  // namespace

void FindTouches(const Model& model, const Config& config, const MaterialPairs& materials,
                 double time, const State& state, std::vector<Touch>* touches) {
  touches->clear();
  AppendTouches(model, config, materials, 0, model.bodies.size(), time, state, 0, touches);
}

void FindTouches(const Model& model, const Config& config, const MaterialPairs& materials,
                 const Tree& tree, double time, const State& state, std::vector<Touch>* touches,
                 double reach) {
  touches->clear();
  const auto first = static_cast<std::size_t>(tree.first_body);
  AppendTouches(model, config, materials, first, first + static_cast<std::size_t>(tree.bodies),
                time, state, reach, touches);
}

void FindAnchors(const std::vector<Touch>& found, const std::vector<ContactMemory>& memory,
                 std::vector<AnchoredTouch>* touches) {
  touches->clear();
  auto known = memory.begin();
  for (const Touch& touch : found) {
    while (known != memory.end() && known->key < touch.key) ++known;
    const bool old = known != memory.end() && known->key == touch.key;
    touches->push_back({touch, old ? known->anchor_W : touch.p_W, old && known->slips});
  }
}

Vec3 CarryAnchor(const State& from, const State& to, const Touch& touch, double elapsed) {
  Vec3 way = elapsed * touch.belt_W;
  const Vec3 radius = touch.centre_W - touch.p_W;
  if (radius == Vec3::Zero()) return way;
  const auto b = static_cast<std::size_t>(touch.body);
  const Vec3 turn = CalcRotationVector(to.X_WB[b].q * from.X_WB[b].q.conjugate());
  return way + turn.cross(radius);
}

void TreeMotion::UpdateInertia(const Model& model, const Config& config, const Tree& tree,
                               TreeDynamics* links, const State& state,
                               std::span<const Vec6> V_WB) {
  model_ = &model;
  config_ = &config;
  tree_ = &tree;
  links_ = links;
  state_ = &state;
  V_WB_ = V_WB;
  motion_ = Motion(model, tree, state, links);
  nv_ = tree.nv;
  v_ = state.v.segment(tree.v_start, nv_);
  if (links == nullptr && chain_.size() != nv_) {
    int before[6] = {-1, 0, 1, 2, 3, 4};
    chain_.Assign({before, static_cast<std::size_t>(nv_)});
  }
  mass_.resize(static_cast<std::size_t>(pattern().entries()));
  motion_.CalcMassRows(mass_.data());
  bias_.resize(nv_);
  motion_.CalcBias(CalcGravity(config.step), bias_.data());
  bias_ = -bias_;
}

void TreeMotion::Update(const Model& model, const Config& config, const Tree& tree,
                        TreeDynamics* links, const State& state, std::span<const Vec6> V_WB,
                        const VectorX* actuation, double implicit_h) {
  UpdateInertia(model, config, tree, links, state, V_WB);
  row_.resize(1, nv_);
  u_ = bias_;
  points_.clear();
  for (VectorX* x : {&motors_, &dampers_, &motor_inertia_, &damper_inertia_}) x->setZero(nv_);
  if (links != nullptr) {
    for (int b = tree.first_body; b < tree.first_body + tree.links; ++b) {
      const Body& body = BodyAt(model, b);
      if (body.nv != 1 || body.nq != 1) continue;
      const int i = body.v_start - tree.v_start;
      const double held = actuation != nullptr ? (*actuation)[body.v_start] : 0;
      motors_[i] = CalcMotor(body, i, held, implicit_h);
      dampers_[i] = -body.joint.damping * v_[i];
      u_[i] += motors_[i] + dampers_[i];
      damper_inertia_[i] = implicit_h * body.joint.damping;
      if (IsAtLimit(body, i)) continue;  // it gives all it has
      const Motor motor = MotorOf(body, config);
      motor_inertia_[i] = implicit_h * (motor.damping + implicit_h * motor.stiffness);
    }
  } else if (actuation != nullptr) {
    motors_ = actuation->segment(tree.v_start, nv_);
    u_ += motors_;
  }
  AddPull(config);
  factor_ = mass_;
  implicit_ = implicit_h > 0;
  if (implicit_) AddImplicitInertia(&factor_);
  positive_ = pattern().Factorize(factor_.data());
  free_ = u_;
  if (positive_) pattern().Solve(factor_.data(), free_.data());
}

double TreeMotion::CalcMotor(const Body& body, int i, double held, double implicit_h) const {
  if (held_motors_.empty()) return CalcMotorForce(body, *config_, *state_, held, implicit_h);
  const int piece = At(held_motors_, i);
  return piece != 0 ? piece * body.joint.effort
                    : CalcUnlimitedForce(body, *config_, *state_, held, implicit_h);
}

bool TreeMotion::IsAtLimit(const Body& body, int i) const {
  if (held_motors_.empty()) return std::abs(motors_[i]) >= body.joint.effort;
  return At(held_motors_, i) != 0;
}

int TreeMotion::MotorPiece(int i) const {
  for (int b = tree_->first_body; links_ != nullptr && b < tree_->first_body + tree_->links; ++b) {
    const Body& body = BodyAt(*model_, b);
    if (body.nv != 1 || body.nq != 1 || body.v_start - tree_->v_start != i) continue;
    if (std::abs(motors_[i]) >= body.joint.effort) return motors_[i] > 0 ? 1 : -1;
  }
  return 0;
}

void TreeMotion::AddImplicitInertia(std::vector<double>* rows) const {
  for (int i = 0; i < nv_; ++i) {
    At(*rows, pattern().Diagonal(i)) += motor_inertia_[i] + damper_inertia_[i];
  }
}

void TreeMotion::TakeFreeMotion(TreeMotion* middle) {
  middle->factor_ = middle->mass_;
  if (implicit_) AddImplicitInertia(&middle->factor_);
  if (!pattern().Factorize(middle->factor_.data())) return;
  free_ = u_ - bias_ + middle->bias_;
  pattern().Solve(middle->factor_.data(), free_.data());
}

void TreeMotion::AddImplicitForces(const VectorX& acceleration, VectorX* motors,
                                   VectorX* dampers) const {
  motors->array() -= motor_inertia_.array() * acceleration.array();
  dampers->array() -= damper_inertia_.array() * acceleration.array();
}

const MatrixX& TreeMotion::CalcMassMatrix() {
  M_.resize(nv_, nv_);
  pattern().Unpack(mass_.data(), M_.data());
  return M_;
}

void TreeMotion::SolveInPlace(Eigen::Ref<MatrixX> x) const {
  for (Eigen::Index c = 0; c < x.cols(); ++c) pattern().Solve(factor_.data(), x.col(c).data());
}

// The mouse spring, as it is at the state.
void TreeMotion::AddPull(const Config& config) {
  pull_ = CalcPull(*model_, config.grab, *state_);
  pull_W_.setZero();
  pulls_ = pull_.pulls() && &model_->TreeOf(BodyAt(*model_, pull_.body)) == tree_;
  if (!pulls_) return;
  const auto b = static_cast<std::size_t>(pull_.body);
  pull_W_ = pull_.force;
  pull_W_ -= pull_.damping * pull_.CalcVelocity(state_->X_WB[b], V_WB_[b]);
  pull_rows_.resize(3, nv_);
  for (int axis = 0; axis < 3; ++axis) {
    CalcPullRow(motion_, pull_, axis, row_.data());
    u_ += pull_W_[axis] * row_.transpose();
    pull_rows_.row(axis) = row_;
  }
}

double TreeMotion::CalcPullPower(Eigen::Ref<const VectorX> v) const {
  if (!pulls_) return 0;
  double power = 0;
  for (int axis = 0; axis < 3; ++axis) power += pull_W_[axis] * pull_rows_.row(axis).dot(v);
  return power;
}

int TreeMotion::CalcWayRows(const Touch& touch, double* rows) {
  motion_.CalcWayRows(touch.body, touch.p_W, Mat3::Identity(), rows);
  return motion_.last(touch.body);
}

void TreeMotion::CalcRows(const Touch& touch, Eigen::Ref<MatrixX> rows) {
  half_.resize(static_cast<std::size_t>(3 * nv_));
  const int last = CalcWayRows(touch, half_.data());
  rows.setZero();
  if (last < 0) return;
  const double* entry = half_.data();
  for (int axis = 0; axis < 3; ++axis) {
    for (const int k : pattern().Path(last)) rows(axis, k) = *entry++;
  }
}

void TreeMotion::ReservePoints(int points, int nv) {
  points_.reserve(static_cast<std::size_t>(points));
  J_.reserve(static_cast<std::size_t>(3 * points * nv));
}

void TreeMotion::AddPoint(const Touch& touch) {
  const std::size_t begin = points_.size() * static_cast<std::size_t>(3 * nv_);
  J_.resize(begin + static_cast<std::size_t>(3 * nv_));
  points_.push_back({begin, CalcWayRows(touch, J_.data() + begin)});
}

Vec3 TreeMotion::CalcAcceleration(std::size_t i, const VectorX& a) const {
  Vec3 out = Vec3::Zero();
  if (points_[i].last < 0) return out;
  const double* entry = J_.data() + points_[i].begin;
  for (int axis = 0; axis < 3; ++axis) {
    for (const int k : pattern().Path(points_[i].last)) out[axis] += *entry++ * a[k];
  }
  return out;
}

void TreeMotion::AddForce(std::size_t i, const Vec3& f_W, VectorX* tau) const {
  if (points_[i].last < 0) return;
  const double* entry = J_.data() + points_[i].begin;
  for (int axis = 0; axis < 3; ++axis) {
    for (const int k : pattern().Path(points_[i].last)) (*tau)[k] += *entry++ * f_W[axis];
  }
}

// With M = LᵀDL it is Wᵀ D⁻¹ W, W = L⁻ᵀ Jᵀ, whose columns have entries on the ways of their points
// alone: two points share what is on both.
void TreeMotion::CalcDelassus(MatrixX* out) {
  const auto n = static_cast<Eigen::Index>(3 * points_.size());
  out->setZero(n, n);
  half_ = J_;
  scaled_.resize(half_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const int last = points_[i].last;
    if (last < 0) continue;
    const std::span<const int> way = pattern().Path(last);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t row = points_[i].begin + axis * way.size();
      pattern().SolveOnWay(factor_.data(), last, half_.data() + row);
      for (std::size_t e = 0; e < way.size(); ++e) {
        scaled_[row + e] = half_[row + e] * At(factor_, pattern().Diagonal(way[e]));
      }
    }
    for (std::size_t j = 0; j <= i; ++j) {
      if (points_[j].last < 0) continue;
      const std::span<const int> other = pattern().Path(points_[j].last);
      std::size_t shared = 0;
      while (shared < way.size() && shared < other.size() && way[shared] == other[shared]) ++shared;
      for (std::size_t r = 0; r < 3; ++r) {
        const double* const own = scaled_.data() + points_[i].begin + r * way.size();
        for (std::size_t c = 0; c < 3; ++c) {
          const double* const its = half_.data() + points_[j].begin + c * other.size();
          double sum = 0;
          for (std::size_t e = 0; e < shared; ++e) sum += own[e] * its[e];
          const auto row = static_cast<Eigen::Index>(3 * i + r);
          const auto column = static_cast<Eigen::Index>(3 * j + c);
          (*out)(row, column) = (*out)(column, row) = sum;
        }
      }
    }
  }
}

Vec3 TreeMotion::CalcVelocity(const Touch& touch) const {
  const auto b = static_cast<std::size_t>(touch.body);
  return VelocityAt(state_->X_WB[b], V_WB_[b], touch.p_W) - touch.belt_W;
}

double TreeMotion::CalcSpeedOfTerms(const Touch& touch) {
  half_.resize(static_cast<std::size_t>(3 * nv_));
  const int last = CalcWayRows(touch, half_.data());
  Vec3 sum = touch.belt_W.cwiseAbs();
  const double* entry = half_.data();
  for (int axis = 0; last >= 0 && axis < 3; ++axis) {
    for (const int k : pattern().Path(last)) sum[axis] += std::abs(*entry++ * v_[k]);
  }
  // an arm is itself the difference of two places
  const auto b = static_cast<std::size_t>(touch.body);
  return sum.norm() + V_WB_[b].head<3>().norm() * state_->X_WB[b].p.norm();
}

Vec3 TreeMotion::CalcBias(const Touch& touch) const {
  // the lowest point of a sphere stays below its centre: no centripetal part
  return motion_.CalcPointBias(touch.body, touch.centre_W);
}

}  // namespace slip
