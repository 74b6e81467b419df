// What the panels see: the session, which they only read; what they may ask of it; what the window
// remembers, the camera, and what was drawn in this frame. DrawUi (frame) draws it; the visible
// window, off-screen pictures and the tests use the same path.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/plots/contact_curves.h"
#include "app/plots/difference.h"
#include "app/plots/foretold.h"
#include "app/session/session.h"
#include "app/state/actions.h"
#include "app/state/contact_rows.h"
#include "app/state/requests.h"
#include "app/state/ui_state.h"
#include "app/view/keep_in_view.h"
#include "app/view/quality.h"
#include "app/view/thumbnails.h"
#include "app/view/view_panes.h"
#include "render/camera.h"

namespace slip::app {

struct Rect {
  ImVec2 min{0, 0}, max{0, 0};
  float width() const { return max.x - min.x; }
  float height() const { return max.y - min.y; }
  bool empty() const { return width() < 1 || height() < 1; }
};

/// Where the regions are, in pixels; an empty one is not drawn.
struct Regions {
  Rect menu, tools, left, view, plots, right, time, status;
  bool narrow = false;  ///< no room for the right panel: it is a third tab of the left one
  bool low = false;     ///< no room for three plots side by side: one, with tabs
};

/// Where the card of a message is, and what it was put there for.
struct MessageCard {
  bool drawn = false;   ///< in this frame
  bool listed = false;  ///< the list of messages is open and says it
  std::string subject;
  ImVec2 offset{0, 0};  ///< from the corner of the view [px]
  ImVec2 size{0, 0}, view{0, 0};
};

/// The presenter's last keys and click, for those who watch.
struct KeyEcho {
  std::string keys;       ///< "Ctrl+R"
  int times = 1;          ///< so often in a row
  double pressed = -1e9;  ///< on the session's clock [s]
  ImVec2 mouse{0, 0};     ///< where it was pressed
  double clicked = -1e9;  ///< likewise
};

/// A note on the time line, as drawn in the last frame.
struct NotePlace {
  uint64_t note = 0;
  Rect rect;
};

struct SceneEntry {
  std::string id, file, title, story;
  std::vector<std::string> tags;
  std::string error;  ///< the file cannot be read
  bool lesson = false;
  int number = 0;  ///< of the lesson, 0 = none
};

class LiveRecording;
class RecordingJob;

struct Ui {
  explicit Ui(Session* the_session);
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  const Session& session;
  Requests requests;  ///< for changes of the session
  UiState state;
  KeyMap keys;
  std::string keys_file;  ///< where those of the user are read from; empty = nowhere
  Regions regions;
  render::Camera camera;
  Compare framed = Compare::kSingle;  ///< what the camera has been placed for
  Vec3 unfanned = Vec3::Zero();   ///< taken off the target where channels are not fanned out [m]
  Vec3 travelled = Vec3::Zero();  ///< how far the camera has followed a body [m]
  int followed = -1;              ///< the body that it follows
  KeepInView keep_in_view;
  ViewPanes panes;
  Thumbnails thumbnails;
  QualityGovernor quality;
  ContactRows contact_rows;
  std::vector<Rect> overlays;  ///< readouts and legends over the picture, of this frame
  MessageCard card;
  KeyEcho echo;
  std::vector<NotePlace> notes;
  DifferenceStore differences;     ///< curves of models minus the lead
  ForetoldForces foretold;         ///< while the run stands
  ContactCurves contact_curves;    ///< of plots of one contact
  std::vector<SceneEntry> scenes;  ///< filled when the picker opens for the first time
  uint64_t scene_shown = 0;        ///< generation whose camera and plots are set up
  const Scene* scene_set_up = nullptr;
  double fps = 0;
  double content_scale = 1;  ///< of the monitor
  float most_scale = 1e3f;   ///< MostScale of the window
  std::string gl_renderer;
  bool software_gl = false;
  std::unique_ptr<RecordingJob> recording;  ///< null when no video is being made
  std::string program = "/proc/self/exe";   ///< that renders videos: this one
  std::unique_ptr<LiveRecording> live;      ///< null when what is shown is not recorded
  /// Of this frame, what a live video has not, and what it has alone.
  std::vector<const ImDrawList*> window_only, video_only;
  const ImDrawList* record_card = nullptr;  ///< what opens over it is not in the video either
  std::string clipboard_note;               ///< shown in the status bar after a copy

  ChannelStyle style(int channel) const;
  /// The same where another model made its steps.
  ChannelStyle style(int channel, MethodId model) const;
  /// Of a channel's mark: that of its model of then, of a switch of the new one.
  ChannelStyle MarkStyle(const TimeMark& mark) const;
  /// Of the model; a second channel of the same one is "Lagged 2".
  std::string ChannelName(int channel) const;
  /// How far the camera stands from where the scene's own view, or one that is kept, has it [m].
  Vec3 moved() const { return travelled - unfanned; }
  /// What was asked for, as far as the window has room for it.
  float scale() const { return std::min(asked_scale(), most_scale); }
  float asked_scale() const {
    const double presenter = state.presenter ? 1.6 : 1.0;
    return static_cast<float>(content_scale * presenter) * state.user_scale;
  }
};

/// What is drawn in the present ImGui window or child is in no live video.
void KeepOutOfVideo(Ui* ui);
/// Asks for an action: it is done at the start of the next frame.
void Queue(Ui* ui, Action action);
/// To the clipboard; says that `what` is there.
void CopyText(Ui* ui, const std::string& text, const std::string& what);
/// The scene's own view, at the place that a followed body has reached.
CameraSpec HomeView(const Ui& ui);
/// Takes over a view that was kept: one of the user's own stays as it is, whatever travels.
void SetView(Ui* ui, const CameraSpec& view);

}  // namespace slip::app
