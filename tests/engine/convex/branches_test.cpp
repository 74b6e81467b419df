// A robot's step, solved along the branches of its trees, against the same step with full matrices.
#include <gtest/gtest.h>

#include "engine/convex/convex.h"
#include "engine/convex/convex_formulation.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"

namespace slip {
namespace {

// The same numbers without patterns.
ContactProblem MakeFull(const ContactProblem& from) {
  ContactProblem full = from;
  ContactTask& task = full.task;
  task.Clear();
  for (const ContactTask::Tree& tree : from.task.trees) {
    const int t = task.AddTree(tree.nv);
    from.task.GetInertia(tree, task.A.data() + task.trees[static_cast<std::size_t>(t)].A_offset);
  }
  task.Resize();
  task.v0 = from.task.v0;
  task.v_star = from.task.v_star;
  for (const ContactTask::Contact& of : from.task.contacts) {
    ContactTask::Contact& contact = task.AddContact(of.tree_a, of.tree_b);
    EXPECT_LT(of.tree_a, 0);
    from.task.GetRows(of, task.J.data() + contact.J_b);
    contact.bias = of.bias;
    contact.start = of.start;
    contact.warm = of.warm;
  }
  task.scalars = from.task.scalars;
  return full;
}

TEST(Branches, GiveTheStepOfFullMatrices) {
  for (const char* name : {"quadruped-trot", "quadruped-jump", "biped-walk"}) {
    SCOPED_TRACE(name);
    const auto scene = FindScene(name);
    ASSERT_TRUE(scene.ok());
    Simulation sim((*scene)->model, (*scene)->channels[0].config);
    ConvexSolver solver;
    int loaded = 0;
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(sim.Step(), StepStatus::kConverged);
      const ContactProblem* problem = ProblemOf(sim.formulation());
      ASSERT_NE(problem, nullptr);
      ASSERT_TRUE(problem->task.branched);
      ContactProblem full = MakeFull(*problem);
      ASSERT_EQ(solver.Solve(&full), SolveStatus::kConverged);
      EXPECT_EQ(full.solution.record.iterations, problem->solution.record.iterations);
      EXPECT_LT((full.solution.v - problem->solution.v).norm(),
                1e-10 * (1e-3 + problem->solution.v.norm()));
      EXPECT_NEAR(full.solution.record.condition_number, problem->solution.record.condition_number,
                  1e-2 * full.solution.record.condition_number);
      loaded += problem->task.contacts.empty() ? 0 : 1;
    }
    EXPECT_GT(loaded, 50);
  }
}

}  // namespace
}  // namespace slip
