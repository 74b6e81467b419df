#include "engine/convex/newton.h"

#include <cmath>
#include <limits>
#include <optional>

#include "engine/convex/newton_line.h"
#include "engine/convex/stopping_test.h"

namespace slip {
namespace {

constexpr double kMaxAlpha = 1.5;  // of the exact search; CGM steps need no more than 1

// -H^-1 grad to system->dv, or the scaled gradient's direction; its slope, none where l has no
// minimum.
std::optional<double> FindDescent(IslandSystem* s, const Island& island, bool renew, bool* helped) {
  auto dv = RowsOf(island, s->dv());
  const auto grad = RowsOf(island, s->grad());
  s->Assemble(island, renew);
  if (s->hessian().FactorizeShifted(island, helped)) {
    dv = -grad;
    s->hessian().Solve(island, s->dv().data());
    const double slope = grad.dot(dv);
    if (slope < 0) return slope;
  }
  // round-off, unless l has no minimum at all
  if (!s->hessian().HasDefiniteInertia(island)) return std::nullopt;
  *helped = true;
  const auto D = RowsOf(island, s->numbers().D());
  dv = -grad.cwiseProduct(D).cwiseProduct(D);
  return grad.dot(dv);  // minus the residual squared
}

// Step length on the true cost.
LineSearchResult Search(NewtonLine* line, const SolverSettings& settings, bool dual) {
  const double alpha_max = line->CapStep(dual ? 1.0 : kMaxAlpha);
  const auto at = [line](double alpha) {
    return alpha == 1 && line->MayTakeFull() ? line->TakeFull() : line->Look(alpha);
  };
  if (settings.backtracking) return BacktrackingLineSearch(line->start(), alpha_max, at);
  if (dual) return LooseLineSearch(line->start(), alpha_max, at);
  return ExactLineSearch(line->start(), alpha_max, at);
}

NewtonEnd EndOf(Verdict verdict) {
  if (IsConverged(verdict)) return NewtonEnd::kConverged;
  return verdict == Verdict::kLimit ? NewtonEnd::kLimit : NewtonEnd::kLeft;
}

}  // namespace

void EvaluateContacts(IslandSystem* s, const Island& island, bool dual) {
  const ContactPasses& passes = s->passes();
  (dual ? passes.evaluate_dual : passes.evaluate)(s->frozen(island), s->work(island),
                                                  island.contacts());
}

IslandPoint GatherPoint(IslandSystem* s, const Island& island) {
  const ContactWork* work = s->work(island);
  s->CalcImpulseSum(island);
  const double scalars = s->AddScalars(island);
  IslandPoint point{s->CalcBalance(island)};
  point.cost = point.cost_A;
  for (int i = 0; i < island.contacts(); ++i) point.cost += work[i].value.cost;
  point.cost += scalars;
  point.finite =
      std::isfinite(point.residual) && std::isfinite(point.cost) && std::isfinite(point.scale());
  return point;
}

double CalcRoundOff(IslandSystem* s, const Island& island) {
  constexpr double kBits = 8 * std::numeric_limits<double>::epsilon();
  const ContactWork* work = s->work(island);
  double sum = s->numbers().ScalarRoundOff(island, s->v());
  for (int i = 0; i < island.contacts(); ++i) {
    const ContactWork& w = work[i];
    const double stiffness = w.Visit([&]<int kSlip>() { return w.hessian<kSlip>().norm(); });
    const double impulse = kBits * stiffness * w.speed();
    sum += impulse * impulse * w.w;
  }
  return std::sqrt(sum);
}

NewtonEnd RunNewton(IslandSystem* s, const Island& island, const SolverSettings& settings,
                    const NewtonOptions& options, IslandRecord* record, IslandPoint* point) {
  StoppingTest test(settings.tolerance, options);
  LineSearchResult step;
  bool evaluated = false;  // the last step has left the contacts' values
  for (int iteration = 0;; ++iteration) {
    if (IsStopped(settings.stop)) return NewtonEnd::kStopped;
    if (!evaluated) EvaluateContacts(s, island, options.dual);
    *point = GatherPoint(s, island);
    if (!point->finite) return NewtonEnd::kNotFinite;

    const Verdict verdict = test.Look(*point, step, [&] { return CalcRoundOff(s, island); });
    record->converged = IsConverged(verdict);
    IterationRecord* entry = record->Append();
    if (entry != nullptr) *entry = {point->cost, point->relative(), 0, 0};
    if (verdict != Verdict::kGoOn) {
      if (!record->converged && entry != nullptr) --record->recorded;  // another method goes on
      return EndOf(verdict);
    }

    const auto slope = FindDescent(s, island, iteration == 0, &record->helped);
    if (!slope.has_value()) return NewtonEnd::kFactorizationFailed;
    s->CalcContactSteps(island);
    // the dual takes the full step, whatever part of it the velocity takes
    if (options.dual)
      s->passes().update_dual(s->frozen(island), s->work(island), island.contacts());

    NewtonLine line(s, island, *point, *slope, options.dual);
    step = Search(&line, settings, options.dual);
    if (options.trace && entry != nullptr) {
      record->lines.push_back(line.Sample(step.alpha));
      record->lines.back().iteration = record->recorded - 1;
    }
    evaluated = line.Take(step.alpha);
    if (entry != nullptr) {
      entry->alpha = step.alpha;
      entry->line_search_iterations = step.evaluations;
    }
    record->line_search_iterations += step.evaluations;
    ++record->iterations;
  }
}

}  // namespace slip
