#include "app/report/figure_axes.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace slip::app {
namespace {

template <class Each>
AxisRange Extent(Each each, bool log) {
  AxisRange range{kInfinity, -kInfinity};
  each([&](double value) {
    if (!std::isfinite(value) || (log && value <= 0)) return;
    range.min = std::min(range.min, value);
    range.max = std::max(range.max, value);
  });
  if (range.min > range.max) range = {log ? 0.1 : 0, 1};
  return range;
}

void FitX(const Figure& figure, FigureAxes* axes) {
  FigureAxis& x = axes->x;
  x.scale = figure.x_log ? AxisScale::kLog : AxisScale::kLinear;
  std::set<double> values;
  AxisRange data = Extent(
      [&](auto add) {
        for (const FigurePanel& panel : figure.panels)
          for (const FigureCurve& curve : panel.curves)
            for (const double each : curve.x) {
              add(each);
              if (curve.points && std::isfinite(each)) values.insert(each);
            }
      },
      figure.x_log);
  if (figure.x_log) {
    const double air = std::pow(data.max / data.min, 0.04);
    data = data.max > data.min ? AxisRange{data.min / air, data.max * air}
                               : AxisRange{data.min / 2, data.max * 2};
  } else if (!values.empty()) {
    data = AutoFit(AxisScale::kLinear, data, {}, false);
  }
  // what begins with the first step begins at 0
  if (!figure.x_log && data.min > 0 && data.min < 0.02 * data.max) data.min = 0;
  if (!std::isnan(figure.x_from)) data = {figure.x_from, figure.x_to};
  if (!(data.max > data.min)) data = {data.min - 0.5, data.max + 0.5};
  x.range = data;
  x.unit = ChooseUnit(data, x.scale, figure.x_unit);
  if (figure.x_log && !values.empty() && values.size() <= 9)
    axes->x_values.assign(values.begin(), values.end());
}

FigureAxis FitY(const FigurePanel& panel, const FigureAxis& x) {
  FigureAxis y;
  y.scale = panel.log ? AxisScale::kLog : AxisScale::kLinear;
  const AxisRange data = Extent(
      [&](auto add) {
        for (const FigureCurve& curve : panel.curves)
          for (std::size_t i = 0; i < curve.y.size(); ++i)
            if (curve.x[i] >= x.range.min && curve.x[i] <= x.range.max) add(curve.y[i]);
        for (const StudyLine& line : panel.lines) add(line.value);
      },
      panel.log);
  y.range =
      std::isnan(panel.from) ? AutoFit(y.scale, data, {}, false) : AxisRange{panel.from, panel.to};
  y.unit = ChooseUnit(y.range, y.scale, panel.unit);
  return y;
}

}  // namespace

std::vector<Tick> FigureAxes::XTicks(int most) const {
  if (x_values.empty()) return MakeTicks(x.scale, x.range, most, x.unit.factor);
  std::vector<Tick> ticks;
  for (const double value : x_values)
    ticks.push_back({value, true, fmt::format("{:.4g}", value * x.unit.factor)});
  return ticks;
}

FigureAxes FitFigure(const Figure& figure) {
  FigureAxes axes;
  FitX(figure, &axes);
  for (const FigurePanel& panel : figure.panels) axes.y.push_back(FitY(panel, axes.x));
  return axes;
}

std::vector<const FigureCurve*> LegendOf(const Figure& figure) {
  std::vector<const FigureCurve*> legend;
  std::set<std::string> seen;
  for (const FigurePanel& panel : figure.panels)
    for (const FigureCurve& curve : panel.curves)
      if (seen.insert(curve.label).second) legend.push_back(&curve);
  return legend;
}

std::vector<std::size_t> MarkedPoints(const FigureCurve& curve, const FigureAxis& x,
                                      std::size_t place, std::size_t curves) {
  constexpr std::size_t kMarks = 6;
  std::vector<std::size_t> marked;
  const std::size_t count = curve.x.size();
  for (std::size_t k = 0; k < kMarks; ++k) {
    const std::size_t i =
        count * (k * curves + place) / (kMarks * curves) + count / (2 * kMarks * curves);
    if (i < count && curve.x[i] >= x.range.min && curve.x[i] <= x.range.max) marked.push_back(i);
  }
  return marked;
}

Figure Thinned(Figure figure, const FigureAxes& axes) {
  constexpr std::size_t kFew = 2000;
  constexpr double kColumns = 1024, kRows = 512;
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const FigureAxis &x = axes.x, &y = axes.y[p];
    for (FigureCurve& curve : figure.panels[p].curves) {
      if (curve.x.size() <= kFew) continue;
      const auto at = [&](std::size_t i) -> CurveSpot {
        return {kColumns * ToUnit(x.scale, x.range, curve.x[i]),
                kRows * ToUnit(y.scale, y.range, curve.y[i]), i};
      };
      NumberList xs, ys;
      if (curve.dots) {
        // one of those that cover each other
        std::set<std::pair<int64_t, int64_t>> seen;
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
          if (!x.Takes(curve.x[i]) || !y.Takes(curve.y[i])) continue;
          const CurveSpot spot = at(i);
          if (std::abs(spot.x) > 1e6 || std::abs(spot.y) > 1e6) continue;
          if (!seen.insert({std::llround(spot.x), std::llround(spot.y)}).second) continue;
          xs.push_back(curve.x[i]);
          ys.push_back(curve.y[i]);
        }
      } else {
        WalkCurve(curve, x, y, 1.0, at, [&](const CurveSpot& spot, bool begins) {
          if (begins && !xs.empty()) {
            xs.push_back(kNaN);
            ys.push_back(kNaN);
          }
          xs.push_back(curve.x[spot.index]);
          ys.push_back(curve.y[spot.index]);
        });
      }
      curve.x = std::move(xs);
      curve.y = std::move(ys);
    }
  }
  return figure;
}

}  // namespace slip::app
