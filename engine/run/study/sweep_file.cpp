// Columns are listed once, with the sentences that meta.json repeats.
#include "engine/run/study/sweep_file.h"

#include <filesystem>

#include "engine/core/hash.h"
#include "engine/core/numbers.h"
#include "engine/core/param_text.h"
#include "engine/core/text_file.h"
#include "engine/run/record/csv_row.h"
#include "engine/run/record/recorder_columns.h"
#include "engine/run/record/scene_json.h"
#include "engine/run/study/recorder.h"
#include "engine/run/study/sweep_meta.h"
#include "engine/sim/part_signals.h"

namespace slip {
namespace {

/// Wall times are no results: they stand aside in columns of their own.
std::vector<Signal> ResultSignals(const SweepPlan& plan) {
  std::vector<Signal> signals = ListSignals(*plan.base.scene->model);
  std::erase_if(signals, [](Signal signal) { return Info(signal).is_wall; });
  return signals;
}

void WriteAxes(const SweepPlan& plan, JsonWriter* json) {
  json->Key("axes").BeginList(false);
  for (const SweepAxis& axis : plan.axes) {
    json->BeginObject().Text("path", axis.path).Text("spec", axis.spec);
    json->Text("unit", axis.info->unit).Text("column", axis.column);
    json->Key("values").BeginList();
    for (const double value : axis.values) {
      if (axis.info->scale == Scale::kChoice) {
        json->Text(FormatValue(*axis.info, value));
      } else {
        json->Number(value);
      }
    }
    json->EndList();
    if (axis.beside) json->Flag("beside", true);
    json->EndObject();
  }
  json->EndList();
}

/// What only some sweeps have.
void WriteExtras(const SweepPlan& plan, JsonWriter* json) {
  if (!plan.formulas.empty()) {
    json->Key("formulas").BeginObject();
    for (const SweepFormula& formula : plan.formulas)
      json->Text(formula.path, formula.value.text());
    json->EndObject();
  }
  if (!plan.signals.empty()) {
    std::vector<std::string> names;
    for (const Signal signal : plan.signals)
      names.push_back(NameOf(*plan.base.scene->model, signal));
    json->Texts("signals", names);
  }
  if (plan.local_error) {
    json->Key("local_error").BeginObject().Number("tick_s", plan.local_error->tick);
    json->Text("truth", plan.local_error->truth ? Info(*plan.local_error->truth).id : "own");
    json->EndObject();
  }
  if (plan.reference) {
    json->Key("reference").BeginObject().Number("step_s", plan.reference->step);
    json->Number("grid_s", plan.reference->interval);
    json->Text("method", plan.reference->method ? Info(*plan.reference->method).id : "own");
    json->EndObject();
  }
  if (!plan.largest) return;
  json->Key("largest").BeginObject().Text("path", plan.largest->path);
  json->Number("from", plan.largest->values[0]).Number("to", plan.largest->values[1]);
  if (!plan.largest_if.empty()) {
    std::vector<std::string> texts;
    for (const Expression& condition : plan.largest_if) texts.push_back(condition.text());
    json->Texts("if", texts);
  }
  json->EndObject();
}

/// All that decides the rows; shards of one sweep agree in it.
void WritePlan(const SweepPlan& plan, const RunContext& context, JsonWriter* json) {
  json->Text("version", context.version).Text("build", context.build);
  json->Integer("runs", static_cast<long long>(plan.runs()));
  WriteAxes(plan, json);
  if (plan.base.steps > 0) {
    json->Integer("steps", plan.base.steps);
  } else {
    json->Number("duration_s", plan.base.duration);
  }
  WriteExtras(plan, json);
  // null: to the end
  json->Key("window").BeginObject().Number("from_s", plan.from).Number("to_s", plan.to);
  json->EndObject().Key("changes").BeginList(false);
  for (const TimedChange& change : plan.base.changes) {
    json->BeginObject().Number("time_s", change.time).Text("path", change.path);
    json->Number("to", change.value).EndObject();
  }
  json->EndList();
  WriteSeed(*plan.base.scene, json);
  json->Key("scene");
  WriteScene(*plan.base.scene, json);
  json->Key("channels").BeginList(false);
  for (std::size_t m = 0; m < plan.models(); ++m) {
    json->BeginObject().Text("model", plan.base.labels[m]).Key("parameters");
    WriteParams(plan.base.configs[m], nullptr, json);
    json->EndObject();
  }
  json->EndList();
}

std::string PlanHash(const SweepPlan& plan, const RunContext& context) {
  JsonWriter json;
  json.BeginObject();
  WritePlan(plan, context, &json);
  json.EndObject();
  Fnv1a hash;
  for (const char c : json.Take()) hash.Add(static_cast<unsigned char>(c));
  return fmt::format("{:016x}", hash.value());
}

}  // namespace

std::vector<SweepColumn> SweepColumns(const SweepPlan& plan) {
  std::vector<SweepColumn> columns = {
      {"run", "Number of the run in the grid, from 1; the same in every shard."}};
  for (const SweepAxis& axis : plan.axes) {
    columns.push_back({axis.column, "Varied: " + std::string(axis.info->doc)});
  }
  for (const SweepFormula& formula : plan.formulas) {
    columns.push_back(
        {formula.column, fmt::format("{}: {}", formula.value.text(), formula.info->doc)});
  }
  columns.insert(
      columns.end(),
      {{"model", "Contact model; a second channel of the same model is marked #2."},
       {"status",
        "ok, not_converged (at least one step) or failed (the run "
        "ended early)."},
       {"steps", "Steps that were made."},
       {"not_converged_steps", "Steps that did not meet the tolerance."},
       {"measured_steps", "Steps within the measured window; the columns below are of these."}});
  if (plan.largest) {
    columns.push_back(
        {plan.largest->column,
         "Largest value, to 5 %, at which the run is bounded: it ends, and no "
         "coordinate "
         "is faster than 1000 m/s or rad/s. Bounded is not right: beside it "
         "stands "
         "stability_limit. The columns of the run are those at this value." +
             std::string(plan.largest_if.empty() ? "" : " The conditions of --largest-if hold.")});
  }
  if (plan.local_error) {
    columns.insert(columns.end(),
                   {{"local_error_mean",
                     "Largest difference of a coordinate (m, rad, m/s, rad/s) from the "
                     "ground truth after a tick that both start alike: mean over ticks."},
                    {"local_error_max", "As local_error_mean: maximum over ticks."},
                    {"local_error_ticks", "Ticks that were compared."},
                    {"truth_step_s", "Time step of the ground truth."},
                    {"real_time_factor",
                     "Simulated time over wall time of the steps of these ticks; not "
                     "reproducible."}});
  }
  if (plan.reference) {
    columns.insert(columns.end(), {{"reference_error_m",
                                    "Root mean square over a common grid of the "
                                    "distance of all bodies from where "
                                    "they are in a reference run; rotations count "
                                    "by the reach of the body."},
                                   {"reference_step_s", "Time step of the reference."},
                                   {"real_time_factor",
                                    "Simulated time over wall time of the measured "
                                    "steps; not reproducible."}});
  }
  for (const Signal signal : ResultSignals(plan)) {
    const SignalInfo& info = Info(signal);
    const std::string name = NameOf(*plan.base.scene->model, signal),
                      doc = ": " + std::string(info.doc);
    columns.push_back({ColumnName(name + "_max", info.unit), "Maximum" + doc});
    columns.push_back({ColumnName(name + "_mean", info.unit), "Mean" + doc});
  }
  columns.push_back({"wall_us_median", "Wall time per step; not reproducible."});
  columns.push_back({"wall_us_p99", "As wall_us_median."});
  columns.push_back({"note",
                     "Why the run failed, or that steps made energy, "
                     "were made in pieces or were unstable."});
  // behind all that there was before: rows are read by place, too
  for (const Signal signal : plan.signals) {
    const SignalInfo& info = Info(signal);
    const std::string name = NameOf(*plan.base.scene->model, signal),
                      doc = ": " + std::string(info.doc);
    const std::string_view unit = info.is_wall ? "" : info.unit;
    columns.push_back({ColumnName(name + "_min", unit), "Minimum" + doc});
    columns.push_back({ColumnName(name + "_last", unit), "Last value" + doc});
    columns.push_back({ColumnName(name + "_median", unit), "Median" + doc});
  }
  return columns;
}

Result<SweepOutputs> OpenSweepOutputs(const std::string& folder, bool force, bool* taken) {
  constexpr std::string_view kNames[] = {kSweepTable, "meta.json"};
  const auto files = OpenOutputFiles(folder, kNames, force, taken);
  if (!files) return files.errors();
  return SweepOutputs{(*files)[0], (*files)[1],
                      force ? FindFormerOutputs(folder, kNames) : FormerFiles()};
}

namespace {

std::string HeaderOf(const SweepPlan& plan) {
  std::string header;
  for (const SweepColumn& column : SweepColumns(plan))
    header += (header.empty() ? "" : ",") + column.name;
  return header;
}

/// Which sweep it is, in a word.
std::string KeyOf(const SweepPlan& plan, const std::string& plan_hash,
                  const std::vector<std::string>& conditions) {
  Fnv1a hash;
  for (const std::string& condition : conditions) {
    hash.Add(condition.size());
    for (const char c : condition) hash.Add(static_cast<unsigned char>(c));
  }
  return fmt::format("{}-{}-{}-{:016x}", plan_hash, plan.shard.index, plan.shard.count,
                     hash.value());
}

}  // namespace

SweepFile::SweepFile(const SweepPlan& plan, const RunContext& context,
                     const std::vector<std::string>& conditions)
    : plan_(plan),
      context_(context),
      plan_hash_(PlanHash(plan, context)),
      header_(HeaderOf(plan)),
      journal_(KeyOf(plan, plan_hash_, conditions)),
      hash_of_(header_),
      at_once_(conditions.empty() ? 1 : plan.models()) {}

Result<std::unique_ptr<SweepFile>> SweepFile::Open(const std::string& folder, const SweepPlan& plan,
                                                   const RunContext& context,
                                                   const std::vector<std::string>& conditions,
                                                   bool force, bool* taken) {
  std::unique_ptr<SweepFile> file(new SweepFile(plan, context, conditions));
  const Result<bool> resumed = file->TakeOver(folder, force);
  if (!resumed) {
    if (taken != nullptr) *taken = true;
    return resumed.errors();
  }
  if (*resumed) return file;
  const auto outputs = OpenSweepOutputs(folder, force, taken);
  if (!outputs) return outputs.errors();
  file->csv_ = outputs->csv;
  file->meta_ = outputs->meta;
  file->former_ = outputs->former;
  file->csv_->Write(file->header_ + "\n");
  file->csv_->Flush();
  file->meta_->Write(file->journal_.First());
  file->meta_->Flush();
  file->hashes_.push_back(file->hash_of_(file->header_));
  return file;
}

Result<bool> SweepFile::TakeOver(const std::string& folder, bool force) {
  const std::filesystem::path place(folder);
  // ours was interrupted here: its files are there to be replaced by longer ones
  const std::string interrupted = ReadInterruptedJournal(folder);
  const bool ours = journal_.IsOurs(interrupted);
  const auto csv = OutputFile::TakeOver((place / "sweep.csv").string(), force || ours);
  const auto meta = OutputFile::TakeOver((place / "meta.json").string(), force || ours);
  const std::string journal = meta != nullptr ? meta->ReadPart() : std::string();
  if (csv != nullptr && journal_.IsOurs(journal)) {
    SweepJournal::Left left =
        journal_.Read(journal, csv->ReadPart(), header_, RunsOf(plan_), at_once_);
    if (left.csv_size > 0) {
      csv->Cut(left.csv_size);
      meta->Cut(left.journal_size);
      csv_ = csv;
      meta_ = meta;
      kept_ = std::move(left.rows);
      hashes_ = std::move(left.hashes);
      return true;
    }
  }
  for (const auto& part : {csv, meta}) {
    if (part != nullptr) part->LeavePart();
  }
  if (ours && csv == nullptr && meta == nullptr) return GoOn(folder, interrupted);
  if (force || csv == nullptr || !SweepJournal::IsJournal(journal)) return false;
  return Error{.message = "was left by another sweep that was cut off",
               .file = csv->part(),
               .hint =
                   "the same command as then goes on with it; move it away "
                   "to keep it; --force "
                   "discards it"};
}

Result<bool> SweepFile::GoOn(const std::string& folder, const std::string& journal) {
  constexpr TextFileKind kTable{.name = "table of a sweep", .most_bytes = 512 * kMebibyte};
  const Result<std::string> text =
      ReadTextFile((std::filesystem::path(folder) / "sweep.csv").string(), kTable);
  if (!text) return false;
  SweepJournal::Left left = journal_.Read(journal, *text, header_, RunsOf(plan_), at_once_);
  if (left.csv_size == 0) return false;
  const auto outputs = OpenSweepOutputs(folder, true);
  if (!outputs) return outputs.errors();
  csv_ = outputs->csv;
  meta_ = outputs->meta;
  csv_->Write(std::string_view(*text).substr(0, left.csv_size));
  csv_->Flush();
  meta_->Write(std::string_view(journal).substr(0, left.journal_size));
  meta_->Flush();
  kept_ = std::move(left.rows);
  hashes_ = std::move(left.hashes);
  return true;
}

void SweepFile::Write(const SweepRow& row, const std::string& verdict) {
  CsvRow out;
  fmt::format_to(std::back_inserter(out), "{}", row.run + 1);
  const std::vector<double> values = plan_.Values(row.run / plan_.models());
  for (std::size_t i = 0; i < plan_.axes.size(); ++i) {
    const ParamInfo& info = *plan_.axes[i].info;
    if (info.scale == Scale::kChoice) {
      Put(&out, FormatValue(info, values[i]));
    } else {
      Put(&out, values[i]);
    }
  }
  for (const SweepFormula& formula : plan_.formulas) Put(&out, plan_.ValueOf(formula, row.run));
  Put(&out, plan_.base.labels[row.run % plan_.models()]);
  Put(&out, Name(row.status));
  Put(&out, row.steps);
  Put(&out, row.not_converged);
  Put(&out, row.measured);
  if (plan_.largest) Put(&out, row.largest);
  if (plan_.local_error) {
    const LocalError error = row.local_error.value_or(LocalError{});
    Put(&out, error.mean);
    Put(&out, error.max);
    Put(&out, static_cast<int64_t>(error.ticks));
    Put(&out, error.truth_step);
    Put(&out, error.real_time_factor);
  }
  if (plan_.reference) {
    for (const double value : {row.reference_error, plan_.reference->step, row.real_time_factor})
      Put(&out, value);
  }
  for (const Signal signal : ResultSignals(plan_)) {
    Put(&out, row.stats.Get(Reduction::kMax, signal).value_or(kNaN));
    Put(&out, row.stats.Get(Reduction::kMean, signal).value_or(kNaN));
  }
  Put(&out, row.wall_median_us);
  Put(&out, row.wall_p99_us);
  Put(&out, row.note);
  for (std::size_t i = 0; i < plan_.signals.size(); ++i) {
    Put(&out, row.stats.Get(Reduction::kMin, plan_.signals[i]).value_or(kNaN));
    Put(&out, row.stats.Get(Reduction::kLast, plan_.signals[i]).value_or(kNaN));
    Put(&out, i < row.medians.size() ? row.medians[i] : kNaN);
  }
  hashes_.push_back(hash_of_({out.data(), out.size()}));
  End(&out, csv_.get());
  // the row first: a line of the journal stands for one that is there
  csv_->Flush();
  meta_->Write(journal_.Line(row.run, hashes_.back(), verdict));
  meta_->Flush();
}

Status SweepFile::Finish(bool complete) {
  JsonWriter json;
  json.BeginObject().Text("schema", "slipscope.sweep/1");
  json.Text("command_line", context_.command_line).Flag("complete", complete);
  json.Text("plan_hash", plan_hash_);
  json.Integer("rows", static_cast<long long>(hashes_.size()) - 1);
  json.Key("shard").BeginObject().Integer("index", plan_.shard.index);
  json.Integer("count", plan_.shard.count).EndObject();
  WritePlan(plan_, context_, &json);
  json.Key("columns").BeginObject().Key("sweep.csv").BeginObject();
  for (const SweepColumn& column : SweepColumns(plan_)) json.Text(column.name, column.doc);
  json.EndObject().EndObject();
  // of the lines of sweep.csv, but for wall times
  json.Texts("line_hashes", hashes_);
  if (!complete) json.Text("journal", meta_->ReadPart());
  json.EndObject();
  meta_->Cut(0);
  meta_->Write(WithChecksum(json.Take()));
  OutputFile* const files[] = {csv_.get(), meta_.get()};
  Status written = CommitTogether(files);
  if (written.ok()) former_.Remove();
  return written;
}

}  // namespace slip
