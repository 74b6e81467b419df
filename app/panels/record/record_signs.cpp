// What says that the picture is being recorded: ring, tag, countdown and the clock of the tool bar,
// none of them in the video; and the card at its end, which only the video has.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"
#include "app/panels/record/record.h"
#include "app/session/live_recording.h"

namespace slip::app {
namespace {

using Phase = LiveRecording::Phase;

constexpr float kTagHeight = 32, kTagMargin = 12, kClockWidth = 76;
constexpr ImGuiWindowFlags kSign =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBackground;

/// A window without anything of its own, over the panels.
void BeginSign(const char* id, const Rect& rect, ImGuiWindowFlags flags) {
  ImGui::SetNextWindowPos(rect.min);
  ImGui::SetNextWindowSize(ImVec2(rect.width(), rect.height()));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::Begin(id, nullptr, kSign | flags);
  ImGui::PopStyleVar(2);
}

void Ring(const Regions& regions, const LiveRecording& live, FrameMarks* marks) {
  const Rect rect = RecordedRect(regions, live.region());
  BeginSign("record/ring", rect, ImGuiWindowFlags_NoInputs);
  marks->KeepOutOfVideo();
  const float half = Snap(2) / 2 - 0.5f;  // ImGui adds half a pixel
  const float alpha = live.phase() == Phase::kPaused ? 0.5f : 1;
  ImGui::GetWindowDrawList()->AddRect(ImVec2(rect.min.x + half, rect.min.y + half),
                                      ImVec2(rect.max.x - half, rect.max.y - half),
                                      Color(Token::kErr, alpha), 0, 0, Snap(2));
  RegisterWidget("record/ring", rect.min, rect.max);
  ImGui::End();
}

/// In the upper right corner of the picture, which every region holds; left of what is there.
ImVec2 TagPlace(const Rect& view, const FrameMarks& marks, ImVec2 size) {
  const ImVec2 corner(view.max.x - Px(kTagMargin) - size.x, view.min.y + Px(kTagMargin));
  ImVec2 at = corner;
  for (std::size_t tries = 0; tries <= marks.overlays.size(); ++tries) {
    const auto taken =
        std::find_if(marks.overlays.begin(), marks.overlays.end(), [&](const Rect& r) {
          return r.min.x < at.x + size.x && r.max.x > at.x && r.min.y < at.y + size.y &&
                 r.max.y > at.y;
        });
    if (taken == marks.overlays.end()) return at;
    at.x = taken->min.x - Px(8) - size.x;
    if (at.x < view.min.x) break;
  }
  return UnderOverlays(marks, corner, size);
}

/// True when it was clicked.
bool Tag(const Rect& view, const LiveRecording& live, const KeyMap& keys, FrameMarks* marks) {
  const bool counts = live.counting(), paused = live.phase() == Phase::kPaused;
  const std::string word = counts ? "Recording in" : paused ? "Paused" : "Recording";
  const std::string number =
      counts ? std::to_string(static_cast<int>(std::ceil(std::max(live.countdown(), 0.001))))
             : ClockText(live.time());
  const Role role = counts ? Role::kClock : Role::kValueStrong;
  const float icon = MeasureText(icon::kRecord, Role::kIconSmall).x;
  const float words = MeasureText(word, Role::kLabelStrong).x;
  const float width =
      std::round(Px(12) + icon + Px(8) + words + Px(8) + MeasureText(number, role).x + Px(12));
  const ImVec2 size(width, Px(kTagHeight));
  const ImVec2 at = TagPlace(view, *marks, size);
  const Rect rect{at, ImVec2(at.x + size.x, at.y + size.y)};
  BeginSign("record/tag", rect, 0);
  marks->KeepOutOfVideo();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(rect.min, rect.max, Color(Token::kRaised), Px(6));
  list->AddRect(rect.min, rect.max, Color(Token::kErr), Px(6), 0, Snap(1));
  const auto y = [&](Role r) { return rect.min.y + (size.y - FontPx(r)) / 2; };
  float x = rect.min.x + Px(12);
  DrawText(list, ImVec2(x, y(Role::kIconSmall)), paused ? icon::kPause : icon::kRecord,
           Role::kIconSmall, Color(Token::kErr));
  x += icon + Px(8);
  DrawText(list, ImVec2(x, y(Role::kLabelStrong)), word, Role::kLabelStrong, Color(Token::kText));
  x += words + Px(8);
  DrawText(list, ImVec2(x, y(role)), number, role, Color(Token::kText));
  RegisterWidget("record/tag", rect.min, rect.max, false, word + " " + number);
  const bool clicked = ImGui::InvisibleButton("tag", size);
  Tooltip("Pause, stop and what is in the picture. " + keys.Label(Action::kRecord) +
          (counts ? " breaks it off." : " stops."));
  ImGui::End();
  return clicked;
}

}  // namespace

void DrawRecordingSigns(const Regions& regions, const Videos& videos, FrameMarks* marks,
                        Requests* requests) {
  const LiveRecording* live = videos.live;
  if (!videos.record.end_card.empty()) {
    const Rect all{ImVec2(0, 0), ImGui::GetIO().DisplaySize};
    DrawEndCard(ImGui::GetForegroundDrawList(), all, videos.record.end_card);
  }
  if (live == nullptr) return;
  if (live->phase() == Phase::kEndCard) {
    const Rect rect = RecordedRect(regions, live->region());
    BeginSign("record/end", rect, ImGuiWindowFlags_NoInputs);
    marks->video_only.push_back(ImGui::GetWindowDrawList());
    DrawEndCard(ImGui::GetWindowDrawList(), rect, live->end_card());
    ImGui::End();
  }
  if (!RecordsLive(live)) return;
  Ring(regions, *live, marks);
  // beside the open card
  Rect view = regions.view;
  if (videos.record.open)
    view.max.x = std::min(view.max.x, ImGui::GetIO().DisplaySize.x - LiveCardWidth() - Px(8));
  if (!view.empty() && Tag(view, *live, requests->keys(), marks)) videos.record.open = true;
}

float RecordButtonWidth(const LiveRecording* live) {
  return RecordsLive(live) ? Px(kClockWidth) : Snap(32);
}

void DrawRecordButton(bool card_open, const LiveRecording* running, FrameMarks* marks,
                      Requests* requests) {
  if (!RecordsLive(running)) {
    const char* tip = running != nullptr ? "The video is being written" : "Record a video";
    if (IconButton("toolbar/record", icon::kRecord,
                   fmt::format("{} ({})", tip, requests->keys().Label(Action::kRecord)), 32,
                   running == nullptr, card_open))
      requests->Do(Action::kRecord);
    return;
  }
  const LiveRecording& live = *running;
  const ImVec2 at = ImGui::GetCursorScreenPos(), size(Px(kClockWidth), Snap(32));
  // a child has a picture of its own, which the video can go without
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("record", size, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  marks->KeepOutOfVideo();
  const bool clicked = ImGui::InvisibleButton("clock", size);
  const ImVec2 max(at.x + size.x, at.y + size.y);
  const std::string text = live.counting() ? "0:00" : ClockText(live.time());
  RegisterWidget("toolbar/record", at, max, false, text);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool hovered = ImGui::IsItemHovered();
  list->AddRectFilled(at, max, Color(Token::kErr, hovered ? 0.3f : 0.16f), Px(4));
  list->AddRect(at, max, Color(Token::kErr), Px(4), 0, Snap(1));
  const char* sign = hovered                          ? icon::kStop
                     : live.phase() == Phase::kPaused ? icon::kPause
                                                      : icon::kRecord;
  const float icon = MeasureText(icon::kRecord, Role::kIconSmall).x;
  const float words = MeasureText(text, Role::kValueStrong).x;
  const float x = at.x + (size.x - icon - Px(8) - words) / 2;
  DrawText(list, ImVec2(x, at.y + (size.y - FontPx(Role::kIconSmall)) / 2), sign, Role::kIconSmall,
           Color(Token::kErr));
  DrawText(list, ImVec2(x + icon + Px(8), at.y + (size.y - FontPx(Role::kValueStrong)) / 2), text,
           Role::kValueStrong, Color(Token::kText));
  Tooltip("Stop (" + requests->keys().Label(Action::kRecord) + ")");
  ImGui::EndChild();
  if (clicked) requests->Do(Action::kRecord);
}

void DrawEndCard(ImDrawList* list, const Rect& rect, const std::vector<std::string>& lines) {
  list->AddRectFilled(rect.min, rect.max, Color(Token::kApp));
  const float width = std::min(rect.width() - 2 * Px(32), Px(760));
  static constexpr Role kRoles[] = {Role::kLessonTitle, Role::kValue, Role::kCaption};
  static constexpr Token kColours[] = {Token::kText, Token::kText, Token::kText2};
  struct Line {
    std::string text;
    Role role;
    Token colour;
    float gap;  ///< under it
  };
  std::vector<Line> rows;
  float height = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t kind = std::min<std::size_t>(i, 2);
    for (std::string& row : WrapText(lines[i], kRoles[kind], width))
      rows.push_back({std::move(row), kRoles[kind], kColours[kind], Px(4)});
    if (!rows.empty()) rows.back().gap = Px(20);
  }
  for (const Line& row : rows) height += FontPx(row.role) + row.gap;
  float y = std::round((rect.min.y + rect.max.y - height) / 2);
  const float x = std::round((rect.min.x + rect.max.x - width) / 2);
  for (const Line& row : rows) {
    DrawText(list, ImVec2(x, y), row.text, row.role, Color(row.colour));
    y += FontPx(row.role) + row.gap;
  }
  RegisterWidget("record/end", rect.min, rect.max, height > rect.height(),
                 lines.size() > 1 ? lines[1] : std::string());
}

}  // namespace slip::app
