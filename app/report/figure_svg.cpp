// A figure as SVG, in the style of the plots: fine grid, names above, the models' own marks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/plots/axes.h"
#include "app/plots/svg_text.h"
#include "app/report/figure.h"
#include "engine/sim/method_list.h"
#include "render/scene/style.h"

namespace slip::app {
namespace {

constexpr double kPoint = 72 / 25.4;  // per mm
constexpr const char* kFonts = "Inter, Helvetica, Arial, sans-serif";
constexpr double kText = 8.5, kTitle = 9.5;  // points
constexpr double kLeft = 46, kRight = 10, kAbove = 22, kBelow = 14;
constexpr double kAxisRoom = 19;  // below the last panel
constexpr double kLegendRow = 14;
constexpr const char* kGuides[] = {"1.5 2", "5 2 1.5 2", "5 3"};  // dashes of grey curves

struct Colour {
  const char *name, *light, *dark;
};
constexpr Colour kInk{"ink", "#16191d", "#e8ebee"}, kInk2{"ink2", "#59626c", "#a3adb8"},
    kGrid{"grid", "#e3e6ea", "#363d46"}, kFrame{"frame", "#8a939c", "#6b7580"},
    kGround{"ground", "#ffffff", "#1f242b"};

std::string Hex(const render::Colour& colour) { return SvgColour(colour.Packed()); }

/// Of rich text in UTF-8, about.
std::size_t CountLetters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u && c != '_' && c != '^';
  }));
}

/// Where numbers of one axis lie.
struct Axis {
  AxisScale scale = AxisScale::kLinear;
  AxisRange range;
  AxisUnit unit;
  double from = 0, to = 1;  ///< of the picture

  double At(double value) const { return from + ToUnit(scale, range, value) * (to - from); }
  bool Takes(double value) const {
    return std::isfinite(value) && (scale != AxisScale::kLog || value > 0);
  }
};

class FigureWriter {
 public:
  FigureWriter(const Figure& figure, bool inlined)
      : figure_(figure), inlined_(inlined), width_(figure.width * kPoint) {}

