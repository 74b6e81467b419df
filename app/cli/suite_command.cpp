// run --suite: questions whose answers physics knows, put to all methods; a table a question.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/host/print.h"
#include "app/host/process.h"
#include "engine/core/output_file.h"
#include "engine/core/param_text.h"
#include "engine/run/record/csv_row.h"
#include "engine/run/study/run_plan.h"
#include "engine/run/study/suite.h"

namespace slip::app {
namespace {

/// Behind a value, so that it can be seen which are right.
std::string_view MarkOf(SuiteVerdict verdict) {
  constexpr std::array<std::string_view, 5> kMarks = {"", " ~", " ?", " !", ""};
  return kMarks[static_cast<std::size_t>(verdict)];
}

std::string CellText(const SuiteCell& cell) {
  if (cell.verdict == SuiteVerdict::kNotAsked) return "-";
  if (std::isnan(cell.value)) return "none !";
  return fmt::format("{:.5g}{}", cell.value, MarkOf(cell.verdict));
}

/// Sentences below a table, each once, with whom they are about.
std::string NotesText(const std::vector<SuiteRow>& rows) {
  std::map<std::string, std::vector<std::string>> whom;
  for (const SuiteRow& row : rows)
    for (const SuiteCell& cell : row.cells) {
      if (cell.note.empty()) continue;
      std::vector<std::string>& methods = whom[cell.note];
      const std::string id(Info(cell.method).id);
      if (std::find(methods.begin(), methods.end(), id) == methods.end()) methods.push_back(id);
    }
  std::string text;
  for (const auto& [note, methods] : whom)
    text += fmt::format("  {}: {}\n", fmt::join(methods, ", "), note);
  return text;
}

/// All rows of one question.
std::string CaseText(const std::vector<SuiteRow>& rows) {
  const SuiteCase& of = *rows.front().of;
  std::vector<std::vector<std::string>> table = {{"", "law"}};
  for (const SuiteCell& cell : rows.front().cells) table[0].emplace_back(Info(cell.method).id);
  for (const SuiteRow& row : rows) {
    auto& line = table.emplace_back();
    line.push_back(row.Text());
    line.push_back(fmt::format("{:.5g}", row.law));
    for (const SuiteCell& cell : row.cells) line.push_back(CellText(cell));
  }
  std::vector<bool> right(table[0].size(), true);
  right[0] = false;
  return fmt::format("{}: {}{}\n{}{}\n", of.id, of.title,
                     of.unit.empty() ? "" : " [" + of.unit + "]", FormatTable(table, right),
                     NotesText(rows));
}

void WriteRow(const SuiteRow& row, OutputFile* file) {
  for (const SuiteCell& cell : row.cells) {
    CsvRow line;
    line.append(row.of->id);
    Put(&line, row.Text());
    Put(&line, Info(cell.method).id);
    Put(&line, row.of->unit);
    for (const double number : {row.law, cell.value, cell.own}) Put(&line, number);
    Put(&line, Name(cell.verdict));
    Put(&line, cell.note);
    End(&line, file);
  }
}

/// Those of -m, or all. False after an error was printed.
bool ChooseMethods(const std::string& list, std::vector<MethodId>* methods) {
  if (list.empty()) {
    for (int i = 0; i < static_cast<int>(Methods().size()); ++i)
      methods->push_back(static_cast<MethodId>(i));
    return true;
  }
  for (const std::string& id : SplitList(list)) {
    const std::optional<MethodId> method = FindMethod(id);
    if (!method) {
      PrintError("no model '" + id.substr(0, 60) + "'", DidYouMean(id, MethodIds()));
      return false;
    }
    methods->push_back(*method);
  }
  return true;
}

}  // namespace

int SuiteCommand(const RunOptions& options) {
  const bool more = options.duration || options.steps || !options.params.empty() ||
                    !options.at.empty() || !options.expect.empty() || !options.save.empty() ||
                    !options.dump_problems.empty() || !options.foreign.files.empty();
  if (more) {
    PrintError("--suite has lengths, parameters and expectations of its own",
               "it goes with -m, -o, --force and --progress");
    return kExitUsage;
  }
  std::vector<MethodId> methods;
  if (!ChooseMethods(options.models, &methods)) return kExitUsage;
  const Result<Suite> suite = FindSuite(options.suite);
  if (!suite) {
    PrintErrors(suite.errors());
    return kExitInput;
  }
  CatchInterrupts();  // before there is a file to clear away
  std::shared_ptr<OutputFile> file;
  if (!options.output.empty()) {
    bool taken = false;
    constexpr std::string_view kNames[] = {"suite.csv"};
    auto files = OpenOutputFiles(options.output, kNames, options.force, &taken);
    if (!files) {
      PrintErrors(files.errors());
      return taken ? kExitUsage : kExitFailed;
    }
    file = files->front();
    file->Write("case,variant,model,unit,law,value,predicted,verdict,note\n");
  }
  Progress progress(options.progress, suite->id);
  std::vector<SuiteRow> rows;
  std::array<int, 5> count{};
  SuiteCallbacks callbacks;
  callbacks.row = [&](const SuiteRow& row) {
    for (const SuiteCell& cell : row.cells) ++count[static_cast<std::size_t>(cell.verdict)];
    if (file) WriteRow(row, file.get());
    rows.push_back(row);
  };
  callbacks.poll = [&](double fraction) {
    progress.Update(fraction);
    return Interrupted() == 0;
  };
  const bool whole = RunSuite(*suite, methods, callbacks);
  progress.Finish();
  if (!whole) return ExitInterrupted("there is no verdict");
  std::string text = suite->title + "\n\n";
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin;
    while (end < rows.size() && rows[end].of == rows[begin].of) ++end;
    text += CaseText({rows.begin() + static_cast<std::ptrdiff_t>(begin),
                      rows.begin() + static_cast<std::ptrdiff_t>(end)});
    begin = end;
  }
  text +=
      "as the law has it; ~ off by what the method's own law predicts; ? neither, as is known; "
      "! neither\n";
  text += fmt::format("{} right, {} predicted, {} known, {} wrong, {} not asked\n", count[0],
                      count[1], count[2], count[3], count[4]);
  if (file) {
    const Status written = file->Commit();
    PrintErrors(written.errors());
    if (!written.ok()) return kExitFailed;
  }
  if (!Print(text)) return kExitFailed;
  return count[static_cast<std::size_t>(SuiteVerdict::kWrong)] > 0 ? kExitFalse : kExitDone;
}

}  // namespace slip::app
