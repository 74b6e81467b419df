// Session: what comes back from the engine: samples, events, and the lesson's view of them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/session/change_text.h"
#include "app/session/session.h"

namespace slip::app {
namespace {

// Lesson conditions are looked at this often [s]; they scan the samples.
constexpr double kLessonPeriod = 0.1;
// A condition on "the samples so far" needs some of them after the last change [s of the scene].
constexpr double kLessonWindow = 1.0;
// More marks than pixels help nobody; notes stay, however many.
constexpr std::size_t kMostMarks = 2000;
// Longest stretch of a frame that goes into taking over samples: so much, or a part of the time
// that the last frame took, because slow frames bring more of them [s].
constexpr double kDrainBudget = 6e-3;
constexpr double kDrainShare = 0.25;

/// One signal over one or several channels, from a time on.
class Reducer {
 public:
  void Add(const SeriesView& view, double from) {
    for (std::size_t i = view.LowerBound(from); i < view.size(); ++i) {
      const double value = static_cast<double>(view.ValueAt(i));
      if (std::isnan(value)) continue;
      max_ = count_ == 0 ? value : std::max(max_, value);
      min_ = count_ == 0 ? value : std::min(min_, value);
      sum_ += value;
      squares_ += value * value;
      last_ = value;
      ++count_;
    }
  }
  std::optional<double> Get(Reduction reduction) const {
    if (count_ == 0) return std::nullopt;
    const double n = static_cast<double>(count_);
    switch (reduction) {
      case Reduction::kMax:
        return max_;
      case Reduction::kMin:
        return min_;
      case Reduction::kMean:
        return sum_ / n;
      case Reduction::kRms:
        return std::sqrt(squares_ / n);
      case Reduction::kLast:
        return last_;
    }
    return std::nullopt;
  }

 private:
  double max_ = 0, min_ = 0, sum_ = 0, squares_ = 0, last_ = 0;
  std::size_t count_ = 0;
};

bool OfRobot(std::string_view path) {
  return path.starts_with("robot.") || path.starts_with("joint.");
}

}  // namespace

void Session::DrainTelemetry() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const double budget = std::max(kDrainBudget, kDrainShare * std::min(frame_seconds_, 1.0));
  Telemetry telemetry;
  for (int count = 1; link_->NextTelemetry(&telemetry); ++count) {
    changed_ = true;
    series_.Feed(telemetry);
    if (const auto* sample = std::get_if<Sample>(&telemetry.item)) {
      CountUnconverged(*sample);
      const double impact = sample->values[static_cast<std::size_t>(Signal::kImpactSpeed)];
      if (impact > hardest_impact_) hardest_impact_ = impact;
    } else if (const auto* truncate = std::get_if<TruncateSamples>(&telemetry.item)) {
      const double time = truncate->time + 1e-9;
      PutNotesAside(time);
      std::erase_if(marks_, [time](const TimeMark& m) { return m.time > time; });
      ForgetMessagesOfRun(time);
      hardest_impact_ = HardestOfSeries();
      status_ = "A branch begins here; Former branch goes back to the old future";
    } else if (std::holds_alternative<RestartSamples>(telemetry.item)) {
      PutNotesAside(-1);
      hardest_impact_ = 0;
      marks_.clear();
      ForgetRun();
      ForgetMessagesOfRun();
    } else if (const int gone = std::get<ChangeChannels>(telemetry.item).gone; gone >= 0) {
      ForgetRemoved(gone);
    }
    // The picture must not wait for an engine that is faster than we are; the rest keeps.
    const std::chrono::duration<double> spent = Clock::now() - begin;
    if (count % 64 == 0 && link_->live() && spent.count() > budget) break;
  }
  PostUnconverged();
}

/// Names and edits of the channels behind a removed one move up by one place.
void Session::ForgetRemoved(int gone) {
  if (At(gone) >= looks_.size() || looks_.size() < 2) return;
  looks_.erase(looks_.begin() + gone);
  if (lead_ > gone || lead_ + 1 > static_cast<int>(looks_.size())) lead_ = std::max(0, lead_ - 1);
  if (solo_ == gone) solo_ = -1;
  if (solo_ > gone) --solo_;
  edits_.clear();
  undo_at_ = 0;
  pending_.clear();
  ForgetMessagesOfRun();  // they name channels by their place
}

