// The CSV files of a study, from its cells in their order: whoever made them, the same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/output_file.h"
#include "engine/study/cell_file.h"
#include "engine/study/study_data.h"

namespace slip {

inline constexpr std::string_view kVerdictFile = "verdicts.csv";

/// "conveyor-steps.csv" and, where it has samples, "conveyor-steps-samples.csv".
std::vector<std::string> StudyFileNames(const Study& study);

/// Writes the tables of study `at` of the plan, whose files those are, and adds its cells to *data.
/// Returns how many cells failed. Error: a cell cannot be read any more.
Result<std::size_t> WriteStudyTables(const StudyPlan& plan, std::size_t at, const CellIndex& cells,
                                     const std::vector<std::shared_ptr<OutputFile>>& files,
                                     StudyData* data);

/// Heading, and a line per statement.
std::string VerdictHeader();
std::string VerdictLines(const Study& study, const std::vector<StudyVerdict>& verdicts);

}  // namespace slip
