// Writing contact problems, and overriding their parameters.
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <variant>

#include "engine/contact/contact_models.h"
#include "engine/convex/problem_file.h"
#include "engine/convex/task_builder.h"
#include "engine/core/json_writer.h"
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
  json.Text("model", kContactModelIds[static_cast<std::size_t>(task.model.contact_model)]);
  json.Text("normal_law", NormalLawIds()[static_cast<std::size_t>(task.model.normal_law)]);
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
    const auto size = [&](int tree) {
      return tree < 0 ? 0 : rows * task.trees[static_cast<std::size_t>(tree)].nv;
    };
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
  std::variant<double StepParams::*, int StepParams::*> param;
  void (*set)(const StepParams& step, ContactTask* task, SolverSettings* settings);
};
const TaskPlace kTaskPlaces[] = {
    {&StepParams::time_step,
     [](const StepParams& s, ContactTask* t, SolverSettings*) { t->h = s.time_step; }},
    {&StepParams::method,
     [](const StepParams& s, ContactTask* t, SolverSettings*) {
       t->model.contact_model = ChooseModel(s).contact_model;
     }},
    {&StepParams::normal_law, [](const StepParams& s, ContactTask* t,
                                 SolverSettings*) { t->model.normal_law = s.normal_law; }},
    {&StepParams::stiction_tolerance,
     [](const StepParams& s, ContactTask* t, SolverSettings*) {
       t->model.params.stiction_tolerance = s.stiction_tolerance;
     }},
    {&StepParams::friction_regularization,
     [](const StepParams& s, ContactTask* t, SolverSettings*) {
       t->model.params.sigma = s.friction_regularization;
     }},
    {&StepParams::near_rigid, [](const StepParams& s, ContactTask* t,
                                 SolverSettings*) { t->model.params.beta = s.near_rigid; }},
    {&StepParams::todorov_alpha, [](const StepParams& s, ContactTask* t,
                                    SolverSettings*) { t->model.params.alpha = s.todorov_alpha; }},
    {&StepParams::solver_tolerance, [](const StepParams& s, ContactTask*,
                                       SolverSettings* to) { to->tolerance = s.solver_tolerance; }},
    {&StepParams::max_iterations,
     [](const StepParams& s, ContactTask*, SolverSettings* to) {
       to->max_iterations = s.max_iterations;
     }},
    {&StepParams::line_search, [](const StepParams& s, ContactTask*,
                                  SolverSettings* to) { to->backtracking = s.line_search == 1; }},
    {&StepParams::solver, [](const StepParams& s, ContactTask*,
                             SolverSettings* to) { to->solver = static_cast<SolverId>(s.solver); }},
};

// What a parameter is in every contact of a recorded problem.
struct StartPlace {
  std::variant<double StepParams::*, double Material::*> param;
  double& (*of)(ContactStart* start);
};
const StartPlace kStartPlaces[] = {
    {&StepParams::time_step, [](ContactStart* start) -> double& { return start->h; }},
    {&StepParams::barrier_stiffness,
     [](ContactStart* start) -> double& { return start->law.kappa; }},
    {&StepParams::barrier_distance, [](ContactStart* start) -> double& { return start->law.dh; }},
    {&Material::stiffness, [](ContactStart* start) -> double& { return start->law.k; }},
    {&Material::hertz_stiffness, [](ContactStart* start) -> double& { return start->law.k_hertz; }},
    {&Material::dissipation, [](ContactStart* start) -> double& { return start->law.d; }},
    {&Material::relaxation_time, [](ContactStart* start) -> double& { return start->law.tau; }},
    {&Material::friction, [](ContactStart* start) -> double& { return start->mu; }},
    {&Material::torsional_friction, [](ContactStart* start) -> double& { return start->mu_w; }},
};

// Whether the parameter that is described here is this member of T.
template <class T, class Value>
bool Describes(const ParamInfo* info, std::span<const Param<T>> table, Value T::*member) {
  return std::any_of(table.begin(), table.end(), [&](const Param<T>& row) {
    return &row.info == info && row.member == std::variant<double T::*, int T::*>(member);
  });
}
template <class Value>
bool Describes(const ParamInfo* info, Value StepParams::*member) {
  return Describes(info, StepParamTable(), member);
}
template <class Value>
bool Describes(const ParamInfo* info, Value Material::*member) {
  return Describes(info, MaterialTable(), member);
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
    place.set(config.step, task, settings);
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
