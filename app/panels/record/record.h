// Videos of what was done: the card, the signs that one is being made, and what it would be made
// of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/live_recording.h"
#include "app/session/recording_job.h"
#include "app/session/render_spec.h"
#include "app/session/time_range.h"
#include "app/state/frame_marks.h"
#include "app/state/record_state.h"
#include "app/state/requests.h"
#include "app/state/view_state.h"

namespace slip::app {

/// What a video can be made of now.
struct RecordSources {
  const Session& session;
  const Regions& regions;
  const TimeRange& selected;  ///< on the time line
  double scale = 1;           ///< of the interface
};

/// The card, and the videos that are being made; null where there is none.
struct Videos {
  RecordState& record;
  LiveRecording* live = nullptr;
  RecordingJob* job = nullptr;
};

// What the settings of the card ask for, now (record_plan.cpp).
Stretch StretchOf(const RecordSources& sources, const RecordSettings& settings);
ShownFrame ShownNow(const RecordSources& sources, const RecordSettings& settings);
/// `look`: how it shows what this window shows; size, rate and stretch do not depend on it.
RenderSpec RecordedSpec(const RecordSources& sources, const RecordSettings& settings,
                        const RenderSpec& look);
/// Part of the window that a region of RenderSpec is [px].
Rect RecordedRect(const Regions& regions, const std::string& region);
/// Why no video can be begun now; null when it can.
const char* WhyNotRecorded(const RecordSources& sources, const Videos& videos);

// Words.
/// Counting down, recording or paused.
bool RecordsLive(const LiveRecording* live);
std::string ClockText(double seconds);                ///< "0:07"
std::string SizeText(uintmax_t bytes);                ///< "5.8 MB"
std::string LiveFacts(const LiveRecording& live);     ///< "426 frames, 3 repeated"
std::string LiveFormText(const LiveRecording& live);  ///< "View, 1920 × 1080, 60 fps"

// Drawing.
/// What is made a video, and how. Sets RecordState::start where it is to begin.
void DrawRecordCard(const RecordSources& sources, const Videos& videos, ViewState* view,
                    FrameMarks* marks, Requests* requests);
float LiveCardWidth();  ///< of the next one, at the right border of the window [px]
/// The card while what is shown is recorded.
void DrawLiveCard(const Videos& videos, ViewState* view, FrameMarks* marks, Requests* requests);
/// Which parts of the picture are in the video, in two columns; `begun`: it is being recorded.
void DrawInPicture(float width, bool begun, RecordSettings* settings, ViewState* view);
inline constexpr float kInPictureHeight = 22 + 3 * 26 + 6;  ///< of that [design px]
/// The ring round what is recorded, its tag and the countdown.
void DrawRecordingSigns(const Regions& regions, const Videos& videos, FrameMarks* marks,
                        Requests* requests);
/// The clock in the tool bar, which stops; from `right` [px] to the left. Its width.
float RecordButtonWidth(const LiveRecording* live);
void DrawRecordButton(bool card_open, const LiveRecording* live, FrameMarks* marks,
                      Requests* requests);
/// The last card of a video; three lines.
void DrawEndCard(ImDrawList* list, const Rect& rect, const std::vector<std::string>& lines);

}  // namespace slip::app
