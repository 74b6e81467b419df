// Tool tips: after 0.4 s, 320 wide, and the parameter's own with meaning, range and source.
#include <fmt/format.h>

#include <algorithm>

#include "app/kit/kit.h"
#include "app/kit/param_scale.h"
#include "app/kit/widgets.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

constexpr double kDelay = 0.4;  // [s]
// After the hand has changed or clicked something it looks at what comes of it [s].
constexpr double kDelayAfterPress = 2;
constexpr float kWidth = 308;  // of a line [design px]

/// True once the last item has been under the mouse for the delay.
bool HoverRipe() {
  auto& [place, since] = CurrentKit().hovered;
  if (!TooltipAllowed() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return false;
  const ImVec2 corner = ImGui::GetItemRectMin();
  if (corner.x != place.x || corner.y != place.y) {
    place = corner;
    since = ImGui::GetTime();
  }
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left))
    since = ImGui::GetTime() + kDelayAfterPress - kDelay;
  return ImGui::GetTime() - since >= kDelay;
}

/// Of a menu or an overlay: beside it, where there is room.
void PlaceBeside() {
  if (CurrentKit().overlay.depth == 0 && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
  const float left = ImGui::GetWindowPos().x - Px(24), y = ImGui::GetItemRectMin().y - Px(8);
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() + Px(24);
  if (right + Px(344) < ImGui::GetIO().DisplaySize.x) {
    ImGui::SetNextWindowPos({right, y});
  } else if (left > Px(344)) {
    ImGui::SetNextWindowPos({left, y}, ImGuiCond_Always, {1, 0});
  }
}

/// Over a row it would hide the value and what stands below.
void PlaceBesidePanel() {
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() + Px(8);
  const float left = ImGui::GetWindowPos().x - Px(8), y = ImGui::GetItemRectMin().y - Px(20);
  if (right + Px(360) < ImGui::GetIO().DisplaySize.x) {
    ImGui::SetNextWindowPos({right, y});
  } else if (left > Px(360)) {
    ImGui::SetNextWindowPos({left, y}, ImGuiCond_Always, {1, 0});
  }
}

void BeginTip() {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {Px(12), Px(10)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {Px(8), Px(5)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, Px(6));
  ImGui::BeginTooltip();
}

void EndTip(std::string_view text = {}) {
  RegisterWidget("tooltip", ImGui::GetWindowPos(),
                 {ImGui::GetWindowPos().x + ImGui::GetWindowWidth(),
                  ImGui::GetWindowPos().y + ImGui::GetWindowHeight()},
                 false, text);
  ImGui::EndTooltip();
  ImGui::PopStyleVar(3);
}

void Wrapped(std::string_view text, Role role, Token colour) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImVec2 size{0, 0};
  for (const std::string& line : WrapText(text, role, Px(kWidth))) {
    const float width = DrawRich(ImGui::GetWindowDrawList(), {at.x, at.y + size.y},
                                 SentenceRich(line), role, Color(colour));
    size = {std::max(size.x, width), size.y + FontPx(role)};
  }
  ImGui::Dummy(size);
}

}  // namespace

bool TooltipAllowed() {
  const int age = ImGui::GetFrameCount() - CurrentKit().overlay.frame;
  return CurrentKit().overlay.depth > 0 || age < 0 || age > 1;
}

void EnterOverlay(bool alone) {
  ++CurrentKit().overlay.depth;
  if (alone) CurrentKit().overlay.frame = ImGui::GetFrameCount();
}
void LeaveOverlay() { --CurrentKit().overlay.depth; }

void Tooltip(std::string_view text) {
  if (text.empty() || !HoverRipe()) return;
  PlaceBeside();
  BeginTip();
  Wrapped(text, Role::kLabel, Token::kText);
  EndTip(text);
}

void TooltipBeside(std::string_view text) {
  if (text.empty() || !HoverRipe()) return;
  PlaceBesidePanel();
  BeginTip();
  Wrapped(text, Role::kLabel, Token::kText);
  EndTip(text);
}

void ParamTooltip(const ParamInfo& info, double value, const ParamRowOptions& options) {
  if (!HoverRipe()) return;
  PlaceBesidePanel();
  BeginTip();
  std::string title(info.label);
  if (!info.symbol.empty()) title += " " + std::string(info.symbol);
  Rich(title, Role::kTitle);
  if (!options.enabled && !options.disabled_reason.empty()) {
    Wrapped(options.disabled_reason, Role::kLabel, Token::kWarn);
  }
  Wrapped(info.doc, Role::kLabel, Token::kText2);
  if (!info.formula.empty()) Rich(info.formula, Role::kLabel, Token::kText);

  // figures: value, the scene's, the default, range
  const auto text = [&](double v) { return FormatParam(info, v); };
  Wrapped("now " + text(value), Role::kAxis, Token::kText);
  const auto line = [&](std::string figure) {
    RegisterWidget(
        "param/" + std::string(options.path) + "/tip/" + figure.substr(0, figure.find(' ')),
        ImGui::GetCursorScreenPos(), ImGui::GetCursorScreenPos(), false, figure);
    Wrapped(figure, Role::kAxis, Token::kText2);
  };
  if (!options.scene_values.empty()) {
    line("scene " + std::string(options.scene_values));
  } else if (options.default_value) {
    line("scene " + text(*options.default_value));
  }
  if (options.table_default) line("default " + text(*options.table_default));
  if (info.choices.empty()) {
    Wrapped((info.zero ? "range 0, " : "range ") + text(info.min) + " … " + text(info.max),
            Role::kAxis, Token::kText2);
  }
  if (info.applies == Applies::kRestart) {
    Wrapped("Takes effect at the next reset", Role::kCaption, Token::kWarn);
  }
  if (info.applies == Applies::kRebuild) {
    Wrapped("Starts all channels again", Role::kCaption, Token::kWarn);
  }
  if (!info.source.empty()) Wrapped(info.source, Role::kCaption, Token::kText3);
  EndTip();
}

}  // namespace slip::app
