// study: figures of papers, or of anybody's, each with statements that are checked.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/build_info.h"
#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/host/print.h"
#include "app/host/process.h"
#include "app/host/study_frames.h"
#include "app/report/report_words.h"
#include "app/report/study_folder.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

/// The studies that are asked for; "all" stands for those of the program.
std::optional<StudyPlan> LoadStudies(const StudyOptions& options, int* exit) {
  StudyPlan plan;
  *exit = kExitUsage;
  if (!options.shard.empty()) {
    const Result<SweepShard> shard = ParseShard(options.shard);
    if (!shard) {
      PrintErrors(shard.errors());
      return std::nullopt;
    }
    plan.shard = *shard;
  }
  std::vector<std::string> names;
  const std::vector<std::string> all = ListStudies();
  for (const std::string& name : options.names) {
    if (name == "all") {
      names.insert(names.end(), all.begin(), all.end());
    } else {
      names.push_back(name);
    }
  }
  *exit = kExitInput;
  for (const std::string& name : names) {
    Result<Study> study = FindStudy(name, options.quick);
    if (!study) {
      PrintErrors(study.errors());
      return std::nullopt;
    }
    const bool twin = std::any_of(plan.studies.begin(), plan.studies.end(),
                                  [&](const Study& other) { return other.id == study->id; });
    if (twin) {
      PrintError("two studies are called '" + study->id + "'");
      return std::nullopt;
    }
    plan.studies.push_back(std::move(study).value());
  }
  return plan;
}

/// How a study's statements came out.
struct Outcome {
  std::vector<StudyVerdict> verdicts;
  std::size_t failed = 0;  ///< cells
};

std::string VerdictText(const Study& study, const std::vector<StudyVerdict>& verdicts) {
  std::vector<std::vector<std::string>> table = {{"", "statement", "measured", "expected", ""}};
  std::string notes;
  for (const StudyVerdict& verdict : verdicts) {
    const StudyCondition& of = *verdict.of;
    const bool asked = verdict.answer != StudyAnswer::kLeftOut;
    table.push_back({fmt::format("[{}]", kStudyMarks[static_cast<std::size_t>(of.mark)]), of.id,
                     asked ? BoundsText(verdict.least, verdict.most) : "–",
                     BoundsText(verdict.low, verdict.high), std::string(Name(verdict.answer))});
    const std::string& why = verdict.note.empty() ? of.known : verdict.note;
    if (!why.empty()) notes += fmt::format("  {}: {}\n", of.id, why);
  }
  return fmt::format("{}: {}\n{}{}", study.id, study.title,
                     FormatTable(table, {false, false, true, true, false}), notes);
}

bool PrintOutcomes(const StudyPlan& plan, const std::vector<Outcome>& outcomes, bool* fails) {
  std::string text;
  AnswerCounts counts{};
  std::size_t failed = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    text += VerdictText(plan.studies[i], outcomes[i].verdicts) + "\n";
    failed += outcomes[i].failed;
    for (const StudyVerdict& verdict : outcomes[i].verdicts) {
      ++counts[static_cast<std::size_t>(verdict.answer)];
      *fails = *fails || verdict.Fails();
    }
  }
  text += CountText(counts) + "\n";
  if (failed > 0)
    PrintError(fmt::format("note: {} of {} cells failed", failed, plan.cells()),
               "status and note of each are in the tables");
  return Print(text);
}

/// Tables, figures and report from the cells. False after an error was printed.
bool WriteAll(const StudyOptions& options, const StudyPlan& plan, const CellIndex& cells,
              const RunContext& context, std::vector<Outcome>* outcomes) {
  std::vector<MadeStudy> made;
  for (std::size_t i = 0; i < plan.studies.size(); ++i) made.push_back({&plan, i, &cells});
  const auto reports =
      WriteStudyFolder(options.output, made, {context.command_line, context.version}, options.force,
                       FramesWithoutScreen([] { return Interrupted() != 0; }));
  PrintErrors(reports.errors());
  if (!reports) return false;
  for (const StudyReport& report : *reports)
    if (!report.note.empty()) PrintError("note: " + report.note);
  for (const StudyReport& report : *reports) outcomes->push_back({report.verdicts, report.failed});
  return true;
}

/// A name that is there already is told before hours of work.
bool CheckNames(const StudyOptions& options, const StudyPlan& plan) {
  if (options.force || options.output.empty()) return true;
  std::vector<const Study*> studies;
  for (const Study& study : plan.studies) studies.push_back(&study);
  for (const std::string& name : NamesInFolder(studies)) {
    const fs::path path = fs::path(options.output) / name;
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    PrintError(path.string() + " exists already", "use --force to overwrite it");
    return false;
  }
  return true;
}

