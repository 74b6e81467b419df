#include "app/cli/metric_table.h"

#include <fmt/format.h>

#include "app/host/print.h"
#include "engine/core/numbers.h"
#include "engine/run/study/foreign_channels.h"

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

/// A second table: what lies between recorded runs and channels.
std::string FormatDifferences(const Model& model, const std::vector<ChannelMetrics>& metrics) {
  std::vector<std::vector<std::string>> rows = {{"recorded run", "beside", "samples",
                                                 "position RMS", "angle RMS", "1 mm apart at",
                                                 "net force max", "rounding", "given - needed"}};
  for (const ChannelMetrics& m : metrics) {
    if (m.foreign == nullptr) continue;
    const ForeignForces& forces = m.foreign->forces;
    for (const auto& [label, difference] : m.foreign->differences) {
      std::string apart = Engineering(difference.apart, "s");
      if (difference.apart_body >= 0 && model.bodies.size() > 1)
        apart += " (" + model.body(difference.apart_body).name + ")";
      rows.push_back({m.foreign->name, label, std::to_string(difference.samples),
                      Engineering(difference.position_rms, "m"),
                      Engineering(difference.angle_rms, "rad"), std::move(apart),
                      Engineering(forces.net_max, "N"), Engineering(forces.band, "N"),
                      Engineering(forces.defect_max, "N")});
    }
  }
  if (rows.size() == 1) return {};
  const std::vector<bool> right = {false, false, true, true, true, true, true, true, true};
  return "\n" + FormatTable(rows, right);
}

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
  return FormatTable(rows, right) + FormatDifferences(*plan.scene->model, metrics);
}

}  // namespace slip::app
