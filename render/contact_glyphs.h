// Forces, contact points, cones, belt and mouse-spring arrows, and where their numbers go.
#pragma once

#include <vector>

#include "render/force_arrows.h"

namespace slip::render {

/// No more force numbers than this: the largest win.
inline constexpr int kMaxForceLabels = 6;

/// Adds glyphs to the list and returns the label anchors in pixels.
std::vector<LabelAnchor> AppendGlyphs(const DrawContext& context, DrawList* list);

}  // namespace slip::render
