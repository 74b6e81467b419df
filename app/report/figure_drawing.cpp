// The parts of a figure, in the style of the plots: fine grid, names above, the models' own marks.
#include <algorithm>
#include <cmath>

#include "app/report/figure_pen.h"
#include "engine/sim/method_list.h"

namespace slip::app {
namespace {

constexpr double kTitle = 9.5;  // points
constexpr double kLeft = 46, kRight = 10, kAbove = 22, kBelow = 14;
constexpr double kAxisRoom = 19;  // below the last panel
constexpr double kLegendRow = 14;

/// Dashes of grey curves.
std::vector<double> GuideDash(std::size_t guide) {
  if (guide % 3 == 0) return {1.5, 2};
  if (guide % 3 == 1) return {5, 2, 1.5, 2};
  return {5, 3};
}

/// Of rich text in UTF-8, about.
std::size_t CountLetters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u && c != '_' && c != '^';
  }));
}

/// Where it lies in the picture.
struct PlacedAxis : FigureAxis {
  double from = 0, to = 1;

  double At(double value) const { return from + ToUnit(scale, range, value) * (to - from); }
};

class FigureDrawing {
 public:
  FigureDrawing(const Figure& figure, FigurePen* pen)
      : figure_(figure),
        pen_(*pen),
        axes_(FitFigure(figure)),
        width_(figure.width * kPointsPerMm) {}

  void Draw() {
    PlaceX();
    PlaceLegend();
    const double top = 20 + kLegendRow * legend_rows_ + 4;
    const double each = figure_.height * kPointsPerMm;
    const auto count = static_cast<double>(figure_.panels.size());
    const double height = top + each * count + kAxisRoom;
    pen_.Begin(figure_, width_, height);
    pen_.Words(2, 12, figure_.title, {.size = kTitle, .weight = WordWeight::kSemiBold});
    Legend();
    for (std::size_t i = 0; i < figure_.panels.size(); ++i)
      Panel(i, top + each * static_cast<double>(i), each);
    pen_.Words((x_.from + x_.to) / 2, height - 5, x_.Title(figure_.x_label), {.anchor = "middle"});
  }

 private:
  static FigurePaint PaintOf(const FigureCurve& curve) {
    return {.ink = FigureInk::kInk2,
            .method = curve.method,
            .opacity = static_cast<double>(curve.alpha)};
  }
  static FigureStroke Thin(FigureInk ink, double width, std::vector<double> dash = {}) {
    return {{.ink = ink}, width, std::move(dash)};
  }

  void PlaceX() {
    static_cast<FigureAxis&>(x_) = axes_.x;
    x_.from = kLeft;
    x_.to = width_ - kRight;
    x_ticks_ = axes_.XTicks(static_cast<int>((x_.to - x_.from) / 55));
  }

  void Panel(std::size_t index, double top, double height) {
    const FigurePanel& panel = figure_.panels[index];
    const bool last = index + 1 == figure_.panels.size();
    const PlacedAxis y{axes_.y[index], top + height - kBelow, top + kAbove};
    pen_.Words(kLeft, y.to - 6, y.Title(panel.label), {.weight = WordWeight::kMedium});
    for (const Tick& tick : x_ticks_) {
      const double x = x_.At(tick.value);
      pen_.Rule(x, y.to, x, y.from, Thin(FigureInk::kGrid, 0.4));
      if (last && !tick.label.empty())
        pen_.Words(x, y.from + 11, tick.label, {.anchor = "middle", .quiet = true});
    }
    const int rows = std::max(2, static_cast<int>((y.from - y.to) / 22));
    for (const Tick& tick : MakeTicks(y.scale, y.range, rows, y.unit.factor)) {
      const double at = y.At(tick.value);
      pen_.Rule(x_.from, at, x_.to, at, Thin(FigureInk::kGrid, tick.major ? 0.4 : 0.2));
      if (!tick.label.empty())
        pen_.Words(kLeft - 5, at + 3, tick.label, {.anchor = "end", .quiet = true});
    }
    pen_.Rule(x_.from, y.to, x_.from, y.from, Thin(FigureInk::kFrame, 0.6));
    pen_.Rule(x_.from, y.from, x_.to, y.from, Thin(FigureInk::kFrame, 0.6));
    // marks on the border stay whole, curves that are cut end there
    const double air = std::isnan(panel.from) ? 3 : 0.5;
    pen_.BeginClip(x_.from - 3, y.to - air, x_.to - x_.from + 6, y.from - y.to + 2 * air);
    for (const StudyLine& line : panel.lines) {
      if (!y.Takes(line.value)) continue;
      pen_.Rule(x_.from, y.At(line.value), x_.to, y.At(line.value),
                Thin(FigureInk::kInk2, 0.6, {2, 2}));
    }
    // guides lie under what was measured
    for (const bool measured : {false, true})
      for (std::size_t i = 0; i < panel.curves.size(); ++i)
        if (panel.curves[i].method.has_value() == measured) Curve(panel.curves[i], y, i, panel);
    pen_.EndClip();
    for (const StudyLine& line : panel.lines)
      if (y.Takes(line.value))
        pen_.Words(x_.to - 2, y.At(line.value) - 2.5, line.label,
                   {.anchor = "end", .size = 7.5, .quiet = true, .halo = true});
  }

