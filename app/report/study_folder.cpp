#include "app/report/study_folder.h"

#include <filesystem>
#include <iterator>

#include "app/report/former_report.h"
#include "engine/study/study_files.h"

namespace slip::app {
namespace {

constexpr std::string_view kLastFiles[] = {kVerdictFile, kMarkdownFile, kHtmlFile};

}  // namespace

std::vector<std::string> NamesInFolder(std::span<const Study* const> studies) {
  std::vector<std::string> names;
  for (const Study* study : studies)
    for (std::string& name : StudyFileNames(*study)) names.push_back(std::move(name));
  for (const Study* study : studies)
    for (const StudyFigure& figure : study->figures) names.push_back(FigurePath(*study, figure.id));
  names.insert(names.end(), std::begin(kLastFiles), std::end(kLastFiles));
  return names;
}

StudyReport MakeReport(const Study& study, const StudyData& data, std::size_t failed) {
  StudyReport report{&study, JudgeStudy(study, data), {}, {}, failed};
  for (const StudyFigure& figure : study.figures)
    report.figures.push_back(MakeFigure(study, figure, data));
  for (const StudyTable& table : study.tables)
    report.tables.push_back(MakeTable(study, table, data));
  return report;
}

Result<std::vector<StudyReport>> WriteStudyFolder(const std::string& folder,
                                                  std::span<const MadeStudy> made,
                                                  const ReportContext& context, bool force) {
  std::vector<const Study*> studies;
  for (const MadeStudy& each : made) studies.push_back(&each.study());
  const std::vector<std::string> names = NamesInFolder(studies);
  const std::vector<std::string_view> views(names.begin(), names.end());
  const Status figure_folder = MakeFolder((std::filesystem::path(folder) / "figures").string());
  if (!figure_folder.ok()) return figure_folder.errors();
  const auto files = OpenOutputFiles(folder, views, force);
  if (!files) return files.errors();
  const FormerFiles former = force ? FindFormerReport(folder, views) : FormerFiles();
  std::size_t table = 0, figure = files->size() - std::size(kLastFiles);
  for (const Study* study : studies) figure -= study->figures.size();
  std::string verdicts = VerdictHeader();
  std::vector<StudyReport> reports;
  for (const MadeStudy& each : made) {
    const Study& study = each.study();
    const auto begin = files->begin() + static_cast<std::ptrdiff_t>(table);
    const std::size_t count = StudyFileNames(study).size();
    const std::vector<std::shared_ptr<OutputFile>> own(begin,
                                                       begin + static_cast<std::ptrdiff_t>(count));
    table += count;
    StudyData data(study);
    const Result<std::size_t> failed =
        WriteStudyTables(*each.plan, each.at, *each.cells, own, &data);
    if (!failed) return failed.errors();
    StudyReport report = MakeReport(study, data, *failed);
    for (const Figure& drawn : report.figures) (*files)[figure++]->Write(FigureSvg(drawn, false));
    verdicts += VerdictLines(study, report.verdicts);
    reports.push_back(std::move(report));
  }
  const std::string texts[] = {verdicts, ReportMarkdown(reports, context),
                               ReportHtml(reports, context)};
  for (std::size_t i = 0; i < std::size(texts); ++i)
    (*files)[files->size() - std::size(texts) + i]->Write(texts[i]);
  std::vector<OutputFile*> all;
  for (const auto& file : *files) all.push_back(file.get());
  const Status written = CommitTogether(all);
  if (!written.ok()) return written.errors();
  former.Remove();
  return reports;
}

}  // namespace slip::app
