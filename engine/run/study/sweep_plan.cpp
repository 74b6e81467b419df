#include "engine/run/study/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/core/param_text.h"
#include "engine/run/record/recorder_columns.h"
#include "engine/run/study/plan_check.h"
#include "engine/run/study/reference_error.h"

namespace slip {
namespace {

constexpr std::string_view kTimeStep = "time_step";

/// Two axes that set the same value somewhere: the later would silently win.
bool Overlap(const std::string& a, const std::string& b, const ParamInfo& info) {
  return a == info.name || b == info.name || a == b;
}
bool Overlap(const SweepAxis& a, const SweepAxis& b) {
  return a.info == b.info && Overlap(a.path, b.path, *a.info);
}

/// Whether a formula reads what another one sets.
bool Reads(const SweepFormula& reader, const SweepFormula& writer, const Config& config) {
  const auto reads = [&](const std::string& path) {
    return Overlap(path, writer.path, *writer.info) && reader.value.ReadsParameter(path);
  };
  if (reads(std::string(writer.info->name))) return true;
  const std::vector<ParamEntry> entries = ListParams(config);
  return std::any_of(entries.begin(), entries.end(), [&](const ParamEntry& entry) {
    return entry.info == writer.info && reads(entry.path);
  });
}

}  // namespace

std::size_t SweepPlan::points() const {
  std::size_t count = 1;
  for (const SweepAxis& axis : axes) count *= axis.beside ? 1 : axis.values.size();
  return count;
}

std::vector<std::size_t> SweepPlan::ShardPoints() const {
  std::vector<std::size_t> chosen;
  const std::size_t end = points();
  for (std::size_t point = static_cast<std::size_t>(shard.index - 1); point < end;
       point += static_cast<std::size_t>(shard.count)) {
    chosen.push_back(point);
  }
  return chosen;
}

std::vector<double> SweepPlan::Values(std::size_t point) const {
  std::vector<double> values(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    const std::size_t count = axes[i].values.size();
    values[i] = axes[i].values[point % count];
    if (!axes[i].beside) point /= count;
  }
  return values;
}

void SweepPlan::Apply(const std::vector<double>& values, double step, Config* config) const {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    // MakeSweepPlan has checked every value; names of formulas are no parameters
    if (!axes[i].IsName()) static_cast<void>(SetParam(config, axes[i].path, values[i]));
  }
  if (step > 0) config->step.time_step = step;
  for (const SweepFormula& formula : formulas) {
    if (const std::optional<double> value = Evaluate(formula, *config, values))
      static_cast<void>(SetParam(config, formula.path, *value));
  }
  if (step > 0) config->step.time_step = step;
}

std::optional<double> SweepPlan::Evaluate(const SweepFormula& formula, const Config& config,
                                          const std::vector<double>& values) const {
  ExpressionData data;
  data.parameter = [&](std::string_view path, std::string_view) -> std::optional<double> {
    for (std::size_t i = 0; i < axes.size(); ++i)
      if (axes[i].IsName() && axes[i].path == path) return values[i];
    return GetParam(config, path);
  };
  const std::optional<double> value = formula.value.Number(data);
  return value && formula.info->scale == Scale::kInteger ? std::round(*value) : value;
}

Config SweepPlan::ConfigOf(std::size_t run) const {
  Config config = base.configs[run % models()];
  Apply(Values(run / models()), 0, &config);
  return config;
}

double SweepPlan::ValueOf(const SweepFormula& formula, std::size_t run) const {
  return Evaluate(formula, ConfigOf(run), Values(run / models())).value_or(kNaN);
}

std::vector<double> SweepPlan::ReferenceKey(std::size_t run) const {
  std::vector<double> key = Values(run / models());
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].path == kTimeStep) key[i] = reference->step;
  std::size_t model = run % models();
  if (reference->method) {
    // one for all: of the channel that has this method, else of the first
    model = 0;
    for (std::size_t m = models(); m-- > 0;)
      if (base.configs[m].method() == *reference->method) model = m;
  }
  key.push_back(static_cast<double>(model));
  return key;
}

Config SweepPlan::ReferenceConfig(const std::vector<double>& key) const {
  Config config = base.configs[static_cast<std::size_t>(key.back())];
  Apply(key, reference->step, &config);
  if (reference->method) config.step.method = static_cast<int>(*reference->method);
  config.step.error_control = 0;
  return config;
}

std::string SweepPlan::Describe(std::size_t point, std::string_view but) const {
  const std::vector<double> values = Values(point);
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].path == but) continue;
    text += (text.empty() ? "" : ", ") + axes[i].path + "=" + FormatValue(*axes[i].info, values[i]);
  }
  return text;
}

