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

TEST(Solver, AgreesWithTheDenseOracleOn40BodiesLong) {
  ConvexSolver solver;
  for (int model = 0; model < kContactModelCount; ++model) {
    for (const PileState state : kStates) {
      ContactProblem p = Pile(40, model, state);
      // the rigid limit is conditioned 1e6 times worse
      p.settings.tolerance = model == kAnitescu ? 1e-9 : 1e-12;
      ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << Name(model);
      const OracleSolution oracle = SolveDense(p.task, p.solution.v, 1e-13, 4);
      EXPECT_LE(oracle.residual, model == kAnitescu ? 1e-8 : 1e-10) << Name(model);
      EXPECT_LT((p.solution.v - oracle.v).norm(), 1e-9 * oracle.v.norm()) << Name(model);
      EXPECT_LT((solver.hessian() - oracle.hessian).norm(), 1e-6 * oracle.hessian.norm());
      EXPECT_EQ(p.solution.record.fallbacks, 0);
      ExpectMonotone(p.solution.record);
    }
  }
  // the oracle finds the same minimum by itself
  ContactProblem p = Pile(16, kLagged, PileState::kMidFall);
  p.settings.tolerance = 1e-11;
  ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
  const OracleSolution alone = SolveDense(p.task, p.task.v0, 1e-11);
  EXPECT_GT(alone.iterations, p.solution.record.iterations);
  EXPECT_LT((p.solution.v - alone.v).norm(), 1e-9 * alone.v.norm());
}

TEST(Solver, AgreesWithTheDenseOracleOn400BodiesLong) {
  ConvexSolver solver;
  for (int model = 0; model < kContactModelCount; ++model) {
    ContactProblem p = Pile(400, model, kStates[model % 3]);
    p.settings.tolerance = model == kAnitescu ? 1e-9 : 1e-12;
    ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << Name(model);
    // strong convexity turns the oracle's gradient into a bound of the error
    EXPECT_LT(CalcErrorBound(p.task, p.solution.v), 1e-9) << Name(model);
    EXPECT_EQ(p.solution.record.fallbacks, 0);
  }
}

TEST(Solver, AllMethodsAgree) {
  ConvexSolver solver;
  for (int model = 0; model < kContactModelCount; ++model) {
    if (model == kAnitescu) continue;  // plain Newton does not get there
    for (const PileState state : kStates) {
      ContactProblem fast = Pile(40, model, state);
      fast.settings.tolerance = 1e-10;
      ContactProblem plain = fast, warm = fast;
      plain.settings.solver = SolverId::kPlain;
      plain.settings.max_iterations = 300;
      for (auto& contact : warm.task.contacts) contact.warm = true;
      for (ContactProblem* p : {&fast, &plain, &warm}) {
        ASSERT_EQ(solver.Solve(p), SolveStatus::kConverged) << Name(model);
        ExpectMonotone(p->solution.record);
        EXPECT_LT((p->solution.v - fast.solution.v).norm(), 1e-6 * fast.solution.v.norm())
            << Name(model);
        EXPECT_EQ(p->solution.record.fallbacks, 0);
      }
      EXPECT_EQ(plain.solution.record.islands, 1);
      EXPECT_LE(fast.solution.record.iterations, plain.solution.record.iterations + 3)
          << Name(model);
    }
  }
}

// Iterations of eight successive steps: the limits are what was measured plus a third.
TEST(Solver, IterationsStayLowLong) {
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
        EXPECT_LE(p.solution.record.iterations, limit.iterations)
            << Name(limit.model) << " " << limit.bodies << " state " << static_cast<int>(state);
        EXPECT_EQ(p.solution.record.fallbacks, 0) << Name(limit.model);
        EXPECT_LE(p.solution.record.momentum_residual, 1.5e-6);
        AdvancePile(&p);
      }
    }
  }
}

