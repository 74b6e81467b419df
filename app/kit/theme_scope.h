// Another theme and scale for a while, in an ImGui context of its own: pictures of plots are drawn
// in print colours or at four times the size without touching the window's fonts.
#pragma once

#include <imgui.h>

#include <optional>

#include "app/kit/kit.h"

namespace slip::app {

class ThemeScope {
 public:
  /// Makes an ImGui context and makes it current; call SetTheme next. Between frames only.
  ThemeScope();
  /// Destroys it; the window's context, theme and fonts are those of before.
  ~ThemeScope();
  ThemeScope(const ThemeScope&) = delete;
  ThemeScope& operator=(const ThemeScope&) = delete;

 private:
  ImGuiContext* window_;
  std::optional<Kit> own_;
};

}  // namespace slip::app
