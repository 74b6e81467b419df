#include "app/panels/inspect/side_panels.h"

#include <algorithm>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/common/region.h"
#include "app/panels/inspect/dialects.h"
#include "app/panels/inspect/tables.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

#define SLIP_TAB(constant, id) &constant##Tab,
constexpr const Tab* kTabs[] = {SLIP_TABS(SLIP_TAB, SLIP_TAB, SLIP_TAB)};
#undef SLIP_TAB

/// The strip of a panel; the tab that is shown. A choice that is not there now is kept for the next
/// time that it is.
TabId DrawStrip(const TabContext& context, const char* id, Side side, Narrow narrow,
                TabId* chosen) {
  const std::vector<TabId> tabs = TabsOf(context.session, side, narrow);
  std::vector<std::string_view> names, tips;
  for (const TabId tab : tabs) {
    names.emplace_back(TabOf(tab).name);
    tips.emplace_back(TabOf(tab).tip);
  }
  const TabId shown = ShownTab(context.session, *chosen, narrow);
  int index = static_cast<int>(std::find(tabs.begin(), tabs.end(), shown) - tabs.begin());
  ImGui::SetCursorPosX(Px(16));
  if (!TabStrip(id, names, &index, tips)) return shown;
  return *chosen = At(tabs, index);
}

/// The others of the panel.
void RestOthers(const TabContext& context, TabId shown) {
  for (int i = 0; i < static_cast<int>(TabId::kCount); ++i) {
    const auto tab = static_cast<TabId>(i);
    if (tab != shown && SideOf(tab) == SideOf(shown) && TabOf(tab).rest != nullptr)
      TabOf(tab).rest(context);
  }
}

void DrawInspect(const TabContext& context) {
  if (context.state.dialects.open) return DrawDialects(context);
  const TabId shown = DrawStrip(context, "inspect/tabs", Side::kRight, Narrow::kNo,
                                &context.state.shell.inspect_tab);
  RestOthers(context, shown);
  ImGui::SetCursorPosX(0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(16), Px(12)));
  ImGui::BeginChild("inspect", ImVec2(0, 0), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  if (context.session.channel_count() == 0) {
    Paragraph("No scene is loaded yet.", Role::kLabel, Token::kText3);
  } else {
    TabOf(shown).draw(context);
    TableMenu(context.session, shown, &context.differences, &context.requests);
  }
  ImGui::EndChild();
}

}  // namespace

const Tab kInspectTab{
    .name = "Inspect",
    .tip = "Contacts, solver, bodies and the comparison in numbers.",
    .draw = DrawInspect,
};

const Tab& TabOf(TabId tab) { return *At(kTabs, tab); }

std::vector<TabId> TabsOf(const Session& session, Side side, Narrow narrow) {
  std::vector<TabId> tabs;
  for (int i = 0; i < static_cast<int>(TabId::kCount); ++i) {
    const auto tab = static_cast<TabId>(i);
    const auto why_not = TabOf(tab).why_not;
    if (SideOf(tab) != side || (tab == TabId::kInspect && narrow == Narrow::kNo)) continue;
    if (why_not == nullptr || why_not(session) == nullptr) tabs.push_back(tab);
  }
  return tabs;
}

TabId ShownTab(const Session& session, TabId chosen, Narrow narrow) {
  const std::vector<TabId> tabs = TabsOf(session, SideOf(chosen), narrow);
  if (std::find(tabs.begin(), tabs.end(), chosen) != tabs.end()) return chosen;
  return SideOf(chosen) == Side::kLeft ? TabId::kParameters : TabId::kContacts;
}

void DrawLeft(const TabContext& context, Narrow narrow) {
  const Rect& rect = context.rect;
  if (!BeginRegion("left", rect, ImVec2(0, 0), Token::kPanel, ImGuiWindowFlags_NoScrollbar)) return;
  ImGui::SetCursorPosY(Px(2));
  const TabId shown =
      DrawStrip(context, "left/tabs", Side::kLeft, narrow, &context.state.shell.left_tab);
  RestOthers(context, shown);
  ImGui::GetWindowDrawList()->AddLine(ImVec2(rect.max.x - 1, rect.min.y),
                                      ImVec2(rect.max.x - 1, rect.max.y), Color(Token::kLine),
                                      Snap(1));
  ImGui::SetCursorPos(ImVec2(0, Px(37)));
  TabOf(shown).draw(context);
  EndRegion();
}

void DrawRight(const TabContext& context) {
  const Rect& rect = context.rect;
  if (!BeginRegion("right", rect, ImVec2(0, 0), Token::kPanel, ImGuiWindowFlags_NoScrollbar))
    return;
  ImGui::GetWindowDrawList()->AddLine(rect.min, ImVec2(rect.min.x, rect.max.y), Color(Token::kLine),
                                      Snap(1));
  ImGui::SetCursorPosY(Px(2));
  DrawInspect(context);
  EndRegion();
}

}  // namespace slip::app
