// The driver: which method solves which island, and what is reported of it.
#include "engine/formulation/convex.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/contact/contact_models.h"
#include "engine/formulation/condition.h"
#include "engine/formulation/cone_interior_point.h"
#include "engine/formulation/config.h"
#include "engine/formulation/newton.h"

namespace slip {
static_assert(kListedContactModels == kContactModelCount, "a model id without a case");

namespace {

// When the first method hands over to the next (iterations).
constexpr int kSharpPatience = 8;  // Similar: the interior point needs about ten from anywhere
constexpr int kConePatience = 30;  // SAP and its relatives: CGM hardly ever needs more
constexpr int kLastPatience = 50;  // barrier laws: plain Newton is the last resort
// Where the interior point begins to pay for known contacts too, for steps of 1 to 10 ms [m/s].
constexpr double kMovingSpeed = 0.3;
// CGM after an interior point: a few iterations, but for stiffness beyond 1e10 N/m.
constexpr int kPolish = 30;

bool Failed(NewtonEnd end) {
  return end == NewtonEnd::kNotFinite || end == NewtonEnd::kFactorizationFailed;
}

}  // namespace

struct ConvexSolver::Impl {
  IslandSystem system;
  ConeInteriorPoint interior_point;
  ConditionEstimator condition;
  IslandRecord islands[2];  // the hardest so far, and the one at work
  VectorX best;
  MatrixX hessian;
  int culprit = -1;
  bool exact_hessians = false;  // the contacts still hold the exact ones of the solution
  int fallbacks = 0;            // islands of this solve that came to plain Newton
  bool tracing = false;

  // Contact velocities at v0 or, where a barrier refuses it, at rest (which keeps every positive
  // distance).
  bool FeasibleStart(const Island& island) {
    const Eigen::Index begin = island.row_begin, rows = island.rows();
    const auto infeasible = [&] {
      system.CalcContactVelocities(island);
      if (!system.passes().barrier) return -1;
      ContactWork* work = system.work(island);
      for (int i = 0; i < island.contacts(); ++i) work[i].dv_c.setZero();
      return system.passes().find_infeasible(system.frozen(island), work, island.contacts(), 0);
    };
    system.v.segment(begin, rows) = system.v0.segment(begin, rows);
    for (int i = 0; i < island.contacts(); ++i) system.work(island)[i].q.setZero();
    if (infeasible() < 0) return true;
    system.v.segment(begin, rows).setZero();
    const int at = infeasible();
    if (at >= 0) culprit = system.contact(island.contact_begin + at);
    return at < 0;
  }

  bool IsWarm(const ContactProblem& problem, const Island& island) const {
    for (int i = island.contact_begin; i < island.contact_end; ++i) {
      if (!problem.contacts[static_cast<std::size_t>(system.contact(i))].warm) return false;
    }
    return true;
  }

  // Some contact has the speed of a fall: its slip direction will turn, and the guess is far.
  bool IsMoving(const Island& island) {
    const ContactWork* work = system.work(island);
    return std::any_of(work, work + island.contacts(),
                       [](const ContactWork& w) { return w.v_c.norm() > kMovingSpeed; });
  }

  NewtonEnd SolvePlain(const ContactProblem& problem, const Island& island, IslandRecord* record,
                       IslandPoint* point) {
    const NewtonOptions options{
        .dual = false, .iterations = problem.max_iterations - record->iterations, .trace = tracing};
    return RunNewton(&system, island, problem, options, record, point);
  }

  // The interior point and its polish, from system.v.
  NewtonEnd SolveInterior(const ContactProblem& problem, const Island& island, double gap_factor,
                          double best_cost, IslandRecord* record, IslandPoint* point) {
    interior_point.Run(&system, island, gap_factor, best_cost,
                       problem.max_iterations - record->iterations, record);
    if (!system.v.segment(island.row_begin, island.rows()).allFinite())
      return NewtonEnd::kNotFinite;
    system.CalcContactVelocities(island);
    const int left = problem.max_iterations - record->iterations;
    return RunNewton(
        &system, island, problem,
        {.leave_when_stuck = true, .iterations = std::min(kPolish, left), .trace = tracing}, record,
        point);
  }

