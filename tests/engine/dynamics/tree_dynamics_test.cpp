// Identities that hold for any tree, without another engine: M from inverse dynamics column by
// column, forward against inverse dynamics, rows against differences, momentum and energy.
#include "engine/dynamics/tree_dynamics.h"

#include <gtest/gtest.h>

#include "engine/dynamics/rigid_dynamics.h"
#include "tests/engine/dynamics/random_tree.h"
#include "tests/support/dense_algebra.h"

namespace slip {
namespace {

const Vec3 kGravity(0.3, -0.2, -9.81);

struct TreeSample {
  Model model;
  State state;
  TreeDynamics links;
  int nv = 0;

  TreeSample(unsigned seed, int count, double chain) {
    test::RandomTree random(seed);
    model = random.Make(count, chain);
    SetStart(model, &state);
    Update();
  }
  void Update() {
    nv = model.trees[0].nv;
    links.Update(model, model.trees[0], state);
  }
  MatrixX MassMatrix() {
    MatrixX M(nv, nv);
    links.CalcMassMatrix(M.data());
    return M;
  }
  VectorX Inverse(const Vec3& gravity, const VectorX& acceleration) {
    VectorX tau(nv);
    links.CalcInverseDynamics(gravity, acceleration.data(), tau.data());
    return tau;
  }
  // The state after moving for `h` with these velocities.
  State Moved(double h) const {
    State moved = state;
    IntegratePositions(model, h, &moved);
    return moved;
  }
};

template <class Fn>
void ForEachSample(Fn&& fn) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const int count = seed < 20 ? 1 + static_cast<int>(seed) % 4 : 2 + static_cast<int>(seed) % 29;
    TreeSample sample(seed, count, seed % 3 == 0 ? 1.0 : 0.6);
    if (sample.model.trees.empty() || sample.model.trees[0].articulated < 0) continue;
    fn(sample);
  }
}

TEST(TreeDynamics, ColumnsOfTheMassMatrixAreInverseDynamics) {
  ForEachSample([](TreeSample& s) {
    const MatrixX M = s.MassMatrix();
    const VectorX bias = s.Inverse(kGravity, VectorX::Zero(s.nv));
    for (int k = 0; k < s.nv; ++k) {
      const VectorX column = s.Inverse(kGravity, VectorX::Unit(s.nv, k)) - bias;
      EXPECT_LT((column - M.col(k)).norm(), 1e-11 * (M.norm() + bias.norm())) << k;
    }
    EXPECT_EQ((M - M.transpose()).norm(), 0);
    EXPECT_GT(test::CalcEigenvalues(M)[0], 0);
  });
}

TEST(TreeDynamics, CoordinatesOfDifferentBranchesAreApart) {
  ForEachSample([](TreeSample& s) {
    const MatrixX M = s.MassMatrix();
    for (int k = 0; k < s.nv; ++k) {
      std::vector<bool> on_way(static_cast<std::size_t>(s.nv), false);
      for (int j = k; j >= 0; j = s.links.Before(j)) on_way[static_cast<std::size_t>(j)] = true;
      for (int j = 0; j < k; ++j) {
        if (!on_way[static_cast<std::size_t>(j)]) EXPECT_EQ(M(j, k), 0);
      }
    }
  });
}

TEST(TreeDynamics, ForwardDynamicsInvertsInverseDynamics) {
  ForEachSample([](TreeSample& s) {
    const MatrixX M = s.MassMatrix();
    test::RandomTree random(99);
    VectorX tau(s.nv);
    for (double& x : tau) x = random.Number(-20, 20);
    VectorX acceleration(s.nv);
    s.links.CalcForwardDynamics(kGravity, tau.data(), acceleration.data());
    const VectorX bias = s.Inverse(kGravity, VectorX::Zero(s.nv));
    const VectorX expected = test::SolveDefinite(M, tau - bias);
    EXPECT_LT((acceleration - expected).norm(), 1e-10 * (1 + expected.norm()));
    const VectorX again = s.Inverse(kGravity, acceleration);
    EXPECT_LT((again - tau).norm(), 1e-10 * (tau.norm() + bias.norm() + expected.norm()));
  });
}

