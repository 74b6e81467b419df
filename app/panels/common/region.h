// Windows that panels are drawn in.
#pragma once

#include <imgui.h>

#include "app/kit/theme.h"
#include "app/state/layout.h"

namespace slip::app {

/// A window without frame that covers `rect`; false (and nothing to end) when it is empty.
bool BeginRegion(const char* id, const Rect& rect, ImVec2 padding, Token fill,
                 ImGuiWindowFlags flags = 0);
void EndRegion();

/// A raised window over the others; its position and size in pixels. It takes the keyboard and the
/// mouse when it appears, unless told not to.
bool BeginOverlay(const char* id, ImVec2 position, ImVec2 size, ImGuiWindowFlags flags = 0);
void EndOverlay();
bool ClickedOutside();  ///< inside an overlay: the mouse was pressed somewhere else
bool KeyPressed(int imgui_key, bool repeats = false);
bool EnterPressed();

/// A GL texture for ImGui, whose ImTextureID is a pointer or an integer, depending on its version.
ImTextureID TextureId(unsigned texture);

}  // namespace slip::app
