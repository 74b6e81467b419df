// What the visible and the off-screen window share: the first scene, ImGui's set-up, the theme.
#include <imgui.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>

#include "app/window.h"
#include "engine/core/param_text.h"

namespace slip::app {

std::string FirstScene() { return "conveyor"; }

Result<std::shared_ptr<const Scene>> SetUpScene(const UiSetup& setup) {
  Result<std::shared_ptr<const Scene>> found = FindScene(setup.scene.empty() ? FirstScene() : setup.scene);
  if (!found.ok() || (setup.models.empty() && setup.assignments.empty())) return found;
  Scene scene = *found.value();
  if (!setup.models.empty()) {
    scene.channels.clear();
    for (const std::string& name : setup.models) {
      const std::optional<ContactModelId> id = FindContactModel(name);
      if (!id) return Error{"unknown model '" + name + "'", "", 0, 0, DidYouMean(name, ContactModelIds())};
      ChannelSpec channel{scene.config};
      channel.config.step.contact_model = static_cast<int>(*id);
      scene.channels.push_back(std::move(channel));
    }
  }
  ErrorList errors;
  for (const std::string& assignment : setup.assignments) {
    for (ChannelSpec& channel : scene.channels) {
      const Status status = ApplyAssignment(&channel.config, assignment);
      if (status.ok()) continue;
      errors.push_back(status.error());
      break;
    }
  }
  if (!errors.empty()) return errors;
  return std::shared_ptr<const Scene>(std::make_shared<Scene>(std::move(scene)));
}

void StartImGui() {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  // Space runs the simulation; it must never press a focused button.
  io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
}

void ApplyTheme(Ui* ui) {
  if (!SetTheme(ui->state.theme, ui->scale())) return;
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

}  // namespace slip::app
