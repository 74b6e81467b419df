// Time line: transport, clock, speed, the spine, Live / History. The marks are in time_marks.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/common/region.h"
#include "app/panels/curves/plot_content.h"
#include "app/panels/time/time_branches.h"
#include "app/panels/time/time_line.h"
#include "app/panels/time/time_marks.h"
#include "app/plots/axes.h"
#include "engine/sim/part_signals.h"

namespace slip::app {
namespace {

// Labels of the axis begin this far below the spine, and with other branches; what the solver says
// ends above them [design px].
constexpr float kLabelsBelow = 12, kLabelsBelowBranches = 30;
// The spine lies this far below the line's top [design px].
constexpr float kSpineTop = 30, kHighSpineTop = 36;

/// Which channels have stopped, and what to do about it; empty when none has.
std::string StopText(const Session& session) {
  std::string names;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (session.frame(i).state == ChannelState::kRunning) continue;
    names += (names.empty() ? "" : ", ") + session.looks().Name(i);
  }
  if (names.empty()) return {};
  return fmt::format("{} stopped: change a parameter, or reset. Click to see why.", names);
}

/// Why this arrow would change nothing now; empty when it would.
std::string WhyNothingMoves(const Session& session, Action action) {
  const Snapshot& snapshot = session.snapshot();
  if (action == Action::kStep) {
    const bool past = snapshot.time < snapshot.history_end - 1e-12;
    return session.AllStopped() && !past ? StopText(session) : std::string();
  }
  if (action != Action::kStepBack && action != Action::kStart) return {};
  if (snapshot.time > snapshot.history_start + 1e-12) return {};
  return snapshot.history_start > 0 ? "Nothing earlier is kept." : "This is the start.";
}

void Transport(const Session& session, Requests* requests) {
  const auto button = [&](const char* id, const char* icon, Action action) {
    std::string tip = std::string(Info(action).name) + " (" + requests->keys().Label(action) + ")";
    if (const std::string why = WhyNothingMoves(session, action); !why.empty()) tip += "\n" + why;
    if (IconButton(std::string("time/") + id, icon, tip)) {
      requests->Do(action);
    }
    ImGui::SameLine(0, Px(4));
  };
  button("start", icon::kStart, Action::kStart);
  button("back", icon::kStepBack, Action::kStepBack);
  const bool playing = session.playback().playing();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(Px(48), Px(32));
  if (ImGui::InvisibleButton("run", size)) requests->Do(Action::kRunPause);
  RegisterLastItem("time/run");
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Token fill = ImGui::IsItemActive()    ? Token::kActive
                     : ImGui::IsItemHovered() ? Token::kHover
                                              : Token::kAccentFill;
  list->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), Color(fill), Px(4));
  const char* icon = playing ? icon::kPause : icon::kRun;
  const ImVec2 text = MeasureText(icon, Role::kIcon);
  DrawText(list, ImVec2(at.x + (size.x - text.x) / 2, at.y + (size.y - text.y) / 2), icon,
           Role::kIcon, Color(Token::kAccentText));
  Tooltip(std::string(playing ? "Pause (" : "Run (") + requests->keys().Label(Action::kRunPause) +
          ")" + (playing || !session.AllStopped() ? "" : "\n" + StopText(session)));
  ImGui::SameLine(0, Px(4));
  button("step", icon::kStepForward, Action::kStep);
  button("end", icon::kEnd, Action::kLive);
}

