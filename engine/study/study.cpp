// The columns of a study's tables, and how expressions find them.
#include "engine/study/study.h"

#include <algorithm>

#include "engine/core/param_text.h"
#include "engine/sim/part_signals.h"
#include "engine/study/study_tables.h"

namespace slip {
namespace {

std::string Named(const std::string& name) { return "'" + name.substr(0, 60) + "'"; }

bool Has(const std::vector<StudyColumn>& columns, std::string_view name) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const StudyColumn& column) { return column.name == name; });
}

Error NoColumn(const StudyRun& run, const std::string& column) {
  std::vector<std::string> names;
  for (const SweepAxis& axis : run.plan.axes) names.push_back(axis.path);
  for (const auto& columns : {run.Columns(), run.SampleColumns()})
    for (const StudyColumn& each : columns) names.push_back(each.name);
  const std::vector<std::string_view> known(names.begin(), names.end());
  return {.message = "the run " + run.id + " has no column " + Named(column),
          .hint = DidYouMean(column, known)};
}

std::optional<Error> ResolveFilter(const StudyRun& run, bool samples, ColumnFilter* filter) {
  const auto axis = std::find_if(run.plan.axes.begin(), run.plan.axes.end(),
                                 [&](const SweepAxis& each) { return each.path == filter->name; });
  Result<double> number = 0.0;
  if (axis != run.plan.axes.end()) {
    number = ParseValue(*axis->info, filter->text);
  } else if (samples && filter->name == "time") {
    number = ParseQuantity(filter->text, "s");
  } else {
    return NoAxis(run, filter->name);
  }
  if (!number) return number.error();
  filter->number = *number;
  return std::nullopt;
}

}  // namespace

Error NoRun(const std::vector<StudyRun>& runs, const std::string& id) {
  std::vector<std::string_view> ids;
  for (const StudyRun& each : runs) ids.push_back(each.id);
  return {.message = "no run " + Named(id), .hint = DidYouMean(id, ids)};
}

Error NoAxis(const StudyRun& run, const std::string& name) {
  std::vector<std::string_view> paths;
  for (const SweepAxis& axis : run.plan.axes) paths.push_back(axis.path);
  return {.message = "the run " + run.id + " has no axis " + Named(name),
          .hint = paths.empty() ? "" : DidYouMean(name, paths)};
}

std::vector<StudyColumn> StudyRun::Columns() const {
  if (suite != nullptr) return SuiteColumns();
  std::vector<StudyColumn> columns = {
      {"failed", "", "1: the run ended early; its numbers are nan."},
      {"steps", "", "Steps that were made."},
      {"not_converged_steps", "", "Steps that did not meet the tolerance."}};
  for (const SweepFormula& formula : plan.formulas)
    columns.push_back({formula.path, std::string(formula.info->unit), "Follows from others."});
  for (const StudyMetric& metric : metrics) {
    std::string what;
    if (metric.of) what = metric.of->text();
    if (metric.median) what = "median of " + NameOf(*plan.base.scene->model, *metric.median);
    columns.push_back({metric.name, metric.unit, what, metric.is_wall});
  }
  if (reference) {
    columns.push_back({"error", "", "From the reference run: root of the mean square."});
    for (const Signal signal : reference->signals) {
      const std::string name = NameOf(*plan.base.scene->model, signal);
      columns.push_back({"error_" + name, std::string(Info(signal).unit), "Its part of " + name});
    }
  }
  if (plan.local_error) {
    columns.push_back({"local_error_mean", "", "Error after a tick from the truth's state, mean."});
    columns.push_back({"local_error_max", "", "Error after a tick from the truth's state, most."});
    columns.push_back({"real_time_factor", "", "Simulated time over wall time.", true});
  }
  if (foretell) {
    columns.push_back({"foretold_error", "N", "Largest difference of a foretold normal force."});
    columns.push_back({"foretold_most", "N", "Largest normal force where it was foretold."});
  }
  if (plan.largest) {
    columns.push_back({plan.largest->column, std::string(plan.largest->info->unit),
                       "Largest value, to 5 %, at which the run is stable."});
    columns.back().name = "largest";
  }
  columns.push_back({"wall_us_median", "", "Wall time per step.", true});
  return columns;
}

std::vector<StudyColumn> StudyRun::SuiteColumns() {
  return {{"failed", "", "1: no answer, as the run ended early."},
          {"law", "", "The answer that physics knows."},
          {"value", "", "The method's."},
          {"own", "", "What the method's own law makes of it; nan = nobody says."},
          {"off", "", "Difference of value and law, over what it may be for a right answer."},
          {"right", "", "1: within that."},
          {"predicted", "", "1: off by what its own law says."},
          {"known", "", "1: neither, and the suite says why."},
          {"wrong", "", "1: neither."},
          {"asked", "", "0: the question is none for this method."}};
}

std::vector<StudyColumn> StudyRun::SampleColumns() const {
  std::vector<StudyColumn> columns;
  if (series.empty()) return columns;
  columns.push_back({"time", "s", "End of the step."});
  for (const Signal signal : series) {
    const SignalInfo& info = Info(signal);
    columns.push_back({NameOf(*plan.base.scene->model, signal), std::string(info.unit),
                       std::string(info.doc), info.is_wall});
  }
  if (foretell)
    columns.push_back({"foretold_normal_force", "N", "Sum of normal forces that was foretold."});
  return columns;
}

bool StudyRun::HasColumn(std::string_view name) const {
  const bool axis = std::any_of(plan.axes.begin(), plan.axes.end(),
                                [&](const SweepAxis& each) { return each.path == name; });
  return axis || Has(Columns(), name);
}

bool StudyRun::HasSampleColumn(std::string_view name) const { return Has(SampleColumns(), name); }

const StudyRun* Study::FindRun(std::string_view wanted) const {
  const auto at =
      std::find_if(runs.begin(), runs.end(), [&](const StudyRun& run) { return run.id == wanted; });
  return at == runs.end() ? nullptr : &*at;
}

std::size_t Study::cells() const {
  std::size_t count = 0;
  for (const StudyRun& run : runs) count += run.cells();
  return count;
}

std::optional<Error> ResolveColumn(const std::vector<StudyRun>& runs, ColumnRef* column) {
  const auto run = std::find_if(runs.begin(), runs.end(),
                                [&](const StudyRun& each) { return each.id == column->run; });
  if (run == runs.end()) return NoRun(runs, column->run);
  const bool samples = run->HasSampleColumn(column->column);
  if (!samples && !run->HasColumn(column->column)) return NoColumn(*run, column->column);
  const ChannelLabels& labels = run->plan.base.labels;
  for (const std::string& model : column->models) {
    bool found = false;
    for (std::size_t m = 0; m < run->plan.models(); ++m) found = found || labels[m] == model;
    if (found) continue;
    std::vector<std::string_view> known;
    for (std::size_t m = 0; m < run->plan.models(); ++m) known.push_back(labels[m]);
    return Error{.message = "the run " + run->id + " has no model " + Named(model),
                 .hint = DidYouMean(model, known)};
  }
  for (ColumnFilter& filter : column->filters)
    if (std::optional<Error> error = ResolveFilter(*run, samples, &filter)) return error;
  return std::nullopt;
}

}  // namespace slip
