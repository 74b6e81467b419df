// The visible window (GLFW) and its twin without a screen (EGL). Both draw the same Ui.
#pragma once

#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/frame/ui.h"
#include "app/host/feed_input.h"
#include "app/host/live_painter.h"
#include "app/host/settings.h"
#include "app/kit/kit.h"
#include "app/session/engine_link.h"
#include "app/session/plan_scene.h"
#include "app/session/render_spec.h"
#include "app/session/session.h"
#include "engine/core/stop.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/study/run_plan.h"
#include "render/gl/gl.h"
#include "render/video/frame_writer.h"

namespace slip::render {
class OffscreenContext;
}

namespace slip::app {

/// How the user interface starts.
struct UiSetup {
  std::shared_ptr<const Scene> scene;  ///< null = the last session's, or the first lesson
  std::vector<TimedChange> changes;    ///< parameter changes to come, sorted by time
  std::shared_ptr<const std::vector<RecordedPath>> paths;  ///< what a recording did to the channels
  std::shared_ptr<std::vector<Track>> tracks;  ///< the channels of `scene`, where they stand
  std::string experiment;                      ///< a file that is run again and then shown
  std::string study;                           ///< a file whose place is shown first
  ForeignRequest foreign;                      ///< recorded runs beside the channels
  RunContext context;
  std::optional<Theme> theme;
  double scale = 0;  ///< 0 = the monitor's, or 1 off-screen
  bool paused = false;
  bool staged = false;  ///< the scene's speed and loop count; always in the visible window
  int64_t frames = 0;   ///< leave after this many; no settings are read or saved
  Only only = Only::kWindow;
  bool shows_machine = true;       ///< what is measured of the machine, such as times of steps
  std::vector<PlotChoice> plots;   ///< these, and no others, in place of the scene's
  std::optional<RenderSpec> look;  ///< camera, toggles and models shown, as it says
  StopPoll stop;  ///< off-screen, ends a step on the way; empty = SIGINT and the like do
};

/// The visible window, until the user quits; the exit code of the program.
int RunUi(const UiSetup& setup);

/// The scene that opens when none is named.
Result<std::shared_ptr<const Scene>> FirstScene();

/// Size of a new window: `saved`, or else 1600 x 900 points of `scale` each; at most `room`, the
/// part of the screen that is free for windows. Pixels; room 0 = not known.
WindowSize FirstSize(const WindowSize& saved, double scale, const WindowSize& room);

/// ImGui's context with our settings: no .ini, no keyboard navigation, our fonts.
std::unique_ptr<Kit> StartImGui();
/// Clears the bound framebuffer to the colour of panels, which they do not paint again.
void ClearFrame();
/// How well the picture of the next frame is drawn; `now` on any clock [s].
void ApplyQuality(Ui* ui, double now);
/// Rebuilds fonts and style when theme or scale changed. Between frames only.
void ApplyTheme(Ui* ui);

/// The window without a screen: simulated time moves only by Frame(seconds).
class OffscreenUi {
 public:
  static Result<std::unique_ptr<OffscreenUi>> Create(const UiSetup& setup, int width, int height);
  ~OffscreenUi();
  OffscreenUi(const OffscreenUi&) = delete;
  OffscreenUi& operator=(const OffscreenUi&) = delete;

  /// Lets `seconds` of simulation pass without a picture.
  void Skip(double seconds);
  /// Runs to this time [s] without a picture.
  void SkipTo(double time);
  /// Runs to this time [s], then lays out one frame; `seconds` pass on the session's clock.
  void FrameAt(double time, double seconds);
  /// Lets `seconds` pass, then lays out one frame. Its pixels are made when they are read.
  void Frame(double seconds);
  void Resize(int width, int height);
  render::Image Read() const;  ///< of the last frame
  render::Image Read(const Rect& rect) const;
  /// Pixels of the frame that was given to this before; empty the first time. Those of the last
  /// frame are made meanwhile, where a processor draws them on other threads.
  render::Image ReadBefore();
  Ui& ui() { return *ui_; }
  Session& session() { return *session_; }

  // Input of the next frame, in pixels; one change per frame, as a person would.
  void MoveMouse(ImVec2 position) { mouse_ = position; }
  void SetButton(int button, bool down) { buttons_[button] = down; }
  void Wheel(float notches) { wheel_ = notches; }
  /// As it comes from a keyboard and a mouse: any number of them between two frames.
  void Send(const InputEvent& event) { feed_.Push(event); }
  /// Held until the next call.
  void Modifiers(bool ctrl, bool shift) { ctrl_ = ctrl, shift_ = shift; }
  void Type(const std::string& text) { typed_ = text; }
  /// Move, press, release: three frames of 1/60 s each without simulated time.
  void Click(ImVec2 position, int button = 0);
  /// By the name in the widget registry; false when there is none.
  bool Click(const std::string& widget, int button = 0);
  void Drag(ImVec2 from, ImVec2 to);

 private:
  OffscreenUi() = default;
  void MakeTarget(int width, int height);
  void LayOut(double dt);
  void Paint() const;

  std::unique_ptr<render::OffscreenContext> context_;
  SteppedLink* link_ = nullptr;  ///< owned by the session
  std::unique_ptr<Session> session_;
  std::unique_ptr<Kit> kit_;
  std::unique_ptr<Ui> ui_;
  render::ColourTarget target_, before_;
  bool has_before_ = false;
  int width_ = 0, height_ = 0;
  mutable LivePainter painter_;
  mutable bool painted_ = true;  ///< no frame waits for its pixels
  double now_ = 0;
  double skipped_ = 0;  ///< since the last drawn frame [s]
  ImVec2 mouse_{-1000, -1000};
  bool buttons_[3] = {};
  bool ctrl_ = false, shift_ = false;
  float wheel_ = 0;
  std::string typed_;
  InputFeed feed_;
};

}  // namespace slip::app
