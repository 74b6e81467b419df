// What the instruments over the picture share: their measures, text on a row, the sign for help.
#pragma once

#include <algorithm>

#include <imgui.h>

#include <span>
#include <string_view>

#include "app/kit/widgets.h"

namespace slip::app {

// Design pixels; compact instruments have numbers alone.
inline constexpr float kInstrumentWidth = 292, kInstrumentStep = 24;
inline constexpr float kCompactInstrumentWidth = 212, kCompactInstrumentStep = 22;
inline constexpr float kWideTableWidth = 284;

/// Draws text about a middle line, from the left or up to the right.
struct RowText {
  ImDrawList* list;
  void Left(float x, float middle, std::string_view text, Role role, Token token) const {
    DrawRich(list, {x, middle - FontPx(role) / 2}, text, role, Color(token));
  }
  void Right(float x, float middle, std::string_view text, Role role, Token token) const {
    Left(x - MeasureRich(text, role).x, middle, text, role, token);
  }
};

/// Room for laws at the foot of an instrument [design px].
inline constexpr float kLawStep = 18;
inline float LawsHeight(int laws) {
  return 28 + kLawStep * static_cast<float>(std::max(1, laws) - 1);
}
/// Laws at the foot, under a rule.
void DrawLaws(ImDrawList* list, ImVec2 o, ImVec2 max, std::span<const LawLine> laws);
/// One law with the marks of its models.
void DrawLaw(ImDrawList* list, float x, float middle, const LawLine& law);

/// "?" after the formula, or in the heading of a compact instrument. True when it is clicked.
bool HelpSign(std::string_view id, ImVec2 min, ImVec2 max, bool compact, const char* question);

}  // namespace slip::app
