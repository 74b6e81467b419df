// Scene picker: every scene of the folder with title, tags and story; search and Enter.
#include <algorithm>
#include <cctype>

#include "app/panels/panels.h"
#include "app/widgets.h"

namespace slip::app {
namespace {

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// Reading a dozen small files takes milliseconds; done when the picker opens, so that new files
/// appear.
void ReadScenes(Ui* ui) {
  ui->scenes.clear();
  for (const std::string& name : ListScenes()) {
    SceneEntry entry;
    entry.id = name;
    const Result<std::shared_ptr<const Scene>> scene = FindScene(name);
    if (scene.ok()) {
      entry.title = (*scene)->title;
      entry.story = (*scene)->story;
      entry.tags = (*scene)->tags;
      entry.lesson = !(*scene)->lesson.cards.empty();
    } else {
      entry.title = name;
      entry.error = scene.error().Text();
    }
    ui->scenes.push_back(std::move(entry));
  }
}

std::string TagLine(const SceneEntry& entry) {
  std::string text = entry.id;
  for (const std::string& tag : entry.tags) text += " · " + tag;
  return text;
}

bool Matches(const SceneEntry& entry, const std::string& search) {
  const std::string all = Lower(entry.title + " " + TagLine(entry) + " " + entry.story);
  return all.find(Lower(search)) != std::string::npos;
}

void Row(Ui* ui, const SceneEntry& entry, float width) {
  const bool here = ui->session.scene() != nullptr && ui->session.scene()->id == entry.id;
  const float height = Px(72);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(entry.id.c_str(), ImVec2(width, height));
  RegisterLastItem("scenes/" + entry.id);
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (here || hovered) {
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + height), Color(here ? Token::kSel : Token::kHover), Px(4));
  }
  DrawText(list, ImVec2(at.x + Px(12), at.y + Px(10)), entry.lesson ? icon::kLesson : icon::kScene, Role::kIcon,
           Color(Token::kText2));
  const float x = at.x + Px(40), room = width - Px(52);
  DrawText(list, ImVec2(x, at.y + Px(8)), Ellipsize(entry.title, Role::kTitle, room), Role::kTitle,
           Color(Token::kText));
  const std::string& second = entry.error.empty() ? entry.story : entry.error;
  DrawText(list, ImVec2(x, at.y + Px(28)), Ellipsize(second, Role::kCaption, room), Role::kCaption,
           Color(entry.error.empty() ? Token::kText2 : Token::kErr));
  DrawText(list, ImVec2(x, at.y + Px(48)), Ellipsize(TagLine(entry), Role::kCaption, room), Role::kCaption,
           Color(Token::kText3));
  if (hovered) Tooltip(second);
  if (clicked) {
    ui->session.Load(entry.id);
    ui->state.scene_picker = false;
  }
}

}  // namespace

void DrawScenePicker(Ui* ui) {
  UiState& s = ui->state;
  if (!s.scene_picker) {
    ui->scenes.clear();
    s.scene_search.clear();
    return;
  }
  const bool first = ui->scenes.empty();
  if (first) ReadScenes(ui);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const Rect& tools = ui->regions.tools;
  const float width = std::min(Px(560), display.x - Px(16));
  const float height = std::min(Px(600), display.y - tools.max.y - Px(16));
  if (!BeginOverlay("scenes", ImVec2(Px(8), tools.max.y + Px(4)), ImVec2(width, height))) return;
  if (first) ImGui::SetKeyboardFocusHere();
  SearchBox("scenes/search", &s.scene_search, "Find a scene by name, tag or word", width - Px(32));
  ImGui::BeginChild("list", ImVec2(0, 0));
  const SceneEntry* only = nullptr;
  int shown = 0;
  for (const SceneEntry& entry : ui->scenes) {
    if (!Matches(entry, s.scene_search)) continue;
    ++shown;
    if (only == nullptr) only = &entry;
  }
  if (shown == 0) Paragraph("No scene of that name. Files can be dropped on the window.", Role::kLabel, Token::kText3);
  if (only != nullptr && !s.scene_search.empty() && EnterPressed()) {
    ui->session.Load(only->id);
    s.scene_picker = false;
  }
  const std::vector<SceneEntry> entries = ui->scenes;  // a click loads and closes
  for (const SceneEntry& entry : entries) {
    if (Matches(entry, s.scene_search)) Row(ui, entry, ImGui::GetContentRegionAvail().x);
  }
  ImGui::EndChild();
  const bool outside = ClickedOutside();
  EndOverlay();
  if (outside && !first) s.scene_picker = false;
}

}  // namespace slip::app
