#include "app/plots/landscape_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plots/axes.h"
#include "app/plots/svg_text.h"

namespace slip::app {
namespace {

constexpr double kPanelWide = 250, kPanelHigh = 220;  // of a panel's well, in points
constexpr double kPanelLeft = 74, kPanelTop = 40, kPanelBelow = 52, kKeyRight = 96;

/// From the lowest score to the highest one; dark is good, and each step is as much lighter.
std::string ColourOf(double part) {
  constexpr double kStops[][3] = {
      {23, 44, 84}, {36, 94, 132}, {66, 146, 150}, {140, 190, 162}, {222, 226, 196}};
  const double at = std::clamp(part, 0.0, 1.0) * 4;
  const auto i = std::min<std::size_t>(3, static_cast<std::size_t>(at));
  const auto mix = [&](int c) {
    const double between = at - static_cast<double>(i);
    return static_cast<int>(
        std::lround(kStops[i][c] + between * (kStops[i + 1][c] - kStops[i][c])));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2));
}

class LandscapeWriter {
 public:
  LandscapeWriter(const FitPlan& plan, const FitResult& result) : plan_(plan), result_(result) {
    for (const MethodFit& fit : result.methods) {
      for (const double score : fit.landscape.score) {
        low_ = std::min(low_, std::log(score));
        high_ = std::max(high_, std::log(score));
      }
      if (!fit.landscape.score.empty()) ++panels_;
    }
    if (!(high_ > low_)) high_ = low_ + 1;
  }

  std::string Write() {
    const double width = panels_ * (kPanelLeft + kPanelWide) + kKeyRight,
                 height = kPanelTop + kPanelHigh + kPanelBelow;
    out_ = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}pt\" height=\"{1:g}pt\" "
        "viewBox=\"0 0 {0:g} {1:g}\" font-family=\"Inter, Helvetica, Arial, sans-serif\" "
        "font-size=\"12\" fill=\"#16191d\">\n<title>How far recorded runs are off</title>\n"
        "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"#ffffff\"/>\n",
        width, height);
    for (const MethodFit& fit : result_.methods) {
      if (fit.landscape.score.empty()) continue;
      left_ += kPanelLeft;
      fit.landscape.axes.size() == 2 ? Field(fit) : Line(fit);
      left_ += kPanelWide;
    }
    if (panels_ > 0) Key();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  double X(double place) const { return left_ + kPanelWide * place; }
  static double Y(double place) { return kPanelTop + kPanelHigh * (1 - place); }

