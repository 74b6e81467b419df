// Writing contact problems, and overriding their parameters.
#include "engine/contact/contact_models.h"
#include "engine/convex/problem_file.h"
#include "engine/core/json_writer.h"
#include "engine/method/config.h"

namespace slip {

void WriteSolution(const ContactProblem& problem, JsonWriter* json) {
  json->Key("v").BeginList();
  for (const ContactProblem::Tree& tree : problem.trees) {
    json->BeginList();
    for (int i = 0; i < tree.nv; ++i) json->Number(problem.v[tree.start + i]);
    json->EndList();
  }
  json->EndList().Key("impulses").BeginList();
  for (const ContactProblem::Contact& contact : problem.contacts) {
    json->BeginList();
    for (int i = 0; i < 3; ++i) json->Number(contact.gamma[i]);
    json->EndList();
  }
  json->EndList()
      .Integer("iterations", problem.record.iterations)
      .Number("cost", problem.record.cost)
      .Number("momentum_residual", problem.record.momentum_residual);
}

std::string FormatProblem(const ContactProblem& problem) {
  JsonWriter json;
  json.BeginObject().Text("schema", kProblemSchema);
  json.Text("model", kContactModelIds[static_cast<std::size_t>(problem.contact_model)]);
  json.Text("normal_law", NormalLawIds()[static_cast<std::size_t>(problem.normal_law)]);
  json.Number("time_step", problem.h);
  json.Number("stiction_tolerance", problem.params.stiction_tolerance);
  json.Number("friction_regularization", problem.params.sigma);
  json.Number("near_rigid", problem.params.beta).Number("todorov_alpha", problem.params.alpha);
  if (!problem.contacts.empty()) {
    json.Number("barrier_stiffness", problem.contacts[0].start.law.kappa);
    json.Number("barrier_distance", problem.contacts[0].start.law.dh);
  }
  json.Number("solver_tolerance", problem.tolerance)
      .Integer("max_iterations", problem.max_iterations);
  json.Text("line_search", problem.backtracking ? "backtracking" : "exact");
  json.Text("solver", problem.solver == 1 ? "plain" : "auto");
  json.Key("trees").BeginList(false);
  for (const ContactProblem::Tree& tree : problem.trees) {
    json.BeginObject().Integer("nv", tree.nv);
    json.Numbers("A", problem.A.data() + tree.A_offset, tree.nv * tree.nv);
    json.Numbers("v0", problem.v0.data() + tree.start, tree.nv);
    json.Numbers("v_star", problem.v_star.data() + tree.start, tree.nv).EndObject();
  }
  json.EndList().Key("contacts").BeginList(false);
  const auto size = [&](int tree) {
    return tree < 0 ? 0 : 3 * problem.trees[static_cast<std::size_t>(tree)].nv;
  };
  for (const ContactProblem::Contact& contact : problem.contacts) {
    const ContactStart& start = contact.start;
    json.BeginObject().Integer("tree_a", contact.tree_a).Integer("tree_b", contact.tree_b);
    json.Numbers("J_a", problem.J.data() + contact.J_a, size(contact.tree_a));
    json.Numbers("J_b", problem.J.data() + contact.J_b, size(contact.tree_b));
    json.Numbers("bias", contact.bias.data(), 3);
    json.Number("signed_distance", start.phi0).Number("vn0", start.vn0);
    json.Number("stiffness", start.law.k).Number("hertz_stiffness", start.law.k_hertz);
    json.Number("dissipation", start.law.d).Number("relaxation_time", start.law.tau);
    json.Number("friction", start.mu).Number("delassus", start.w).EndObject();
  }
  json.EndList().Key("solution").BeginObject();
  WriteSolution(problem, &json);
  json.EndObject().EndObject();
  return json.Take();
}

Status ApplyProblemAssignment(ContactProblem* problem, std::string_view assignment) {
  // A Config with one material lends its table: names, units, ranges, suggestions.
  Config config;
  config.materials.emplace_back().name = "NAME";  // as the list of parameters has it
  if (Status status = ApplyAssignment(&config, assignment); !status) return status;
  const std::string_view path = assignment.substr(0, assignment.find('='));
  const StepParams& step = config.step;
  const Material& material = config.materials[0];
  const auto all = [&](const auto& set) {
    for (ContactProblem::Contact& contact : problem->contacts) set(&contact.start);
  };
  const std::string_view name =
      path.substr(path.rfind('.') == std::string_view::npos ? 0 : path.rfind('.') + 1);
  if (name == "time_step") {
    problem->h = step.time_step;
    all([&](ContactStart* s) { s->h = step.time_step; });
  } else if (name == kMethodParam) {
    problem->contact_model = Info(config.method()).contact_model;
  } else if (name == "normal_law") {
    problem->normal_law = step.normal_law;
  } else if (name == "stiction_tolerance") {
    problem->params.stiction_tolerance = step.stiction_tolerance;
  } else if (name == "friction_regularization") {
    problem->params.sigma = step.friction_regularization;
  } else if (name == "near_rigid") {
    problem->params.beta = step.near_rigid;
  } else if (name == "todorov_alpha") {
    problem->params.alpha = step.todorov_alpha;
  } else if (name == "solver_tolerance") {
    problem->tolerance = step.solver_tolerance;
  } else if (name == "max_iterations") {
    problem->max_iterations = step.max_iterations;
  } else if (name == "line_search") {
    problem->backtracking = step.line_search == 1;
  } else if (name == "solver") {
    problem->solver = step.solver;
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
