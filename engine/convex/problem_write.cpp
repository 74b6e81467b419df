// Writing contact problems, and overriding their parameters.
#include "engine/contact/contact_models.h"
#include "engine/convex/problem_file.h"
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
  for (const Vec3& impulse : solution.impulses) {
    json->BeginList();
    for (int i = 0; i < 3; ++i) json->Number(impulse[i]);
    json->EndList();
  }
  json->EndList()
      .Integer("iterations", solution.record.iterations)
      .Number("cost", solution.record.cost)
      .Number("momentum_residual", solution.record.momentum_residual);
}

std::string FormatProblem(const ContactProblem& problem) {
  const auto& [task, settings, solution] = problem;
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
  json.Key("trees").BeginList(false);
  for (const ContactTask::Tree& tree : task.trees) {
    json.BeginObject().Integer("nv", tree.nv);
    json.Numbers("A", task.A.data() + tree.A_offset, tree.nv * tree.nv);
    json.Numbers("v0", task.v0.data() + tree.start, tree.nv);
    json.Numbers("v_star", task.v_star.data() + tree.start, tree.nv).EndObject();
  }
  json.EndList().Key("contacts").BeginList(false);
  const auto size = [&](int tree) {
    return tree < 0 ? 0 : 3 * task.trees[static_cast<std::size_t>(tree)].nv;
  };
  for (const ContactTask::Contact& contact : task.contacts) {
    const ContactStart& start = contact.start;
    json.BeginObject().Integer("tree_a", contact.tree_a).Integer("tree_b", contact.tree_b);
    json.Numbers("J_a", task.J.data() + contact.J_a, size(contact.tree_a));
    json.Numbers("J_b", task.J.data() + contact.J_b, size(contact.tree_b));
    json.Numbers("bias", contact.bias.data(), 3);
    json.Number("signed_distance", start.phi0).Number("vn0", start.vn0);
    json.Number("stiffness", start.law.k).Number("hertz_stiffness", start.law.k_hertz);
    json.Number("dissipation", start.law.d).Number("relaxation_time", start.law.tau);
    json.Number("friction", start.mu).Number("delassus", start.w).EndObject();
  }
  json.EndList().Key("solution").BeginObject();
  WriteSolution(task, solution, &json);
  json.EndObject().EndObject();
  return json.Take();
}

Status ApplyProblemAssignment(ContactTask* task, SolverSettings* settings,
                              std::string_view assignment) {
  // A Config with one material lends its table: names, units, ranges, suggestions.
  Config config;
  config.materials.emplace_back().name = "NAME";  // as the list of parameters has it
  if (Status status = ApplyAssignment(&config, assignment); !status) return status;
  const std::string_view path = assignment.substr(0, assignment.find('='));
  const StepParams& step = config.step;
  const Material& material = config.materials[0];
  const auto all = [&](const auto& set) {
    for (ContactTask::Contact& contact : task->contacts) set(&contact.start);
  };
  const std::string_view name =
      path.substr(path.rfind('.') == std::string_view::npos ? 0 : path.rfind('.') + 1);
  if (name == "time_step") {
    task->h = step.time_step;
    all([&](ContactStart* s) { s->h = step.time_step; });
  } else if (name == kMethodParam) {
    task->model.contact_model = Info(config.method()).contact_model;
  } else if (name == "normal_law") {
    task->model.normal_law = step.normal_law;
  } else if (name == "stiction_tolerance") {
    task->model.params.stiction_tolerance = step.stiction_tolerance;
  } else if (name == "friction_regularization") {
    task->model.params.sigma = step.friction_regularization;
  } else if (name == "near_rigid") {
    task->model.params.beta = step.near_rigid;
  } else if (name == "todorov_alpha") {
    task->model.params.alpha = step.todorov_alpha;
  } else if (name == "solver_tolerance") {
    settings->tolerance = step.solver_tolerance;
  } else if (name == "max_iterations") {
    settings->max_iterations = step.max_iterations;
  } else if (name == "line_search") {
    settings->backtracking = step.line_search == 1;
  } else if (name == "solver") {
    settings->solver = static_cast<SolverId>(step.solver);
  } else if (name == "stiffness") {
    all([&](ContactStart* s) { s->law.k = material.stiffness; });
  } else if (name == "hertz_stiffness") {
    all([&](ContactStart* s) { s->law.k_hertz = material.hertz_stiffness; });
  } else if (name == "dissipation") {
    all([&](ContactStart* s) { s->law.d = material.dissipation; });
  } else if (name == "relaxation_time") {
    all([&](ContactStart* s) { s->law.tau = material.relaxation_time; });
  } else if (name == "friction") {
    all([&](ContactStart* s) { s->mu = material.friction; });
  } else if (name == "barrier_stiffness") {
    all([&](ContactStart* s) { s->law.kappa = step.barrier_stiffness; });
  } else if (name == "barrier_distance") {
    all([&](ContactStart* s) { s->law.dh = step.barrier_distance; });
  } else {
    return Error{.message =
                     "'" + std::string(path) + "' is already part of a recorded problem's numbers"};
  }
  return Ok{};
}

}  // namespace slip
