// How a figure is drawn, whatever it is drawn with: where its parts lie, in points from the left
// and the top, and what each is painted with. Internal to the figures of reports.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/kit/fonts.h"
#include "app/report/figure_axes.h"
#include "render/scene/style.h"

namespace slip::app {

inline constexpr double kPointsPerMm = 72 / 25.4;
inline constexpr double kFigureText = 8.5;  ///< height of most words [points]

/// What is of no model.
enum class FigureInk : int { kInk, kInk2, kGrid, kFrame, kGround };
struct FigureInkRow {
  const char *name, *light, *dark;
};
inline constexpr FigureInkRow kFigureInks[] = {{"ink", "#16191d", "#e8ebee"},
                                               {"ink2", "#59626c", "#a3adb8"},
                                               {"grid", "#e3e6ea", "#363d46"},
                                               {"frame", "#8a939c", "#6b7580"},
                                               {"ground", "#ffffff", "#1f242b"}};

struct FigurePaint {
  FigureInk ink = FigureInk::kInk;
  std::optional<MethodId> method = {};  ///< whose colour it has instead
  double opacity = 1;
};
struct FigureStroke {
  FigurePaint paint;
  double width = 1;               ///< [points]
  std::vector<double> dash = {};  ///< on, off, ...; empty = solid
};
struct FigureWords {
  const char* anchor = "start";  ///< or "middle", "end"
  double size = kFigureText;
  WordWeight weight = WordWeight::kRegular;
  bool quiet = false;  ///< in the second ink
  bool halo = false;   ///< over curves
};
/// A point of a curve; what begins a piece is not joined to the one before.
struct FigureSpot {
  double x = 0, y = 0;
  bool begins = false;
};

class FigurePen {
 public:
  FigurePen() = default;
  FigurePen(const FigurePen&) = delete;
  FigurePen& operator=(const FigurePen&) = delete;
  virtual ~FigurePen() = default;

  virtual void Begin(const Figure& figure, double width, double height) = 0;
  virtual void Words(double x, double y, const std::string& rich, const FigureWords& words) = 0;
  virtual void Rule(double x1, double y1, double x2, double y2, const FigureStroke& stroke) = 0;
  virtual void BeginClip(double x, double y, double width, double height) = 0;
  virtual void EndClip() = 0;
  virtual void Curve(const std::vector<FigureSpot>& spots, const FigureStroke& stroke,
                     const std::string& label) = 0;
  /// `edge`: width of the line about it, in the colour of the ground.
  virtual void Mark(render::Mark mark, double x, double y, double radius, const FigurePaint& paint,
                    double edge) = 0;
};

void DrawFigureWith(const Figure& figure, FigurePen* pen);

}  // namespace slip::app