  static FigureStroke StrokeOf(const FigureCurve& curve) {
    FigureStroke stroke{PaintOf(curve), curve.method ? 1.1 : 0.8};
    if (!curve.method) {
      stroke.dash = GuideDash(curve.guide);
      return stroke;
    }
    const render::Dash& dash = render::StyleOf(*curve.method).dash;
    for (int i = 0; i < dash.count && !curve.solid; ++i)
      stroke.dash.push_back(0.7 * static_cast<double>(dash.lengths[static_cast<std::size_t>(i)]));
    return stroke;
  }

  std::vector<FigureSpot> SpotsOf(const FigureCurve& curve, const PlacedAxis& y) const {
    std::vector<FigureSpot> spots;
    const auto at = [&](std::size_t i) -> CurveSpot {
      // what is far outside stays near: long numbers, and broken joins
      return {std::clamp(x_.At(curve.x[i]), -2e3, 4e3), std::clamp(y.At(curve.y[i]), -2e3, 4e3), i};
    };
    WalkCurve(curve, x_, y, 0.5, at, [&](const CurveSpot& spot, bool begins) {
      spots.push_back({spot.x, spot.y, begins});
    });
    return spots;
  }

  void Curve(const FigureCurve& curve, const PlacedAxis& y, std::size_t place,
             const FigurePanel& panel) {
    if (!curve.dots) {
      const std::vector<FigureSpot> spots = SpotsOf(curve, y);
      if (spots.empty()) return;
      pen_.Curve(spots, StrokeOf(curve), curve.label);
    }
    if (!curve.method) return;
    const auto mark = [&](std::size_t i) {
      if (x_.Takes(curve.x[i]) && y.Takes(curve.y[i]))
        MarkAt(x_.At(curve.x[i]), y.At(curve.y[i]), curve, curve.dots);
    };
    if (curve.points) {
      for (std::size_t i = 0; i < curve.x.size(); ++i) mark(i);
      return;
    }
    for (const std::size_t i : MarkedPoints(curve, x_, place, panel.curves.size())) mark(i);
  }

  void MarkAt(double x, double y, const FigureCurve& curve, bool small) {
    pen_.Mark(render::StyleOf(*curve.method).mark, x, y, small ? 1.2 : 2.5, PaintOf(curve),
              small ? 0.15 : 0.5);
  }

  struct Entry {
    const FigureCurve* curve;
    double x, y;
  };
  void PlaceLegend() {
    double x = kLeft;
    int row = 0;
    for (const FigureCurve* curve : LegendOf(figure_)) {
      // an SVG has no font at hand to measure with: about half an em per letter
      const double width =
          24 + 0.52 * kFigureText * static_cast<double>(CountLetters(curve->label));
      if (x > kLeft && x + width > width_ - kRight) {
        x = kLeft;
        ++row;
      }
      legend_.push_back({curve, x, 24 + kLegendRow * row});
      x += width + 8;
    }
    legend_rows_ = row + 1;
  }
  void Legend() {
    for (const Entry& entry : legend_) {
      if (!entry.curve->dots)
        pen_.Rule(entry.x, entry.y, entry.x + 18, entry.y, StrokeOf(*entry.curve));
      if (entry.curve->method) MarkAt(entry.x + 9, entry.y, *entry.curve, false);
      pen_.Words(entry.x + 22, entry.y + 3, entry.curve->label, {});
    }
  }

  const Figure& figure_;
  FigurePen& pen_;
  FigureAxes axes_;
  double width_;
  PlacedAxis x_;
  std::vector<Tick> x_ticks_;
  std::vector<Entry> legend_;
  int legend_rows_ = 1;
};

}  // namespace

void DrawFigureWith(const Figure& figure, FigurePen* pen) { FigureDrawing(figure, pen).Draw(); }

}  // namespace slip::app
