// Token values (design tokens, section 1), ImGuiStyle and the theme in force.
#include "app/kit/theme.h"

#include <algorithm>
#include <cmath>

#include "app/kit/kit.h"
#include "app/kit/theme_scope.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr ImU32 Hex(uint32_t rgb, uint32_t alpha = 255) {
  return IM_COL32((rgb >> 16) & 255u, (rgb >> 8) & 255u, rgb & 255u, alpha);
}

struct TokenRow {
  Token token;
  ImU32 dark, light;
};

// clang-format off
constexpr TokenRow kTokens[] = {
    {Token::kApp,        Hex(0x1B1D21), Hex(0xE9EBEE)},
    {Token::kWell,       Hex(0x131518), Hex(0xFFFFFF)},
    {Token::kPanel,      Hex(0x1F2226), Hex(0xF5F6F8)},
    {Token::kRaised,     Hex(0x282C31), Hex(0xFFFFFF)},
    {Token::kControl,    Hex(0x32373E), Hex(0xE2E6EA)},
    {Token::kHover,      Hex(0x3C424A), Hex(0xD6DCE2)},
    {Token::kActive,     Hex(0x46505B), Hex(0xC5CFD9)},
    {Token::kSel,        Hex(0x2C3947), Hex(0xDCE8F2)},
    {Token::kRowAlt,     Hex(0x22252A), Hex(0xF9FAFB)},
    {Token::kLine,       Hex(0x34383E), Hex(0xD3D8DD)},
    {Token::kLineStrong, Hex(0x4A5058), Hex(0xAAB2BA)},
    {Token::kGrid,       Hex(0x25282D), Hex(0xECEEF1)},
    {Token::kGridStrong, Hex(0x30343A), Hex(0xDEE2E6)},
    {Token::kText,       Hex(0xE9ECEF), Hex(0x16191D)},
    {Token::kText2,      Hex(0xB3BAC2), Hex(0x414952)},
    {Token::kText3,      Hex(0x9AA2AB), Hex(0x59626C)},
    {Token::kAccent,     Hex(0x9DBAD3), Hex(0x2F5D86)},
    {Token::kAccentFill, Hex(0x3B5168), Hex(0xCFDFED)},
    {Token::kAccentText, Hex(0xDCE8F2), Hex(0x173C5C)},
    {Token::kOk,         Hex(0x5CC8A0), Hex(0x00704F)},
    {Token::kWarn,       Hex(0xF2B84B), Hex(0x8F5B00)},
    {Token::kErr,        Hex(0xFF7A6B), Hex(0xB3261E)},
    {Token::kHead,       Hex(0xFFFFFF), Hex(0x16191D)},
    {Token::kGlass,      Hex(0x16181C, 230), Hex(0xFFFFFF, 237)},
    {Token::kGlassLine,  Hex(0x3A3F46), Hex(0xC9CFD5)},
    {Token::kReference,  Hex(0xA0A6AD), Hex(0x6B737B)},
    {Token::kSlip,       Hex(0xF0AE2B), Hex(0xA86F00)},
};
// clang-format on

void SetGeometry(ImGuiStyle* style) {
  style->WindowPadding = {16, 12};
  style->FramePadding = {8, 6};
  style->ItemSpacing = {8, 8};
  style->ItemInnerSpacing = {8, 4};
  style->CellPadding = {8, 6};
  style->ScrollbarSize = 12;
  style->GrabMinSize = 14;
  style->WindowRounding = style->ChildRounding = style->TabRounding = 0;
  style->FrameRounding = 4;
  style->PopupRounding = 6;
  style->GrabRounding = 7;
  style->ScrollbarRounding = 6;
  style->WindowBorderSize = style->FrameBorderSize = 0;
  style->ChildBorderSize = style->PopupBorderSize = 1;
  style->AntiAliasedLines = true;
  style->CurveTessellationTol = 1.0f;
  style->DisabledAlpha = 1.0f;  // disabled is a look of its own, never a fade
}

