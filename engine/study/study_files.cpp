#include "engine/study/study_files.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/run/record/csv_row.h"

namespace slip {
namespace {

std::string NumberText(double value) {
  return std::isfinite(value) ? fmt::format("{:.17g}", value) : fmt::format("{}", value);
}

}  // namespace

std::vector<std::string> StudyFileNames(const Study& study) {
  std::vector<std::string> names;
  for (const StudyRun& run : study.runs) {
    names.push_back(fmt::format("{}-{}.csv", study.id, run.id));
    if (!run.series.empty()) names.push_back(fmt::format("{}-{}-samples.csv", study.id, run.id));
  }
  return names;
}

Result<std::size_t> WriteStudyTables(const StudyPlan& plan, std::size_t at, const CellIndex& cells,
                                     const std::vector<std::shared_ptr<OutputFile>>& files,
                                     StudyData* data) {
  const Study& study = plan.studies[at];
  std::size_t cell = 0, failed = 0, file = 0;
  for (std::size_t before = 0; before < at; ++before) cell += plan.studies[before].cells();
  for (std::size_t r = 0; r < study.runs.size(); ++r) {
    const StudyRun& run = study.runs[r];
    OutputFile* rows = files[file++].get();
    OutputFile* samples = run.series.empty() ? nullptr : files[file++].get();
    rows->Write(StudyRowHeader(run) + "\n");
    if (samples != nullptr) samples->Write(StudySampleHeader(run) + "\n");
    for (std::size_t index = 0; index < run.cells(); ++index, ++cell) {
      const std::optional<StudyCell> found = cells.Read(cell);
      if (!found)
        return Error{.message = fmt::format("cell {} of {} cannot be read", index + 1, run.id)};
      rows->Write(found->row + "\n");
      failed += found->failed ? 1 : 0;
      data->Add(r, index, *found);
      if (samples == nullptr) continue;
      std::string place;  // as the row begins
      std::size_t commas = 0, end = 0;
      for (; end < found->row.size() && commas < run.plan.axes.size() + 2; ++end)
        if (found->row[end] == ',') ++commas;
      place = found->row.substr(0, end);
      for (const std::string& sample : found->samples) samples->Write(place + sample + "\n");
    }
  }
  return failed;
}

std::string VerdictHeader() {
  return "study,condition,mark,statement,least,most,low,high,unit,verdict,reason\n";
}

std::string VerdictLines(const Study& study, const std::vector<StudyVerdict>& verdicts) {
  std::string text;
  for (const StudyVerdict& verdict : verdicts) {
    CsvRow row;
    Put(&row, std::string_view(study.id));
    Put(&row, std::string_view(verdict.of->id));
    Put(&row, kStudyMarks[static_cast<std::size_t>(verdict.of->mark)]);
    Put(&row, std::string_view(verdict.of->text));
    for (const double value : {verdict.least, verdict.most, verdict.low, verdict.high})
      row.append("," + NumberText(value));
    Put(&row, std::string_view(verdict.of->unit));
    Put(&row, Name(verdict.answer));
    Put(&row, std::string_view(verdict.note.empty() ? verdict.of->known : verdict.note));
    text.append(row.data() + 1, row.size() - 1);  // the first cell has no comma
    text += '\n';
  }
  return text;
}

}  // namespace slip
