// Text and colours as SVG writes them.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

namespace slip::app {

/// The text with '&', '<', '>' and '"' as entities.
std::string EscapeSvg(std::string_view text);
/// Rich text: sub- and superscripts as spans; each is followed by a shift back to the base line.
std::string RichSpans(std::string_view text);
/// "#rrggbb".
std::string SvgColour(ImU32 colour);

}  // namespace slip::app
