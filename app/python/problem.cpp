#include "app/python/problem.h"

#include <pybind11/stl.h>

#include "app/python/bind.h"
#include "app/python/errors.h"
#include "app/python/interrupts.h"
#include "app/python/memory_arrays.h"
#include "app/python/scene.h"
#include "app/python/values.h"
#include "engine/convex/convex.h"
#include "engine/convex/problem_file.h"

namespace slip::python {
namespace {

namespace py = pybind11;

py::dict Solve(const py::object& problem, const py::object& params, const py::kwargs& more) {
  const py::dict all = Join(params, more);
  const std::string path = ToPath(problem, "problem");
  ProblemFile file = Take(ReadProblem(path));
  ContactTask& task = file.problem.task;
  for (const std::string& assignment : ToAssignments(all))
    Check(ApplyProblemAssignment(&task, &file.problem.settings, assignment));
  ContactSolution solution;
  SolveStatus status;
  Interrupts interrupts;
  const StopPoll stop = interrupts.Poll();
  file.problem.settings.stop = &stop;
  {
    const Unlocked unlocked;
    status = ConvexSolver().Solve(task, file.problem.settings, &solution);
  }
  interrupts.Raise();
  std::vector<double> impulses;
  for (const Vec3& gamma : solution.impulses)
    impulses.insert(impulses.end(), gamma.data(), gamma.data() + 3);
  py::dict answer;
  answer["velocities"] =
      ToArray(std::vector<double>(solution.v.begin(), solution.v.end()), {solution.v.size()});
  answer["impulses"] =
      ToArray(std::move(impulses), {static_cast<int64_t>(solution.impulses.size()), 3});
  answer["spin_impulses"] = solution.spin_impulses;
  answer["scalar_impulses"] = solution.scalar_impulses;
  answer["converged"] = status == SolveStatus::kConverged;
  answer["iterations"] = solution.record.iterations;
  answer["momentum_residual"] = solution.record.momentum_residual;
  answer["condition_number"] = solution.record.condition_number;
  answer["cost"] = solution.record.cost;
  return answer;
}

}  // namespace

void AddSolve(py::module_* module) {
  Def(module, "solve", "(problem, params={}, **more)", Solve,
      R"(Solves one step's contact problem (slipscope.problem/1), as `slipscope solve` does.

problem    path of the file, as `slipscope run --dump-problems` writes it
params     {"method": "lagged", "stiffness": 1e8}; keywords, too

Gives velocities, impulses (contacts, 3: t1, t2, n) [N s], converged, iterations,
momentum_residual, condition_number, cost [J].)",
      py::arg("problem"), py::arg("params") = py::dict());
}

}  // namespace slip::python
