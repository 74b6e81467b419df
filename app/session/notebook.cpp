#include "app/session/notebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/session/change_text.h"
#include "app/session/param_edits.h"
#include "engine/core/overloaded.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

// More marks than pixels help nobody; notes stay, however many.
constexpr std::size_t kMostMarks = 2000;

bool OfRobot(std::string_view path) {
  return path.starts_with("robot.") || path.starts_with("joint.");
}

}  // namespace

std::string Notebook::Label(const TimeMark& mark) const {
  if (!mark.label.empty()) return mark.label;
  if (mark.kind == TimeMark::Kind::kNote) return fmt::format("note {:.3f} s", mark.time);
  if (mark.kind == TimeMark::Kind::kNotConverged) return "not converged";
  if (mark.kind == TimeMark::Kind::kFailure) return "stopped";
  if (core_.channel_count() == 0) return mark.path;
  const std::string more = mark.others > 0 ? fmt::format(", and {} more", mark.others) : "";
  const bool back = mark.from == mark.to && mark.end_time > mark.time;
  return ChangeText(core_.frame(0).config, mark.path, mark.from, mark.to) +
         (back ? " (changed and set back)" : "") + more;
}

const TimeMark* Notebook::Beside(double time, int direction) const {
  const TimeMark* best = nullptr;
  for (const TimeMark& mark : marks_) {
    const double ahead = (mark.time - time) * direction;
    if (ahead <= 1e-9) continue;
    if (best == nullptr || ahead < (best->time - time) * direction) best = &mark;
  }
  return best;
}

uint64_t Notebook::AddNote() {
  ++edits_;
  TimeMark mark;
  mark.kind = TimeMark::Kind::kNote;
  mark.time = mark.end_time = core_.snapshot().time;
  mark.note = ++notes_made_;
  mark.branch = core_.snapshot().branch;
  if (core_.channel_count() > 0) mark.step = core_.frame(0).step;
  marks_.push_back(std::move(mark));
  return notes_made_;
}

const TimeMark* Notebook::Note(uint64_t number) const {
  const auto found = std::find_if(marks_.begin(), marks_.end(), [number](const TimeMark& mark) {
    return mark.kind == TimeMark::Kind::kNote && mark.note == number;
  });
  return found != marks_.end() ? &*found : nullptr;
}

void Notebook::NameNote(uint64_t number, std::string text) {
  ++edits_;
  for (TimeMark& mark : marks_) {
    if (mark.kind == TimeMark::Kind::kNote && mark.note == number) mark.label = std::move(text);
  }
}

void Notebook::RemoveNote(uint64_t number) {
  ++edits_;
  std::erase_if(marks_, [number](const TimeMark& mark) {
    return mark.kind == TimeMark::Kind::kNote && mark.note == number;
  });
}

void Notebook::Take(const Event& event) {
  TimeMark mark;
  mark.time = mark.end_time = event.time;
  mark.step = event.step;
  mark.channel = event.channel;
  mark.touched = core_.now();
  if (!Describe(event.item, &mark)) return;
  if (marks_.size() >= kMostMarks) DropMark();
  marks_.push_back(std::move(mark));
}

/// What the mark says; false where the event needs no mark, or has become part of another.
bool Notebook::Describe(const EventItem& item, TimeMark* mark) {
  using Kind = TimeMark::Kind;
  const auto set = [mark](Kind kind, std::string label = {}) {
    mark->kind = kind;
    mark->label = std::move(label);
    return true;
  };
  return std::visit(
      Overloaded{
          [&](const ParamChanged& changed) {
            mark->path = changed.path;
            mark->from = changed.from;
            mark->to = changed.to;
            return set(Kind::kParameter) && !Merge(*mark);
          },
          [&](const Pulled& pulled) {
            if (!pulled.begins) EndGrab(mark->time);
            mark->path = pulled.body;
            mark->to = 1;
            const bool named = !pulled.body.empty();
            return set(Kind::kGrab, named ? "drag " + LiteralRich(pulled.body) : "drag") &&
                   pulled.begins;
          },
          [&](const Resynced&) { return set(Kind::kResync, "re-sync"); },
          [&](const ChannelBegan& began) { return set(Kind::kResync, began.method + " added"); },
          [&](const GaveUp& gave_up) {
            mark->path = gave_up.robot;
            return set(Kind::kResync, LiteralRich(gave_up.robot) + " out of control");
          },
          [&](const NotConverged&) { return set(Kind::kNotConverged); },
          [&](const StepFailed&) {
            // whoever asks for a step again hears again why there is none
            return set(Kind::kFailure) &&
                   std::none_of(marks_.begin(), marks_.end(), [&](const TimeMark& m) {
                     return m.kind == Kind::kFailure && m.channel == mark->channel &&
                            m.time == mark->time;
                   });
          },
          [](const WasReset&) { return false; },
          [](const SceneLoaded&) { return false; },
          [](const Refused&) { return false; },
          [](const BranchShown&) { return false; },
          [](const BranchTold&) { return false; },
          [](const RecordingTaken&) { return false; },
      },
      item);
}

