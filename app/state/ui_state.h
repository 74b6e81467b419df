// What the window remembers beside the session: regions, tabs, toggles, selection, open pop-ups.
// Plain data; the part that outlives a run is saved by settings.cpp.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/kit/theme.h"
#include "app/plots/plot.h"
#include "app/session/record_settings.h"
#include "app/session/time_range.h"
#include "engine/method/solve_record.h"
#include "engine/sim/signals.h"
#include "engine/sim/snapshot.h"
#include "render/camera.h"
#include "render/view_request.h"

namespace slip::app {

enum class Action : int;

enum class Compare : int { kSingle, kGhosts, kSplit2, kSplit4, kDifference, kCount };
/// What a picture shows: the whole window, one region filling it, or the view over plots and time
/// line.
enum class Only : int { kWindow, kView, kPlots, kViewPlots };
/// How expensive the picture may be: as the machine allows, or as the user chose.
enum class Preset : int { kAuto, kFast, kBalanced, kBest };
enum class LeftTab : int { kLesson, kParameters, kJoints, kInspect, kBranches };
enum class InspectTab : int { kContacts, kSolver, kBody, kCompare, kFeet };

inline constexpr int kPlotSlots = 3;

struct PlotSlot : PlotChoice {
  PlotState state;
  ImVec2 size{0, 0};  ///< as last drawn, pixels
  std::string title;  ///< as last drawn: values and differences have other ranges
  uint64_t run = 0;   ///< Snapshot::session that the axis was fitted in

  void Choose(const PlotChoice& choice) {
    const bool halo = state.halo, annotations = state.annotations;
    *this = PlotSlot{};
    PlotChoice::operator=(choice);
    state.halo = halo;
    state.annotations = annotations;
  }
};

/// The plot that has the keyboard (F4), and the series that the arrows walk along.
struct PlotFocus {
  bool on = false;
  int slot = 0;
  std::string series;  ///< its label
};

/// A file or a text that the user asked of a plot; made after the frame.
struct PlotExportRequest {
  PlotExport wanted = PlotExport::kNone;
  int slot = 0;
  int scale = 1;
  bool white = false;
};

/// A contact or body that the user pointed at; -1 = none.
struct Selection {
  int body = -1;
  ContactKey key = -1;
  int channel = -1;
};

/// A pull with the mouse spring: the button is down on a body, and then the mouse moves.
struct Pull {
  bool pressed = false;  ///< not yet moved: nothing is sent, so that a click changes nothing
  bool active = false;
  bool twist = false;  ///< turns the body instead
  bool waits = false;  ///< for the run to go on: until then it would only leave a mark
  int axis = -1;       ///< 0 to 2: only along, or about, x, y or z
  int body = -1;
  Vec3 p_BP = Vec3::Zero();
  Vec3 p_WA = Vec3::Zero();
  Vec3 p_WS = Vec3::Zero();  ///< anchor when the axis was locked
  Quat q_WA = Quat::Identity();
  Vec3 offset = Vec3::Zero();  ///< fan-out of the channel that was grabbed [m]
};

/// A handle of a robot's targets: one of its slides, all of them in the plane of the picture, or
/// the opening of its fingers.
struct HandlePart {
  static constexpr int kPlane = -1, kOpening = -2;
  int robot = -1;      ///< index into Model::robots; -1 = none
  int slide = kPlane;  ///< from the world on, or one of the above
  int side = 1;        ///< of the opening: +1 the leading finger's end, -1 the other's
  explicit operator bool() const { return robot >= 0; }
  bool Is(int of_robot, int of_slide) const { return robot == of_robot && slide == of_slide; }
};

/// The handle under the mouse, and the one that it drags.
struct TargetDrag {
  HandlePart hot, held;
  int pane = 0;                 ///< that it is dragged in
  Vec3 p_WS = Vec3::Zero();     ///< point that was grabbed, as drawn [m]
  std::vector<double> targets;  ///< as set then: of the slides, or of the opening [m]
  /// What was asked for in this frame, by path: the session has it only after the frame.
  std::vector<std::pair<std::string, double>> asked;
};

/// What the tab of joints shows.
struct JointsView {
  int channel = -1;    ///< whose joints; -1 = the lead's
  bool apart = false;  ///< a drag is for this channel alone
  int hovered = -1;    ///< link of the row under the mouse
  int clicked = -1;    ///< link that a row has selected
};

/// Answer to the "Why?" of a note; shown while the text is not empty.
struct Why {
  std::string title, text;
};

/// The note whose text is typed.
struct NoteEdit {
  uint64_t note = 0;  ///< 0 = none
  std::string text;
  bool opened = false;
};

/// The branch whose name is typed.
struct BranchEdit {
  int branch = -1;  ///< -1 = none
  std::string text;
  bool opened = false;
};

/// What the drag on the time line that is under way moves; else the time shown.
struct TimeDrag {
  bool selecting = false;  ///< a stretch
  uint64_t note = 0;       ///< opens this one when it ends
};

/// How the lead's robot stands, as last written on the legend.
struct SupportText {
  double written = -1;  ///< when [s]
  render::SupportReading reading;
};

/// What the tags over a robot say: of one foot the force, of all the sums [N].
struct TagNumbers {
  double foot = 0, normal = 0, friction = 0;
};
struct ModelTags {
  double written = -1;  ///< when [s]
  int foot = 0;         ///< index into Robot::feet
  bool column = false;  ///< at the border of the picture, not in a row over the robot
  std::array<TagNumbers, Snapshot::kMaxChannels> numbers;
};

/// The numbers of a solve, as last written.
struct SolverText {
  double written = -1;  ///< when [s]
  int channel = -1;
  int64_t step = 0;
  double time = 0;  ///< of the step [s]
  SolveSummary solve;
};

/// Longest stable time steps of channels as their contacts last touched.
struct StableSteps {
  uint64_t run = 0;                                    ///< Snapshot::session that they belong to
  std::array<double, Snapshot::kMaxChannels> limit{};  ///< [s]; 0 = not known
  std::array<MethodId, Snapshot::kMaxChannels> method{};
};

/// The card "Record" and the video that is being made.
struct RecordState {
  RecordSettings settings;
  bool open = false;   ///< the card
  std::string name;    ///< of the next video; empty = to be found
  bool asked = false;  ///< the engine is telling what was done
  bool quit_asked = false;
  bool quit_after = false;  ///< the window closes when the live video is whole
  int64_t frames = 0;       ///< of the video being made
  double fps = 60;
  double countdown = 3;  ///< before a live one begins [s]
};

struct UiState {
  // Saved.
  Theme theme = Theme::kDark;
  float user_scale = 1;
  bool presenter = false;
  bool drag_needs_ctrl = false;
  bool reduced_motion = false;
  bool show_left = true, show_right = true, show_plots = true;
  float left_width = 320, right_width = 360, plots_height = 236;  ///< design pixels
  LeftTab left_tab = LeftTab::kLesson;
  InspectTab inspect_tab = InspectTab::kContacts;
  Compare compare = Compare::kGhosts;
  render::ViewStyle view;
  Preset preset = Preset::kAuto;
  bool smooth_edges = true;  ///< on graphics cards, where there is one sample a pixel
  bool show_gap = true, show_labels = true, show_legend = true, show_info = true;
  double gap_magnification = 0;  ///< of the gap instrument, kept by a click; 0 = it chooses
  bool show_handles = true;      ///< of robots' targets
  bool show_mark_labels = true, contact_ticks = true;
  float along_opacity = 0.4f;  ///< of the curves of branches that are drawn along; 0 = hidden
  std::string last_scene;
  /// Views that were kept, by scene.
  std::map<std::string, std::array<std::optional<CameraSpec>, 3>> views;
  double mouse_frequency = 4;         ///< of the mouse spring [Hz]
  double mouse_limit = 10;            ///< its largest force over the body's weight
  bool was_paused = false;            ///< when the window was closed
  std::optional<CameraSpec> restore;  ///< its view of last_scene

