#include "app/kit/value_box.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/kit.h"
#include "app/kit/param_scale.h"

namespace slip::app {
namespace {

void StartEdit(const ParamInfo& info, double value, ImGuiID id) {
  Kit::ValueEdit& edit = CurrentKit().edit;
  edit.id = id;
  edit.focus = true;
  edit.refused = false;
  edit.bare = true;
  const double shown = value * DisplayFactor(value, info.unit);
  // ten figures: typing Enter at once changes nothing
  const std::string text = fmt::format("{:.10g}", shown);
  std::snprintf(edit.buffer, sizeof edit.buffer, "%s", text.c_str());
}

/// Words broken at blanks to lines of at most `width`.
std::vector<std::string> Lines(const std::string& text, Role role, float width) {
  std::vector<std::string> lines;
  std::string rest = text;
  while (!rest.empty()) {
    std::size_t end = rest.size();
    while (MeasureRich(rest.substr(0, end), role).x > width) {
      const std::size_t space = end > 0 ? rest.rfind(' ', end - 1) : std::string::npos;
      if (space == std::string::npos || space == 0) break;
      end = space;
    }
    lines.push_back(rest.substr(0, end));
    rest = end < rest.size() ? rest.substr(end + 1) : std::string();
  }
  return lines;
}

/// Hangs under the box, over everything else, as wide as it needs to be.
void Meaning(const std::string& name, const TypedMeaning& meaning, bool refused, ImVec2 box_min,
             ImVec2 box_max) {
  const float most = Px(240), pad = Px(8), line = Px(17);
  struct Line {
    std::string text;
    Role role;
    Token token;
  };
  std::vector<Line> lines;
  const Role role = meaning.valid ? Role::kValue : Role::kCaption;
  const Token token = meaning.valid ? Token::kText : refused ? Token::kErr : Token::kText2;
  for (std::string& text : Lines(AsRich(meaning.text), role, most))
    lines.push_back({std::move(text), role, token});
  if (!meaning.note.empty()) lines.push_back({meaning.note, Role::kCaption, Token::kText3});
  float width = 0;
  for (const Line& one : lines) width = std::max(width, MeasureRich(one.text, one.role).x);
  const ImVec2 max{box_max.x, box_max.y + Px(4) + line * static_cast<float>(lines.size()) + pad};
  const ImVec2 min{std::min(box_min.x, std::round(max.x - width - 2 * pad)), box_max.y + Px(4)};
  ImDrawList* list = ImGui::GetForegroundDrawList();
  list->AddRectFilled(min, max, Color(Token::kRaised), Px(4));
  list->AddRect(min, max, Color(refused ? Token::kErr : Token::kLineStrong), Px(4), 0, Snap(1));
  float y = min.y + pad / 2;
  for (const Line& one : lines) {
    DrawRich(list,
             {max.x - pad - MeasureRich(one.text, one.role).x, y + (line - FontPx(one.role)) / 2},
             one.text, one.role, Color(one.token));
    y += line;
  }
  RegisterWidget(name + "/meaning", min, max, false, meaning.text);
}

/// The box as it stands: number and unit, right-aligned.
struct Box {
  const ParamInfo& info;
  double value;
  const ParamRowOptions& options;
  const std::string& name;
  ImVec2 min, max;
  float middle() const { return (min.y + max.y) / 2; }
};

std::string UnitOf(const Box& box) {
  const std::string unit = SplitParam(box.info, box.value).unit;
  return unit.empty() ? "–" : unit;
}

/// Not being edited; true when a click asks for that.
bool ShowValue(const Box& box) {
  const auto& [info, value, options, name, min, max] = box;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const QuantityText text = SplitParam(info, value);
  const std::string unit = UnitOf(box), number = AsRich(text.number);
  const float unit_width = MeasureRich(unit, Role::kCaption).x;
  const float number_width = MeasureRich(number, Role::kValue).x;
  const bool pure = info.unit.empty() && text.number.find("×") != std::string::npos;
  ImGui::SetCursorScreenPos(min);
  const bool clicked = ImGui::InvisibleButton("value", {max.x - min.x, max.y - min.y});
  const bool hovered = ImGui::IsItemHovered();
  const float content = number_width + (pure ? 0 : unit_width + Px(5));
  // a long unit such as GN/m^1.5 may take the padding
  const float pad = content + Px(16) > max.x - min.x ? Px(2) : Px(8);
  const float used = content + 2 * pad;
  RegisterLastItem(name, used > max.x - min.x + 0.5f);
  if (options.enabled) {
    list->AddRectFilled(min, max, Color(hovered ? Token::kHover : Token::kControl), Px(4));
  } else {
    list->AddRect(min, max, Color(Token::kLine), Px(4), 0, Snap(1));
  }
  float x = max.x - pad;
  if (!pure) {
    x -= unit_width;
    DrawRich(list, {x, box.middle() - FontPx(Role::kCaption) / 2}, unit, Role::kCaption,
             Color(Token::kText3));
    x -= Px(5);
  }
  DrawRich(list, {x - number_width, box.middle() - FontPx(Role::kValue) / 2}, number, Role::kValue,
           Color(options.enabled ? Token::kText : Token::kText3));
  if (hovered) ParamTooltip(info, value, options);
  return clicked;
}

/// What has become of the text: typed to its end by Enter, or left.
struct Typed {
  bool entered, left;
};

/// Well fill and a 1.5 px ring, and what the text means so far.
Typed TypeValue(const Box& box, Kit::ValueEdit* own) {
  const ImVec2 min = box.min, max = box.max;
  Kit::ValueEdit& edit = *own;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string unit = UnitOf(box);
  const float unit_width = MeasureRich(unit, Role::kCaption).x;
  ImGui::SetCursorScreenPos(min);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, Color(Token::kWell));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {Px(8), (max.y - min.y - FontPx(Role::kValue)) / 2});
  ImGui::SetNextItemWidth(max.x - min.x - (edit.bare ? unit_width + Px(10) : 0));
  PushRole(Role::kValue);
  list->AddRectFilled(min, max, Color(Token::kWell), Px(4));
  if (edit.focus) ImGui::SetKeyboardFocusHere();
  Typed typed{};
  typed.entered =
      ImGui::InputText("##edit", edit.buffer, sizeof edit.buffer,
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  typed.left = !edit.focus && ImGui::IsItemDeactivated();
  edit.focus = false;
  PopRole();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  RegisterWidget(box.name, min, max);
  if (edit.bare) {
    DrawRich(list, {max.x - Px(8) - unit_width, box.middle() - FontPx(Role::kCaption) / 2}, unit,
             Role::kCaption, Color(Token::kText3));
  }
  const TypedMeaning meaning = ReadTyped(box.info, box.value, edit.buffer);
  edit.bare = meaning.bare || edit.buffer[0] == '\0';
  if (meaning.valid || edit.text != edit.buffer) edit.refused = false;
  edit.text = edit.buffer;
  list->AddRect(min, max, Color(edit.refused ? Token::kErr : Token::kAccent), Px(4), 0, Px(1.5f));
  if (!typed.entered && !typed.left) Meaning(box.name, meaning, edit.refused, min, max);
  return typed;
}

}  // namespace

std::optional<double> ValueBox(const ParamInfo& info, double value, const ParamRowOptions& options,
                               const std::string& name, ImVec2 min, bool start_edit) {
  const Box box{info, value, options, name, min, {min.x + Snap(96), min.y + Snap(24)}};
  const ImGuiID id = ImGui::GetID("value");
  Kit::ValueEdit& edit = CurrentKit().edit;
  if (edit.id != id) {
    const bool clicked = ShowValue(box);
    if (options.enabled && (clicked || start_edit)) StartEdit(info, value, id);
    return std::nullopt;
  }
  const auto [entered, left] = TypeValue(box, &edit);
  if (!entered && !left) return std::nullopt;
  if (const Result<double> parsed = ParseTyped(info, value, edit.buffer)) {
    edit.id = 0;
    // leaving without a change is no change
    const double shown = value * DisplayFactor(value, info.unit);
    if (fmt::format("{:.10g}", shown) == edit.buffer) return std::nullopt;
    return *parsed;
  }
  if (left && !entered) {
    edit.id = 0;
  } else {
    edit.refused = true;
    edit.focus = true;
  }
  return std::nullopt;
}

}  // namespace slip::app