namespace {

void AddAxis(SweepAxis axis, SweepPlan* plan, ErrorList* errors) {
  for (const SweepAxis& other : plan->axes) {
    if (!Overlap(other, axis)) continue;
    errors->push_back({.message = other.path == axis.path
                                      ? "--vary " + axis.path + " is given twice"
                                      : "--vary " + axis.path + " and --vary " + other.path +
                                            " set the same parameter"});
  }
  if (axis.beside && axis.values.size() != plan->axes.back().values.size()) {
    errors->push_back(
        {.message = fmt::format("--vary {} and {} go side by side, and have {} and {} values",
                                plan->axes.back().path, axis.path, plan->axes.back().values.size(),
                                axis.values.size())});
  }
  plan->axes.push_back(std::move(axis));
}

/// The axes of one --vary.
void AddAxes(const std::string& text, const std::vector<std::string>& names, SweepPlan* plan,
             ErrorList* errors) {
  bool beside = false;
  for (std::string item : SplitAt(text, ';')) {
    while (item.starts_with(' ')) item.erase(0, 1);
    Result<SweepAxis> axis = ParseVary(plan->base.configs.front(), item, names);
    if (!axis) {
      errors->insert(errors->end(), axis.errors().begin(), axis.errors().end());
      return;
    }
    SweepAxis own = std::move(axis).value();
    own.beside = std::exchange(beside, true);
    AddAxis(std::move(own), plan, errors);
  }
}

/// Paths of --vary that are no parameters: numbers that formulas may read.
std::vector<std::string> NamesIn(const Config& config, const std::vector<std::string>& vary) {
  std::vector<std::string> names;
  for (const std::string& text : vary) {
    for (std::string item : SplitAt(text, ';')) {
      while (item.starts_with(' ')) item.erase(0, 1);
      const std::string path = item.substr(0, item.find('='));
      if (!path.empty() && FindParam(config, path) == nullptr) names.push_back(path);
    }
  }
  return names;
}

Result<SweepFormula> ParseFormula(const SweepPlan& plan, const std::string& text,
                                  const std::vector<std::string>& names) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Error{
        .message = "--derive: expected PATH=EXPRESSION, found '" + text.substr(0, 60) + "'",
        .hint = "for example 'damping=2*zeta*sqrt(stiffness)'"};
  }
  SweepFormula formula;
  formula.path = text.substr(0, equals);
  Config copy = plan.base.configs.front();
  formula.info = FindParam(copy, formula.path);
  if (formula.info == nullptr) {
    const Error unknown = SetParam(&copy, formula.path, 0).error();
    return Error{.message = "--derive: " + unknown.message, .hint = unknown.hint};
  }
  if (formula.info->scale == Scale::kChoice || formula.info->name == kMethodParam)
    return Error{.message = "--derive " + formula.path + ": a choice does not follow from numbers"};
  formula.column = ColumnName(formula.path, formula.info->unit);
  const auto value =
      Expression::ParseNumber(text.substr(equals + 1), plan.base.scene->model.get(), names);
  if (!value) {
    return Error{.message = "--derive " + formula.path + ": " + value.error().message,
                 .hint = value.error().hint};
  }
  if (value->ReadsAnySignal()) {
    return Error{
        .message = "--derive " + formula.path + ": reads a signal, and no step is made yet",
        .hint = "parameters and names of --vary are known"};
  }
  formula.value = *value;
  return formula;
}

void AddFormula(SweepFormula formula, SweepPlan* plan, ErrorList* errors) {
  SweepAxis as_axis;
  as_axis.path = formula.path;
  as_axis.info = formula.info;
  for (const SweepAxis& axis : plan->axes) {
    if (Overlap(axis, as_axis))
      errors->push_back({.message = "--derive " + formula.path + " and --vary " + axis.path +
                                    " set the same parameter"});
  }
  for (const SweepFormula& other : plan->formulas) {
    if (other.path == formula.path)
      errors->push_back({.message = "--derive " + formula.path + " is given twice"});
  }
  plan->formulas.push_back(std::move(formula));
}

/// Formulas after those that they read from. Error: some go round in a circle.
Status OrderFormulas(const Config& config, std::vector<SweepFormula>* formulas) {
  std::vector<SweepFormula> left = std::exchange(*formulas, {});
  const auto source_of = [&](const SweepFormula& formula) {
    return std::find_if(left.begin(), left.end(),
                        [&](const SweepFormula& other) { return Reads(formula, other, config); });
  };
  while (!left.empty()) {
    const auto next = std::find_if(left.begin(), left.end(), [&](const SweepFormula& formula) {
      return source_of(formula) == left.end();
    });
    if (next != left.end()) {
      formulas->push_back(std::move(*next));
      left.erase(next);
      continue;
    }
    // every one follows from another one that is left: along these until one comes again
    std::vector<std::string> way = {left.front().path};
    for (auto at = left.begin(); std::count(way.begin(), way.end(), way.back()) < 2;) {
      at = source_of(*at);
      way.push_back(at->path);
    }
    way.erase(way.begin(), std::find(way.begin(), way.end(), way.back()));
    return Error{.message = fmt::format("--derive {}: it follows from itself: {}", way.front(),
                                        fmt::join(way, " from ")),
                 .hint = "formulas must not go round in a circle"};
  }
  return Ok{};
}

