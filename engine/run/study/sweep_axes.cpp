// What --vary, --largest and --shard say.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/core/param_text.h"
#include "engine/run/record/recorder_columns.h"
#include "engine/run/study/plan_check.h"
#include "engine/run/study/sweep_plan.h"

namespace slip {
namespace {

constexpr std::string_view kForms = "log:a:b:n, lin:a:b:n or v1,v2,...";

/// Of an axis that is no parameter.
constexpr ParamInfo kNamed = {.name = "number",
                              .label = "Number",
                              .symbol = "",
                              .unit = "",
                              .min = -1e300,
                              .max = 1e300,
                              .group = "",
                              .doc = "A number that formulas read.",
                              .formula = "",
                              .source = ""};

Error WrongForm(const std::string& path, const std::string& spec) {
  return {.message = fmt::format("--vary {}: expected {}, found '{}'", path.substr(0, 60), kForms,
                                 spec.substr(0, 60))};
}

/// Round numbers stay round: 0.001 rather than 0.0010000000000000002, wherever
/// a short decimal lies within the rounding errors of the spacing.
double Snap(double value) {
  const Result<double> decimal = ParseQuantity(fmt::format("{:.13g}", value), "");
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  return decimal && std::abs(*decimal - value) <= kRounding * std::abs(value) ? *decimal : value;
}

/// n values from a to b, ends exact.
std::vector<double> Space(bool log, double a, double b, int n) {
  std::vector<double> values = {a};
  for (int i = 1; i + 1 < n; ++i) {
    const double part = static_cast<double>(i) / (n - 1);
    values.push_back(Snap(log ? a * std::pow(b / a, part) : a + (b - a) * part));
  }
  if (n > 1) values.push_back(b);
  return values;
}

/// "log:a:b:n" and "lin:a:b:n"
Result<std::vector<double>> ParseSpacing(const std::string& path, const ParamInfo& info,
                                         const std::string& spec) {
  const std::vector<std::string> parts = SplitAt(spec, ':');
  const bool log = parts[0] == "log";
  if (parts.size() != 4 || (!log && parts[0] != "lin")) return WrongForm(path, spec);
  const std::string name = "--vary " + path.substr(0, 60);
  if (info.scale == Scale::kChoice) {
    return Error{.message = name + ": a choice has no spacing",
                 .hint = fmt::format("list its values: {}", fmt::join(info.choices, ","))};
  }
  double ends[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    const Result<double> end = ParseValue(info, parts[i + 1]);
    if (!end) return Error{.message = "--vary " + end.error().message, .hint = end.error().hint};
    if (log && !(*end > 0)) {
      return Error{.message = fmt::format("{}: log spacing needs ends > 0 (found {})", name,
                                          FormatNumber(*end))};
    }
    ends[i] = *end;
  }
  const Result<double> count = ParseQuantity(parts[3], "");
  const bool whole = count && *count == std::floor(*count);
  if (!whole || *count < 1 || *count > static_cast<double>(kMaxSweepRuns)) {
    return Error{.message =
                     fmt::format("{}: the number of values must be whole, from 1 to {} (found {})",
                                 name, kMaxSweepRuns, parts[3].substr(0, 40))};
  }
  std::vector<double> values = Space(log, ends[0], ends[1], static_cast<int>(*count));
  if (info.scale == Scale::kInteger) {
    for (double& value : values) value = std::round(value);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  return values;
}

}  // namespace

std::vector<std::string> SplitAt(const std::string& text, char separator) {
  std::vector<std::string> items(1);
  for (const char c : text) {
    if (c == separator) {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  return items;
}

bool SweepAxis::IsName() const { return info == &kNamed; }

Result<SweepAxis> ParseVary(const Config& config, const std::string& text,
                            const std::vector<std::string>& names) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Error{.message = "--vary: expected PATH=SPEC, found '" + text.substr(0, 60) + "'",
                 .hint = "for example time_step=log:1e-3:1e-2:3"};
  }
  SweepAxis axis;
  axis.path = text.substr(0, equals);
  axis.spec = text.substr(equals + 1);
  axis.info = FindParam(config, axis.path);
  if (axis.info == nullptr && std::find(names.begin(), names.end(), axis.path) != names.end())
    axis.info = &kNamed;
  Config copy = config;
  if (axis.info == nullptr) return SetParam(&copy, axis.path, 0).errors();
  if (axis.info->name == kMethodParam) {
    return Error{.message = "--vary contact_model: the model is no axis",
                 .hint = "give the models with -m"};
  }
  axis.column = ColumnName(axis.path, axis.info->unit);
  if (axis.spec.empty()) return WrongForm(axis.path, axis.spec);

  if (axis.spec.find(':') != std::string::npos) {
    Result<std::vector<double>> values = ParseSpacing(axis.path, *axis.info, axis.spec);
    if (!values) return values.errors();
    axis.values = *values;
  } else {
    for (const std::string& item : SplitAt(axis.spec, ',')) {
      const Result<double> value = ParseValue(*axis.info, item);
      if (!value) {
        return Error{.message = "--vary " + value.error().message, .hint = value.error().hint};
      }
      axis.values.push_back(*value);
    }
  }
  for (const double value : axis.values) {
    if (const Status status = CheckValue(*axis.info, value); !status) {
      return Error{.message = "--vary " + status.error().message, .hint = status.error().hint};
    }
  }
  return axis;
}

Result<SweepAxis> ParseLargest(const RunPlan& base, const std::string& text) {
  const Config& config = base.configs.front();
  Result<SweepAxis> axis = ParseVary(config, text);
  if (!axis) {
    ErrorList errors;
    for (const Error& error : axis.errors()) {
      Error& own = errors.emplace_back(error);
      if (own.message.starts_with("--vary")) own.message = "--largest" + own.message.substr(6);
      if (own.hint.starts_with("for example")) own.hint = "for example time_step=0.1ms,40ms";
    }
    return errors;
  }
  if (axis->values.size() != 2 || !(axis->values[0] > 0) || !(axis->values[1] > axis->values[0])) {
    return Error{.message = "--largest " + axis->path +
                            ": expected two values above zero, the "
                            "smaller one first, found '" +
                            axis->spec.substr(0, 60) + "'",
                 .hint = "for example time_step=0.1ms,40ms"};
  }
  for (Config longest : base.configs) {
    static_cast<void>(SetParam(&longest, axis->path, axis->values[1]));
    if (const Status fits = CheckLength(base, longest); !fits.ok()) return fits.errors();
  }
  SweepAxis found = *axis;
  found.column = "largest_" + found.column;
  return found;
}

Result<SweepShard> ParseShard(const std::string& text) {
  const std::vector<std::string> parts = SplitAt(text, '/');
  constexpr double kMaxShards = 10000;
  const auto whole = [](const std::string& word) -> std::optional<int> {
    const Result<double> number = ParseQuantity(word, "");
    if (!number || *number != std::floor(*number) || *number < 1 || *number > kMaxShards)
      return std::nullopt;
    return static_cast<int>(*number);
  };
  const std::optional<int> index = whole(parts[0]);
  const std::optional<int> count = parts.size() == 2 ? whole(parts[1]) : std::nullopt;
  if (!index || !count || *index > *count) {
    return Error{.message = "--shard must be I/N with 1 <= I <= N <= 10000 (found '" +
                            text.substr(0, 40) + "')",
                 .hint = "for example 2/5"};
  }
  return SweepShard{*index, *count};
}

}  // namespace slip
