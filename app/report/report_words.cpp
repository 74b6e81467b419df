#include "app/report/report_words.h"

#include <fmt/format.h>

namespace slip::app {

AnswerCounts CountAnswers(const StudyReport& report) {
  AnswerCounts counts{};
  for (const StudyVerdict& verdict : report.verdicts)
    ++counts[static_cast<std::size_t>(verdict.answer)];
  return counts;
}

AnswerCounts CountAnswers(std::span<const StudyReport> reports) {
  AnswerCounts counts{};
  for (const StudyReport& report : reports) {
    const AnswerCounts own = CountAnswers(report);
    for (std::size_t i = 0; i < own.size(); ++i) counts[i] += own[i];
  }
  return counts;
}

std::string CountText(const AnswerCounts& counts) {
  constexpr const char* kWords[] = {"hold", "not reproduced", "false", "hold now", "left out"};
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i], kWords[i]);
  return text.empty() ? "no statements" : text;
}

VerdictWords WordsOf(const StudyVerdict& verdict) {
  if (verdict.answer == StudyAnswer::kLeftOut) return {"–", "–"};
  const std::string unit = verdict.of->unit.empty() ? "" : " " + verdict.of->unit;
  return {BoundsText(verdict.least, verdict.most) + unit,
          BoundsText(verdict.low, verdict.high) + unit};
}

std::string RunWords(const StudyRun& run) {
  const std::size_t methods = run.plan.models(), cells = run.cells();
  return fmt::format("{}: {} cell{} of {} method{}", run.plan.base.scene->id, cells,
                     cells == 1 ? "" : "s", methods, methods == 1 ? "" : "s");
}

std::string FigurePath(const Study& study, const std::string& figure) {
  return fmt::format("figures/{}-{}.svg", study.id, figure);
}

}  // namespace slip::app
