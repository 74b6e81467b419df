// What the visible and the off-screen window share: the first scene, ImGui's set-up, the theme.
#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/host/window.h"

namespace slip::app {

Result<std::shared_ptr<const Scene>> FirstScene() { return FindScene("conveyor"); }

WindowSize FirstSize(const WindowSize& saved, double scale, const WindowSize& room) {
  const bool known = saved.width > 0 && saved.height > 0;
  WindowSize size = saved;
  if (!known) {
    size.width = static_cast<int>(std::lround(1600 * scale));
    size.height = static_cast<int>(std::lround(900 * scale));
  }
  if (room.width <= 0 || room.height <= 0) return size;
  // a saved window may fill the screen; a new one that does not fit leaves some of it free
  const int tenths = known ? 10 : 9;
  if (size.width > room.width || size.height > room.height) {
    size.width = std::min(size.width, room.width * tenths / 10);
    size.height = std::min(size.height, room.height * tenths / 10);
  }
  return size;
}

std::unique_ptr<Kit> StartImGui() {
  auto kit = std::make_unique<Kit>();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  // Space runs the simulation; it must never press a focused button.
  io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  return kit;
}

void ApplyTheme(Ui* ui) {
  if (!SetTheme(ui->state.shell.shown_theme(), ui->scale())) return;
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

void ApplyQuality(Ui* ui, double now) {
  ui->quality.Look(ui->panes.TakeChanged(), now);
  ui->quality.SetFilmed(ui->live != nullptr);
  ui->quality.Apply(ui->state.view.preset, ui->machine.software_gl, &ui->state.view);
  ui->state.view.smooth = ui->state.view.smooth_edges && !ui->machine.software_gl;
}

void ClearFrame() {
  const ImVec4 panel = ColorV(Token::kPanel);
  glClearColor(panel.x, panel.y, panel.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace slip::app
