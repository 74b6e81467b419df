// The action table. Why one cannot be done now is in panels, what each does in
// frame/actions.cpp, how keys are called in key_names.cpp.
#include "app/state/actions.h"

#include <GLFW/glfw3.h>

#include <cctype>
#include <cstddef>
#include <iterator>
#include <vector>

#include "app/state/tab.h"
#include "engine/core/numbers.h"
#include "render/quantities/quantity.h"

namespace slip::app {
namespace {

constexpr int kCtrl = GLFW_MOD_CONTROL, kShift = GLFW_MOD_SHIFT, kAlt = GLFW_MOD_ALT;
using A = Action;

// clang-format off
/// The table up to the quantities of the menu View, on to those of Show, and after them.
constexpr ActionInfo kFirstRows[] = {
  {A::kOpenScene, "File", "Open scene...", "Choose a scene by name or tag; files of scenes, experiments and robots can also be dropped on the window.", {{{GLFW_KEY_O, kCtrl}}}, false},
  {A::kReload, "File", "Reload scene file", "Reads the file again; the camera stays.", {{{GLFW_KEY_L, kCtrl}}}, false},
  {A::kSaveExperiment, "File", "Save experiment", "Writes all that was done to the current folder; the file runs again, bit for bit.", {{{GLFW_KEY_S, kCtrl}}}, false},
  {A::kSaveScene, "File", "Save scene", "Writes the scene of a robot's file, as it is now, to the current folder: a text to go on from.", {}, false},
  {A::kScreenshot, "File", "Screenshot", "Writes a PNG of the window to the current folder.", {{{GLFW_KEY_P, kCtrl}}}, false},
  {A::kRecord, "File", "Record video...", "Makes a video: live, or of what was done, again from the history. Once more: with the last settings; then it stops.", {{{GLFW_KEY_R, kCtrl}}}, false},
  {A::kCopyRender, "File", "Copy render command", "Copies the command that draws this scene off-screen as a video.", {}, false},
  {A::kQuit, "File", "Quit", "Closes the window.", {{{GLFW_KEY_Q, kCtrl}}}, false},
  {A::kUndo, "Edit", "Undo parameter change", "Takes back the last parameter change; it does not rewind time.", {{{GLFW_KEY_Z, kCtrl}}}, true},
  {A::kRedo, "Edit", "Redo parameter change", "Makes the change again.", {{{GLFW_KEY_Z, kCtrl | kShift}, {GLFW_KEY_Y, kCtrl}}}, true},
  {A::kResetParameters, "Edit", "Reset all parameters", "Every parameter back to the scene's own value.", {}, false},
  {A::kForgetImpacts, "Edit", "Forget impacts", "Notes and matches under the parameters go by the impacts from now on.", {}, false},
  {A::kCopyState, "Edit", "Copy numbers", "Copies the metric table of this moment.", {{{GLFW_KEY_C, kCtrl}}}, false},
  {A::kCopyTable, "Edit", "Copy table", "Copies the table of the inspector as CSV: contacts, body, comparison or feet, of this moment.", {}, false},
  {A::kCopyMarkdown, "Edit", "Copy table as Markdown", "The same as a Markdown table.", {}, false},
  {A::kSaveTable, "Edit", "Save table", "Writes the table of the inspector to a CSV file.", {}, false},
  {A::kCopyCommand, "Edit", "Copy as command line", "Copies the command that repeats this run without a window.", {{{GLFW_KEY_C, kCtrl | kShift}}}, false},
  {A::kCopyCamera, "Edit", "Copy camera", "Copies the view as the [camera] table of a scene file.", {}, false},
  {A::kPaste, "Edit", "Paste camera or parameters", "Takes a copied view, or the parameters of a copied command line or scene.", {{{GLFW_KEY_V, kCtrl}}}, false},
  {A::kPreviousScene, "Scene", "Previous scene", "The scene before this one in the list.", {{{GLFW_KEY_PAGE_UP, kCtrl}}}, false},
  {A::kNextScene, "Scene", "Next scene", "The scene after this one in the list.", {{{GLFW_KEY_PAGE_DOWN, kCtrl}}}, false},
  {A::kStudies, "Scene", "Studies", "Figures of the papers and studies of your own: run, judged and drawn in place of the scene.", {{{GLFW_KEY_O, kCtrl | kShift}}}, false},
  {A::kReset, "Scene", "Reset", "Back to the start state; parameters stay.", {{{GLFW_KEY_R, 0}, {GLFW_KEY_BACKSPACE, 0}}}, false},
  {A::kResync, "Scene", "Re-sync to the lead", "Copies the state of the lead model to all others.", {}, false},
  {A::kRunPause, "Run", "Run / pause", "Starts or pauses the simulation.", {{{GLFW_KEY_SPACE, 0}, {GLFW_KEY_P, 0}}}, false},
  {A::kStep, "Run", "Step", "One step forward.", {{{GLFW_KEY_RIGHT, 0}, {GLFW_KEY_PERIOD, 0}, {GLFW_KEY_O, 0}}}, true},
  {A::kStepBack, "Run", "Step back", "One step back in the history.", {{{GLFW_KEY_LEFT, 0}, {GLFW_KEY_COMMA, 0}}}, true},
  {A::kForwardShort, "Run", "Forward 0.1 s", "Moves 0.1 s forward in the history.", {{{GLFW_KEY_RIGHT, kShift}}}, true},
  {A::kBackShort, "Run", "Back 0.1 s", "Moves 0.1 s back in the history.", {{{GLFW_KEY_LEFT, kShift}}}, true},
  {A::kForwardLong, "Run", "Forward 1 s", "Moves 1 s forward in the history.", {{{GLFW_KEY_RIGHT, kCtrl}}}, true},
  {A::kBackLong, "Run", "Back 1 s", "Moves 1 s back in the history.", {{{GLFW_KEY_LEFT, kCtrl}}}, true},
  {A::kStart, "Run", "To the start", "First stored step of the session.", {{{GLFW_KEY_HOME, 0}}}, false},
  {A::kLive, "Run", "To the live end", "Newest step of the session.", {{{GLFW_KEY_END, 0}}}, false},
  {A::kFormerBranch, "Run", "Former branch", "To the end of the branch before this one: going on from the past, and resets, begin branches.", {}, false},
  {A::kNextBranch, "Run", "Next branch", "To the end of the branch after this one.", {}, false},
  {A::kPreviousMark, "Run", "Previous mark", "Back to the mark before this moment.", {{{GLFW_KEY_LEFT, kAlt}}}, true},
  {A::kNextMark, "Run", "Next mark", "On to the mark after this moment.", {{{GLFW_KEY_RIGHT, kAlt}}}, true},
  {A::kSlower, "Run", "Slower", "Playback speed one notch down.", {{{GLFW_KEY_MINUS, 0}, {GLFW_KEY_KP_SUBTRACT, 0}}}, true},
  {A::kFaster, "Run", "Faster", "Playback speed one notch up.", {{{GLFW_KEY_EQUAL, 0}, {GLFW_KEY_KP_ADD, 0}}}, true},
  {A::kNormalSpeed, "Run", "Real time", "Playback speed 1.", {{{GLFW_KEY_0, 0}, {GLFW_KEY_KP_0, 0}}}, false},
  {A::kFastest, "Run", "As fast as possible", "Playback without a brake.", {}, false},
  {A::kNote, "Run", "Note at this moment", "Puts a flag on the time line.", {{{GLFW_KEY_B, kCtrl}}}, false},
  {A::kLeftPanel, "View", "Left panel", "Lesson and parameters.", {{{GLFW_KEY_TAB, 0}}}, false},
  {A::kRightPanel, "View", "Right panel", "Contacts, solver, body, comparison, feet.", {{{GLFW_KEY_TAB, kShift}}}, false},
  {A::kPlots, "View", "Plots", "The curves under the picture.", {{{GLFW_KEY_F4, kShift}}}, false},
  {A::kDialects, "Inspect", "Other engines' terms", "One contact in the words of MuJoCo, Drake, Bullet, ODE and others, to copy: the picked one, else the one that carries most.", {}, false},
  {A::kHideAll, "View", "Hide all panels", "The picture alone.", {{{GLFW_KEY_H, 0}}}, false},
  {A::kFullScreen, "View", "Full screen", "The window fills the screen.", {{{GLFW_KEY_F11, 0}}}, false},
  {A::kTheme, "View", "Light theme", "Light colours, for projectors and print.", {}, false, false, "Interface"},
  {A::kPresenter, "View", "Presenter mode", "Large text, light colours, thick lines, keys and clicks shown.", {{{GLFW_KEY_F9, 0}}}, false, false, "Interface"},
  {A::kBiggerUi, "View", "Larger interface", "Text and controls one notch larger.", {{{GLFW_KEY_EQUAL, kCtrl}, {GLFW_KEY_KP_ADD, kCtrl}}}, true, false, "Interface"},
  {A::kSmallerUi, "View", "Smaller interface", "Text and controls one notch smaller.", {{{GLFW_KEY_MINUS, kCtrl}, {GLFW_KEY_KP_SUBTRACT, kCtrl}}}, true, false, "Interface"},
  {A::kNormalUi, "View", "Normal interface size", "Size given by the monitor.", {{{GLFW_KEY_0, kCtrl}, {GLFW_KEY_KP_0, kCtrl}}}, false, false, "Interface"},
  {A::kCompareMode, "View", "Next compare mode", "Single, ghosts, split 2, split 4, difference.", {{{GLFW_KEY_V, 0}}}, false},
  {A::kQualityAuto, "View", "Picture: automatic", "As good as this computer draws it fluently.", {}, false, false, "Picture"},
  {A::kQualityFast, "View", "Picture: fast", "Plain shadows, fewer pixels: for computers without a graphics card.", {}, false, false, "Picture"},
  {A::kQualityBalanced, "View", "Picture: balanced", "Sharper shadows, every pixel.", {}, false, false, "Picture"},
  {A::kQualityBest, "View", "Picture: best", "Soft shadows and smooth edges.", {}, false, false, "Picture"},
};
constexpr ActionInfo kMiddleRows[] = {
  {A::kSmoothEdges, "View", "Smooth edges", "Blends the stairs of edges in pictures of one sample a pixel, which are those of balanced and fast. On graphics cards.", {}, false, false, "Picture"},
  {A::kHomeView, "View", "Home view", "The camera of the scene file; it keeps what travels in the picture, until you move it.", {{{GLFW_KEY_HOME, kShift}}}, false},
  {A::kMarkLabels, "Show", "Texts on the time line", "What the marks on the time line say.", {}, false},
  {A::kContactTicks, "Show", "Contact ticks", "Grey ticks under the time line where contact was made or broken.", {}, false},
  {A::kSideView, "View", "Side view", "Straight from the side, without perspective.", {}, false},
  {A::kView1, "View", "View 1", "Flies to the view that was kept under this number for this scene.", {{{GLFW_KEY_F5, 0}}}, false, false, "Kept views"},
  {A::kView2, "View", "View 2", "Flies to the view that was kept under this number for this scene.", {{{GLFW_KEY_F6, 0}}}, false, false, "Kept views"},
  {A::kView3, "View", "View 3", "Flies to the view that was kept under this number for this scene.", {{{GLFW_KEY_F7, 0}}}, false, false, "Kept views"},
  {A::kKeepView1, "View", "Keep as view 1", "Keeps the present view of this scene under this number, from run to run.", {{{GLFW_KEY_F5, kCtrl}}}, false, false, "Kept views"},
  {A::kKeepView2, "View", "Keep as view 2", "Keeps the present view of this scene under this number, from run to run.", {{{GLFW_KEY_F6, kCtrl}}}, false, false, "Kept views"},
  {A::kKeepView3, "View", "Keep as view 3", "Keeps the present view of this scene under this number, from run to run.", {{{GLFW_KEY_F7, kCtrl}}}, false, false, "Kept views"},
  {A::kFocus, "View", "Centre the selection", "The selected body becomes the orbit centre and stays in the picture.", {{{GLFW_KEY_Z, 0}}}, false},
};
constexpr ActionInfo kLastRows[] = {
  {A::kTargetHandles, "Show", "Handles of targets", "Of a robot that slides hold, such as a gripper: arrows that drag the targets of its slides and the opening of its fingers.", {}, false},
  {A::kGap, "Show", "Gap instrument", "Measured and predicted gliding offset.", {{{GLFW_KEY_G, 0}}}, false},
  {A::kLabels, "Show", "Force numbers", "Labels beside the largest forces; over a robot one tag per model.", {}, false},
  {A::kLegend, "Show", "Legend", "Models, fan-out and arrow scale.", {}, false},
  {A::kInfo, "Show", "Info overlay", "Real-time factor and time step.", {{{GLFW_KEY_F2, 0}}}, false},
  {A::kShowAllBodies, "View", "Show all bodies", "Brings back the bodies that were hidden by the menu of the view.", {}, false},
  {A::kDragNeedsCtrl, "Show", "Dragging needs Ctrl", "Left-drag always orbits; Ctrl pulls a body.", {}, false},
  {A::kReducedMotion, "Show", "Reduced motion", "No camera flights, no glow.", {}, false},
  {A::kPlotFocus, "Plots", "Plots by keyboard", "The keyboard goes to the plots, or back; a ring shows which has it.", {{{GLFW_KEY_F4, 0}}}, false},
  {A::kPlotLeft, "Plots", "Cursor one sample back", "The crosshair goes to the sample before.", {{{GLFW_KEY_LEFT, 0}}}, true, true},
  {A::kPlotRight, "Plots", "Cursor one sample on", "The crosshair goes to the next sample.", {{{GLFW_KEY_RIGHT, 0}}}, true, true},
  {A::kPlotFarLeft, "Plots", "Cursor ten samples back", "The crosshair goes back by ten samples.", {{{GLFW_KEY_LEFT, kShift}}}, true, true},
  {A::kPlotFarRight, "Plots", "Cursor ten samples on", "The crosshair goes on by ten samples.", {{{GLFW_KEY_RIGHT, kShift}}}, true, true},
  {A::kPlotNext, "Plots", "Next plot", "The plot to the right gets the keyboard.", {{{GLFW_KEY_TAB, 0}}}, true, true},
  {A::kPlotPrevious, "Plots", "Previous plot", "The plot to the left gets the keyboard.", {{{GLFW_KEY_TAB, kShift}}}, true, true},
  {A::kPlotSeriesUp, "Plots", "Previous curve", "Chooses the curve before in the legend.", {{{GLFW_KEY_UP, 0}}}, true, true},
  {A::kPlotSeriesDown, "Plots", "Next curve", "Chooses the next curve of the legend.", {{{GLFW_KEY_DOWN, 0}}}, true, true},
  {A::kPlotHide, "Plots", "Hide or show the curve", "Hides the chosen curve, or shows it again.", {{{GLFW_KEY_ENTER, 0}, {GLFW_KEY_KP_ENTER, 0}}}, false, true},
  {A::kPlotAnchor, "Plots", "Second cursor here", "Measures from here: difference, slope, mean, RMS, integral. Once more takes it away. With the mouse: Shift+click.", {{{GLFW_KEY_A, 0}}}, false, true},
  {A::kPlotSeek, "Plots", "Go to the cursor", "The play head goes to the crosshair.", {{{GLFW_KEY_G, 0}}}, false, true},
  {A::kPlotLeave, "Plots", "Leave the plots", "The keyboard goes back to the window.", {{{GLFW_KEY_ESCAPE, 0}}}, false, true},
  {A::kZoomBack, "Plots", "Zoom back", "The time range before the last zoom.", {{{GLFW_KEY_Z, kAlt}}}, true},
  {A::kPlotOverTime, "Plots", "Plot over time", "The plot that has the keyboard, or the first: its signal over time.", {}, false},
  {A::kPlotAgainst, "Plots", "Plot against another signal", "The plot that has the keyboard, or the first: its signal against another one, at first the slip speed. The menu of its title has all.", {}, false},
  {A::kPlotHistogram, "Plots", "Plot as histogram", "The plot that has the keyboard, or the first: how often its signal had which value.", {}, false},
  {A::kPlotCsv, "Plots", "Save plot as CSV", "Exports the visible range of the plot that has the keyboard, or of the one in front.", {}, false},
  {A::kPlotPng, "Plots", "Save plot as PNG", "Exports a picture of the plot that has the keyboard, or of the one in front.", {}, false},
  {A::kPlotSvg, "Plots", "Save plot as SVG", "Exports a drawing for papers of the plot that has the keyboard, or of the one in front.", {}, false},
};
constexpr ActionInfo kRowsAfterTabs[] = {
  {A::kShow1, "Models", "Show model 1", "Shows or hides the first model.", {{{GLFW_KEY_1, 0}}}, false},
  {A::kShow2, "Models", "Show model 2", "Shows or hides the second model.", {{{GLFW_KEY_2, 0}}}, false},
  {A::kShow3, "Models", "Show model 3", "Shows or hides the third model.", {{{GLFW_KEY_3, 0}}}, false},
  {A::kShow4, "Models", "Show model 4", "Shows or hides the fourth model.", {{{GLFW_KEY_4, 0}}}, false},
  {A::kShow5, "Models", "Show model 5", "Shows or hides the fifth model.", {{{GLFW_KEY_5, 0}}}, false},
  {A::kLead1, "Models", "Make model 1 the lead", "The lead is drawn solid.", {{{GLFW_KEY_1, kAlt}}}, false},
  {A::kLead2, "Models", "Make model 2 the lead", "The lead is drawn solid.", {{{GLFW_KEY_2, kAlt}}}, false},
  {A::kLead3, "Models", "Make model 3 the lead", "The lead is drawn solid.", {{{GLFW_KEY_3, kAlt}}}, false},
  {A::kLead4, "Models", "Make model 4 the lead", "The lead is drawn solid.", {{{GLFW_KEY_4, kAlt}}}, false},
  {A::kLead5, "Models", "Make model 5 the lead", "The lead is drawn solid.", {{{GLFW_KEY_5, kAlt}}}, false},
  {A::kHandXBack, "Robot", "Hand back along x, 1 mm", "The target of the slide along x goes back by 1 mm: of the selected robot, or of the only one that hangs on slides.", {{{GLFW_KEY_LEFT, kCtrl | kAlt}, {GLFW_KEY_LEFT, kCtrl | kShift}}}, true},
  {A::kHandXOn, "Robot", "Hand on along x, 1 mm", "The target of the slide along x goes on by 1 mm: of the selected robot, or of the only one that hangs on slides.", {{{GLFW_KEY_RIGHT, kCtrl | kAlt}, {GLFW_KEY_RIGHT, kCtrl | kShift}}}, true},
  {A::kHandYBack, "Robot", "Hand back along y, 1 mm", "The target of the slide along y goes back by 1 mm.", {{{GLFW_KEY_DOWN, kCtrl | kAlt}, {GLFW_KEY_DOWN, kCtrl | kShift}}}, true},
  {A::kHandYOn, "Robot", "Hand on along y, 1 mm", "The target of the slide along y goes on by 1 mm.", {{{GLFW_KEY_UP, kCtrl | kAlt}, {GLFW_KEY_UP, kCtrl | kShift}}}, true},
  {A::kHandDown, "Robot", "Hand down, 1 mm", "The target of the slide along z goes down by 1 mm.", {{{GLFW_KEY_PAGE_DOWN, kCtrl | kAlt}, {GLFW_KEY_PAGE_DOWN, kCtrl | kShift}}}, true},
  {A::kHandUp, "Robot", "Hand up, 1 mm", "The target of the slide along z goes up by 1 mm.", {{{GLFW_KEY_PAGE_UP, kCtrl | kAlt}, {GLFW_KEY_PAGE_UP, kCtrl | kShift}}}, true},
  {A::kHandClose, "Robot", "Close the hand, 1 mm", "The target of each finger goes inwards by 1 mm.", {{{GLFW_KEY_MINUS, kCtrl | kAlt}, {GLFW_KEY_MINUS, kCtrl | kShift}}}, true},
  {A::kHandOpen, "Robot", "Open the hand, 1 mm", "The target of each finger goes outwards by 1 mm.", {{{GLFW_KEY_EQUAL, kCtrl | kAlt}, {GLFW_KEY_EQUAL, kCtrl | kShift}}}, true},
  {A::kHandXFarBack, "Robot", "Hand back along x, 10 mm", "The target of the slide along x goes back by 10 mm: of the selected robot, or of the only one that hangs on slides.", {{{GLFW_KEY_LEFT, kCtrl | kAlt | kShift}, {GLFW_KEY_LEFT, kAlt | kShift}}}, true},
  {A::kHandXFarOn, "Robot", "Hand on along x, 10 mm", "The target of the slide along x goes on by 10 mm: of the selected robot, or of the only one that hangs on slides.", {{{GLFW_KEY_RIGHT, kCtrl | kAlt | kShift}, {GLFW_KEY_RIGHT, kAlt | kShift}}}, true},
  {A::kHandYFarBack, "Robot", "Hand back along y, 10 mm", "The target of the slide along y goes back by 10 mm.", {{{GLFW_KEY_DOWN, kCtrl | kAlt | kShift}, {GLFW_KEY_DOWN, kAlt | kShift}}}, true},
  {A::kHandYFarOn, "Robot", "Hand on along y, 10 mm", "The target of the slide along y goes on by 10 mm.", {{{GLFW_KEY_UP, kCtrl | kAlt | kShift}, {GLFW_KEY_UP, kAlt | kShift}}}, true},
  {A::kHandFarDown, "Robot", "Hand down, 10 mm", "The target of the slide along z goes down by 10 mm.", {{{GLFW_KEY_PAGE_DOWN, kCtrl | kAlt | kShift}, {GLFW_KEY_PAGE_DOWN, kAlt | kShift}}}, true},
  {A::kHandFarUp, "Robot", "Hand up, 10 mm", "The target of the slide along z goes up by 10 mm.", {{{GLFW_KEY_PAGE_UP, kCtrl | kAlt | kShift}, {GLFW_KEY_PAGE_UP, kAlt | kShift}}}, true},
  {A::kHandFarClose, "Robot", "Close the hand, 10 mm", "The target of each finger goes inwards by 10 mm.", {{{GLFW_KEY_MINUS, kCtrl | kAlt | kShift}, {GLFW_KEY_MINUS, kAlt | kShift}}}, true},
  {A::kHandFarOpen, "Robot", "Open the hand, 10 mm", "The target of each finger goes outwards by 10 mm.", {{{GLFW_KEY_EQUAL, kCtrl | kAlt | kShift}, {GLFW_KEY_EQUAL, kAlt | kShift}}}, true},
  {A::kMakeReference, "Models", "Make reference curve", "Runs Lagged (Exponential, where contacts have anchors) with a hundredth of the time step in the background, from the start and with the same parameter changes; a thin grey curve in the plots.", {}, false},
  {A::kDropReference, "Models", "Remove reference curve", "Takes the grey curve away, or stops making it.", {}, false},
  {A::kHelp, "Help", "Keys and mouse", "This list.", {{{GLFW_KEY_F1, 0}}}, false},
  {A::kPalette, "Help", "Find an action...", "Search in all actions and do one.", {{{GLFW_KEY_K, kCtrl}}}, false},
  {A::kAbout, "Help", "About Slipscope", "Version, graphics, sources.", {}, false},
  {A::kEscape, "Help", "Close or deselect", "Closes the menu or pop-up, then the message, then deselects, then stops following.", {{{GLFW_KEY_ESCAPE, 0}}}, false},
};
// clang-format on

constexpr const char* kGroups[] = {"File",  "Edit",    "Scene",  "Run",   "View", "Show",
                                   "Plots", "Inspect", "Models", "Robot", "Help"};

struct QuantityAction {
  Action action;
  const render::Quantity* quantity;
};
struct TabAction {
  Action action;
  TabId tab;
};
#define SLIP_TAB(constant, id) {Action::constant##Tab, TabId::constant},
#define SLIP_NO_TAB(constant, id)
constexpr TabAction kTabActions[] = {SLIP_TABS(SLIP_TAB, SLIP_NO_TAB, SLIP_TAB)};
#undef SLIP_TAB
#undef SLIP_NO_TAB

#define SLIP_SWITCH(constant, member, first) {Action::constant, &render::constant},
#define SLIP_ALWAYS(constant)
constexpr QuantityAction kQuantities[] = {SLIP_QUANTITIES(SLIP_SWITCH, SLIP_ALWAYS)};
#undef SLIP_SWITCH
#undef SLIP_ALWAYS

std::vector<ActionInfo> MakeTable() {
  std::vector<ActionInfo> table(std::begin(kFirstRows), std::end(kFirstRows));
  const auto add_quantities = [&](std::string_view menu) {
    for (const auto& [action, q] : kQuantities) {
      if (q->menu != menu) continue;
      // GLFW calls a letter by its capital
      table.push_back(
          {action, q->menu, q->name, q->doc, {{{q->key, 0}}}, false, false, q->section});
    }
  };
  add_quantities("View");
  table.insert(table.end(), std::begin(kMiddleRows), std::end(kMiddleRows));
  add_quantities("Show");
  table.insert(table.end(), std::begin(kLastRows), std::end(kLastRows));
  for (const auto& [action, id] : kTabActions) {
    const Tab& tab = TabOf(id);
    KeyChords keys{};
    if (*tab.key != '\0') keys[0] = ParseKeyChord(tab.key).value();
    table.push_back({action, "Inspect", tab.name, tab.doc, keys, false});
  }
  table.insert(table.end(), std::begin(kRowsAfterTabs), std::end(kRowsAfterTabs));
  return table;
}

}  // namespace

std::span<const ActionInfo> ActionTable() {
  static const std::vector<ActionInfo> table = MakeTable();
  return table;
}

std::optional<TabId> TabOf(Action action) {
  for (const TabAction& of : kTabActions) {
    if (of.action == action) return of.tab;
  }
  return std::nullopt;
}

const render::Quantity* QuantityOf(Action action) {
  for (const QuantityAction& of : kQuantities) {
    if (of.action == action) return of.quantity;
  }
  return nullptr;
}

std::span<const char* const> ActionGroups() { return kGroups; }

const ActionInfo& Info(Action action) {
  for (const ActionInfo& info : ActionTable()) {
    if (info.id == action) return info;
  }
  return kFirstRows[0];
}

std::string ActionId(Action action) {
  std::string id;
  for (const char* c = Info(action).name; *c != '\0'; ++c) {
    if (std::isalnum(static_cast<unsigned char>(*c)) != 0) {
      id += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
    } else if (!id.empty() && id.back() != '_') {
      id += '_';
    }
  }
  while (!id.empty() && id.back() == '_') id.pop_back();
  return id;
}

KeyTable DefaultKeys(KeyNamer namer) {
  KeyTable keys;
  for (const ActionInfo& info : ActionTable()) {
    KeyChords& chords = At(keys, info.id) = info.keys;
    for (KeyChord& chord : chords) chord.key = KeyShowing(chord.key, namer);
  }
  return keys;
}

}  // namespace slip::app
