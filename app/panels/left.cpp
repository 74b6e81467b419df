// Left panel: Lesson, Parameters, Branches, Joints where there are some, and Inspect where the
// window is too narrow for a right panel.
#include <algorithm>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/panels.h"

namespace slip::app {

void DrawLeft(Ui* ui) {
  const Rect& rect = ui->regions.left;
  if (!BeginRegion("left", rect, ImVec2(0, 0), Token::kPanel, ImGuiWindowFlags_NoScrollbar)) return;
  UiState& s = ui->state;
  std::vector<LeftTab> tabs = {LeftTab::kLesson, LeftTab::kParameters, LeftTab::kBranches};
  std::vector<std::string_view> names = {"Lesson", "Parameters", "Branches"};
  const auto add = [&](LeftTab tab, std::string_view name) {
    tabs.push_back(tab);
    names.push_back(name);
  };
  if (HasJoints(ui->session)) add(LeftTab::kJoints, "Joints");
  if (ui->regions.narrow) add(LeftTab::kInspect, "Inspect");
  // A choice that is not there now is kept for the next time that it is.
  const auto chosen = std::find(tabs.begin(), tabs.end(), s.left_tab);
  int tab = chosen != tabs.end() ? static_cast<int>(chosen - tabs.begin()) : 1;
  ImGui::SetCursorPos(ImVec2(Px(16), Px(2)));
  if (TabStrip("left/tabs", names, &tab)) s.left_tab = tabs[static_cast<std::size_t>(tab)];
  if (tabs[static_cast<std::size_t>(tab)] != LeftTab::kJoints) {
    // what its rows have marked in the picture goes with the tab
    if (s.joints.clicked >= 0 && s.selection.body == s.joints.clicked) s.selection = {};
    s.joints.hovered = s.joints.clicked = -1;
  }
  const float top = Px(36);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine(ImVec2(rect.max.x - 1, rect.min.y), ImVec2(rect.max.x - 1, rect.max.y),
                Color(Token::kLine), Snap(1));
  ImGui::SetCursorPos(ImVec2(0, top + Px(1)));
  switch (tabs[static_cast<std::size_t>(tab)]) {
    case LeftTab::kLesson:
      DrawLesson(ui);
      break;
    case LeftTab::kParameters:
      DrawParameters(ui);
      break;
    case LeftTab::kJoints:
      DrawJoints(ui);
      break;
    case LeftTab::kInspect:
      DrawInspect(ui);
      break;
    case LeftTab::kBranches:
      DrawBranches(ui);
      break;
  }
  EndRegion();
}

void DrawRight(Ui* ui) {
  const Rect& rect = ui->regions.right;
  if (!BeginRegion("right", rect, ImVec2(0, 0), Token::kPanel, ImGuiWindowFlags_NoScrollbar))
    return;
  ImGui::GetWindowDrawList()->AddLine(rect.min, ImVec2(rect.min.x, rect.max.y), Color(Token::kLine),
                                      Snap(1));
  ImGui::SetCursorPos(ImVec2(0, Px(2)));
  DrawInspect(ui);
  EndRegion();
}

void DrawInspect(Ui* ui) {
  // in the order of InspectTab
  static constexpr std::string_view kTabs[] = {"Contacts", "Solver", "Body", "Compare", "Feet"};
  const bool feet = HasFeet(*ui);
  int tab = static_cast<int>(ui->state.inspect_tab);
  // The choice of Feet is kept for the next scene that has some.
  if (ui->state.inspect_tab == InspectTab::kFeet && !feet) tab = 0;
  ImGui::SetCursorPosX(Px(16));
  if (TabStrip("inspect/tabs", std::span(kTabs).first(feet ? 5 : 4), &tab))
    ui->state.inspect_tab = static_cast<InspectTab>(tab);
  ImGui::SetCursorPosX(0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(16), Px(12)));
  ImGui::BeginChild("inspect", ImVec2(0, 0), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  if (ui->session.channel_count() == 0) {
    Paragraph("No scene is loaded yet.", Role::kLabel, Token::kText3);
  } else {
    switch (static_cast<InspectTab>(tab)) {
      case InspectTab::kContacts:
        DrawContacts(ui);
        break;
      case InspectTab::kSolver:
        DrawSolver(ui);
        break;
      case InspectTab::kBody:
        DrawBody(ui);
        break;
      case InspectTab::kCompare:
        DrawCompare(ui);
        break;
      case InspectTab::kFeet:
        DrawFeet(ui);
        break;
    }
    TableMenu(ui);
  }
  ImGui::EndChild();
}

}  // namespace slip::app
