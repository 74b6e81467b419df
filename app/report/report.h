// The report of studies: a page that needs nothing else, light or dark as the reader's system is,
// and the same as Markdown beside its figures.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/report/figure.h"
#include "engine/study/study_data.h"

namespace slip::app {

/// Rows of texts, the heading first.
struct ReportTable {
  std::string title;
  std::vector<std::vector<std::string>> rows;
};
/// A row for each cell: the values of the axes, the method, the columns.
ReportTable MakeTable(const Study& study, const StudyTable& table, const StudyData& data);

/// Frames of a run, drawn.
struct ReportPicture {
  std::string id, title;
  std::string png;    ///< bytes of its file
  std::string small;  ///< the same for a page
};

struct StudyReport {
  const Study* study = nullptr;
  std::vector<StudyVerdict> verdicts;
  std::vector<Figure> figures;
  std::vector<ReportTable> tables;
  std::size_t failed = 0;  ///< cells
  std::vector<ReportPicture> pictures = {};
  std::string note = {};  ///< why there are no pictures, a sentence; empty where nothing lacks
};

/// What is said of where the numbers come from.
struct ReportContext {
  std::string command_line, version;
};

std::string ReportHtml(std::span<const StudyReport> reports, const ReportContext& context);
std::string ReportMarkdown(std::span<const StudyReport> reports, const ReportContext& context);

/// "figures/seed-001-figure-03-error.svg"
std::string FigurePath(const Study& study, const std::string& figure);
/// The same with ".png": of a figure or a picture.
std::string PicturePath(const Study& study, const std::string& figure);

}  // namespace slip::app
