// Scene picker: every scene of the folder in teaching order, with title, tags and story; search
// and Enter.
#include <algorithm>
#include <filesystem>

#include "app/kit/widgets.h"
#include "app/panels/bars/popups.h"
#include "app/panels/common/region.h"
#include "engine/run/record/recording_file.h"
#include "engine/scene/robot_scene.h"

namespace slip::app {
namespace {

/// Reading a dozen small files takes milliseconds; done when the picker opens, so that new files
/// appear.
std::vector<SceneEntry> ReadScenes() {
  std::vector<SceneEntry> scenes;
  for (const std::string& name : ListScenesToTeach()) {
    SceneEntry entry;
    entry.id = name;
    const Result<std::shared_ptr<const Scene>> scene = FindScene(name);
    if (scene.ok()) {
      entry.file = (*scene)->file;
      entry.title = (*scene)->title;
      entry.story = (*scene)->story;
      entry.tags = (*scene)->tags;
      entry.lesson = !(*scene)->lesson.cards.empty();
      entry.number = (*scene)->lesson.number;
    } else {
      entry.title = name;
      entry.error = scene.error().Text();
    }
    scenes.push_back(std::move(entry));
  }
  // what lies here
  namespace fs = std::filesystem;
  std::vector<SceneEntry> own_files;
  std::error_code code;
  fs::directory_iterator files(".", code);
  for (; !code && files != fs::directory_iterator(); files.increment(code)) {
    const fs::path& path = files->path();
    const bool robot = IsRobotFile(path.string());
    if (!robot && !IsExperiment(path.string())) continue;
    SceneEntry& entry = own_files.emplace_back();
    entry.id = path.filename().string();
    entry.title = (robot ? "Robot " : "Experiment ") + path.stem().string();
    entry.story = robot
                      ? "In the current folder. It stands on a floor; the tab Joints moves it."
                      : "Saved in the current folder. It runs again on every branch, bit for bit.";
    entry.tags = {robot ? "robot" : "experiment"};
    if (robot) entry.file = path.string();
  }
  std::sort(own_files.begin(), own_files.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  scenes.insert(scenes.end(), own_files.begin(), own_files.end());
  return scenes;
}

std::string TagLine(const SceneEntry& entry) {
  std::string text = entry.id;
  for (const std::string& tag : entry.tags) text += " · " + tag;
  return text;
}

bool MatchesSearch(const SceneEntry& entry, const std::string& search) {
  const std::string all = Lower(entry.title + " " + TagLine(entry) + " " + entry.story);
  return all.find(Lower(search)) != std::string::npos;
}

/// The picture, or an empty frame with the scene's icon until there is one.
void Picture(const SceneEntry& entry, ImVec2 min, Theme theme, Thumbnails* thumbnails) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 max(min.x + Px(160), min.y + Px(90));
  const unsigned texture =
      entry.file.empty() ? 0 : thumbnails->Texture(entry.file, RenderTheme(theme));
  if (texture != 0) {
    list->AddImageRounded(TextureId(texture), min, max, ImVec2(0, 0), ImVec2(1, 1), IM_COL32_WHITE,
                          Px(4));
  } else {
    list->AddRectFilled(min, max, Color(Token::kWell), Px(4));
    const char* icon = entry.error.empty() ? icon::kScene : icon::kWarning;
    const ImVec2 size = MeasureText(icon, Role::kIcon);
    DrawText(list, ImVec2((min.x + max.x - size.x) / 2, (min.y + max.y - size.y) / 2), icon,
             Role::kIcon, Color(Token::kText3));
  }
  list->AddRect(min, max, Color(Token::kLine), Px(4), 0, Snap(1));
  RegisterWidget("scenes/" + entry.id + (texture != 0 ? "/picture" : "/frame"), min, max);
}

/// Text in at most `most` lines of the width, the last one cut with an ellipsis.
void Lines(ImVec2 at, const std::string& text, float width, int most, Token colour) {
  std::string rest = text;
  for (int i = 0; i < most && !rest.empty(); ++i) {
    std::size_t cut = rest.size();
    while (i + 1 < most && MeasureText(rest.substr(0, cut), Role::kCaption).x > width) {
      const std::size_t space = rest.rfind(' ', cut - 1);
      if (space == std::string::npos || space == 0) break;
      cut = space;
    }
    DrawText(ImGui::GetWindowDrawList(), at, Ellipsize(rest.substr(0, cut), Role::kCaption, width),
             Role::kCaption, Color(colour));
    rest = cut < rest.size() ? rest.substr(cut + 1) : std::string();
    at.y += Px(18);
  }
}

/// True when it was clicked.
bool Row(const Session& session, const SceneEntry& entry, float width, Theme theme,
         Thumbnails* thumbnails) {
  const bool here = session.scene() != nullptr && session.scene()->id == entry.id;
  const float height = Px(106);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(entry.id.c_str(), ImVec2(width, height));
  RegisterLastItem("scenes/" + entry.id);
  if (!ImGui::IsItemVisible()) return false;  // its picture can wait, too
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (here || hovered) {
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + height),
                        Color(here ? Token::kSel : Token::kHover), Px(4));
  }
  Picture(entry, ImVec2(at.x + Px(8), at.y + Px(8)), theme, thumbnails);
  const float x = at.x + Px(184), room = width - Px(196);
  const std::string title =
      entry.number > 0 ? std::to_string(entry.number) + "  " + entry.title : entry.title;
  DrawText(list, ImVec2(x, at.y + Px(8)), Ellipsize(title, Role::kTitle, room), Role::kTitle,
           Color(Token::kText));
  const std::string& second = entry.error.empty() ? entry.story : entry.error;
  Lines(ImVec2(x, at.y + Px(29)), second, room, 2,
        entry.error.empty() ? Token::kText2 : Token::kErr);
  const float indent = entry.lesson ? Px(22) : 0;
  if (entry.lesson) {
    DrawText(list, ImVec2(x, at.y + Px(77)), icon::kLesson, Role::kIconSmall, Color(Token::kText3));
  }
  DrawText(list, ImVec2(x + indent, at.y + Px(76)),
           Ellipsize(TagLine(entry), Role::kCaption, room - indent), Role::kCaption,
           Color(Token::kText3));
  if (hovered) Tooltip(second);
  return clicked;
}