  // Of this run.
  Theme presenter_theme = Theme::kLight;  ///< in presenter mode, in place of `theme`
  Theme& shown_theme() { return presenter ? presenter_theme : theme; }
  Theme shown_theme() const { return presenter ? presenter_theme : theme; }
  // it begins with the panels folded, for the picture and the plots, and leaves the others alone
  bool presenter_left = false, presenter_right = false;
  bool& shown_left() { return presenter ? presenter_left : show_left; }
  bool& shown_right() { return presenter ? presenter_right : show_right; }
  bool shown_left() const { return presenter ? presenter_left : show_left; }
  bool shown_right() const { return presenter ? presenter_right : show_right; }
  Only only = Only::kWindow;
  bool shows_machine = true;  ///< how fast it is; not in frames that are to be made again
  bool hide_all = false;
  Selection selection, hover;
  int hover_body = -1;   ///< under the mouse in a table; -1 = none
  int follow_body = -1;  ///< the camera goes along with it; -1 = as the scene asks
  int contacts_of = -1;  ///< body whose contacts the table lists; -1 = all
  Pull pull;
  TargetDrag target_drag;
  std::array<PlotSlot, kPlotSlots> plots;
  int plot_count = kPlotSlots;  ///< of them drawn; fewer in a picture that asks for fewer
  int plot_tab = 0;
  std::string plot_card;  ///< of the lesson, that chose plot_tab last
  TimeRange range;
  LinkedX linked_x;
  PlotFocus plot_focus;
  PlotExportRequest plot_export;
  bool follow_chosen = false;  ///< the x axis was switched from all to the newest part
  int solver_iteration = -1;
  double trace_asked = -1;    ///< when search lines were last asked for [s]
  bool trails_asked = false;  ///< the engine was told to send trails of feet
  SupportText support;
  ModelTags tags;
  SolverText solver;
  StableSteps stable_steps;
  bool scene_picker = false, palette = false, help = false, about = false, explain = false;
  bool readers = false;  ///< the table of parameters and methods is open
  bool teacher_notes = false, hint = false;
  bool list_messages = false;  ///< the list of messages is to be opened
  Why why;
  NoteEdit note_edit;
  BranchEdit branch_edit;
  bool high_time_line = false;  ///< there are other branches: they lie below its spine
  TimeDrag time_drag;
  JointsView joints;
  std::set<std::string> unfolded;  ///< groups of parameters that begin folded
  std::string param_search, scene_search, palette_search;
  int palette_row = 0;
  std::deque<Action> actions;  ///< asked for by keys, menus and buttons; done at the frame's start
  bool quit = false;
  bool full_screen = false;
  bool screenshot = false;
  double glow_started = -1;  ///< of the slider that a new lesson card names [s]
  int glow_card = -1;
  RecordState record;                         ///< its settings are saved
  std::vector<std::string> end_card;          ///< of a video, over everything; empty = not yet
  std::map<std::string, float> note_heights;  ///< what hung under each parameter row, pixels
};

}  // namespace slip::app
