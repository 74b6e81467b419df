// Reads the tables [[run]] of a study.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/run/record/recorder_columns.h"
#include "engine/sim/part_signals.h"
#include "engine/study/study_tables.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

consteval const SceneKey& RunKey(std::string_view name) { return RowOf(kRunKeys, name); }

/// Adds errors that have no position. What the command line calls --vary is an axis here.
void AddErrors(const TomlNode& at, const ErrorList& errors, Reporter* reporter) {
  for (Error error : errors) {
    if (error.message.starts_with("--vary ")) error.message = "axis " + error.message.substr(7);
    const std::string place = error.file.empty() ? "" : error.Text();
    reporter->Add(at, place.empty() ? error.message : place, place.empty() ? error.hint : "");
  }
}

/// A name of the program's scenes, or a file beside the study.
std::string SceneOf(const std::string& name, const std::string& file) {
  const fs::path path(name);
  if (!name.ends_with(".toml") || path.is_absolute()) return name;
  return (fs::path(file).parent_path() / path).string();
}

std::optional<Signal> ReadSignal(const TomlNode& at, const Model& model, const std::string& name,
                                 Reporter* reporter) {
  const Result<Signal> signal = SignalNamed(model, name);
  if (signal) return *signal;
  reporter->Add(at, signal.error());
  return std::nullopt;
}

void ReadMetric(const TomlNode& node, const std::string& text, const Model& model,
                StudyMetric* metric, Reporter* reporter) {
  constexpr std::string_view kMedian = "median(";
  if (text.starts_with(kMedian) && text.ends_with(")")) {
    const std::string name = text.substr(kMedian.size(), text.size() - kMedian.size() - 1);
    metric->median = ReadSignal(node, model, name, reporter);
    if (!metric->median) return;
    metric->unit = Info(*metric->median).unit;
    metric->is_wall = Info(*metric->median).is_wall;
    return;
  }
  const Result<Expression> number = Expression::ParseNumber(text, &model);
  if (!number) return reporter->Add(node, number.error());
  metric->of = *number;
  metric->unit = number->unit();
  for (const SignalInfo& info : SignalTable())
    metric->is_wall = metric->is_wall || (info.is_wall && number->Reads(info.id));
}

void ReadMetrics(const TomlNode* table, const StudySpan& span, StudyRun* run, Reporter* reporter) {
  if (table == nullptr) return;
  if (table->kind != TomlNode::Kind::kTable)
    return reporter->Add(*table, "metrics must be a table (found " + table->Found() + ")");
  for (const TomlNode& item : table->items) {
    StudyMetric metric;
    metric.name = item.key;
    metric.span = span;
    std::string text;
    const bool word = std::all_of(item.key.begin(), item.key.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!word)
      reporter->Add(item, "a metric's name is of small letters, digits and _ (found '" +
                              item.key.substr(0, 60) + "')");
    if (run->HasColumn(item.key) || run->HasSampleColumn(item.key))
      reporter->Add(item, "there is a column '" + item.key.substr(0, 60) + "' already");
    if (item.kind == TomlNode::Kind::kTable) {
      TableReader reader(item, kStudyMetricSection, "metric " + item.key, reporter);
      NeedText(&reader, RowOf(kMetricKeys, "of"), &text);
      reader.Number(RowOf(kMetricKeys, "from"), &metric.span.from);
      reader.Number(RowOf(kMetricKeys, "to"), &metric.span.to);
      reader.Finish();
    } else if (item.kind == TomlNode::Kind::kText) {
      text = item.text;
    } else {
      reporter->Add(item,
                    "must be an expression or a table {of, from, to} (found " + item.Found() + ")");
    }
    if (!text.empty()) ReadMetric(item, text, *run->plan.base.scene->model, &metric, reporter);
    run->metrics.push_back(std::move(metric));
  }
}

double LargestStep(const StudyRun& run) {
  double largest = 0;
  for (const Config& config : run.plan.base.configs)
    largest = std::max(largest, config.step.time_step);
  for (const SweepAxis& axis : run.plan.axes)
    if (axis.path == "time_step")
      largest = *std::max_element(axis.values.begin(), axis.values.end());
  return largest;
}

