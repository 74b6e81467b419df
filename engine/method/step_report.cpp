#include "engine/method/step_report.h"

#include <fmt/format.h>

namespace slip {

Figure IterationsFigure(const SolveSummary& solve, const StepParams& params,
                        std::string_view caption) {
  return {.id = "iterations",
          .caption = caption,
          .value = static_cast<double>(solve.iterations),
          .suffix = solve.iterations <= params.max_iterations
                        ? fmt::format("of {}", params.max_iterations)
                        : "in several attempts",
          .signal = "iterations"};
}

Figure BalanceFigure(const SolveSummary& solve, std::string_view caption) {
  return {.id = "balance",
          .caption = caption,
          .value = solve.momentum_residual,
          .suffix = "relative",
          .counts = false,
          .signal = "momentum_residual"};
}

}  // namespace slip
