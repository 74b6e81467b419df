// Headings, notes, tiles, pills, search box and the slider of viewer settings.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "app/kit/param_scale.h"
#include "app/kit/widgets.h"

namespace slip::app {

void GroupHeading(std::string_view title, std::string_view note) {
  const ImVec2 p = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float middle = std::round(p.y + Px(10));
  ImDrawList* list = ImGui::GetWindowDrawList();
  float begin = p.x + Snap(4), end = p.x + width;
  begin += DrawRich(list, {begin, middle - FontPx(Role::kLabel) / 2}, title, Role::kLabel,
                    Color(Token::kText3)) +
           Px(10);
  if (!note.empty()) {
    end -= MeasureText(note, Role::kCaption).x;
    DrawText(list, {end, middle - FontPx(Role::kCaption) / 2}, note, Role::kCaption,
             Color(Token::kText3));
    end -= Px(10);
  }
  if (end > begin) {
    list->AddRectFilled({begin, middle}, {end, middle + Snap(1)}, Color(Token::kLine));
  }
  ImGui::Dummy({width, Snap(24) - ImGui::GetStyle().ItemSpacing.y});
}

bool ValueSlider(std::string_view id, std::string_view label, std::string_view unit, double min,
                 double max, bool log, double default_value, double* value) {
  ParamInfo info;
  info.name = id;
  info.label = label;
  info.unit = unit;
  info.min = min;
  info.max = max;
  info.scale = log ? Scale::kLog : Scale::kLinear;
  info.doc = "Changes what is shown, never the simulation.";
  ParamRowOptions options;
  options.path = id;
  options.default_value = default_value;
  const ParamRowResult result = ParamRow(info, *value, options);
  if (result.value) *value = *result.value;
  if (result.reset) *value = default_value;
  return result.value || result.reset;
}

bool SearchBox(std::string_view id, std::string* buffer, std::string_view hint, float width) {
  return TextBox(id, buffer, hint, width, icon::kSearch, false).changed;
}

TextBoxResult TextBox(std::string_view id, std::string* buffer, std::string_view hint, float width,
                      const char* icon, bool focus) {
  TextBoxResult result;
  const float w = width > 0 ? width : ImGui::GetContentRegionAvail().x, h = Snap(28);
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max{min.x + w, min.y + h};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(min, max, Color(Token::kWell), Px(4));
  char text[128];
  std::snprintf(text, sizeof text, "%s", buffer->c_str());
  const std::string hint_text(hint);
  ImGui::PushID(id.data(), id.data() + id.size());
  ImGui::BeginGroup();
  ImGui::SetCursorScreenPos({min.x + Px(24), min.y});
  ImGui::SetNextItemWidth(w - Px(28));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(0, 0, 0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {Px(6), (h - FontPx(Role::kLabel)) / 2});
  PushRole(Role::kLabel);
  if (focus) ImGui::SetKeyboardFocusHere();
  result.entered = ImGui::InputTextWithHint("##text", hint_text.c_str(), text, sizeof text,
                                            ImGuiInputTextFlags_EnterReturnsTrue);
  result.changed = *buffer != text;
  const bool active = ImGui::IsItemActive();
  if (!active) Tooltip(hint_text + ": click and type.");
  PopRole();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  ImGui::EndGroup();
  ImGui::PopID();
  RegisterWidget(id, min, max);
  list->AddRect(min, max, Color(active ? Token::kAccent : Token::kLine), Px(4), 0,
                active ? Px(1.5f) : Snap(1));
  DrawText(list, {min.x + Px(10), (min.y + max.y) / 2 - FontPx(Role::kIconSmall) / 2}, icon,
           Role::kIconSmall, Color(Token::kText3));
  if (result.changed) *buffer = text;
  return result;
}

float PillWidth(const char* icon, std::string_view label) {
  const float lead = icon ? MeasureText(icon, Role::kIconSmall).x + Px(6) : 0;
  return std::round(MeasureText(label, Role::kLabelStrong).x + lead + Px(22));
}

bool Pill(std::string_view id, const char* icon, std::string_view label, Token colour) {
  const float lead = icon ? MeasureText(icon, Role::kIconSmall).x + Px(6) : 0;
  const ImVec2 size{PillWidth(icon, label), Snap(24)};
  ImGui::PushID(id.data(), id.data() + id.size());
  const bool clicked = ImGui::InvisibleButton("pill", size);
  ImGui::PopID();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  RegisterWidget(id, min, max, false, label);
  const float middle = (min.y + max.y) / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(min, max, Color(Token::kControl), Px(12));
  list->AddRectFilled(min, max, Color(colour, ImGui::IsItemHovered() ? 0.28f : 0.18f), Px(12));
  float x = min.x + Px(11);
  if (icon) {
    DrawText(list, {x, middle - FontPx(Role::kIconSmall) / 2}, icon, Role::kIconSmall,
             Color(colour));
    x += lead;
  }
  DrawText(list, {x, middle - FontPx(Role::kLabelStrong) / 2}, label, Role::kLabelStrong,
           Color(colour));
  return clicked;
}

void StatTile(std::string_view id, std::string_view caption, std::string_view number,
              std::string_view suffix, float width) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 size{Snap(width), Snap(44)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(min, {min.x + size.x, min.y + size.y}, Color(Token::kRaised), Px(4));
  if (CurrentTheme() == Theme::kLight) {
    list->AddRect(min, {min.x + size.x, min.y + size.y}, Color(Token::kLine), Px(4), 0, Snap(1));
  }
  float x = min.x + Px(10);
  DrawRich(list, {x, min.y + Px(5)}, caption, Role::kCaption, Color(Token::kText3));
  const float top = min.y + Px(22);
  x += DrawRich(list, {x, top}, AsRich(number), Role::kValueStrong, Color(Token::kText)) + Px(6);
  x += DrawRich(list, {x, top + (FontPx(Role::kValueStrong) - FontPx(Role::kCaption)) / 2}, suffix,
                Role::kCaption, Color(Token::kText3));
  ImGui::Dummy(size);
  RegisterWidget(id, min, {min.x + size.x, min.y + size.y}, x > min.x + size.x - Px(4), number);
}

namespace {

/// Lines of a text that are no wider than this; a word that is wider is a line of its own.
std::vector<std::string> WrapRich(std::string_view text, float wrap, std::size_t most) {
  std::vector<std::string> lines;
  std::string rest(text);
  while (!rest.empty() && lines.size() < most) {
    std::size_t end = rest.size();
    while (MeasureRich(rest.substr(0, end), Role::kCaption).x > wrap) {
      const std::size_t space = rest.rfind(' ', end - 1);
      if (space == std::string::npos || space == 0) break;
      end = space;
    }
    lines.push_back(rest.substr(0, end));
    rest = end < rest.size() ? rest.substr(end + 1) : std::string();
  }
  return lines;
}

}  // namespace

bool AmberNote(std::string_view id, std::string_view text, std::string_view detail,
               std::string_view why) {
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 min = ImGui::GetCursorScreenPos();
  // wrap first: the height follows the text
  const float wrap = width - Px(44), line = Px(18);
  const std::vector<std::string> lines = WrapRich(text, wrap, 6);
  // the link stands at the end of the detail, or on a line of its own below it
  std::vector<std::string> details = WrapRich(detail, wrap, 3);
  const float w_why = why.empty() ? 0 : MeasureRich(why, Role::kCaption).x;
  if (!why.empty() &&
      (details.empty() || MeasureRich(details.back(), Role::kCaption).x > wrap - w_why - Px(2)))
    details.emplace_back();
  const float height =
      std::round(Px(14) + line * static_cast<float>(lines.size() + details.size()));
  const ImVec2 max{min.x + width, min.y + height};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(min, max, Color(Token::kWarn, 0.12f), Px(4));
  list->AddRectFilled(min, {min.x + Snap(3), max.y}, Color(Token::kWarn));
  DrawText(list, {min.x + Px(12), min.y + Px(8)}, icon::kWarning, Role::kIconSmall,
           Color(Token::kWarn));
  const float x = min.x + Px(34);
  float y = min.y + Px(8);
  for (const std::string& one : lines) {
    DrawRich(list, {x, y}, one, Role::kCaption, Color(Token::kText));
    y += line;
  }
  bool clipped = false;
  for (const std::string& one : details) {
    DrawRich(list, {x, y}, one, Role::kCaption, Color(Token::kText2));
    const bool last = &one == &details.back();
    clipped = clipped || x + MeasureRich(one, Role::kCaption).x >
                             max.x - Px(8) - (last && !why.empty() ? w_why + Px(4) : 0);
    if (!last) y += line;
  }
  bool clicked = false;
  if (!why.empty()) {
    ImGui::SetCursorScreenPos({max.x - w_why - Px(8), y});
    clicked = LinkText(std::string(id) + "/why", why, "Explains it, and says what to do.");
  }
  RegisterWidget(id, min, max, clipped, text);
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy({width, height});
  return clicked;
}

}  // namespace slip::app
