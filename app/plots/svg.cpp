#include "app/plots/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plots/across_plot.h"
#include "app/plots/plot_frame.h"
#include "app/plots/svg_text.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr const char* kFonts = "Inter, Helvetica, Arial, sans-serif";
constexpr float kText = 12, kTitleText = 13;  // points
constexpr float kLeftMargin = 72, kRightMargin = 14, kTopMargin = 36, kBottomMargin = 48;
constexpr float kRow = 18;  // of the legend
constexpr float kFine = 4;  // decimation works on columns of a quarter of a point

class Writer {
 public:
  Writer(const PlotSpec& spec, const PlotState& state, const LinkedX& x, ImVec2 size)
      : spec_(spec), state_(state), size_(size) {
    frame_.well_min = {kLeftMargin, kTopMargin + kRow * static_cast<float>(PlaceLegend() - 1)};
    frame_.well_max = {size.x - kRightMargin, size.y - kBottomMargin};
    times_ = x.range;
    if (spec.kind != PlotKind::kTime) {
      PlotState fitted = state;
      FitAcross(spec, times_, &fitted, &frame_);
      x_title_ = AcrossTitle(spec, frame_);
      return;
    }
    frame_.y_scale = state.scale.value_or(spec.scale);
    frame_.x = x.range;
    frame_.y = state.y;
    frame_.x_unit =
        frame_.x.max <= 0.3 ? ChooseUnit(frame_.x, AxisScale::kLinear, "s") : AxisUnit{1, "s"};
    frame_.y_unit = ChooseUnit(frame_.y, frame_.y_scale, spec.unit);
    x_title_ = "Time [" + frame_.x_unit.text + "]";
  }