// Steps of a millisecond leave Newton little to do: an interior point would cost several times
// that.
TEST(Solver, SimilarNeedsNoInteriorPointAtShortSteps) {
  ConvexSolver solver;
  int own = 0, plains = 0;
  for (const PileState state : kStates) {
    PileSpec spec;
    spec.model = kSimilar;
    spec.state = state;
    spec.h = 1e-3;
    ContactProblem fast = MakePile(spec);
    for (int step = 0; step < 8; ++step) {
      ContactProblem plain = fast;
      plain.settings.solver = SolverId::kPlain;
      ASSERT_EQ(solver.Solve(&plain), SolveStatus::kConverged);
      ASSERT_EQ(solver.Solve(&fast), SolveStatus::kConverged);
      EXPECT_EQ(fast.solution.record.interior_point_iterations, 0);
      own += fast.solution.record.iterations;
      plains += plain.solution.record.iterations;
      AdvancePile(&fast);
    }
  }
  EXPECT_LE(own, plains);
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
        EXPECT_LT(p.solution.record.iterations, 25) << Name(model) << " step " << step;
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
        EXPECT_LT(p.solution.record.iterations, 60) << Name(model) << " case " << i;
        ExpectMonotone(p.solution.record);
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
    p.settings.tolerance = 1e-11;
    ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
    EXPECT_GT(p.solution.record.interior_point_iterations, 0);
    EXPECT_EQ(p.solution.record.fallbacks, 0);
    const OracleSolution oracle = SolveDense(p.task, p.solution.v, 1e-13, 4);
    EXPECT_LT((p.solution.v - oracle.v).norm(), 1e-8 * oracle.v.norm());
  }
}

TEST(Solver, IslandsAreSolvedApart) {
  // two piles in one problem give what each gives alone
  ContactProblem one = Pile(40, kLagged, PileState::kMidFall), two;
  two.task.model.contact_model = kLagged;
  two.task.h = one.task.h;
  two.task.model.params = one.task.model.params;
  for (int copy = 0; copy < 2; ++copy) {
    for (std::size_t t = 0; t < one.task.trees.size(); ++t) two.task.AddTree(6);
  }
  two.task.AddTree(3);  // and a body alone
  two.task.Resize();
  std::copy(one.task.A.begin(), one.task.A.end(), two.task.A.begin());
  std::copy(one.task.A.begin(), one.task.A.end(),
            two.task.A.begin() + static_cast<std::ptrdiff_t>(one.task.A.size()));
  for (std::size_t i = 1; i <= 3; ++i) two.task.A[two.task.A.size() - 9 + 4 * (i - 1)] = 1;
  two.task.v0 << one.task.v0, one.task.v0, Vec3(1, 2, 3);
  two.task.v_star << one.task.v_star, one.task.v_star, Vec3(4, 5, 6);
  for (int copy = 0; copy < 2; ++copy) {
    const int shift = 40 * copy;
    for (const auto& c : one.task.contacts) {
      auto& d = two.task.AddContact(c.tree_a < 0 ? -1 : c.tree_a + shift, c.tree_b + shift);
      const auto at = [](std::vector<double>& J, int i) {
        return J.begin() + static_cast<std::ptrdiff_t>(i);
      };
      auto source = one.task.J;
      if (c.tree_a >= 0) std::copy_n(at(source, c.J_a), 18, at(two.task.J, d.J_a));
      std::copy_n(at(source, c.J_b), 18, at(two.task.J, d.J_b));
      d.bias = c.bias;
      d.start = c.start;
    }
  }
  one.settings.tolerance = two.settings.tolerance = 1e-11;
  ConvexSolver a, b;
  ASSERT_EQ(a.Solve(&one), SolveStatus::kConverged);
  ASSERT_EQ(b.Solve(&two), SolveStatus::kConverged);
  // but for round-off: the elimination orders differ
  EXPECT_LT((two.solution.v.segment(0, 240) - one.solution.v).norm(),
            1e-11 * one.solution.v.norm());
  EXPECT_LT((two.solution.v.segment(240, 240) - one.solution.v).norm(),
            1e-11 * one.solution.v.norm());
  EXPECT_EQ(two.solution.v.tail(3), Vec3(4, 5, 6));
  EXPECT_NEAR(two.solution.record.iterations, one.solution.record.iterations, 1);
  EXPECT_EQ(two.solution.record.islands, 2 * one.solution.record.islands);
  EXPECT_EQ(two.solution.record.largest_island, one.solution.record.largest_island);
  EXPECT_NEAR(two.solution.record.cost, 2 * one.solution.record.cost,
              1e-10 * std::abs(one.solution.record.cost));
}

