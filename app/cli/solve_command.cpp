// solve: one recorded contact problem, its solution, residuals and time.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/cli/commands.h"
#include "app/host/print.h"
#include "app/host/process.h"
#include "engine/contact/contact_models.h"
#include "engine/convex/convex.h"
#include "engine/convex/problem_file.h"
#include "engine/core/json_writer.h"
#include "engine/core/param_text.h"
#include "engine/fclib/fclib_problem.h"
#include "engine/fclib/rigid_limit.h"

namespace slip::app {
namespace {

/// Of the rigid complementarity, for models whose law it is.
constexpr double kRigidTolerance = 1e-8;
/// Factorisations: exact friction in a rigid pile takes more than a step of a scene.
constexpr int kRigidIterations = 2000;

/// A problem as posed, whoever wrote it.
struct PosedProblem {
  ProblemFile file;  ///< ours, or one of the same form
  bool rigid = false;
  std::string about;                ///< a line on what it is; empty = nothing to say
  std::vector<Vec3> impulses;       ///< the file's own, of a rigid one
  std::vector<std::string> models;  ///< that answer where nobody asks for others
};

struct Answer {
  std::string model;
  SolveStatus status = SolveStatus::kConverged;
  ContactSolution solution;
  NcpResidual ncp;
  double median = 0, min = 0;  ///< [µs]

