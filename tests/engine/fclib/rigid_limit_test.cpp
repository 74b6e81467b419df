// Rigid contacts: closed forms, the residuals of a complementarity, and how far models are from it.
#include "engine/fclib/rigid_limit.h"

#include <gtest/gtest.h>

#include "engine/contact/contact_models.h"
#include "engine/fclib/fclib_problem.h"
#include "tests/support/fclib_files.h"

namespace slip::test {
namespace {

ContactTask TaskOf(const FclibMessage& message, std::string_view model) {
  Result<FclibProblem> read = MakeFclibProblem(message, "a.hdf5");
  EXPECT_TRUE(read.ok());
  ContactTask task = read->task;
  for (int m = 0; m < kAllModelCount; ++m)
    if (kContactModels[static_cast<std::size_t>(m)].traits.id == model)
      task.model.contact_model = m;
  return task;
}

ContactSolution SolutionOf(const ContactTask& task, SolveStatus* status) {
  ContactSolution solution;
  ConvexSolver solver;
  SolverSettings settings;
  settings.tolerance = 1e-8;
  settings.max_iterations = 2000;
  *status = SolveRigid(task, settings, 1e-8, &solver, &solution);
  return solution;
}

TEST(RigidLimit, OfASlidingPoint) {
  SolveStatus status{};
  const ContactTask task = TaskOf(SlidingPoint(0.5), "coulomb");
  const ContactSolution exact = SolutionOf(task, &status);
  EXPECT_EQ(status, SolveStatus::kConverged);
  // 2 kg stopped at 0.1 m/s, and half of that along the ground
  EXPECT_LT((exact.impulses[0] - Vec3(-0.1, 0, 0.2)).norm(), 1e-8);
  const NcpResidual residual = CalcNcpResidual(task, exact, {});
  EXPECT_LT(residual.natural_map, 1e-8);
  EXPECT_LT(residual.alart_curnier, 1e-8);
  // a convex model lifts it: u in the dual cone, v_n = mu |v_t|
  const ContactTask glides = TaskOf(SlidingPoint(0.5), "anitescu");
  const ContactSolution gliding = SolutionOf(glides, &status);
  EXPECT_NEAR(gliding.v[2], 0.5 * gliding.v[0], 1e-5);
  EXPECT_GT(CalcNcpResidual(glides, gliding, {}).natural_map, 0.1);
}

TEST(RigidLimit, OfAPointThatSticks) {
  SolveStatus status{};
  const ContactTask task = TaskOf(SlidingPoint(20), "coulomb");
  const ContactSolution exact = SolutionOf(task, &status);
  EXPECT_LT((exact.impulses[0] - Vec3(-2, 0, 0.2)).norm(), 1e-7);
  EXPECT_LT(CalcNcpResidual(task, exact, {}).natural_map, 1e-8);
}

// Four contacts a face are more than hold a body, and impulses are not unique.
TEST(RigidLimit, OfColumns) {
  for (const double mu : {0.1, 0.3, 0.8}) {
    SolveStatus status{};
    const ContactTask task = TaskOf(Column(5, mu), "coulomb");
    const ContactSolution exact = SolutionOf(task, &status);
    EXPECT_EQ(status, SolveStatus::kConverged) << mu;
    EXPECT_LT(CalcNcpResidual(task, exact, {}).natural_map, 1e-8) << mu;
    for (const char* model : {"sap", "similar", "anitescu"}) {
      const ContactTask convex = TaskOf(Column(5, mu), model);
      const ContactSolution answer = SolutionOf(convex, &status);
      EXPECT_EQ(status, SolveStatus::kConverged) << model;
      EXPECT_LT(answer.record.momentum_residual, 1e-8) << model;
      EXPECT_LE(answer.record.iterations, 30) << model;
    }
  }
}

TEST(NcpResidual, SeesWhatIsMissing) {
  const ContactTask task = TaskOf(SlidingPoint(0.5), "coulomb");
  ContactSolution answer;
  answer.impulses = {Vec3(-0.1, 0, 0.2)};
  EXPECT_LT(CalcNcpResidual(task, answer, {}).natural_map, 1e-14);
  EXPECT_LT(CalcNcpResidual(task, answer, {}).alart_curnier, 1e-14);
  // no friction: the point slides at 1 m/s, w = 1/2/sqrt(3)
  answer.impulses = {Vec3(0, 0, 0.2)};
  const double w = task.contacts[0].start.w;
  EXPECT_NEAR(w, 0.5 / std::sqrt(3.0), 1e-15);
  const NcpResidual none = CalcNcpResidual(task, answer, {});
  EXPECT_NEAR(none.alart_curnier, 0.5, 1e-12);  // mu gamma_n of gamma_n
  // (-1/w, 0.2 - 0.5/w) projects on the cone's side (-mu, 1) a
  const double a = (0.5 / w + 0.2 - 0.5 / w) / 1.25;
  EXPECT_NEAR(none.natural_map, std::hypot(0.5 * a, 0.2 - a) / 0.2, 1e-12);
  // compliance moves the law
  answer.impulses = {Vec3(0, 0, 0.1)};
  const double v_law[] = {-0.05};
  EXPECT_NEAR(CalcNcpResidual(task, answer, v_law).alart_curnier, 0.5, 1e-12);
}

}  // namespace
}  // namespace slip::test
