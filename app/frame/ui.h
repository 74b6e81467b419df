// The window's inside, drawn by one function. The visible window, off-screen pictures and the tests
// use the same path.
#pragma once

#include <imgui.h>

#include "app/frame/input.h"
#include "app/panels/record.h"
#include "app/view/ui.h"

namespace slip::app {

/// The largest scale at which picture, panels and plots have room beside each other in a window of
/// that size [px]; a window is never drawn smaller than at 1.
float MostScale(ImVec2 window);
Regions ArrangeRegions(ImVec2 size, const UiState& state);
/// Between ImGui::NewFrame and ImGui::Render.
void DrawUi(Ui* ui, ImVec2 size, double dt);
/// Takes the camera along with the first body where the scene asks for it. Once per frame.
void FollowBody(Ui* ui);
/// Keeps the lead in the picture when channels are no longer fanned out beside it. Once per frame.
void FrameComparison(Ui* ui);
/// Moves on towards where the bodies are. Of a pile nothing is followed. Once per frame, after the
/// regions are arranged; `dt` is the time since the last one [s].
void UpdateKeepInView(Ui* ui, double dt);
/// Camera, plots and toggles of a newly loaded scene.
void SetUpScene(Ui* ui);
/// Experiment file and command lines (experiment_actions.cpp). The copies come when the engine has
/// told what was done.
void SaveExperiment(Ui* ui);
void CopyRunCommand(Ui* ui);
void CopyRenderCommand(Ui* ui);

}  // namespace slip::app
