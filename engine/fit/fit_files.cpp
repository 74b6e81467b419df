#include "engine/fit/fit_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/json_writer.h"
#include "engine/core/quantity_text.h"
#include "engine/run/record/csv_row.h"
#include "engine/run/record/scene_json.h"

namespace slip {
namespace {

/// A table as text; the first cell of a row is Begin's.
class CsvText {
 public:
  explicit CsvText(std::string_view header) : text_(header) { text_ += '\n'; }
  CsvText& Begin(std::string_view cell) {
    row_.clear();
    row_.append(cell);
    return *this;
  }
  template <class Value>
  CsvText& Add(Value value) {
    Put(&row_, value);
    return *this;
  }
  void End() {
    text_.append(row_.data(), row_.size());
    text_ += '\n';
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
  CsvRow row_;
};

std::string ValuesText(const FitPlan& plan, const FitResult& result) {
  CsvText csv("model,parameter,unit,scene,fitted,low,high,low_is_range,high_is_range");
  for (const MethodFit& fit : result.methods) {
    for (const FitValue& value : fit.values) {
      const FitAxis& axis = plan.axes[value.axis];
      csv.Begin(fit.label).Add(std::string_view(axis.path)).Add(axis.info->unit);
      csv.Add(value.before).Add(value.value).Add(value.low).Add(value.high);
      csv.Add(int64_t{value.open_low}).Add(int64_t{value.open_high}).End();
    }
  }
  return csv.Take();
}

std::string RunsText(const FitPlan& plan, const FitResult& result) {
  CsvText csv(
      "model,run,group,flight_samples,way_scene_m,way_fitted_m,way_held_out_m,position_scene_m,"
      "position_fitted_m,position_held_out_m,angle_scene_rad,angle_fitted_rad,"
      "angle_held_out_rad");
  for (const MethodFit& fit : result.methods) {
    for (std::size_t i = 0; i < fit.errors.size(); ++i) {
      const FitError& error = fit.errors[i];
      csv.Begin(fit.label).Add(std::string_view(plan.runs[i]->name()));
      csv.Add(int64_t{error.fold + 1}).Add(error.flight);
      csv.Add(error.before.way).Add(error.after.way).Add(error.held.way);
      csv.Add(error.before.position).Add(error.after.position).Add(error.held.position);
      csv.Add(error.before.angle).Add(error.after.angle).Add(error.held.angle).End();
    }
  }
  return csv.Take();
}

std::string LandscapeText(const FitPlan& plan, const FitResult& result) {
  CsvText csv("model,parameter_1,value_1,parameter_2,value_2,way_m");
  for (const MethodFit& fit : result.methods) {
    const FitLandscape& land = fit.landscape;
    if (land.axes.empty()) continue;
    const bool two = land.axes.size() == 2;
    const std::size_t count = two ? land.values[1].size() : 1;
    for (std::size_t k = 0; k < land.score.size(); ++k) {
      csv.Begin(fit.label).Add(std::string_view(plan.axes[land.axes[0]].path));
      csv.Add(land.values[0][k / count]);
      csv.Add(two ? std::string_view(plan.axes[land.axes[1]].path) : std::string_view());
      csv.Add(two ? land.values[1][k % count] : kNaN).Add(land.score[k]).End();
    }
  }
  return csv.Take();
}

void WriteMethod(const FitPlan& plan, const MethodFit& fit, JsonWriter* json) {
  json->BeginObject().Text("model", fit.label).Number("way_m", fit.score);
  json->Integer("points", static_cast<long long>(fit.points));
  json->Integer("failed_runs", static_cast<long long>(fit.failed));
  json->Key("parameters").BeginList(false);
  for (const FitValue& value : fit.values) {
    const FitAxis& axis = plan.axes[value.axis];
    json->BeginObject().Text("path", axis.path).Text("unit", axis.info->unit);
    json->Number("scene", value.before).Number("fitted", value.value);
    json->Number("low", value.low).Number("high", value.high);
    json->Flag("low_is_range", value.open_low).Flag("high_is_range", value.open_high);
    json->EndObject();
  }
  json->EndList().Key("median").BeginObject();
  json->Number("position_scene_m", MedianPosition(fit, FitStage::kBefore));
  json->Number("position_fitted_m", MedianPosition(fit, FitStage::kAfter));
  json->Number("position_held_out_m", MedianPosition(fit, FitStage::kHeld));
  json->Number("angle_scene_rad", MedianAngle(fit, FitStage::kBefore));
  json->Number("angle_fitted_rad", MedianAngle(fit, FitStage::kAfter));
  json->Number("angle_held_out_rad", MedianAngle(fit, FitStage::kHeld));
  json->EndObject().EndObject();
}

std::string FitJson(const FitPlan& plan, const FitResult& result, const RunContext& context) {
  JsonWriter json;
  json.BeginObject().Text("schema", "slipscope.fit/1");
  json.Text("command_line", context.command_line).Text("version", context.version);
  json.Text("build", context.build).Texts("report", TellFit(plan, result));
  json.Integer("search_seed", static_cast<long long>(plan.seed)).Integer("folds", plan.folds);
  json.Integer("resamples", plan.resamples).Number("interval", kInterval);
  json.Text("start", plan.smooth ? "flight" : "measured");
  json.Key("runs").BeginList(false);
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    const ForeignRun& run = *plan.runs[i];
    json.BeginObject().Text("name", run.name()).Text("path", run.file().path);
    json.Text("engine", run.file().meta.engine).Flag("held_out", plan.held_out[i] != 0);
    json.Integer("samples", run.samples()).EndObject();
  }
  json.EndList().Key("axes").BeginList(false);
  for (const FitAxis& axis : plan.axes) {
    json.BeginObject().Text("path", axis.path).Text("scale", axis.log ? "log" : "lin");
    json.Text("unit", axis.info->unit).Number("low", axis.low).Number("high", axis.high);
    json.EndObject();
  }
  json.EndList().Key("methods").BeginList(false);
  for (const MethodFit& fit : result.methods) WriteMethod(plan, fit, &json);
  json.EndList().Key("choice").BeginList(false);
  for (const FitRival& rival : result.ranking) {
    json.BeginObject().Text("model", result.methods[rival.method].label);
    json.Number("way_held_out_m", rival.held).Number("ratio", rival.ratio);
    json.Number("ratio_low", rival.low).Number("ratio_high", rival.high);
    json.Number("to_scene", rival.gain);
    json.Number("to_scene_low", rival.gain_low).Number("to_scene_high", rival.gain_high);
    json.Integer("worse_runs", rival.worse).EndObject();
  }
  json.EndList().Key("scene");
  WriteScene(*plan.base.scene, &json);
  json.EndObject();
  return json.Take();
}

std::string Runs(std::size_t count) {
  return fmt::format("{} run{}", count, count == 1 ? "" : "s");
}

/// Which method is nearest to the runs that it was not fitted to, and whether that is sure.
std::string TellBest(const FitResult& result, std::size_t held) {
  const FitRival& best = result.ranking.front();
  const MethodFit& fit = result.methods[best.method];
  const auto surely = [](const FitRival& rival) { return rival.IsWorse(); };
  const bool alone = result.ranking.size() == 1;
  const bool is_best = std::all_of(result.ranking.begin() + 1, result.ranking.end(), surely);
  const double before = MedianPosition(fit, FitStage::kBefore),
               after = MedianPosition(fit, FitStage::kHeld);
  const std::string off = fmt::format(
      "its mass is {} off, and the median of the centre's errors goes from {} to {} ({:+.0f} %).",
      FormatQuantity(best.held, "m"), FormatQuantity(before, "m"), FormatQuantity(after, "m"),
      100 * (after / before - 1));
  if (alone)
    return fmt::format("{} on {} that it was not fitted to: {}", fit.label, Runs(held), off);
  if (is_best)
    return fmt::format("{} explains {} that it was not fitted to best: {}", fit.label, Runs(held),
                       off);
  return fmt::format(
      "No model surely explains {} that it was not fitted to best; {} is nearest: {}", Runs(held),
      fit.label, off);
}

/// Where the fit is no gain over the scene's values, or nobody knows; else empty.
std::string TellGain(const FitRival& best, std::size_t held) {
  if (best.Helps()) return {};
  std::string text = fmt::format("Off by {:.2f} times what the scene's own values are", best.gain);
  if (best.gain_low > 0) text += fmt::format(" ({:.2f} to {:.2f})", best.gain_low, best.gain_high);
  if (best.gain >= 1) return text + ": the fit does not help with runs that it has not seen.";
  if (best.gain_low > 0) return text + ": these runs do not tell whether the fit helps.";
  return text + fmt::format(": {} are too few to tell whether the fit helps.", Runs(held));
}

}  // namespace

std::vector<std::string> TellFit(const FitPlan& plan, const FitResult& result) {
  if (result.ranking.empty()) {
    return {fmt::format(
        "Fitted to {}, none of which was left out: nothing tells how well other runs are "
        "explained.",
        Runs(plan.runs.size()))};
  }
  const FitRival& best = result.ranking.front();
  const MethodFit& fit = result.methods[best.method];
  const auto held = static_cast<std::size_t>(std::count_if(
      fit.errors.begin(), fit.errors.end(), [](const FitError& error) { return error.fold >= 0; }));
  std::vector<std::string> told = {TellBest(result, held)};
  if (const std::string gain = TellGain(best, held); !gain.empty()) told.push_back(gain);
  for (std::size_t i = 1; i < result.ranking.size(); ++i) {
    const FitRival& rival = result.ranking[i];
    std::string text = fmt::format("{} is {:.2f} times as far off",
                                   result.methods[rival.method].label, rival.ratio);
    if (rival.low > 0) text += fmt::format(" ({:.2f} to {:.2f})", rival.low, rival.high);
    text += fmt::format(", and farther in {} of {}", rival.worse, held);
    if (!rival.IsWorse()) text += ": these runs do not tell the two apart";
    told.push_back(text + ".");
  }
  return told;
}

std::vector<std::string> FitTexts(const FitPlan& plan, const FitResult& result,
                                  const RunContext& context) {
  return {ValuesText(plan, result), RunsText(plan, result), LandscapeText(plan, result),
          FitJson(plan, result, context)};
}

}  // namespace slip