  NewtonEnd SolveAuto(const ContactProblem& problem, const Island& island, IslandRecord* record,
                      IslandPoint* point) {
    const ContactPasses& passes = system.passes();
    const int all = problem.max_iterations;
    int patience = passes.sharp ? kSharpPatience : kConePatience;
    // without an interior point CGM goes on: where it is slow, plain Newton is slower
    if (!passes.conic) patience = passes.barrier ? kLastPatience : all;
    // a single body is too small to need more than plain Newton
    const bool single = island.trees() == 1;
    const bool warm = !single && IsWarm(problem, island);
    const bool interior_first =
        passes.conic && passes.sharp && !single && (!warm || IsMoving(island));
    if (interior_first) patience = 0;
    NewtonEnd end = RunNewton(&system, island, problem,
                              {.dual = !single,
                               .primal_start = warm,
                               .leave_when_slow = passes.conic && passes.sharp,
                               .iterations = std::min(patience, all),
                               .trace = tracing},
                              record, point);
    exact_hessians = exact_hessians && single && end == NewtonEnd::kConverged;
    if (end == NewtonEnd::kConverged || Failed(end) || record->iterations >= all) return end;

    auto v = system.v.segment(island.row_begin, island.rows());
    best.resize(system.v.size());
    auto best_v = best.segment(island.row_begin, island.rows());
    best_v = v;
    double best_cost = point->cost;
    if (passes.conic) {
      for (const double gap_factor : {1.0, 1e-3}) {
        end = SolveInterior(problem, island, gap_factor, best_cost, record, point);
        if (end == NewtonEnd::kConverged) return end;
        if (!Failed(end) && point->cost < best_cost) {
          best_v = v;
          best_cost = point->cost;
        }
        v = best_v;
        system.CalcContactVelocities(island);
        if (record->iterations >= all) break;
      }
    }
    if (record->iterations < all) ++fallbacks;
    return SolvePlain(problem, island, record, point);
  }

  // The first contact, in the problem's order, whose impulse is not finite.
  void FindCulprit(const Island& island) {
    const ContactWork* work = system.work(island);
    for (int i = 0; i < island.contacts(); ++i) {
      const int contact = system.contact(island.contact_begin + i);
      if (!work[i].value.gamma.allFinite() && (culprit < 0 || contact < culprit)) culprit = contact;
    }
  }

  // The Hessian of l at the solution: not the one of the last iteration, whose slip directions are
  // dual.
  void AssembleExact() {
    const Island& whole = system.whole();
    if (!exact_hessians)
      system.passes().evaluate(system.frozen(whole), system.work(whole), whole.contacts());
    system.Assemble(whole, true);
  }

