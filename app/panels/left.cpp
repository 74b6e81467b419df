// Left panel: Lesson, Parameters, Branches, Joints where there are some, and Inspect where the
// window is too narrow for a right panel.
#include <algorithm>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/region.h"
#include "app/panels/side_panels.h"
#include "app/panels/tables.h"
#include "app/panels/tabs.h"

namespace slip::app {

void DrawLeft(const LeftParts& parts) {
  const Session& session = parts.inspect.session;
  const Rect& rect = parts.rect;
  Shell& shell = parts.inspect.shell;
  Picked* picked = &parts.inspect.picked;
  ParamRows* rows = &parts.inspect.rows;
  Requests* requests = &parts.inspect.requests;
  if (!BeginRegion("left", rect, ImVec2(0, 0), Token::kPanel, ImGuiWindowFlags_NoScrollbar)) return;
  std::vector<LeftTab> tabs = {LeftTab::kLesson, LeftTab::kParameters, LeftTab::kBranches};
  std::vector<std::string_view> names = {"Lesson", "Parameters", "Branches"};
  std::vector<std::string_view> tips = {"What the scene shows, and what to try.",
                                        "Everything that can be set: model, materials, solver.",
                                        "Runs that were left: going on from the past keeps them."};
  const auto add = [&](LeftTab tab, std::string_view name, std::string_view tip) {
    tabs.push_back(tab);
    names.push_back(name);
    tips.push_back(tip);
  };
  if (HasJoints(session))
    add(LeftTab::kJoints, "Joints", "Angles, targets and motors of the robot's joints.");
  if (parts.narrow)
    add(LeftTab::kInspect, "Inspect", "Contacts, solver, bodies and the comparison in numbers.");
  // A choice that is not there now is kept for the next time that it is.
  const auto chosen = std::find(tabs.begin(), tabs.end(), shell.left_tab);
  int tab = chosen != tabs.end() ? static_cast<int>(chosen - tabs.begin()) : 1;
  ImGui::SetCursorPos(ImVec2(Px(16), Px(2)));
  if (TabStrip("left/tabs", names, &tab, tips))
    shell.left_tab = tabs[static_cast<std::size_t>(tab)];
  if (tabs[static_cast<std::size_t>(tab)] != LeftTab::kJoints) {
    // what its rows have marked in the picture goes with the tab
    int& clicked = parts.joints.clicked;
    if (clicked >= 0 && picked->selection.body == clicked) picked->selection = {};
    picked->hover_link = clicked = -1;
  }
  const float top = Px(36);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine(ImVec2(rect.max.x - 1, rect.min.y), ImVec2(rect.max.x - 1, rect.max.y),
                Color(Token::kLine), Snap(1));
  ImGui::SetCursorPos(ImVec2(0, top + Px(1)));
  switch (tabs[static_cast<std::size_t>(tab)]) {
    case LeftTab::kLesson:
      DrawLesson(session, rect, &parts.lesson, rows, &parts.popups, requests);
      break;
    case LeftTab::kParameters:
      DrawParameters(session, rect, &parts.parameters, rows, &parts.mouse, requests);
      break;
    case LeftTab::kJoints:
      if (DrawJoints(session, rect, &parts.joints, picked, requests)) {
        shell.left_tab = LeftTab::kParameters;
        parts.parameters.search = "motor";
      }
      break;
    case LeftTab::kInspect:
      DrawInspect(parts.inspect);
      break;
    case LeftTab::kBranches:
      DrawBranches(session, &parts.branch_edit, &parts.view.run_ghost,
                   &parts.inspect.plots.along_opacity, requests);
      break;
  }
  EndRegion();
}

void DrawRight(const Rect& rect, const InspectParts& parts) {
  if (!BeginRegion("right", rect, ImVec2(0, 0), Token::kPanel, ImGuiWindowFlags_NoScrollbar))
    return;
  ImGui::GetWindowDrawList()->AddLine(rect.min, ImVec2(rect.min.x, rect.max.y), Color(Token::kLine),
                                      Snap(1));
  ImGui::SetCursorPos(ImVec2(0, Px(2)));
  DrawInspect(parts);
  EndRegion();
}

void DrawInspect(const InspectParts& parts) {
  // in the order of InspectTab
  static constexpr std::string_view kTabs[] = {"Contacts", "Solver", "Body", "Compare", "Feet"};
  static constexpr std::string_view kTips[] = {
      "Contacts by load, how much friction they use, and the friction cone.",
      "How this step was solved: residuals, line search, times, condition.",
      "Pose, velocity, mass and material of one body.", "Metrics of all models side by side.",
      "Load, friction, slip and mode of each foot."};
  const Session& session = parts.session;
  InspectTab& shown = parts.shell.inspect_tab;
  Picked* picked = &parts.picked;
  PlotsState* plots = &parts.plots;
  Requests* requests = &parts.requests;
  const bool feet = HasFeet(session);
  int tab = static_cast<int>(shown);
  // The choice of Feet is kept for the next scene that has some.
  if (shown == InspectTab::kFeet && !feet) tab = 0;
  ImGui::SetCursorPosX(Px(16));
  if (TabStrip("inspect/tabs", std::span(kTabs).first(feet ? 5 : 4), &tab, kTips))
    shown = static_cast<InspectTab>(tab);
  ImGui::SetCursorPosX(0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(16), Px(12)));
  ImGui::BeginChild("inspect", ImVec2(0, 0), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  if (session.channel_count() == 0) {
    Paragraph("No scene is loaded yet.", Role::kLabel, Token::kText3);
  } else {
    switch (static_cast<InspectTab>(tab)) {
      case InspectTab::kContacts:
        DrawContacts(session, &parts.contacts, picked, plots);
        break;
      case InspectTab::kSolver:
        DrawSolver(session, parts.rows.stable_steps, &parts.solver, plots, requests);
        break;
      case InspectTab::kBody:
        DrawBody(session, picked, plots, &parts.rows, requests);
        break;
      case InspectTab::kCompare:
        DrawCompare(session, &parts.differences, plots, requests);
        break;
      case InspectTab::kFeet:
        DrawFeet(session, picked);
        break;
    }
    TableMenu(session, shown, &parts.differences, requests);
  }
  ImGui::EndChild();
}

}  // namespace slip::app
