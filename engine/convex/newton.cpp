#include "engine/convex/newton.h"

#include <cmath>
#include <limits>

namespace slip {
namespace {

constexpr double kAbsoluteTolerance = 1e-14;  // eps_a [sqrt(J)]
constexpr double kHopeless = 0.99;            // scaled residual that says nothing is gained
constexpr int kLong = 10;                     // iterations after which round-off is asked about
constexpr double kTinyStep = 1e-5;            // of alpha: three of them and the method is stuck
constexpr double kMaxAlpha = 1.5;             // of the exact search; CGM steps need no more than 1

// Largest feasible step: barriers end the line before the overlap.
double CapStep(const IslandSystem& system, const ContactWork* work, const Island& island,
               double alpha_max) {
  const ContactPasses& passes = system.passes();
  const auto feasible = [&](double alpha) {
    return passes.find_infeasible(system.frozen(island), work, island.contacts(), alpha) < 0;
  };
  if (!passes.barrier || feasible(alpha_max)) return alpha_max;
  double low = 0, high = alpha_max;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (feasible(middle) ? low : high) = middle;
  }
  return 0.99 * low;
}

// The line just searched, sampled on the true cost.
template <class Along>
SearchLine SampleLine(const LinePoint& here, double alpha, double feasible, Along&& along) {
  SearchLine line;
  line.cost = here.cost;
  line.slope = here.slope;
  line.alpha = alpha;
  line.chosen_rise = along(alpha).cost - here.cost;
  line.noise = 1e-14 * std::abs(here.cost);
  line.rise.reserve(SearchLine::kPoints);
  for (int i = 0; i < SearchLine::kPoints; ++i) {
    const double at = SearchLine::AlphaAt(i);
    line.rise.push_back(at <= feasible ? along(at).cost - here.cost
                                       : std::numeric_limits<double>::quiet_NaN());
  }
  return line;
}

void EvaluateContacts(IslandSystem* s, const Island& island, bool dual) {
  const ContactPasses& passes = s->passes();
  (dual ? passes.evaluate_dual : passes.evaluate)(s->frozen(island), s->work(island),
                                                  island.contacts());
}

// The rest of an evaluation: what follows from the contacts' values.
IslandPoint GatherPoint(IslandSystem* s, const Island& island) {
  const ContactWork* work = s->work(island);
  const int count = island.contacts();
  s->CalcImpulseSum(island, &s->JTg);
  const double scalars = s->AddScalars(island, &s->JTg);

  IslandPoint point;
  const Eigen::Index begin = island.row_begin, rows = island.rows();
  auto delta = s->delta.segment(begin, rows);
  delta = s->v.segment(begin, rows) - s->v_star.segment(begin, rows);
  s->ApplyA(island, s->delta, &s->A_delta);
  double residual = 0, impulse = 0, momentum = 0, cost_A = 0;
  for (Eigen::Index i = begin; i < begin + rows; ++i) {
    const double A_delta = s->A_delta[i], JTg = s->JTg[i], D = s->D[i];
    s->grad[i] = A_delta - JTg;
    cost_A += s->delta[i] * A_delta;
    const double r = s->grad[i] * D, g = JTg * D, p = (A_delta + s->Av_star[i]) * D;
    residual += r * r;
    impulse += g * g;
    momentum += p * p;
  }
  point.cost_A = 0.5 * cost_A;
  point.cost = point.cost_A;
  for (int i = 0; i < count; ++i) point.cost += work[i].value.cost;
  point.cost += scalars;
  point.residual = std::sqrt(residual);
  point.impulse = std::sqrt(impulse);
  point.momentum = std::sqrt(momentum);
  point.finite =
      std::isfinite(point.residual) && std::isfinite(point.cost) && std::isfinite(point.scale());
  return point;
}

// What the last bit of the contact velocities does to the residual: stiff contacts that slip fast
// and carry little can get no nearer.
double CalcRoundOff(IslandSystem* s, const Island& island) {
  constexpr double kBits = 8 * std::numeric_limits<double>::epsilon();
  const ContactWork* work = s->work(island);
  double sum = s->ScalarRoundOff(island);
  for (int i = 0; i < island.contacts(); ++i) {
    const ContactWork& w = work[i];
    const double stiffness = w.Visit([&]<int kSlip>() { return w.hessian<kSlip>().norm(); });
    const double impulse = kBits * stiffness * w.speed();
    sum += impulse * impulse * w.w;
  }
  return std::sqrt(sum);
}

}  // namespace

IslandPoint EvaluateIsland(IslandSystem* s, const Island& island, bool dual) {
  EvaluateContacts(s, island, dual);
  return GatherPoint(s, island);
}

