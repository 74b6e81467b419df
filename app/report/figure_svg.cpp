// A figure as SVG, in the style of the plots: fine grid, names above, the models' own marks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plots/svg_text.h"
#include "app/report/figure_axes.h"
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

/// Where it lies in the picture.
struct PlacedAxis : FigureAxis {
  double from = 0, to = 1;

  double At(double value) const { return from + ToUnit(scale, range, value) * (to - from); }
};

class FigureWriter {
 public:
  FigureWriter(const Figure& figure, bool inlined)
      : figure_(figure),
        axes_(FitFigure(figure)),
        inlined_(inlined),
        width_(figure.width * kPoint) {}

  std::string Write() {
    PlaceX();
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
      Panel(i, top + each * static_cast<double>(i), each);
    Text((x_.from + x_.to) / 2, height - 5, x_.Title(figure_.x_label), "middle");
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
    Text(kLeft, y.to - 6, y.Title(panel.label), "start", kText, " font-weight=\"500\"");
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

  /// "M x y L x y ..."
  std::string PathOf(const FigureCurve& curve, const PlacedAxis& y) const {
    std::string path;
    const auto at = [&](std::size_t i) -> CurveSpot {
      // what is far outside stays near: long numbers, and broken joins
      return {std::clamp(x_.At(curve.x[i]), -2e3, 4e3), std::clamp(y.At(curve.y[i]), -2e3, 4e3), i};
    };
    WalkCurve(curve, x_, y, 0.5, at, [&](const CurveSpot& spot, bool begins) {
      path += fmt::format("{}{:.2f} {:.2f}", begins ? "M" : "L", spot.x, spot.y);
    });
    return path;
  }

  void Curve(const FigureCurve& curve, const PlacedAxis& y, std::size_t place,
             const FigurePanel& panel) {
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
    for (const std::size_t i : MarkedPoints(curve, x_, place, panel.curves.size())) mark(i);
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
    for (const FigureCurve* curve : LegendOf(figure_)) {
      // no font is at hand to measure with: about half an em per letter
      const double width = 24 + 0.52 * kText * static_cast<double>(CountLetters(curve->label));
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
        out_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n",
                            entry.x, entry.y, entry.x + 18, entry.y, Stroke(*entry.curve));
      if (entry.curve->method) MarkAt(entry.x + 9, entry.y, *entry.curve, false);
      Text(entry.x + 22, entry.y + 3, entry.curve->label, "start");
    }
  }

  const Figure& figure_;
  FigureAxes axes_;
  bool inlined_;
  double width_;
  PlacedAxis x_;
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
