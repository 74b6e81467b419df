#include "engine/fit/fit_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/core/data_folder.h"
#include "engine/core/param_text.h"
#include "engine/run/record/recorder_columns.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

constexpr double kGuessRatio = 10;

Error WrongRange(const std::string& path, std::string message, std::string hint = {}) {
  return {.message = "--vary " + path.substr(0, 60) + ": " + std::move(message),
          .hint = std::move(hint)};
}

/// The range where none is given.
Status Guess(const Config& config, FitAxis* axis) {
  const double value = GetParam(config, axis->path).value_or(0);
  if (!(value > 0)) {
    return WrongRange(axis->path,
                      fmt::format("its value is {}, which suggests no range", FormatNumber(value)),
                      fmt::format("give one: {}=lin:a:b", axis->path));
  }
  axis->log = true;
  axis->low = std::max(value / kGuessRatio, axis->info->min);
  axis->high = std::min(value * kGuessRatio, axis->info->max);
  if (axis->low > 0 && axis->high > axis->low) return Ok{};
  return WrongRange(axis->path, "its value suggests no range",
                    fmt::format("give one: {}=lin:a:b", axis->path));
}

Status ReadRange(FitAxis* axis) {
  const std::size_t first = axis->spec.find(':'), second = axis->spec.find(':', first + 1);
  const std::string word = axis->spec.substr(0, first);
  if (second == std::string::npos || axis->spec.find(':', second + 1) != std::string::npos ||
      (word != "log" && word != "lin")) {
    return WrongRange(axis->path,
                      "expected log:a:b or lin:a:b, found '" + axis->spec.substr(0, 60) + "'");
  }
  axis->log = word == "log";
  const std::string texts[] = {axis->spec.substr(first + 1, second - first - 1),
                               axis->spec.substr(second + 1)};
  double ends[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    const Result<double> end = ParseValue(*axis->info, texts[i]);
    if (!end) return Error{.message = "--vary " + end.error().message, .hint = end.error().hint};
    if (const Status status = CheckValue(*axis->info, *end); !status)
      return Error{.message = "--vary " + status.error().message, .hint = status.error().hint};
    ends[i] = *end;
  }
  axis->low = ends[0];
  axis->high = ends[1];
  if (axis->log && !(axis->low > 0)) {
    return WrongRange(axis->path, fmt::format("a logarithmic range begins above 0 (found {})",
                                              FormatNumber(axis->low)));
  }
  if (!(axis->high > axis->low)) {
    return WrongRange(axis->path, fmt::format("the range must rise (found {} to {})",
                                              FormatNumber(axis->low), FormatNumber(axis->high)));
  }
  return Ok{};
}

/// "a=log:1:2,b" at the commas.
std::vector<std::string> SplitAxes(const std::vector<std::string>& vary) {
  std::vector<std::string> texts;
  for (const std::string& list : vary) {
    for (const std::string& item : SplitList(list)) texts.push_back(item);
  }
  return texts;
}

}  // namespace

double FitAxis::Value(double place) const {
  if (place <= 0) return low;
  if (place >= 1) return high;
  return log ? low * std::pow(high / low, place) : low + (high - low) * place;
}

double FitAxis::Place(double value) const {
  const double place = log ? std::log(std::max(value, low) / low) / std::log(high / low)
                           : (value - low) / (high - low);
  return std::clamp(place, 0.0, 1.0);
}

std::vector<std::size_t> FitPlan::AxesOf(std::size_t method) const {
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (Uses(*base.scene->model, base.configs[method], *axes[i].info)) used.push_back(i);
  }
  return used;
}

bool FitPlan::holds_out() const {
  return std::find(held_out.begin(), held_out.end(), 1) != held_out.end();
}

Result<FitAxis> ParseFitAxis(const Config& config, const std::string& text) {
  FitAxis axis;
  const std::size_t equals = text.find('=');
  axis.path = text.substr(0, equals);
  if (axis.path.empty()) {
    return Error{.message = "--vary: expected PATH=RANGE, found '" + text.substr(0, 60) + "'",
                 .hint = "for example friction=log:0.05:1"};
  }
  axis.info = FindParam(config, axis.path);
  Config copy = config;
  if (axis.info == nullptr) return SetParam(&copy, axis.path, 0).errors();
  if (axis.info->scale == Scale::kChoice || axis.info->scale == Scale::kInteger)
    return WrongRange(axis.path, "only numbers without steps can be fitted");
  axis.column = ColumnName(axis.path, axis.info->unit);
  if (equals != std::string::npos) axis.spec = text.substr(equals + 1);
  const Status status = equals == std::string::npos ? Guess(config, &axis) : ReadRange(&axis);
  if (!status) return status.errors();
  return axis;
}

