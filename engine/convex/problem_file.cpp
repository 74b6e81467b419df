// Reading contact problems.
#include "engine/convex/problem_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "engine/contact/contact_models.h"
#include "engine/convex/convex_params.h"
#include "engine/convex/inverse_inertia.h"
#include "engine/core/json_document.h"
#include "engine/core/numbers.h"
#include "engine/core/param_text.h"
#include "engine/core/text_file.h"
#include "engine/method/config.h"
#include "engine/solver/dense_factor.h"

namespace slip {
namespace {

constexpr TextFileKind kProblemFile{
    .name = "contact problem", .most_bytes = 256 * kMebibyte, .from_shell = true};
constexpr int kMaxTreeSize = 1000;
constexpr double kLargestDelassus = 1e20;  // [1/kg]

void ReadTrees(const Json& list, ContactTask* task, JsonChecker* check) {
  std::vector<double> v0, v_star;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string where = "trees[" + std::to_string(i) + "]";
    const Json& json = list[i];
    if (!check->Object(json, where)) continue;
    check->Known(json, where, {"nv", "A", "v0", "v_star"});
    const double size = check->Number(json, where, "nv", 1, kMaxTreeSize);
    const int nv = static_cast<int>(size);
    if (static_cast<double>(nv) != size) check->Add(where + ".nv must be a whole number");
    if (!check->empty()) continue;  // it says how long the lists are
    std::vector<double> A = check->Numbers(json, where, "A", nv * nv);
    const std::vector<double> a = check->Numbers(json, where, "v0", nv);
    const std::vector<double> b = check->Numbers(json, where, "v_star", nv);
    if (!check->empty()) continue;
    if (!MakeInertia(nv, &A)) check->Add(where + ".A must be symmetric and positive definite");
    const ContactTask::Tree& tree = At(task->trees, task->AddTree(nv));
    std::copy(A.begin(), A.end(), task->A.begin() + tree.A_offset);
    v0.insert(v0.end(), a.begin(), a.end());
    v_star.insert(v_star.end(), b.begin(), b.end());
  }
  task->Resize();
  task->v0 = Eigen::Map<const VectorX>(v0.data(), static_cast<Eigen::Index>(v0.size()));
  task->v_star = Eigen::Map<const VectorX>(v_star.data(), static_cast<Eigen::Index>(v_star.size()));
}

void ReadContacts(const Json& list, ContactTask* task, JsonChecker* check) {
  const int trees = static_cast<int>(task->trees.size());
  InverseInertia inverse;
  inverse.Update(*task);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string where = "contacts[" + std::to_string(i) + "]";
    const Json& json = list[i];
    if (!check->Object(json, where)) continue;
    check->Known(json, where,
                 {"tree_a", "tree_b", "J_a", "J_b", "bias", "signed_distance", "vn0", "stiffness",
                  "hertz_stiffness", "dissipation", "relaxation_time", "friction",
                  "torsional_friction", "delassus"});
    const int a = static_cast<int>(check->Number(json, where, "tree_a", -1, trees - 1));
    const int b = static_cast<int>(check->Number(json, where, "tree_b", -1, trees - 1));
    if ((a < 0 && b < 0) || a == b) {
      check->Add(where + " must join two different trees, at most one of them the world (-1)");
      continue;
    }
    // torsion has a fourth row
    const double mu_w = check->Number(json, where, "torsional_friction", 0, 1e6, 0.0);
    const int rows = mu_w > 0 ? 4 : 3;
    const auto jacobian = [&](const char* key, int tree) {
      const int nv = tree < 0 ? 0 : At(task->trees, tree).nv;
      return check->Numbers(json, where, key, rows * nv);
    };
    const std::vector<double> J_a = jacobian("J_a", a), J_b = jacobian("J_b", b);
    const std::vector<double> bias = check->Numbers(json, where, "bias", 3);
    if (!check->empty()) continue;
    ContactTask::Contact& contact = task->AddContact(a, b, -1, rows);
    std::copy(J_a.begin(), J_a.end(), task->J.begin() + contact.J_a);
    std::copy(J_b.begin(), J_b.end(), task->J.begin() + contact.J_b);
    contact.bias = Vec3(bias[0], bias[1], bias[2]);
    ContactStart& start = contact.start;
    start.h = task->h;
    start.phi0 = check->Number(json, where, "signed_distance", -1e9, 1e9);
    start.vn0 = check->Number(json, where, "vn0", -1e9, 1e9, 0.0);
    start.law.k = check->Number(json, where, "stiffness", 0, 1e20);
    start.law.k_hertz = check->Number(json, where, "hertz_stiffness", 0, 1e20, 0.0);
    start.law.d = check->Number(json, where, "dissipation", 0, 1e9, 0.0);
    start.law.tau = check->Number(json, where, "relaxation_time", 0, 1e9, 0.0);
    start.mu = check->Number(json, where, "friction", 0, 1e6);
    start.mu_w = mu_w;
    if (mu_w > 0 && start.mu == 0)
      check->Add(where + ".friction must be > 0 where torsional_friction is");
    const double own = inverse.CalcDelassus(contact);
    start.w = check->Number(json, where, "delassus", 0, kLargestDelassus, own);
    if (!(start.w > 0)) check->Add(where + ".delassus must be > 0: the contact moves nothing");
    if (!(start.w <= kLargestDelassus)) {
      check->Add(where + ".delassus must be <= " + FormatNumber(kLargestDelassus) + " (found " +
                 FormatNumber(start.w) + ": A is too small for J)");
    }
  }
}

