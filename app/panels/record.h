// Videos of what was done.
#pragma once

#include "app/session/render_spec.h"
#include "app/view/ui.h"

namespace slip::app {

/// How a video shows what this window shows: camera, models, curves, toggles (recorded_look.cpp).
RenderSpec LookOf(const Ui& ui);
/// The same, taken over. After SetUpScene.
void ApplyLook(const RenderSpec& look, Ui* ui);
/// What the settings of the card ask for, now.
Stretch StretchOf(const Ui& ui);
RenderSpec RecordedSpec(const Ui& ui);
/// Why no video can be begun now; null when it can.
const char* WhyNotRecorded(const Ui& ui);
void StartRecording(Ui* ui);
/// Follows the one that is being made; says how it ended. Once per frame.
void UpdateRecording(Ui* ui);
void CancelRecording(Ui* ui);
/// Asks, the first time, whether a video that is being made shall be lost.
bool KeepsFromQuitting(Ui* ui);

}  // namespace slip::app