/// The run starts again. A reference that knew changes of parameters belongs to the run before.
void Session::ForgetRun() {
  if (params_changed_) DropReference();
  params_changed_ = false;
}

void Session::DrainEvents() {
  while (std::optional<Event> event = link_->NextEvent()) {
    changed_ = true;
    TakeEvent(*event);
  }
}

/// Whether the parameter makes a new model, on which everything starts again.
bool Session::Rebuilds(const std::string& path) const {
  const ParamInfo* info = channel_count() > 0 ? FindParam(frame(0).config, path) : nullptr;
  return info != nullptr && info->applies == Applies::kRebuild;
}

void Session::TakeEvent(const Event& event) {
  changed_since_save_ = changed_since_save_ || (event.kind != Event::Kind::kRecording &&
                                                event.kind != Event::Kind::kBranchSamples);
  TimeMark mark;
  mark.time = mark.end_time = event.time;
  mark.step = event.step;
  mark.channel = event.channel;
  mark.path = event.path;
  mark.from = event.from;
  mark.to = event.to;
  mark.touched = now_;
  switch (event.kind) {
    case Event::Kind::kParameter: {
      mark.kind = TimeMark::Kind::kParameter;
      params_changed_ = true;
      // from here on the reference would be that of other parameters
      if (event.channel < 0 || event.channel == lead_) TruncateReference(event.time);
      if (!marks_.empty()) {
        TimeMark& last = marks_.back();
        if (last.kind == mark.kind && last.path == mark.path && last.channel == mark.channel &&
            (now_ - last.touched < kMergeSeconds || last.end_time == mark.time)) {
          last.to = mark.to;
          last.end_time = mark.time;
          last.touched = now_;
          ++last.samples;
          return;
        }
        // motors of a robot are many: those set together are one mark
        if (last.kind == mark.kind && last.time == mark.time && last.touched == now_ &&
            OfRobot(last.path) && OfRobot(mark.path)) {
          ++last.others;
          return;
        }
      }
      break;
    }
    case Event::Kind::kGrab: {
      mark.kind = TimeMark::Kind::kGrab;
      // The release ends the bar that the grab began.
      if (event.to == 0) {
        for (auto last = marks_.rbegin(); last != marks_.rend(); ++last) {
          if (last->kind != TimeMark::Kind::kGrab) continue;
          last->end_time = std::max(last->time, mark.time);
          break;
        }
        return;
      }
      mark.label = event.path.empty() ? "drag" : "drag " + LiteralRich(event.path);
      break;
    }
    case Event::Kind::kReset:
      ForgetRun();
      ForgetMessagesOfRun();
      status_ = snapshot_->branch > 0 ? "Reset to the start; what was there is the former branch"
                                      : "Reset to the start";
      return;  // the restart of the samples has already cleared the marks
    case Event::Kind::kResync:
      mark.kind = TimeMark::Kind::kResync;
      mark.label = "re-sync";
      break;
    case Event::Kind::kBegan:
      mark.kind = TimeMark::Kind::kResync;
      mark.label = event.note + " added";
      break;
    case Event::Kind::kLoaded:
      status_ = event.note.empty() ? "Loaded" : event.note;
      return;
    case Event::Kind::kRefused: {
      Message message;
      message.level = Message::Level::kWarning;
      message.subject = "refused";  // only the last try is of interest
      message.run_time = event.time;
      message.what = event.note.empty() ? "The engine refused the change." : event.note;
      message.where = event.path;
      Post(std::move(message));
      pending_.clear();
      // it never was
      if (undo_at_ > 0 && undo_at_ == edits_.size() && edits_.back().path == event.path) {
        edits_.pop_back();
        --undo_at_;
      }
      return;
    }
    case Event::Kind::kBranch:
      status_ = opened_.empty() ? "Run " + branches_.Name(static_cast<int>(event.to))
                                : std::exchange(opened_, {});
      BringNotesBack();
      return;
    case Event::Kind::kBranchSamples:
      branches_.Take(*event.samples);
      return;
    case Event::Kind::kRecording:
      TakeRecordingEvent(event);
      return;
    case Event::Kind::kNotConverged:
      mark.kind = TimeMark::Kind::kNotConverged;  // the samples say how many steps: PostUnconverged
      break;
    case Event::Kind::kFailure:
      mark.kind = TimeMark::Kind::kFailure;
      failures_said_.erase(event.channel);  // PostFailures says it, again if somebody asked again
      if (std::any_of(marks_.begin(), marks_.end(), [&](const TimeMark& m) {
            return m.kind == mark.kind && m.channel == mark.channel && m.time == mark.time;
          })) {
        return;
      }
      break;
  }
  if (marks_.size() >= kMostMarks) DropMark();
  marks_.push_back(std::move(mark));
}

