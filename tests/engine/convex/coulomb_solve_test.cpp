// One step with exact friction: roots and indices of the rod that jams, the Jacobian by
// differences, and what must hold of every step, on piles.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/convex/convex.h"
#include "engine/convex/coulomb_report.h"
#include "engine/convex/coupled_system.h"
#include "engine/convex/one_contact.h"
#include "engine/core/worker_pool.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/methods.h"
#include "tests/support/pile.h"

namespace slip::test {
namespace {

constexpr int kCoulomb = static_cast<int>(method_id::kCoulomb);

double& Entry(ContactProblem* p, int at) { return p->task.J[static_cast<std::size_t>(at)]; }

// One contact with rows along x and z of the first coordinates.
ContactProblem OneContactProblem(const VectorX& inertia, double phi0, double h, double mu,
                                 double d) {
  ContactProblem p;
  p.task.h = h;
  p.task.model.contact_model = kCoulomb;
  const int n = static_cast<int>(inertia.size());
  p.task.AddTree(n);
  p.task.Resize();
  for (int i = 0; i < n; ++i) p.task.A[static_cast<std::size_t>(i * (n + 1))] = inertia[i];
  ContactTask::Contact& c = p.task.AddContact(-1, 0);
  Entry(&p, c.J_b) = 1;
  Entry(&p, c.J_b + 2 * n + 1) = 1;
  c.start.h = h;
  c.start.phi0 = phi0;
  c.start.mu = mu;
  c.start.law = {.k = 1e7, .k_hertz = 1e9, .d = d, .tau = 1e-4, .kappa = 0.01, .dh = 0.01};
  p.settings.tolerance = 1e-10;
  return p;
}

ContactProblem RodAt45(double v_n) {
  ContactProblem p = OneContactProblem(Vec3(0.3, 0.3, 0.3 * 0.25 / 12), -1e-6, 1e-3, 2.3, 0);
  const double lever = 0.25 * std::sqrt(0.5);
  Entry(&p, p.task.contacts[0].J_b + 2) = -lever;
  Entry(&p, p.task.contacts[0].J_b + 8) = -lever;
  p.task.v_star = p.task.v0 = Vec3(10, v_n, 0);
  p.task.CalcDelassus(&p.task.contacts[0]);
  return p;
}

// The solver's own view of a task.
struct Loaded {
  IslandSystem system;
  CoupledSystem coupled;
  explicit Loaded(const ContactTask& task) {
    static constexpr ContactPasses kPasses[] = {
        MakePasses<Coulomb<HuntCrossley>, HuntCrossley, false>(),
        MakePasses<Coulomb<HuntCrossley>, HuntCrossley, true>()};
    system.Load(task, kPasses[task.spinning]);
    const Island& island = system.islands().front();
    coupled.Take(&system, &island);
    RowsOf(island, system.v()) = RowsOf(island, system.numbers().v0());
    system.CalcContactVelocities(island);
  }
};

TEST(CoulombSolve, RodHasThreeSolutionsTable6_3) {
  ContactProblem p = RodAt45(0.002);
  Loaded loaded(p.task);
  OneContact one;
  ASSERT_TRUE(one.Take(&loaded.coupled));
  // n(v_n(g)) - g over all g: where it crosses zero, and which way
  std::vector<double> roots;
  std::vector<int> indices;
  double last = 0, last_excess = one.Excess(0);
  if (last_excess == 0) roots.push_back(0), indices.push_back(1);
  for (double g = 1e-8; g < 10; g *= 1.01) {
    const double excess = one.Excess(g);
    if (last_excess * excess < 0) {
      double low = last, high = g;
      for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (one.Excess(middle) * last_excess > 0 ? low : high) = middle;
      }
      roots.push_back(low);
      indices.push_back(excess < 0 ? 1 : -1);
      one.Set(low);
      EXPECT_TRUE(loaded.coupled.Look({}).finite);
      EXPECT_EQ(loaded.coupled.FindIndex(), indices.back());
    }
    last = g;
    last_excess = excess;
  }
  ASSERT_EQ(roots.size(), 3u);
  EXPECT_EQ(indices, (std::vector<int>{1, -1, 1}));
  EXPECT_EQ(roots[0], 0);
  EXPECT_NEAR(roots[1], 3.260869566e-4, 1e-12);
  EXPECT_NEAR(roots[2], 1.104098515, 2e-9);