TEST(TreeDynamics, RowsAndBiasesAreDerivativesOfPositions) {
  ForEachSample([](TreeSample& s) {
    test::RandomTree random(7);
    const int body = static_cast<int>(s.model.bodies.size()) - 1;
    const auto b = static_cast<std::size_t>(body);
    const Vec3 p_BP = random.Vector(0.2);
    const Vec3 p_W = s.state.X_WB[b] * p_BP;
    const Vec3 v = s.links.CalcPointVelocity(body, p_W);
    MatrixX J(3, s.nv);
    VectorX row(s.nv);
    for (int r = 0; r < 3; ++r) {
      s.links.CalcPointRow(body, p_W, Vec3::Unit(r), row.data());
      J.row(r) = row;
    }
    EXPECT_LT((J * s.state.v - v).norm(), 1e-11 * (1 + v.norm()));
    // central differences of the position, and of the velocity with v̇ = 0
    const double e = 1e-5;
    const State after = s.Moved(e), before = s.Moved(-e);
    const Vec3 slope = (after.X_WB[b] * p_BP - before.X_WB[b] * p_BP) / (2 * e);
    EXPECT_LT((slope - v).norm(), 1e-6 * (1 + v.norm()));
    const auto velocity = [&](const State& at) {
      TreeDynamics links;
      links.Update(s.model, s.model.trees[0], at);
      return links.CalcPointVelocity(body, at.X_WB[b] * p_BP);
    };
    const Vec3 bias = (velocity(after) - velocity(before)) / (2 * e);
    EXPECT_LT((bias - s.links.CalcPointBias(body, p_W)).norm(), 1e-5 * (1 + bias.norm()));
    const auto spin = [&](const State& at) {
      return Vec3(CalcVelocity(s.model, at, body).head<3>());
    };
    const Vec3 turn = (spin(after) - spin(before)) / (2 * e);
    EXPECT_LT((turn - s.links.CalcTurnBias(body)).norm(), 1e-5 * (1 + turn.norm()));
  });
}

TEST(TreeDynamics, VelocitiesOfBodiesAgreeWithKinematics) {
  ForEachSample([](TreeSample& s) {
    std::vector<Vec6> V_WB;
    CalcVelocities(s.model, s.state, &V_WB);
    double energy = 0;
    for (std::size_t b = 0; b < V_WB.size(); ++b) {
      const Vec3 v = s.links.CalcPointVelocity(static_cast<int>(b), s.state.X_WB[b].p);
      EXPECT_LT((v - V_WB[b].tail<3>()).norm(), 1e-11 * (1 + v.norm()));
      EXPECT_EQ(V_WB[b], CalcVelocity(s.model, s.state, static_cast<int>(b)));
    }
    energy = CalcKineticEnergy(s.model, s.state, V_WB);
    EXPECT_NEAR(s.links.CalcKineticEnergy(), energy, 1e-11 * energy);
    const MatrixX M = s.MassMatrix();
    EXPECT_NEAR(0.5 * s.state.v.dot(M * s.state.v), energy, 1e-11 * energy);
  });
}

TEST(TreeDynamics, PowerBalance) {
  // d/dt (T + U) = τ·v
  ForEachSample([](TreeSample& s) {
    test::RandomTree random(5);
    VectorX tau(s.nv), acceleration(s.nv);
    for (double& x : tau) x = random.Number(-5, 5);
    s.links.CalcForwardDynamics(kGravity, tau.data(), acceleration.data());
    const double e = 1e-5;
    const auto energy = [&](double h) {
      State at = s.Moved(h);
      at.v += h * acceleration;
      std::vector<Vec6> V_WB;
      CalcVelocities(s.model, at, &V_WB);
      return CalcKineticEnergy(s.model, at, V_WB) + CalcPotentialEnergy(s.model, at, kGravity);
    };
    // fourth order: stiff little trees are quick
    const double rate =
        (8 * (energy(e) - energy(-e)) - (energy(2 * e) - energy(-2 * e))) / (12 * e);
    const double power = tau.dot(s.state.v);
    EXPECT_NEAR(rate, power, 1e-6 * (1 + tau.norm() * s.state.v.norm()));
  });
}

TEST(TreeDynamics, FreeFlightKeepsMomentumAndLosesNoEnergyToFirstOrder) {
  // semi-implicit steps: the error of the energy falls with h, that of the momentum with h²
  TreeSample start(12, 7, 0.7);
  start.model.bodies[0].SetJoint(JointKind::kFree);
  start.model.bodies[0].joint.X_BM = start.model.bodies[0].joint.X_PF = Pose{};
  for (Body& body : start.model.bodies) body.joint.armature = 0;
  start.model.Finish();
  SetStart(start.model, &start.state);
  start.Update();
  const Vec6 momentum = start.links.CalcMomentum();
  const double energy = start.links.CalcKineticEnergy();
  double last_drift = 0, last_error = 0;
  for (const double h : {2e-4, 1e-4}) {
    TreeSample s = start;
    VectorX acceleration(s.nv);
    const VectorX none = VectorX::Zero(s.nv);
    for (int i = 0; i < static_cast<int>(0.05 / h + 0.5); ++i) {
      s.links.CalcForwardDynamics(Vec3::Zero(), none.data(), acceleration.data());
      s.state.v += h * acceleration;
      IntegratePositions(s.model, h, &s.state);
      s.Update();
    }
    const double drift = std::abs(s.links.CalcKineticEnergy() - energy) / energy;
    const double error = (s.links.CalcMomentum() - momentum).norm() / momentum.norm();
    EXPECT_LT(drift, 0.2);
    if (last_drift > 0) {
      EXPECT_LT(drift, 0.6 * last_drift);
      EXPECT_LT(error, 0.6 * last_error);
    }
    last_drift = drift;
    last_error = error;
  }
}

}  // namespace
}  // namespace slip
