// A step whose frozen friction bound is orders above the momentum.
#include <gtest/gtest.h>

#include "engine/convex/convex.h"
#include "engine/convex/problem_file.h"

namespace slip {
namespace {

// A rod's tip 17 mm deep in steel, one contact: the minimum along the first directions lies nine
// orders below a full step.
constexpr std::string_view kJammedRod = R"({
  "schema": "slipscope.problem/1", "model": "lagged", "normal_law": "hunt-crossley",
  "time_step": 0.03253, "stiction_tolerance": 4.854e-06, "friction_regularization": 0.001,
  "near_rigid": 1, "solver_tolerance": 1e-06,
  "trees": [{"nv": 3, "A": [0.00625, 0, 0, 0, 0.3, 0, 0, 0, 0.3],
    "v0": [-20.20161409925642, 0.658010306590448, -2.368130438985184],
    "v_star": [-20.201614099256417, 0.6580103065904481, -2.6872497389851846]}],
  "contacts": [{"tree_a": -1, "tree_b": 0, "J_a": [],
    "J_b": [0.2155323079193662, 1, 0, 0, 0, 0, 0.12667211312262672, 0, 1], "bias": [0, 0, 0],
    "signed_distance": -0.017041335237360372, "vn0": -4.927111585425845, "stiffness": 1.763e11,
    "dissipation": 0, "relaxation_time": 0, "friction": 3, "delassus": 4.581228472908513}]})";

TEST(HardStep, OneJammedContactTakesAFewIterations) {
  auto file = ReadProblemText(kJammedRod, "rod");
  ASSERT_TRUE(file) << file.error().Text();
  ContactProblem problem = file->problem;
  for (const SolverId method : {SolverId::kAuto, SolverId::kPlain}) {
    problem.settings.solver = method;
    ConvexSolver solver;
    ASSERT_EQ(solver.Solve(&problem), SolveStatus::kConverged);
    EXPECT_LE(problem.solution.record.iterations, 12);
    EXPECT_LT(problem.solution.record.momentum_residual, 1e-6);
  }
}

}  // namespace
}  // namespace slip
