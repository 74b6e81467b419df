// Status bar: what the machine does, in one line.
#include <fmt/format.h>

#include <cmath>

#include "app/kit/widgets.h"
#include "app/panels/bars/bars.h"
#include "app/panels/common/messages.h"
#include "app/panels/common/region.h"
#include "app/panels/record/record.h"
#include "app/session/live_recording.h"
#include "app/session/recording_job.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

/// Who draws the picture, without versions: the tool tip has those.
std::string ShortRenderer(const std::string& gl_renderer) {
  if (gl_renderer.find("llvmpipe") != std::string::npos) return "llvmpipe software GL";
  std::string name = gl_renderer.substr(0, gl_renderer.find_first_of("(/,"));
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name;
}

}  // namespace

void DrawStatusBar(const Session& session, const Rect& rect, const Machine* machine,
                   const Videos& videos, MessageCard* card, Requests* requests) {
  if (!BeginRegion("status", rect, ImVec2(0, 0), Token::kPanel, ImGuiWindowFlags_NoScrollbar))
    return;
  const Snapshot& snapshot = session.snapshot();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine(rect.min, ImVec2(rect.max.x, rect.min.y), Color(Token::kLine), Snap(1));
  const float right = MessageSign(session, rect, card);
  float x = rect.min.x + Px(12);
  const float y = rect.min.y + (rect.height() - FontPx(Role::kTick)) / 2;
  bool first = true;
  const auto part = [&](const std::string& text, Token colour = Token::kText2,
                        const std::string& details = {}) -> bool {
    if (text.empty()) return false;
    const std::string rich = SentenceRich(text);
    const float width = MeasureRich(rich, Role::kTick).x;
    if (x + (first ? 0 : Px(24)) + width > right - Px(8)) return false;
    if (!first) {
      list->AddLine(ImVec2(x + Px(12), rect.min.y + Px(7)), ImVec2(x + Px(12), rect.max.y - Px(7)),
                    Color(Token::kLine), Snap(1));
      x += Px(24);
    }
    first = false;
    DrawRich(list, ImVec2(x, y), rich, Role::kTick, Color(colour));
    RegisterWidget("status/" + text.substr(0, text.find(' ')), ImVec2(x, rect.min.y),
                   ImVec2(x + width, rect.max.y));
    bool clicked = false;
    if (!details.empty()) {
      ImGui::SetCursorScreenPos(ImVec2(x, rect.min.y));
      clicked = ImGui::InvisibleButton(text.c_str(), ImVec2(width, rect.height()));
      Tooltip(details);
    }
    x += width;
    return clicked;
  };
  // where there is no room for its card, the newest message comes first
  if (const Message* message = session.Card();
      message != nullptr && !card->drawn && !card->listed) {
    const bool fine = message->level == Message::Level::kInfo;
    const MessageAction* action = message->actions.empty() ? nullptr : &message->actions.front();
    const std::string link = action != nullptr ? " · " + action->label : "";
    const float room = right - Px(8) - x - MeasureText(link, Role::kTick).x;
    const std::string details = message->Text() + (action != nullptr ? "\nClick: " : "");
    if (part(Ellipsize(message->what, Role::kTick, room) + link, fine ? Token::kText : Token::kWarn,
             action != nullptr ? details + action->label + "." : details) &&
        action != nullptr) {
      const auto index = static_cast<std::size_t>(message - session.messages().data());
      requests->Ask([index](Session* s) { s->message_log().Close(index); });
      requests->Ask(action->run);
    }
  }
  if (videos.live != nullptr) {
    const bool on = RecordsLive(videos.live);
    if (part(on ? "recording: " + LiveFormText(*videos.live)
                : std::string("the video is being written"),
             Token::kText, videos.live->path()) &&
        on)
      videos.record.open = true;
  }
  if (videos.job != nullptr) {
    part(fmt::format("recording {:.0f} %", 100 * videos.job->progress()), Token::kAccent,
         videos.job->output());
    if (part("Cancel", Token::kText, "Stops the recording; no video is kept."))
      videos.job->Cancel();
  }
  if (machine != nullptr) {
    constexpr double kMiB = 1024.0 * 1024.0;
    part("engine " + FormatQuantity(1e-6 * session.written().snapshot().step_us, "s") + "/step");
    part(fmt::format("{:.0f} fps", machine->fps));
    part(fmt::format("history {:.0f} MB of {:.0f}",
                     static_cast<double>(snapshot.history_bytes) / kMiB,
                     static_cast<double>(snapshot.history_budget) / kMiB));
    if (snapshot.channels.size() > 1 && snapshot.playing) {
      part("pace: " + session.looks().Name(snapshot.slowest_channel));
    }
  }
  if (const std::optional<double> made = session.reference().Progress()) {
    part(fmt::format("reference {:.0f} %", 100 * *made), Token::kAccent,
         "A hundredth of the time step, in the background. Models > Remove reference "
         "curve stops it.");
  }
  if (machine != nullptr && !machine->gl_renderer.empty())
    part(ShortRenderer(machine->gl_renderer), Token::kText3, machine->gl_renderer);
  part((session.playback().playing() ? ""
        : session.AllStopped()       ? "Stopped · "
                                     : "Paused · ") +
       session.status());
  DrawMessageList(session, rect, card, requests);
  EndRegion();
}

}  // namespace slip::app
