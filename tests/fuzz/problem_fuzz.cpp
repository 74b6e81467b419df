// Contact problem files and their solution: every model, every law, both methods.
#include "engine/contact/contact_models.h"
#include "engine/convex/convex.h"
#include "engine/convex/problem_file.h"
#include "engine/method/config.h"
#include "tests/fuzz/oracle.h"

namespace slip::fuzz {
namespace {

constexpr int kMostCoordinates = 240, kMostContacts = 60, kMostIterations = 10;

bool SameTask(const ContactTask& a, const ContactTask& b) {
  bool same = a.model.contact_model == b.model.contact_model &&
              a.model.normal_law == b.model.normal_law && a.h == b.h &&
              a.trees.size() == b.trees.size() && a.contacts.size() == b.contacts.size() &&
              a.A == b.A && a.J == b.J && a.v0 == b.v0 && a.v_star == b.v_star;
  for (std::size_t i = 0; same && i < a.contacts.size(); ++i) {
    const ContactTask::Contact &x = a.contacts[i], &y = b.contacts[i];
    same = x.tree_a == y.tree_a && x.tree_b == y.tree_b && x.bias == y.bias &&
           x.start.phi0 == y.start.phi0 && x.start.vn0 == y.start.vn0 && x.start.mu == y.start.mu &&
           x.start.w == y.start.w && x.start.law.k == y.start.law.k &&
           x.start.law.d == y.start.law.d && x.start.law.tau == y.start.law.tau &&
           x.start.law.k_hertz == y.start.law.k_hertz;
  }
  return same;
}

void CheckSolution(const ContactProblem& problem, SolveStatus status) {
  if (status != SolveStatus::kConverged && status != SolveStatus::kIterationLimit) return;
  Require(problem.solution.v.allFinite(), "solution");
  for (const Vec3& impulse : problem.solution.impulses) Require(impulse.allFinite(), "impulse");
  Require(std::isfinite(problem.solution.record.momentum_residual), "residual");
}

}  // namespace
}  // namespace slip::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace slip;
  using namespace slip::fuzz;
  static ConvexSolver solver;
  if (size < 2) return 0;
  // the first two characters choose model, law and method; 'z' leaves those of the file
  Result<ProblemFile> file = ReadProblemText(TextOf(data + 2, size - 2), "fuzz.json");
  if (!file) {
    RequireErrors(file.errors());
    return 0;
  }
  ContactProblem& problem = file.value().problem;
  if (data[0] != 'z') problem.task.model.contact_model = data[0] % kContactModelCount;
  if (data[1] != 'z') {
    problem.task.model.normal_law = data[1] % kNormalLawCount;
    problem.settings.solver = static_cast<SolverId>(data[1] / kNormalLawCount % 2);
    problem.settings.backtracking = data[1] / (2 * kNormalLawCount) % 2 == 1;
  }
  if (problem.task.nv > kMostCoordinates || problem.task.contacts.size() > kMostContacts) return 0;
  problem.settings.max_iterations = std::min(problem.settings.max_iterations, kMostIterations);
  const SolveStatus status = solver.Solve(&problem);
  CheckSolution(problem, status);
  if (status != SolveStatus::kConverged && status != SolveStatus::kIterationLimit) return 0;
  const Result<ProblemFile> again = ReadProblemText(FormatProblem(problem), "again.json");
  Require(again.ok(), again.ok() ? "" : again.error().Text());
  Require(SameTask(problem.task, again->problem.task), "a problem as written reads back");
  return 0;
}
