// Analytic derivatives of a tree's dynamics against central differences, for every kind of joint.
#include <gtest/gtest.h>

#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/tree_dynamics.h"
#include "tests/engine/dynamics/random_tree.h"

namespace slip {
namespace {

const Vec3 kField(0.3, -0.2, -9.81);
constexpr double kNudge = 1e-6;

// A body's point, and one beside it at a fixed distance in world axes.
struct Point {
  int body = 0;
  Vec3 rides_B, beside_W, f_W;
};

struct MovedTree {
  Model model;
  State state;
  VectorX acceleration;
  Point point;

  // Of a state: τ, the point's velocity and Jᵀ f.
  VectorX Evaluate(const State& at) const {
    TreeDynamics links;
    links.Update(model, model.trees[0], at);
    const int nv = links.nv();
    VectorX out(2 * nv + 3);
    links.CalcInverseDynamics(kField, acceleration.data(), out.data());
    const Vec3 p_W = Rides(at) + point.beside_W;
    out.segment<3>(nv) = links.CalcPointVelocity(point.body, p_W);
    VectorX row(nv), forces = VectorX::Zero(nv);
    for (int axis = 0; axis < 3; ++axis) {
      links.CalcPointRow(point.body, p_W, Vec3::Unit(axis), row.data());
      forces += point.f_W[axis] * row;
    }
    out.tail(nv) = forces;
    return out;
  }
  Vec3 Rides(const State& at) const {
    return at.X_WB[static_cast<std::size_t>(point.body)] * point.rides_B;
  }
  // Column k of the derivative by positions or velocities.
  VectorX Difference(int k, bool by_position) const {
    const int nv = model.trees[0].nv;
    const auto at = [&](double h) {
      State moved = state;
      if (by_position) {
        moved.v = VectorX::Unit(nv, k);
        IntegratePositions(model, h, &moved);
        moved.v = state.v;
      } else {
        moved.v[k] += h;
      }
      return Evaluate(moved);
    };
    return (at(kNudge) - at(-kNudge)) / (2 * kNudge);
  }
};

TEST(TreeDerivatives, AreDifferencesOfInverseDynamics) {
  int trees = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomTree random(seed);
    MovedTree s;
    s.model = random.Make(1 + static_cast<int>(seed) % 12, seed % 3 == 0 ? 1.0 : 0.6);
    if (s.model.trees.empty() || s.model.trees[0].articulated < 0) continue;
    ++trees;
    SetStart(s.model, &s.state);
    const int nv = s.model.trees[0].nv;
    s.acceleration = VectorX::NullaryExpr(nv, [&] { return random.Number(-20, 20); });
    s.point.body = s.model.trees[0].first_body + s.model.trees[0].links - 1;
    s.point.rides_B = random.Vector(0.3);
    s.point.beside_W = random.Vector(0.1);
    s.point.f_W = random.Vector(50);

    TreeDynamics links;
    links.Update(s.model, s.model.trees[0], s.state);
    MatrixX by_position, by_velocity, rates, forces = MatrixX::Zero(nv, nv);
    links.CalcInverseDynamicsDerivatives(kField, s.acceleration.data(), &by_position, &by_velocity);
    const Vec3 rides_W = s.Rides(s.state), p_W = rides_W + s.point.beside_W;
    links.CalcPointVelocityDerivative(s.point.body, p_W, rides_W, &rates);
    links.AddForceDerivative(s.point.body, p_W, rides_W, s.point.f_W, &forces);
    const double scale = 1 + by_position.cwiseAbs().maxCoeff() + forces.cwiseAbs().maxCoeff();
    for (int k = 0; k < nv; ++k) {
      SCOPED_TRACE(k);
      VectorX wanted = s.Difference(k, true);
      EXPECT_LT((by_position.col(k) - wanted.head(nv)).norm(), 1e-7 * scale);
      EXPECT_LT((rates.col(k) - wanted.segment<3>(nv)).norm(), 1e-7 * scale);
      EXPECT_LT((forces.col(k) - wanted.tail(nv)).norm(), 1e-7 * scale);
      wanted = s.Difference(k, false);
      EXPECT_LT((by_velocity.col(k) - wanted.head(nv)).norm(), 1e-7 * scale);
    }
  }
  EXPECT_GT(trees, 40);
}

}  // namespace
}  // namespace slip
