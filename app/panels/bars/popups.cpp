// Command palette, help, about, explainer and teacher's notes: made from the tables, not by hand.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "app/kit/widgets.h"
#include "app/panels/bars/popups.h"
#include "app/panels/common/region.h"
#include "app/state/action_states.h"
#include "app/state/channel_style.h"

namespace slip::app {
namespace {

bool Centred(const char* id, float width, float height) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const ImVec2 size(std::min(Px(width), display.x - Px(32)),
                    std::min(Px(height), display.y - Px(64)));
  return BeginOverlay(id, ImVec2((display.x - size.x) / 2, (display.y - size.y) / 2), size);
}

bool Header(const char* id, const char* title) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  Rich(title, Role::kLessonTitle);
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - Px(28), at.y - Px(2)));
  const bool close = IconButton(std::string(id) + "/close", icon::kClose, "Close (Esc)", 28);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(34)));
  return close;
}

struct MouseLine {
  const char* action;
  const char* effect;
};
constexpr MouseLine kMouse[] = {
    {"Left-drag on a body", "pull it; the label shows newtons"},
    {"Left-drag on an arrow", "move a gripper's target"},
    {"Left-drag elsewhere", "orbit"},
    {"Right-drag", "pan"},
    {"Wheel", "zoom to the cursor"},
    {"Ctrl+left-drag", "always pulls"},
    {"Ctrl+Shift+left-drag", "twists"},
    {"Shift while pulling", "force in the contact plane"},
    {"X, Y, Z while pulling", "lock an axis, or let it go"},
    {"Click", "select a body or contact"},
    {"Double-click", "select, and orbit about it"},
    {"Right-click", "plot, follow, hide, copy"},
};
constexpr MouseLine kCurves[] = {
    {"Wheel · Ctrl+wheel", "zoom time · zoom values"},
    {"Drag · right-drag", "pan · zoom to a box"},
    {"Drag the play head", "go to a moment"},
    {"Shift+click", "second cursor"},
    {"Double-click", "fit"},
    {"Right-click", "scale, range, export"},
    {"Time line: drag", "go to a moment"},
    {"Time line: Shift+drag", "statistics, loop, export"},
};

void HelpLine(const std::string& left, const char* right, float column) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(ImGui::GetWindowDrawList(), at, left, Role::kCaption, Color(Token::kText));
  // a chord longer than the column moves its own name only
  const float room = std::max(column, MeasureText(left, Role::kCaption).x + Px(10));
  ImGui::SetCursorScreenPos(ImVec2(at.x + room, at.y));
  Paragraph(right, Role::kCaption, Token::kText2);
}

void MouseLines(const char* title, std::span<const MouseLine> lines) {
  GroupHeading(title);
  for (const MouseLine& line : lines) HelpLine(line.action, line.effect, Px(150));
}

}  // namespace

bool BeginOverlay(const char* id, ImVec2 position, ImVec2 size, ImGuiWindowFlags flags) {
  ImGui::SetNextWindowPos(position);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(16), Px(16)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, Px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, Snap(1));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, Color(Token::kRaised));
  ImGui::Begin(id, nullptr,
               flags | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, Color(Token::kRaised));
  EnterOverlay((flags & ImGuiWindowFlags_NoFocusOnAppearing) == 0);
  return true;
}

void EndOverlay() {
  LeaveOverlay();
  ImGui::PopStyleColor();
  ImGui::End();
}

bool ClickedOutside() {
  if (!ImGui::IsMouseClicked(0)) return false;
  return !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                 ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
}

bool EnterPressed() { return KeyPressed(ImGuiKey_Enter); }

