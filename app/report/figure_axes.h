// Where the numbers of a figure lie, for the SVG and for the window.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/plots/axes.h"
#include "app/report/figure.h"

namespace slip::app {

struct FigureAxis {
  AxisScale scale = AxisScale::kLinear;
  AxisRange range;
  AxisUnit unit;

  bool Takes(double value) const {
    return std::isfinite(value) && (scale != AxisScale::kLog || value > 0);
  }
  /// "Time step [ms]"
  std::string Title(const std::string& label) const {
    return unit.text.empty() ? label : label + " [" + unit.text + "]";
  }
};

struct FigureAxes {
  FigureAxis x;
  std::vector<double> x_values;  ///< a few values of a parameter, marked as they are; else empty
  std::vector<FigureAxis> y;     ///< of each panel

  std::vector<Tick> XTicks(int most) const;
};
FigureAxes FitFigure(const Figure& figure);

/// One of each label, in their order.
std::vector<const FigureCurve*> LegendOf(const Figure& figure);

/// Of curves without a mark at each point: the points that get one of the few along the way, apart
/// from those of other curves.
std::vector<std::size_t> MarkedPoints(const FigureCurve& curve, const FigureAxis& x,
                                      std::size_t place, std::size_t curves);

struct CurveSpot {
  double x = 0, y = 0;  ///< of the picture
  std::size_t index = 0;
};
/// Calls draw(spot, begins a piece) along a curve: of many points that share a column of that
/// width the first and last, the highest and lowest. `at(index)` gives the place of a point.
template <class At, class Draw>
void WalkCurve(const FigureCurve& curve, const FigureAxis& x, const FigureAxis& y, double width,
               const At& at, const Draw& draw) {
  std::vector<CurveSpot> column;
  bool pen_down = false;
  const auto put = [&](const CurveSpot& spot) {
    draw(spot, !pen_down);
    pen_down = true;
  };
  const auto flush = [&] {
    if (column.size() <= 4) {
      for (const CurveSpot& spot : column) put(spot);
    } else {
      const auto lower = [](const CurveSpot& a, const CurveSpot& b) { return a.y < b.y; };
      const auto [low, high] = std::minmax_element(column.begin(), column.end(), lower);
      put(column.front());
      put(low < high ? *low : *high);
      put(low < high ? *high : *low);
      put(column.back());
    }
    column.clear();
  };
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!x.Takes(curve.x[i]) || !y.Takes(curve.y[i])) {
      flush();
      pen_down = false;
      continue;
    }
    const CurveSpot spot = at(i);
    if (!column.empty() && std::abs(spot.x - column.front().x) > width) flush();
    column.push_back(spot);
  }
  flush();
}

/// The same picture from as few points as a screen can show.
Figure Thinned(Figure figure, const FigureAxes& axes);

}  // namespace slip::app
