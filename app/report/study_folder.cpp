#include "app/report/study_folder.h"

#include <filesystem>
#include <iterator>

#include "app/report/former_report.h"
#include "engine/study/study_files.h"

namespace slip::app {
namespace {

constexpr std::string_view kLastFiles[] = {kVerdictFile, kMarkdownFile, kHtmlFile};
constexpr int kPagePart = 2;  // of a picture's pixels in each direction, one is enough for a page

/// Tables of all studies, their figures, and the files about all of them.
std::vector<std::string> NamesOf(std::span<const Study* const> studies) {
  std::vector<std::string> names;
  for (const Study* study : studies)
    for (std::string& name : StudyFileNames(*study)) names.push_back(std::move(name));
  for (const Study* study : studies)
    for (const StudyFigure& figure : study->figures) names.push_back(FigurePath(*study, figure.id));
  names.insert(names.end(), std::begin(kLastFiles), std::end(kLastFiles));
  return names;
}

/// The frames of a study's pictures, drawn and put together.
void DrawPictures(const Study& study, const WordFonts& fonts, const DrawFrames& draw,
                  StudyReport* report) {
  for (const StudyPicture& picture : study.pictures) {
    if (!draw) {
      report->note = study.id + ": pictures are drawn by the command alone";
      return;
    }
    const FrameLayout layout = LayOutFrames(picture);
    const auto frames =
        draw(*study.FindRun(picture.run), picture.times, layout.width, layout.height);
    if (!frames) {
      report->note = study.id + ": a picture was not drawn: " + frames.error().Text();
      return;
    }
    const render::Image image = FramesPng(picture, *frames, fonts);
    report->pictures.push_back({picture.id, picture.title, render::EncodePng(image),
                                render::EncodePng(render::Resize(image, image.width / kPagePart,
                                                                 image.height / kPagePart))});
  }
}

/// A file beside the others, that is written at once.
struct PictureFile {
  std::string name, bytes;
};

void AddPictures(const StudyReport& report, const WordFonts& fonts,
                 std::vector<PictureFile>* files) {
  const Study& study = *report.study;
  for (const Figure& figure : report.figures)
    files->push_back({PicturePath(study, figure.id), render::EncodePng(FigurePng(figure, fonts))});
  for (const ReportPicture& picture : report.pictures)
    files->push_back({PicturePath(study, picture.id), picture.png});
}

}  // namespace

std::vector<std::string> NamesInFolder(std::span<const Study* const> studies) {
  std::vector<std::string> names = NamesOf(studies);
  for (const Study* study : studies) {
    for (const StudyFigure& figure : study->figures)
      names.push_back(PicturePath(*study, figure.id));
    for (const StudyPicture& picture : study->pictures)
      names.push_back(PicturePath(*study, picture.id));
  }
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
                                                  const ReportContext& context, bool force,
                                                  const DrawFrames& draw) {
  std::vector<const Study*> studies;
  for (const MadeStudy& each : made) studies.push_back(&each.study());
  const std::vector<std::string> names = NamesOf(studies);
  std::vector<std::string_view> views(names.begin(), names.end());
  const Status figure_folder = MakeFolder((std::filesystem::path(folder) / "figures").string());
  if (!figure_folder.ok()) return figure_folder.errors();
  const auto files = OpenOutputFiles(folder, views, force);
  if (!files) return files.errors();
  const auto fonts = WordFonts::Read();
  std::size_t table = 0, figure = files->size() - std::size(kLastFiles);
  for (const Study* study : studies) figure -= study->figures.size();
  std::string verdicts = VerdictHeader();
  std::vector<StudyReport> reports;
  std::vector<PictureFile> pictures;
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
    if (fonts) {
      DrawPictures(study, **fonts, draw, &report);
      AddPictures(report, **fonts, &pictures);
    } else {
      report.note = study.id + ": figures were not drawn as pictures: " + fonts.error().Text();
    }
    verdicts += VerdictLines(study, report.verdicts);
    reports.push_back(std::move(report));
  }
  const std::string texts[] = {verdicts, ReportMarkdown(reports, context),
                               ReportHtml(reports, context)};
  for (std::size_t i = 0; i < std::size(texts); ++i)
    (*files)[files->size() - std::size(texts) + i]->Write(texts[i]);
  std::vector<std::string_view> drawn;
  for (const PictureFile& picture : pictures) drawn.push_back(picture.name);
  const auto more = OpenOutputFiles(folder, drawn, force);
  if (!more) return more.errors();
  views.insert(views.end(), drawn.begin(), drawn.end());
  const FormerFiles former = force ? FindFormerReport(folder, views) : FormerFiles();
  for (std::size_t i = 0; i < pictures.size(); ++i) (*more)[i]->Write(pictures[i].bytes);
  std::vector<OutputFile*> all;
  for (const auto& list : {*files, *more})
    for (const auto& file : list) all.push_back(file.get());
  const Status written = CommitTogether(all);
  if (!written.ok()) return written.errors();
  former.Remove();
  return reports;
}

}  // namespace slip::app
