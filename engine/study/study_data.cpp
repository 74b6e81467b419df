#include "engine/study/study_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/run/study/sweep_lines.h"

namespace slip {
namespace {

double NumberOf(std::string_view text) {
  double number = kNaN;
  const char* end = text.data() + text.size();
  return std::from_chars(text.data(), end, number).ptr == end ? number : kNaN;
}

bool Passes(FilterSign sign, double value, double limit) {
  // values come from texts: a rounding error is none
  const double slack = 1e-9 * std::abs(limit) + 1e-300;
  switch (sign) {
    case FilterSign::kEqual:
      return std::abs(value - limit) <= slack;
    case FilterSign::kLess:
      return value < limit - slack;
    case FilterSign::kLessEqual:
      return value <= limit + slack;
    case FilterSign::kGreater:
      return value > limit + slack;
    case FilterSign::kGreaterEqual:
      return value >= limit - slack;
  }
  return false;
}

/// Whether a cell is one that the column is asked of.
bool IsChosen(const StudyRun& run, std::size_t index, const ColumnRef& column) {
  const std::string& label = run.plan.base.labels[index % run.plan.models()];
  if (!column.models.empty() &&
      std::find(column.models.begin(), column.models.end(), label) == column.models.end())
    return false;
  const std::vector<double> values = run.plan.Values(index / run.plan.models());
  for (const ColumnFilter& filter : column.filters) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (run.plan.axes[i].path == filter.name && !Passes(filter.sign, values[i], filter.number))
        return false;
  }
  return true;
}

}  // namespace

StudyData::StudyData(const Study& study) : study_(study), runs_(study.runs.size()) {
  for (const StudyFigure& figure : study.figures) {
    Want(figure.x);
    for (const StudyPanel& panel : figure.panels) {
      Want(panel.y);
      for (const StudyCurve& curve : panel.curves) {
        Want(curve.x);
        Want(curve.y);
      }
    }
  }
  for (const StudyTable& table : study.tables)
    for (const TableExpression& number : table.numbers) Want(number);
  for (const StudyCondition& condition : study.conditions) {
    Want(condition.value);
    Want(condition.low);
    Want(condition.high);
  }
}

void StudyData::Want(const std::optional<TableExpression>& expression) {
  if (!expression) return;
  for (const ColumnRef& column : expression->columns()) {
    const StudyRun* run = study_.FindRun(column.run);
    RunData& data = runs_[static_cast<std::size_t>(run - study_.runs.data())];
    if (!run->HasSampleColumn(column.column)) {
      data.rows[column.column].resize(run->cells(), kNaN);
      continue;
    }
    for (const std::string& name : {std::string("time"), column.column})
      if (std::find(data.sampled.begin(), data.sampled.end(), name) == data.sampled.end())
        data.sampled.push_back(name);
    data.samples.resize(run->cells());
  }
}

void StudyData::Add(std::size_t at, std::size_t index, const StudyCell& cell) {
  const StudyRun& run = study_.runs[at];
  RunData& data = runs_[at];
  const std::vector<std::string> cells = SplitCells(cell.row);
  const std::vector<StudyColumn> columns = run.Columns();
  const std::size_t begin = StudyRowBegin(run);
  for (auto& [name, list] : data.rows) {
    for (std::size_t i = 0; i < run.plan.axes.size(); ++i)
      if (run.plan.axes[i].path == name)
        list[index] = run.plan.Values(index / run.plan.models())[i];
    for (std::size_t i = 0; i < columns.size() && begin + i < cells.size(); ++i)
      if (columns[i].name == name) list[index] = NumberOf(cells[begin + i]);
  }
  if (data.samples.empty()) return;
  const std::vector<StudyColumn> sampled = run.SampleColumns();
  std::vector<NumberList*> lists;  // of each column of a sample; null = not wanted
  for (const StudyColumn& column : sampled) {
    const bool wanted =
        std::find(data.sampled.begin(), data.sampled.end(), column.name) != data.sampled.end();
    lists.push_back(wanted ? &data.samples[index].columns[column.name] : nullptr);
    if (wanted) lists.back()->reserve(cell.samples.size());
  }
  for (const std::string& sample : cell.samples) {
    std::size_t from = 0;
    for (NumberList* list : lists) {
      const std::size_t end = std::min(sample.find(',', from), sample.size());
      if (list != nullptr)
        list->push_back(NumberOf(std::string_view(sample).substr(from, end - from)));
      from = std::min(end + 1, sample.size());
    }
  }
}

NumberList StudyData::Read(const ColumnRef& column) const {
  const StudyRun* run = study_.FindRun(column.run);
  const RunData& data = runs_[static_cast<std::size_t>(run - study_.runs.data())];
  const auto row = data.rows.find(column.column);
  NumberList out;
  for (std::size_t index = 0; index < run->cells(); ++index) {
    if (!IsChosen(*run, index, column)) continue;
    if (row != data.rows.end()) {
      out.push_back(row->second[index]);
      continue;
    }
    if (index >= data.samples.size()) continue;
    const auto& columns = data.samples[index].columns;
    const auto values = columns.find(column.column), times = columns.find("time");
    if (values == columns.end() || times == columns.end()) continue;
    for (std::size_t i = 0; i < values->second.size(); ++i) {
      bool passes = true;
      for (const ColumnFilter& filter : column.filters)
        passes = passes &&
                 (filter.name != "time" || Passes(filter.sign, times->second[i], filter.number));
      if (passes) out.push_back(values->second[i]);
    }
  }
  return out;
}

