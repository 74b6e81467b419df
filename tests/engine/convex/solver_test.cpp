// The fast solver against a dense oracle and against its own promises, on piles of bodies.
#include <gtest/gtest.h>

#include <random>

#include "engine/convex/convex.h"
#include "engine/method/config.h"
#include "engine/sim/method_list.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/dense_oracle.h"
#include "tests/support/pile.h"

namespace slip::test {
namespace {

constexpr int kSap = 0, kLagged = 1, kRegularized = 2, kSimilar = 3, kAnitescu = 4;
constexpr PileState kStates[] = {PileState::kFirstImpact, PileState::kMidFall, PileState::kResting};

ContactProblem Pile(int bodies, int model, PileState state) {
  PileSpec spec;
  spec.bodies = bodies;
  spec.model = model;
  spec.state = state;
  return MakePile(spec);
}

std::string Name(int model) { return std::string(MethodIds()[static_cast<std::size_t>(model)]); }

// No step of Newton's method raises l (the interior point shows the l it started from, and its
// polish may start higher: that step is left out).
void ExpectMonotone(const SolveRecord& record) {
  for (int i = 1; i < record.recorded; ++i) {
    const auto& before = record.history[static_cast<std::size_t>(i - 1)];
    const auto& after = record.history[static_cast<std::size_t>(i)];
    if (before.line_search_iterations == 0) continue;
    EXPECT_LE(after.cost, before.cost + 1e-13 * std::max(1.0, std::abs(before.cost)));
  }
}

TEST(Solver, AgreesWithTheDenseOracleOn40Bodies) {
  ConvexSolver solver;
  for (int model = 0; model < kMethodCount; ++model) {
    for (const PileState state : kStates) {
      ContactProblem p = Pile(40, model, state);
      // the rigid limit is conditioned 1e6 times worse
      p.tolerance = model == kAnitescu ? 1e-9 : 1e-12;
      ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << Name(model);
      const OracleSolution oracle = SolveDense(p, p.v, 1e-13, 4);
      EXPECT_LE(oracle.residual, model == kAnitescu ? 1e-8 : 1e-10) << Name(model);
      EXPECT_LT((p.v - oracle.v).norm(), 1e-9 * oracle.v.norm()) << Name(model);
      EXPECT_LT((solver.hessian() - oracle.hessian).norm(), 1e-6 * oracle.hessian.norm());
      EXPECT_EQ(p.record.fallbacks, 0);
      ExpectMonotone(p.record);
    }
  }
  // the oracle finds the same minimum by itself
  ContactProblem p = Pile(16, kLagged, PileState::kMidFall);
  p.tolerance = 1e-11;
  ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
  const OracleSolution alone = SolveDense(p, p.v0, 1e-11);
  EXPECT_GT(alone.iterations, p.record.iterations);
  EXPECT_LT((p.v - alone.v).norm(), 1e-9 * alone.v.norm());
}

TEST(Solver, AgreesWithTheDenseOracleOn400Bodies) {
  ConvexSolver solver;
  for (int model = 0; model < kMethodCount; ++model) {
    ContactProblem p = Pile(400, model, kStates[model % 3]);
    p.tolerance = model == kAnitescu ? 1e-9 : 1e-12;
    ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << Name(model);
    // strong convexity turns the oracle's gradient into a bound of the error
    EXPECT_LT(CalcErrorBound(p), 1e-9) << Name(model);
    EXPECT_EQ(p.record.fallbacks, 0);
  }
}

TEST(Solver, AllMethodsAgree) {
  ConvexSolver solver;
  for (int model = 0; model < kMethodCount; ++model) {
    if (model == kAnitescu) continue;  // plain Newton does not get there
    for (const PileState state : kStates) {
      ContactProblem fast = Pile(40, model, state);
      fast.tolerance = 1e-10;
      ContactProblem plain = fast, warm = fast;
      plain.solver = static_cast<int>(SolverId::kPlain);
      plain.max_iterations = 300;
      for (auto& contact : warm.contacts) contact.warm = true;
      for (ContactProblem* p : {&fast, &plain, &warm}) {
        ASSERT_EQ(solver.Solve(p), SolveStatus::kConverged) << Name(model);
        ExpectMonotone(p->record);
        EXPECT_LT((p->v - fast.v).norm(), 1e-6 * fast.v.norm()) << Name(model);
        EXPECT_EQ(p->record.fallbacks, 0);
      }
      EXPECT_EQ(plain.record.islands, 1);
      EXPECT_LE(fast.record.iterations, plain.record.iterations + 3) << Name(model);
    }
  }
}

// Iterations of eight successive steps: the limits are what was measured plus a third.
TEST(Solver, IterationsStayLow) {
  struct Limit {
    int bodies, model, iterations;
  };
  constexpr Limit kLimits[] = {{40, kSap, 20},     {40, kLagged, 18}, {40, kRegularized, 18},
                               {40, kSimilar, 25}, {400, kSap, 30},   {400, kLagged, 35},
                               {400, kSimilar, 35}};
  ConvexSolver solver;
  for (const Limit& limit : kLimits) {
    for (const PileState state : kStates) {
      ContactProblem p = Pile(limit.bodies, limit.model, state);
      for (int step = 0; step < (limit.bodies > 40 ? 3 : 8); ++step) {
        ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
        EXPECT_LE(p.record.iterations, limit.iterations)
            << Name(limit.model) << " " << limit.bodies << " state " << static_cast<int>(state);
        EXPECT_EQ(p.record.fallbacks, 0) << Name(limit.model);
        EXPECT_LE(p.record.momentum_residual, 1.5e-6);
        AdvancePile(&p);
      }
    }
  }
}

TEST(Solver, LaggedDoesNotFeelStiffnessOrStictionTolerance) {
  ConvexSolver solver;
  for (const int model : {kLagged, kRegularized}) {
    PileSpec spec;
    spec.model = model;
    spec.stiffness = 1e12;
    spec.stiction_tolerance = 1e-6;
    for (const PileState state : {PileState::kFirstImpact, PileState::kMidFall}) {
      spec.state = state;
      ContactProblem p = MakePile(spec);
      for (int step = 0; step < 5; ++step) {
        ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
        EXPECT_LT(p.record.iterations, 25) << Name(model) << " step " << step;
        AdvancePile(&p);
      }
    }
  }
}

TEST(Solver, HardParametersConverge) {
  ConvexSolver solver;
  for (const int model : {kSap, kLagged, kRegularized, kSimilar}) {
    for (const PileState state : kStates) {
      PileSpec spec;
      spec.model = model;
      spec.state = state;
      std::vector<PileSpec> cases(6, spec);
      cases[0].friction = 0;
      cases[1].dissipation = 0;
      cases[2].mass_spread = 2;
      cases[3].stiction_tolerance = 1e-6;
      cases[4].stiffness = 1e10;
      cases[4].friction = 2;
      cases[5].h = 1e-3;
      for (std::size_t i = 0; i < cases.size(); ++i) {
        ContactProblem p = MakePile(cases[i]);
        EXPECT_EQ(solver.Solve(&p), SolveStatus::kConverged) << Name(model) << " case " << i;
        EXPECT_LT(p.record.iterations, 60) << Name(model) << " case " << i;
        ExpectMonotone(p.record);
      }
    }
  }
}

TEST(Solver, HertzAndKelvinVoigtHaveAnInteriorPointToo) {
  ConvexSolver solver;
  for (const int law : {1, 2}) {
    PileSpec spec;
    spec.model = kSimilar;
    spec.law = law;
    ContactProblem p = MakePile(spec);
    p.tolerance = 1e-11;
    ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
    EXPECT_GT(p.record.interior_point_iterations, 0);
    EXPECT_EQ(p.record.fallbacks, 0);
    const OracleSolution oracle = SolveDense(p, p.v, 1e-13, 4);
    EXPECT_LT((p.v - oracle.v).norm(), 1e-8 * oracle.v.norm());
  }
}

TEST(Solver, IslandsAreSolvedApart) {
  // two piles in one problem give what each gives alone
  ContactProblem one = Pile(40, kLagged, PileState::kMidFall), two;
  two.contact_model = kLagged;
  two.h = one.h;
  two.params = one.params;
  for (int copy = 0; copy < 2; ++copy) {
    for (std::size_t t = 0; t < one.trees.size(); ++t) two.AddTree(6);
  }
  two.AddTree(3);  // and a body alone
  two.Resize();
  std::copy(one.A.begin(), one.A.end(), two.A.begin());
  std::copy(one.A.begin(), one.A.end(), two.A.begin() + static_cast<std::ptrdiff_t>(one.A.size()));
  for (std::size_t i = 1; i <= 3; ++i) two.A[two.A.size() - 9 + 4 * (i - 1)] = 1;
  two.v0 << one.v0, one.v0, Vec3(1, 2, 3);
  two.v_star << one.v_star, one.v_star, Vec3(4, 5, 6);
  for (int copy = 0; copy < 2; ++copy) {
    const int shift = 40 * copy;
    for (const auto& c : one.contacts) {
      auto& d = two.AddContact(c.tree_a < 0 ? -1 : c.tree_a + shift, c.tree_b + shift);
      const auto at = [](std::vector<double>& J, int i) {
        return J.begin() + static_cast<std::ptrdiff_t>(i);
      };
      auto source = one.J;
      if (c.tree_a >= 0) std::copy_n(at(source, c.J_a), 18, at(two.J, d.J_a));
      std::copy_n(at(source, c.J_b), 18, at(two.J, d.J_b));
      d.bias = c.bias;
      d.start = c.start;
    }
  }
  one.tolerance = two.tolerance = 1e-11;
  ConvexSolver a, b;
  ASSERT_EQ(a.Solve(&one), SolveStatus::kConverged);
  ASSERT_EQ(b.Solve(&two), SolveStatus::kConverged);
  // but for round-off: the elimination orders differ
  EXPECT_LT((two.v.segment(0, 240) - one.v).norm(), 1e-11 * one.v.norm());
  EXPECT_LT((two.v.segment(240, 240) - one.v).norm(), 1e-11 * one.v.norm());
  EXPECT_EQ(two.v.tail(3), Vec3(4, 5, 6));
  EXPECT_NEAR(two.record.iterations, one.record.iterations, 1);
  EXPECT_EQ(two.record.islands, 2 * one.record.islands);
  EXPECT_EQ(two.record.largest_island, one.record.largest_island);
  EXPECT_NEAR(two.record.cost, 2 * one.record.cost, 1e-10 * std::abs(one.record.cost));
}

TEST(Solver, TwoBodiesWithoutTheWorld) {
  for (int model = 0; model < kMethodCount; ++model) {
    ContactProblem p;
    p.h = 0.01;
    p.contact_model = model;
    p.tolerance = 1e-10;
    p.AddTree(3);
    p.AddTree(3);
    p.Resize();
    for (std::size_t t = 0; t < 2; ++t) {
      for (std::size_t i = 0; i < 3; ++i) p.A[9 * t + 4 * i] = t == 0 ? 1 : 2;
    }
    auto& c = p.AddContact(0, 1);
    for (std::size_t i = 0; i < 3; ++i) {
      p.J[static_cast<std::size_t>(c.J_a) + 4 * i] = -1;
      p.J[static_cast<std::size_t>(c.J_b) + 4 * i] = 1;
    }
    c.start.h = 0.01;
    c.start.mu = 0.5;
    c.start.phi0 = -1e-3;
    c.start.vn0 = -1;
    c.start.law = {.k = 1e5, .k_hertz = 1e6, .d = 1, .tau = 0.01};
    p.CalcDelassus(&c);
    p.v0 << 0.3, 0.2, 0.5, 0, 0, -0.5;
    p.v_star = p.v0;
    ConvexSolver solver;
    ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << Name(model);
    // action and reaction, and the pair repels
    const Vec3 a = p.v.head(3) - p.v_star.head(3), b = 2 * (p.v.tail(3) - p.v_star.tail(3));
    EXPECT_LT((a + p.contacts[0].gamma).norm(), 1e-8);
    EXPECT_LT((b - p.contacts[0].gamma).norm(), 1e-8);
    EXPECT_GT(p.contacts[0].gamma.z(), 0);
    EXPECT_EQ(p.record.islands, 1);
    EXPECT_EQ(p.record.largest_island, 2);
  }
}

TEST(Solver, SameProblemSameBitsWhateverWasSolvedBefore) {
  ConvexSolver used, fresh;
  ContactProblem other = Pile(40, kSimilar, PileState::kFirstImpact);
  (void)used.Solve(&other);
  for (int model = 0; model < kMethodCount; ++model) {
    ContactProblem a = Pile(40, model, PileState::kMidFall), b = a;
    (void)used.Solve(&a);
    (void)fresh.Solve(&b);
    EXPECT_EQ(a.v, b.v) << Name(model);
    EXPECT_EQ(a.record.iterations, b.record.iterations);
  }
}

// Islands that are too entangled for a factor, which here is every one with a pair: the same
// solutions, from directions that are only near Newton's.
TEST(Solver, ConjugateGradientsFindTheSameMinimum) {
  ConvexSolver solver;
  solver.SetExpensiveFill(0);
  for (int model = 0; model < kMethodCount; ++model) {
    for (const PileState state : kStates) {
      ContactProblem p = Pile(40, model, state);
      p.tolerance = 1e-10;
      ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << Name(model);
      const OracleSolution oracle = SolveDense(p, p.v, 1e-13);
      EXPECT_LT((p.v - oracle.v).norm(), 1e-6 * oracle.v.norm()) << Name(model);
      EXPECT_NEAR(p.record.cost, oracle.cost, 1e-9 * std::abs(oracle.cost)) << Name(model);
    }
  }
}

TEST(Solver, ConjugateGradientsLeaveNoTraceAndAllocateNothing) {
  for (const int model : {kSap, kLagged, kSimilar}) {
    ConvexSolver used;
    used.SetExpensiveFill(0);
    ContactProblem p = Pile(60, model, PileState::kFirstImpact);
    for (int step = 0; step < 5; ++step) {
      ContactProblem copy = p;
      ConvexSolver fresh;
      fresh.SetExpensiveFill(0);
      ASSERT_EQ(used.Solve(&p), SolveStatus::kConverged);
      ASSERT_EQ(fresh.Solve(&copy), SolveStatus::kConverged);
      ASSERT_EQ(p.v, copy.v) << Name(model) << ", step " << step;
      if (step < 4) AdvancePile(&p);
    }
    const AllocGuard guard;
    (void)used.Solve(&p);
    EXPECT_EQ(guard.count(), 0u) << Name(model);
  }
}

// What the pattern of the factor and its order were in the steps before is no part of the answer.
TEST(Solver, AFreshSolverGoesOnWithTheSameBits) {
  for (const int model : {kSap, kLagged, kSimilar}) {
    ConvexSolver used;
    ContactProblem p = Pile(60, model, PileState::kFirstImpact);
    for (int step = 0; step < 8; ++step) {
      ContactProblem copy = p;
      ASSERT_EQ(used.Solve(&p), SolveStatus::kConverged);
      ASSERT_EQ(ConvexSolver().Solve(&copy), SolveStatus::kConverged);
      ASSERT_EQ(p.v, copy.v) << Name(model) << ", step " << step;
      AdvancePile(&p);
    }
  }
}

TEST(Solver, ConditionNumberIsEstimatedWithinFivePercent) {
  for (const bool factored : {true, false}) {
    ConvexSolver solver;
    if (!factored) solver.SetExpensiveFill(0);
    for (int model = 0; model < kMethodCount; ++model) {
      ContactProblem p = Pile(20, model, kStates[model % 3]);
      p.estimate_condition = true;
      ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
      double scaled, raw;
      CalcDenseCondition(p, solver.hessian(), &scaled, &raw);
      EXPECT_NEAR(p.record.condition_number, scaled, 0.05 * scaled) << Name(model) << factored;
      EXPECT_NEAR(p.record.condition_number_raw, raw, 0.05 * raw) << Name(model) << factored;
    }
  }
}

TEST(Solver, AllocatesNothingAfterWarmUp) {
  ConvexSolver solver;
  for (const int model : {kSap, kLagged, kSimilar}) {
    ContactProblem p = Pile(40, model, PileState::kMidFall);
    p.estimate_condition = true;
    ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
    const AllocGuard guard;
    (void)solver.Solve(&p);
    EXPECT_EQ(guard.count(), 0u) << Name(model);
  }
}

}  // namespace
}  // namespace slip::test