void DrawPalette(const ActionStates& states, Palette* own, Requests* requests) {
  if (!own->open) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(Px(560), display.x - Px(32));
  const bool appearing = own->row == 0 && own->search.empty();
  if (!BeginOverlay("palette", ImVec2((display.x - width) / 2, Px(96)), ImVec2(width, Px(420))))
    return;
  if (appearing && !ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
  if (SearchBox("palette/search", &own->search, "Find an action", width - Px(32))) own->row = 0;
  ImGui::BeginChild("list", ImVec2(0, 0));
  std::string search = Lower(own->search);
  while (search.ends_with(' ')) search.pop_back();
  bool done = false;
  int row = 0;
  for (const ActionInfo& info : ActionTable()) {
    const std::string text = std::string(info.group) + ": " + info.name;
    if (info.id == Action::kPalette ||
        Lower(text + " " + info.doc).find(search) == std::string::npos)
      continue;
    const char* why = states.WhyDisabled(info.id);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(info.name);
    const bool chosen =
        ImGui::Selectable("##action", row == own->row,
                          why == nullptr ? 0 : ImGuiSelectableFlags_Disabled, ImVec2(0, Px(22)));
    RegisterLastItem(std::string("palette/") + info.name);
    ImGui::PopID();
    Tooltip(why != nullptr ? why : info.doc);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Token colour = why == nullptr ? Token::kText : Token::kText3;
    DrawText(list, ImVec2(at.x + Px(8), at.y + Px(3)), text, Role::kLabel, Color(colour));
    const std::string key = requests->keys().Label(info.id);
    DrawText(list, ImVec2(at.x + room - Px(8) - MeasureText(key, Role::kCaption).x, at.y + Px(4)),
             key, Role::kCaption, Color(Token::kText3));
    if ((chosen || (row == own->row && EnterPressed())) && why == nullptr && !done) {
      requests->Do(info.id);
      done = true;
    }
    ++row;
  }
  if (row == 0) Paragraph("No such action.", Role::kLabel, Token::kText3);
  ImGui::EndChild();
  const bool outside = ClickedOutside();
  EndOverlay();
  if (done || outside) own->open = false;
}

void DrawHelp(const KeyMap& in_force, const std::string& keys_file, bool* open) {
  if (!*open) return;
  if (!Centred("help", 1080, 836)) return;
  if (Header("help", "Keys and mouse")) *open = false;
  if (!keys_file.empty()) {
    Paragraph("Keys of your own: " + keys_file + ", for example { \"" +
                  ActionId(Action::kRunPause) +
                  "\": \"Ctrl+Space\" }. Names of actions: rest the mouse on a line.",
              Role::kCaption, Token::kText3);
  }
  ImGui::BeginChild("columns", ImVec2(0, 0));
  const int columns = ImGui::GetContentRegionAvail().x > Px(900)   ? 3
                      : ImGui::GetContentRegionAvail().x > Px(560) ? 2
                                                                   : 1;
  if (ImGui::BeginTable("keys", columns, ImGuiTableFlags_SizingStretchSame)) {
    // One column after the other, in the order of the menus where the lengths allow it.
    static constexpr const char* kOrder[] = {"File", "Edit", "Scene", "Inspect", "Models", "Robot",
                                             "Run",  "Help", "View",  "Show",    "Plots"};
    for (const char* group : kOrder) {
      const bool first = std::strcmp(group, "File") == 0;
      const bool second = std::strcmp(group, "Run") == 0, third = std::strcmp(group, "View") == 0;
      if (third) MouseLines("Mouse", kMouse);
      if (first || second || third) ImGui::TableNextColumn();
      GroupHeading(group);
      RegisterLastItem(std::string("help/") + group);
      for (const ActionInfo& info : ActionTable()) {
        if (std::strcmp(info.group, group) != 0) continue;
        std::string keys;
        for (const KeyChord& chord : in_force.Of(info.id)) {
          if (chord.key == 0) continue;
          const std::string more = keys + (keys.empty() ? "" : "  ") + in_force.Label(chord);
          // those that the column has no room for are other ways to the same
          if (keys.empty() || MeasureText(more, Role::kCaption).x < Px(138)) keys = more;
        }
        if (keys.empty()) continue;
        HelpLine(keys, info.name, Px(150));
        Tooltip(ActionId(info.id));
      }
    }
    MouseLines("Plots and time line", kCurves);
    ImGui::EndTable();
  }
  ImGui::EndChild();
  const bool outside = ClickedOutside();
  EndOverlay();
  if (outside) *open = false;
}

void DrawAbout(const std::string& gl_renderer, bool* open) {
  if (!*open) return;
  if (!Centred("about", 460, 300)) return;
  if (Header("about", "Slipscope")) *open = false;
  Paragraph(
      "An oscilloscope for contact mechanics: several contact models side by side, every number "
      "measured, every "
      "parameter live.");
  Paragraph(fmt::format("Version {} · {} build", SLIP_VERSION, SLIP_BUILD_TYPE), Role::kCaption,
            Token::kText2);
  Paragraph("Dear ImGui " + std::string(ImGui::GetVersion()) + " · GLFW · Eigen · OpenGL 3.3",
            Role::kCaption, Token::kText2);
  Paragraph("Graphics: " + gl_renderer, Role::kCaption, Token::kText2);
  Paragraph("Scenes: " + SceneFolder(), Role::kCaption, Token::kText2);
  const bool outside = ClickedOutside();
  EndOverlay();
  if (outside) *open = false;
}

void DrawWhy(Why* why) {
  if (why->text.empty()) return;
  if (!Centred("why", 520, 280)) return;
  const bool closed = Header("why", why->title.c_str());
  Paragraph(why->text);
  const bool outside = ClickedOutside();
  EndOverlay();
  if (closed || outside) *why = {};
}

void DrawExplain(const Session& session, Popups* popups) {
  const Scene* scene = session.scene();
  if ((!popups->explain && !popups->teacher_notes) || scene == nullptr) return;
  if (!Centred("explain", 620, 520)) return;
  const bool teachers = popups->teacher_notes;
  if (Header("explain", teachers ? "For teachers" : "What am I seeing?"))
    popups->explain = popups->teacher_notes = false;
  ImGui::BeginChild("text", ImVec2(0, 0));
  if (teachers) {
    Paragraph(scene->lesson.teacher_notes);
  } else {
    Rich(scene->title, Role::kCardTitle);
    Paragraph(scene->story);
    if (!scene->source.empty()) Paragraph(scene->source, Role::kCaption, Token::kText3);
    for (int i = 0; i < session.channel_count(); ++i) {
      const MethodInfo& info = slip::Info(session.looks().Of(i).model);
      HairLine();
      const ImVec2 at = ImGui::GetCursorScreenPos();
      DrawMark(ImGui::GetWindowDrawList(), ImVec2(at.x + Px(6), at.y + Px(9)), StyleOf(session, i),
               5);
      ImGui::SetCursorScreenPos(ImVec2(at.x + Px(20), at.y));
      Rich(info.label, Role::kTitle);
      Paragraph(info.doc, Role::kLabel);
      Paragraph(info.source, Role::kCaption, Token::kText3);
    }
  }
  ImGui::EndChild();
  const bool outside = ClickedOutside();
  EndOverlay();
  if (outside) popups->explain = popups->teacher_notes = false;
}

}  // namespace slip::app
