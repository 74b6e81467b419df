// Builds the font atlas: one font per role, at the size of the scale in force.
#pragma once

#include <imgui.h>

#include <array>
#include <string>

#include "app/kit/theme.h"

namespace slip::app {

/// Weight of words in figures.
enum class WordWeight { kRegular, kMedium, kSemiBold };
/// Path of the font for them, and of the one that has the letters it lacks; whether they are there
/// is not asked.
std::string WordFont(WordWeight weight);
std::string WordFallback(WordWeight weight);

using FontTable = std::array<ImFont*, static_cast<std::size_t>(Role::kCount)>;
using RoleSizes = std::array<float, static_cast<std::size_t>(Role::kCount)>;  ///< [px]

/// Clears ImGui's atlas and fills it for `scale`; bitmaps are never scaled. Missing font files fall
/// back to DejaVu, then to ImGui's built-in font. Returns the fonts and their pixel heights.
FontTable BuildFonts(float scale, RoleSizes* px);

}  // namespace slip::app