std::string_view Name(StudyAnswer answer) {
  constexpr std::string_view kNames[] = {"holds", "not reproduced", "false", "holds now",
                                         "left out"};
  return kNames[static_cast<int>(answer)];
}

bool StudyVerdict::Fails() const {
  return answer == StudyAnswer::kHoldsNow ||
         (answer == StudyAnswer::kFalse && of->mark != StudyMark::kChosen);
}

namespace {

/// Why an expression has no numbers: what it names has none.
std::string WhyNone(const TableExpression& of, const TableExpression::Read& read) {
  for (const ColumnRef& column : of.columns())
    if (read(column).empty())
      return fmt::format("'{}' has no number: {} {}", of.text(), column.run + "." + column.column,
                         column.models.empty() && column.filters.empty()
                             ? "was not measured"
                             : "matches nothing with its selection");
  return fmt::format("'{}' has no number", of.text());
}

/// The numbers of a bound; `none` where there is none.
Result<NumberList> BoundOf(const std::optional<TableExpression>& bound, double none,
                           const TableExpression::Read& read) {
  if (!bound) return NumberList{none};
  Result<NumberList> found = bound->Evaluate(read);
  if (found && found->empty()) return Error{.message = WhyNone(*bound, read)};
  return found;
}

/// One for each measured number.
Status Widen(std::size_t count, Result<NumberList>* bound) {
  if (!bound->ok()) return bound->errors();
  const std::size_t found = (*bound)->size();
  if (found == 1) *bound = NumberList(count, (*bound)->front());
  if (found == 1 || found == count) return Ok{};
  return Error{.message = fmt::format("a bound of {} values for {}", found, count)};
}

/// What was expected is told, whether or not there is a number to hold against it.
void SetBounds(const Result<NumberList>& low, const Result<NumberList>& high,
               StudyVerdict* verdict) {
  if (verdict->of->low && low) verdict->low = *std::max_element(low->begin(), low->end());
  if (verdict->of->high && high) verdict->high = *std::min_element(high->begin(), high->end());
}

StudyVerdict Judge(const StudyCondition& of, const TableExpression::Read& read) {
  StudyVerdict verdict{.of = &of, .note = {}};
  if (of.is_left) return ExpectationOf(of);
  const Result<NumberList> value = of.value->Evaluate(read);
  const std::size_t count = value ? value->size() : 0;
  Result<NumberList> low = BoundOf(of.low, -kInfinity, read);
  Result<NumberList> high = BoundOf(of.high, kInfinity, read);
  SetBounds(low, high, &verdict);
  if (!value) verdict.note = value.error().message;
  if (value && count == 0) verdict.note = WhyNone(*of.value, read);
  for (Result<NumberList>* bound : {&low, &high})
    if (const Status fits = Widen(count, bound); !fits && verdict.note.empty())
      verdict.note = fits.error().message;
  bool holds = verdict.note.empty();
  for (std::size_t i = 0; holds && i < count; ++i)
    holds = (*value)[i] >= (*low)[i] && (*value)[i] <= (*high)[i];
  if (verdict.note.empty()) {
    const bool any_nan =
        std::any_of(value->begin(), value->end(), [](double each) { return std::isnan(each); });
    if (any_nan) verdict.note = "something was not measured";
    const auto [least, most] = std::minmax_element(value->begin(), value->end());
    verdict.least = any_nan ? kNaN : *least;
    verdict.most = any_nan ? kNaN : *most;
  }
  verdict.answer = holds ? (of.known.empty() ? StudyAnswer::kHolds : StudyAnswer::kHoldsNow)
                         : (of.known.empty() ? StudyAnswer::kFalse : StudyAnswer::kNotReproduced);
  return verdict;
}

}  // namespace

StudyVerdict ExpectationOf(const StudyCondition& of) {
  const TableExpression::Read none = [](const ColumnRef&) { return NumberList(); };
  StudyVerdict verdict{.of = &of, .note = {}};
  SetBounds(BoundOf(of.low, -kInfinity, none), BoundOf(of.high, kInfinity, none), &verdict);
  return verdict;
}

std::vector<StudyVerdict> JudgeStudy(const Study& study, const StudyData& data) {
  const TableExpression::Read read = [&](const ColumnRef& column) { return data.Read(column); };
  std::vector<StudyVerdict> verdicts;
  for (const StudyCondition& condition : study.conditions)
    verdicts.push_back(Judge(condition, read));
  return verdicts;
}

std::string BoundsText(double low, double high) {
  if (std::isnan(low) && std::isnan(high)) return "–";
  if (std::isnan(low)) return fmt::format("≤ {:.5g}", high);
  if (std::isnan(high)) return fmt::format("≥ {:.5g}", low);
  const std::string a = fmt::format("{:.5g}", low), b = fmt::format("{:.5g}", high);
  return a == b ? a : a + " … " + b;
}

}  // namespace slip