void ReadSolution(const Json& json, ProblemFile* file, JsonChecker* check) {
  if (!check->Object(json, "solution")) return;
  check->Known(json, "solution",
               {"v", "impulses", "iterations", "cost", "momentum_residual", "median_us", "min_us"});
  const auto v = json.find("v");
  const auto impulses = json.find("impulses");
  const ContactTask& task = file->problem.task;
  if (v == json.end() || !v->is_array() || v->size() != task.trees.size() ||
      impulses == json.end() || !impulses->is_array() || impulses->size() != task.contacts.size()) {
    check->Add("solution must hold v, one list per tree, and impulses, one list per contact");
    return;
  }
  ContactSolution& solution = file->problem.solution;
  solution.v.setZero(task.nv);
  for (std::size_t t = 0; t < task.trees.size(); ++t) {
    const Json wrapped = {{"v", (*v)[t]}};
    const std::vector<double> part = check->Numbers(wrapped, "solution", "v", task.trees[t].nv);
    if (!check->empty()) return;
    for (int i = 0; i < task.trees[t].nv; ++i) solution.v[task.trees[t].start + i] = At(part, i);
  }
  for (std::size_t i = 0; i < impulses->size(); ++i) {
    const int rows = task.contacts[i].rows;
    const Json wrapped = {{"impulses", (*impulses)[i]}};
    const std::vector<double> g = check->Numbers(wrapped, "solution", "impulses", rows);
    if (!check->empty()) return;
    solution.impulses.emplace_back(g[0], g[1], g[2]);
    if (task.spinning) solution.spin_impulses.push_back(rows == 4 ? g[3] : 0);
  }
  file->has_solution = true;
}

int FindId(std::span<const std::string_view> ids, const std::string& word, const std::string& what,
           JsonChecker* check) {
  if (word.empty()) return 0;  // said already: no text
  const auto at = std::find(ids.begin(), ids.end(), word);
  if (at != ids.end()) return static_cast<int>(at - ids.begin());
  check->Add("no " + what + " '" + word.substr(0, 60) + "'", DidYouMean(word, ids));
  return 0;
}