void ReadReference(const TomlNode* node, const std::vector<std::string>& set, StudyRun* run,
                   Reporter* reporter) {
  if (node == nullptr) return;
  if (node->kind != TomlNode::Kind::kTable)
    return reporter->Add(*node, "reference must be a table (found " + node->Found() + ")");
  TableReader table(*node, kReferenceSection, "[run.reference]", reporter);
  StudyReference reference;
  std::string method;
  std::vector<std::string> own, signals;
  NeedText(&table, RowOf(kReferenceKeys, "method"), &method);
  table.Texts(RowOf(kReferenceKeys, "set"), &own);
  table.Texts(RowOf(kReferenceKeys, "of"), &signals);
  reference.grid = LargestStep(*run);
  table.Number(RowOf(kReferenceKeys, "grid"), &reference.grid);
  for (const std::string& name : signals)
    if (const auto signal = ReadSignal(*node, *run->plan.base.scene->model, name, reporter))
      reference.signals.push_back(*signal);
  reference.scales.assign(reference.signals.size(), 1);
  if (const TomlNode* scale = table.Find(RowOf(kReferenceKeys, "scale"))) {
    const bool fits =
        scale->kind == TomlNode::Kind::kList && scale->items.size() == reference.scales.size();
    if (!fits) reporter->Add(*scale, "scale must be a list with a number for each signal");
    for (std::size_t i = 0; fits && i < reference.scales.size(); ++i)
      if (const auto value = QuantityOf(scale->items[i], "scale", "", reporter))
        reference.scales[i] = *value;
  }
  if (reference.signals.empty()) reporter->Add(*node, "reference needs signals in 'of'");
  table.Finish();
  std::vector<std::string> all;
  for (const std::string& text : set)  // what is meant for single models is not meant for it
    if (text.substr(0, text.find('=')).find('@') == std::string::npos) all.push_back(text);
  all.insert(all.end(), own.begin(), own.end());
  const Result<RunPlan> plan = MakeRunPlan(run->plan.base.scene, method, all, {});
  if (plan && plan->configs.size() == 1) {
    reference.plan = *plan;
    reference.plan->duration = run->plan.base.duration;
  } else if (plan) {
    reporter->Add(*node, "reference is one method");
  } else {
    AddErrors(*node, plan.errors(), reporter);
  }
  run->reference = std::move(reference);
}

void ReadLocalError(TableReader* table, StudyRun* run) {
  double tick = 0;
  std::string truth;
  const bool asked = table->Number(RunKey("local_error"), &tick);
  const bool named = table->Text(RunKey("truth"), &truth);
  Reporter* reporter = &table->reporter();
  if (named && !asked) reporter->Add(table->node(), "truth needs local_error");
  if (!asked) return;
  run->plan.local_error = LocalErrorPlan{.tick = tick};
  run->plan.local_error->from = run->plan.from;
  if (!named) return;
  run->plan.local_error->truth = FindMethod(truth);
  if (!run->plan.local_error->truth)
    reporter->Add(table->node(), "no model '" + truth.substr(0, 60) + "'",
                  DidYouMean(truth, MethodIds()));
}

void ReadForetold(TableReader* table, StudyRun* run) {
  StudyForetold asked;
  const bool is_asked = table->Number(RunKey("foretell"), &asked.span);
  const bool has_every = table->Number(RunKey("foretell_every"), &asked.every);
  Reporter* reporter = &table->reporter();
  if (has_every && !is_asked) reporter->Add(table->node(), "foretell_every needs foretell");
  if (!is_asked) return;
  if (!has_every) asked.every = asked.span;
  if (asked.every < asked.span)
    reporter->Add(*table->node().Find("foretell_every"), "foretell_every is shorter than foretell");
  run->foretell = asked;
}

void ReadLargest(TableReader* table, StudyRun* run) {
  Reporter* reporter = &table->reporter();
  std::string text, stable;
  const bool asked = table->Text(RunKey("largest"), &text);
  const bool conditioned = table->Text(RunKey("stable"), &stable);
  if (conditioned && !asked) reporter->Add(table->node(), "stable needs largest");
  if (!asked) return;
  const TomlNode& at = *table->node().Find("largest");
  if (run->reference || run->plan.local_error || run->foretell || !run->series.empty())
    reporter->Add(at, "largest does not go with reference, local_error, foretell or series");
  const Result<SweepAxis> axis = ParseLargest(run->plan.base.configs.front(), text);
  if (axis) {
    run->plan.largest = *axis;
  } else {
    AddErrors(at, axis.errors(), reporter);
  }
  if (!conditioned) return;
  const Result<Expression> made = Expression::Parse(stable, run->plan.base.scene->model.get());
  if (made) {
    run->stable = *made;
  } else {
    reporter->Add(*table->node().Find("stable"), made.error());
  }
}

