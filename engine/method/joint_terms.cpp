#include "engine/method/joint_terms.h"

#include <cmath>
#include <numbers>

#include "engine/core/numbers.h"

namespace slip {
namespace {

// Regularisation of a constraint that is meant to be rigid: as stiff as the step resolves
// (ICF 2.1, near-rigid limit with beta = 1): R = w / 4π², τ = h / π.
constexpr double kNearRigid = 1 / (4 * std::numbers::pi * std::numbers::pi);

struct Softness {
  double R;    // of the impulse [1/kg] or [1/(kg m^2)]
  double tau;  // relaxation time [s]
};
Softness CalcSoftness(double h, double w, double stiffness, double tau) {
  const double rigid = kNearRigid * w;
  const double soft = 1 / (h * stiffness * (h + tau));
  return soft > rigid ? Softness{soft, tau} : Softness{rigid, h / std::numbers::pi};
}

using Source = CoordinatePotential::Source;

// One joint with a single coordinate.
class Terms {
 public:
  Terms(const Tree& tree, const Body& body, const Config& config, const State& state,
        const TreeEquation& equation, std::vector<CoordinatePotential>* potentials)
      : joint_(body.joint),
        h_(config.step.time_step),
        q_(state.q[body.q_start]),
        v_(state.v[body.v_start]),
        tree_(tree),
        equation_(equation),
        coordinate_(body.v_start - tree.v_start),
        A_(DiagonalOf(tree, equation, coordinate_)),
        momentum_(equation.momentum[coordinate_]),
        potential_{.tree = body.tree, .coordinate = coordinate_},
        potentials_(potentials) {}

  static double& DiagonalOf(const Tree& tree, const TreeEquation& equation, int c) {
    return equation
        .A[equation.pattern != nullptr ? equation.pattern->Diagonal(c) : c * (tree.nv + 1)];
  }

  // Force τ(v) = k (target − q − h v) − c v + constant, up to the motor's limit.
  void AddMotor(double stiffness, double damping, double target, double constant) {
    const double gain = h_ * (damping + h_ * stiffness);
    const double impulse = h_ * (stiffness * (target - q_) + constant);
    const double most = h_ * joint_.effort;
    if (gain > 0 && std::isfinite(most)) {
      Add(impulse / gain, gain, -most, most, Source::kMotor);
    } else {
      momentum_ += std::clamp(impulse, -most, most);
      A_ += gain;
    }
  }

  void AddFriction(double regularization) {
    if (joint_.friction <= 0) return;
    const double most = h_ * joint_.friction;
    Add(0, A_ / regularization, -most, most, Source::kFriction);
  }

  void AddLimits() {
    // farther away than the joint could come within the step
    const double reach = kReach + kReachFactor * h_ * std::abs(v_);
    const double below = q_ - joint_.lower, above = joint_.upper - q_;
    if (!(below < reach || above < reach)) return;
    const Softness soft = CalcSoftness(h_, 1 / A_, joint_.limit_stiffness, joint_.limit_relaxation);
    if (below < reach) Add(-below / (h_ + soft.tau), 1 / soft.R, 0, kInfinity, Source::kLimit);
    if (above < reach) Add(above / (h_ + soft.tau), 1 / soft.R, -kInfinity, 0, Source::kLimit);
  }

  // q = ratio q_leader + offset, as stiff as the step resolves: a quadratic in A.
  void AddCoupler(const Model& model, const State& state) {
    const Body& leader = model.body(joint_.leader);
    const int other = leader.v_start - tree_.v_start;
    const double r = joint_.ratio;
    const double error = q_ - r * state.q[leader.q_start] - joint_.offset;
    // a tree with couplers has its inertia in full
    double* A = equation_.A;
    double& A_other = A[other * (tree_.nv + 1)];
    const double w = 1 / A_ + r * r / A_other;
    const Softness soft = CalcSoftness(h_, w, kInfinity, 0);
    const double gain = 1 / soft.R, impulse = -gain * error / (h_ + soft.tau);
    A_ += gain;
    A_other += gain * r * r;
    A[coordinate_ * tree_.nv + other] -= gain * r;
    A[other * tree_.nv + coordinate_] -= gain * r;
    momentum_ += impulse;
    equation_.momentum[other] -= r * impulse;
  }

