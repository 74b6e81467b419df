#include "engine/fclib/rigid_limit.h"

#include <algorithm>
#include <cmath>

#include "engine/contact/contact_models.h"
#include "engine/contact/coulomb_distance.h"
#include "engine/convex/inverse_inertia.h"
#include "engine/core/numbers.h"
#include "engine/method/methods.h"

namespace slip {
namespace {

/// Compliance, in shares of what the contact's own inertia would give way to the same impulse.
constexpr double kCompliance = 1e-6;
/// Stiction tolerance, in shares of the fastest contact's velocity without contact.
constexpr double kStiction = 1e-6;
/// The same of a pass, in shares of the one before: sharper at once, and Newton's method loses its
/// way between the corners.
constexpr double kSharper = 0.3;
constexpr int kMostPasses = 12;

/// Rows (t1, t2, n, spin) of a contact's Jacobian times v, or its transpose times an impulse.
template <class Fn>
void ForEachEntry(const ContactTask& task, const ContactTask::Contact& c, Fn&& fn) {
  if (c.tree_a >= 0) {
    const ContactTask::Tree& tree = At(task.trees, c.tree_a);
    for (int r = 0; r < c.rows; ++r)
      for (int k = 0; k < tree.nv; ++k) fn(r, tree.start + k, At(task.J, c.J_a + r * tree.nv + k));
  }
  if (c.tree_b < 0) return;
  const ContactTask::Tree& tree = At(task.trees, c.tree_b);
  std::vector<double> rows(static_cast<std::size_t>(c.rows * tree.nv));
  task.GetRows(c, 0, c.rows, rows.data());
  for (int r = 0; r < c.rows; ++r)
    for (int k = 0; k < tree.nv; ++k) fn(r, tree.start + k, At(rows, r * tree.nv + k));
}

using Vec4 = Eigen::Vector4d;

Vec4 CalcVelocity(const ContactTask& task, const ContactTask::Contact& c, const VectorX& v) {
  Vec4 u(c.bias.x(), c.bias.y(), c.bias.z(), 0);
  ForEachEntry(task, c, [&](int r, int k, double x) { u[r] += x * v[k]; });
  return u;
}

/// The task as the next pass sees it: what each contact gave way under these impulses is taken off
/// its velocity, so that at the same impulses nothing gives way.
void TakeBack(const ContactTask& task, const ContactSolution& solution, ContactTask* shifted) {
  const double v_s = shifted->model.params.stiction_tolerance;
  for (std::size_t i = 0; i < task.contacts.size(); ++i) {
    const ContactTask::Contact& own = task.contacts[i];
    const Vec3& gamma = solution.impulses[i];
    const double bound = own.start.mu * gamma.z(), friction = gamma.head<2>().norm();
    Vec3 gives(0, 0, -kCompliance * own.start.w * gamma.z());
    // what sticks creeps at v_s s/√(1 − s²), s its share of the bound
    const double share = bound > 0 ? friction / bound : 1;
    if (share < kSlipShare && friction > 0)
      gives.head<2>() = -(v_s * share / std::sqrt(1 - share * share) / friction) * gamma.head<2>();
    shifted->contacts[i].bias = own.bias + gives;
  }
  shifted->v0 = solution.v;
}

bool IsAnswer(SolveStatus status) {
  return status == SolveStatus::kConverged || status == SolveStatus::kIterationLimit;
}

}  // namespace

void SetRigidLimit(ContactTask* task) {
  double fastest = 0;
  for (const ContactTask::Contact& c : task->contacts)
    fastest = std::max(fastest, CalcVelocity(*task, c, task->v_star).norm());
  task->model.normal_law = static_cast<int>(NormalLawId::kHuntCrossley);
  task->model.params.stiction_tolerance = kStiction * (fastest > 0 ? fastest : 1);
  for (ContactTask::Contact& c : task->contacts) {
    c.start.h = task->h;
    c.start.phi0 = c.start.vn0 = 0;
    c.start.law = {};
    c.start.law.k = 1 / (kCompliance * task->h * task->h * c.start.w);
    c.start.law.d = 0;
    c.start.law.tau = 0;
  }
}

SolveStatus SolveRigid(const ContactTask& task, SolverSettings settings, double tolerance,
                       ConvexSolver* solver, ContactSolution* solution) {
  const bool coupled = At(kContactModels, task.model.contact_model).traits.coupled;
  // what is left of the equations is seen in the natural map ten times as large
  if (coupled) settings.tolerance = std::min(settings.tolerance, 0.1 * tolerance);
  SolveStatus status = solver->Solve(task, settings, solution);
  if (!coupled || !IsAnswer(status)) return status;
  ContactTask shifted = task;
  ContactSolution next = *solution;
  double least = CalcNcpResidual(task, next, {}).natural_map;
  int iterations = next.record.iterations;
  for (int pass = 1; pass < kMostPasses && least > tolerance; ++pass) {
    shifted.model.params.stiction_tolerance *= kSharper;
    TakeBack(task, next, &shifted);
    const SolveStatus again = solver->Solve(shifted, settings, &next);
    iterations += next.record.iterations;
    const double found = IsAnswer(again) ? CalcNcpResidual(task, next, {}).natural_map : kInfinity;
    if (!(found < least)) break;
    *solution = next;
    status = again;
    least = found;
  }
  solution->record.iterations = iterations;
  return least <= tolerance ? status : SolveStatus::kIterationLimit;
}

std::vector<double> CalcLawVelocities(const ContactTask& task, const ContactSolution& solution) {
  std::vector<double> v_law;
  for (std::size_t i = 0; i < task.contacts.size(); ++i) {
    const ContactStart& start = task.contacts[i].start;
    v_law.push_back(VisitContactModel(
        task.model.contact_model, task.model.normal_law, [&]<class M, class Law>() {
          return CalcLawVelocity<M, Law>(start, solution.impulses[i].z() / start.h);
        }));
  }
  return v_law;
}

NcpResidual CalcNcpResidual(const ContactTask& task, const ContactSolution& solution,
                            std::span<const double> v_law) {
  // the velocities that these impulses make: momentum holds, and all that is wrong is seen here
  VectorX v = VectorX::Zero(task.nv);
  for (std::size_t i = 0; i < task.contacts.size(); ++i) {
    const ContactTask::Contact& c = task.contacts[i];
    const Vec3& g = solution.impulses[i];
    const double spin = solution.spin_impulses.empty() ? 0 : solution.spin_impulses[i];
    const Vec4 gamma(g.x(), g.y(), g.z(), spin);
    ForEachEntry(task, c, [&](int r, int k, double x) { v[k] += x * gamma[r]; });
  }
  InverseInertia inverse;
  inverse.Update(task);
  for (std::size_t t = 0; t < task.trees.size(); ++t)
    inverse.Solve(static_cast<int>(t), v.data() + task.trees[t].start);
  v += task.v_star;
  double natural = 0, alart = 0, scale = 0, motion = 0;
  for (std::size_t i = 0; i < task.contacts.size(); ++i) {
    const ContactTask::Contact& c = task.contacts[i];
    const ContactStart& s = c.start;
    const Vec4 v_c = CalcVelocity(task, c, v);
    const bool spins = c.spins();
    const Vec3 u(v_c.x(), v_c.y(), spins ? s.rho() * v_c.w() : 0);
    const double un = v_c.z() - (v_law.empty() ? 0 : v_law[i]);
    const Vec3& g = solution.impulses[i];
    const Vec3 gu(g.x(), g.y(), spins ? solution.spin_impulses[i] / s.rho() : 0);
    const auto add = [&](double* sum, const Vec3& off_u, double off_n) {
      *sum += s.w * (off_u.squaredNorm() + off_n * off_n);
    };
    const ConePoint p =
        ProjectOnFrictionCone(s.mu, gu - u / s.w, g.z() - (un + s.mu * u.norm()) / s.w);
    add(&natural, gu - p.u, g.z() - p.n);
    const double load = std::max(0.0, g.z() - un / s.w);
    const Vec3 wanted = gu - u / s.w;
    const double most = s.mu * load, size = wanted.norm();
    add(&alart, gu - (size > most ? (most / size) * wanted : wanted), g.z() - load);
    add(&scale, gu, g.z());
    motion += (u.squaredNorm() + un * un) / s.w;
  }
  if (scale == 0) scale = motion;
  if (scale == 0) return {};
  return {std::sqrt(natural / scale), std::sqrt(alart / scale)};
}

}  // namespace slip