void SpeedButton(const Session& session, float x, float y, Requests* requests) {
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  if (TextButton("time/speed", SpeedText(session.playback().speed()), nullptr, false, 64, true,
                 "Playback speed (" + requests->keys().Label(Action::kSlower) + " slower, " +
                     requests->keys().Label(Action::kFaster) + " faster, " +
                     requests->keys().Label(Action::kNormalSpeed) + " real time)")) {
    ImGui::OpenPopup("speed");
  }
  if (!ImGui::BeginPopup("speed")) return;
  const double own = session.playback().scene_speed();
  if (ImGui::MenuItem(("The scene's: " + SpeedText(own)).c_str(), nullptr,
                      session.playback().speed() == own)) {
    requests->Ask([own](Session* s) { s->playback().SetSpeed(own); });
  }
  RegisterLastItem("speed/scene");
  ImGui::Separator();
  for (const double speed : kPlaybackSpeeds) {
    const std::string label = SpeedText(speed);
    if (ImGui::MenuItem(label.c_str(), nullptr,
                        std::abs(session.playback().speed() / speed - 1) < 1e-6)) {
      requests->Ask([speed](Session* s) { s->playback().SetSpeed(speed); });
    }
  }
  if (ImGui::MenuItem("As fast as possible", nullptr, std::isinf(session.playback().speed()))) {
    requests->Do(Action::kFastest);
  }
  ImGui::EndPopup();
}

/// Below the spine, for every few pixels: grey where the lead's contact was made or broken, amber
/// where a solver came near its limit.
void DrawTicks(const Session& session, ImDrawList* list, const Spine& spine, bool contacts) {
  if (session.channel_count() == 0) return;
  // this share of the iteration limit is near it
  constexpr double kNear = 0.8;
  const SeriesView force = session.series().View(session.looks().lead(), Signal::kNormalForce);
  const float step = Px(2);
  for (float x = spine.x0; x < spine.x1; x += step) {
    const double from = spine.Time(x), to = spine.Time(x + step);
    if (from > session.series().end()) break;
    if (contacts && !force.empty()) {
      // with the sample before: a change between two columns belongs to the second
      const std::size_t first = force.LowerBound(from), last = force.LowerBound(to);
      const MinMax loads = force.Extent(first > 0 ? first - 1 : 0, last);
      if (last > first && !loads.empty() && loads.min <= 0 && loads.max > 0) {
        list->AddRectFilled(ImVec2(x, spine.y + Px(5)), ImVec2(x + Snap(1), spine.y + Px(10)),
                            Color(Token::kText3));
      }
    }
    for (int i = 0; i < session.channel_count(); ++i) {
      const MinMax most = session.series().View(i, Signal::kIterations).Query(from, to);
      const double limit = session.frame(i).config.step.max_iterations;
      if (most.empty() || static_cast<double>(most.max) < kNear * limit) continue;
      list->AddRectFilled(ImVec2(x, spine.y + Px(5)), ImVec2(x + Px(2), spine.y + Px(10)),
                          Color(Token::kWarn));
    }
  }
}

/// Number of the note under the mouse; 0 = none.
uint64_t NoteUnder(const std::vector<NotePlace>& notes, ImVec2 mouse) {
  for (const NotePlace& place : notes) {
    if (mouse.x >= place.rect.min.x && mouse.x <= place.rect.max.x && mouse.y >= place.rect.min.y &&
        mouse.y <= place.rect.max.y) {
      return place.note;
    }
  }
  return 0;
}

/// Shift and a drag select; dragging back to where it began selects nothing.
void SelectRange(const Snapshot& snapshot, double time, TimeRange* range) {
  time = std::clamp(time, snapshot.history_start, snapshot.history_end);
  if (ImGui::IsItemActivated()) {
    *range = {};
    range->anchor = time;
  }
  range->from = std::min(range->anchor, time);
  range->to = std::max(range->anchor, time);
  range->active = range->to > range->from;
}

void DrawRange(const TimeRange& range, ImDrawList* list, const Spine& spine) {
  if (!range.active) return;
  const float x0 = spine.X(range.from), x1 = spine.X(range.to);
  list->AddRectFilled(ImVec2(x0, spine.y - Px(8)), ImVec2(x1, spine.y + Px(8)),
                      Color(Token::kHead, 0.18f));
  for (const float x : {x0, x1}) {
    list->AddRectFilled(ImVec2(x, spine.y - Px(10)), ImVec2(x + Snap(2), spine.y + Px(10)),
                        Color(Token::kHead));
  }
}