NewtonEnd RunNewton(IslandSystem* s, const Island& island, const SolverSettings& settings,
                    const NewtonOptions& options, IslandRecord* record, IslandPoint* point) {
  const ContactPasses& passes = s->passes();
  ContactWork* work = s->work(island);
  const void* frozen = s->frozen(island);
  const int count = island.contacts();
  const Eigen::Index begin = island.row_begin, rows = island.rows();
  auto dv = s->dv.segment(begin, rows);
  const auto grad = s->grad.segment(begin, rows);
  double previous_cost = 0, previous_residual = 0, last_alpha = 0;
  bool at_floor = false;  // the last step promised less decrease than the cost's round-off
  int short_steps = 0, tiny_steps = 0;
  bool evaluated = false;  // the line search has been here and left the contacts' values
  for (int iteration = 0;; ++iteration) {
    if (IsStopped(settings.stop)) return NewtonEnd::kStopped;
    if (!evaluated) {
      EvaluateContacts(s, island, options.dual);
    }
    *point = GatherPoint(s, island);
    if (!point->finite) return NewtonEnd::kNotFinite;

    // scaled convergence test, and the round-off floor of the cost
    const double cost = point->cost, residual = point->residual;
    const bool small = residual <= kAbsoluteTolerance + settings.tolerance * point->scale();
    // near the end v is known to half the digits of l only: CGM goes on while the residual falls
    const bool falling = residual < 0.5 * previous_residual;
    const bool level = std::abs(cost - previous_cost) <
                       1e-30 + 1e-15 * 0.5 * (std::abs(cost) + std::abs(previous_cost));
    const bool stalled = iteration > 0 && last_alpha > 0.5 && point->relative() < kLostResidual &&
                         ((level && !(options.dual && falling)) || (at_floor && !falling));
    record->converged = small || stalled ||
                        (iteration >= kLong && point->relative() < kLostResidual &&
                         residual < CalcRoundOff(s, island));
    // the exact direction has no lower point: nor will the next one have, from the same place
    const bool stuck = iteration > 0 && last_alpha == 0 && !options.dual;
    const bool slow = (options.leave_when_slow && short_steps >= 2) ||
                      (options.leave_when_stuck && tiny_steps >= 3) || stuck ||
                      (iteration >= options.hopeless_after && point->relative() > kHopeless);
    if (record->converged || slow || iteration >= options.iterations) {
      IterationRecord* last = record->Append();
      if (last != nullptr) *last = {cost, point->relative(), 0, 0};
      if (!record->converged && last != nullptr) --record->recorded;  // another method goes on
      return record->converged ? NewtonEnd::kConverged
             : slow            ? NewtonEnd::kLeft
                               : NewtonEnd::kLimit;
    }
    IterationRecord* entry = record->Append();
    if (entry != nullptr) *entry = {cost, point->relative(), 0, 0};
    previous_cost = cost;
    previous_residual = residual;

    // Newton direction
    s->Assemble(island, iteration == 0);
    const bool factored = s->FactorizeShifted(island, &record->helped);
    if (factored) {
      dv = -grad;
      s->Solve(island, s->dv.data());
    }
    double slope = factored ? grad.dot(dv) : 0;
    if (!factored || !(slope < 0)) {
      // round-off, unless l has no minimum at all
      if (!s->HasDefiniteInertia(island)) return NewtonEnd::kFactorizationFailed;
      record->helped = true;
      const auto D = s->D.segment(begin, rows);
      dv = -grad.cwiseProduct(D).cwiseProduct(D);
      slope = grad.dot(dv);  // minus the residual squared
    }
    s->ApplyA(island, s->dv, &s->A_dv);
    s->CalcContactSteps(island);

    // step length on the true cost
    const double alpha_max = CapStep(*s, work, island, options.dual ? 1.0 : kMaxAlpha);
    const double dv_A_dv = dv.dot(s->A_dv.segment(begin, rows));
    const double dv_A_delta = s->A_dv.segment(begin, rows).dot(s->delta.segment(begin, rows));
    // the dual takes the full step, whatever part of it the velocity takes
    if (options.dual) passes.update_dual(frozen, work, count);
    double reached = 0;  // v_c is that of v + reached dv
    const auto inertia = [&](double alpha) {
      LinePoint at{point->cost_A + alpha * dv_A_delta + 0.5 * alpha * alpha * dv_A_dv,
                   dv_A_delta + alpha * dv_A_dv, dv_A_dv};
      s->AddScalarsAlong(island, alpha, &at);
      return at;
    };
    const auto look = [&](double alpha) {
      LinePoint at = inertia(alpha);
      passes.add_along(frozen, work, count, alpha - reached, &at);
      return at;
    };
    const auto along = [&](double alpha) {
      if (alpha != 1 || reached == 1 || passes.barrier) return look(alpha);
      // a full step is what most end with: the values serve the next iteration
      for (int i = 0; i < count; ++i) work[i].Advance(1);
      reached = 1;
      EvaluateContacts(s, island, options.dual);
      LinePoint at = inertia(alpha);
      for (int i = 0; i < count; ++i) {
        const ContactWork& w = work[i];
        at.cost += w.value.cost;
        w.Visit([&]<int kSlip>() {
          const auto& d = w.step<kSlip>();
          at.slope -= d.dot(w.impulse<kSlip>());
          at.curvature += d.dot(w.hessian<kSlip>() * d);
        });
      }
      return at;
    };
    const LinePoint here{cost, slope, -slope};
    const LineSearchResult line = settings.backtracking
                                      ? BacktrackingLineSearch(here, alpha_max, along)
                                  : options.dual ? LooseLineSearch(here, alpha_max, along)
                                                 : ExactLineSearch(here, alpha_max, along);
    if (options.trace && entry != nullptr) {
      const double feasible = CapStep(*s, work, island, SearchLine::kLastAlpha);
      record->lines.push_back(SampleLine(here, line.alpha, feasible, look));
      record->lines.back().iteration = record->recorded - 1;
    }
    last_alpha = line.alpha;
    at_floor = line.evaluations == 0;
    if (line.alpha < 0.5) ++short_steps;
    if (line.alpha < kTinyStep) ++tiny_steps;
    s->v.segment(begin, rows) += line.alpha * dv;
    evaluated = reached == 1 && line.alpha == 1;
    if (!evaluated) {
      for (int i = 0; i < count; ++i) work[i].Advance(line.alpha - reached);
    }
    if (entry != nullptr) {
      entry->alpha = line.alpha;
      entry->line_search_iterations = line.evaluations;
    }
    record->line_search_iterations += line.evaluations;
    ++record->iterations;
  }
}

}  // namespace slip
