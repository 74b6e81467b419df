// Writing contact problems, and overriding their parameters.
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <variant>

#include "engine/contact/contact_models.h"
#include "engine/convex/convex_params.h"
#include "engine/convex/problem_file.h"
#include "engine/convex/task_builder.h"
#include "engine/core/json_writer.h"
#include "engine/core/numbers.h"
#include "engine/method/config.h"

namespace slip {

void WriteSolution(const ContactTask& task, const ContactSolution& solution, JsonWriter* json) {
  json->Key("v").BeginList();
  for (const ContactTask::Tree& tree : task.trees) {
    json->BeginList();
    for (int i = 0; i < tree.nv; ++i) json->Number(solution.v[tree.start + i]);
    json->EndList();
  }
  json->EndList().Key("impulses").BeginList();
  for (std::size_t c = 0; c < solution.impulses.size(); ++c) {
    json->BeginList();
    for (int i = 0; i < 3; ++i) json->Number(solution.impulses[c][i]);
    if (task.contacts[c].spins()) json->Number(solution.spin_impulses[c]);
    json->EndList();
  }
  json->EndList()
      .Integer("iterations", solution.record.iterations)
      .Number("cost", solution.record.cost)
      .Number("momentum_residual", solution.record.momentum_residual);
}

std::string FormatProblem(const ContactProblem& problem) {
  const ContactTask& task = problem.task;
  const SolverSettings& settings = problem.settings;
  const ContactSolution& solution = problem.solution;
  JsonWriter json;
  json.BeginObject().Text("schema", kProblemSchema);
  json.Text("model", At(kContactModelIds, task.model.contact_model));
  json.Text("normal_law", At(NormalLawIds(), task.model.normal_law));
  json.Number("time_step", task.h);
  json.Number("stiction_tolerance", task.model.params.stiction_tolerance);
  json.Number("friction_regularization", task.model.params.sigma);
  json.Number("near_rigid", task.model.params.beta)
      .Number("todorov_alpha", task.model.params.alpha);
  if (!task.contacts.empty()) {
    json.Number("barrier_stiffness", task.contacts[0].start.law.kappa);
    json.Number("barrier_distance", task.contacts[0].start.law.dh);
  }
  json.Number("solver_tolerance", settings.tolerance)
      .Integer("max_iterations", settings.max_iterations);
  json.Text("line_search", settings.backtracking ? "backtracking" : "exact");
  json.Text("solver", settings.solver == SolverId::kPlain ? "plain" : "auto");
  std::vector<double> full;
  json.Key("trees").BeginList(false);
  for (const ContactTask::Tree& tree : task.trees) {
    json.BeginObject().Integer("nv", tree.nv);
    full.resize(static_cast<std::size_t>(tree.nv * tree.nv));
    task.GetInertia(tree, full.data());
    json.Numbers("A", full.data(), tree.nv * tree.nv);
    json.Numbers("v0", task.v0.data() + tree.start, tree.nv);
    json.Numbers("v_star", task.v_star.data() + tree.start, tree.nv).EndObject();
  }
  json.EndList().Key("contacts").BeginList(false);
  for (const ContactTask::Contact& contact : task.contacts) {
    const ContactStart& start = contact.start;
    const int rows = contact.spins() ? 4 : 3;
    const auto size = [&](int tree) { return tree < 0 ? 0 : rows * At(task.trees, tree).nv; };
    json.BeginObject().Integer("tree_a", contact.tree_a).Integer("tree_b", contact.tree_b);
    json.Numbers("J_a", task.J.data() + contact.J_a, size(contact.tree_a));
    full.resize(static_cast<std::size_t>(size(contact.tree_b)));
    if (contact.tree_b >= 0) task.GetRows(contact, 0, rows, full.data());
    json.Numbers("J_b", full.data(), size(contact.tree_b));
    json.Numbers("bias", contact.bias.data(), 3);
    json.Number("signed_distance", start.phi0).Number("vn0", start.vn0);
    json.Number("stiffness", start.law.k).Number("hertz_stiffness", start.law.k_hertz);
    json.Number("dissipation", start.law.d).Number("relaxation_time", start.law.tau);
    json.Number("friction", start.mu);
    if (contact.spins()) json.Number("torsional_friction", start.mu_w);
    json.Number("delassus", start.w).EndObject();
  }
  json.EndList().Key("solution").BeginObject();
  WriteSolution(task, solution, &json);
  json.EndObject().EndObject();
  return json.Take();
}

namespace {

// What a parameter of the step is in a recorded problem.
struct TaskPlace {
  std::variant<double CommonParams::*, int CommonParams::*, double ConvexParams::*,
               int ConvexParams::*>
      param;
  void (*set)(const StepParams& all, const ConvexParams& own, ContactTask* task,
              SolverSettings* settings);
};
using All = StepParams;
using Own = ConvexParams;
const TaskPlace kTaskPlaces[] = {
    {&All::time_step,
     [](const All& all, const Own&, ContactTask* to, SolverSettings*) { to->h = all.time_step; }},
    {&All::method,
     [](const All& all, const Own&, ContactTask* to, SolverSettings*) {
       to->model.contact_model = ChooseModel(all).contact_model;
     }},
    {&Own::normal_law, [](const All&, const Own& own, ContactTask* to,
                          SolverSettings*) { to->model.normal_law = own.normal_law; }},
    {&Own::stiction_tolerance,
     [](const All&, const Own& own, ContactTask* to, SolverSettings*) {
       to->model.params.stiction_tolerance = own.stiction_tolerance;
     }},
    {&Own::friction_regularization,
     [](const All&, const Own& own, ContactTask* to, SolverSettings*) {
       to->model.params.sigma = own.friction_regularization;
     }},
    {&Own::near_rigid, [](const All&, const Own& own, ContactTask* to,
                          SolverSettings*) { to->model.params.beta = own.near_rigid; }},
    {&Own::todorov_alpha, [](const All&, const Own& own, ContactTask* to,
                             SolverSettings*) { to->model.params.alpha = own.todorov_alpha; }},
    {&All::solver_tolerance, [](const All& all, const Own&, ContactTask*,
                                SolverSettings* to) { to->tolerance = all.solver_tolerance; }},
    {&All::max_iterations, [](const All& all, const Own&, ContactTask*,
                              SolverSettings* to) { to->max_iterations = all.max_iterations; }},
    {&Own::line_search, [](const All&, const Own& own, ContactTask*,
                           SolverSettings* to) { to->backtracking = own.line_search == 1; }},
    {&Own::solver, [](const All&, const Own& own, ContactTask*,
                      SolverSettings* to) { to->solver = static_cast<SolverId>(own.solver); }},
};

// What a parameter is in every contact of a recorded problem.
struct StartPlace {
  std::variant<double CommonParams::*, double ConvexParams::*, double Material::*> param;
  double& (*of)(ContactStart* start);
};
const StartPlace kStartPlaces[] = {
    {&All::time_step, [](ContactStart* start) -> double& { return start->h; }},
    {&Own::barrier_stiffness, [](ContactStart* start) -> double& { return start->law.kappa; }},
    {&Own::barrier_distance, [](ContactStart* start) -> double& { return start->law.dh; }},
    {&Material::stiffness, [](ContactStart* start) -> double& { return start->law.k; }},
    {&Material::hertz_stiffness, [](ContactStart* start) -> double& { return start->law.k_hertz; }},
    {&Material::dissipation, [](ContactStart* start) -> double& { return start->law.d; }},
    {&Material::relaxation_time, [](ContactStart* start) -> double& { return start->law.tau; }},
    {&Material::friction, [](ContactStart* start) -> double& { return start->mu; }},
    {&Material::torsional_friction, [](ContactStart* start) -> double& { return start->mu_w; }},
};

// Whether the parameter that is described here is this member of T.
template <class T, class Value>
bool DescribedIn(std::span<const Param<T>> table, const ParamInfo* info, Value T::*member) {
  return std::any_of(table.begin(), table.end(), [&](const Param<T>& row) {
    return row.info == *info && row.member == typename Param<T>::Member(member);
  });
}
template <class Value>
bool Describes(const ParamInfo* info, Value CommonParams::*member) {
  return DescribedIn(CommonParamTable(), info, member) ||
         DescribedIn(IterationParamTable(), info, member);
}
template <class Value>
bool Describes(const ParamInfo* info, Value ConvexParams::*member) {
  return DescribedIn(ConvexParams::Table(), info, member);
}
template <class Value>
bool Describes(const ParamInfo* info, Value Material::*member) {
  return DescribedIn(MaterialTable(), info, member);
}

// Torsion needs the row of spin, and friction.
Status CheckTorsion(const ContactTask& task, const ParamInfo* info, double value) {
  const bool torsional = Describes(info, &Material::torsional_friction);
  const bool frictional = Describes(info, &Material::friction);
  for (const ContactTask::Contact& contact : task.contacts) {
    const double mu_w = torsional ? value : contact.start.mu_w;
    if (torsional && mu_w > 0 && contact.rows == 3) {
      return Error{.message =
                       "the problem has a contact that was recorded without torsional "
                       "friction: its Jacobian has no row of spin"};
    }
    if (mu_w > 0 && !((frictional ? value : contact.start.mu) > 0))
      return Error{.message = "friction must be > 0 where torsional_friction is"};
  }
  return Ok{};
}

}  // namespace

Status ApplyProblemAssignment(ContactTask* task, SolverSettings* settings,
                              std::string_view assignment) {
  // A Config with one material lends its table: names, units, ranges, suggestions.
  Config config;
  config.materials.emplace_back().name = "NAME";  // as the list of parameters has it
  if (Status status = ApplyAssignment(&config, assignment); !status) return status;
  const std::string_view path = assignment.substr(0, assignment.find('='));
  const ParamInfo* info = FindParam(config, path);
  const double value = *GetParam(config, path);
  if (Info(config.method()).contact_model < 0) {
    return Error{.message = "a recorded problem takes contact models alone: " +
                            fmt::format("{}", fmt::join(kContactModelIds, ", "))};
  }
  if (Status fits = CheckTorsion(*task, info, value); !fits.ok()) return fits;
  bool found = false;
  for (const TaskPlace& place : kTaskPlaces) {
    if (!std::visit([&](auto member) { return Describes(info, member); }, place.param)) continue;
    place.set(config.step, config.step.part<ConvexParams>(), task, settings);
    found = true;
  }
  for (const StartPlace& place : kStartPlaces) {
    if (!std::visit([&](auto member) { return Describes(info, member); }, place.param)) continue;
    for (ContactTask::Contact& contact : task->contacts) place.of(&contact.start) = value;
    found = true;
  }
  if (found) return Ok{};
  return Error{.message =
                   "'" + std::string(path) + "' is already part of a recorded problem's numbers"};
}

}  // namespace slip
