// The window's inside: the session, what the window remembers, the camera, and what was drawn in
// this frame; drawn by one function. The visible window, off-screen pictures and the tests use the
// same path. Panels know nothing of it: each gets its own part.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <memory>
#include <string>

#include "app/panels/bars/action_states.h"
#include "app/plots/plot_sources.h"
#include "app/session/live_recording.h"
#include "app/session/recording_job.h"
#include "app/session/session.h"
#include "app/state/actions.h"
#include "app/state/frame_marks.h"
#include "app/state/key_echo.h"
#include "app/state/machine.h"
#include "app/state/requests.h"
#include "app/state/ui_state.h"
#include "app/view/camera_rig.h"
#include "app/view/quality.h"
#include "app/view/thumbnails.h"
#include "app/view/view_panes.h"

namespace slip::app {

struct Ui {
  explicit Ui(Session* the_session);
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  const Session& session;
  KeyMap keys;
  std::string keys_file;  ///< where those of the user are read from; empty = nowhere
  Requests requests;
  UiState state;
  Regions regions;
  CameraRig rig;
  ViewPanes panes;
  Thumbnails thumbnails;
  QualityGovernor quality;
  FrameMarks marks;
  KeyEcho echo;
  PlotSources sources;
  const Scene* scene_set_up = nullptr;  ///< whose camera and plots are set up
  Machine machine;
  double content_scale = 1;                 ///< of the monitor
  float most_scale = 1e3f;                  ///< MostScale of the window
  std::unique_ptr<RecordingJob> recording;  ///< null when no video is being made
  std::string program = "/proc/self/exe";   ///< that renders videos: this one
  std::unique_ptr<LiveRecording> live;      ///< null when what is shown is not recorded

  /// Which actions are on, and which cannot be done now.
  WindowActions actions() const { return {session, state, machine}; }
  /// What was asked for, as far as the window has room for it.
  float scale() const { return std::min(asked_scale(), most_scale); }
  float asked_scale() const {
    const double presenter = state.shell.presenter ? 1.6 : 1.0;
    return static_cast<float>(content_scale * presenter) * state.shell.user_scale;
  }
};

/// The largest scale at which picture, panels and plots have room beside each other in a window of
/// that size [px]; a window is never drawn smaller than at 1.
float MostScale(ImVec2 window);
Regions ArrangeRegions(ImVec2 size, const UiState& state);
/// Between ImGui::NewFrame and ImGui::Render.
void DrawUi(Ui* ui, ImVec2 size, double dt);
/// What DrawUi draws: the regions, and what lies over them.
void DrawPanels(Ui* ui);
void DrawOverPanels(Ui* ui);
/// Opens the studies in place of the scene, which rests until they are left. Once per frame.
void PlaceStudies(Ui* ui);
/// What a plot's menu asked for. After a frame, with its GL context current.
void FinishPlotExport(Ui* ui);
/// Takes the camera along with the first body where the scene asks for it. Once per frame.
void FollowBody(Ui* ui);
/// Keeps the lead in the picture when channels are no longer fanned out beside it. Once per frame.
void FrameComparison(Ui* ui);
/// Moves on towards where the bodies are. Of a pile nothing is followed. Once per frame, after the
/// regions are arranged; `dt` is the time since the last one [s].
void UpdateKeepInView(Ui* ui, double dt);
/// Flies to a link that a list asks to be seen.
void ShowAskedLink(Ui* ui);
/// Camera, plots and toggles of a newly loaded scene.
void SetUpScene(Ui* ui);
/// Experiment file and command lines (experiment_actions.cpp). The copies come when the engine has
/// sent what was done.
void SaveExperiment(Ui* ui);
void SaveSceneFile(Ui* ui);
void CopyRunCommand(Ui* ui);
void CopyRenderCommand(Ui* ui);

}  // namespace slip::app
