// Every control says what it does when the mouse rests on it.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

/// Ids without what differs from row to row.
std::string KindOf(const std::string& id) {
  std::string kind;
  for (const char c : id) kind += c >= '0' && c <= '9' ? '#' : c;
  return kind;
}

/// Rests the mouse on each control that is drawn now; adds those without a tool tip.
void Audit(OffscreenUi* ui, std::set<std::string>* seen, std::map<std::string, std::string>* bare,
           const std::string& where) {
  ui->Frame(0);
  const std::vector<WidgetRecord> widgets = Widgets();
  // the picture has no tool tip where there is nothing
  const auto pane_at = std::find_if(widgets.begin(), widgets.end(),
                                    [](const WidgetRecord& w) { return w.id == "view/0"; });
  ASSERT_NE(pane_at, widgets.end());
  ui->MoveMouse({pane_at->max.x - 4, (pane_at->min.y + pane_at->max.y) / 2});
  for (int i = 0; i < 2; ++i) ui->Frame(0.1);
  const ImGuiID pane = GImGui->HoveredId;
  ASSERT_NE(pane, 0u);
  for (const WidgetRecord& w : widgets) {
    // a menu opens at a click and says there what it holds
    const bool menu = w.id.starts_with("menu/") && std::isupper(w.id[5]) != 0;
    if (menu || w.id == "tooltip" || !seen->insert(KindOf(w.id)).second) continue;
    const ImVec2 at((w.min.x + w.max.x) / 2, (w.min.y + w.max.y) / 2);
    if (at.x < 0 || at.y < 0 || at.x > 1600 || at.y > 900) continue;
    ui->MoveMouse(at);
    for (int i = 0; i < 2; ++i) ui->Frame(0.1);
    const ImGuiID hovered = GImGui->HoveredId;
    if (hovered == 0 || hovered == pane) continue;  // not a control
    for (int i = 0; i < 3; ++i) ui->Frame(0.2);
    bool tip = FindWidget("tooltip") != nullptr;
    for (const ImGuiWindow* window : GImGui->Windows)
      tip = tip || (window->WasActive && (window->Flags & ImGuiWindowFlags_Tooltip) != 0);
    if (!tip) (*bare)[w.id] = where;
  }
}

TEST(ToolTips, EveryControlHasOne) {
  std::set<std::string> seen;
  std::map<std::string, std::string> bare;
  for (const char* scene : {"conveyor", "quadruped-trot", "bunny-grasp"}) {
    OPEN_OR_SKIP(ui, scene);
    PassAndDraw(ui.get(), 0.5);
    ui->session().playback().SetPlaying(false);  // rows that move would be others every time
    for (const TabId tab :
         {TabId::kLesson, TabId::kParameters, TabId::kJoints, TabId::kInspect, TabId::kBranches}) {
      ui->ui().state.shell.left_tab = tab;
      Audit(ui.get(), &seen, &bare, scene);
    }
    for (const TabId tab : {TabId::kContacts, TabId::kSolver, TabId::kBody, TabId::kCompare,
                            TabId::kFeet, TabId::kCheck}) {
      ui->ui().state.shell.inspect_tab = tab;
      Audit(ui.get(), &seen, &bare, scene);
    }
  }
  for (const auto& [id, where] : bare) ADD_FAILURE() << id << " in " << where << " has no tool tip";
  EXPECT_GT(seen.size(), 150u);
}

/// Whether any list of the frame has this sign in one of the fonts.
bool IsDrawn(ImWchar sign) {
  const ImDrawData* data = ImGui::GetDrawData();
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    const ImFontGlyph* glyph = font->FindGlyphNoFallback(sign);
    if (glyph == nullptr) continue;
    for (int i = 0; i < data->CmdListsCount; ++i) {
      for (const ImDrawVert& vertex : data->CmdLists[i]->VtxBuffer) {
        if (vertex.uv.x == glyph->U0 && vertex.uv.y == glyph->V0) return true;
      }
    }
  }
  return false;
}

TEST(ToolTips, UnitsHaveTheirPowersRaised) {
#if IMGUI_VERSION_NUM >= 19200
  GTEST_SKIP() << "glyphs have other places there";
#else
  OPEN_OR_SKIP(ui, "capsule-pinch", 1600, 2400);
  ui->ui().state.shell.left_tab = TabId::kParameters;
  ui->session().playback().SetPlaying(false);
  PassAndDraw(ui.get(), 0.2);
  std::string path;
  for (const ParamEntry& entry : ListParams(ui->session().frame(0).config)) {
    if (entry.info->unit.find("^1.5") != std::string_view::npos) path = entry.path;
  }
  for (const char* part : {"slider", "right", "reset"}) {
    const WidgetRecord* row = FindWidget("param/" + path + "/" + part);
    ASSERT_NE(row, nullptr) << part;
    ui->MoveMouse({(row->min.x + row->max.x) / 2, (row->min.y + row->max.y) / 2});
    for (int i = 0; i < 8; ++i) ui->Frame(0.1);
    ASSERT_NE(FindWidget("tooltip"), nullptr) << part;
    EXPECT_TRUE(IsDrawn('N')) << "else this says nothing";
    for (const ImWchar sign : {'{', '}', '^'})
      EXPECT_FALSE(IsDrawn(sign)) << part << ", " << static_cast<char>(sign);
  }
#endif
}

TEST(ToolTips, OfCursorsNameAUnitOnlyWhereThereIsOne) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 1);
  ui->session().playback().SetPlaying(false);
  for (std::size_t slot = 0; slot < 3; ++slot) {
    const std::string id = std::to_string(slot);
    const WidgetRecord* well = FindWidget("plot/" + id + "/well");
    ASSERT_NE(well, nullptr);
    ui->MoveMouse({(well->min.x + 2 * well->max.x) / 3, (well->min.y + well->max.y) / 2});
    for (int i = 0; i < 4; ++i) ui->Frame(0.1);
    const bool pure = Info(ui->ui().state.plots.slots[slot].signal).unit.empty();
    EXPECT_EQ(FindWidget("plot/" + id + "/tip/unit") == nullptr, pure) << id;
  }
}

}  // namespace
}  // namespace slip::app
