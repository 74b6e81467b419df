// The window of a region.
#include "app/panels/common/region.h"

#include <cstdint>

namespace slip::app {

bool BeginRegion(const char* id, const Rect& rect, ImVec2 padding, Token fill,
                 ImGuiWindowFlags flags) {
  if (rect.empty()) return false;
  ImGui::SetNextWindowPos(rect.min);
  ImGui::SetNextWindowSize(ImVec2(rect.width(), rect.height()));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  // the frame was cleared to the panels' colour: a processor feels every pixel filled twice
  if (fill == Token::kPanel) flags |= ImGuiWindowFlags_NoBackground;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, Color(fill));
  ImGui::Begin(id, nullptr,
               flags | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  return true;
}

void EndRegion() { ImGui::End(); }

bool KeyPressed(int imgui_key, bool repeats) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(static_cast<ImGuiKey>(imgui_key), repeats);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(imgui_key), repeats);
#endif
}

ImTextureID TextureId(unsigned texture) {
  const auto wide = static_cast<std::uintptr_t>(texture);
  return (ImTextureID)wide;  // NOLINT: the one cast that serves both kinds
}

}  // namespace slip::app
