#include <fmt/format.h>

#include "engine/ode/ode_formulation.h"

namespace slip {

void OdeFormulation::Report(const SolvedStep& step, StepReport* report) {
  const SolveSummary& s = step.solve;
  const bool quick = s.own.count > 1 && s.own.value[1] == 1;
  report->figures = {
      {.id = "iterations",
       .caption = "Sweeps",
       .value = static_cast<double>(s.iterations),
       .suffix = quick ? "all that it has" : "solved at once",
       .signal = "iterations"},
      {.id = "size",
       .caption = "Unknowns × rows",
       .value = static_cast<double>(s.system_size),
       .times = s.own.count > 0 ? s.own.value[0] : 0},
      {.id = "contacts",
       .caption = "Contacts",
       .value = static_cast<double>(s.contacts),
       .suffix = fmt::format("{} loaded", step.loaded)},
      BalanceFigure(s, "Contact equations"),
  };
  if (!s.converged) report->status = "ODE gave up the solve of some contacts.";
  report->remark = fmt::format("ODE {}: its own steps, with our contacts handed in", OdeVersion());
}

}  // namespace slip
