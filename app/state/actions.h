// THE table of actions: key, name, group, sentence. Keyboard dispatch, menus, the help window and
// the command palette are made from it, so that they cannot disagree. The rows of what pictures
// show come from render/scene/quantity_list.h,
// those of tabs from session/tab_list.h.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/session/tab_list.h"
#include "engine/core/numbers.h"
#include "engine/core/result.h"
#include "render/scene/quantity_list.h"

namespace slip::render {
struct Quantity;
}

namespace slip::app {

struct UiState;

enum class Action : int {
  kOpenScene,
  kReload,
  kSaveExperiment,
  kSaveScene,
  kPreviousScene,
  kNextScene,
  kStudies,
  kScreenshot,
  kRecord,
  kQuit,
  kUndo,
  kRedo,
  kResetParameters,
  kForgetImpacts,
  kCopyCommand,
  kCopyState,
  kCopyTable,
  kCopyMarkdown,
  kSaveTable,
  kCopyCamera,
  kPaste,
  kFormerBranch,
  kNextBranch,
  kCopyRender,
  kRunPause,
  kStep,
  kStepBack,
  kForwardShort,
  kBackShort,
  kForwardLong,
  kBackLong,
  kStart,
  kLive,
  kNextMark,
  kPreviousMark,
  kSlower,
  kFaster,
  kNormalSpeed,
  kFastest,
  kReset,
  kResync,
  kNote,
  kLeftPanel,
  kRightPanel,
  kPlots,
  kDialects,
  kHideAll,
  kFullScreen,
  kTheme,
  kPresenter,
  kBiggerUi,
  kSmallerUi,
  kNormalUi,
  kCompareMode,
  kQualityAuto,
  kQualityFast,
  kQualityBalanced,
  kQualityBest,
  kSmoothEdges,
// of what pictures show: render/scene/quantity_list.h
// clang-format off
#define SLIP_SWITCH(constant, member, first) constant,
#define SLIP_ALWAYS(constant)
  SLIP_QUANTITIES(SLIP_SWITCH, SLIP_ALWAYS)
#undef SLIP_SWITCH
#undef SLIP_ALWAYS
  // clang-format on
  kTargetHandles,
  kGap,
  kLabels,
  kLegend,
  kInfo,
  kMarkLabels,
  kContactTicks,
  kSideView,
  kHomeView,
  kView1,
  kView2,
  kView3,
  kKeepView1,
  kKeepView2,
  kKeepView3,
  kFocus,
  kShowAllBodies,
  kDragNeedsCtrl,
  kReducedMotion,
  kPlotFocus,
  kZoomBack,
  kPlotOverTime,
  kPlotAgainst,
  kPlotHistogram,
  kPlotCsv,
  kPlotPng,
  kPlotSvg,
  kPlotLeft,
  kPlotRight,
  kPlotFarLeft,
  kPlotFarRight,
  kPlotNext,
  kPlotPrevious,
  kPlotSeriesUp,
  kPlotSeriesDown,
  kPlotHide,
  kPlotAnchor,
  kPlotSeek,
  kPlotLeave,
  kMakeReference,
  kDropReference,
// the tabs of the side panels: session/tab_list.h
// clang-format off
#define SLIP_TAB(constant, id) constant##Tab,
#define SLIP_NO_TAB(constant, id)
  SLIP_TABS(SLIP_TAB, SLIP_NO_TAB, SLIP_TAB)
#undef SLIP_TAB
#undef SLIP_NO_TAB
  // clang-format on
  kHandXBack,
  kHandXOn,
  kHandYBack,
  kHandYOn,
  kHandDown,
  kHandUp,
  kHandClose,
  kHandOpen,
  kHandXFarBack,
  kHandXFarOn,
  kHandYFarBack,
  kHandYFarOn,
  kHandFarDown,
  kHandFarUp,
  kHandFarClose,
  kHandFarOpen,
  kShow1,
  kShow2,
  kShow3,
  kShow4,
  kShow5,
  kLead1,
  kLead2,
  kLead3,
  kLead4,
  kLead5,
  kHelp,
  kPalette,
  kAbout,
  kEscape,
  kCount
};

struct KeyChord {
  int key = 0;   ///< GLFW code; 0 = none
  int mods = 0;  ///< GLFW bits
  bool operator==(const KeyChord&) const = default;
};
using KeyChords = std::array<KeyChord, 3>;
/// The keys of every action, in the order of Action.
using KeyTable = std::array<KeyChords, static_cast<std::size_t>(Action::kCount)>;

struct ActionInfo {
  Action id;
  const char* group;      ///< the menu that it is in
  const char* name;       ///< a few words
  const char* doc;        ///< one sentence
  KeyChords keys;         ///< defaults; those in force: KeyMap
  bool repeats;           ///< a held key repeats it
  bool in_plots = false;  ///< its keys hold while the plots have the keyboard, and only then
  const char* section = nullptr;  ///< the menu within that menu; null = none
};

std::span<const ActionInfo> ActionTable();
/// The tab that this action opens; nothing for all other actions.
std::optional<TabId> TabOf(Action action);
/// What pictures show and this action turns on and off; null for all other actions.
const render::Quantity* QuantityOf(Action action);
const ActionInfo& Info(Action action);
/// Menus in their order.
std::span<const char* const> ActionGroups();

/// Name of an action in keys.json: "run_pause". Made from its name in the menu.
std::string ActionId(Action action);
/// What stands on a key's cap on this machine (glfwGetKeyName); null = as on a US keyboard.
using KeyNamer = const char* (*)(int key);
/// Letters and signs are those on the caps: Ctrl+Z is the key that shows Z.
KeyTable DefaultKeys(KeyNamer namer = nullptr);
/// The key in GLFW's US terms that types the same on this keyboard: of a German Z, GLFW_KEY_Z.
int UsKey(int key, KeyNamer namer);
/// The other way round; 0 where no key shows it.
int KeyShowing(int us_key, KeyNamer namer);
/// All caps in one line: differs once the layout has changed.
std::string AllCaps(KeyNamer namer);

struct ActionSwitch {
  Action action;
  std::function<bool*(UiState*)> of;
  bool in_pictures;  ///< a picture shows it: videos and experiments keep it
};
/// All that are a switch and no more.
std::span<const ActionSwitch> ActionSwitches();
bool IsToggle(Action action);
/// The switch behind an action; null when it is none, or more than a switch.
bool* ToggleOf(UiState* state, Action action);

/// "Ctrl+Space", "F5", "Right", "Keypad+"; a letter means the key whose cap shows it. The error
/// says which names there are.
Result<KeyChord> ParseKeyChord(std::string_view text, KeyNamer namer = nullptr);
/// "Ctrl+O" as printed on this keyboard.
std::string KeyLabel(const KeyChord& chord, KeyNamer namer = nullptr);

/// The keys in force on this keyboard.
struct KeyMap {
  KeyTable table = DefaultKeys();  ///< no chord occurs twice
  KeyNamer namer = nullptr;

  const KeyChords& Of(Action action) const { return At(table, action); }
  std::string Label(const KeyChord& chord) const { return KeyLabel(chord, namer); }
  /// First key of an action, or empty.
  std::string Label(Action action) const { return Label(Of(action)[0]); }
};

}  // namespace slip::app