TEST(Solver, TwoBodiesWithoutTheWorld) {
  for (int model = 0; model < kContactModelCount; ++model) {
    ContactProblem p;
    p.task.h = 0.01;
    p.task.model.contact_model = model;
    p.settings.tolerance = 1e-10;
    p.task.AddTree(3);
    p.task.AddTree(3);
    p.task.Resize();
    for (std::size_t t = 0; t < 2; ++t) {
      for (std::size_t i = 0; i < 3; ++i) p.task.A[9 * t + 4 * i] = t == 0 ? 1 : 2;
    }
    auto& c = p.task.AddContact(0, 1);
    for (std::size_t i = 0; i < 3; ++i) {
      p.task.J[static_cast<std::size_t>(c.J_a) + 4 * i] = -1;
      p.task.J[static_cast<std::size_t>(c.J_b) + 4 * i] = 1;
    }
    c.start.h = 0.01;
    c.start.mu = 0.5;
    c.start.phi0 = -1e-3;
    c.start.vn0 = -1;
    c.start.law = {.k = 1e5, .k_hertz = 1e6, .d = 1, .tau = 0.01};
    p.task.CalcDelassus(&c);
    p.task.v0 << 0.3, 0.2, 0.5, 0, 0, -0.5;
    p.task.v_star = p.task.v0;
    ConvexSolver solver;
    ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << Name(model);
    // action and reaction, and the pair repels
    const Vec3 a = p.solution.v.head(3) - p.task.v_star.head(3),
               b = 2 * (p.solution.v.tail(3) - p.task.v_star.tail(3));
    EXPECT_LT((a + p.solution.impulses[0]).norm(), 1e-8);
    EXPECT_LT((b - p.solution.impulses[0]).norm(), 1e-8);
    EXPECT_GT(p.solution.impulses[0].z(), 0);
    EXPECT_EQ(p.solution.record.islands, 1);
    EXPECT_EQ(p.solution.record.largest_island, 2);
  }
}

TEST(Solver, SameProblemSameBitsWhateverWasSolvedBefore) {
  ConvexSolver used, fresh;
  ContactProblem other = Pile(40, kSimilar, PileState::kFirstImpact);
  (void)used.Solve(&other);
  for (int model = 0; model < kContactModelCount; ++model) {
    ContactProblem a = Pile(40, model, PileState::kMidFall), b = a;
    (void)used.Solve(&a);
    (void)fresh.Solve(&b);
    EXPECT_EQ(a.solution.v, b.solution.v) << Name(model);
    EXPECT_EQ(a.solution.record.iterations, b.solution.record.iterations);
  }
}

// Islands that are too entangled for a factor, which here is every one with a pair: the same
// solutions, from directions that are only near Newton's.
TEST(Solver, ConjugateGradientsFindTheSameMinimum) {
  ConvexSolver solver;
  solver.SetExpensiveFill(0);
  for (int model = 0; model < kContactModelCount; ++model) {
    for (const PileState state : kStates) {
      ContactProblem p = Pile(40, model, state);
      p.settings.tolerance = 1e-10;
      ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << Name(model);
      const OracleSolution oracle = SolveDense(p.task, p.solution.v, 1e-13);
      EXPECT_LT((p.solution.v - oracle.v).norm(), 1e-6 * oracle.v.norm()) << Name(model);
      EXPECT_NEAR(p.solution.record.cost, oracle.cost, 1e-9 * std::abs(oracle.cost)) << Name(model);
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
      ASSERT_EQ(p.solution.v, copy.solution.v) << Name(model) << ", step " << step;
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
      ASSERT_EQ(p.solution.v, copy.solution.v) << Name(model) << ", step " << step;
      AdvancePile(&p);
    }
  }
}

TEST(Solver, ConditionNumberIsEstimatedWithinFivePercent) {
  for (const bool factored : {true, false}) {
    ConvexSolver solver;
    if (!factored) solver.SetExpensiveFill(0);
    for (int model = 0; model < kContactModelCount; ++model) {
      ContactProblem p = Pile(20, model, kStates[model % 3]);
      p.settings.estimate_condition = true;
      ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
      double scaled, raw;
      CalcDenseCondition(p.task, solver.hessian(), &scaled, &raw);
      EXPECT_NEAR(p.solution.record.condition_number, scaled, 0.05 * scaled)
          << Name(model) << factored;
      EXPECT_NEAR(p.solution.record.condition_number_raw, raw, 0.05 * raw)
          << Name(model) << factored;
    }
  }
}

TEST(Solver, AllocatesNothingAfterWarmUp) {
  ConvexSolver solver;
  for (const int model : {kSap, kLagged, kSimilar}) {
    ContactProblem p = Pile(40, model, PileState::kMidFall);
    p.settings.estimate_condition = true;
    ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
    const AllocGuard guard;
    (void)solver.Solve(&p);
    EXPECT_EQ(guard.count(), 0u) << Name(model);
  }
}

}  // namespace
}  // namespace slip::test
