#include "engine/convex/coupled_newton.h"

#include <cmath>

#include "engine/convex/newton_line.h"

namespace slip {
namespace {

constexpr double kAbsoluteTolerance = 1e-14;  // [sqrt(J)]
// A cycle: near, and no tenth better for so many iterations.
constexpr double kNearResidual = 0.1, kBetter = 0.9;
constexpr int kPatience = 6;
// The line search: slopes that are flat enough at once, and later; how far from the ends to look.
constexpr double kFlatAtOnce = 1e-3, kFlatEnough = 0.1, kEnds = 0.05;
constexpr int kMostEvaluations = 60;

void Refresh(CoupledSystem* c) { c->system().CalcContactVelocities(c->island()); }

void KeepBest(CoupledSystem* c, const IslandPoint& point, CoupledBest* best) {
  if (best == nullptr || !(point.relative() < best->relative)) return;
  RowsOf(c->island(), best->v) = RowsOf(c->island(), c->system().v());
  best->relative = point.relative();
}

// A root of the work in (0, high), high where it is `at_high` > 0.
double FindFlat(const CoupledSystem& c, const LinePoint& inertia, double at_zero, double high,
                double at_high, int* evaluations) {
  double low = 0, at_low = at_zero, alpha = high;
  while (*evaluations < kMostEvaluations) {
    const double width = high - low;
    alpha = low + width * (-at_low / (at_high - at_low));
    alpha = std::clamp(alpha, low + kEnds * width, high - kEnds * width);
    const double work = c.WorkAlong(inertia, alpha);
    ++*evaluations;
    if (std::abs(work) <= kFlatEnough * std::abs(at_zero)) break;
    (work < 0 ? low : high) = alpha;
    (work < 0 ? at_low : at_high) = work;
  }
  return alpha;
}

// Goes along dv by the work on the way; returns how far.
double GoAlong(CoupledSystem* c, const IslandPoint& here, VectorX* start, int* evaluations) {
  IslandSystem& s = c->system();
  const Island& island = c->island();
  const double most = CapStep(&s, island, 1);
  const LinePoint inertia = s.CalcInertiaLine(island, here.cost_A);
  const double at_zero = c->WorkAlong(inertia, 0), at_most = c->WorkAlong(inertia, most);
  *evaluations = 2;
  auto v = RowsOf(island, s.v());
  RowsOf(island, *start) = v;
  s.Advance(island, most);
  if (at_zero >= 0 || at_most <= 0 || std::abs(at_most) <= kFlatAtOnce * std::abs(at_zero))
    return most;
  Refresh(c);
  ++*evaluations;
  if (c->Look({.exact = false}).residual <= 0.5 * here.residual) return most;
  v = RowsOf(island, *start);
  Refresh(c);
  s.CalcContactSteps(island);
  const double alpha = FindFlat(*c, inertia, at_zero, most, at_most, evaluations);
  s.Advance(island, alpha);
  return alpha;
}

}  // namespace

bool IsSolved(const IslandPoint& point, double tolerance) {
  return point.residual <= kAbsoluteTolerance + tolerance * point.scale();
}

CoupledEnd RunCoupledNewton(CoupledSystem* c, const CoupledRun& run, IslandPoint* point) {
  IslandSystem& s = c->system();
  const Island& island = c->island();
  double lowest = kInfinity;
  int idle = 0;
  for (int iteration = 0;; ++iteration) {
    if (IsStopped(run.stop)) return CoupledEnd::kStopped;
    Refresh(c);
    *point = c->Look({.exact = false});
    if (!point->finite) return CoupledEnd::kLeft;
    IterationRecord* entry = run.record->Append();
    if (entry != nullptr) *entry = {point->cost, point->relative(), 0, 0};
    KeepBest(c, *point, run.best);
    if (IsSolved(*point, run.tolerance)) return CoupledEnd::kConverged;
    const double relative = point->relative();
    idle = relative < kBetter * lowest ? 0 : idle + 1;
    if (idle == 0) lowest = relative;
    if (lowest < kNearResidual && idle >= kPatience) return CoupledEnd::kLeft;
    if (iteration >= run.iterations || c->factorizations >= run.budget) return CoupledEnd::kLeft;
    if (!c->FindStep(iteration == 0, &run.record->helped)) return CoupledEnd::kLeft;
    ++run.record->iterations;
    // the dual takes the full step, whatever part of it the velocity takes
    s.passes().update_dual(s.frozen(island), s.work(island), island.contacts());
    int evaluations = 0;
    const double alpha = GoAlong(c, *point, &run.best->start, &evaluations);
    run.record->line_search_iterations += evaluations;
    if (entry == nullptr) continue;
    entry->alpha = alpha;
    entry->line_search_iterations = evaluations;
  }
}

CoupledEnd Probe(CoupledSystem* c, const CoupledRun& run, IslandPoint* point) {
  IslandSystem& s = c->system();
  const Island& island = c->island();
  for (int iteration = 0;; ++iteration) {
    if (IsStopped(run.stop)) return CoupledEnd::kStopped;
    Refresh(c);
    const IslandPoint next = c->Look({});
    if (!next.finite) return CoupledEnd::kLeft;
    KeepBest(c, next, run.best);
    const bool halved = iteration == 0 || next.residual <= 0.5 * point->residual;
    if (iteration == 0 || next.residual < point->residual) *point = next;
    if (IsSolved(next, run.tolerance)) return CoupledEnd::kConverged;
    if (!halved || iteration >= run.iterations || c->factorizations >= run.budget)
      return CoupledEnd::kLeft;
    if (!c->FindStep(iteration == 0, &run.record->helped)) return CoupledEnd::kLeft;
    ++run.record->iterations;
    s.Advance(island, CapStep(&s, island, 1));
  }
}

}  // namespace slip