/// Time, step and what the plots show of the lead there.
std::string HoverText(const Session& session, double time, const PlotsState& plots) {
  std::string text = fmt::format("{:.4g} s", time);
  if (const int64_t step = StepAt(session, time); step >= 0) text += fmt::format(", step {}", step);
  for (const PlotSlot& slot : plots.slots) {
    const SeriesView view = session.series().View(session.looks().lead(), slot.signal);
    // long runs keep fewer samples than steps: of the others nothing is said here
    if (!view.Covers(time) || IsHeld(session, slot.signal)) continue;
    const auto value = view.At(time);
    text += fmt::format("\n{} {}", LabelOf(session.scene_model(), slot.signal),
                        FormatSignal(slot.signal, value));
  }
  return text;
}

/// What is kept, what was shown of it, and the labels of the axis.
void DrawSpine(const Snapshot& snapshot, const Spine& spine) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float h = Px(3), r = Px(2);
  const auto bar = [&](double from, double to, Token colour) {
    list->AddRectFilled(ImVec2(spine.X(from), spine.y - h), ImVec2(spine.X(to), spine.y + h),
                        Color(colour), r);
  };
  bar(spine.start, spine.end, Token::kControl);
  bar(snapshot.history_start, snapshot.history_end, Token::kLineStrong);
  bar(snapshot.history_start, snapshot.time, Token::kAccent);
  const AxisRange range{spine.start, spine.end};
  // Labels need room: the first one carries the unit.
  const float length = spine.X(spine.end) - spine.X(spine.start);
  const int ticks = std::clamp(static_cast<int>(length / Px(64)), 2, 10);
  const float labels = spine.y + Px(spine.high ? kLabelsBelowBranches : kLabelsBelow);
  for (const Tick& tick : MakeTicks(AxisScale::kLinear, range, ticks)) {
    if (tick.label.empty()) continue;
    const float x = spine.X(tick.value);
    list->AddLine(ImVec2(x, labels), ImVec2(x, labels + Px(4)), Color(Token::kLineStrong), Snap(1));
    const bool first = tick.value <= spine.start;
    const ImVec2 at(x + Px(3), labels);
    const std::string label = first ? tick.label + " s" : tick.label;
    const float width = DrawText(list, at, label, Role::kTick, Color(Token::kText3));
    RegisterWidget("time/tick", at, ImVec2(at.x + width, at.y + FontPx(Role::kTick)), false, label);
  }
}

void DrawPlayHead(ImDrawList* list, const Spine& spine, double time) {
  const float x = spine.X(time);
  list->AddLine(ImVec2(x, spine.y - Px(14)), ImVec2(x, spine.y + Px(14)), Color(Token::kHead),
                Snap(2));
  list->AddCircleFilled(ImVec2(x, spine.y), Px(8), Color(Token::kHead), 24);
  list->AddCircleFilled(ImVec2(x, spine.y), Px(4), Color(Token::kPanel), 16);
}

/// Live, Loop, History or Stopped, at the right end.
struct LiveBadge {
  const char* word = "Live";
  const char* icon = icon::kRecord;
  Token colour = Token::kOk;
  std::string tip = "The newest step is shown.";
  float left = 0;
  float room = 0;  ///< where the widest of them begins: the spine must not move under the mouse
};

LiveBadge ArrangeBadge(const Session& session, const Rect& rect, const KeyMap& keys) {
  LiveBadge badge;
  const std::string stop = StopText(session);
  if (session.playback().looping() && stop.empty()) {
    badge = {"Loop", icon::kReset, Token::kAccent,
             fmt::format("Shows 0 to {:.4g} s at {}, waits a second and begins again. Whatever you "
                         "do to the run ends the loop: pause, step, drag, change a parameter, or "
                         "click here. A reset ({}) begins it anew.",
                         session.scene()->duration, SpeedText(session.playback().speed()),
                         keys.Label(Action::kReset))};
  } else if (!session.snapshot().live) {
    badge = {"History", icon::kReset, Token::kText2,
             "A past step is shown. Click for the newest one (End)."};
  } else if (session.AllStopped()) {
    badge = {"Stopped", icon::kWarning, Token::kWarn, stop};
  } else if (!stop.empty()) {
    badge = {"Live", icon::kWarning, Token::kWarn, badge.tip + " " + stop};
  }
  const auto left_of = [&](const char* sign, const char* word) {
    return std::min(rect.max.x - Px(84), rect.max.x - Px(8) - PillWidth(sign, word));
  };
  badge.left = left_of(badge.icon, badge.word);
  badge.room = std::min(left_of(icon::kReset, "History"), left_of(icon::kWarning, "Stopped"));
  return badge;
}

