// A figure as SVG.
#include <fmt/format.h>

#include "app/plots/svg_text.h"
#include "app/report/figure_pen.h"
#include "engine/sim/method_list.h"

namespace slip::app {
namespace {

constexpr const char* kFonts = "Inter, Helvetica, Arial, sans-serif";

std::string Hex(const render::Colour& colour) { return SvgColour(colour.Packed()); }

class SvgPen : public FigurePen {
 public:
  explicit SvgPen(bool inlined) : inlined_(inlined) {}

  void Begin(const Figure& figure, double width, double height) override {
    name_ = figure.name;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" width=\"{:g}mm\" "
        "height=\"{:.2f}mm\" "
        "viewBox=\"0 0 {:.2f} {:.2f}\" font-family=\"{}\" font-size=\"{:g}\" fill=\"{}\">\n"
        "<title>{}</title>\n",
        figure.width, height / kPointsPerMm, width, height, kFonts, kFigureText, Colour({}),
        EscapeSvg(figure.title));
    if (!inlined_)
      out_ += fmt::format("<rect width=\"{:.2f}\" height=\"{:.2f}\" fill=\"#ffffff\"/>\n", width,
                          height);
  }

  void Words(double x, double y, const std::string& rich, const FigureWords& words) override {
    std::string more;
    if (words.weight == WordWeight::kMedium) more = " font-weight=\"500\"";
    if (words.weight == WordWeight::kSemiBold) more = " font-weight=\"600\"";
    if (words.quiet) more += fmt::format(" fill=\"{}\"", Colour({.ink = FigureInk::kInk2}));
    if (words.halo)
      more += fmt::format(" stroke=\"{}\" stroke-width=\"2.5\" paint-order=\"stroke\"",
                          Colour({.ink = FigureInk::kGround}));
    out_ += fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" font-size=\"{:g}\"{}>{}</text>\n", x, y,
        words.anchor, words.size, more, RichSpans(rich));
  }

  void Rule(double x1, double y1, double x2, double y2, const FigureStroke& stroke) override {
    out_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n", x1,
                        y1, x2, y2, StrokeText(stroke));
  }

  void BeginClip(double x, double y, double width, double height) override {
    const int id = ++clips_;
    out_ += fmt::format(
        "<clipPath id=\"{0}-{1}\"><rect x=\"{2:.2f}\" y=\"{3:.2f}\" width=\"{4:.2f}\" "
        "height=\"{5:.2f}\"/></clipPath>\n<g clip-path=\"url(#{0}-{1})\" fill=\"none\" "
        "stroke-linejoin=\"round\">\n",
        name_, id, x, y, width, height);
  }
  void EndClip() override { out_ += "</g>\n"; }

  void Curve(const std::vector<FigureSpot>& spots, const FigureStroke& stroke,
             const std::string& label) override {
    out_ += "<path d=\"";
    for (const FigureSpot& spot : spots)
      out_ += fmt::format("{}{:.2f} {:.2f}", spot.begins ? "M" : "L", spot.x, spot.y);
    out_ += fmt::format("\" {}><title>{}</title></path>\n", StrokeText(stroke), EscapeSvg(label));
  }

  void Mark(render::Mark mark, double x, double y, double radius, const FigurePaint& paint,
            double edge) override {
    out_ += SvgMark(mark, x, y, radius,
                    fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"{:g}\"{}", Colour(paint),
                                Colour({.ink = FigureInk::kGround}), edge, Opacity("fill", paint)));
  }

  std::string Take() { return out_ + "</svg>\n"; }

 private:
  std::string Colour(const FigurePaint& paint) const {
    if (paint.method && inlined_) return fmt::format("var(--m-{})", Info(*paint.method).id);
    if (paint.method) return Hex(render::StyleOf(*paint.method).print);
    const FigureInkRow& row = kFigureInks[static_cast<std::size_t>(paint.ink)];
    return inlined_ ? fmt::format("var(--{})", row.name) : row.light;
  }
  static std::string Opacity(const char* what, const FigurePaint& paint) {
    return paint.opacity < 1 ? fmt::format(" {}-opacity=\"{:.2f}\"", what, paint.opacity)
                             : std::string();
  }
  std::string StrokeText(const FigureStroke& stroke) const {
    std::string text = fmt::format("stroke=\"{}\" stroke-width=\"{:g}\"{}", Colour(stroke.paint),
                                   stroke.width, Opacity("stroke", stroke.paint));
    if (!stroke.dash.empty())
      text += fmt::format(" stroke-dasharray=\"{:g}\"", fmt::join(stroke.dash, " "));
    return text;
  }

  bool inlined_;
  std::string name_, out_;
  int clips_ = 0;
};

}  // namespace

std::string FigureSvg(const Figure& figure, bool inlined) {
  SvgPen pen(inlined);
  DrawFigureWith(figure, &pen);
  return pen.Take();
}

std::string FigureColours(bool dark) {
  std::string text;
  for (const FigureInkRow& row : kFigureInks)
    text += fmt::format("--{}: {}; ", row.name, dark ? row.dark : row.light);
  for (int i = 0; i < static_cast<int>(Methods().size()); ++i) {
    const auto method = static_cast<MethodId>(i);
    const render::ModelStyle& style = render::StyleOf(method);
    text += fmt::format("--m-{}: {}; ", Info(method).id, Hex(dark ? style.dark : style.light));
  }
  return text;
}

}  // namespace slip::app
