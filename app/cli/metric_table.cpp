#include "app/cli/metric_table.h"

#include <fmt/format.h>

#include "app/host/print.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

struct MetricColumn {
  const char* heading;
  Reduction reduction;
  Signal signal;
};

constexpr MetricColumn kColumns[] = {
    {"gap max", Reduction::kMax, Signal::kGlidingOffset},
    {"predicted", Reduction::kMax, Signal::kGlidingPredicted},
    {"gap last", Reduction::kLast, Signal::kGlidingOffset},
    {"slip last", Reduction::kLast, Signal::kSlipSpeed},
    {"penetration max", Reduction::kMax, Signal::kPenetration},
    {"f_n max", Reduction::kMax, Signal::kNormalForce},
    {"energy last", Reduction::kLast, Signal::kMechanicalEnergy},
    {"numerical loss", Reduction::kLast, Signal::kNumericalDissipation},
    {"iterations mean", Reduction::kMean, Signal::kIterations},
    {"max", Reduction::kMax, Signal::kIterations},
    {"condition max", Reduction::kMax, Signal::kConditionNumber},
};

}  // namespace

std::string FormatMetricTable(const RunPlan& plan, const std::vector<ChannelMetrics>& metrics,
                              const RunResult& result) {
  std::vector<std::vector<std::string>> rows(1);
  std::vector<bool> right;
  const auto heading = [&](const char* text) {
    rows[0].emplace_back(text);
    right.push_back(right.size() > 0);
  };
  heading("model");
  heading("time step");
  heading("steps");
  for (const MetricColumn& column : kColumns) heading(column.heading);
  heading("not converged");
  heading("wall per step");
  for (std::size_t c = 0; c < metrics.size(); ++c) {
    const ChannelMetrics& m = metrics[c];
    std::vector<std::string> row = {fmt::format("{}", fmt::join(plan.labels.AllOf(c), ", ")),
                                    Engineering(plan.configs[c].step.time_step, "s"),
                                    std::to_string(m.steps)};
    for (const MetricColumn& column : kColumns) {
      const std::optional<double> value = m.stats.Get(column.reduction, column.signal);
      const double shown = value.value_or(kNaN);
      row.push_back(Engineering(AboveNoise(column.signal, shown), Info(column.signal).unit));
    }
    row.push_back(std::to_string(result.channels[c].not_converged));
    row.push_back(Engineering(m.WallQuantile(0.5) * 1e-6, "s"));
    rows.push_back(std::move(row));
  }
  return FormatTable(rows, right);
}

}  // namespace slip::app
