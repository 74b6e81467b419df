#include <fmt/format.h>

#include "engine/quasi_dynamic/quasi_dynamic.h"
#include "engine/quasi_dynamic/quasi_dynamic_params.h"
#include "engine/solver/convex_qp.h"

namespace slip {

void QuasiDynamic::Report(const SolvedStep& step, StepReport* report) {
  const SolveSummary& s = step.solve;
  const auto status = static_cast<QpStatus>(s.program.status);
  if (s.program.rows > 0 && status != QpStatus::kSolved) report->status = Describe(status);
  report->figures = {
      IterationsFigure(s, step.params),
      {.id = "size",
       .caption = "Unknowns × rows",
       .value = static_cast<double>(s.system_size),
       .times = static_cast<double>(s.program.rows)},
      {.id = "contacts",
       .caption = "Contacts",
       .value = static_cast<double>(s.contacts),
       .suffix = fmt::format("{} loaded", step.loaded)},
      {.id = "checked", .caption = "Distances", .value = s.program.checked, .suffix = "checked"},
      {.id = "condition",
       .caption = "Condition κ",
       .value = s.condition_number,
       .suffix = "at least",
       .counts = false,
       .signal = "condition_number"},
      BalanceFigure(s, "Force residual"),
  };
  report->remark =
      "Quasi-dynamic: every step starts from rest. There is no momentum; a lift at speed v costs "
      "an extra drag of m·v/δt";
  report->tolerance = step.params.part<QuasiDynamicParams>().qp_tolerance;
  report->residual_unit = "scaled";
  report->ends_with_result = true;
}

}  // namespace slip
