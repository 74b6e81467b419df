#include "engine/convex/turning.h"

#include <algorithm>
#include <cmath>

#include "engine/convex/convex_params.h"
#include "engine/core/numbers.h"
#include "engine/dynamics/joint.h"
#include "engine/dynamics/spin.h"

namespace slip {
namespace {

// A bias below this changes nothing [m/s].
constexpr double kStill = 1e-9;
// Contacts that slide faster than this share of what the turn gives their point are not about to
// roll: the turn that the bias foretells is one that an impact ends.
constexpr double kRollingShare = 0.3;
// A cylinder that stands flatter has no lowest point of its rim.
constexpr double kFlat = 0.999;
constexpr double kLastBits = 1e-14;
// Turn of a step beyond which the mean of two angular velocities means nothing [rad].
constexpr double kLargestTurn = 1;

bool IsIsotropic(const Vec3& inertia) {
  return inertia.maxCoeff() - inertia.minCoeff() <= kLastBits * inertia.maxCoeff();
}

// A term divided by this fades without an edge where it is not meant: 1 + x^4, given x^4.
double Fading(double x_to_the_fourth) { return 1 + x_to_the_fourth; }

// Radius of the ball that touches there; 0 = a point that is fixed in the body.
double BallRadius(const Body& body, const ContactGeometry& contact) {
  const bool points = contact.surface >= 0 ? !body.points_B.empty() : body.probes;
  if (points) return body.point_radius;
  const bool round =
      body.shape.kind == ShapeKind::kSphere || body.shape.kind == ShapeKind::kCapsule;
  return round ? body.shape.radius : 0;
}

bool TouchesWithShape(const Body& body, const ContactGeometry& contact, ShapeKind kind) {
  const bool points = contact.surface >= 0 ? !body.points_B.empty() : body.probes;
  return !points && body.shape.kind == kind;
}

// Largest angular rate among the coordinates of a tree with links [rad/s].
double LargestRate(const Tree& tree, const VectorX& v) {
  double rate = 0;
  for (int k = 0; k < static_cast<int>(tree.coordinate.size()); ++k) {
    if (At(tree.coordinate, k).rotates) rate = std::max(rate, std::abs(v[tree.v_start + k]));
  }
  return rate;
}

}  // namespace

void TurningStep::Begin(const StepInput& input) {
  const Model& model = input.model;
  const StepParams& params = input.config.step;
  middle_ =
      params.part<ConvexParams>().turning == static_cast<int>(Turning::kMiddle) && !model.planar;
  if (!middle_) return;
  h_ = params.time_step;
  gravity_W_ = CalcGravity(params);
  model_ = &model;
  start_ = &input.start;
  V_WB_ = input.V_WB;
  links_ = input.trees;
  bodies_.resize(model.bodies.size());
  spins_.resize(model.trees.size());
  turns_far_.resize(model.trees.size());
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    const Tree& tree = model.trees[t];
    if (tree.articulated >= 0) {
      turns_far_[t] = h_ * LargestRate(tree, start_->v) > kLargestTurn;
      continue;
    }
    const auto b = static_cast<std::size_t>(tree.first_body);
    FreeBody& free = bodies_[b];
    free.turns = model.IsFree(model.bodies[b]);
    if (!free.turns) continue;
    free.w_W = V_WB_[b].head<3>();
    free.speed = free.w_W.norm();
    // none of its points sees a bias otherwise
    free.turns = h_ * free.speed * free.speed * model.bodies[b].bound >= kStill &&
                 !(h_ * free.speed > kLargestTurn);
    if (!free.turns) continue;
    const Quat half = CalcRotation(0.5 * h_ * free.w_W);
    free.c = half.w();
    free.u = half.vec();
  }
  inverse_dynamics_.resize(model.nv);
}

bool TurningStep::CalcFreeMomentum(const Body& body, const BodyInertia& inertia, Vec3* L_W) {
  if (!middle_) return false;
  Spin& spin = At(spins_, body.tree);
  spin.at_mean = false;
  const auto b = static_cast<std::size_t>(&body - model_->bodies.data());
  const Vec3 w_W = V_WB_[b].head<3>();
  *L_W = inertia.I_W * w_W;
  const Vec3& I = body.inertia_B;
  if (IsIsotropic(I)) return true;
  const double speed = bodies_[b].speed;
  if (h_ * speed > kLargestTurn) return false;
  const Quat& q = start_->X_WB[b].q;
  spin.w0_B = spin.free_B = Rotate(q.conjugate(), w_W);
  spin.at_mean = true;
  const Vec3 moment = CalcGyroscopicMoment(I, spin.w0_B);
  if (moment.norm() <= kLastBits * speed * L_W->norm()) return true;
  spin.at_mean = SolveSpin(I, h_, spin.w0_B, spin.w0_B, Vec3::Zero(), &spin.free_B);
  if (spin.at_mean) *L_W = Rotate(q, I.cwiseProduct(spin.free_B));
  return spin.at_mean;
}