/// The place of the studies is in the list, too. True when it was clicked.
bool StudiesRow(float width) {
  const float height = Px(40);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton("studies", ImVec2(width, height));
  RegisterLastItem("scenes/studies");
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, ImVec2(at.x + width, at.y + height),
                      Color(hovered ? Token::kHover : Token::kControl), Px(4));
  const float middle = at.y + height / 2;
  DrawText(list, ImVec2(at.x + Px(14), middle - FontPx(Role::kIcon) / 2), icon::kStudies,
           Role::kIcon, Color(Token::kText2));
  float x = at.x + Px(40);
  x += DrawText(list, ImVec2(x, middle - FontPx(Role::kTitle) / 2), "Studies", Role::kTitle,
                Color(Token::kText)) +
       Px(10);
  const std::string words = "figures of the papers, run and judged, and your own";
  DrawText(list, ImVec2(x, middle - FontPx(Role::kCaption) / 2),
           Ellipsize(words, Role::kCaption, at.x + width - Px(12) - x), Role::kCaption,
           Color(Token::kText2));
  return clicked;
}

}  // namespace

void DrawScenePicker(const Session& session, const Rect& tools, Theme theme, bool studies_open,
                     ScenePicker* own, Thumbnails* thumbnails, Requests* requests) {
  if (!own->open) {
    own->scenes.clear();
    own->search.clear();
    return;
  }
  const bool first = own->scenes.empty();
  if (first) own->scenes = ReadScenes();
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(Px(640), display.x - Px(16));
  const float height = std::min(Px(720), display.y - tools.max.y - Px(16));
  if (!BeginOverlay("scenes", ImVec2(Px(8), tools.max.y + Px(4)), ImVec2(width, height))) return;
  if (first) ImGui::SetKeyboardFocusHere();
  SearchBox("scenes/search", &own->search, "Find a scene by name, tag or word", width - Px(32));
  ImGui::BeginChild("list", ImVec2(0, 0));
  if (own->search.empty() && !studies_open && StudiesRow(ImGui::GetContentRegionAvail().x)) {
    requests->Do(Action::kStudies);
    own->open = false;
  }
  const SceneEntry* only = nullptr;
  int shown = 0;
  for (const SceneEntry& entry : own->scenes) {
    if (!MatchesSearch(entry, own->search)) continue;
    ++shown;
    if (only == nullptr) only = &entry;
  }
  if (shown == 0)
    Paragraph("No scene of that name. Files can be dropped on the window.", Role::kLabel,
              Token::kText3);
  if (only != nullptr && !own->search.empty() && EnterPressed()) {
    requests->Ask([id = only->id](Session* its) { its->Load(id); });
    own->open = false;
  }
  const std::vector<SceneEntry> entries = own->scenes;  // a click loads and closes
  for (const SceneEntry& entry : entries) {
    if (!MatchesSearch(entry, own->search)) continue;
    if (!Row(session, entry, ImGui::GetContentRegionAvail().x, theme, thumbnails)) continue;
    requests->Ask([id = entry.id](Session* its) { its->Load(id); });
    own->open = false;
  }
  ImGui::EndChild();
  const bool outside = ClickedOutside();
  EndOverlay();
  if (outside && !first) own->open = false;
}

}  // namespace slip::app
