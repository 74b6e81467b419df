// Reads the tables [[run]] of a study.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "engine/run/record/recorder_columns.h"
#include "engine/sim/part_signals.h"
#include "engine/study/study_tables.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

consteval const SceneKey& RunKey(std::string_view name) { return RowOf(kRunKeys, name); }

/// What the command line calls an option is a key here, and of the quick form another one.
struct Key {
  std::string_view option, name, quick;
};
constexpr Key kKeysOfOptions[] = {{"--vary", "axes", "quick_axes"},
                                  {"--derive", "derive", "derive"},
                                  {"--largest", "largest", "largest"},
                                  {"--duration", "duration", "quick_duration"}};

/// Whether a word stands in a text, with nothing of a name around it.
bool HasWord(std::string_view text, std::string_view word) {
  const auto in_name = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
                                text[at] == '_' || text[at] == '.');
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if ((at == 0 || !in_name(at - 1)) && !in_name(at + word.size())) return true;
  return false;
}

/// The text of a list whose path an error names; the list where none has it.
const TomlNode& ItemOf(const TomlNode& list, const std::string& message) {
  for (const TomlNode& item : list.items) {
    for (std::string part : SplitAt(item.text, ';')) {
      part.erase(0, part.find_first_not_of(' '));
      const std::string path = part.substr(0, part.find_first_of("=@ "));
      if (!path.empty() && HasWord(message, path)) return item;
    }
  }
  return list;
}

void Replace(std::string* text, std::string_view from, std::string_view to) {
  for (std::size_t at = text->find(from); at != std::string::npos;
       at = text->find(from, at + to.size()))
    text->replace(at, from.size(), to);
}

/// Adds errors that have no position.
void AddErrors(const TomlNode& at, const ErrorList& errors, Reporter* reporter) {
  for (Error error : errors) {
    const std::string place = error.file.empty() ? "" : error.Text();
    reporter->Add(ItemOf(at, error.message), place.empty() ? error.message : place,
                  place.empty() ? error.hint : "");
  }
}

/// Errors about options of a sweep, each where its key stands in the table of the run.
void AddErrors(const TableReader& table, bool quick, const ErrorList& errors, Reporter* reporter) {
  for (Error error : errors) {
    const TomlNode* at = nullptr;
    for (const Key& key : kKeysOfOptions) {
      if (at == nullptr && error.message.starts_with(key.option)) {
        if (quick) at = table.node().Find(key.quick);
        if (at == nullptr) at = table.node().Find(key.name);
      }
      Replace(&error.message, key.option, key.name == "axes" ? "axis" : key.name);
      Replace(&error.hint, key.option, key.name);
    }
    if (at == nullptr && quick) at = table.node().Find("quick_axes");
    if (at == nullptr) at = table.node().Find("axes");
    AddErrors(at != nullptr ? *at : table.node(), {error}, reporter);
  }
}

/// A name of the program's scenes or suites, or a file beside the study.
std::string BesideStudy(const std::string& name, const std::string& file) {
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
  const TomlNode* of = node->Find("of");
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (const auto signal =
            ReadSignal(of->items[i], *run->plan.base.scene->model, signals[i], reporter))
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
  const Result<SweepAxis> axis = ParseLargest(run->plan.base, text);
  if (axis) {
    run->plan.largest = *axis;
  } else {
    AddErrors(*table, false, axis.errors(), reporter);
  }
  if (!conditioned) return;
  const Result<Expression> made = Expression::Parse(stable, run->plan.base.scene->model.get());
  if (made) {
    run->stable = *made;
  } else {
    reporter->Add(*table->node().Find("stable"), made.error());
  }
}

/// Questions of a suite and whom they are put to.
void ReadSuiteRun(TableReader* table, const std::string& file, StudyRun* run) {
  std::string name;
  std::vector<std::string> methods;
  table->Text(RunKey("suite"), &name);
  table->Texts(RunKey("methods"), &methods);
  Reporter* reporter = &table->reporter();
  Result<Suite> suite = FindSuite(BesideStudy(name, file));
  if (!suite) {
    AddErrors(*table->node().Find("suite"), suite.errors(), reporter);
    return;
  }
  if (methods.empty())
    for (const std::string_view id : MethodIds())
      if (Info(*FindMethod(id)).WhyMissing().empty()) methods.emplace_back(id);
  Result<RunPlan> base =
      MakeRunPlan(suite->cases.front().scene, fmt::format("{}", fmt::join(methods, ",")), {}, {});
  if (!base) {
    const TomlNode* at = table->node().Find("methods");
    AddErrors(at != nullptr ? *at : table->node(), base.errors(), reporter);
    return;
  }
  std::size_t questions = 0;
  for (const SuiteCase& of : suite->cases) questions += of.variants.size();
  const Config config = base->configs.front();
  run->plan.base = std::move(base).value();
  for (const TomlNode& item : table->node().items) {
    if (item.key == "id" || item.key == "suite" || item.key == "methods") continue;
    if (!kStudyRunSection.Has(item.key)) continue;
    reporter->Add(item, item.key + " and suite do not go together",
                  "the suite says what is simulated; beside it there are id and methods");
  }
  run->plan.axes = {
      *ParseVary(config, fmt::format("question=lin:1:{0}:{0}", questions), {"question"})};
  run->suite = std::make_shared<const Suite>(std::move(suite).value());
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
  const auto scene = FindScene(BesideStudy(name, file));
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
  // what is wrong with all cells is told with the quick ones, too
  const bool has_quick = quick && (table->node().Find("quick_axes") != nullptr ||
                                   table->node().Find("quick_duration") != nullptr);
  bool good = true;
  for (const bool form : {false, true}) {
    if (form && !has_quick) continue;
    RunPlan one = *base;
    if (const double length = form ? quick_duration : duration; length > 0) one.duration = length;
    Result<SweepPlan> plan = MakeSweepPlan(std::move(one), form ? quick_axes : axes, derive);
    good = good && plan.ok();
    if (!plan) {
      AddErrors(*table, form, plan.errors(), reporter);
      break;  // most of the other's would be the same ones
    }
    if (form == has_quick) run->plan = std::move(plan).value();
  }
  return good;
}

}  // namespace

StudyRun ReadStudyRun(const TomlNode& node, const std::string& file, bool quick,
                      Reporter* reporter) {
  StudyRun run;
  TableReader table(node, kStudyRunSection, "[[run]]", reporter);
  NeedName(&table, RunKey("id"), "_", &run.id);
  if (node.Find("suite") != nullptr) {
    ReadSuiteRun(&table, file, &run);
    table.SkipRest();
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
  const TomlNode* listed = node.Find("series");
  table.Number(RunKey("series_from"), &run.series_span.from);
  table.Number(RunKey("series_to"), &run.series_span.to);
  double every = 1;
  table.Number(RunKey("every"), &every);
  run.every = static_cast<int>(every);
  for (std::size_t i = 0; i < series.size(); ++i)
    if (const auto signal =
            ReadSignal(listed->items[i], *run.plan.base.scene->model, series[i], reporter))
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