  // a step takes one of the outer two
  ConvexSolver solver;
  ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
  const double taken = p.solution.impulses[0].z();
  EXPECT_LT(std::min(std::abs(taken - roots[0]), std::abs(taken - roots[2])), 1e-8);
}

TEST(CoulombSolve, OneSolutionWhereOneIsTable6_3) {
  ContactProblem p = RodAt45(-0.00681);
  ConvexSolver solver;
  ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
  EXPECT_NEAR(p.solution.impulses[0].z(), 1.105720012, 2e-9);

  ContactProblem box = OneContactProblem(Vec2(1, 1), 0, 1e-2, 0.5, 10);
  box.task.v_star = box.task.v0 = Vec2(1, -0.1);
  box.task.CalcDelassus(&box.task.contacts[0]);
  ASSERT_EQ(solver.Solve(&box), SolveStatus::kConverged);
  EXPECT_NEAR(box.solution.impulses[0].z(), 0.0999001994022, 1e-12);
  EXPECT_NEAR(box.solution.v[0], 0.950049900576, 1e-11);
  EXPECT_NEAR(box.solution.v[1], -9.9800597809e-5, 1e-13);
}

PileSpec SpecOf(int bodies, PileState state, double mu, double h) {
  PileSpec spec;
  spec.bodies = bodies;
  spec.state = state;
  spec.friction = mu;
  spec.model = kCoulomb;
  spec.h = h;
  return spec;
}

// F by the formulas alone, over the task as it stands.
double CalcOwnResidual(const ContactTask& task, const VectorX& v) {
  VectorX F = VectorX::Zero(task.nv), momentum = F, impulse = F, D = F;
  for (const ContactTask::Tree& tree : task.trees) {
    for (int i = 0; i < tree.nv; ++i) {
      const double* row = task.A.data() + tree.A_offset + i * tree.nv;
      D[tree.start + i] = 1 / std::sqrt(row[i]);
      for (int k = 0; k < tree.nv; ++k) {
        momentum[tree.start + i] += row[k] * v[tree.start + k];
        F[tree.start + i] += row[k] * (v[tree.start + k] - task.v_star[tree.start + k]);
      }
    }
  }
  for (const ContactTask::Contact& c : task.contacts) {
    Vec3 v_c = c.bias;
    const auto each = [&](int tree, int J, auto&& fn) {
      if (tree < 0) return;
      const ContactTask::Tree& t = task.trees[static_cast<std::size_t>(tree)];
      for (int r = 0; r < 3; ++r)
        for (int k = 0; k < t.nv; ++k)
          fn(r, t.start + k, task.J[static_cast<std::size_t>(J + r * t.nv + k)]);
    };
    const auto both = [&](auto&& fn) { each(c.tree_a, c.J_a, fn), each(c.tree_b, c.J_b, fn); };
    both([&](int r, int at, double J) { v_c[r] += J * v[at]; });
    const double n =
        HuntCrossley::Evaluate(HuntCrossley::Freeze(c.start.law, c.start.phi0, c.start.h), v_c.z())
            .n;
    const double eps = task.model.params.stiction_tolerance;
    const double r = std::sqrt(v_c.head<2>().squaredNorm() + eps * eps);
    const Vec3 gamma(-c.start.mu * n * v_c.x() / r, -c.start.mu * n * v_c.y() / r, n);
    both([&](int row, int at, double J) { impulse[at] += J * gamma[row]; });
  }
  const double scale = std::max(momentum.cwiseProduct(D).norm(), impulse.cwiseProduct(D).norm());
  return (F - impulse).cwiseProduct(D).norm() / scale;
}

TEST(CoulombSolve, PilesAreCertified) {
  ConvexSolver solver;
  for (const PileState state :
       {PileState::kFirstImpact, PileState::kMidFall, PileState::kResting}) {
    for (const double mu : {0.3, 1.0}) {
      for (const double h : {1e-3, 1e-2}) {
        ContactProblem p = MakePile(SpecOf(40, state, mu, h));
        p.settings.max_iterations = 20000;
        ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged)
            << mu << " " << h << " mismatch " << p.solution.record.mismatch;
        const CoulombNumbers n = CoulombNumbers::Unpack(p.solution.record.own);
        EXPECT_LE(n.relative, 1e-8);
        EXPECT_EQ(n.untested, 0);
        EXPECT_LT(CalcOwnResidual(p.task, p.solution.v), 2e-8) << mu << " " << h;
        EXPECT_EQ(p.solution.record.mismatch, 0);
      }
    }
  }
}

// F_v by central differences, without and with torsion.
TEST(CoulombSolve, JacobianByDifferences) {
  for (const double torsion : {0.0, 0.02}) {
    PileSpec spec = SpecOf(4, PileState::kMidFall, 0.7, 1e-2);
    spec.stiffness = 1e5;
    spec.stiction_tolerance = 0.05;
    spec.torsional_friction = torsion;
    const ContactProblem p = MakePile(spec);
    Loaded loaded(p.task);
    const Island& island = loaded.coupled.island();
    const int n = island.rows();
    (void)loaded.coupled.Look({});
    bool helped = false;
    ASSERT_TRUE(loaded.coupled.FindStep(true, &helped));
    (void)loaded.coupled.Look({});
    MatrixX jacobian(n, n);
    loaded.coupled.CopyJacobian(n, jacobian.data());
    const MatrixX F_v = jacobian.transpose();  // it comes by rows
    const VectorX v = RowsOf(island, loaded.system.v());
    const auto F = [&](const VectorX& at) {
      RowsOf(island, loaded.system.v()) = at;
      loaded.system.CalcContactVelocities(island);
      (void)loaded.coupled.Look({});
      return VectorX(RowsOf(island, loaded.system.grad()));
    };
    constexpr double kStep = 1e-7;
    double asymmetry = 0;
    for (int k = 0; k < n; ++k) {
      const VectorX e = kStep * VectorX::Unit(n, k);
      const VectorX column = (F(v + e) - F(v - e)) / (2 * kStep);
      EXPECT_LT((column - F_v.col(k)).norm(), 1e-5 * F_v.norm()) << k;
      asymmetry = std::max(asymmetry, (F_v.col(k) - F_v.row(k).transpose()).norm());
    }
    EXPECT_GT(asymmetry, 1e-3 * F_v.norm());
  }
}