void TurningStep::NoteInverseDynamics(const Tree& tree, const Eigen::Ref<const VectorX>& tau) {
  if (middle_) inverse_dynamics_.segment(tree.v_start, tree.nv) = tau;
}

// Whether a body's points may see a bias.
bool TurningStep::Turns(int index) const {
  if (index < 0) return false;
  const auto b = static_cast<std::size_t>(index);
  if (bodies_[b].turns) return true;
  if (model_->articulated == 0) return false;
  const Body& body = model_->bodies[b];
  return body.Moves() && model_->TreeOf(body).articulated >= 0 && At(turns_far_, body.tree) == 0;
}

TurningStep::Turner TurningStep::MakeTurner(int index, const ContactGeometry& of_pair) const {
  if (!Turns(index)) return {};
  const Body& body = model_->body(index);
  const Tree& tree = model_->TreeOf(body);
  Turner turner{.body = &body, .index = index, .radius = BallRadius(body, of_pair)};
  if (tree.articulated >= 0) {
    turner.links = &At(links_, tree.articulated);
    turner.bias = turner.links->CalcLinkBias(index);
    turner.speed = At(V_WB_, index).head<3>().norm();
  } else {
    turner.rim = TouchesWithShape(body, of_pair, ShapeKind::kCylinder);
  }
  return turner;
}

// A body's share, without its sign. `away_W` points from the other into the body.
TurningStep::Side TurningStep::CalcSide(const Turner& turner, const ContactGeometry& contact,
                                        const Vec3& away_W) const {
  Side side;
  if (turner.body == nullptr) return side;
  const auto b = static_cast<std::size_t>(turner.index);
  const Body& body = *turner.body;
  const double radius = turner.radius;
  if (turner.links != nullptr) {
    // of the point at the core that the contact rides on
    const Vec3 to_core = radius * away_W;
    side.of_link = turner.links->CalcPointBias(turner.index, turner.bias, contact.p_W + to_core);
    if (radius > 0) side.of_link -= turner.bias.w.cross(to_core);
    side.of_link *= 0.5 * h_;
    side.moves = turner.speed * (contact.p_W - start_->X_WB[b].p).norm();
    return side;
  }
  const FreeBody& free = bodies_[b];
  const Pose& X = start_->X_WB[b];
  const Vec3 r = contact.p_W - X.p;
  side.moves = side.speed = free.speed * r.norm();
  if (turner.rim) {
    const Vec3 a = Rotate(X.q, Vec3::UnitX());
    if (std::abs(away_W.dot(a)) < kFlat) {
      // the lowest point of the rim stays the lowest one while the axis turns
      const double end = 0.5 * body.shape.length, e = std::clamp(r.dot(a), -end, end);
      const auto point = [&](const Vec3& axis) -> Vec3 {
        const Vec3 radial = away_W - away_W.dot(axis) * axis;
        return e * axis - body.shape.radius / radial.norm() * radial;
      };
      side.b = free.w_W.cross(Vec3(point(a + free.Shift(a)) - point(a)));
      return side;
    }
  }
  const Vec3 core = r + radius * away_W;
  if (h_ * free.speed * free.speed * core.norm() < kStill) return side;
  side.b = free.w_W.cross(free.Shift(core));
  return side;
}

Vec3 TurningStep::CalcBias(const Turner& side_a, const Turner& side_b,
                           const ContactGeometry& contact, double* reach) const {
  const Side B = CalcSide(side_b, contact, contact.n_W);
  const Side A = CalcSide(side_a, contact, -contact.n_W);
  Vec3 b = B.b - A.b;
  const double turn = std::max(A.speed, B.speed);
  if (turn > 0) {
    const auto velocity = [&](int body) -> Vec3 {
      if (body < 0) return Vec3::Zero();
      const Vec6& V = At(V_WB_, body);
      const Vec3 r = contact.p_W - start_->pose(body).p;
      return V.tail<3>() + V.head<3>().cross(r);
    };
    const Vec3 slip =
        velocity(contact.body) - velocity(contact.body_a) - contact.belt * contact.t1_W;
    const double rolls = kRollingShare * turn;
    const double x_squared = slip.squaredNorm() / (rolls * rolls);
    b /= Fading(x_squared * x_squared);
  }
  *reach = h_ * std::max(A.moves, B.moves);
  b += B.of_link - A.of_link;
  return b;
}

void TurningStep::CalcBiases(std::span<const ContactGeometry> contacts) {
  biases_W_.resize(contacts.size());
  const auto same_pair = [](const ContactGeometry& a, const ContactGeometry& b) {
    return a.body == b.body && a.body_a == b.body_a && a.surface == b.surface;
  };
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    const ContactGeometry& first = contacts[begin];
    for (end = begin + 1; end < contacts.size() && same_pair(first, contacts[end]);) ++end;
    const auto pair = std::span(biases_W_).subspan(begin, end - begin);
    if (Turns(first.body) || Turns(first.body_a)) {
      CalcPairBias(contacts.subspan(begin, end - begin), pair);
    } else {
      std::fill(pair.begin(), pair.end(), Vec3::Zero());
    }
  }
}

