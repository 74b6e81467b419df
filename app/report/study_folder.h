// What a study leaves in a folder: its tables, figures, verdicts and both reports. The command and
// the window write the same.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/report.h"
#include "app/report/study_picture.h"
#include "engine/study/cell_file.h"

namespace slip::app {

inline constexpr std::string_view kMarkdownFile = "report.md", kHtmlFile = "report.html";

/// A study whose cells are all there.
struct MadeStudy {
  const StudyPlan* plan = nullptr;
  std::size_t at = 0;  ///< among the plan's
  const CellIndex* cells = nullptr;

  const Study& study() const { return plan->studies[at]; }
};

/// Names of all files within the folder.
std::vector<std::string> NamesInFolder(std::span<const Study* const> studies);

/// Verdicts, figures and tables of a study from its numbers.
StudyReport MakeReport(const Study& study, const StudyData& data, std::size_t failed);

/// Writes all of them or none, and returns what they tell. What cannot be drawn - `draw` is empty,
/// there is no graphics or no font - is left out, and a note says so. Errors: a cell cannot be
/// read; as of OpenOutputFiles.
Result<std::vector<StudyReport>> WriteStudyFolder(const std::string& folder,
                                                  std::span<const MadeStudy> made,
                                                  const ReportContext& context, bool force,
                                                  const DrawFrames& draw);

}  // namespace slip::app