/// Makes room for one mark: the oldest that the solver made, then the oldest; never a note.
void Session::DropMark() {
  const auto first = [&](const auto& meant) {
    return std::find_if(marks_.begin(), marks_.end(), meant);
  };
  auto gone = first([](const TimeMark& m) { return m.kind == TimeMark::Kind::kNotConverged; });
  if (gone == marks_.end()) gone = first([](const TimeMark& m) { return m.IsAutomatic(); });
  if (gone == marks_.end())
    gone = first([](const TimeMark& m) { return m.kind != TimeMark::Kind::kNote; });
  if (gone != marks_.end()) marks_.erase(gone);
}

std::string Session::MarkLabel(const TimeMark& mark) const {
  if (!mark.label.empty()) return mark.label;
  if (mark.kind == TimeMark::Kind::kNote) return fmt::format("note {:.3f} s", mark.time);
  if (mark.kind == TimeMark::Kind::kNotConverged) return "not converged";
  if (mark.kind == TimeMark::Kind::kFailure) return "stopped";
  if (channel_count() == 0) return mark.path;
  const std::string more = mark.others > 0 ? fmt::format(", and {} more", mark.others) : "";
  return ChangeText(frame(0).config, mark.path, mark.from, mark.to) + more;
}

double Session::HardestOfSeries() const {
  double speed = 0;
  for (int i = 0; i < channel_count(); ++i) {
    const SeriesView view = series_.View(i, Signal::kImpactSpeed);
    if (!view.empty()) {
      const MinMax all = view.Extent(0, view.size());
      if (!all.empty()) speed = std::max(speed, static_cast<double>(all.max));
    }
  }
  return speed;
}

/// Expressions name a channel by its model, by its number counted from 1, or not at all.
bool Session::IsMeant(int channel, std::string_view model) const {
  return model.empty() || Info(look(channel).model).id == model ||
         std::to_string(channel + 1) == model;
}

void Session::EvaluateLesson() {
  if (scene_ == nullptr || lesson_.empty() || channel_count() == 0) return;
  if (now_ - lesson_checked_ < kLessonPeriod) return;
  lesson_checked_ = now_;
  double from = snapshot_->history_start;
  for (const TimeMark& mark : marks_) {
    if (mark.kind == TimeMark::Kind::kParameter) from = std::max(from, mark.end_time);
  }
  const double window = std::min(kLessonWindow, 0.25 * scene_->duration);
  const bool measured = snapshot_->history_end - from >= window;
  ExpressionData data;
  data.signal = [&](Reduction reduction, Signal signal,
                    std::string_view model) -> std::optional<double> {
    if (!measured) return std::nullopt;
    Reducer all;
    for (int i = 0; i < channel_count(); ++i) {
      if (IsMeant(i, model)) all.Add(series_.View(i, signal), from);
    }
    return all.Get(reduction);
  };
  data.parameter = [&](std::string_view path, std::string_view model) -> std::optional<double> {
    for (int i = 0; i < channel_count(); ++i) {
      if (IsMeant(i, model)) return GetParam(frame(i).config, path);
    }
    return std::nullopt;
  };
  if (measured && lesson_.Evaluate(data)) changed_ = true;
  // that a value is out of reach is known before anything is measured with it
  if (lesson_.Advise(data)) changed_ = true;
}

}  // namespace slip::app
