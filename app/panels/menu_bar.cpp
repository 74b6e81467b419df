// Menu bar: every action of the table with its key.
#include <cstring>

#include "app/kit/widgets.h"
#include "app/panels/panels.h"

namespace slip::app {
namespace {

void MenuItem(Ui* ui, const ActionInfo& info) {
  const std::string key = ui->keys.Label(info.id);
  const char* why = WhyDisabled(*ui, info.id);
  const bool on = IsToggle(info.id) && IsOn(*ui, info.id);
  if (why != nullptr) ImGui::PushStyleColor(ImGuiCol_Text, Color(Token::kText3));
  if (ImGui::MenuItem(info.name, key.c_str(), on, why == nullptr)) Queue(ui, info.id);
  if (why != nullptr) ImGui::PopStyleColor();
  RegisterLastItem(std::string("menu/") + info.group + "/" + info.name);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
    Tooltip(why != nullptr ? std::string(info.doc) + " " + why : std::string(info.doc));
  }
}

}  // namespace

void DrawMenuBar(Ui* ui) {
  if (!BeginRegion("menu", ui->regions.menu, ImVec2(0, 0), Token::kPanel,
                   ImGuiWindowFlags_MenuBar | ImGuiWindowFlags_NoScrollbar)) {
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(Px(16), Px(6)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(12), Px(8)));
  if (ImGui::BeginMenuBar()) {
    for (const char* group : ActionGroups()) {
      const bool open = ImGui::BeginMenu(group);
      RegisterLastItem(std::string("menu/") + group);
      if (!open) continue;
      for (const ActionInfo& info : ActionTable()) {
        if (std::strcmp(info.group, group) == 0) MenuItem(ui, info);
      }
      ImGui::EndMenu();
    }
    const std::string find = ui->keys.Label(Action::kPalette) + "  Find an action";
    const std::string help = ui->keys.Label(Action::kHelp) + "  Help";
    const float help_width = MeasureText(help, Role::kCaption).x;
    const float find_width = MeasureText(find, Role::kCaption).x;
    const float right = ui->regions.menu.width() - Px(16);
    const float y = (ui->regions.menu.height() - FontPx(Role::kCaption)) / 2;
    const float left = right - help_width - find_width - Px(32);
    if (left > ImGui::GetCursorPosX() + Px(24)) {
      ImGui::SetCursorPos(ImVec2(left, y));
      if (LinkText("menu/find", find)) Queue(ui, Action::kPalette);
      ImGui::SetCursorPos(ImVec2(right - help_width, y));
      if (LinkText("menu/help", help)) Queue(ui, Action::kHelp);
    }
    ImGui::EndMenuBar();
  }
  ImGui::PopStyleVar(2);
  EndRegion();
}

}  // namespace slip::app
