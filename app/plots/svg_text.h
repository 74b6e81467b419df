// Text and colours as SVG writes them.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/scene/style.h"

namespace slip::app {

/// The text with '&', '<', '>' and '"' as entities.
std::string EscapeSvg(std::string_view text);
/// Rich text: sub- and superscripts as spans; each is followed by a shift back to the base line.
std::string RichSpans(std::string_view text);
/// "#rrggbb".
std::string SvgColour(ImU32 colour);

/// Corners of a model's mark about its middle, a quarter outside of a disc's `radius`; of a disc
/// itself many. Empty where there is none.
std::vector<std::pair<double, double>> MarkCorners(render::Mark mark, double radius);
/// A model's mark at a place; corners lie a quarter outside of a disc's `radius`. `paint`: its fill
/// and stroke.
std::string SvgMark(render::Mark mark, double x, double y, double radius, const std::string& paint);

}  // namespace slip::app
