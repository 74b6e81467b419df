// solve: one recorded contact problem, its solution, residuals and time.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/cli/commands.h"
#include "app/host/print.h"
#include "app/host/process.h"
#include "engine/convex/convex.h"
#include "engine/convex/problem_file.h"
#include "engine/core/json_writer.h"
#include "engine/core/param_text.h"

namespace slip::app {
namespace {

struct Timing {
  double median = 0, min = 0;  ///< [µs]
};

/// Solves from the recorded guess every time.
SolveStatus SolveOften(const ContactTask& task, SolverSettings settings, int repeat,
                       ContactSolution* solution, Timing* timing) {
  const StopPoll stop = [] { return Interrupted() != 0; };
  settings.stop = &stop;
  ConvexSolver solver;
  std::vector<double> us;
  SolveStatus status = SolveStatus::kConverged;
  for (int i = 0; i < repeat && Interrupted() == 0; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    status = solver.Solve(task, settings, solution);
    const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - begin;
    us.push_back(wall.count());
  }
  std::sort(us.begin(), us.end());
  if (!us.empty()) *timing = {us[us.size() / 2], us.front()};
  return status;
}

double MaxDifference(const ProblemFile& file, const ContactSolution& solution) {
  double largest = (solution.v - file.problem.solution.v).cwiseAbs().maxCoeff();
  if (!std::isfinite(largest)) largest = INFINITY;
  return largest;
}

std::string SolutionJson(const ProblemFile& file, const ContactSolution& solution,
                         const Timing& timing, bool converged) {
  JsonWriter json;
  json.BeginObject();
  WriteSolution(file.problem.task, solution, &json);
  json.Flag("converged", converged);
  json.Key("max_velocity_difference");
  if (file.has_solution) {
    json.Number(MaxDifference(file, solution));
  } else {
    json.Null();
  }
  json.Number("median_us", timing.median).Number("min_us", timing.min).EndObject();
  return json.Take();
}

std::string SolutionText(const ProblemFile& file, const ContactSolution& solution,
                         const Timing& timing, bool converged) {
  std::vector<std::vector<std::string>> rows = {{"contact", "impulse t1 [N s]", "t2", "n"}};
  const bool spins = !solution.spin_impulses.empty();
  if (spins) rows[0].push_back("about n [N m s]");
  for (std::size_t i = 0; i < solution.impulses.size(); ++i) {
    const Vec3& gamma = solution.impulses[i];
    rows.push_back({std::to_string(i), fmt::format("{:.9g}", gamma.x()),
                    fmt::format("{:.9g}", gamma.y()), fmt::format("{:.9g}", gamma.z())});
    if (spins) rows.back().push_back(fmt::format("{:.9g}", solution.spin_impulses[i]));
  }
  std::string text = FormatTable(rows, std::vector<bool>(rows[0].size(), true));
  const SolveRecord& record = solution.record;
  text += fmt::format("{} in {} iterations, momentum residual {:.3g}, cost {:.9g} J\n",
                      converged ? "converged" : "not converged", record.iterations,
                      record.momentum_residual, record.cost);
  text +=
      fmt::format("time per solve: median {:.3g} µs, min {:.3g} µs\n", timing.median, timing.min);
  if (file.has_solution)
    text +=
        fmt::format("largest difference of v to the file: {:.3g}\n", MaxDifference(file, solution));
  return text;
}

}  // namespace

int SolveCommand(const SolveOptions& options) {
  Result<ProblemFile> file = ReadProblem(options.file);
  if (!file) {
    PrintErrors(file.errors());
    return kExitInput;
  }
  ContactProblem& problem = file.value().problem;
  std::vector<std::string> assignments = options.params;
  if (!options.model.empty()) {
    if (!FindMethod(options.model)) {
      PrintError("no model '" + options.model.substr(0, 60) + "'",
                 DidYouMean(options.model, MethodIds()));
      return kExitUsage;
    }
    assignments.insert(assignments.begin(), "method=" + options.model);
  }
  for (const std::string& assignment : assignments) {
    if (const Status status = ApplyProblemAssignment(&problem.task, &problem.settings, assignment);
        !status.ok()) {
      PrintErrors(status.errors());
      return kExitUsage;
    }
  }
  CatchInterrupts();
  Timing timing;
  ContactSolution solution;
  const SolveStatus status =
      SolveOften(problem.task, problem.settings, options.repeat, &solution, &timing);
  if (Interrupted() != 0) return ExitInterrupted("there is no answer");
  if (status != SolveStatus::kConverged && status != SolveStatus::kIterationLimit) {
    PrintError(status == SolveStatus::kInfeasible
                   ? "the barrier law needs a gap, and the problem overlaps"
               : status == SolveStatus::kFactorizationFailed
                   ? "the inertia A of a tree is not positive definite"
                   : "the solution is not finite");
    return kExitFailed;
  }
  const bool converged = status == SolveStatus::kConverged;
  const std::string text = options.json ? SolutionJson(*file, solution, timing, converged)
                                        : SolutionText(*file, solution, timing, converged);
  return Print(text) ? kExitDone : kExitFailed;
}

}  // namespace slip::app
