// The card while what is shown is recorded: how long, how many frames, what is in the picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "app/panels/common/region.h"
#include "app/panels/record/record.h"
#include "app/session/live_recording.h"

namespace slip::app {
namespace {

constexpr float kLiveWidth = 344;         // the right panel's, not the picture's
constexpr float kLiveTop = 30 + 18 + 26;  // clock and two lines

/// The one red button of the program.
bool StopButton(const char* id, const char* label, const std::string& tip) {
  const float icon = MeasureText(icon::kStop, Role::kIconSmall).x;
  const float text = MeasureText(label, Role::kLabelStrong).x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(std::round(icon + Px(8) + text + Px(32)), Snap(32));
  const bool clicked = ImGui::InvisibleButton(id, size);
  const ImVec2 max(at.x + size.x, at.y + size.y);
  RegisterWidget(id, at, max, false, label);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, max, Color(Token::kErr, ImGui::IsItemHovered() ? 0.85f : 1), Px(4));
  // dark on the dark theme's light red, white on the light theme's dark one
  const Token ink = CurrentTheme() == Theme::kDark ? Token::kWell : Token::kRaised;
  const float x = at.x + Px(16);
  DrawText(list, ImVec2(x, at.y + (size.y - FontPx(Role::kIconSmall)) / 2), icon::kStop,
           Role::kIconSmall, Color(ink));
  DrawText(list, ImVec2(x + icon + Px(8), at.y + (size.y - FontPx(Role::kLabelStrong)) / 2), label,
           Role::kLabelStrong, Color(ink));
  Tooltip(tip);
  return clicked;
}

}  // namespace

float LiveCardWidth() { return std::min(Px(kLiveWidth), ImGui::GetIO().DisplaySize.x - Px(16)); }

void DrawInPicture(float width, bool begun, RecordSettings* settings, ViewState* view) {
  const bool live = settings->source == RecordSource::kLive;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(ImGui::GetWindowDrawList(), at, "In the picture", Role::kCaption, Color(Token::kText2));
  const auto place = [&](int column, int row) {
    const float x = at.x + static_cast<float>(column) * std::round(width / 2);
    ImGui::SetCursorScreenPos(ImVec2(x, at.y + Px(20 + 26 * static_cast<float>(row))));
  };
  const std::string window = begun ? "Of the window, too." : "As in the window, and of it, too.";
  place(0, 0);
  Toggle("record/in/clock", "clock and δt", &view->show_info, window);
  place(1, 0);
  Toggle("record/in/legend", "legend", &view->show_legend, window);
  place(0, 1);
  bool gauges = view->show_gap && view->show_labels;
  if (Toggle("record/in/gauges", "gauges and tags", &gauges, window))
    view->show_gap = view->show_labels = gauges;
  place(1, 1);
  Toggle("record/in/keys", "keys and clicks", &settings->keys,
         live ? "The last key, and a ring where the mouse is pressed."
              : "Only live: the history does not know them.",
         live);
  place(0, 2);
  Toggle("record/in/end", "command line at the end", &settings->end_card,
         "Two seconds: the scene, the command that repeats the run, the version.");
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(kInPictureHeight)));
}

void DrawLiveCard(const Videos& videos, ViewState* view, FrameMarks* marks, Requests* requests) {
  LiveRecording& live = *videos.live;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = LiveCardWidth(), inner = width - Px(32);
  const float height = Px(32 + kLiveTop + kInPictureHeight + 8 + 26 + 32);
  if (!BeginOverlay("record", ImVec2(display.x - width - Px(8), Px(68)), ImVec2(width, height),
                    ImGuiWindowFlags_NoFocusOnAppearing))
    return;
  marks->KeepOutOfVideo();
  marks->record_card = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool paused = live.phase() == LiveRecording::Phase::kPaused;
  float x = at.x;
  DrawText(list, ImVec2(x, at.y), paused ? icon::kPause : icon::kRecord, Role::kIcon,
           Color(Token::kErr));
  x += Px(24);
  x += DrawText(list, ImVec2(x, at.y - Px(1)), paused ? "Paused" : "Recording", Role::kTitle,
                Color(Token::kText)) +
       Px(12);
  const double seconds = std::max(live.time(), 0.0);
  const std::string clock =
      ClockText(seconds) + fmt::format(".{}", static_cast<int>(seconds * 10 + 1e-6) % 10);
  DrawText(list, ImVec2(x, at.y + (FontPx(Role::kTitle) - FontPx(Role::kClock)) / 2 - Px(1)), clock,
           Role::kClock, Color(Token::kText));
  ImGui::SetCursorScreenPos(ImVec2(at.x + inner - Px(28), at.y - Px(6)));
  const bool close = IconButton("record/close", icon::kClose, "Close; it goes on (Esc)", 28);
  const auto line = [&](const char* id, float y, const std::string& left,
                        const std::string& right) {
    const ImVec2 from(at.x, at.y + Px(y));
    const float end = MeasureText(right, Role::kTick).x;
    DrawText(list, from, left, Role::kTick, Color(Token::kText2));
    DrawText(list, ImVec2(from.x + inner - end, from.y), right, Role::kTick, Color(Token::kText3));
    RegisterWidget(id, from, ImVec2(from.x + inner, from.y + FontPx(Role::kTick)),
                   MeasureText(left, Role::kTick).x + end + Px(8) > inner, left);
  };
  line("record/form", 30, LiveFormText(live), {});
  line("record/facts", 30 + 18, LiveFacts(live), {});
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(kLiveTop)));
  DrawInPicture(inner, true, &videos.record.settings, view);
  const std::string name = live.path().substr(live.path().rfind('/') + 1);
  line("record/file", kLiveTop + kInPictureHeight + 4,
       EllipsizeMiddle(name, Role::kTick, inner - Px(72)), SizeText(live.bytes()));
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(kLiveTop + kInPictureHeight + 8 + 26)));
  const std::string key = requests->keys().Label(Action::kRecord);
  if (live.counting()) {
    if (StopButton("record/stop", "Break off", "Nothing is recorded (" + key + ")"))
      requests->Do(Action::kRecord);
  } else {
    if (StopButton("record/stop", "Stop", "The video ends here (" + key + ")"))
      requests->Do(Action::kRecord);
    ImGui::SameLine(0, Px(8));
    if (TextButton("record/pause", paused ? "Resume" : "Pause",
                   paused ? icon::kRecord : icon::kPause, false, 0, true,
                   "The time until it goes on is not in the video."))
      paused ? live.Resume() : live.Pause();
  }
  EndOverlay();
  if (close) videos.record.open = false;
}

}  // namespace slip::app
