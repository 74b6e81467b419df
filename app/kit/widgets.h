// The widgets of the window, on Dear ImGui, in the anatomy of the design tokens.
// Every `id` is a stable name that the widget registry records.
#pragma once

#include <imgui.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/kit/theme.h"
#include "app/kit/widget_registry.h"
#include "engine/core/params.h"
#include "engine/method/config.h"
#include "engine/tell/format.h"

namespace slip::app {

// --- Drawing primitives (no ImGui item) --------------------------------------------------------

/// A channel's mark of radius `r` design pixels about `centre`; `halo` draws a well-coloured rim.
void DrawMark(ImDrawList* list, ImVec2 centre, const ChannelStyle& style, float r = 4,
              bool halo = false);
/// A polyline in the style's dash and colour. `phase` carries the dash position from chunk to
/// chunk (pixels). Any number of points: split so that 16-bit indices never overflow.
void DrawPolyline(ImDrawList* list, std::span<const ImVec2> points, const ChannelStyle& style,
                  float* phase = nullptr);
/// Dashed straight line; on and off in design pixels.
void DrawDashedLine(ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 colour, float width, float on,
                    float off);
/// Sample of a channel's line with its mark, 40 x 12 design pixels, for legends.
void DrawLegendSample(ImDrawList* list, ImVec2 left_centre, const ChannelStyle& style);
/// Arrow with a filled head.
void DrawArrow(ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 colour, float width);
/// 1 px horizontal separator over the available width.
void HairLine();

// --- Parameter row -----------------------------------------------------------------------------

enum class LockState { kNone, kLocked, kUnlocked };

/// A place on a slider that means something, e.g. a limit.
struct SliderMark {
  double value = 0;  ///< [SI]
  std::string tip;   ///< said on hover
};

struct ParamRowOptions {
  std::string_view path;                ///< id, e.g. "material.steel.stiffness"
  std::string_view owner;               ///< "steel"; written after the label when not empty
  std::optional<double> default_value;  ///< the scene's own value: triangle and reset
  std::optional<double> table_default;  ///< where no scene says it
  std::string_view scene_values;        ///< "0.10 s/m | 2.00 s/m" where the scene's channels differ
  std::span<const MethodId> channels;   ///< methods now running, for their marks
  uint32_t readers = 0;                 ///< bit i: channel i reads it; 0 = all do, no marks
  std::optional<ChannelStyle> style;    ///< colours the track: belongs to one channel
  std::string_view channel;             ///< its name, written with its mark after the label
  bool enabled = true;
  std::string_view disabled_reason;  ///< said on hover; required when not enabled
  LockState lock = LockState::kNone;
  std::span<const SliderMark> marks;  ///< drawn across the track
  float glow = 0;                     ///< teaching glow, 1 = start of the pulse, 0 = none
};

struct ParamRowResult {
  std::optional<double> value;  ///< new value, when changed in this frame
  bool editing = false;         ///< a drag is going on
  bool committed = false;       ///< a drag or entry ended with a change: one undo step
  bool lock_clicked = false;
  bool reset = false;  ///< back to the scene's own value, or values; `value` is not set
};

/// One row, 52 design pixels high and as wide as the region, for any kind of parameter: slider,
/// choice (combo) or integer. Registers "param/<path>/{slider,value,left,right,reset,lock}".
ParamRowResult ParamRow(const ParamInfo& info, double value, const ParamRowOptions& options);

/// Tool tip of a parameter: meaning, unit, formula, source, range, default.
void ParamTooltip(const ParamInfo& info, double value, const ParamRowOptions& options);

/// Group heading with a line; `note` such as "shared" stands at the right.
void GroupHeading(std::string_view title, std::string_view note = {});

/// Log slider for viewer settings that are no parameter (playback speed, arrow scale). Returns
/// true when changed. Unit SI.
bool ValueSlider(std::string_view id, std::string_view label, std::string_view unit, double min,
                 double max, bool log, double default_value, double* value);

// --- Small controls ----------------------------------------------------------------------------

/// Square button with an icon, `size` design pixels; the tool tip is mandatory.
bool IconButton(std::string_view id, const char* icon, std::string_view tooltip, float size = 32,
                bool enabled = true, bool selected = false, Token colour = Token::kText2);
/// Button with optional icon and a word. `primary` = accentFill. width 0 = fits the text.
bool TextButton(std::string_view id, std::string_view label, const char* icon = nullptr,
                bool primary = false, float width = 0, bool enabled = true,
                std::string_view tooltip = {});
/// Text in accent that can be clicked.
bool LinkText(std::string_view id, std::string_view label, std::string_view tooltip,
              Role role = Role::kCaption);

struct ChipResult {
  bool clicked = false, right_clicked = false, eye = false, solo = false;
};
/// Contact model chip, 32 high: click = lead or show, eye = visibility, solo; those two only with
/// `buttons`. `word`: small, behind the name, or empty.
ChipResult Chip(std::string_view id, std::string_view name, const ChannelStyle& style,
                std::string_view word, bool visible, bool solo, std::string_view tooltip,
                bool buttons = true);

/// Segmented control; returns true when *selected changed. `tips`: a tool tip per label.
bool Segmented(std::string_view id, std::span<const std::string_view> labels, int* selected,
               std::span<const std::string_view> tips);
/// Tab strip, 32 high with an accent line under the selected; returns true when changed.
bool TabStrip(std::string_view id, std::span<const std::string_view> labels, int* selected,
              std::span<const std::string_view> tips);
/// Drop-down in the look of the kit; returns true when changed. width 0 = available.
bool Choice(std::string_view id, std::span<const std::string_view> labels, int* selected,
            std::string_view tooltip, float width = 0, bool enabled = true);
bool Toggle(std::string_view id, std::string_view label, bool* on, std::string_view tooltip = {},
            bool enabled = true);
struct TextBoxResult {
  bool changed = false, entered = false;  ///< entered: Return was typed
};
/// Box for a line of text, 28 high, with an icon; `buffer` is edited in place, `focus` gives it the
/// keyboard. The hint in the empty box says what it is for.
TextBoxResult TextBox(std::string_view id, std::string* buffer, std::string_view hint, float width,
                      const char* icon, bool focus);
/// Search box with icon; `buffer` is edited in place. Returns true when changed.
bool SearchBox(std::string_view id, std::string* buffer, std::string_view hint, float width = 0);
/// Rounded status pill, 24 high, e.g. "✓ Converged", "● Live". Returns true when clicked.
bool Pill(std::string_view id, const char* icon, std::string_view label, Token colour);
float PillWidth(const char* icon, std::string_view label);  ///< in pixels

/// Caption over a number, 44 high; `suffix` small after the number.
void StatTile(std::string_view id, std::string_view caption, std::string_view number,
              std::string_view suffix, float width = 164);
/// Amber note under a row: text, a detail below it, and "Why?" at its end. Returns true when Why?
/// is clicked.
bool AmberNote(std::string_view id, std::string_view text, std::string_view detail = {},
               std::string_view why = "Why?");
/// Tool tip of the kit after 0.4 s over the last item; beside the menu or overlay it belongs to.
void Tooltip(std::string_view text);
/// The same at the right of the panel that the item is in.
void TooltipBeside(std::string_view text);
/// False while an overlay is open and this is not inside it: a tool tip would stand over it.
bool TooltipAllowed();
/// Around the content of an overlay; `alone` = it holds the user's attention.
void EnterOverlay(bool alone);
void LeaveOverlay();

// --- Over the picture --------------------------------------------------------------------------

/// Glass frame; draws only.
void DrawGlass(ImDrawList* list, ImVec2 min, ImVec2 max);
/// Label on the picture: rich text, then a mono number, 20 high, colour bar at left, a mark beside
/// it.
/// `anchor` is the left middle. Returns the size in pixels (draw = false only measures).
ImVec2 GlassLabel(ImDrawList* list, ImVec2 anchor, std::string_view rich, std::string_view number,
                  ImU32 bar, bool draw = true, const ChannelStyle* mark = nullptr);

// --- Instruments -------------------------------------------------------------------------------

/// Bar 96 x 10 = measured, tick = predicted, both in the same unit as `full`.
/// Returns the length of the bar [px].
float DrawGauge(ImDrawList* list, ImVec2 left_centre, float width, double measured,
                double predicted, double full, ImU32 colour);

struct ConePoint {
  ChannelStyle style;
  double ft = 0, fn = 0;
  double mu = 0;  ///< its own limit, drawn where it is not that of the cone; 0 = the cone's
};
/// Section of the friction cone with a point per channel; forces in newtons. Size in pixels.
void FrictionCone(std::string_view id, std::span<const ConePoint> points, double mu, ImVec2 size,
                  std::string_view note = {});

/// What a contact carries, along its two tangents, about its normal.
struct FrictionLoad {
  ChannelStyle style;
  double fn = 0, f1 = 0, f2 = 0;  ///< [N]
  double torque = 0;              ///< [N m]
  double mu = 0;                  ///< [-]
  double mu_w = 0;                ///< torque over normal force [m]; 0 = no torsion
  /// Multipliers over the step of the six constraints, λ₁ to λ₆ in order +F_1 +F_2 -F_1 -F_2 +T -T
  /// [N]
  std::array<double, 6> pushes{};
};
/// Shares of the budget |f1|/mu + |f2|/mu + |torque|/mu_w <= fn.
struct BudgetShares {
  double force = 0, torque = 0;
  double total() const { return force + torque; }
};
BudgetShares CalcShares(const FrictionLoad& load);
/// As FrictionUsedRow, with a part for the force and one for the torque.
void FrictionBudgetRow(std::string_view id, const FrictionLoad& load, const BudgetShares& written);
/// Sections of the set that the budget allows: the two forces; force and torque. Size in pixels.
void FrictionBudget(std::string_view id, const FrictionLoad& load, ImVec2 size);
/// The multipliers one by one, what each two of them leave, and the most that could be; rows of 18.
/// Registers "budget/{F1,F2,T,N}" and "budget/lambda/1" to 6 with their texts.
void FrictionBudgetTable(const FrictionLoad& load);

/// A law, and the models that follow it.
struct LawLine {
  std::vector<ChannelStyle> models;
  std::string text;  ///< rich
};
struct GapReading {
  ChannelStyle style;
  double gap = 0;        ///< signed distance [m]
  double measured = 0;   ///< gliding offset [m]
  double predicted = 0;  ///< [m]
  /// The last two as numbers, which may be those of a moment before [m].
  double written_measured = 0, written_predicted = 0;
};
/// How heights are drawn.
struct GapScale {
  double magnification = 20;       ///< over the picture behind: 1, 2 or 5 times a power of ten
  double pixels_per_metre = 28e3;  ///< of the screen
  double full_offset = 3e-3;       ///< full scale of the gauges [m]
  bool below = false;              ///< the room is for what lies in the surface, not above it
  bool locked = false;             ///< the magnification was asked for
};
/// The largest scale, x1 to x1e5, in which signed distances from `lowest` to `highest` [m] fit, and
/// gauges for gliding offsets up to `offset` [m]. `picture_scale`: pixels per metre of the picture
/// behind. `locked`: a magnification that is asked for, or 0.
GapScale ChooseGapScale(double lowest, double highest, double offset, double picture_scale,
                        double locked);

/// How much of an instrument there is room for: all, its parts side by side, the numbers alone.
enum class InstrumentForm { kFull, kWide, kCompact };
enum class GapClick { kNone, kHelp, kScale };
/// Gap instrument, 292 x 284 design pixels with its top left corner at `position` (pixels):
/// cut-away boxes over the surface or in it, then a gauge per model and the lead's formula.
/// `laws`: at the foot; one line of the wide form. Wide: the boxes, and the numbers beside them;
/// compact: only the numbers, 212 wide. Says which sign was clicked: "?" or the magnification,
/// registered as "<id>/scale". Makes ImGui items: call in a window.
GapClick GapInstrument(std::string_view id, ImVec2 position, std::string_view title,
                       std::span<const GapReading> readings, const GapScale& scale,
                       std::span<const LawLine> laws, InstrumentForm form = InstrumentForm::kFull);
/// Size of the instrument in pixels for this number of models and laws.
ImVec2 GapInstrumentSize(int readings, InstrumentForm form = InstrumentForm::kFull, int laws = 1);

/// One model's row in a table of readings.
struct GaugeRow {
  ChannelStyle style;
  std::vector<std::string> cells;  ///< one per heading; the first one is what is measured
  double bar = 0, tick = 0;        ///< of its gauge; NaN: none
  std::string name = {};           ///< instead of mark and gauge, for what is no model
};
/// What the table says beside its numbers. Rich text.
struct GaugeTableText {
  std::string title, unit;
  std::vector<std::string> headings;
  std::vector<LawLine> laws;
  const char* question = nullptr;  ///< of the sign for help
  int beside = -1;                 ///< the number that compact ones show, too; -1: the last one
  int unit_over = -1;              ///< the last number in that unit; -1: of all
};
/// An instrument of 292 design pixels: a gauge up to `full` (0: none) and two or three numbers per
/// model, then laws. Wide: the numbers alone, 284 wide; compact: only the first of them and one
/// more, 212 wide. Returns true when "?" is clicked. Registers "<id>/<row>" with its cells as text.
/// Makes ImGui items: call in a window.
bool GaugeTable(std::string_view id, ImVec2 position, const GaugeTableText& text,
                std::span<const GaugeRow> rows, double full,
                InstrumentForm form = InstrumentForm::kFull);
ImVec2 GaugeTableSize(int rows, InstrumentForm form = InstrumentForm::kFull, int laws = 1);
/// Round full scale for gauges of this largest value.
double RoundFull(double largest, double least);

/// Row of the Contacts tab "Friction used": bar in the channel's colour, and a percentage, which
/// may be that of a moment before.
void FrictionUsedRow(std::string_view id, const ChannelStyle& style, double used, double written);

}  // namespace slip::app
