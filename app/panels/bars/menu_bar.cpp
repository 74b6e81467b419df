// Menu bar: every action of the table with its key.
#include <algorithm>
#include <cstring>

#include "app/kit/widgets.h"
#include "app/panels/bars/bars.h"
#include "app/panels/common/region.h"
#include "app/state/action_states.h"

namespace slip::app {
namespace {

void MenuItem(const ActionInfo& info, const ActionStates& states, Requests* requests) {
  const std::string key = requests->keys().Label(info.id);
  const char* why = states.WhyDisabled(info.id);
  const bool on = IsToggle(info.id) && states.IsOn(info.id);
  if (why != nullptr) ImGui::PushStyleColor(ImGuiCol_Text, Color(Token::kText3));
  if (ImGui::MenuItem(info.name, key.c_str(), on, why == nullptr)) requests->Do(info.id);
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
void Section(const ActionInfo& first, const ActionStates& states, Requests* requests) {
  const bool open = ImGui::BeginMenu(first.section);
  RegisterLastItem(std::string("menu/") + first.group + "/" + first.section);
  if (!open) return;
  for (const ActionInfo& info : ActionTable()) {
    if (SameSection(first, info)) MenuItem(info, states, requests);
  }
  ImGui::EndMenu();
}

}  // namespace

void DrawMenuBar(const Rect& rect, const ActionStates& states, Requests* requests) {
  if (!BeginRegion("menu", rect, ImVec2(0, 0), Token::kPanel,
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
          MenuItem(info, states, requests);
        } else if (BeginsSection(info)) {
          Section(info, states, requests);
        }
      }
      ImGui::EndMenu();
    }
    const std::string find = requests->keys().Label(Action::kPalette) + "  Find an action";
    const std::string help = requests->keys().Label(Action::kHelp) + "  Help";
    const float help_width = MeasureText(help, Role::kCaption).x;
    const float find_width = MeasureText(find, Role::kCaption).x;
    const float right = rect.width() - Px(16);
    const float y = (rect.height() - FontPx(Role::kCaption)) / 2;
    const float left = right - help_width - find_width - Px(32);
    if (left > ImGui::GetCursorPosX() + Px(24)) {
      ImGui::SetCursorPos(ImVec2(left, y));
      if (LinkText("menu/find", find, Info(Action::kPalette).doc)) requests->Do(Action::kPalette);
      ImGui::SetCursorPos(ImVec2(right - help_width, y));
      if (LinkText("menu/help", help, Info(Action::kHelp).doc)) requests->Do(Action::kHelp);
    }
    ImGui::EndMenuBar();
  }
  ImGui::PopStyleVar(2);
  EndRegion();
}

}  // namespace slip::app
