// Forces, contact points, cones, belt and mouse-spring arrows, and where their numbers go.
#pragma once

#include <vector>

#include "render/draw_list.h"

namespace slip::render {

/// No more force numbers than this: the largest win.
inline constexpr int kMaxForceLabels = 6;

/// Arrow scale in force for a scene: newtons per 10 cm at 1 m distance; 0 = logarithmic. Automatic
/// scaling looks at the heaviest body's weight, not at the forces, so that it does not flicker.
double NewtonsPer10cm(const Snapshot& snapshot, const ViewRequest& request);

/// Length of a force arrow [m] at `distance` [m] from the eye. Logarithmic: 0.1 N = 35 mm at 1 m,
/// 62 mm per decade, linear below 0.1 N. Fixed scale ignores the distance.
double ArrowLength(double force, double distance, ArrowScale scale, double newtons_per_10cm);

/// Adds glyphs to the list and returns the label anchors in pixels.
std::vector<LabelAnchor> AppendGlyphs(const DrawContext& context, DrawList* list);

}  // namespace slip::render
