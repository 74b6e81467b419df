#include <fmt/format.h>

#include <cmath>

#include "engine/integrators/implicit_euler.h"
#include "engine/integrators/integrator_formulation.h"

namespace slip {
namespace {

Figure Points(const SolvedStep& step, std::string suffix) {
  return {.id = "contacts",
          .caption = "Points",
          .value = static_cast<double>(step.solve.contacts),
          .suffix = std::move(suffix)};
}

/// Of a step that the guard of energy did not make at once.
std::string Pieces(const SolvedStep& step) {
  const int pieces = step.solve.anchors.pieces;
  if (pieces == 0) return {};
  return fmt::format("Made of {} shorter steps: as one it would have made energy", pieces);
}

}  // namespace

void IntegratorFormulation::Report(const SolvedStep& step, StepReport* report) {
  report->remark = Pieces(step);
  report->figures = {Points(step, "forces of the start")};
}

void Exponential::Report(const SolvedStep& step, StepReport* report) {
  const AnchorSummary& a = step.solve.anchors;
  report->remark = Pieces(step);
  const int order = a.order > 0 ? 6 * step.solve.contacts + 3 : 0;
  report->figures = {
      {.id = "norm",
       .caption = "1-norm",
       .value = a.norm,
       .suffix = fmt::format("raw {:.4g}", a.raw_norm),
       .counts = false,
       .tip = "Of the matrix whose exponential is taken, after and before balancing."},
      {.id = "order",
       .caption = "Padé order",
       .value = static_cast<double>(a.order),
       .suffix = fmt::format("{} squaring{}", a.squarings, a.squarings == 1 ? "" : "s")},
      {.id = "products",
       .caption = "Matrix products",
       .value = static_cast<double>(a.products),
       .suffix = fmt::format("of {0} × {0}", order)},
      {.id = "clipped",
       .caption = "Points",
       .value = static_cast<double>(step.solve.contacts),
       .suffix = fmt::format("{} clipped", a.clipped)},
      {.id = "guard",
       .caption = "Guard passes",
       .value = static_cast<double>(a.guard_passes),
       .suffix = "solved again"},
  };
}

void ImplicitEuler::Report(const SolvedStep& step, StepReport* report) {
  const SolveSummary& s = step.solve;
  report->remark = Pieces(step);
  report->tolerance = step.params.solver_tolerance;
  report->figures = {
      IterationsFigure(s, step.params, "Newton iterations"),
      BalanceFigure(s, "Residual"),
      Points(step, ""),
  };
}

}  // namespace slip
