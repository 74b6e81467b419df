// Videos of what was done.
#pragma once

#include <string>
#include <vector>

#include "app/session/render_spec.h"
#include "app/view/ui.h"

namespace slip::app {

/// How a video shows what this window shows: camera, models, curves, toggles (recorded_look.cpp).
RenderSpec LookOf(const Ui& ui);
/// The same, taken over. After SetUpScene.
void ApplyLook(const RenderSpec& look, Ui* ui);
/// One of QualityNames() to the picture.
void ApplyQuality(const std::string& quality, render::ViewStyle* view);

/// What the settings of the card ask for, now.
Stretch StretchOf(const Ui& ui);
ShownFrame ShownNow(const Ui& ui);
RenderSpec RecordedSpec(const Ui& ui);
/// Part of the window that a region of RenderSpec is [px].
Rect RecordedRect(const Ui& ui, const std::string& region);
/// Why no video can be begun now; null when it can.
const char* WhyNotRecorded(const Ui& ui);
/// The key: opens the card, then begins, then stops what is recorded live.
void RecordKey(Ui* ui);
void StartRecording(Ui* ui);
/// Follows the one that is being made; says how it ended. Once per frame.
void UpdateRecording(Ui* ui);
void CancelRecording(Ui* ui);
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
std::string SizeText(uintmax_t bytes);  ///< "5.8 MB"

// Live (record_live.cpp).
void StartLive(Ui* ui);
void StopLive(Ui* ui);  ///< a countdown is broken off
void PauseLive(Ui* ui, bool pause);
void UpdateLive(Ui* ui);
/// Counting down, recording or paused.
bool RecordsLive(const Ui& ui);
bool EchoesKeys(const Ui& ui);           ///< for those who watch
std::string ClockText(double seconds);   ///< "0:07"
std::string LiveFacts(const Ui& ui);     ///< "426 frames, 3 repeated"
std::string LiveFormText(const Ui& ui);  ///< "View, 1920 × 1080, 60 fps"

// Drawing.
/// The ring round what is recorded, its tag and the countdown.
void DrawRecordingSigns(Ui* ui);
/// The clock in the tool bar, which stops; from `right` [px] to the left. Its width.
float RecordButtonWidth(const Ui& ui);
void DrawRecordButton(Ui* ui);
/// The card while what is shown is recorded.
void DrawLiveCard(Ui* ui);
/// Which parts of the picture are in the video, in two columns; `begun`: it is being recorded.
void DrawInPicture(Ui* ui, float width, bool begun);
inline constexpr float kInPictureHeight = 22 + 3 * 26 + 6;  ///< of that [design px]
/// The last card of a video; three lines.
void DrawEndCard(ImDrawList* list, const Rect& rect, const std::vector<std::string>& lines);

}  // namespace slip::app
