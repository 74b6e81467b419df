// A figure as a picture, for texts that take no SVG; and frames of a run, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/rich_runs.h"
#include "app/plots/svg_text.h"
#include "app/report/canvas.h"
#include "app/report/figure_pen.h"
#include "app/report/study_picture.h"

namespace slip::app {
namespace {

constexpr double kDotsPerInch = 300;
constexpr double kPixelsPerPoint = kDotsPerInch / 72;
constexpr double kSmall = 0.75;          // of sub- and superscripts
constexpr double kDown = 3, kUp = -4.5;  // their shift, as the SVG has it [points]

CanvasColour ColourOf(const FigurePaint& paint) {
  CanvasColour colour = CanvasColour::Hex(kFigureInks[static_cast<std::size_t>(paint.ink)].light);
  if (paint.method) {
    const render::Colour& own = render::StyleOf(*paint.method).print;
    const auto byte = [](float part) { return static_cast<uint8_t>(std::lround(255 * part)); };
    colour = {byte(own.r), byte(own.g), byte(own.b), 1};
  }
  colour.alpha = paint.opacity;
  return colour;
}

/// Rich text from the base line's start on, which moves to its end.
CanvasOutline OutlineOf(const WordFonts& fonts, const std::string& rich, WordWeight weight,
                        double size, CanvasPoint* at) {
  CanvasOutline outline;
  std::vector<RichRun> runs;
  SplitRuns(rich, &runs);
  const double line = at->y;
  for (const RichRun& run : runs) {
    const bool base = run.level == RichLevel::kBase;
    at->y = line + (base ? 0 : run.level == RichLevel::kSub ? kDown : kUp);
    fonts.Append(run.text, weight, base ? size : kSmall * size, at, &outline);
  }
  return outline;
}

class PngPen : public FigurePen {
 public:
  explicit PngPen(const WordFonts& fonts) : fonts_(fonts) {}

  void Begin(const Figure&, double width, double height) override {
    canvas_.emplace(width, height, kPixelsPerPoint);
  }

  void Words(double x, double y, const std::string& rich, const FigureWords& words) override {
    CanvasPoint at{0, y};
    CanvasOutline outline = OutlineOf(fonts_, rich, words.weight, words.size, &at);
    const std::string_view anchor = words.anchor;
    const double shift = x - (anchor == "end" ? at.x : anchor == "middle" ? at.x / 2 : 0);
    for (auto& polygon : outline)
      for (CanvasPoint& point : polygon) point.x += shift;
    if (words.halo) {
      std::vector<std::vector<CanvasPoint>> edges = outline;
      for (auto& edge : edges)
        if (!edge.empty()) edge.push_back(edge.front());
      canvas_->Stroke(edges, {ColourOf({.ink = FigureInk::kGround}), 2.5});
    }
    canvas_->Fill(outline, ColourOf({.ink = words.quiet ? FigureInk::kInk2 : FigureInk::kInk}));
  }

  void Rule(double x1, double y1, double x2, double y2, const FigureStroke& stroke) override {
    canvas_->Stroke({{{x1, y1}, {x2, y2}}}, StrokeOf(stroke));
  }

  void BeginClip(double x, double y, double width, double height) override {
    canvas_->Clip(x, y, width, height);
  }
  void EndClip() override { canvas_->ClearClip(); }

  void Curve(const std::vector<FigureSpot>& spots, const FigureStroke& stroke,
             const std::string&) override {
    std::vector<std::vector<CanvasPoint>> lines;
    for (const FigureSpot& spot : spots) {
      if (spot.begins) lines.emplace_back();
      lines.back().push_back({spot.x, spot.y});
    }
    canvas_->Stroke(lines, StrokeOf(stroke));
  }

  void Mark(render::Mark mark, double x, double y, double radius, const FigurePaint& paint,
            double edge) override {
    std::vector<CanvasPoint> corners;
    for (const auto& [dx, dy] : MarkCorners(mark, radius)) corners.push_back({x + dx, y + dy});
    if (corners.empty()) return;
    canvas_->Fill({corners}, ColourOf(paint));
    corners.push_back(corners.front());
    corners.push_back(corners[1]);  // the last corner is round, too
    canvas_->Stroke({corners}, {ColourOf({.ink = FigureInk::kGround}), edge});
  }

  render::Image Take() { return canvas_->Take(); }

 private:
  static CanvasStroke StrokeOf(const FigureStroke& stroke) {
    return {ColourOf(stroke.paint), stroke.width, stroke.dash};
  }

  const WordFonts& fonts_;
  std::optional<Canvas> canvas_;
};

}  // namespace

render::Image FigurePng(const Figure& figure, const WordFonts& fonts) {
  PngPen pen(fonts);
  DrawFigureWith(figure, &pen);
  return pen.Take();
}

FrameLayout LayOutFrames(const StudyPicture& picture) {
  FrameLayout layout;
  const std::size_t count = picture.times.size();
  layout.columns = count <= 2 ? count : count <= 4 ? 2 : 3;
  layout.rows = (count + layout.columns - 1) / layout.columns;
  const double room =
      picture.width * kPointsPerMm - FrameLayout::kGap * static_cast<double>(layout.columns - 1);
  const double wide = room / static_cast<double>(layout.columns);
  layout.width = static_cast<int>(std::floor(wide * kPixelsPerPoint));
  layout.height = static_cast<int>(std::lround(layout.width * 0.625));
  return layout;
}

render::Image FramesPng(const StudyPicture& picture, const std::vector<render::Image>& frames,
                        const WordFonts& fonts) {
  constexpr double kHead = 20, kCaption = 14;  // points
  const FrameLayout layout = LayOutFrames(picture);
  const double wide = layout.width / kPixelsPerPoint, high = layout.height / kPixelsPerPoint;
  const double row = high + kCaption + FrameLayout::kGap;
  Canvas canvas(picture.width * kPointsPerMm, kHead + row * static_cast<double>(layout.rows),
                kPixelsPerPoint);
  const auto words = [&](double x, double y, const std::string& text, WordWeight weight,
                         double size) {
    CanvasPoint at{x, y};
    canvas.Fill(OutlineOf(fonts, text, weight, size, &at), ColourOf({}));
  };
  words(2, 12, picture.title, WordWeight::kSemiBold, 9.5);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const double x = static_cast<double>(i % layout.columns) * (wide + FrameLayout::kGap);
    const double y = kHead + static_cast<double>(i / layout.columns) * row;
    canvas.Paste(frames[i], {x, y});
    words(x, y + high + 10, fmt::format("{:g} s", picture.times[i]), WordWeight::kRegular,
          kFigureText);
  }
  return canvas.Take();
}

}  // namespace slip::app
