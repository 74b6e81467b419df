// What reports and the window say of studies.
#pragma once

#include <array>
#include <string>

#include "app/report/report.h"

namespace slip::app {

/// "10 ms", "hertz"
std::string ShortValue(const ParamInfo& info, double value);

/// "Paper, figure 3" as its parts.
struct SourceParts {
  std::string paper, part;
};
SourceParts SplitSource(const std::string& source);

/// How many statements came out in which way, by StudyAnswer.
using AnswerCounts = std::array<int, 5>;
AnswerCounts CountAnswers(const StudyReport& report);
AnswerCounts CountAnswers(std::span<const StudyReport> reports);

/// "5 hold", "4 hold, 1 not reproduced".
std::string CountText(const AnswerCounts& counts);

struct VerdictWords {
  std::string measured, expected;  ///< with unit
};
VerdictWords WordsOf(const StudyVerdict& verdict);

/// Scenes, methods and number of cells: "clutter: 24 cells of 4 methods", "suite friction: 43
/// questions to 14 methods".
std::string RunWords(const StudyRun& run);

}  // namespace slip::app
