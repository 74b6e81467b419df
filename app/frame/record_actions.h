// Videos of what was done: begun, followed and ended.
#pragma once

#include <string>
#include <vector>

#include "app/frame/ui.h"
#include "app/panels/record/record.h"
#include "app/session/render_spec.h"

namespace slip::app {

/// How a video shows what this window shows: camera, models, curves, toggles (recorded_look.cpp).
RenderSpec LookOf(const Ui& ui);
/// The same, taken over. After SetUpScene.
void ApplyLook(const RenderSpec& look, Ui* ui);
/// Turns switches of pictures on by their names, and off with "no_" before them.
Status SwitchBy(const std::vector<std::string>& names, UiState* state);
/// One of QualityNames() to the picture.
void ApplyQuality(const std::string& quality, render::ViewStyle* view);

RecordSources SourcesOf(const Ui& ui);
Videos VideosOf(Ui* ui);
/// The key: opens the card, then begins, then stops what is recorded live.
void RecordKey(Ui* ui);
void StartRecording(Ui* ui);
/// Follows the one that is being made; says how it ended. Once per frame.
void UpdateRecording(Ui* ui);
/// Asks, the first time, whether a video that is being made shall be lost. One that is recorded
/// live is ended first.
bool KeepsFromQuitting(Ui* ui);

// Parts of these.
/// Where the next one goes; an error when there is no folder.
Result<std::string> TakeRecordPath(Ui* ui);
/// Lines of the card at the end of the video.
std::vector<std::string> EndCardOf(const Ui& ui, const Recording& recording,
                                   const std::string& path);
void PostRecorded(Ui* ui, const std::string& path, const std::string& facts);
void PostNotRecorded(Ui* ui, const std::string& why);

// Live (record_live.cpp).
void StartLive(Ui* ui);
void StopLive(Ui* ui);  ///< a countdown is broken off
void UpdateLive(Ui* ui);
bool EchoesKeys(const Ui& ui);  ///< for those who watch

}  // namespace slip::app