  void Text(double x, double y, std::string_view rich, const char* anchor,
            const std::string& more = "") {
    out_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                        anchor, more, RichSpans(rich));
  }
  void Box(double x, double y, double width, double height, const std::string& fill) {
    out_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" {}/>\n",
                        x, y, width, height, fill);
  }
  void Rule(double x1, double y1, double x2, double y2, const char* style) {
    out_ += fmt::format("<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}\" {}/>\n", x1, y1, x2, y2, style);
  }

  static AxisScale ScaleOf(const slip::FitAxis& axis) {
    return axis.log ? AxisScale::kLog : AxisScale::kLinear;
  }
  /// Ticks and title of a parameter, along the bottom or up the side.
  void Axis(const slip::FitAxis& axis, bool side) {
    const AxisRange range{axis.low, axis.high};
    const AxisUnit unit = ChooseUnit(range, ScaleOf(axis), axis.info->unit);
    for (const Tick& tick : MakeTicks(ScaleOf(axis), range, side ? 6 : 4, unit.factor)) {
      const double place = ToUnit(ScaleOf(axis), range, tick.value);
      if (side) {
        Rule(left_ - 4, Y(place), left_, Y(place), kTickStyle);
        if (!tick.label.empty()) Text(left_ - 7, Y(place) + 4, tick.label, "end");
      } else {
        Rule(X(place), kPanelTop + kPanelHigh, X(place), kPanelTop + kPanelHigh + 4, kTickStyle);
        if (!tick.label.empty()) Text(X(place), kPanelTop + kPanelHigh + 17, tick.label, "middle");
      }
    }
    std::string title(axis.info->label);
    if (!axis.info->unit.empty()) title += " [" + unit.text + "]";
    const double x = left_ - 54, y = kPanelTop + kPanelHigh / 2;
    if (side) {
      Text(x, y, title, "middle", fmt::format(" transform=\"rotate(-90 {:g} {:g})\"", x, y));
    } else {
      Text(left_ + kPanelWide / 2, kPanelTop + kPanelHigh + 38, title, "middle");
    }
  }
  void Frame(const MethodFit& fit) {
    Box(left_, kPanelTop, kPanelWide, kPanelHigh,
        "fill=\"none\" stroke=\"#59626c\" stroke-width=\"0.8\"");
    Text(left_ + kPanelWide / 2, kPanelTop - 12, EscapeSvg(fit.label), "middle",
         " font-size=\"13\"");
  }

  void Field(const MethodFit& fit) {
    const FitLandscape& land = fit.landscape;
    const slip::FitAxis &across = plan_.axes[land.axes[0]], &up = plan_.axes[land.axes[1]];
    const std::size_t n = land.values[0].size(), m = land.values[1].size();
    // a cell reaches half way to the next; those at the border lie half outside
    out_ += fmt::format("<clipPath id=\"{}\">", fit.label);
    Box(left_, kPanelTop, kPanelWide, kPanelHigh, "");
    out_ += fmt::format("</clipPath>\n<g clip-path=\"url(#{})\" shape-rendering=\"crispEdges\">\n",
                        fit.label);
    const double dx = 1.0 / static_cast<double>(n - 1), dy = 1.0 / static_cast<double>(m - 1);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        const double x = (static_cast<double>(i) - 0.5) * dx,
                     y = (static_cast<double>(j) + 0.5) * dy;
        const double part = (std::log(land.score[i * m + j]) - low_) / (high_ - low_);
        Box(X(x), Y(y), kPanelWide * dx, kPanelHigh * dy, "fill=\"" + ColourOf(part) + "\"");
      }
    }
    out_ += "</g>\n";
    Frame(fit);
    Axis(across, false);
    Axis(up, true);
    const FitValue *a = Find(fit, land.axes[0]), *b = Find(fit, land.axes[1]);
    const double x = X(across.Place(a->value)), y = Y(up.Place(b->value));
    if (std::isfinite(a->low)) {
      Rule(X(across.Place(a->low)), y, X(across.Place(a->high)), y, kIntervalStyle);
      Rule(x, Y(up.Place(b->low)), x, Y(up.Place(b->high)), kIntervalStyle);
    }
    out_ += fmt::format(
        "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4.5\" fill=\"none\" stroke=\"#ffffff\" "
        "stroke-width=\"1.5\"><title>the scene's values</title></circle>\n<circle cx=\"{:.2f}\" "
        "cy=\"{:.2f}\" r=\"4.5\" fill=\"#f2c14e\" stroke=\"#16191d\"><title>fitted</title>"
        "</circle>\n",
        X(across.Place(a->before)), Y(up.Place(b->before)), x, y);
  }

  /// The score over one parameter, from the lowest to the highest one.
  void Line(const MethodFit& fit) {
    const FitLandscape& land = fit.landscape;
    const slip::FitAxis& across = plan_.axes[land.axes[0]];
    std::string path;
    for (std::size_t i = 0; i < land.score.size(); ++i) {
      const double part = (std::log(land.score[i]) - low_) / (high_ - low_);
      path += fmt::format("{}{:.2f} {:.2f}", i == 0 ? "M" : "L", X(across.Place(land.values[0][i])),
                          Y(0.04 + 0.92 * part));
    }
    Frame(fit);
    Axis(across, false);
    out_ += "<path d=\"" + path + "\" fill=\"none\" stroke=\"#245e84\" stroke-width=\"1.5\"/>\n";
    const FitValue* value = Find(fit, land.axes[0]);
    const double x = X(across.Place(value->value));
    Rule(x, kPanelTop, x, kPanelTop + kPanelHigh, "stroke=\"#16191d\" stroke-dasharray=\"2 3\"");
  }

  /// What the colours mean.
  void Key() {
    left_ += 24;
    constexpr int kParts = 32;
    out_ += "<g shape-rendering=\"crispEdges\">\n";
    for (int i = 0; i < kParts; ++i) {
      Box(left_, Y((i + 1.0) / kParts), 12, kPanelHigh / kParts + 0.4,
          "fill=\"" + ColourOf((i + 0.5) / kParts) + "\"");
    }
    out_ += "</g>\n";
    const AxisRange range{std::exp(low_), std::exp(high_)};
    const AxisUnit unit = ChooseUnit(range, AxisScale::kLog, "m");
    for (const Tick& tick : MakeTicks(AxisScale::kLog, range, 6, unit.factor)) {
      if (tick.label.empty()) continue;
      Text(left_ + 17, Y(ToUnit(AxisScale::kLog, range, tick.value)) + 4, tick.label, "start");
    }
    Text(left_ - 6, kPanelTop - 12, "off [" + unit.text + "]", "start");
  }

  const FitValue* Find(const MethodFit& fit, std::size_t axis) const {
    return &*std::find_if(fit.values.begin(), fit.values.end(),
                          [axis](const FitValue& value) { return value.axis == axis; });
  }

  static constexpr const char* kTickStyle = "stroke=\"#59626c\" stroke-width=\"0.8\"";
  static constexpr const char* kIntervalStyle = "stroke=\"#f2c14e\" stroke-width=\"1.5\"";
  const FitPlan& plan_;
  const FitResult& result_;
  double low_ = kInfinity, high_ = -kInfinity, left_ = 0;
  int panels_ = 0;
  std::string out_;
};

}  // namespace

std::string LandscapeSvg(const FitPlan& plan, const FitResult& result) {
  return LandscapeWriter(plan, result).Write();
}

}  // namespace slip::app