void TurningStep::CalcPairBias(std::span<const ContactGeometry> contacts, std::span<Vec3> biases) {
  reaches_.resize(contacts.size());
  const ContactGeometry& first = contacts.front();
  const Turner b = MakeTurner(first.body, first), a = MakeTurner(first.body_a, first);
  for (std::size_t i = 0; i < contacts.size(); ++i)
    biases[i] = CalcBias(a, b, contacts[i], &reaches_[i]);
  if (contacts.size() < 2) return;
  double lowest = contacts[0].phi0, reach = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    lowest = std::min(lowest, contacts[i].phi0);
    reach = std::max(reach, reaches_[i]);
  }
  // a point that the step's turn does not bring to where the nearest one is has little say
  Vec3 sum = Vec3::Zero();
  double weights = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double x = reach > 0 ? (contacts[i].phi0 - lowest) / reach : 0;
    const double weight = 1 / Fading(x * x * x * x);
    sum += weight * biases[i];
    weights += weight;
  }
  std::fill(biases.begin(), biases.end(), sum / weights);
}

Vec3 TurningStep::Bias(const ContactGeometry& contact, std::size_t i) const {
  const Vec3& b = biases_W_[i];
  if (b == Vec3::Zero()) return b;
  return {contact.t1_W.dot(b), contact.t2_W.dot(b), contact.n_W.dot(b)};
}

void TurningStep::Finish(const ContactTask& task, const ContactSolution& solution,
                         const InverseInertia& inverse, VectorX* v) {
  if (!middle_) return;
  TurnKicked(solution, v);
  if (model_->articulated > 0) CorrectLinks(task, solution, inverse, v);
}

// The impulses are known: the angular velocity follows from Euler's equation at the mean.
void TurningStep::TurnKicked(const ContactSolution& solution, VectorX* v) const {
  for (std::size_t t = 0; t < spins_.size(); ++t) {
    const Tree& tree = model_->trees[t];
    const auto b = static_cast<std::size_t>(tree.first_body);
    const Body& body = model_->bodies[b];
    const Spin& spin = spins_[t];
    if (!model_->IsFree(body) || !spin.at_mean) continue;
    const Quat& q = start_->X_WB[b].q;
    const Vec3 solved = Rotate(q.conjugate(), solution.v.segment<3>(body.v_start));
    const double turn = h_ * std::max(spin.w0_B.norm(), solved.norm());
    if (turn < kStill || turn > kLargestTurn) continue;
    if ((solved - spin.free_B).norm() <= kLastBits * solved.norm()) continue;
    const Vec3 moment = CalcGyroscopicMoment(body.inertia_B, 0.5 * (spin.w0_B + spin.free_B));
    Vec3 w1;
    if (SolveSpin(body.inertia_B, h_, spin.w0_B, solved, moment, &w1))
      v->segment<3>(body.v_start) = Rotate(q, w1);
  }
}

// Trees that nothing touches: their inverse dynamics once more, at the mean velocity. In stance a
// correction like this one would put energy in at every step.
void TurningStep::CorrectLinks(const ContactTask& task, const ContactSolution& solution,
                               const InverseInertia& inverse, VectorX* v) {
  loaded_.assign(model_->trees.size(), 0);
  for (std::size_t i = 0; i < task.contacts.size(); ++i) {
    if (!(solution.impulses[i].z() > 0)) continue;
    for (const int tree : {task.contacts[i].tree_a, task.contacts[i].tree_b})
      if (tree >= 0) At(loaded_, tree) = 1;
  }
  for (std::size_t t = 0; t < model_->trees.size(); ++t) {
    const Tree& tree = model_->trees[t];
    if (tree.articulated < 0 || loaded_[t] != 0) continue;
    const auto v0 = start_->v.segment(tree.v_start, tree.nv);
    if (turns_far_[t] != 0 || h_ * LargestRate(tree, solution.v) > kLargestTurn) continue;
    mean_ = 0.5 * (v0 + solution.v.segment(tree.v_start, tree.nv));
    acceleration_ = v0 / -h_;
    change_.resize(tree.nv);
    TreeDynamics& links = At(links_, tree.articulated);
    links.SetVelocities(mean_.data());
    links.CalcInverseDynamics(gravity_W_, acceleration_.data(), change_.data());
    // they are those of the start for whoever comes next
    links.SetVelocities(start_->v.data() + tree.v_start);
    change_ -= inverse_dynamics_.segment(tree.v_start, tree.nv);
    inverse.Solve(static_cast<int>(t), change_.data());
    v->segment(tree.v_start, tree.nv) -= h_ * change_;
  }
}

}  // namespace slip