void SetColours(ImGuiStyle* style) {
  const auto set = [style](ImGuiCol_ slot, Token token) { style->Colors[slot] = ColorV(token); };
  set(ImGuiCol_Text, Token::kText);
  set(ImGuiCol_TextDisabled, Token::kText3);
  set(ImGuiCol_WindowBg, Token::kApp);
  set(ImGuiCol_ChildBg, Token::kPanel);
  set(ImGuiCol_PopupBg, Token::kRaised);
  set(ImGuiCol_MenuBarBg, Token::kPanel);
  set(ImGuiCol_TitleBg, Token::kPanel);
  set(ImGuiCol_TitleBgActive, Token::kPanel);
  set(ImGuiCol_TitleBgCollapsed, Token::kPanel);
  set(ImGuiCol_Border, Token::kLine);
  set(ImGuiCol_Separator, Token::kLine);
  set(ImGuiCol_SeparatorHovered, Token::kLineStrong);
  set(ImGuiCol_SeparatorActive, Token::kAccent);
  set(ImGuiCol_FrameBg, Token::kControl);
  set(ImGuiCol_FrameBgHovered, Token::kHover);
  set(ImGuiCol_FrameBgActive, Token::kActive);
  set(ImGuiCol_Button, Token::kControl);
  set(ImGuiCol_ButtonHovered, Token::kHover);
  set(ImGuiCol_ButtonActive, Token::kActive);
  set(ImGuiCol_Header, Token::kSel);
  set(ImGuiCol_HeaderHovered, Token::kHover);
  set(ImGuiCol_HeaderActive, Token::kActive);
  set(ImGuiCol_SliderGrab, Token::kAccent);
  set(ImGuiCol_SliderGrabActive, Token::kAccent);
  set(ImGuiCol_CheckMark, Token::kAccent);
  set(ImGuiCol_ScrollbarBg, Token::kPanel);
  set(ImGuiCol_ScrollbarGrab, Token::kControl);
  set(ImGuiCol_ScrollbarGrabHovered, Token::kHover);
  set(ImGuiCol_ScrollbarGrabActive, Token::kActive);
  set(ImGuiCol_ResizeGrip, Token::kControl);
  set(ImGuiCol_ResizeGripHovered, Token::kHover);
  set(ImGuiCol_ResizeGripActive, Token::kActive);
  set(ImGuiCol_Tab, Token::kPanel);
  set(ImGuiCol_TabHovered, Token::kHover);
  set(ImGuiCol_PlotLines, Token::kAccent);
  set(ImGuiCol_PlotHistogram, Token::kAccent);
  set(ImGuiCol_TableHeaderBg, Token::kPanel);
  set(ImGuiCol_TableBorderStrong, Token::kLineStrong);
  set(ImGuiCol_TableBorderLight, Token::kLine);
  set(ImGuiCol_TableRowBgAlt, Token::kRowAlt);
  set(ImGuiCol_TextSelectedBg, Token::kAccentFill);
  set(ImGuiCol_DragDropTarget, Token::kAccent);
  style->Colors[ImGuiCol_TableRowBg] = {0, 0, 0, 0};
  style->Colors[ImGuiCol_ModalWindowDimBg] = {0, 0, 0, 0.45f};
  style->Colors[ImGuiCol_NavWindowingDimBg] = {0, 0, 0, 0.25f};
}

}  // namespace

bool SetTheme(Theme theme, float scale) {
  auto& state = CurrentKit().look;
  scale = std::clamp(scale, 0.5f, 6.0f);
  state.theme = theme;

  // ScaleAllSizes multiplies: always start from the design's numbers
  ImGuiStyle style;
  SetGeometry(&style);
  SetColours(&style);
  style.ScaleAllSizes(scale);
  // ScaleAllSizes leaves border widths alone
  style.PopupBorderSize = style.ChildBorderSize = std::max(1.0f, std::floor(scale));
  ImGui::GetStyle() = style;

  const bool stale = state.scale != scale;
  if (stale) {
    state.scale = scale;
    state.fonts = BuildFonts(scale, &state.px);
  }
  return stale;
}

ThemeScope::ThemeScope() : window_(ImGui::GetCurrentContext()) { own_.emplace(); }

ThemeScope::~ThemeScope() {
  own_.reset();
  ImGui::SetCurrentContext(window_);
}

Theme CurrentTheme() { return CurrentKit().look.theme; }
float UiScale() {
  const float scale = CurrentKit().look.scale;
  return scale > 0 ? scale : 1.0f;
}
float Snap(float design_px) { return std::max(1.0f, std::round(design_px * UiScale())); }

ImU32 Color(Token token) {
  const TokenRow& row = At(kTokens, token);
  IM_ASSERT(row.token == token);
  return CurrentKit().look.theme == Theme::kDark ? row.dark : row.light;
}

ImU32 WithAlpha(ImU32 colour, float alpha) {
  const auto old_alpha = static_cast<float>((colour >> IM_COL32_A_SHIFT) & 255u);
  const auto new_alpha = static_cast<ImU32>(old_alpha * std::clamp(alpha, 0.0f, 1.0f) + 0.5f);
  return (colour & ~IM_COL32_A_MASK) | (new_alpha << IM_COL32_A_SHIFT);
}

ImU32 Color(Token token, float alpha) { return WithAlpha(Color(token), alpha); }
ImVec4 ColorV(Token token) { return ImGui::ColorConvertU32ToFloat4(Color(token)); }

ImFont* Font(Role role) {
  ImFont* font = At(CurrentKit().look.fonts, role);
  return font ? font : ImGui::GetFont();
}

float FontPx(Role role) {
  const float px = At(CurrentKit().look.px, role);
  return px > 0 ? px : ImGui::GetFontSize();
}

void PushRole(Role role) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(Font(role), FontPx(role));
#else
  ImGui::PushFont(Font(role));
#endif
}

void PopRole() { ImGui::PopFont(); }

ChannelStyle ToChannelStyle(const render::ChannelStyle& row) {
  ChannelStyle style;
  style.colour = row.colour.Packed();
  style.dash = row.dash.lengths;
  style.dash_count = row.dash.count;
  style.mark = row.mark;
  style.hollow = row.hollow;
  return style;
}

ChannelStyle StyleOfChannel(std::span<const MethodId> models, int index, Theme theme) {
  return ToChannelStyle(render::StyleOfChannel(models, index, RenderTheme(theme)));
}

ChannelStyle ModelStyle(MethodId model, Theme theme, bool second_channel) {
  const std::array<MethodId, 2> models{model, model};
  return StyleOfChannel(models, second_channel ? 1 : 0, theme);
}

ChannelStyle ModelStyle(MethodId model, bool second_channel) {
  return ModelStyle(model, CurrentTheme(), second_channel);
}

ChannelStyle ReferenceStyle() {
  ChannelStyle style;
  style.colour = render::ReferenceColour(RenderTheme(CurrentTheme())).Packed();
  style.width = 1;
  return style;
}

ChannelStyle PredictionStyle() {
  ChannelStyle style;
  style.colour = Color(Token::kHead);
  style.dash = {2, 4, 0, 0};
  style.dash_count = 2;
  style.width = 1;
  return style;
}

}  // namespace slip::app
