#include "app/report/report_words.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/core/param_text.h"
#include "engine/core/quantity_text.h"

namespace slip::app {

std::string ShortValue(const ParamInfo& info, double value) {
  if (info.scale == Scale::kChoice) return FormatValue(info, value);
  QuantityText text = SplitQuantity(value, info.unit);
  if (text.number.find('.') != std::string::npos) {
    text.number.erase(text.number.find_last_not_of('0') + 1);
    if (text.number.ends_with('.')) text.number.pop_back();
  }
  return text.number + (text.unit.empty() ? "" : " " + text.unit);
}

SourceParts SplitSource(const std::string& source) {
  const std::size_t comma = source.rfind(", ");
  if (comma == std::string::npos) return {source, ""};
  return {source.substr(0, comma), source.substr(comma + 2)};
}

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
  constexpr const char* kWords[] = {"hold", "not reproduced as is known", "false",
                                    "hold against what is known", "left out"};
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i], kWords[i]);
  return text.empty() ? "no statements" : text;
}

VerdictWords WordsOf(const StudyVerdict& verdict) {
  const std::string unit = verdict.of->unit.empty() ? "" : " " + verdict.of->unit;
  const auto text = [&](double low, double high) {
    return BoundsText(low, high) + (std::isnan(low) && std::isnan(high) ? "" : unit);
  };
  return {text(verdict.least, verdict.most), text(verdict.low, verdict.high)};
}

std::string RunWords(const StudyRun& run) {
  const std::size_t methods = run.plan.models(), cells = run.cells();
  if (run.suite != nullptr)
    return fmt::format("suite {}: {} question{} to {} method{}", run.suite->id, run.plan.points(),
                       run.plan.points() == 1 ? "" : "s", methods, methods == 1 ? "" : "s");
  return fmt::format("{}: {} cell{} of {} method{}", run.plan.base.scene->id, cells,
                     cells == 1 ? "" : "s", methods, methods == 1 ? "" : "s");
}

ReportTable MakeTable(const Study& study, const StudyTable& table, const StudyData& data) {
  const StudyRun& run = *study.FindRun(table.run);
  const TableExpression::Read read = [&](const ColumnRef& column) { return data.Read(column); };
  ReportTable made{table.title, {}};
  auto& heading = made.rows.emplace_back();
  for (const SweepAxis& axis : run.plan.axes) heading.push_back(axis.path);
  heading.emplace_back("method");
  heading.insert(heading.end(), table.columns.begin(), table.columns.end());
  std::vector<NumberList> numbers;
  for (const TableExpression& each : table.numbers) {
    const Result<NumberList> list = each.Evaluate(read);
    numbers.push_back(list ? *list : NumberList());
  }
  for (std::size_t index = 0; index < run.cells(); ++index) {
    auto& row = made.rows.emplace_back();
    const std::vector<double> values = run.plan.Values(index / run.plan.models());
    for (std::size_t i = 0; i < values.size(); ++i)
      row.push_back(ShortValue(*run.plan.axes[i].info, values[i]));
    const std::size_t m = index % run.plan.models();
    row.emplace_back(Info(run.plan.base.configs[m].method()).label);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double value = index < numbers[i].size() ? numbers[i][index] : kNaN;
      row.push_back(FormatQuantity(value, table.units[i]));
    }
  }
  return made;
}

std::string FigurePath(const Study& study, const std::string& figure) {
  return fmt::format("figures/{}-{}.svg", study.id, figure);
}

std::string PicturePath(const Study& study, const std::string& figure) {
  return fmt::format("figures/{}-{}.png", study.id, figure);
}

}  // namespace slip::app