/// A value that a formula may not give, or what one axis asks for and another forbids.
Status CheckRuns(const SweepPlan& plan) {
  for (std::size_t run = 0; run < plan.runs(); ++run) {
    for (const SweepFormula& formula : plan.formulas) {
      const double value = plan.ValueOf(formula, run);
      const Status fits = std::isnan(value)
                              ? Status(Error{.message = formula.path + " is no number"})
                              : CheckValue(*formula.info, value);
      if (fits.ok()) continue;
      const std::string where = plan.Describe(run / plan.models());
      return Error{.message =
                       "--derive " + fits.error().message + (where.empty() ? "" : " at " + where)};
    }
    const Config config = plan.ConfigOf(run);
    if (const Status fits = CheckFriction(config.materials); !fits.ok()) return fits.errors();
    if (const Status fits = CheckLength(plan.base, config); !fits.ok()) return fits.errors();
  }
  return Ok{};
}

}  // namespace

Result<SweepPlan> MakeSweepPlan(RunPlan base, const std::vector<std::string>& vary,
                                const std::vector<std::string>& formulas) {
  SweepPlan plan;
  ErrorList errors;
  plan.base = std::move(base);
  std::vector<std::string> names = NamesIn(plan.base.configs.front(), vary);
  std::vector<SweepFormula> made;
  for (const std::string& text : formulas) {
    Result<SweepFormula> formula = ParseFormula(plan, text, names);
    if (formula) made.push_back(std::move(formula).value());
    if (!formula) errors.insert(errors.end(), formula.errors().begin(), formula.errors().end());
  }
  if (errors.empty()) {
    const Status ordered = OrderFormulas(plan.base.configs.front(), &made);
    if (!ordered) errors = ordered.errors();
  }
  // a name that nobody reads is a parameter that there is not
  if (errors.empty()) {
    std::erase_if(names, [&](const std::string& name) {
      return std::none_of(made.begin(), made.end(), [&](const SweepFormula& formula) {
        return formula.value.ReadsParameter(name);
      });
    });
  }
  for (const std::string& text : vary) AddAxes(text, names, &plan, &errors);
  for (SweepFormula& formula : made) AddFormula(std::move(formula), &plan, &errors);
  // counted as a double: the product of many axes need not fit an integer
  double runs = static_cast<double>(plan.models());
  for (const SweepAxis& axis : plan.axes)
    if (!axis.beside) runs *= static_cast<double>(axis.values.size());
  if (runs > static_cast<double>(kMaxSweepRuns)) {
    errors.push_back({.message = fmt::format("the grid has {:.6g} runs; at most {} are made", runs,
                                             kMaxSweepRuns)});
  }
  // the largest scene of the grid
  Config largest = plan.base.configs.front();
  for (const SweepAxis& axis : plan.axes) {
    if (axis.IsName() || axis.values.empty()) continue;
    static_cast<void>(
        SetParam(&largest, axis.path, *std::max_element(axis.values.begin(), axis.values.end())));
  }
  if (const Status size = plan.base.scene->CheckSize(largest); !size.ok())
    errors.push_back(size.error());
  if (!errors.empty()) return errors;
  if (const Status fits = CheckRuns(plan); !fits.ok()) return fits.errors();
  return plan;
}

Result<SweepReference> MakeReference(const SweepPlan& plan, const std::string& step,
                                     std::optional<MethodId> method) {
  if (plan.base.steps > 0) {
    return Error{.message = "--reference and --steps do not go together",
                 .hint = "runs are compared over the same time: give --duration"};
  }
  for (const TimedChange& change : plan.base.changes) {
    if (change.path == kTimeStep || change.path == kMethodParam)
      return Error{.message = "--reference and --at " + change.path + " do not go together",
                   .hint = "all runs are sampled at the same times"};
  }
  SweepReference reference{.method = method};
  double smallest = kInfinity;
  std::vector<double> steps;
  for (std::size_t run = 0; run < plan.runs(); ++run) {
    steps.push_back(plan.ConfigOf(run).step.time_step);
    reference.interval = std::max(reference.interval, steps.back());
    smallest = std::min(smallest, steps.back());
  }
  if (step == "auto") {
    reference.step = ReferenceStep(reference.interval, smallest);
  } else {
    const Result<double> given = ParseQuantity(step, "s");
    if (!given) return Error{.message = "--reference: " + given.error().message};
    if (!(*given > 0)) return Error{.message = "--reference must be a time above zero, or auto"};
    reference.step = *given;
  }
  steps.push_back(reference.step);
  for (const double each : steps) {
    if (StepsPer(reference.interval, each) > 0) continue;
    return Error{.message = fmt::format("--reference: {} s does not divide the coarsest step, {} s",
                                        FormatNumber(each), FormatNumber(reference.interval)),
                 .hint = "all runs are sampled on the grid of that one"};
  }
  return reference;
}

}  // namespace slip