Result<FitPlan> MakeFitPlan(RunPlan base, std::vector<std::shared_ptr<const ForeignRun>> runs,
                            const std::vector<std::string>& vary, const std::string& held_out) {
  FitPlan plan;
  plan.base = std::move(base);
  plan.runs = std::move(runs);
  ErrorList errors;
  const Config& config = plan.base.configs.front();
  for (const std::string& text : SplitAxes(vary)) {
    Result<FitAxis> axis = ParseFitAxis(config, text);
    if (!axis) {
      errors.insert(errors.end(), axis.errors().begin(), axis.errors().end());
      continue;
    }
    for (const FitAxis& other : plan.axes) {
      const bool bare = other.path == other.info->name || axis->path == axis->info->name;
      if (other.info == axis->info && (bare || other.path == axis->path)) {
        errors.push_back(WrongRange(axis->path, "'" + other.path + "' sets the same value"));
        break;
      }
    }
    plan.axes.push_back(std::move(axis).value());
  }
  if (plan.axes.empty() && errors.empty()) {
    errors.push_back({.message = "--vary: no parameter to fit",
                      .hint = "for example --vary friction=log:0.05:1,stiffness"});
  }
  if (plan.axes.size() > kMostFitAxes) {
    errors.push_back({.message = fmt::format("--vary: at most {} parameters at a time (found {})",
                                             kMostFitAxes, plan.axes.size())});
  }
  plan.held_out.assign(plan.runs.size(), 0);
  for (const std::string& name :
       held_out.empty() ? std::vector<std::string>() : SplitList(held_out)) {
    const auto at = std::find_if(plan.runs.begin(), plan.runs.end(),
                                 [&](const auto& run) { return run->name() == name; });
    if (at == plan.runs.end()) {
      std::vector<std::string_view> names;
      for (const auto& run : plan.runs) names.push_back(run->name());
      errors.push_back({.message = "--held-out: no recorded run '" + name.substr(0, 60) + "'",
                        .hint = DidYouMean(name, names)});
    } else {
      At(plan.held_out, at - plan.runs.begin()) = 1;
    }
  }
  if (errors.empty() && !held_out.empty() &&
      std::count(plan.held_out.begin(), plan.held_out.end(), 0) == 0)
    errors.push_back({.message = "--held-out: no recorded run is left to fit to"});
  for (std::size_t m = 0; m < plan.methods() && errors.empty(); ++m) {
    if (plan.AxesOf(m).empty()) {
      errors.push_back({.message = fmt::format("{} reads none of the parameters of --vary",
                                               plan.base.labels[m])});
    }
  }
  if (!errors.empty()) return errors;
  return plan;
}

Result<std::vector<std::string>> ExpandForeign(const std::string& argument) {
  std::error_code failed;
  fs::path given = argument;
  // those that come with the program are found from anywhere
  if (argument.starts_with("assets/") && !fs::exists(given, failed))
    given = fs::path(DataFolder()) / argument;
  const bool folder = fs::is_directory(given, failed);
  if (!folder || fs::exists(given / "bodies.csv", failed))
    return std::vector<std::string>{fs::exists(given, failed) ? given.string() : argument};
  std::vector<std::string> files;
  for (fs::directory_iterator it(given, failed), end; !failed && it != end; it.increment(failed)) {
    const fs::path& path = it->path();
    std::error_code ignored;
    const bool run = path.extension() == ".csv" || path.extension() == ".npz" ||
                     fs::exists(path / "bodies.csv", ignored);
    if (run) files.push_back(path.string());
    if (files.size() > kMostFitRuns) break;
  }
  std::sort(files.begin(), files.end());
  if (files.empty() || failed) {
    return Error{.message = failed ? "cannot be read: " + failed.message()
                                   : "no recorded run is in this folder",
                 .file = argument,
                 .hint = "runs are folders as run -o writes them, .csv, or .npz"};
  }
  return files;
}

}  // namespace slip
