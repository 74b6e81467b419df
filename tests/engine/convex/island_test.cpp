// Pattern, factor and conjugate gradients of an island, apart from any method that uses them.
#include "engine/convex/island.h"

#include <gtest/gtest.h>

#include "tests/support/pile.h"

namespace slip::test {
namespace {

constexpr ContactPasses kPasses = MakePasses<Sap, KelvinVoigt>();

class IslandSystemTest : public testing::Test {
 protected:
  void Load(int bodies, PileState state, double mass_spread = 0) {
    PileSpec spec;
    spec.bodies = bodies;
    spec.state = state;
    spec.mass_spread = mass_spread;
    problem_ = MakePile(spec);
    system_.Load(problem_, kPasses);
  }
  // normal stiffness k for every contact that `chosen` takes and 1 across, none for the others
  template <class Chosen>
  void SetStiffness(double k, Chosen&& chosen) {
    const Island& whole = system_.whole();
    for (int i = 0; i < whole.contacts(); ++i) {
      system_.work(whole)[i].value.hessian =
          chosen(system_.contact(i)) ? Mat3(Vec3(1, 1, k).asDiagonal()) : Mat3(Mat3::Zero());
    }
  }
  int CountPairs() const {
    int pairs = 0;
    system_.ForEachBlock(system_.whole(), [&](int row, int, int col, int, const double*) {
      pairs += row != col ? 1 : 0;
    });
    return pairs;
  }
  // || H x - b || / || b ||
  double SolveError() {
    const VectorX b = VectorX::LinSpaced(system_.rows(), -1, 2);
    VectorX x = b, y;
    system_.Solve(system_.whole(), x.data());
    system_.Multiply(x, &y);
    return (y - b).norm() / b.norm();
  }

  ContactProblem problem_;
  IslandSystem system_;
};

TEST_F(IslandSystemTest, ThePatternIsThePairsWithStiffnessAndGrowsWithinASearch) {
  Load(60, PileState::kFirstImpact);  // gaps up to a centimetre: most pairs are not near
  const auto few = [](int contact) { return contact % 7 == 0; };
  const auto more = [](int contact) { return contact % 7 <= 1; };
  system_.v.setZero();
  SetStiffness(1e3, few);
  system_.Assemble(system_.whole(), true);
  const int begun = CountPairs();
  EXPECT_LT(begun, static_cast<int>(problem_.contacts.size()) / 2);
  ASSERT_TRUE(system_.Factorize(system_.whole()));
  EXPECT_LT(SolveError(), 1e-10);

  SetStiffness(1e3, more);
  system_.Assemble(system_.whole(), false);
  const int grown = CountPairs();
  EXPECT_GT(grown, begun);
  ASSERT_TRUE(system_.Factorize(system_.whole()));
  EXPECT_LT(SolveError(), 1e-10);

  SetStiffness(1e3, few);
  system_.Assemble(system_.whole(), false);
  EXPECT_EQ(CountPairs(), grown);
  ASSERT_TRUE(system_.Factorize(system_.whole()));
  EXPECT_LT(SolveError(), 1e-10);
  system_.Assemble(system_.whole(), true);
  EXPECT_EQ(CountPairs(), begun);
}

TEST_F(IslandSystemTest, WhatConjugateGradientsCannotSolveIsFactoredUntilTheNextSearch) {
  Load(200, PileState::kResting);
  system_.expensive_fill = 0;
  const auto all = [](int) { return true; };
  const auto assemble = [&](double k, bool renew) {
    SetStiffness(k, all);
    system_.Assemble(system_.whole(), renew);
    ASSERT_TRUE(system_.Factorize(system_.whole()));
  };
  assemble(1, true);
  EXPECT_TRUE(system_.IsIterative());
  EXPECT_LT(SolveError(), 0.3);
  assemble(1, false);
  EXPECT_TRUE(system_.IsIterative());

  assemble(1e6, false);
  system_.expensive_products = 3;
  SolveError();  // gives up
  assemble(1e6, false);
  EXPECT_FALSE(system_.IsIterative());
  EXPECT_LT(SolveError(), 1e-8);
  assemble(1, true);
  EXPECT_TRUE(system_.IsIterative());
}

}  // namespace
}  // namespace slip::test
