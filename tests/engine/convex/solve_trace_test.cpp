// Search lines for looking at: they are those of the solver, and watching changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/convex/convex.h"
#include "engine/method/config.h"
#include "engine/sim/method_list.h"
#include "tests/support/pile.h"

namespace slip::test {
namespace {

ContactProblem TracePile(int model, PileState state, SolverId solver) {
  PileSpec spec;
  spec.bodies = 16;
  spec.model = model;
  spec.state = state;
  ContactProblem problem = MakePile(spec);
  problem.settings.solver = solver;
  return problem;
}

/// Both costs and the step taken are the record's own.
void ExpectOfTheRecord(const SearchLine& line, const SolveRecord& record) {
  const auto at = static_cast<std::size_t>(line.iteration);
  const IterationRecord& entry = record.history[at];
  EXPECT_EQ(line.alpha, entry.alpha);
  EXPECT_EQ(line.cost, entry.cost);
  ASSERT_EQ(line.rise.size(), static_cast<std::size_t>(SearchLine::kPoints));
  EXPECT_LE(std::abs(line.rise.front()), line.noise);
  EXPECT_LT(line.slope, 0);
}

TEST(SolveTrace, ExactSearchEndsAtTheMinimumOfTheLine) {
  int lines = 0;
  for (int model = 0; model < kContactModelCount; ++model) {
    for (const PileState state : {PileState::kFirstImpact, PileState::kMidFall}) {
      ContactProblem plain = TracePile(model, state, SolverId::kPlain);
      ContactProblem traced = plain;
      ConvexSolver solver;
      SolveTrace trace;
      solver.Solve(&plain);
      solver.Solve(&traced, &trace);
      // the same solve to the last bit
      EXPECT_EQ(plain.solution.v, traced.solution.v);
      EXPECT_EQ(plain.solution.record.cost, traced.solution.record.cost);
      ASSERT_EQ(trace.lines.size(), static_cast<std::size_t>(std::min(
                                        plain.solution.record.iterations, kMaxRecordedIterations)));
      for (const SearchLine& line : trace.lines) {
        ExpectOfTheRecord(line, plain.solution.record);
        // the cost where the step ended is the cost that the next iteration starts from
        const auto next = static_cast<std::size_t>(line.iteration) + 1;
        if (next < static_cast<std::size_t>(plain.solution.record.recorded)) {
          EXPECT_NEAR(line.cost + line.chosen_rise, plain.solution.record.history[next].cost,
                      1e-12 * std::max(1.0, std::abs(line.cost)));
        }
        if (std::abs(line.chosen_rise) < 1e4 * line.noise) continue;
        ++lines;
        const auto lowest = std::min_element(line.rise.begin(), line.rise.end());
        const double alpha = SearchLine::AlphaAt(static_cast<int>(lowest - line.rise.begin()));
        EXPECT_NEAR(alpha, line.alpha, SearchLine::AlphaAt(1));
        EXPECT_GE(*lowest, line.chosen_rise - line.noise - 1e-6 * std::abs(line.chosen_rise));
      }
    }
  }
  EXPECT_GT(lines, 20);
}

TEST(SolveTrace, TheFastSolverShowsTheHardestIsland) {
  for (int model = 0; model < kContactModelCount; ++model) {
    ContactProblem problem = TracePile(model, PileState::kMidFall, SolverId::kAuto);
    ConvexSolver solver;
    SolveTrace trace;
    ASSERT_EQ(solver.Solve(&problem, &trace), SolveStatus::kConverged);
    int steps = 0;
    for (int i = 0; i < problem.solution.record.recorded; ++i) {
      steps +=
          problem.solution.record.history[static_cast<std::size_t>(i)].line_search_iterations > 0;
    }
    EXPECT_GE(static_cast<int>(trace.lines.size()), steps);
    for (const SearchLine& line : trace.lines) ExpectOfTheRecord(line, problem.solution.record);
  }
}

TEST(SolveTrace, ABarrierEndsTheLine) {
  PileSpec spec;
  spec.bodies = 1;
  spec.model = 1;
  spec.state = PileState::kResting;
  ContactProblem problem = MakePile(spec);
  problem.task.model.normal_law = static_cast<int>(NormalLawId::kLogBarrier);
  for (auto& contact : problem.task.contacts) {
    contact.start.phi0 = 5e-4;  // much less than the way of one step
    contact.start.law.kappa = 1e-3;
  }
  problem.task.v0.setZero();
  problem.task.v_star *= 10;
  ConvexSolver solver;
  SolveTrace trace;
  const SolveStatus status = solver.Solve(&problem, &trace);
  ASSERT_TRUE(status == SolveStatus::kConverged || status == SolveStatus::kIterationLimit);
  int ended = 0;
  for (const SearchLine& line : trace.lines) {
    ended += std::isnan(line.rise.back());
    // what is drawn is finite up to the end of the feasible part
    const auto end = std::find_if(line.rise.begin(), line.rise.end(),
                                  [](double rise) { return !std::isfinite(rise); });
    EXPECT_TRUE(std::all_of(end, line.rise.end(), [](double rise) { return std::isnan(rise); }));
  }
  EXPECT_GT(ended, 0);
}

}  // namespace
}  // namespace slip::test
