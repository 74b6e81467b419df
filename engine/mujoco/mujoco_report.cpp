#include <fmt/format.h>

#include "engine/mujoco/mujoco_formulation.h"

namespace slip {

void MujocoFormulation::Report(const SolvedStep& step, StepReport* report) {
  const SolveSummary& s = step.solve;
  report->figures = {
      IterationsFigure(s, step.params),
      {.id = "size",
       .caption = "Unknowns × rows",
       .value = static_cast<double>(s.system_size),
       .times = s.own.count > 0 ? s.own.value[0] : 0},
      {.id = "contacts",
       .caption = "Contacts",
       .value = static_cast<double>(s.contacts),
       .suffix = fmt::format("{} loaded", step.loaded)},
      BalanceFigure(s, "Momentum residual"),
  };
  report->remark =
      fmt::format("MuJoCo {}: its own steps, with our contacts handed in", MujocoVersion());
}

}  // namespace slip
