// The keys of study files as data; see engine/scene/scene_keys.h.
#pragma once

#include "engine/run/study/run_plan.h"
#include "engine/scene/scene_keys.h"

namespace slip {

// clang-format off
inline constexpr SceneKey kStudyKeys[] = {
    {.name = "schema", .kind = KeyKind::kText, .needed = true, .doc = "\"slipscope.study/1\"."},
    {.name = "title", .kind = KeyKind::kText, .needed = true, .doc = "What it is about."},
    {.name = "source", .kind = KeyKind::kText, .doc = "Paper and figure."},
    {.name = "shows", .kind = KeyKind::kText, .doc = "What the paper shows, a sentence."},
    {.name = "story", .kind = KeyKind::kText, .needed = true, .doc = "One paragraph on agreement and difference."},
    {.name = "run", .form = "tables [[run]]", .needed = true, .doc = "What is simulated."},
    {.name = "figure", .form = "tables [[figure]]", .doc = "What is drawn."},
    {.name = "table", .form = "tables [[table]]", .doc = "Numbers of cells in the report."},
    {.name = "picture", .form = "tables [[picture]]", .doc = "Frames of a run."},
    {.name = "condition", .form = "tables [[condition]]", .doc = "What must hold."},
};
inline constexpr SceneKey kRunKeys[] = {
    {.name = "id", .kind = KeyKind::kText, .needed = true, .doc = "Its name in expressions and files."},
    {.name = "scene", .kind = KeyKind::kText, .doc = "Name of a scene, or a file beside the study; needed but for a suite."},
    {.name = "suite", .kind = KeyKind::kText, .doc = "Name of a suite, or a file beside the study: its questions, put to all methods, are the cells."},
    {.name = "methods", .kind = KeyKind::kTexts, .otherwise = "the scene's, of a suite all", .doc = "Their ids; an empty list is as none."},
    {.name = "set", .kind = KeyKind::kTexts, .doc = "Parameters, \"path=value[unit]\" or \"path@model=value\"."},
    {.name = "axes", .kind = KeyKind::kTexts, .doc = "What is varied, \"path=v1,v2\" or \"path=log:a:b:n\", the first one slowest."},
    {.name = "quick_axes", .kind = KeyKind::kTexts, .otherwise = "axes", .doc = "The same with --quick."},
    {.name = "derive", .kind = KeyKind::kTexts, .doc = "What follows, as of sweep: \"damping=2*zeta*sqrt(stiffness)\"; a name without a parameter has an axis."},
    {.name = "duration", .kind = KeyKind::kNumber, .unit = "s", .range = {0, 1e6, true}, .otherwise = "the scene's", .doc = "Length of each cell."},
    {.name = "quick_duration", .kind = KeyKind::kNumber, .unit = "s", .range = {0, 1e6, true}, .otherwise = "duration", .doc = "The same with --quick."},
    {.name = "from", .kind = KeyKind::kNumber, .unit = "s", .range = {0, 1e6}, .doc = "Metrics count steps from here on."},
    {.name = "to", .kind = KeyKind::kNumber, .unit = "s", .range = {0, 1e6}, .doc = "And up to here."},
    {.name = "metrics", .form = "a table {name = \"expression\"} or {name = {of, from, to}}", .doc = "Numbers of each cell, as of --expect, or median(SIGNAL)."},
    {.name = "series", .kind = KeyKind::kTexts, .doc = "Signals that are kept over time."},
    {.name = "series_from", .kind = KeyKind::kNumber, .unit = "s", .range = {0, 1e6}, .doc = "From here on."},
    {.name = "series_to", .kind = KeyKind::kNumber, .unit = "s", .range = {0, 1e6}, .doc = "Up to here."},
    {.name = "every", .kind = KeyKind::kWhole, .range = {1, 1e9}, .otherwise = "1", .doc = "Every so many steps."},
    {.name = "reference", .form = "a table {method, set, grid, of, scale}", .doc = "The run that errors are measured against."},
    {.name = "local_error", .kind = KeyKind::kNumber, .unit = "s", .range = {1e-6, 1e3}, .doc = "Tick: error after it from the state of a ground truth."},
    {.name = "truth", .kind = KeyKind::kText, .otherwise = "each method's own", .doc = "Method of the ground truth."},
    {.name = "foretell", .kind = KeyKind::kNumber, .unit = "s", .range = {kLeastDuration, kMostDuration}, .doc = "Span over which normal forces that the method foretells are compared with the run's."},
    {.name = "foretell_every", .kind = KeyKind::kNumber, .unit = "s", .range = {kLeastDuration, kMostDuration}, .otherwise = "foretell", .doc = "From each multiple of it on."},
    {.name = "largest", .kind = KeyKind::kText, .doc = "\"path=low,high\": each cell is that with the largest value at which it is bounded."},
    {.name = "stable", .kind = KeyKind::kText, .doc = "With largest: a condition that has to hold, too, as of --expect."},
    {.name = "quick", .kind = KeyKind::kFlag, .otherwise = "true", .doc = "false: not made with --quick."},
};
inline constexpr SceneKey kMetricKeys[] = {
    {.name = "of", .kind = KeyKind::kText, .needed = true, .doc = "An expression, or median(SIGNAL)."},
    {.name = "from", .kind = KeyKind::kNumber, .unit = "s", .range = {0, 1e6}, .doc = "Instead of the run's."},
    {.name = "to", .kind = KeyKind::kNumber, .unit = "s", .range = {0, 1e6}, .doc = "Instead of the run's."},
};
inline constexpr SceneKey kReferenceKeys[] = {
    {.name = "method", .kind = KeyKind::kText, .needed = true, .doc = "Its method."},
    {.name = "set", .kind = KeyKind::kTexts, .needed = true, .doc = "Its parameters, the time step among them."},
    {.name = "grid", .kind = KeyKind::kNumber, .unit = "s", .range = {0, 1e3, true}, .otherwise = "the largest time step", .doc = "Errors are looked at in multiples of it."},
    {.name = "of", .kind = KeyKind::kTexts, .needed = true, .doc = "Signals whose differences count."},
    {.name = "scale", .form = "a list of numbers", .otherwise = "1 for each", .doc = "What each is multiplied with."},
};
inline constexpr SceneKey kFigureKeys[] = {
    {.name = "id", .kind = KeyKind::kText, .needed = true, .doc = "Name of its file."},
    {.name = "title", .kind = KeyKind::kText, .needed = true, .doc = "A line above it."},
    {.name = "run", .kind = KeyKind::kText, .needed = true, .doc = "Whose cells are drawn."},
    {.name = "x", .kind = KeyKind::kText, .needed = true, .doc = "Expression of the x axis."},
    {.name = "x_label", .kind = KeyKind::kText, .needed = true, .doc = "What it is."},
    {.name = "x_unit", .kind = KeyKind::kText, .doc = "SI."},
    {.name = "x_log", .kind = KeyKind::kFlag, .doc = "A logarithmic axis."},
    {.name = "x_range", .form = "two numbers", .doc = "Its ends."},
    {.name = "where", .kind = KeyKind::kText, .doc = "Models and rows, as in brackets of expressions."},
    {.name = "by", .kind = KeyKind::kText, .doc = "Axis of which each value is a curve."},
    {.name = "width", .kind = KeyKind::kNumber, .range = {40, 400}, .otherwise = "140", .doc = "In mm."},
    {.name = "height", .kind = KeyKind::kNumber, .range = {30, 400}, .otherwise = "70", .doc = "Of each panel, in mm."},
    {.name = "panel", .form = "tables {y, label, unit, log, range, lines, curves}", .needed = true, .doc = "Pairs of axes, one below the other."},
};
inline constexpr SceneKey kPanelKeys[] = {
    {.name = "y", .kind = KeyKind::kText, .doc = "Expression; a curve for each model."},
    {.name = "label", .kind = KeyKind::kText, .needed = true, .doc = "What it is."},
    {.name = "unit", .kind = KeyKind::kText, .doc = "SI."},
    {.name = "log", .kind = KeyKind::kFlag, .doc = "A logarithmic axis."},
    {.name = "dots", .kind = KeyKind::kFlag, .doc = "Marks alone."},
    {.name = "range", .form = "two numbers", .doc = "Its ends."},
    {.name = "lines", .form = "tables {value, label}", .doc = "Reference lines."},
    {.name = "curves", .form = "tables {label, y, x, model}", .doc = "Single curves."},
};
inline constexpr SceneKey kLineKeys[] = {
    {.name = "value", .kind = KeyKind::kNumber, .needed = true, .doc = "Where, in SI."},
    {.name = "label", .kind = KeyKind::kText, .needed = true, .doc = "What it is."},
};
inline constexpr SceneKey kCurveKeys[] = {
    {.name = "label", .kind = KeyKind::kText, .needed = true, .doc = "What it is."},
    {.name = "y", .kind = KeyKind::kText, .needed = true, .doc = "Expression."},
    {.name = "x", .kind = KeyKind::kText, .otherwise = "the figure's", .doc = "Expression."},
    {.name = "model", .kind = KeyKind::kText, .otherwise = "grey", .doc = "Whose colour it has."},
};
inline constexpr SceneKey kTableKeys[] = {
    {.name = "title", .kind = KeyKind::kText, .needed = true, .doc = "A line above it."},
    {.name = "run", .kind = KeyKind::kText, .needed = true, .doc = "Whose cells are its rows."},
    {.name = "columns", .kind = KeyKind::kTexts, .needed = true, .doc = "Metrics and other numbers."},
};
inline constexpr SceneKey kPictureKeys[] = {
    {.name = "id", .kind = KeyKind::kText, .needed = true, .doc = "Name of its file."},
    {.name = "title", .kind = KeyKind::kText, .needed = true, .doc = "A line above it."},
    {.name = "run", .kind = KeyKind::kText, .needed = true, .doc = "Whose first cell is shown, with as many of the models as a window has."},
    {.name = "times", .form = "a list of times in s, rising", .needed = true, .doc = "A frame at each, at most 12."},
    {.name = "width", .kind = KeyKind::kNumber, .range = {40, 400}, .otherwise = "140", .doc = "In mm."},
};
inline constexpr SceneKey kConditionKeys[] = {
    {.name = "id", .kind = KeyKind::kText, .needed = true, .doc = "Its name."},
    {.name = "mark", .kind = KeyKind::kText, .needed = true, .doc = "paper, derived or chosen: where it comes from."},
    {.name = "text", .kind = KeyKind::kText, .needed = true, .doc = "The statement."},
    {.name = "value", .kind = KeyKind::kText, .needed = true, .doc = "Expression; all its numbers count."},
    {.name = "low", .form = "a number or an expression", .doc = "The least that it may be."},
    {.name = "high", .form = "a number or an expression", .doc = "The most that it may be."},
    {.name = "unit", .kind = KeyKind::kText, .doc = "SI, of the value."},
    {.name = "known", .kind = KeyKind::kText, .doc = "Why it is not reproduced: it then must not hold."},
    {.name = "quick", .kind = KeyKind::kFlag, .otherwise = "true", .doc = "false: not asked with --quick."},
};
// clang-format on
inline constexpr SceneSection kStudySection{.name = "(study)", .keys = kStudyKeys};
inline constexpr SceneSection kStudyRunSection{.name = "[[run]]", .keys = kRunKeys};
inline constexpr SceneSection kStudyMetricSection{.name = "[run.metrics]", .keys = kMetricKeys};
inline constexpr SceneSection kReferenceSection{.name = "[run.reference]", .keys = kReferenceKeys};
inline constexpr SceneSection kFigureSection{.name = "[[figure]]", .keys = kFigureKeys};
inline constexpr SceneSection kPanelSection{.name = "[[figure.panel]]", .keys = kPanelKeys};
inline constexpr SceneSection kLineSection{.name = "lines", .keys = kLineKeys};
inline constexpr SceneSection kCurveSection{.name = "curves", .keys = kCurveKeys};
inline constexpr SceneSection kTableSection{.name = "[[table]]", .keys = kTableKeys};
inline constexpr SceneSection kPictureSection{.name = "[[picture]]", .keys = kPictureKeys};
inline constexpr SceneSection kConditionSection{.name = "[[condition]]", .keys = kConditionKeys};

}  // namespace slip