  std::string Write() {
    FitX();
    PlaceLegend();
    const double top = 20 + kLegendRow * legend_rows_ + 4;
    const double each = figure_.height * kPoint;
    const auto count = static_cast<double>(figure_.panels.size());
    const double height = top + each * count + kAxisRoom;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" width=\"{:g}mm\" "
        "height=\"{:.2f}mm\" "
        "viewBox=\"0 0 {:.2f} {:.2f}\" font-family=\"{}\" font-size=\"{:g}\" fill=\"{}\">\n"
        "<title>{}</title>\n",
        figure_.width, height / kPoint, width_, height, kFonts, kText, Paint(kInk),
        EscapeSvg(figure_.title));
    if (!inlined_)
      out_ += fmt::format("<rect width=\"{:.2f}\" height=\"{:.2f}\" fill=\"#ffffff\"/>\n", width_,
                          height);
    Text(2, 12, figure_.title, "start", kTitle, " font-weight=\"600\"");
    Legend();
    for (std::size_t i = 0; i < figure_.panels.size(); ++i)
      Panel(figure_.panels[i], top + each * static_cast<double>(i), each,
            i + 1 == figure_.panels.size());
    const std::string unit = x_.unit.text.empty() ? "" : " [" + x_.unit.text + "]";
    Text((x_.from + x_.to) / 2, height - 5, figure_.x_label + unit, "middle");
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  std::string Paint(const Colour& colour) const {
    return inlined_ ? fmt::format("var(--{})", colour.name) : colour.light;
  }
  std::string Paint(const FigureCurve& curve) const {
    if (!curve.method) return Paint(kInk2);
    if (inlined_) return fmt::format("var(--m-{})", Info(*curve.method).id);
    return Hex(render::StyleOf(*curve.method).print);
  }
  void Text(double x, double y, std::string_view rich, const char* anchor, double size = kText,
            const char* more = "") {
    out_ += fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" font-size=\"{:g}\"{}>{}</text>\n", x, y,
        anchor, size, more, RichSpans(rich));
  }

  template <class Each>
  static AxisRange Extent(Each each, bool log) {
    AxisRange range{kInfinity, -kInfinity};
    each([&](double value) {
      if (!std::isfinite(value) || (log && value <= 0)) return;
      range.min = std::min(range.min, value);
      range.max = std::max(range.max, value);
    });
    if (range.min > range.max) range = {log ? 0.1 : 0, 1};
    return range;
  }

  void FitX() {
    x_.scale = figure_.x_log ? AxisScale::kLog : AxisScale::kLinear;
    std::set<double> values;
    AxisRange data = Extent(
        [&](auto add) {
          for (const FigurePanel& panel : figure_.panels)
            for (const FigureCurve& curve : panel.curves)
              for (const double x : curve.x) {
                add(x);
                if (curve.points && std::isfinite(x)) values.insert(x);
              }
        },
        figure_.x_log);
    if (figure_.x_log) {
      const double air = std::pow(data.max / data.min, 0.04);
      data = data.max > data.min ? AxisRange{data.min / air, data.max * air}
                                 : AxisRange{data.min / 2, data.max * 2};
    } else if (!values.empty()) {
      data = AutoFit(AxisScale::kLinear, data, {}, false);
    }
    // what begins with the first step begins at 0
    if (!figure_.x_log && data.min > 0 && data.min < 0.02 * data.max) data.min = 0;
    if (!std::isnan(figure_.x_from)) data = {figure_.x_from, figure_.x_to};
    if (!(data.max > data.min)) data = {data.min - 0.5, data.max + 0.5};
    x_.range = data;
    x_.unit = ChooseUnit(data, x_.scale, figure_.x_unit);
    x_.from = kLeft;
    x_.to = width_ - kRight;
    // a few values of a parameter are their own marks on the axis
    if (figure_.x_log && !values.empty() && values.size() <= 9) {
      for (const double value : values)
        x_ticks_.push_back({value, true, fmt::format("{:.4g}", value * x_.unit.factor)});
    } else {
      x_ticks_ =
          MakeTicks(x_.scale, data, static_cast<int>((x_.to - x_.from) / 55), x_.unit.factor);
    }
  }

  Axis FitY(const FigurePanel& panel, double top, double height) const {
    Axis y;
    y.scale = panel.log ? AxisScale::kLog : AxisScale::kLinear;
    const AxisRange data = Extent(
        [&](auto add) {
          for (const FigureCurve& curve : panel.curves)
            for (std::size_t i = 0; i < curve.y.size(); ++i)
              if (curve.x[i] >= x_.range.min && curve.x[i] <= x_.range.max) add(curve.y[i]);
          for (const StudyLine& line : panel.lines) add(line.value);
        },
        panel.log);
    y.range = std::isnan(panel.from) ? AutoFit(y.scale, data, {}, false)
                                     : AxisRange{panel.from, panel.to};
    y.unit = ChooseUnit(y.range, y.scale, panel.unit);
    y.from = top + height - kBelow;
    y.to = top + kAbove;
    return y;
  }

  void Panel(const FigurePanel& panel, double top, double height, bool last) {
    const Axis y = FitY(panel, top, height);
    const std::string unit = y.unit.text.empty() ? "" : " [" + y.unit.text + "]";
    Text(kLeft, y.to - 6, panel.label + unit, "start", kText, " font-weight=\"500\"");
    for (const Tick& tick : x_ticks_) {
      const double x = x_.At(tick.value);
      Rule(x, y.to, x, y.from, kGrid, 0.4);
      if (last && !tick.label.empty())
        Text(x, y.from + 11, tick.label, "middle", kText, SmallInk().c_str());
    }
    const int rows = std::max(2, static_cast<int>((y.from - y.to) / 22));
    for (const Tick& tick : MakeTicks(y.scale, y.range, rows, y.unit.factor)) {
      const double at = y.At(tick.value);
      Rule(x_.from, at, x_.to, at, kGrid, tick.major ? 0.4 : 0.2);
      if (!tick.label.empty())
        Text(kLeft - 5, at + 3, tick.label, "end", kText, SmallInk().c_str());
    }
    Rule(x_.from, y.to, x_.from, y.from, kFrame, 0.6);
    Rule(x_.from, y.from, x_.to, y.from, kFrame, 0.6);
    // marks on the border stay whole, curves that are cut end there
    const double air = std::isnan(panel.from) ? 3 : 0.5;
    const int id = ++clips_;
    out_ += fmt::format(
        "<clipPath id=\"{0}-{1}\"><rect x=\"{2:.2f}\" y=\"{3:.2f}\" width=\"{4:.2f}\" "
        "height=\"{5:.2f}\"/></clipPath>\n<g clip-path=\"url(#{0}-{1})\" fill=\"none\" "
        "stroke-linejoin=\"round\">\n",
        figure_.name, id, x_.from - 3, y.to - air, x_.to - x_.from + 6, y.from - y.to + 2 * air);
    for (const StudyLine& line : panel.lines) {
      if (!y.Takes(line.value)) continue;
      Rule(x_.from, y.At(line.value), x_.to, y.At(line.value), kInk2, 0.6, "2 2");
    }
    // guides lie under what was measured
    for (const bool measured : {false, true})
      for (std::size_t i = 0; i < panel.curves.size(); ++i)
        if (panel.curves[i].method.has_value() == measured) Curve(panel.curves[i], y, i, panel);
    out_ += "</g>\n";
    for (const StudyLine& line : panel.lines)
      if (y.Takes(line.value))
        Text(x_.to - 2, y.At(line.value) - 2.5, line.label, "end", 7.5,
             (SmallInk() + fmt::format(" stroke=\"{}\" stroke-width=\"2.5\" paint-order=\"stroke\"",
                                       Paint(kGround)))
                 .c_str());
  }
  std::string SmallInk() const { return fmt::format(" fill=\"{}\"", Paint(kInk2)); }

  void Rule(double x1, double y1, double x2, double y2, const Colour& colour, double width,
            const char* dash = "") {
    out_ += fmt::format(
        "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" "
        "stroke-width=\"{:g}\"{}/>\n",
        x1, y1, x2, y2, Paint(colour), width,
        *dash != '\0' ? fmt::format(" stroke-dasharray=\"{}\"", dash) : "");
  }

  std::string Stroke(const FigureCurve& curve) const {
    std::string text = fmt::format("stroke=\"{}\" stroke-width=\"{}\"", Paint(curve),
                                   curve.method ? "1.1" : "0.8");
    if (curve.alpha < 1) text += fmt::format(" stroke-opacity=\"{:.2f}\"", curve.alpha);
    if (!curve.method)
      return text + fmt::format(" stroke-dasharray=\"{}\"", kGuides[curve.guide % 3]);
    const render::Dash& dash = render::StyleOf(*curve.method).dash;
    if (dash.count == 0 || curve.solid) return text;
    text += " stroke-dasharray=\"";
    for (int i = 0; i < dash.count; ++i)
      text += fmt::format("{}{:g}", i > 0 ? " " : "",
                          0.7 * static_cast<double>(dash.lengths[static_cast<std::size_t>(i)]));
    return text + "\"";
  }

  /// "M x y L x y ...": of many points that share a column of half a point the first and last, the
  /// highest and lowest.
  std::string PathOf(const FigureCurve& curve, const Axis& y) const {
    struct Spot {
      double x, y;
    };
    std::vector<Spot> column;
    std::string path;
    bool pen_down = false;
    const auto draw = [&](const Spot& spot) {
      path += fmt::format("{}{:.2f} {:.2f}", pen_down ? "L" : "M", spot.x, spot.y);
      pen_down = true;
    };
    const auto flush = [&] {
      if (column.size() <= 4) {
        for (const Spot& spot : column) draw(spot);
      } else {
        const auto lower = [](const Spot& a, const Spot& b) { return a.y < b.y; };
        const auto [low, high] = std::minmax_element(column.begin(), column.end(), lower);
        draw(column.front());
        draw(low < high ? *low : *high);
        draw(low < high ? *high : *low);
        draw(column.back());
      }
      column.clear();
    };
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!x_.Takes(curve.x[i]) || !y.Takes(curve.y[i])) {
        flush();
        pen_down = false;
        continue;
      }
      // what is far outside stays near: long numbers, and broken joins
      const Spot spot{std::clamp(x_.At(curve.x[i]), -2e3, 4e3),
                      std::clamp(y.At(curve.y[i]), -2e3, 4e3)};
      if (!column.empty() && std::abs(spot.x - column.front().x) > 0.5) flush();
      column.push_back(spot);
    }
    flush();
    return path;
  }

  void Curve(const FigureCurve& curve, const Axis& y, std::size_t place, const FigurePanel& panel) {
    const std::string path = curve.dots ? std::string() : PathOf(curve, y);
    if (path.empty() && !curve.dots) return;
    if (!path.empty())
      out_ += fmt::format("<path d=\"{}\" {}><title>{}</title></path>\n", path, Stroke(curve),
                          EscapeSvg(curve.label));
    if (!curve.method) return;
    const auto mark = [&](std::size_t i) {
      if (x_.Takes(curve.x[i]) && y.Takes(curve.y[i]))
        MarkAt(x_.At(curve.x[i]), y.At(curve.y[i]), curve, curve.dots);
    };
    if (curve.points) {
      for (std::size_t i = 0; i < curve.x.size(); ++i) mark(i);
      return;
    }
    // a few along the way, apart from those of other curves
    constexpr std::size_t kMarks = 6;
    const std::size_t count = curve.x.size(), curves = panel.curves.size();
    for (std::size_t k = 0; k < kMarks; ++k) {
      const std::size_t i =
          count * (k * curves + place) / (kMarks * curves) + count / (2 * kMarks * curves);
      if (i < count && curve.x[i] >= x_.range.min && curve.x[i] <= x_.range.max) mark(i);
    }
  }

  void MarkAt(double x, double y, const FigureCurve& curve, bool small) {
    const std::string paint =
        fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"{}", Paint(curve),
                    inlined_ ? Paint(kGround) : "#ffffff", small ? "0.15" : "0.5",
                    curve.alpha < 1 ? fmt::format(" fill-opacity=\"{:.2f}\"", curve.alpha) : "");
    out_ += SvgMark(render::StyleOf(*curve.method).mark, x, y, small ? 1.2 : 2.5, paint);
  }

  struct Entry {
    const FigureCurve* curve;
    double x, y;
  };
  void PlaceLegend() {
    double x = kLeft;
    int row = 0;
    std::set<std::string> seen;
    for (const FigurePanel& panel : figure_.panels)
      for (const FigureCurve& curve : panel.curves) {
        if (!seen.insert(curve.label).second) continue;
        // no font is at hand to measure with: about half an em per letter
        const double width = 24 + 0.52 * kText * static_cast<double>(CountLetters(curve.label));
        if (x > kLeft && x + width > width_ - kRight) {
          x = kLeft;
          ++row;
        }
        legend_.push_back({&curve, x, 24 + kLegendRow * row});
        x += width + 8;
      }
    legend_rows_ = row + 1;
  }
  void Legend() {
    for (const Entry& entry : legend_) {
      if (!entry.curve->dots)
        out_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n",
                            entry.x, entry.y, entry.x + 18, entry.y, Stroke(*entry.curve));
      if (entry.curve->method) MarkAt(entry.x + 9, entry.y, *entry.curve, false);
      Text(entry.x + 22, entry.y + 3, entry.curve->label, "start");
    }
  }

  const Figure& figure_;
  bool inlined_;
  double width_;
  Axis x_;
  std::vector<Tick> x_ticks_;
  std::vector<Entry> legend_;
  int legend_rows_ = 1, clips_ = 0;
  std::string out_;
};

}  // namespace

std::string FigureSvg(const Figure& figure, bool inlined) {
  return FigureWriter(figure, inlined).Write();
}

std::string FigureColours(bool dark) {
  std::string text;
  for (const Colour& colour : {kInk, kInk2, kGrid, kFrame, kGround})
    text += fmt::format("--{}: {}; ", colour.name, dark ? colour.dark : colour.light);
  for (int i = 0; i < static_cast<int>(Methods().size()); ++i) {
    const auto method = static_cast<MethodId>(i);
    const render::ModelStyle& style = render::StyleOf(method);
    text += fmt::format("--m-{}: {}; ", Info(method).id, Hex(dark ? style.dark : style.light));
  }
  return text;
}

}  // namespace slip::app