  std::string Write() {
    std::string plain(spec_.title);
    std::erase(plain, '\\');
    out_ = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}pt\" height=\"{1:g}pt\" "
        "viewBox=\"0 0 {0:g} {1:g}\" font-family=\"{2}\" font-size=\"{3:g}\" fill=\"#16191d\">\n"
        "<title>{4}</title>\n"
        "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"#ffffff\"/>\n",
        size_.x, size_.y, kFonts, kText, EscapeSvg(plain));
    Axes();
    Curves();
    References();
    Legend();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  void Text(float x, float y, std::string_view rich, const char* anchor, float font = kText,
            const char* more = "") {
    out_ += fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" font-size=\"{:g}\"{}>{}"
        "</text>\n",
        x, y, anchor, font, more, RichSpans(rich));
  }

  void Rule(float x1, float y1, float x2, float y2, const char* colour, float width) {
    out_ += fmt::format(
        "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" "
        "stroke-width=\"{:g}\"/>\n",
        x1, y1, x2, y2, colour, width);
  }

  void Axes() {
    const ImVec2 a = frame_.well_min, b = frame_.well_max;
    const int columns = std::max(2, static_cast<int>((b.x - a.x) / 70));
    const int rows = std::max(2, static_cast<int>((b.y - a.y) / 30));
    for (const Tick& tick : MakeTicks(frame_.x_scale, frame_.x, columns, frame_.x_unit.factor,
                                      SymlogThreshold(frame_.x))) {
      const float x = frame_.X(tick.value);
      Rule(x, a.y, x, b.y, "#dee2e6", 0.5f);
      Text(x, b.y + 16, tick.label, "middle");
    }
    const double linear = SymlogThreshold(frame_.y);
    for (const Tick& tick :
         MakeTicks(frame_.y_scale, frame_.y, rows, frame_.y_unit.factor, linear)) {
      const float y = frame_.Y(tick.value);
      Rule(a.x, y, b.x, y, tick.value == 0 ? "#aab2ba" : "#dee2e6", 0.5f);
      if (!tick.label.empty()) Text(a.x - 7, y + 4, tick.label, "end");
    }
    out_ += fmt::format(
        "<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"none\" "
        "stroke=\"#59626c\" stroke-width=\"0.8\"/>\n",
        a.x, a.y, b.x - a.x, b.y - a.y);
    Text((a.x + b.x) / 2, size_.y - 10, x_title_, "middle", kTitleText);
    const float middle = (a.y + b.y) / 2;
    std::string title = std::string(spec_.title) + " [" + frame_.y_unit.text + "]";
    if (!spec_.note.empty()) title += ", " + std::string(spec_.note);
    Text(16, middle, title, "middle", kTitleText,
         fmt::format(" transform=\"rotate(-90 16 {:.2f})\"", middle).c_str());
  }

  std::string StrokeOf(const ChannelStyle& style, float alpha) const {
    std::string stroke = fmt::format("stroke=\"{}\" stroke-width=\"{:g}\" stroke-opacity=\"{:g}\"",
                                     SvgColour(style.colour), style.width, alpha);
    if (style.dash_count == 0) return stroke;
    stroke += " stroke-dasharray=\"";
    for (int i = 0; i < style.dash_count; ++i) {
      stroke += fmt::format("{}{:g}", i > 0 ? " " : "", At(style.dash, i));
    }
    return stroke + '"';
  }

  bool Shown(const PlotSeries& series) const { return !state_.hidden.contains(series.label); }

  void Curves() {
    const ImVec2 a = frame_.well_min, b = frame_.well_max;
    out_ += fmt::format(
        "<clipPath id=\"well\"><rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\"/>"
        "</clipPath>\n<g clip-path=\"url(#well)\" fill=\"none\" stroke-linejoin=\"round\">\n",
        a.x, a.y - 2, b.x - a.x, b.y - a.y + 4);  // lines on the border stay whole
    if (spec_.kind == PlotKind::kHistogram) {
      Bars();
      out_ += "</g>\n";
      return;
    }
    for (const PlotEvent& event : spec_.events) {
      if (spec_.kind != PlotKind::kTime) break;
      if (event.time < frame_.x.min || event.time > frame_.x.max) continue;
      std::string plain = event.detail;
      std::erase(plain, '\\');
      out_ += fmt::format(
          "<line x1=\"{0:.2f}\" y1=\"{1:g}\" x2=\"{0:.2f}\" y2=\"{2:g}\" stroke=\"#59626c\" "
          "stroke-width=\"0.8\" stroke-dasharray=\"2 3\"><title>{3}</title></line>\n",
          frame_.X(event.time), a.y, b.y, EscapeSvg(plain));
    }
    // other branches under all; solid lines, dashed ones over them, then formulas; marks over all
    for (const PlotSeries& series : spec_.along) {
      if (Shown(series)) Curve(series);
    }
    for (const PlotSeries& series : spec_.series) {
      if (Shown(series) && series.style.dash_count == 0) Curve(series);
    }
    for (const bool prediction : {false, true}) {
      for (const PlotSeries& series : spec_.series) {
        if (!Shown(series) || series.prediction != prediction) continue;
        if (series.style.dash_count > 0) Curve(series);
      }
    }
    if (spec_.slope) Cone(*spec_.slope);
    for (std::size_t i = 0; i < spec_.series.size() && spec_.kind == PlotKind::kTime; ++i) {
      if (Shown(spec_.series[i])) Marks(spec_.series[i], i);
    }
    out_ += "</g>\n";
    if (!spec_.along_note.empty()) Text(b.x - 4, a.y + 12, spec_.along_note, "end", 10);
  }

  void References() {
    for (const PlotLine& line : spec_.lines) {
      const double unit = ToUnit(frame_.y_scale, frame_.y, line.value, SymlogThreshold(frame_.y));
      if (!(unit >= 0 && unit <= 1)) continue;
      const float y = frame_.Y(line.value);
      out_ += fmt::format(
          "<line x1=\"{:g}\" y1=\"{:.2f}\" x2=\"{:g}\" y2=\"{:.2f}\" stroke=\"#59626c\" "
          "stroke-width=\"0.8\" stroke-dasharray=\"2 3\"/>\n",
          frame_.well_min.x, y, frame_.well_max.x, y);
      Text(frame_.well_max.x - 3, y - 3, line.label, "end");
    }
  }

  /// Shares of steps by bins; lines at the median and, dotted, at 95 %.
  void Bars() {
    const Histogram histogram = MakeHistogram(spec_, state_, times_);
    for (std::size_t i = 0; i < histogram.bars.size(); ++i) {
      const HistogramBars& of = histogram.bars[i];
      const BarPlace place = PlaceBar(i, histogram.bars.size());
      for (int bin = 0; bin < histogram.axis.count; ++bin) {
        const double share = At(of.bins.shares, bin);
        if (share <= 0) continue;
        const double a = static_cast<double>(frame_.X(histogram.axis.Border(bin)));
        const double width = static_cast<double>(frame_.X(histogram.axis.Border(bin + 1))) - a;
        const float top = frame_.Y(share);
        out_ += fmt::format(
            "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" "
            "fill-opacity=\"0.8\"/>\n",
            a + width * place.from, top, width * (place.to - place.from), frame_.well_max.y - top,
            SvgColour(of.series->style.colour));
      }
      for (const bool median : {true, false}) {
        const float x = frame_.X(median ? of.bins.median : of.bins.upper);
        out_ += fmt::format(
            "<line x1=\"{0:.2f}\" y1=\"{1:g}\" x2=\"{0:.2f}\" y2=\"{2:g}\" stroke=\"{3}\" "
            "stroke-width=\"1.2\"{4}><title>{5}, {6}</title></line>\n",
            x, frame_.well_min.y, frame_.well_max.y, SvgColour(of.series->style.colour),
            median ? "" : " stroke-dasharray=\"2 3\"", EscapeSvg(of.series->label),
            median ? "median" : "95 % lie below");
      }
    }
  }

  /// The friction limit y = slope x.
  void Cone(double slope) {
    std::string path;
    for (int i = 0; i <= 64; ++i) {
      const double x = FromUnit(frame_.x_scale, frame_.x, i / 64.0);
      if (frame_.y_scale == AxisScale::kLog && slope * x <= 0) continue;
      path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", frame_.X(x),
                          frame_.Y(slope * x));
    }
    out_ += fmt::format(
        "<path d=\"{}\" stroke=\"#59626c\" stroke-width=\"0.8\" stroke-dasharray=\"2 3\">"
        "<title>friction limit</title></path>\n",
        path);
  }

  /// "M x y L x y ..." of a curve against a signal.
  std::string PathAcross(const PlotSeries& series) const {
    std::vector<AcrossPoint> points;
    CalcAcrossPath(series.across, series.data, times_.min, times_.max, &points);
    std::string path;
    bool pen_down = false;
    for (const AcrossPoint& p : points) {
      const bool no_place = p.IsGap() || (frame_.x_scale == AxisScale::kLog && p.x <= 0) ||
                            (frame_.y_scale == AxisScale::kLog && p.y <= 0);
      if (!no_place)
        path += fmt::format("{}{:.2f} {:.2f}", pen_down ? "L" : "M", frame_.X(p.x), frame_.Y(p.y));
      pen_down = !no_place;
    }
    return path;
  }

  void Curve(const PlotSeries& series) {
    if (spec_.kind == PlotKind::kAgainst) return Stroke(series, PathAcross(series));
    DecimatedLine line;
    const ImVec2 a{frame_.well_min.x * kFine, frame_.well_min.y * kFine};
    const ImVec2 b{frame_.well_max.x * kFine, frame_.well_max.y * kFine};
    Decimate(series.data, frame_.x, frame_.y_scale, frame_.y, a, b, &line);
    std::string path;
    bool pen_down = false;
    for (const ImVec2& p : line.points) {
      if (std::isnan(p.x)) {
        pen_down = false;
        continue;
      }
      path += fmt::format("{}{:.2f} {:.2f}", pen_down ? "L" : "M", p.x / kFine, p.y / kFine);
      pen_down = true;
    }
    Stroke(series, path);
  }

  void Stroke(const PlotSeries& series, const std::string& path) {
    if (path.empty()) return;
    const float alpha = series.alpha;
    out_ += fmt::format("<path d=\"{}\" {}><title>{}{}</title></path>\n", path,
                        StrokeOf(series.style, alpha), EscapeSvg(series.label),
                        series.prediction ? ", predicted" : "");
  }

  void MarkAt(ImVec2 p, const ChannelStyle& style) {
    const std::string paint =
        style.hollow ? fmt::format("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.4\"",
                                   SvgColour(style.colour))
                     : fmt::format("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.8\"",
                                   SvgColour(style.colour));
    constexpr double kRadius = 3.6;
    out_ += SvgMark(style.mark, p.x, p.y, kRadius, paint);
  }

  void Marks(const PlotSeries& series, std::size_t index) {
    if (series.prediction || series.data.empty()) return;
    const double step =
        NiceStep(frame_.x.span(),
                 std::max(1, static_cast<int>((frame_.well_max.x - frame_.well_min.x) / 80)));
    if (!(step > 0)) return;
    const double share = static_cast<double>(index) / static_cast<double>(spec_.series.size());
    for (double t = std::floor(frame_.x.min / step) * step + (0.2 + share) * step; t < frame_.x.max;
         t += step) {
      const std::size_t i = series.data.Nearest(t);
      const auto value = static_cast<double>(series.data.ValueAt(i));
      const double at = series.data.TimeAt(i);
      if (std::isnan(value) || std::fabs(at - t) > 0.25 * step || at < frame_.x.min) continue;
      if (frame_.y_scale == AxisScale::kLog && value <= 0) continue;
      MarkAt({frame_.X(at), frame_.Y(value)}, series.style);
    }
  }

  struct Entry {
    std::string label;
    const ChannelStyle* style;
    ImVec2 at;  ///< left end of the sample
  };

  /// Places the legend above the curves, in as many rows as it needs; returns their number.
  int PlaceLegend() {
    bool predicted = false;
    for (const PlotSeries& series : spec_.series) {
      if (!Shown(series) || (series.prediction && predicted)) continue;
      const bool named = std::any_of(legend_.begin(), legend_.end(), [&](const Entry& entry) {
        return entry.label == series.label;
      });
      if (named && !series.prediction) continue;
      predicted = predicted || series.prediction;
      legend_.push_back({series.prediction ? "predicted" : series.label, &series.style, {0, 0}});
    }
    // the formula comes last
    std::stable_partition(legend_.begin(), legend_.end(),
                          [](const Entry& entry) { return entry.label != "predicted"; });
    float x = kLeftMargin;
    int row = 0;
    for (Entry& entry : legend_) {
      // no font is at hand to measure with: about half an em per letter
      const float width = 36 + 0.56f * kText * static_cast<float>(entry.label.size());
      if (x > kLeftMargin && x + width > size_.x - kRightMargin) {
        x = kLeftMargin;
        ++row;
      }
      entry.at = {x, 20 + kRow * static_cast<float>(row)};
      x += width + 16;
    }
    return row + 1;
  }

  void Legend() {
    for (const Entry& entry : legend_) {
      const ImVec2 p = entry.at;
      out_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:g}\" x2=\"{:.2f}\" y2=\"{:g}\" {}/>\n", p.x,
                          p.y, p.x + 30, p.y, StrokeOf(*entry.style, 1));
      MarkAt({p.x + 15, p.y}, *entry.style);
      Text(p.x + 36, p.y + 4, entry.label, "start");
    }
  }

  const PlotSpec& spec_;
  const PlotState& state_;
  ImVec2 size_;
  std::vector<Entry> legend_;
  PlotFrame frame_;
  AxisRange times_;      ///< of the samples
  std::string x_title_;  ///< rich text
  std::string out_;
};

}  // namespace

std::string PlotSvg(const PlotSpec& spec, const PlotState& state, const LinkedX& x, ImVec2 size) {
  return Writer(spec, state, x, size).Write();
}

}  // namespace slip::app