/// The step at the time of the clock: the lead's, or of who went on when the lead stopped.
std::string StepText(const Session& session, float room) {
  const int lead = session.looks().lead();
  if (session.channel_count() == 0) return {};
  int shown = lead;
  const double h = session.frame(lead).config.step.time_step;
  if (session.snapshot().time - session.frame(lead).time > h) {
    for (int i = 0; i < session.channel_count(); ++i) {
      if (session.looks().Begun(i) && session.frame(i).time > session.frame(shown).time) shown = i;
    }
  }
  std::string step = fmt::format("step {}", session.frame(shown).step);
  if (HasOtherBranches(session)) {
    const Branches& branches = session.branches();
    step = EllipsizeRich(LiteralRich(step + ", " + branches.Name(branches.present())), Role::kAxis,
                         room);
  }
  const std::string named = session.looks().Name(shown) + ": " + step;
  return shown != lead && MeasureText(named, Role::kAxis).x <= room ? named : step;
}

/// Time shown by the whole spine: grows in steps of 1, 2, 5 so that it does not crawl.
double SpineEnd(const Session& session) {
  if (const std::optional<double> staged = session.playback().StagedSpan()) return *staged;
  double length = std::max(1e-3, session.scene() != nullptr ? session.scene()->duration : 1);
  const double last = std::max(session.snapshot().history_end, LastBranchEnd(session));
  while (length < last * 1.02) length *= 2;
  return length;
}

/// One drag at a time, and to its end: of a note, of a range, or of the knob.
void DragOnSpine(const Session& session, const Spine& spine, TimeLineState* own,
                 Requests* requests) {
  const Snapshot& snapshot = session.snapshot();
  auto& [selecting, note] = own->drag;
  if (ImGui::IsItemActivated()) {
    note = NoteUnder(own->notes, ImGui::GetIO().MousePos);
    selecting = note == 0 && ImGui::GetIO().KeyShift;
  }
  if (note != 0) {
    if (ImGui::IsItemDeactivated())
      EditNote(session, std::exchange(note, 0), &own->note_edit, requests);
  } else if (ImGui::IsItemActive() && selecting) {
    SelectRange(snapshot, spine.Time(ImGui::GetIO().MousePos.x), &own->range);
  } else if (ImGui::IsItemActive()) {
    const double time = spine.Time(ImGui::GetIO().MousePos.x);
    own->range.loop = false;
    // Running on while the knob is held would fork the history under the user's hand.
    if (ImGui::IsItemActivated() && session.playback().playing())
      requests->Ask([](Session* s) { s->playback().SetPlaying(false); });
    if (std::abs(time - snapshot.time) > 1e-9)
      requests->Ask([time](Session* s) { s->playback().Seek(time); });
  }
}

/// Where the mouse is on it; `pointed`: at a mark, which says more.
void DrawPointer(const Session& session, const Spine& spine, const PlotsState& plots,
                 bool pointed) {
  const float x = ImGui::GetIO().MousePos.x;
  ImGui::GetWindowDrawList()->AddLine(ImVec2(x, spine.y - Px(8)), ImVec2(x, spine.y + Px(8)),
                                      Color(Token::kText3), Snap(1));
  if (pointed || !TooltipAllowed()) return;
  const double time = spine.Time(x);
  const bool past = time <= session.snapshot().history_end;
  ImGui::SetTooltip(
      "%s", past ? HoverText(session, time, plots).c_str() : "The run has not come here yet.");
}

