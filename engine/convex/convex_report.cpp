#include <fmt/format.h>

#include "engine/convex/convex_formulation.h"

namespace slip {

void ConvexFormulation::Report(const SolvedStep& step, StepReport* report) {
  const SolveSummary& s = step.solve;
  const auto plural = [](int count, const char* one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
  };
  report->figures = {
      IterationsFigure(s, step.params),
      {.id = "condition",
       .caption = "Condition κ",
       .value = s.condition_number,
       .suffix = fmt::format("raw {:.4g}", s.condition_number_raw),
       .counts = false,
       .signal = "condition_number",
       .tip = "Of the step's Hessian, scaled to unit inertia; measured in every step. It jumps "
              "where a motor comes to its torque limit or a contact opens: their stiffness leaves "
              "the Hessian."},
      {.id = "size",
       .caption = "System",
       .value = static_cast<double>(s.system_size),
       .suffix = plural(s.islands, "island"),
       .times = static_cast<double>(s.system_size)},
      {.id = "contacts",
       .caption = "Contacts",
       .value = static_cast<double>(s.contacts),
       .suffix = plural(3 * s.contacts, "row")},
      {.id = "search",
       .caption = "Line search",
       .value = static_cast<double>(s.line_search_iterations),
       .suffix = s.line_search_iterations == 1 ? "evaluation" : "evaluations"},
      BalanceFigure(s, "Momentum residual"),
  };
  report->tolerance = step.params.solver_tolerance;
  report->has_search_lines = true;
}

}  // namespace slip
