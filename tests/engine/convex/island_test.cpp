// Pattern, factor and conjugate gradients of an island, apart from any method that uses them.
#include "engine/convex/island.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/convex/convex.h"
#include "tests/support/pile.h"

namespace slip::test {
namespace {

constexpr ContactPasses kPasses = MakePasses<Sap, KelvinVoigt, false>();

class IslandSystemTest : public testing::Test {
 protected:
  void Load(int bodies, PileState state, double mass_spread = 0) {
    PileSpec spec;
    spec.bodies = bodies;
    spec.state = state;
    spec.mass_spread = mass_spread;
    problem_ = MakePile(spec);
    system_.Load(problem_.task, kPasses);
  }
  // normal stiffness k for every contact that `chosen` takes and 1 across, none for the others
  template <class Chosen>
  void SetStiffness(double k, Chosen&& chosen) {
    const Island& whole = system_.whole();
    for (int i = 0; i < whole.contacts(); ++i) {
      system_.work(whole)[i].value.hessian = chosen(system_.order().contact(i))
                                                 ? Mat3(Vec3(1, 1, k).asDiagonal())
                                                 : Mat3(Mat3::Zero());
    }
  }
  int CountPairs() {
    int pairs = 0;
    system_.hessian().ForEachBlock(system_.whole(), [&](int row, int, int col, int, const double*) {
      pairs += row != col ? 1 : 0;
    });
    return pairs;
  }
  // || H x - b || / || b ||
  double SolveError() {
    const VectorX b = VectorX::LinSpaced(system_.order().rows(), -1, 2);
    VectorX x = b, y;
    system_.hessian().Solve(system_.whole(), x.data());
    system_.hessian().Multiply(x, &y);
    return (y - b).norm() / b.norm();
  }

  ContactProblem problem_;
  IslandSystem system_;
};

TEST_F(IslandSystemTest, ThePatternIsThePairsWithStiffnessAndGrowsWithinASearch) {
  Load(60, PileState::kFirstImpact);  // gaps up to a centimetre: most pairs are not near
  const auto few = [](int contact) { return contact % 7 == 0; };
  const auto more = [](int contact) { return contact % 7 <= 1; };
  system_.v().setZero();
  SetStiffness(1e3, few);
  system_.Assemble(system_.whole(), true);
  const int begun = CountPairs();
  EXPECT_LT(begun, static_cast<int>(problem_.task.contacts.size()) / 2);
  ASSERT_TRUE(system_.hessian().Factorize(system_.whole()));
  EXPECT_LT(SolveError(), 1e-10);

  SetStiffness(1e3, more);
  system_.Assemble(system_.whole(), false);
  const int grown = CountPairs();
  EXPECT_GT(grown, begun);
  ASSERT_TRUE(system_.hessian().Factorize(system_.whole()));
  EXPECT_LT(SolveError(), 1e-10);

  SetStiffness(1e3, few);
  system_.Assemble(system_.whole(), false);
  EXPECT_EQ(CountPairs(), grown);
  ASSERT_TRUE(system_.hessian().Factorize(system_.whole()));
  EXPECT_LT(SolveError(), 1e-10);
  system_.Assemble(system_.whole(), true);
  EXPECT_EQ(CountPairs(), begun);
}

TEST_F(IslandSystemTest, WhatConjugateGradientsCannotSolveIsFactoredUntilTheNextSearch) {
  Load(200, PileState::kResting);
  system_.hessian().SetExpensiveFill(0);
  const auto all = [](int) { return true; };
  const auto assemble = [&](double k, bool renew) {
    SetStiffness(k, all);
    system_.Assemble(system_.whole(), renew);
    ASSERT_TRUE(system_.hessian().Factorize(system_.whole()));
  };
  assemble(1, true);
  EXPECT_TRUE(system_.hessian().IsIterative());
  EXPECT_LT(SolveError(), 0.3);
  assemble(1, false);
  EXPECT_TRUE(system_.hessian().IsIterative());

  assemble(1e6, false);
  system_.hessian().SetExpensiveProducts(3);
  SolveError();  // gives up
  assemble(1e6, false);
  EXPECT_FALSE(system_.hessian().IsIterative());
  EXPECT_LT(SolveError(), 1e-8);
  assemble(1, true);
  EXPECT_TRUE(system_.hessian().IsIterative());
}

// Tree 0 touches itself and, where `linked`, tree 1.
ContactProblem LinksOfOneTree(std::mt19937_64* engine, int nv, bool linked) {
  std::uniform_real_distribution<double> u(-1, 1);
  ContactProblem p;
  p.task.h = 0.01;
  p.settings.tolerance = 1e-10;
  for (int t = 0; t < 2; ++t) p.task.AddTree(nv);
  p.task.Resize();
  for (const auto& tree : p.task.trees) {
    for (int i = 0; i < nv; ++i)
      p.task.A[static_cast<std::size_t>(tree.A_offset + i * (nv + 1))] = 1;
  }
  p.task.AddContact(0, 0);
  if (linked) p.task.AddContact(1, 0);
  for (double& J : p.task.J) J = u(*engine);
  for (auto& contact : p.task.contacts) {
    contact.start.h = p.task.h;
    contact.start.mu = 0.5;
    contact.start.phi0 = -1e-3;
    contact.start.law = {1e4, 1e6, 1, 0.01, 0.1, 0.02};
  }
  return p;
}

// A contact between two links of one tree: both sides make one Jacobian, and the tree is not its
// own neighbour. Trees of six coordinates go through kernels of their own.
TEST(IslandSystem, ContactBetweenLinksOfOneTree) {
  std::mt19937_64 engine(11);
  ConvexSolver solver;
  for (int nv : {4, 6}) {
    for (const bool linked : {false, true}) {  // the tree touches another one too
      ContactProblem two = LinksOfOneTree(&engine, nv, linked), one = two;
      // the same contact with its sum as a Jacobian against the world
      ContactTask::Contact& contact = one.task.contacts[0];
      for (std::size_t i = 0; i < static_cast<std::size_t>(3 * nv); ++i) {
        one.task.J[static_cast<std::size_t>(contact.J_b) + i] +=
            one.task.J[static_cast<std::size_t>(contact.J_a) + i];
      }
      contact.tree_a = -1;
      for (ContactProblem* p : {&two, &one}) {
        for (auto& c : p->task.contacts) p->task.CalcDelassus(&c);
        ASSERT_EQ(solver.Solve(p), SolveStatus::kConverged) << nv << linked;
      }
      EXPECT_EQ(two.task.contacts[0].start.w, one.task.contacts[0].start.w);
      EXPECT_GT(two.solution.impulses[0].z(), 0);
      EXPECT_EQ(two.solution.v, one.solution.v) << nv << linked;
      EXPECT_EQ(two.solution.record.islands, 1);
      EXPECT_EQ(two.solution.record.largest_island, linked ? 2 : 1);
    }
  }
}

}  // namespace
}  // namespace slip::test
