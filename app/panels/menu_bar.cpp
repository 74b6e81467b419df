// Menu bar: every action of the table with its key.
#include <algorithm>
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

bool SameSection(const ActionInfo& a, const ActionInfo& b) {
  return a.section != nullptr && b.section != nullptr && std::strcmp(a.group, b.group) == 0 &&
         std::strcmp(a.section, b.section) == 0;
}

/// The first of its section, which stands for all of it in the menu.
bool BeginsSection(const ActionInfo& info) {
  const auto table = ActionTable();
  return std::find_if(table.begin(), table.end(), [&](const ActionInfo& other) {
           return SameSection(info, other);
         })->id == info.id;
}

/// A menu within the menu, of all actions of the section.
void Section(Ui* ui, const ActionInfo& first) {
  const bool open = ImGui::BeginMenu(first.section);
  RegisterLastItem(std::string("menu/") + first.group + "/" + first.section);
  if (!open) return;
  for (const ActionInfo& info : ActionTable()) {
    if (SameSection(first, info)) MenuItem(ui, info);
  }
  ImGui::EndMenu();
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
        if (std::strcmp(info.group, group) != 0) continue;
        if (info.section == nullptr) {
          MenuItem(ui, info);
        } else if (BeginsSection(info)) {
          Section(ui, info);
        }
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