void ReadDocument(const Json& json, ProblemFile* file, JsonChecker* check) {
  if (!check->Object(json, "the document")) return;
  // first: what is of another kind has nothing else that could be right
  const auto schema = json.find("schema");
  if (schema == json.end() || *schema != kProblemSchema) {
    const std::string found = schema == json.end() ? "there is none"
                              : schema->is_string()
                                  ? "found \"" + schema->get<std::string>().substr(0, 60) + "\""
                                  : "found no text";
    check->Add(
        fmt::format("is no contact problem: schema must be \"{}\" ({})", kProblemSchema, found));
    return;
  }
  check->Known(json, "the problem",
               {"schema", "model", "normal_law", "time_step", "stiction_tolerance",
                "friction_regularization", "near_rigid", "todorov_alpha", "barrier_stiffness",
                "barrier_distance", "solver_tolerance", "max_iterations", "line_search", "solver",
                "trees", "contacts", "solution"});
  ContactTask& task = file->problem.task;
  SolverSettings& settings = file->problem.settings;
  const CommonParams common;
  const ConvexParams defaults;
  task.model.contact_model =
      FindId(kContactModelIds, check->Text(json, "problem", "model"), "model", check);
  if (json.contains("normal_law")) {
    task.model.normal_law =
        FindId(kNormalLawIds, check->Text(json, "problem", "normal_law"), "normal law", check);
  }
  task.h = check->Number(json, "problem", "time_step", 1e-12, 1e3);
  ModelParams& params = task.model.params;
  params.stiction_tolerance =
      check->Number(json, "problem", "stiction_tolerance", 1e-15, 1e3, defaults.stiction_tolerance);
  params.sigma = check->Number(json, "problem", "friction_regularization", 1e-15, 1e3,
                               defaults.friction_regularization);
  params.beta = check->Number(json, "problem", "near_rigid", 0, 1e3, defaults.near_rigid);
  params.alpha = check->Number(json, "problem", "todorov_alpha", 1e-9, 1e3, defaults.todorov_alpha);
  settings.tolerance =
      check->Number(json, "problem", "solver_tolerance", 1e-16, 1, common.solver_tolerance);
  settings.max_iterations =
      static_cast<int>(check->Number(json, "problem", "max_iterations", 1, 1e5, 100.0));
  settings.backtracking = json.value("line_search", Json("exact")) == "backtracking";
  settings.solver =
      json.value("solver", Json("auto")) == "plain" ? SolverId::kPlain : SolverId::kAuto;
  const double kappa =
      check->Number(json, "problem", "barrier_stiffness", 0, 1e20, defaults.barrier_stiffness);
  const double distance =
      check->Number(json, "problem", "barrier_distance", 0, 1e3, defaults.barrier_distance);
  for (const char* key : {"trees", "contacts"}) {
    if (!json.contains(key) || !json[key].is_array())
      check->Add(std::string(key) + " must be a list");
  }
  if (!check->empty()) return;
  ReadTrees(json["trees"], &task, check);
  if (json["trees"].empty()) check->Add("trees must not be empty");
  if (!check->empty()) return;
  ReadContacts(json["contacts"], &task, check);
  for (ContactTask::Contact& contact : task.contacts) {
    contact.start.law.kappa = kappa;
    contact.start.law.dh = distance;
  }
  if (check->empty() && json.contains("solution")) ReadSolution(json["solution"], file, check);
}

}  // namespace

bool MakeInertia(int n, std::vector<double>* A) {
  constexpr double kAsymmetry = 1e-9;
  const auto at = [&](int r, int c) -> double& { return At(*A, r * n + c); };
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < r; ++c) {
      double &low = at(r, c), &high = at(c, r);
      const double scale = std::sqrt(at(r, r)) * std::sqrt(at(c, c));
      if (!(std::abs(low - high) <= kAsymmetry * scale)) return false;
      if (low != high) low = high = 0.5 * (low + high);
    }
  }
  std::vector<double> pivots = *A;
  return IsPositiveDefinite(n, n, pivots.data());
}

Result<ProblemFile> ReadProblemText(std::string_view text, const std::string& name) {
  JsonChecker check(name);
  if (const Status size = CheckTextSize(text.size(), name, kProblemFile); !size.ok())
    return size.errors();
  return ReadJson<ProblemFile>(text, name, kProblemFile,
                               [&](const Json& json) -> Result<ProblemFile> {
                                 ProblemFile file;
                                 ReadDocument(json, &file, &check);
                                 if (!check.empty()) return check.errors();
                                 return file;
                               });
}

Result<ProblemFile> ReadProblem(const std::string& path) {
  const Result<std::string> text = ReadTextFile(path, kProblemFile);
  if (!text) return text.errors();
  return ReadProblemText(*text, path);
}

}  // namespace slip