int MergeParts(const StudyOptions& options, const StudyPlan& plan, const RunContext& context) {
  const Result<CellIndex> cells = ReadStudyParts(options.merge, plan, context);
  if (!cells) {
    PrintErrors(cells.errors());
    return kExitInput;
  }
  std::vector<Outcome> outcomes;
  if (!WriteAll(options, plan, *cells, context, &outcomes)) return kExitFailed;
  bool fails = false;
  if (!PrintOutcomes(plan, outcomes, &fails)) return kExitFailed;
  return fails ? kExitFalse : kExitDone;
}

/// Without a folder: what is asked for stays in memory.
int RunAside(const StudyOptions& options, const StudyPlan& plan) {
  std::vector<StudyData> data;
  std::vector<Outcome> outcomes(plan.studies.size());
  for (const Study& study : plan.studies) data.emplace_back(study);
  Progress progress(options.progress, "study");
  StudyCallbacks callbacks;
  callbacks.cell = [&](const StudyCell& cell) {
    const StudyPlan::Place place = plan.PlaceOf(cell.cell);
    data[place.study].Add(place.run, place.index, cell);
    outcomes[place.study].failed += cell.failed ? 1 : 0;
  };
  callbacks.poll = [&](double fraction) {
    progress.Update(fraction);
    return Interrupted() == 0;
  };
  const bool whole =
      MakeStudyCells(plan, options.jobs, std::vector<bool>(plan.cells(), false), callbacks);
  progress.Finish();
  if (!whole) return ExitInterrupted("there is no verdict; with -o it could go on");
  for (std::size_t i = 0; i < data.size(); ++i)
    outcomes[i].verdicts = JudgeStudy(plan.studies[i], data[i]);
  bool fails = false;
  if (!PrintOutcomes(plan, outcomes, &fails)) return kExitFailed;
  return fails ? kExitFalse : kExitDone;
}

int RunIntoFolder(const StudyOptions& options, const StudyPlan& plan, const RunContext& context) {
  bool taken = false;
  auto file = CellFile::Open(options.output, plan, context, options.force, &taken);
  if (!file) {
    PrintErrors(file.errors());
    return taken ? kExitUsage : kExitFailed;
  }
  CellFile& cells = **file;
  if (cells.kept() > 0)
    PrintError(fmt::format("note: goes on with a study that was cut off: {} cells are kept",
                           cells.kept()));
  Progress progress(options.progress, "study");
  StudyCallbacks callbacks;
  callbacks.cell = [&](const StudyCell& cell) { cells.Write(cell); };
  callbacks.poll = [&](double fraction) {
    progress.Update(fraction);
    return Interrupted() == 0 && cells.good();
  };
  const bool whole = MakeStudyCells(plan, options.jobs, cells.done(), callbacks);
  progress.Finish();
  if (Interrupted() != 0) {
    cells.Leave();
    return ExitInterrupted("finished cells were kept, and the same command goes on with them");
  }
  if (!cells.good()) {
    PrintErrors(cells.status().errors());
    cells.Leave();
    return kExitFailed;
  }
  if (!whole || plan.shard.count > 1) {
    const Status written = cells.Commit();
    PrintErrors(written.errors());
    return whole && written.ok() ? kExitDone : kExitFailed;
  }
  const Result<CellIndex> index = cells.Index();
  std::vector<Outcome> outcomes;
  if (!index) PrintErrors(index.errors());
  if (!index || !WriteAll(options, plan, *index, context, &outcomes)) {
    cells.Leave();
    return kExitFailed;
  }
  bool fails = false;
  if (!PrintOutcomes(plan, outcomes, &fails)) return kExitFailed;
  return fails ? kExitFalse : kExitDone;
}

}  // namespace

int StudyCommand(const StudyOptions& options, const std::string& command_line) {
  int exit = kExitDone;
  const bool needs_folder = !options.shard.empty() || !options.merge.empty();
  if (needs_folder && options.output.empty()) {
    PrintError(options.merge.empty() ? "--shard needs -o" : "--merge needs -o");
    return kExitUsage;
  }
  if (!options.shard.empty() && !options.merge.empty()) {
    PrintError("--shard and --merge do not go together");
    return kExitUsage;
  }
  const std::optional<StudyPlan> plan = LoadStudies(options, &exit);
  if (!plan) return exit;
  const RunContext context{command_line, Version(), BuildText()};
  if (plan->shard.count == 1 && !CheckNames(options, *plan)) return kExitUsage;
  if (!options.merge.empty()) return MergeParts(options, *plan, context);
  CatchInterrupts();
  return options.output.empty() ? RunAside(options, *plan) : RunIntoFolder(options, *plan, context);
}

}  // namespace slip::app
