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
    ContactTask::Contact& contact = task.AddContact(of.tree_a, of.tree_b, -1, of.rows);
    EXPECT_LT(of.tree_a, 0);
    from.task.GetRows(of, 0, of.rows, task.J.data() + contact.J_b);
    contact.bias = of.bias;
    contact.start = of.start;
    contact.warm = of.warm;
  }
  task.scalars = from.task.scalars;
  return full;
}

TEST(Branches, GiveTheStepOfFullMatrices) {
  const std::pair<const char*, double> kRuns[] = {
      {"quadruped-trot", 0}, {"quadruped-jump", 0}, {"biped-walk", 0}, {"quadruped-trot", 0.01}};
  for (const auto& [name, torsional_friction] : kRuns) {
    SCOPED_TRACE(name);
    const auto scene = FindScene(name);
    ASSERT_TRUE(scene.ok());
    Config config = (*scene)->channels[0].config;
    for (Material& material : config.materials) material.torsional_friction = torsional_friction;
    Simulation sim((*scene)->model, config);
    ConvexSolver solver;
    int loaded = 0, spins = 0;
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(sim.Step(), StepStatus::kConverged);
      const ContactProblem* problem = ProblemOf(sim.formulation());
      ASSERT_NE(problem, nullptr);
      ASSERT_TRUE(problem->task.branched);
      spins += problem->task.spinning;
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
    EXPECT_EQ(spins > 0, torsional_friction > 0);
  }
}

}  // namespace
}  // namespace slip