  bool converged() const { return status == SolveStatus::kConverged; }
  bool exists() const { return converged() || status == SolveStatus::kIterationLimit; }
};

std::string_view WhyVoid(SolveStatus status) {
  return status == SolveStatus::kInfeasible
             ? "the barrier law needs a gap, and the problem overlaps"
         : status == SolveStatus::kFactorizationFailed
             ? "the inertia A of a tree is not positive definite"
             : "the solution is not finite";
}

/// Solves from the recorded guess every time.
void SolveOften(const PosedProblem& posed, const ContactTask& task, SolverSettings settings,
                int repeat, Answer* answer) {
  const StopPoll stop = [] { return Interrupted() != 0; };
  settings.stop = &stop;
  ConvexSolver solver;
  std::vector<double> us;
  for (int i = 0; i < repeat && Interrupted() == 0; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    answer->status = posed.rigid
                         ? SolveRigid(task, settings, kRigidTolerance, &solver, &answer->solution)
                         : solver.Solve(task, settings, &answer->solution);
    const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - begin;
    us.push_back(wall.count());
  }
  std::sort(us.begin(), us.end());
  if (us.empty() || !answer->exists()) return;
  answer->median = us[us.size() / 2];
  answer->min = us.front();
  answer->ncp = CalcNcpResidual(
      task, answer->solution,
      posed.rigid ? std::vector<double>{} : CalcLawVelocities(task, answer->solution));
}

double MaxDifference(const ProblemFile& file, const ContactSolution& solution) {
  double largest = (solution.v - file.problem.solution.v).cwiseAbs().maxCoeff();
  if (!std::isfinite(largest)) largest = INFINITY;
  return largest;
}

void WriteAnswer(const PosedProblem& posed, const Answer& answer, JsonWriter* json) {
  WriteSolution(posed.file.problem.task, answer.solution, json);
  json->Flag("converged", answer.converged());
  json->Key("max_velocity_difference");
  if (posed.file.has_solution) {
    json->Number(MaxDifference(posed.file, answer.solution));
  } else {
    json->Null();
  }
  json->Number("natural_map", answer.ncp.natural_map)
      .Number("alart_curnier", answer.ncp.alart_curnier)
      .Number("median_us", answer.median)
      .Number("min_us", answer.min);
}

std::string AnswersJson(const PosedProblem& posed, const std::vector<Answer>& answers) {
  JsonWriter json;
  json.BeginObject();
  if (answers.size() == 1) {
    WriteAnswer(posed, answers.front(), &json);
  } else {
    json.Key("answers").BeginList(false);
    for (const Answer& answer : answers) {
      json.BeginObject().Text("model", answer.model);
      if (answer.exists()) {
        WriteAnswer(posed, answer, &json);
      } else {
        json.Text("problem", WhyVoid(answer.status));
      }
      json.EndObject();
    }
    json.EndList();
  }
  json.EndObject();
  return json.Take();
}

/// One answer, impulse by impulse.
std::string SolutionText(const PosedProblem& posed, const Answer& answer) {
  const ContactSolution& solution = answer.solution;
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
                      answer.converged() ? "converged" : "not converged", record.iterations,
                      record.momentum_residual, record.cost);
  text += fmt::format("distance from Coulomb: natural map {:.3g}, Alart-Curnier {:.3g}\n",
                      answer.ncp.natural_map, answer.ncp.alart_curnier);
  text +=
      fmt::format("time per solve: median {:.3g} µs, min {:.3g} µs\n", answer.median, answer.min);
  if (posed.file.has_solution)
    text += fmt::format("largest difference of v to the file: {:.3g}\n",
                        MaxDifference(posed.file, solution));
  return text;
}

std::string RemarkOn(const PosedProblem& posed, const Answer& answer) {
  if (!answer.converged()) return "not converged";
  const auto at = std::find(kContactModelIds.begin(), kContactModelIds.end(), answer.model);
  if (!posed.rigid || at == kContactModelIds.end()) return "";
  const auto model = static_cast<std::size_t>(at - kContactModelIds.begin());
  return kContactModels[model].traits.lags ? "without friction: there is no step before" : "";
}

/// Several answers to one problem, a row each.
std::string TableText(const PosedProblem& posed, const std::vector<Answer>& answers) {
  std::vector<std::vector<std::string>> rows = {
      {"model", "iterations", "residual", "natural map", "Alart-Curnier", "median µs", ""}};
  for (const Answer& answer : answers) {
    if (!answer.exists()) {
      rows.push_back({answer.model, "", "", "", "", "", std::string(WhyVoid(answer.status))});
      continue;
    }
    rows.push_back({answer.model, std::to_string(answer.solution.record.iterations),
                    fmt::format("{:.2g}", answer.solution.record.momentum_residual),
                    fmt::format("{:.2g}", answer.ncp.natural_map),
                    fmt::format("{:.2g}", answer.ncp.alart_curnier),
                    fmt::format("{:.4g}", answer.median), RemarkOn(posed, answer)});
  }
  if (!posed.impulses.empty()) {
    ContactSolution own;
    own.impulses = posed.impulses;
    const NcpResidual ncp = CalcNcpResidual(posed.file.problem.task, own, {});
    rows.push_back({"(the file's own)", "", "", fmt::format("{:.2g}", ncp.natural_map),
                    fmt::format("{:.2g}", ncp.alart_curnier), "", ""});
  }
  return FormatTable(rows, {false, true, true, true, true, true, false});
}

Result<PosedProblem> ReadPosed(const std::string& path) {
  PosedProblem posed;
  if (!IsFclibName(path)) {
    Result<ProblemFile> file = ReadProblem(path);
    if (!file) return file.errors();
    posed.file = std::move(*file);
    posed.models = {std::string(At(kContactModelIds, posed.file.problem.task.model.contact_model))};
    return posed;
  }
  Result<FclibProblem> read = ReadFclib(path);
  if (!read) return read.errors();
  posed.rigid = true;
  posed.impulses = std::move(read->impulses);
  posed.about = fmt::format("{}{} bodies, {} contacts, rigid limit\n",
                            read->title.empty() ? "" : read->title + ": ", read->bodies,
                            read->task.contacts.size());
  posed.file.problem.task = std::move(read->task);
  posed.file.problem.settings.tolerance = kRigidTolerance;
  posed.file.problem.settings.max_iterations = kRigidIterations;
  posed.models.assign(kContactModelIds.begin(), kContactModelIds.end());
  return posed;
}

/// The models of -m, or those that answer by themselves. False after an error was printed.
bool ChooseModels(const SolveOptions& options, PosedProblem* posed) {
  if (options.model.empty()) return true;
  posed->models.clear();
  for (const std::string& model : SplitList(options.model)) {
    if (!FindMethod(model)) {
      PrintError("no model '" + model.substr(0, 60) + "'", DidYouMean(model, MethodIds()));
      return false;
    }
    posed->models.push_back(model);
  }
  return true;
}

/// The answer of one model; false after an error was printed.
bool Solve(const PosedProblem& posed, const SolveOptions& options, Answer* answer) {
  ContactTask task = posed.file.problem.task;
  SolverSettings settings = posed.file.problem.settings;
  std::vector<std::string> assignments = options.params;
  assignments.insert(assignments.begin(), "method=" + answer->model);
  for (const std::string& assignment : assignments) {
    const Status status = ApplyProblemAssignment(&task, &settings, assignment);
    if (status.ok()) continue;
    PrintErrors(status.errors());
    return false;
  }
  SolveOften(posed, task, settings, options.repeat, answer);
  return true;
}

}  // namespace

int SolveCommand(const SolveOptions& options) {
  Result<PosedProblem> read = ReadPosed(options.file);
  if (!read) {
    PrintErrors(read.errors());
    return kExitInput;
  }
  PosedProblem& posed = read.value();
  if (!ChooseModels(options, &posed)) return kExitUsage;
  CatchInterrupts();
  std::vector<Answer> answers;
  for (const std::string& model : posed.models) {
    Answer& answer = answers.emplace_back();
    answer.model = model;
    if (!Solve(posed, options, &answer)) return kExitUsage;
    if (Interrupted() != 0) return ExitInterrupted("there is no answer");
  }
  const bool alone = answers.size() == 1;
  if (alone && !answers.front().exists()) {
    PrintError(std::string(WhyVoid(answers.front().status)));
    return kExitFailed;
  }
  const std::string text = options.json ? AnswersJson(posed, answers)
                           : alone      ? posed.about + SolutionText(posed, answers.front())
                                        : posed.about + TableText(posed, answers);
  return Print(text) ? kExitDone : kExitFailed;
}

}  // namespace slip::app