/// Questions of a suite and whom they are put to. False: there are none.
bool ReadSuiteRun(TableReader* table, StudyRun* run) {
  std::string name;
  std::vector<std::string> methods;
  table->Text(RunKey("suite"), &name);
  table->Texts(RunKey("methods"), &methods);
  Reporter* reporter = &table->reporter();
  Result<Suite> suite = FindSuite(name);
  if (!suite) {
    AddErrors(*table->node().Find("suite"), suite.errors(), reporter);
    return false;
  }
  if (methods.empty())
    for (const std::string_view id : MethodIds())
      if (Info(*FindMethod(id)).WhyMissing().empty()) methods.emplace_back(id);
  Result<RunPlan> base =
      MakeRunPlan(suite->cases.front().scene, fmt::format("{}", fmt::join(methods, ",")), {}, {});
  if (!base) {
    const TomlNode* at = table->node().Find("methods");
    AddErrors(at != nullptr ? *at : table->node(), base.errors(), reporter);
    return false;
  }
  std::size_t questions = 0;
  for (const SuiteCase& of : suite->cases) questions += of.variants.size();
  const Config config = base->configs.front();
  run->plan.base = std::move(base).value();
  run->plan.axes = {
      *ParseVary(config, fmt::format("question=lin:1:{0}:{0}", questions), {"question"})};
  run->suite = std::make_shared<const Suite>(std::move(suite).value());
  return true;
}

/// Scene, methods, parameters, axes and lengths. False: there is nothing to look the rest up in.
bool ReadPlan(TableReader* table, const std::string& file, bool quick,
              const std::vector<std::string>& set, StudyRun* run) {
  Reporter* reporter = &table->reporter();
  std::string name;
  std::vector<std::string> methods, axes, derive;
  const bool named = NeedText(table, RunKey("scene"), &name);
  table->Texts(RunKey("methods"), &methods);
  table->Texts(RunKey("axes"), &axes);
  table->Texts(RunKey("derive"), &derive);
  std::vector<std::string> quick_axes = axes;
  table->Texts(RunKey("quick_axes"), &quick_axes);
  double duration = kNaN, quick_duration = kNaN;
  table->Number(RunKey("duration"), &duration);
  if (!table->Number(RunKey("quick_duration"), &quick_duration)) quick_duration = duration;
  if (!named) return false;
  const auto scene = FindScene(SceneOf(name, file));
  if (!scene) {
    AddErrors(*table->node().Find("scene"), scene.errors(), reporter);
    return false;
  }
  const std::string list = fmt::format("{}", fmt::join(methods, ","));
  // what is wrong is told where it stands
  const auto place = [table](const char* key) {
    const TomlNode* node = table->node().Find(key);
    return node != nullptr ? node : &table->node();
  };
  Result<RunPlan> base = MakeRunPlan(*scene, list, {}, {});
  const TomlNode* at = place("methods");
  if (base) {
    base = MakeRunPlan(*scene, list, set, {});
    at = place("set");
  }
  if (!base) {
    AddErrors(*at, base.errors(), reporter);
    return false;
  }
  RunPlan one = *base;
  if (const double length = quick ? quick_duration : duration; length > 0) one.duration = length;
  const Result<SweepPlan> plan = MakeSweepPlan(std::move(one), quick ? quick_axes : axes, derive);
  if (!plan) {
    AddErrors(*place(quick && table->node().Find("quick_axes") != nullptr ? "quick_axes" : "axes"),
              plan.errors(), reporter);
    return false;
  }
  run->plan = *plan;
  return true;
}

}  // namespace

StudyRun ReadStudyRun(const TomlNode& node, const std::string& file, bool quick,
                      Reporter* reporter) {
  StudyRun run;
  TableReader table(node, kStudyRunSection, "[[run]]", reporter);
  NeedName(&table, RunKey("id"), "_", &run.id);
  if (node.Find("suite") != nullptr) {
    if (!ReadSuiteRun(&table, &run)) table.SkipRest();
    table.Finish();
    return run;
  }
  std::vector<std::string> set, series;
  table.Texts(RunKey("set"), &set);
  if (!ReadPlan(&table, file, quick, set, &run)) {
    table.SkipRest();
    table.Finish();
    return run;
  }
  StudySpan span;
  table.Number(RunKey("from"), &span.from);
  table.Number(RunKey("to"), &span.to);
  run.plan.from = span.from;
  run.plan.to = span.to;
  table.Texts(RunKey("series"), &series);
  table.Number(RunKey("series_from"), &run.series_span.from);
  table.Number(RunKey("series_to"), &run.series_span.to);
  double every = 1;
  table.Number(RunKey("every"), &every);
  run.every = static_cast<int>(every);
  for (const std::string& name : series)
    if (const auto signal = ReadSignal(node, *run.plan.base.scene->model, name, reporter))
      run.series.push_back(*signal);
  ReadReference(table.Find(RunKey("reference")), set, &run, reporter);
  ReadLocalError(&table, &run);
  ReadForetold(&table, &run);
  ReadLargest(&table, &run);
  bool in_quick = true;
  table.Flag(RunKey("quick"), &in_quick);
  run.is_left = quick && !in_quick;
  ReadMetrics(table.Find(RunKey("metrics")), span, &run, reporter);
  table.Finish();
  return run;
}

}  // namespace slip