// The direction of a large island comes from its symmetric factor and GMRES.
TEST(CoulombSolve, LargeIslandsHaveTheSameDirection) {
  const ContactProblem p = MakePile(SpecOf(40, PileState::kMidFall, 1, 1e-2));
  Loaded loaded(p.task);
  const Island* large = nullptr;
  for (const Island& island : loaded.system.islands())
    if (large == nullptr || island.rows() > large->rows()) large = &island;
  ASSERT_GT(large->rows(), CoupledSystem::kSmall);
  loaded.coupled.Take(&loaded.system, large);
  RowsOf(*large, loaded.system.v()) = RowsOf(*large, loaded.system.numbers().v0());
  loaded.system.CalcContactVelocities(*large);
  (void)loaded.coupled.Look({});
  loaded.system.hessian().SetWhole(true);
  bool helped = false;
  ASSERT_TRUE(loaded.coupled.FindStep(true, &helped));
  const VectorX dv = RowsOf(*large, loaded.system.dv());
  (void)loaded.coupled.Look({});
  const int n = large->rows();
  MatrixX jacobian(n, n);
  loaded.coupled.CopyJacobian(n, jacobian.data());
  // by the equation: F_v is conditioned as a stiff pile is
  const VectorX F = RowsOf(*large, loaded.system.grad());
  EXPECT_LT((jacobian.transpose() * dv + F).norm(), 1e-5 * F.norm());
  EXPECT_EQ(loaded.coupled.FindIndex(), jacobian.determinant() > 0 ? 1 : -1);
}

TEST(CoulombSolve, WithoutFrictionItIsLagged) {
  ConvexSolver solver;
  for (const PileState state : {PileState::kMidFall, PileState::kResting}) {
    ContactProblem coulomb = MakePile(SpecOf(16, state, 0, 1e-2));
    ContactProblem lagged = coulomb;
    lagged.task.model.contact_model = static_cast<int>(method_id::kLagged);
    coulomb.settings.tolerance = lagged.settings.tolerance = 1e-10;
    ASSERT_EQ(solver.Solve(&coulomb), SolveStatus::kConverged);
    ASSERT_EQ(solver.Solve(&lagged), SolveStatus::kConverged);
    EXPECT_LT((coulomb.solution.v - lagged.solution.v).norm(), 1e-8 * lagged.solution.v.norm());
  }
}

TEST(CoulombSolve, ASpentBudgetIsSaidAndIsALaggedStep) {
  ConvexSolver solver;
  ContactProblem p = MakePile(SpecOf(40, PileState::kMidFall, 1, 1e-2));
  p.settings.max_iterations = 2;
  ASSERT_EQ(solver.Solve(&p), SolveStatus::kIterationLimit);
  const CoulombNumbers n = CoulombNumbers::Unpack(p.solution.record.own);
  EXPECT_GT(n.unsolved, 0);
  EXPECT_EQ(n.stage, 4);
  EXPECT_GT(p.solution.record.mismatch, 0);
  EXPECT_LT(p.solution.record.momentum_residual, 1e-6);  // exact in momentum
}

TEST(CoulombSolve, AllocatesNothingAfterWarmUpAndHasTheSameBitsForAnyThreads) {
  for (const PileState state : {PileState::kMidFall, PileState::kResting}) {
    const ContactProblem problem = MakePile(SpecOf(200, state, 1, 1e-3));
    ContactProblem alone = problem;
    ConvexSolver solver;
    (void)solver.Solve(&alone);
    const VectorX v = alone.solution.v;
    {
      const AllocGuard guard;
      (void)solver.Solve(&alone);
      EXPECT_EQ(guard.count(), 0u);
    }
    EXPECT_EQ(alone.solution.v, v);
    for (const int workers : {2, 3}) {
      WorkerPool pool(workers);
      ConvexSolver shared;
      shared.SetWorkers(&pool);
      ContactProblem p = problem;
      (void)shared.Solve(&p);
      EXPECT_EQ(p.solution.v, v) << workers;
    }
  }
}

TEST(CoulombSolve, AllLawsAndTorsion) {
  ConvexSolver solver;
  for (int law = 0; law < 3; ++law) {
    for (const double torsion : {0.0, 0.02}) {
      PileSpec spec = SpecOf(16, PileState::kMidFall, 0.6, 2e-3);
      spec.law = law;
      spec.torsional_friction = torsion;
      ContactProblem p = MakePile(spec);
      p.settings.max_iterations = 1000;
      ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << law << " " << torsion;
      EXPECT_LE(CoulombNumbers::Unpack(p.solution.record.own).relative, 1e-8);
    }
  }
}

}  // namespace
}  // namespace slip::test
