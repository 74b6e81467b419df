#include "app/cli/order_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/host/print.h"
#include "engine/run/study/reference_error.h"

namespace slip::app {

void OrderTable::Add(const SweepPlan& plan, std::size_t run, double error) {
  const std::string where = plan.Describe(run / plan.models(), "time_step");
  const std::string& model = plan.base.labels[run % plan.models()];
  auto line = std::find_if(lines_.begin(), lines_.end(), [&](const Line& each) {
    return each.where == where && each.model == model;
  });
  if (line == lines_.end()) line = lines_.insert(lines_.end(), {where, model, {}});
  line->errors.emplace_back(plan.ConfigOf(run).step.time_step, error);
}

std::string OrderTable::Table() const {
  const bool grid = std::any_of(lines_.begin(), lines_.end(),
                                [](const Line& each) { return !each.where.empty(); });
  std::vector<std::vector<std::string>> table = {
      {"where", "model", "finest step", "its error", "order", "holds from", "to"}};
  for (const Line& line : lines_) {
    std::vector<std::pair<double, double>> sorted = line.errors;
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> steps, errors;
    for (const auto& [step, error] : sorted) {
      steps.push_back(step);
      errors.push_back(error);
    }
    const auto fit = FitOrder(steps, errors);
    table.push_back(
        {line.where, line.model, Engineering(steps.front(), "s"),
         fmt::format("{:.3e} m", errors.front()), fit ? fmt::format("{:.2f}", fit->order) : "–",
         fit ? Engineering(fit->finest, "s") : "–", fit ? Engineering(fit->coarsest, "s") : "–"});
  }
  if (!grid)
    for (std::vector<std::string>& row : table) row.erase(row.begin());
  std::vector<bool> right(table.front().size(), true);
  right[0] = false;
  right[grid ? 1 : 0] = false;
  return FormatTable(table, right);
}

}  // namespace slip::app
