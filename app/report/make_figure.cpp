// Curves of a figure from a study's numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/report/report_words.h"
#include "engine/core/quantity_text.h"

namespace slip::app {
namespace {

constexpr std::size_t kMostMarked = 40;

/// One more choice for every column of a run.
struct CurveChoice {
  const StudyFigure* figure;
  std::string model;  ///< empty = as the figure chooses
  const SweepAxis* axis = nullptr;
  double value = 0;  ///< of the axis
};

NumberList Evaluate(const TableExpression& expression, const StudyData& data,
                    const CurveChoice& choice) {
  const TableExpression::Read read = [&](const ColumnRef& asked) {
    ColumnRef column = asked;
    if (column.run == choice.figure->run) {
      if (!choice.model.empty() && column.models.empty()) column.models = {choice.model};
      for (const ColumnFilter& filter : choice.figure->where.filters)
        column.filters.push_back(filter);
      if (choice.axis != nullptr)
        column.filters.push_back({choice.axis->path, FilterSign::kEqual, "", choice.value});
    }
    return data.Read(column);
  };
  const Result<NumberList> list = expression.Evaluate(read);
  return list ? *list : NumberList();
}

/// Nothing where no point has both numbers. Lists of different lengths are no points: the key says
/// so.
void AddCurve(FigureCurve curve, FigurePanel* panel) {
  const std::size_t count = curve.y.size();
  if (curve.x.size() != count && !curve.x.empty() && count > 0) {
    curve.label += fmt::format(": x has {} numbers, y {}", curve.x.size(), count);
    curve.x = curve.y = {kNaN};
    panel->curves.push_back(std::move(curve));
    return;
  }
  if (curve.x.empty() || count == 0) return;
  bool any = false;
  for (std::size_t i = 0; i < count && !any; ++i)
    any = std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]);
  if (!any) return;
  curve.points = curve.method.has_value() && (curve.dots || count <= kMostMarked);
  panel->curves.push_back(std::move(curve));
}

void AddModels(const StudyRun& run, const StudyFigure& figure, const TableExpression& y,
               const StudyData& data, FigurePanel* panel) {
  const SweepAxis* axis = figure.by ? &run.plan.axes[*figure.by] : nullptr;
  const std::vector<double> one = {0};
  const std::vector<double>& values = axis != nullptr ? axis->values : one;
  const auto& chosen = figure.where.models;
  for (std::size_t m = 0; m < run.plan.models(); ++m) {
    const std::string& model = run.plan.base.labels[m];
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), model) == chosen.end()) continue;
    const MethodId method = run.plan.base.configs[m].method();
    for (std::size_t v = 0; v < values.size(); ++v) {
      const CurveChoice choice{&figure, model, axis, values[v]};
      FigureCurve curve;
      curve.label = Info(method).label;
      curve.method = method;
      curve.dots = panel->dots;
      curve.solid = run.plan.models() == 1 || chosen.size() == 1;
      if (axis != nullptr) {
        const std::string value = ShortValue(*axis->info, values[v]);
        curve.label = curve.solid ? value : curve.label + ", " + value;
        const float part =
            values.size() > 1 ? static_cast<float>(v) / static_cast<float>(values.size() - 1) : 0;
        curve.alpha = 1 - 0.6f * part;
      }
      curve.x = Evaluate(*figure.x, data, choice);
      curve.y = Evaluate(y, data, choice);
      AddCurve(std::move(curve), panel);
    }
  }
}

}  // namespace

Figure MakeFigure(const Study& study, const StudyFigure& figure, const StudyData& data) {
  Figure made;
  made.id = figure.id;
  // for references within a page: a file's name may have any letters
  made.name = study.id + "-" + figure.id;
  for (char& c : made.name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  made.title = figure.title;
  made.x_label = figure.x_label;
  made.x_unit = figure.x_unit;
  made.x_log = figure.x_log;
  made.x_from = figure.x_from;
  made.x_to = figure.x_to;
  made.width = figure.width;
  made.height = figure.height;
  const StudyRun& run = *study.FindRun(figure.run);
  for (const StudyPanel& asked : figure.panels) {
    FigurePanel panel{.label = asked.label,
                      .unit = asked.unit,
                      .log = asked.log,
                      .dots = asked.dots,
                      .from = asked.from,
                      .to = asked.to,
                      .lines = asked.lines,
                      .curves = {}};
    if (asked.y) AddModels(run, figure, *asked.y, data, &panel);
    std::size_t guides = 0;
    for (const StudyCurve& each : asked.curves) {
      const CurveChoice choice{&figure, "", nullptr, 0};
      FigureCurve curve;
      curve.label = each.label;
      curve.method = FindMethod(each.model);
      if (!curve.method) curve.guide = guides++;
      curve.dots = panel.dots && curve.method;
      curve.x = Evaluate(each.x ? *each.x : *figure.x, data, choice);
      curve.y = Evaluate(*each.y, data, choice);
      AddCurve(std::move(curve), &panel);
    }
    made.panels.push_back(std::move(panel));
  }
  return made;
}

}  // namespace slip::app
