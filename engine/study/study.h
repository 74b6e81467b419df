// A study: runs of scenes over parameters, figures of their numbers, and statements about them that
// a machine can check. Studies are files, scenes/studies/NAME.toml, or anybody's own.
//
// The runs of a study are independent cells, one per value of the axes and method. A cell gives a
// row of numbers, and samples of signals over time where the study asks for them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/run/study/suite.h"
#include "engine/run/study/sweep_plan.h"
#include "engine/sim/expression.h"
#include "engine/study/table_expression.h"

namespace slip {

inline constexpr std::string_view kStudySchema = "slipscope.study/1";

/// A span of time [s]; steps that end within it count.
struct StudySpan {
  double from = 0, to = kInfinity;
  bool operator==(const StudySpan&) const = default;
};

/// A number of each cell.
struct StudyMetric {
  std::string name;
  std::optional<Expression> of;  ///< of the reductions of signals
  std::optional<Signal> median;  ///< or the median of one
  std::string unit;
  StudySpan span;
  bool is_wall = false;  ///< a wall time: no result
};

/// The run that errors are measured against: of the same scene and axes but for the time step.
struct StudyReference {
  std::optional<RunPlan> plan;  ///< its one channel
  double grid = 0;              ///< errors are looked at in multiples of it [s]
  std::vector<Signal> signals;  ///< whose differences count; angles are followed over full turns
  std::vector<double> scales;   ///< of each
};

/// Forces that a method foretells, compared with its own, see foretold_check.h.
struct StudyForetold {
  double span = 0, every = 0;  ///< [s]
};

/// A column of a run's table.
struct StudyColumn {
  std::string name, unit, doc;
  bool is_wall = false;
};

/// Cells of one scene.
struct StudyRun {
  std::string id;
  SweepPlan plan;
  std::vector<StudyMetric> metrics;
  std::vector<Signal> series;
  StudySpan series_span;
  int every = 1;  ///< every so many steps are samples
  std::optional<StudyReference> reference;
  std::optional<StudyForetold> foretell;
  /// Its cells are answers to a suite, one a question and method, instead of runs of the scene; the
  /// axis counts the questions from 1.
  std::shared_ptr<const Suite> suite;
  std::optional<Expression> stable;  ///< beside being bounded, where the plan looks for the largest
  bool is_left = false;              ///< not made in a quick study

  std::size_t cells() const { return is_left ? 0 : plan.runs(); }
  /// Numbers of a cell besides its axes; the same in every part.
  std::vector<StudyColumn> Columns() const;
  /// Of its samples: time, then the signals.
  std::vector<StudyColumn> SampleColumns() const;
  bool HasColumn(std::string_view name) const;
  bool HasSampleColumn(std::string_view name) const;

 private:
  static std::vector<StudyColumn> SuiteColumns();
};

/// A curve that is asked for by itself.
struct StudyCurve {
  std::string label;
  std::optional<TableExpression> x, y;  ///< without x: the figure's
  std::string model;                    ///< whose colour it has; empty = grey and dotted
};

/// A reference line at a value.
struct StudyLine {
  double value = 0;
  std::string label;
};

/// One pair of axes.
struct StudyPanel {
  std::optional<TableExpression> y;  ///< a curve for each model, and value of `by`
  std::vector<StudyCurve> curves;
  std::string label, unit;
  bool log = false;
  bool dots = false;              ///< marks alone, without lines between them
  double from = kNaN, to = kNaN;  ///< NaN = as the data want it
  std::vector<StudyLine> lines;
};

struct StudyFigure {
  std::string id, title;
  std::string run;                   ///< whose cells the curves are
  std::optional<TableExpression> x;  ///< of all panels
  std::string x_label, x_unit;
  bool x_log = false;
  double x_from = kNaN, x_to = kNaN;
  ColumnRef where;                ///< which models and rows of the run
  std::optional<std::size_t> by;  ///< axis of which each value is a curve, too
  std::vector<StudyPanel> panels;
  double width = 140, height = 70;  ///< of the figure, and of each panel [mm]
};

/// Numbers of each cell of a run, for the report.
struct StudyTable {
  std::string title, run;
  std::vector<std::string> columns;
  std::vector<TableExpression> numbers;  ///< RUN.COLUMN of each
  std::vector<std::string> units;
};

/// Frames of a run's first cell, for the report.
struct StudyPicture {
  std::string id, title, run;
  std::vector<double> times;  ///< rising, none later than the run [s]
  double width = 140;         ///< of all of it [mm]
};

/// Where a statement comes from.
enum class StudyMark : int {
  kPaper,    ///< said in the paper's text
  kDerived,  ///< follows from its equations
  kChosen    ///< our value or tolerance
};
inline constexpr std::string_view kStudyMarks[] = {"paper", "derived", "chosen"};

/// A statement: all numbers of `value` lie between low and high.
struct StudyCondition {
  std::string id, text;
  StudyMark mark = StudyMark::kChosen;
  std::optional<TableExpression> value, low, high;
  std::string unit;
  std::string known;     ///< why it is not reproduced; empty = it has to hold
  bool is_left = false;  ///< not asked of a quick study
};

struct Study {
  std::string id, file, text;  ///< of its file
  std::string title, source, shows, story;
  bool is_quick = false;
  std::vector<StudyRun> runs;
  std::vector<StudyFigure> figures;
  std::vector<StudyTable> tables;
  std::vector<StudyPicture> pictures;
  std::vector<StudyCondition> conditions;

  const StudyRun* FindRun(std::string_view id) const;
  std::size_t cells() const;
};

/// Names of the studies that come with the program.
std::vector<std::string> ListStudies();
/// One of them, or a file. `quick`: with the values that its file gives for that.
Result<Study> FindStudy(const std::string& name, bool quick);
/// The same from text; `name` stands for the file in messages, and scenes are looked for beside it.
Result<Study> ReadStudy(const std::string& text, const std::string& name, bool quick);
/// Whether a file says that it is a study.
bool IsStudyFile(const std::string& path);

/// Looks a column of an expression up among the runs, and fills in the numbers of its filters.
std::optional<Error> ResolveColumn(const std::vector<StudyRun>& runs, ColumnRef* column);

}  // namespace slip