 private:
  static constexpr double kReach = 0.05;  // [rad] or [m]
  static constexpr double kReachFactor = 5;

  void Add(double rest_velocity, double gain, double low, double high, Source source) {
    potential_.source = source;
    potential_.rest_velocity = rest_velocity;
    potential_.gain = gain;
    potential_.low = low;
    potential_.high = high;
    potentials_->push_back(potential_);
  }

  const Joint& joint_;
  double h_, q_, v_;
  const Tree& tree_;
  const TreeEquation equation_;
  int coordinate_;
  double& A_;  // its diagonal entry
  double& momentum_;
  CoordinatePotential potential_;
  std::vector<CoordinatePotential>* potentials_;
};

}  // namespace

void AddJoints(const Model& model, const Tree& tree, const Config& config, const State& state,
               const VectorX* actuation, double regularization, const TreeEquation& equation,
               std::vector<CoordinatePotential>* potentials) {
  const double h = config.step.time_step;
  if (tree.articulated < 0) {
    for (int i = 0; actuation != nullptr && i < tree.nv; ++i)
      equation.momentum[i] += h * (*actuation)[tree.v_start + i];
    return;
  }
  const auto end = static_cast<std::size_t>(tree.first_body + tree.links);
  for (auto b = static_cast<std::size_t>(tree.first_body); b < end; ++b) {
    const Body& body = model.bodies[b];
    const Joint& joint = body.joint;
    const int first = body.v_start - tree.v_start;
    for (int i = 0; i < body.nv; ++i)
      Terms::DiagonalOf(tree, equation, first + i) += h * joint.damping;
    if (body.nv != 1 || body.nq != 1) {
      for (int i = 0; actuation != nullptr && i < body.nv; ++i)
        equation.momentum[first + i] += h * (*actuation)[body.v_start + i];
      continue;
    }
    Terms terms(tree, body, config, state, equation, potentials);
    const double constant = actuation != nullptr ? (*actuation)[body.v_start] : 0;
    const Motor motor = MotorOf(body, config);
    terms.AddMotor(motor.stiffness, motor.damping, motor.target, constant);
    if (joint.leader >= 0) terms.AddCoupler(model, state);
    terms.AddFriction(regularization);
    terms.AddLimits();
  }
}

JointWork CalcJointWork(const Model& model, const Config& config, const State& end,
                        const VectorX* actuation, std::span<const CoordinatePotential> potentials,
                        std::span<const double> impulses) {
  JointWork work;
  const double h = config.step.time_step;
  for (const Tree& tree : model.trees) {
    if (tree.articulated < 0) {
      if (actuation != nullptr)
        work.motors +=
            h * actuation->segment(tree.v_start, tree.nv).dot(end.v.segment(tree.v_start, tree.nv));
      continue;
    }
    for (int b = tree.first_body; b < tree.first_body + tree.links; ++b) {
      const Body& body = model.body(b);
      if (body.nv == 0) continue;
      const auto v = end.v.segment(body.v_start, body.nv);
      work.damping_loss += h * body.joint.damping * v.squaredNorm();
      if (body.nv == 1 && body.nq == 1) {
        const double held = actuation != nullptr ? (*actuation)[body.v_start] : 0;
        work.motors += h * CalcMotorForce(body, config, end, held) * v[0];
      } else if (actuation != nullptr) {
        work.motors += h * actuation->segment(body.v_start, body.nv).dot(v);
      }
    }
  }
  for (std::size_t i = 0; i < potentials.size(); ++i) {
    const CoordinatePotential& potential = potentials[i];
    if (potential.source != Source::kFriction) continue;
    const int start = At(model.trees, potential.tree).v_start;
    work.friction_loss -= impulses[i] * end.v[start + potential.coordinate];
  }
  return work;
}

}  // namespace slip
