// Text and colours as SVG writes them.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "render/scene/style.h"

namespace slip::app {

/// The text with '&', '<', '>' and '"' as entities.
std::string EscapeSvg(std::string_view text);
/// Rich text: sub- and superscripts as spans; each is followed by a shift back to the base line.
std::string RichSpans(std::string_view text);
/// "#rrggbb".
std::string SvgColour(ImU32 colour);

/// A model's mark at a place; corners lie a quarter outside of a disc's `radius`. `paint`: its fill
/// and stroke.
std::string SvgMark(render::Mark mark, double x, double y, double radius, const std::string& paint);

}  // namespace slip::app