  SolveStatus Solve(ContactProblem* problem, const ContactPasses& passes, SolveTrace* trace);
};

SolveStatus ConvexSolver::Impl::Solve(ContactProblem* problem, const ContactPasses& passes,
                                      SolveTrace* trace) {
  ContactProblem& p = *problem;
  culprit = -1;
  fallbacks = 0;
  tracing = trace != nullptr;
  exact_hessians = true;
  p.record = SolveRecord{};
  SolveRecord& record = p.record;
  record.system_size = p.nv;
  record.contacts = static_cast<int>(p.contacts.size());
  system.Load(p, passes);
  if (!system.v_star.allFinite()) return SolveStatus::kNotFinite;
  if (p.v.size() != p.nv) p.v.resize(p.nv);

  const bool plain = p.solver == static_cast<int>(SolverId::kPlain) && !p.contacts.empty();
  const std::size_t parts = plain ? 1 : system.islands().size();
  double residual = 0, momentum = 0, impulse = 0;
  int hardest = 0;  // of `islands`
  Island hardest_island;
  islands[0].Clear();
  for (std::size_t part = 0; part < parts; ++part) {
    const Island& island = plain ? system.whole() : system.islands()[part];
    const Eigen::Index begin = island.row_begin, rows = island.rows();
    if (island.contacts() == 0) {
      system.v.segment(begin, rows) = system.v_star.segment(begin, rows);
      const double norm =
          system.Av_star.segment(begin, rows).cwiseProduct(system.D.segment(begin, rows)).norm();
      momentum += norm * norm;
      continue;
    }
    ++record.islands;
    record.largest_island = std::max(record.largest_island, island.trees());
    if (!FeasibleStart(island)) return SolveStatus::kInfeasible;
    IslandRecord* own = &islands[1 - hardest];
    own->Clear();
    IslandPoint point;
    const NewtonEnd end =
        plain ? SolvePlain(p, island, own, &point) : SolveAuto(p, island, own, &point);
    if (end == NewtonEnd::kNotFinite) {
      FindCulprit(island);
      return SolveStatus::kNotFinite;
    }
    if (end == NewtonEnd::kFactorizationFailed) return SolveStatus::kFactorizationFailed;
    record.converged = record.converged && own->converged;
    record.fallback = record.fallback || own->helped;
    record.cost += point.cost;
    residual += point.residual * point.residual;
    momentum += point.momentum * point.momentum;
    impulse += point.impulse * point.impulse;
    record.equivalent_iterations +=
        own->iterations * static_cast<double>(rows) / static_cast<double>(p.nv);
    if (own->iterations > islands[hardest].iterations || islands[hardest].recorded == 0) {
      hardest = 1 - hardest;
      hardest_island = island;
    }
  }
  record.fallbacks = fallbacks;
  if (!p.contacts.empty()) {
    const double scale = std::sqrt(std::max(momentum, impulse));
    record.momentum_residual = scale > 0 ? std::sqrt(residual) / scale : std::sqrt(residual);
    record.inverse_dynamics_residual = impulse > 0 ? std::sqrt(residual / impulse) : 0;
    const IslandRecord& hard = islands[hardest];
    record.iterations = hard.iterations;
    record.interior_point_iterations = hard.interior_point_iterations;
    record.line_search_iterations = hard.line_search_iterations;
    record.recorded = hard.recorded;
    std::copy(hard.history.begin(), hard.history.begin() + hard.recorded, record.history.begin());
    // back to the constants of the laws' own potentials
    const double total = passes.cost_offset(system.frozen(system.whole()), record.contacts);
    const double offset =
        hardest_island.contacts() == record.contacts
            ? total
            : passes.cost_offset(system.frozen(hardest_island), hardest_island.contacts());
    record.cost += total;
    for (int i = 0; i < record.recorded; ++i) {
      record.history[static_cast<std::size_t>(i)].cost += offset;
    }
    if (trace != nullptr) {
      trace->lines = hard.lines;
      for (SearchLine& line : trace->lines) line.cost += offset;
    }
  }
  system.Store(&p);
  if (!p.v.allFinite()) return SolveStatus::kNotFinite;
  if (p.estimate_condition) {
    AssembleExact();
    condition.Compute(&system, &record.condition_number, &record.condition_number_raw);
  }
  return record.converged ? SolveStatus::kConverged : SolveStatus::kIterationLimit;
}

ConvexSolver::ConvexSolver() : impl_(std::make_unique<Impl>()) {}
ConvexSolver::~ConvexSolver() = default;
ConvexSolver::ConvexSolver(ConvexSolver&&) noexcept = default;
ConvexSolver& ConvexSolver::operator=(ConvexSolver&&) noexcept = default;

SolveStatus ConvexSolver::Solve(ContactProblem* problem, SolveTrace* trace) {
  return VisitContactModel(problem->contact_model, problem->normal_law, [&]<class M, class L>() {
    static constexpr ContactPasses kPasses = MakePasses<M, L>();
    return impl_->Solve(problem, kPasses, trace);
  });
}

int ConvexSolver::culprit() const { return impl_->culprit; }

const MatrixX& ConvexSolver::hessian() const {
  impl_->AssembleExact();
  ConditionEstimator::ToDense(&impl_->system, &impl_->hessian);
  return impl_->hessian;
}

namespace {

// Stiffness that the clamp of a cone projection leaves [N/m].
double ClampedStiffness(const ConeProjection::Frozen& frozen, const ContactStart& start) {
  return 1 / (start.h * frozen.lift_time * frozen.Rn);
}

}  // namespace

ContactResponse CalcResponse(const ContactProblem& problem, const ContactStart& start,
                             const ContactLoad& load, double phi, double vn) {
  return VisitContactModel(problem.contact_model, problem.normal_law, [&]<class M, class L>() {
    const auto frozen = M::Freeze(problem.params, start);
    ContactResponse out;
    out.prediction = M::Predict(frozen, start, load);
    const double x = Positive(-phi);
    if constexpr (std::is_base_of_v<ConeProjection, M>) {
      const double k = ClampedStiffness(frozen, start);
      out.elastic_energy = 0.5 * k * x * x;
      // across a gap the linear law pulls while its damper pushes: only their sum acts
      out.damping_force = Positive(k * (-phi - (frozen.lift_time - start.h) * vn)) - k * x;
    } else {
      out.elastic_energy = L::Energy(start.law, -phi);
      out.damping_force = L::Force(start.law, -phi, -vn) - L::Force(start.law, -phi, 0.0);
    }
    return out;
  });
}

double CalcElasticEnergy(const ContactProblem& problem, const ContactStart& start, double phi) {
  return VisitContactModel(problem.contact_model, problem.normal_law, [&]<class M, class L>() {
    if constexpr (std::is_base_of_v<ConeProjection, M>) {
      const double x = Positive(-phi);
      return 0.5 * ClampedStiffness(M::Freeze(problem.params, start), start) * x * x;
    } else {
      return L::Energy(start.law, -phi);
    }
  });
}

}  // namespace slip
