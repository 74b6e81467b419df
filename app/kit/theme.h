// Design tokens, fonts by role, model styles and text helpers: the look of the window in one place.
// ImGui keeps one context per program; the theme in force is state of the same kind.
#pragma once

#include <imgui.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/method/config.h"
#include "render/scene/style.h"

namespace slip::app {

enum class Theme : int { kDark, kLight };

inline render::Theme RenderTheme(Theme theme) {
  return theme == Theme::kDark ? render::Theme::kDark : render::Theme::kLight;
}

/// Colours by use, never by hue.
enum class Token : int {
  kApp,
  kWell,
  kPanel,
  kRaised,
  kControl,
  kHover,
  kActive,
  kSel,
  kRowAlt,
  kLine,
  kLineStrong,
  kGrid,
  kGridStrong,
  kText,
  kText2,
  kText3,
  kAccent,
  kAccentFill,
  kAccentText,
  kOk,
  kWarn,
  kErr,
  kHead,
  kGlass,
  kGlassLine,
  kReference,
  kSlip,
  kCount
};

/// Text by role. Words are Inter; every number is JetBrains Mono.
enum class Role : int {
  kLessonTitle,  ///< 18 semibold
  kCardTitle,    ///< 15 semibold
  kTitle,        ///< 13 semibold: plot and section titles
  kBody,         ///< 14 regular: menus, prose (ImGui's default font)
  kLabel,        ///< 13 regular: control labels
  kLabelStrong,  ///< 13 medium: selected tab or segment
  kCaption,      ///< 12 regular: units, captions
  kTag,          ///< 11 regular: smallest allowed
  kSub,          ///< 10 regular: subscripts only
  kClock,        ///< mono 18 medium
  kValue,        ///< mono 13
  kValueStrong,  ///< mono 13 medium: the measured one
  kAxis,         ///< mono 12: axis numbers
  kTick,         ///< mono 11: x ticks
  kMonoSub,      ///< mono 10: exponents only
  kIcon,         ///< icons 14
  kIconSmall,    ///< icons 12
  kCount
};

/// Sets ImGuiStyle and token colours, and rebuilds the font atlas when `scale` changed.
/// `scale` = content scale x user scale (presenter mode: x 1.6), pixels per design pixel.
/// Returns true when the atlas changed: the caller re-creates the font texture. Between frames
/// only.
bool SetTheme(Theme theme, float scale);
Theme CurrentTheme();

/// Pixels per design pixel now in force.
float UiScale();
/// Design pixels to screen pixels, not rounded.
inline float Px(float design_px) { return design_px * UiScale(); }
/// Design pixels to whole screen pixels (at least 1): for lines and boxes that must be crisp.
float Snap(float design_px);

ImU32 Color(Token token);
/// The token's colour with its opacity multiplied by `alpha` in [0, 1].
ImU32 Color(Token token, float alpha);
ImVec4 ColorV(Token token);
ImU32 WithAlpha(ImU32 colour, float alpha);

ImFont* Font(Role role);
/// Pixel height of a role's font (ascent minus descent), at the scale in force.
float FontPx(Role role);
/// ImGui::PushFont in every ImGui version; pair with PopRole.
void PushRole(Role role);
void PopRole();

/// Fork Awesome glyphs as UTF-8 (also merged into kBody, kLabel and kTitle).
namespace icon {
inline constexpr const char* kRun = "\uF04B";
inline constexpr const char* kPause = "\uF04C";
inline constexpr const char* kStepForward = "\uF051";
inline constexpr const char* kStepBack = "\uF048";
inline constexpr const char* kStart = "\uF049";
inline constexpr const char* kEnd = "\uF050";
inline constexpr const char* kStop = "\uF04D";
inline constexpr const char* kRecord = "\uF111";
inline constexpr const char* kScreenshot = "\uF030";
inline constexpr const char* kPresenter = "\uF108";
inline constexpr const char* kShow = "\uF06E";
inline constexpr const char* kHide = "\uF070";
inline constexpr const char* kSolo = "\uF025";
inline constexpr const char* kAdd = "\uF067";
inline constexpr const char* kMenu = "\uF0D7";
inline constexpr const char* kNudgeLeft = "\uF0D9";
inline constexpr const char* kNudgeRight = "\uF0DA";
inline constexpr const char* kReset = "\uF0E2";
inline constexpr const char* kLock = "\uF023";
inline constexpr const char* kUnlock = "\uF09C";
inline constexpr const char* kSearch = "\uF002";
inline constexpr const char* kMagnifier = "\uF00E";
inline constexpr const char* kHelp = "\uF059";
inline constexpr const char* kInfo = "\uF05A";
inline constexpr const char* kHint = "\uF0EB";
inline constexpr const char* kWarning = "\uF071";
inline constexpr const char* kBell = "\uF0F3";
inline constexpr const char* kDone = "\uF00C";
inline constexpr const char* kNote = "\uF024";
inline constexpr const char* kBranch = "\uF126";
inline constexpr const char* kCopy = "\uF0C5";
inline constexpr const char* kExport = "\uF019";
inline constexpr const char* kLesson = "\uF19D";
inline constexpr const char* kScene = "\uF1B2";
inline constexpr const char* kParameters = "\uF1DE";
inline constexpr const char* kClose = "\uF00D";
inline constexpr const char* kHolds = "\uF058";
inline constexpr const char* kKnown = "\uF056";
inline constexpr const char* kFails = "\uF057";
inline constexpr const char* kEmpty = "\uF10C";
inline constexpr const char* kFile = "\uF15B";
inline constexpr const char* kStudies = "\uF201";
}  // namespace icon

// --- Contact models -------------------------------------------------------------------------

// One table, in render/scene/style.cpp, gives the picture and the window their colours and marks.
using Mark = render::Mark;

/// Three codes for one channel: hue, dash and mark, so that grey prints can be read.
struct ChannelStyle {
  ImU32 colour = IM_COL32_WHITE;
  std::array<float, 4> dash{};  ///< design pixels on, off, on, off
  int dash_count = 0;           ///< 0 = solid
  Mark mark = Mark::kNone;
  bool hollow = false;  ///< second channel of one model
  float width = 1.75f;  ///< line width, design pixels
};
ChannelStyle ToChannelStyle(const render::ChannelStyle& row);
/// Style of channel `index` among the models of all channels, as render::StyleOfChannel.
ChannelStyle StyleOfChannel(std::span<const MethodId> models, int index, Theme theme);
ChannelStyle ModelStyle(MethodId model, Theme theme, bool second_channel = false);
/// In the theme in force.
ChannelStyle ModelStyle(MethodId model, bool second_channel = false);
/// Thin grey solid line without marks: references, Euler.
ChannelStyle ReferenceStyle();
/// 1 px dotted 2 4 in the head colour: drawn over the data.
ChannelStyle PredictionStyle();

// --- Rich text: "f_n", "τ_d", "k_eff", "10^3", "m^{-1}" ---------------------------------------

/// Size of rich text in pixels. `_` and `^` take the following word, or a {group}.
ImVec2 MeasureRich(std::string_view text, Role role);
/// Draws rich text with its top left corner at `position`; returns the width in pixels.
float DrawRich(ImDrawList* list, ImVec2 position, std::string_view text, Role role, ImU32 colour);
/// Plain text in a role's font; returns the width in pixels. No ImGui item is made.
float DrawText(ImDrawList* list, ImVec2 position, std::string_view text, Role role, ImU32 colour);
ImVec2 MeasureText(std::string_view text, Role role);
/// Rich text as an ImGui item at the cursor.
void Rich(std::string_view text, Role role = Role::kLabel, Token colour = Token::kText);
/// Word-wrapped plain text as an ImGui item.
void Paragraph(std::string_view text, Role role = Role::kBody, Token colour = Token::kText2);
/// `width`: of its lines [pixels].
void Paragraph(std::string_view text, float width, Role role, Token colour);
/// Lines of at most `width` pixels. Broken at blanks, but not behind a digit where that can be
/// helped: a number keeps its unit. Only a word that is too wide by itself is broken inside.
std::vector<std::string> WrapText(std::string_view text, Role role, float width);
/// Cuts plain text, as DrawText draws it, to `width` pixels, ending in "…" when cut.
std::string Ellipsize(std::string_view text, Role role, float width);
/// The same of a text with scripts, as DrawRich draws it.
std::string EllipsizeRich(std::string_view text, Role role, float width);
/// Plain text with its beginning and its end: names that differ in either stay apart.
std::string EllipsizeMiddle(std::string_view text, Role role, float width);

}  // namespace slip::app
