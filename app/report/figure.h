// A figure of a study as plain numbers, and as an SVG: for print at its size in mm, or within a
// page whose style sheet says the colours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/study/study_data.h"

namespace slip::app {

struct FigureCurve {
  std::string label;               ///< rich text
  std::optional<MethodId> method;  ///< whose colour, dash and mark; none = a grey guide
  float alpha = 1;
  std::size_t guide = 0;  ///< its place among the grey ones of the panel
  bool solid = false;     ///< of a model that has the figure to itself
  bool points = false;    ///< a mark at every point
  bool dots = false;      ///< small marks, and no line
  NumberList x, y;
};

struct FigurePanel {
  std::string label, unit;  ///< rich text; SI
  bool log = false, dots = false;
  double from = kNaN, to = kNaN;
  std::vector<StudyLine> lines;
  std::vector<FigureCurve> curves;
};

struct Figure {
  std::string id, title;
  std::string name;  ///< among the figures of all studies
  std::string x_label, x_unit;
  bool x_log = false;
  double x_from = kNaN, x_to = kNaN;
  double width = 140, height = 70;  ///< of all, and of each panel [mm]
  std::vector<FigurePanel> panels;
};

/// Curves without a point are left out.
Figure MakeFigure(const Study& study, const StudyFigure& figure, const StudyData& data);

/// `inlined`: in colours of the page (FigureColours), without a ground; else on white.
std::string FigureSvg(const Figure& figure, bool inlined);

/// The variables of a style sheet that FigureSvg uses, for a light or a dark page.
std::string FigureColours(bool dark);

}  // namespace slip::app
