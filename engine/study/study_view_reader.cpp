// Reads the tables [[figure]], [[table]], [[picture]] and [[condition]] of a study.
#include <fmt/format.h>

#include <algorithm>

#include "engine/run/study/plan_check.h"
#include "engine/study/study_tables.h"

namespace slip {
namespace {

TableExpression::Resolve ResolverOf(const std::vector<StudyRun>& runs) {
  return [&runs](ColumnRef* column) { return ResolveColumn(runs, column); };
}

void ReadExpression(const TomlNode& at, std::string_view key, const std::string& text,
                    const std::vector<StudyRun>& runs, std::optional<TableExpression>* out,
                    Reporter* reporter) {
  const Result<TableExpression> made = TableExpression::Parse(text, ResolverOf(runs));
  if (made) {
    *out = *made;
  } else {
    reporter->Add(at, std::string(key) + ": " + made.error().message, made.error().hint);
  }
}

void NeedExpression(TableReader* table, const SceneKey& key, const std::vector<StudyRun>& runs,
                    std::optional<TableExpression>* out) {
  std::string text;
  if (NeedText(table, key, &text))
    ReadExpression(*table->Find(key), key.name, text, runs, out, &table->reporter());
}

/// A number, or an expression.
void ReadBound(TableReader* table, const SceneKey& key, const std::vector<StudyRun>& runs,
               std::optional<TableExpression>* out) {
  const TomlNode* node = table->Find(key);
  if (node == nullptr) return;
  if (node->kind == TomlNode::Kind::kNumber) {
    ReadExpression(*node, key.name, FormatNumber(node->number), runs, out, &table->reporter());
  } else if (node->kind == TomlNode::Kind::kText) {
    ReadExpression(*node, key.name, node->text, runs, out, &table->reporter());
  } else {
    table->reporter().Add(
        *node,
        std::string(key.name) + " must be a number or an expression (found " + node->Found() + ")");
  }
}

StudyPanel ReadPanel(const TomlNode& node, const std::vector<StudyRun>& runs, Reporter* reporter) {
  StudyPanel panel;
  TableReader table(node, kPanelSection, "[[figure.panel]]", reporter);
  std::string text;
  if (table.Text(RowOf(kPanelKeys, "y"), &text))
    ReadExpression(node, "y", text, runs, &panel.y, reporter);
  NeedText(&table, RowOf(kPanelKeys, "label"), &panel.label);
  table.Text(RowOf(kPanelKeys, "unit"), &panel.unit);
  table.Flag(RowOf(kPanelKeys, "log"), &panel.log);
  table.Flag(RowOf(kPanelKeys, "dots"), &panel.dots);
  ReadRange(&table, RowOf(kPanelKeys, "range"), &panel.from, &panel.to);
  for (const TomlNode* item : TablesIn(table.Find(RowOf(kPanelKeys, "lines")), reporter)) {
    StudyLine& line = panel.lines.emplace_back();
    TableReader row(*item, kLineSection, "lines", reporter);
    row.Number(RowOf(kLineKeys, "value"), &line.value);
    NeedText(&row, RowOf(kLineKeys, "label"), &line.label);
    row.Finish();
  }
  for (const TomlNode* item : TablesIn(table.Find(RowOf(kPanelKeys, "curves")), reporter)) {
    StudyCurve& curve = panel.curves.emplace_back();
    TableReader row(*item, kCurveSection, "curves", reporter);
    NeedText(&row, RowOf(kCurveKeys, "label"), &curve.label);
    NeedExpression(&row, RowOf(kCurveKeys, "y"), runs, &curve.y);
    if (row.Text(RowOf(kCurveKeys, "x"), &text))
      ReadExpression(*item, "x", text, runs, &curve.x, reporter);
    if (row.Text(RowOf(kCurveKeys, "model"), &curve.model) && !FindMethod(curve.model))
      reporter->Add(*item, "no model '" + curve.model.substr(0, 60) + "'",
                    DidYouMean(curve.model, MethodIds()));
    row.Finish();
  }
  if (node.Find("y") == nullptr && node.Find("curves") == nullptr)
    reporter->Add(node, "a panel needs y or curves");
  table.Finish();
  return panel;
}

/// Models and rows, by the brackets of an expression on the first column of the run.
void ReadWhere(TableReader* table, const std::vector<StudyRun>& runs, const StudyRun& run,
               StudyFigure* figure) {
  figure->where.run = run.id;
  figure->where.column = "steps";
  std::string text;
  if (!table->Text(RowOf(kFigureKeys, "where"), &text)) return;
  const bool timed = text.find("time<") != std::string::npos ||
                     text.find("time>") != std::string::npos ||
                     text.find("time=") != std::string::npos;
  std::optional<TableExpression> chosen;
  ReadExpression(*table->Find(RowOf(kFigureKeys, "where")), "where",
                 fmt::format("{}.{}[{}]", run.id, timed ? "time" : "steps", text), runs, &chosen,
                 &table->reporter());
  if (chosen && chosen->columns().size() == 1) figure->where = chosen->columns().front();
}

}  // namespace

StudyFigure ReadStudyFigure(const TomlNode& node, const std::vector<StudyRun>& runs,
                            Reporter* reporter) {
  StudyFigure figure;
  TableReader table(node, kFigureSection, "[[figure]]", reporter);
  NeedName(&table, RowOf(kFigureKeys, "id"), "-_", &figure.id);
  NeedText(&table, RowOf(kFigureKeys, "title"), &figure.title);
  NeedExpression(&table, RowOf(kFigureKeys, "x"), runs, &figure.x);
  NeedText(&table, RowOf(kFigureKeys, "x_label"), &figure.x_label);
  table.Text(RowOf(kFigureKeys, "x_unit"), &figure.x_unit);
  table.Flag(RowOf(kFigureKeys, "x_log"), &figure.x_log);
  ReadRange(&table, RowOf(kFigureKeys, "x_range"), &figure.x_from, &figure.x_to);
  table.Number(RowOf(kFigureKeys, "width"), &figure.width);
  table.Number(RowOf(kFigureKeys, "height"), &figure.height);
  for (const TomlNode* item : TablesIn(table.Find(RowOf(kFigureKeys, "panel")), reporter))
    figure.panels.push_back(ReadPanel(*item, runs, reporter));
  if (figure.panels.empty()) reporter->Add(node, "a figure needs a [[figure.panel]]");
  std::string by;
  const bool is_by = table.Text(RowOf(kFigureKeys, "by"), &by);
  const TomlNode* asked = table.Find(RowOf(kFigureKeys, "run"));
  if (NeedText(&table, RowOf(kFigureKeys, "run"), &figure.run)) {
    const auto run = std::find_if(runs.begin(), runs.end(),
                                  [&](const StudyRun& each) { return each.id == figure.run; });
    if (run == runs.end()) {
      reporter->Add(*asked, NoRun(runs, figure.run));
      table.SkipRest();
    } else {
      ReadWhere(&table, runs, *run, &figure);
      for (std::size_t i = 0; is_by && i < run->plan.axes.size(); ++i)
        if (run->plan.axes[i].path == by) figure.by = i;
      if (is_by && !figure.by) reporter->Add(*node.Find("by"), NoAxis(*run, by));
    }
  } else {
    table.SkipRest();
  }
  table.Finish();
  return figure;
}

StudyTable ReadStudyTable(const TomlNode& node, const std::vector<StudyRun>& runs,
                          Reporter* reporter) {
  StudyTable made;
  TableReader table(node, kTableSection, "[[table]]", reporter);
  NeedText(&table, RowOf(kTableKeys, "title"), &made.title);
  NeedText(&table, RowOf(kTableKeys, "run"), &made.run);
  table.Texts(RowOf(kTableKeys, "columns"), &made.columns);
  const auto run = std::find_if(runs.begin(), runs.end(),
                                [&](const StudyRun& each) { return each.id == made.run; });
  if (run == runs.end() && !made.run.empty())
    reporter->Add(*node.Find("run"), NoRun(runs, made.run));
  for (const std::string& column : made.columns) {
    if (run == runs.end()) break;
    std::optional<TableExpression> number;
    ReadExpression(*table.Find(RowOf(kTableKeys, "columns")), "columns", made.run + "." + column,
                   runs, &number, reporter);
    if (!number) continue;
    if (run->HasSampleColumn(column))
      reporter->Add(node, "columns: " + column + " has many numbers for each cell");
    made.numbers.push_back(*number);
    made.units.emplace_back();
    for (const StudyColumn& each : run->Columns())
      if (each.name == column) made.units.back() = each.unit;
  }
  if (made.columns.empty()) reporter->Add(node, "[[table]] needs columns");
  table.Finish();
  return made;
}

StudyPicture ReadStudyPicture(const TomlNode& node, const std::vector<StudyRun>& runs, bool quick,
                              Reporter* reporter) {
  constexpr std::size_t kMostFrames = 12;
  StudyPicture picture;
  TableReader table(node, kPictureSection, "[[picture]]", reporter);
  NeedName(&table, RowOf(kPictureKeys, "id"), "-_", &picture.id);
  NeedText(&table, RowOf(kPictureKeys, "title"), &picture.title);
  table.Number(RowOf(kPictureKeys, "width"), &picture.width);
  double end = kInfinity;
  if (NeedText(&table, RowOf(kPictureKeys, "run"), &picture.run)) {
    const auto run = std::find_if(runs.begin(), runs.end(),
                                  [&](const StudyRun& each) { return each.id == picture.run; });
    const TomlNode& at = *table.Find(RowOf(kPictureKeys, "run"));
    if (run == runs.end()) {
      reporter->Add(at, NoRun(runs, picture.run));
    } else if (run->suite != nullptr || run->plan.largest) {
      reporter->Add(
          at,
          "run: the cells of a suite, and those that look for a largest value, have no picture");
    } else {
      end = LatestEnd(run->plan.base);
    }
  }
  const TomlNode* times = table.Require(RowOf(kPictureKeys, "times"), "a list of times");
  if (times != nullptr && times->kind != TomlNode::Kind::kList)
    reporter->Add(*times, "times must be a list of times (found " + times->Found() + ")");
  for (const TomlNode& item : times != nullptr ? times->items : std::vector<TomlNode>()) {
    const auto time = QuantityOf(item, "times", "s", reporter);
    if (!time) continue;
    const bool rises = *time >= 0 && (picture.times.empty() || *time > picture.times.back());
    const bool beyond = *time > end * (1 + 1e-9);
    if (rises && beyond && quick) continue;
    if (!rises || beyond)
      reporter->Add(item, fmt::format("times must rise, from 0 to the end of the run at {} s",
                                      FormatNumber(end)));
    picture.times.push_back(*time);
  }
  if (picture.times.empty() || picture.times.size() > kMostFrames)
    reporter->Add(node, fmt::format("[[picture]] needs 1 to {} times (found {})", kMostFrames,
                                    picture.times.size()));
  table.Finish();
  return picture;
}

StudyCondition ReadStudyCondition(const TomlNode& node, const std::vector<StudyRun>& runs,
                                  bool quick, Reporter* reporter) {
  StudyCondition condition;
  TableReader table(node, kConditionSection, "[[condition]]", reporter);
  NeedName(&table, RowOf(kConditionKeys, "id"), "-_", &condition.id);
  NeedText(&table, RowOf(kConditionKeys, "text"), &condition.text);
  std::string mark;
  if (NeedText(&table, RowOf(kConditionKeys, "mark"), &mark)) {
    const auto at = std::find(std::begin(kStudyMarks), std::end(kStudyMarks), mark);
    if (at == std::end(kStudyMarks)) {
      reporter->Add(*table.Find(RowOf(kConditionKeys, "mark")),
                    "mark must be paper, derived or chosen (found '" + mark.substr(0, 60) + "')",
                    DidYouMean(mark, kStudyMarks));
    } else {
      condition.mark = static_cast<StudyMark>(at - std::begin(kStudyMarks));
    }
  }
  NeedExpression(&table, RowOf(kConditionKeys, "value"), runs, &condition.value);
  ReadBound(&table, RowOf(kConditionKeys, "low"), runs, &condition.low);
  ReadBound(&table, RowOf(kConditionKeys, "high"), runs, &condition.high);
  if (table.Find(RowOf(kConditionKeys, "low")) == nullptr &&
      table.Find(RowOf(kConditionKeys, "high")) == nullptr)
    reporter->Add(node, "[[condition]] needs low or high");
  table.Text(RowOf(kConditionKeys, "unit"), &condition.unit);
  table.Text(RowOf(kConditionKeys, "known"), &condition.known);
  bool in_quick = true;
  table.Flag(RowOf(kConditionKeys, "quick"), &in_quick);
  condition.is_left = quick && !in_quick;
  table.Finish();
  return condition;
}

}  // namespace slip