/// Clock and step beside the buttons.
void DrawClock(const Session& session, const Rect& rect) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float clock_x = rect.min.x + Px(216);
  const std::string clock = fmt::format("{:.3f} s", session.snapshot().time);
  DrawText(list, ImVec2(clock_x, rect.min.y + Px(8)), clock, Role::kClock, Color(Token::kText));
  const std::string step = StepText(session, Px(100));
  DrawRich(list, ImVec2(clock_x, rect.min.y + Px(33)), step, Role::kAxis, Color(Token::kText3));
  RegisterWidget("time/step_number", ImVec2(clock_x, rect.min.y + Px(33)),
                 ImVec2(clock_x + Px(100), rect.min.y + Px(47)), false, step);
}

}  // namespace

std::string SpeedText(double speed) {
  if (std::isinf(speed)) return "max";
  if (speed >= 1) return fmt::format("×{:.1f}", speed);
  return fmt::format("×1/{:.0f}", 1 / speed);
}

bool DrawTimeLine(const Session& session, const Rect& rect, const PlotsState& plots, bool pulling,
                  TimeLineState* own, Requests* requests) {
  if (!BeginRegion("time", rect, ImVec2(Px(8), Px(12)), Token::kPanel,
                   ImGuiWindowFlags_NoScrollbar))
    return false;
  const Snapshot& snapshot = session.snapshot();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine(rect.min, ImVec2(rect.max.x, rect.min.y), Color(Token::kLine), Snap(1));
  Transport(session, requests);

  DrawClock(session, rect);
  const bool roomy = rect.width() > Px(900);
  if (roomy) SpeedButton(session, rect.min.x + Px(324), rect.min.y + Px(12), requests);

  bool branches_asked = false;
  Spine spine;
  spine.x0 = rect.min.x + Px(roomy ? 408 : 328);
  const LiveBadge badge = ArrangeBadge(session, rect, requests->keys());
  spine.x1 = badge.room - Px(20);
  spine.high = own->high;
  spine.y = rect.min.y + Px(spine.high ? kHighSpineTop : kSpineTop);
  spine.start = 0;
  spine.end = SpineEnd(session);
  if (spine.x1 > spine.x0 + Px(40)) {
    ImGui::SetCursorScreenPos(ImVec2(spine.x0 - Px(8), rect.min.y + Px(4)));
    ImGui::InvisibleButton("spine",
                           ImVec2(spine.x1 - spine.x0 + Px(16), Px(spine.high ? 38.0f : 48.0f)));
    RegisterLastItem("time/spine");
    DragOnSpine(session, spine, own, requests);
    const bool on_line = ImGui::IsItemHovered() && !ImGui::IsItemActive();
    DrawSpine(snapshot, spine);
    DrawTicks(session, list, spine, own->contact_ticks);
    if (spine.high)
      branches_asked = DrawBranchSpines(session.branches(), spine, plots.along_opacity, requests);
    DrawRange(own->range, list, spine);
    const bool pointed = DrawTimeMarks(session, spine, rect.min.y, pulling, own);
    DrawPlayHead(list, spine, snapshot.time);
    if (const TimeMark* edited = session.notebook().Note(own->note_edit.note); edited != nullptr) {
      DrawNoteBox(session, spine.X(edited->time), rect, &own->note_edit, requests);
    } else {
      own->note_edit = {};  // the run that it belongs to has gone
    }
    if (on_line) DrawPointer(session, spine, plots, pointed);
  }
  ImGui::SetCursorScreenPos(ImVec2(badge.left, spine.y - Px(14)));
  if (Pill("time/live", badge.icon, badge.word, badge.colour)) {
    requests->Ask([](Session* s) {
      s->playback().GoLive();
      s->warnings().SayAgain();
    });
  }
  Tooltip(badge.tip);
  EndRegion();
  return branches_asked;
}

}  // namespace slip::app