/// Into the last mark: of the same parameter, or set together with it.
bool Notebook::Merge(const TimeMark& change) {
  if (marks_.empty()) return false;
  TimeMark& last = marks_.back();
  if (last.kind == change.kind && last.path == change.path && last.channel == change.channel &&
      (core_.now() - last.touched < kMergeSeconds || last.end_time == change.time)) {
    last.to = change.to;
    last.end_time = change.time;
    last.touched = core_.now();
    ++last.samples;
    // set back before a step was made: nothing was changed
    if (last.from == last.to && last.time == last.end_time) marks_.pop_back();
    return true;
  }
  // motors of a robot are many: those set together are one mark
  if (last.kind == change.kind && last.time == change.time && last.touched == core_.now() &&
      OfRobot(last.path) && OfRobot(change.path)) {
    ++last.others;
    return true;
  }
  return false;
}

/// The release ends the bar that the grab began.
void Notebook::EndGrab(double time) {
  for (auto last = marks_.rbegin(); last != marks_.rend(); ++last) {
    if (last->kind != TimeMark::Kind::kGrab) continue;
    last->end_time = std::max(last->time, time);
    return;
  }
}

/// Makes room for one mark: the oldest that the solver made, then the oldest; never a note.
void Notebook::DropMark() {
  const auto first = [&](const auto& meant) {
    return std::find_if(marks_.begin(), marks_.end(), meant);
  };
  auto gone = first([](const TimeMark& m) { return m.kind == TimeMark::Kind::kNotConverged; });
  if (gone == marks_.end()) gone = first([](const TimeMark& m) { return m.IsAutomatic(); });
  if (gone == marks_.end())
    gone = first([](const TimeMark& m) { return m.kind != TimeMark::Kind::kNote; });
  if (gone != marks_.end()) marks_.erase(gone);
}

void Notebook::Truncate(double time) {
  PutAside(time);
  std::erase_if(marks_, [time](const TimeMark& m) { return m.time > time; });
}

void Notebook::Restart() {
  PutAside(-1);
  marks_.clear();
}

void Notebook::Forget() {
  marks_.clear();
  aside_.clear();
}

// Notes later than that.
void Notebook::PutAside(double after) {
  for (const TimeMark& mark : marks_) {
    if (mark.kind == TimeMark::Kind::kNote && mark.time > after) aside_.push_back(mark);
  }
}

void Notebook::BringBack() {
  const std::vector<BranchSpan>& way = core_.snapshot().branch_path;
  std::erase_if(aside_, [&](const TimeMark& note) {
    const bool here = std::any_of(way.begin(), way.end(), [&](const BranchSpan& span) {
      return span.branch == note.branch && note.time <= span.until;
    });
    if (here) marks_.push_back(note);
    return here;
  });
}

std::vector<TimeMark> Notebook::AllNotes() const {
  std::vector<TimeMark> notes;
  for (const TimeMark& mark : marks_) {
    if (mark.kind == TimeMark::Kind::kNote) notes.push_back(mark);
  }
  notes.insert(notes.end(), aside_.begin(), aside_.end());
  return notes;
}

void Notebook::AddAside(TimeMark note) {
  note.note = ++notes_made_;
  aside_.push_back(std::move(note));
}

}  // namespace slip::app
