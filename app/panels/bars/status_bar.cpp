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

/// The line of the bar, part by part from the left, as far as there is room.
class StatusLine {
 public:
  StatusLine(const Rect& rect, float right) : rect_(rect), right_(right), x_(rect.min.x + Px(12)) {}

  /// True when it was clicked, which takes details.
  bool Add(const std::string& text, Token colour = Token::kText2, const std::string& details = {}) {
    if (text.empty()) return false;
    const std::string rich = SentenceRich(text);
    const float width = MeasureRich(rich, Role::kTick).x;
    if (x_ + (first_ ? 0 : Px(24)) + width > right_ - Px(8)) return false;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (!first_) {
      list->AddLine(ImVec2(x_ + Px(12), rect_.min.y + Px(7)),
                    ImVec2(x_ + Px(12), rect_.max.y - Px(7)), Color(Token::kLine), Snap(1));
      x_ += Px(24);
    }
    first_ = false;
    const float y = rect_.min.y + (rect_.height() - FontPx(Role::kTick)) / 2;
    DrawRich(list, ImVec2(x_, y), rich, Role::kTick, Color(colour));
    RegisterWidget("status/" + text.substr(0, text.find(' ')), ImVec2(x_, rect_.min.y),
                   ImVec2(x_ + width, rect_.max.y));
    bool clicked = false;
    if (!details.empty()) {
      ImGui::SetCursorScreenPos(ImVec2(x_, rect_.min.y));
      clicked = ImGui::InvisibleButton(text.c_str(), ImVec2(width, rect_.height()));
      Tooltip(details);
    }
    x_ += width;
    return clicked;
  }
  float room() const { return right_ - Px(8) - x_; }

 private:
  Rect rect_;
  float right_, x_;
  bool first_ = true;
};

/// Where there is no room for its card, the newest message comes first.
void AddMessage(const Session& session, const Message& message, StatusLine* line,
                Requests* requests) {
  const bool fine = message.level == Message::Level::kInfo;
  const MessageAction* action = message.actions.empty() ? nullptr : &message.actions.front();
  const std::string link = action != nullptr ? " · " + action->label : "";
  const float room = line->room() - MeasureText(link, Role::kTick).x;
  const std::string details = message.Text() + (action != nullptr ? "\nClick: " : "");
  if (line->Add(Ellipsize(message.what, Role::kTick, room) + link,
                fine ? Token::kText : Token::kWarn,
                action != nullptr ? details + action->label + "." : details) &&
      action != nullptr) {
    const auto index = static_cast<std::size_t>(&message - session.messages().data());
    requests->Ask([index](Session* s) { s->message_log().Close(index); });
    requests->Ask(action->run);
  }
}

void AddVideos(const Videos& videos, StatusLine* line) {
  if (videos.live != nullptr) {
    const bool on = RecordsLive(videos.live);
    if (line->Add(on ? "recording: " + LiveFormText(*videos.live)
                     : std::string("the video is being written"),
                  Token::kText, videos.live->path()) &&
        on)
      videos.record.open = true;
  }
  if (videos.job != nullptr) {
    line->Add(fmt::format("recording {:.0f} %", 100 * videos.job->progress()), Token::kAccent,
              videos.job->output());
    if (line->Add("Cancel", Token::kText, "Stops the recording; no video is kept."))
      videos.job->Cancel();
  }
}

/// They go on while something else is looked at.
void AddStudies(const Studies& studies, StatusLine* line) {
  if (studies.job() == nullptr) return;
  std::string text = fmt::format("study {:.0f} %", 100 * studies.job()->progress());
  if (studies.waiting() > 0) text += fmt::format(", {} wait", studies.waiting());
  line->Add(text, Token::kAccent, "Scene > Studies shows it.");
}

void AddPace(const Session& session, const Machine& machine, StatusLine* line) {
  constexpr double kMiB = 1024.0 * 1024.0;
  const Snapshot& snapshot = session.snapshot();
  line->Add("engine " + FormatQuantity(1e-6 * session.written().snapshot().step_us, "s") + "/step");
  line->Add(fmt::format("{:.0f} fps", machine.fps));
  line->Add(fmt::format("history {:.0f} MB of {:.0f}",
                        static_cast<double>(snapshot.history_bytes) / kMiB,
                        static_cast<double>(snapshot.history_budget) / kMiB));
  if (snapshot.channels.size() > 1 && snapshot.playing)
    line->Add("pace: " + session.looks().Name(snapshot.slowest_channel));
}

}  // namespace

void DrawStatusBar(const Session& session, const Rect& rect, const Machine* machine,
                   const Videos& videos, MessageCard* card, Requests* requests) {
  if (!BeginRegion("status", rect, ImVec2(0, 0), Token::kPanel, ImGuiWindowFlags_NoScrollbar))
    return;
  ImGui::GetWindowDrawList()->AddLine(rect.min, ImVec2(rect.max.x, rect.min.y), Color(Token::kLine),
                                      Snap(1));
  StatusLine line(rect, MessageSign(session, rect, card));
  const Message* message = session.Card();
  if (message != nullptr && !card->drawn && !card->listed)
    AddMessage(session, *message, &line, requests);
  AddVideos(videos, &line);
  if (machine != nullptr) AddPace(session, *machine, &line);
  AddStudies(session.files().studies(), &line);
  if (const std::optional<double> made = session.reference().Progress()) {
    line.Add(fmt::format("reference {:.0f} %", 100 * *made), Token::kAccent,
             "A hundredth of the time step, in the background. Models > Remove reference "
             "curve stops it.");
  }
  if (machine != nullptr && !machine->gl_renderer.empty())
    line.Add(ShortRenderer(machine->gl_renderer), Token::kText3, machine->gl_renderer);
  line.Add((session.playback().playing() ? ""
            : session.AllStopped()       ? "Stopped · "
                                         : "Paused · ") +
           session.status());
  DrawMessageList(session, rect, card, requests);
  EndRegion();
}

}  // namespace slip::app
