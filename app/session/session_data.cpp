// Session: what comes back from the engine: samples and events.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/session/session.h"

namespace slip::app {
namespace {

// Longest stretch of a frame that goes into taking over samples: so much, or a part of the time
// that the last frame took, because slow frames bring more of them [s].
constexpr double kDrainBudget = 6e-3;
constexpr double kDrainShare = 0.25;

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
      warnings_.Count(*sample);
      const double impact = sample->values[static_cast<std::size_t>(Signal::kImpactSpeed)];
      if (impact > hardest_impact_) hardest_impact_ = impact;
    } else if (const auto* truncate = std::get_if<TruncateSamples>(&telemetry.item)) {
      const double time = truncate->time + 1e-9;
      notebook_.Truncate(time);
      warnings_.Forget(time);
      hardest_impact_ = HardestOfSeries();
      status_ = "A branch begins here; Former branch goes back to the old future";
    } else if (std::holds_alternative<RestartSamples>(telemetry.item)) {
      notebook_.Restart();
      hardest_impact_ = 0;
      reference_.Restart();
      warnings_.Forget();
    } else if (const int gone = std::get<ChangeChannels>(telemetry.item).gone; gone >= 0) {
      written_.Renew();
      ForgetRemoved(gone);
    }
    // The picture must not wait for an engine that is faster than we are; the rest keeps.
    const std::chrono::duration<double> spent = Clock::now() - begin;
    if (count % 64 == 0 && link_->live() && spent.count() > budget) break;
  }
  warnings_.PostUnconverged();
  warnings_.PostTurning();
}

/// Names and edits of the channels behind a removed one move up by one place.
void Session::ForgetRemoved(int gone) {
  if (!looks_.ForgetRemoved(gone)) return;
  params_.ForgetEdits();
  warnings_.Forget();  // warnings name channels by their place
}

void Session::DrainEvents() {
  while (std::optional<Event> event = link_->NextEvent()) {
    changed_ = true;
    TakeEvent(*event);
  }
}

void Session::TakeEvent(const Event& event) {
  changed_since_save_ = changed_since_save_ || (event.kind != Event::Kind::kRecording &&
                                                event.kind != Event::Kind::kBranchSamples);
  notebook_.Take(event);
  switch (event.kind) {
    case Event::Kind::kParameter:
      written_.Renew();
      return reference_.TakeParamChange(event.channel, event.time);
    case Event::Kind::kReset:
      reference_.Restart();
      warnings_.Forget();
      status_ = snapshot_->branch > 0 ? "Reset to the start; what was there is the former branch"
                                      : "Reset to the start";
      return;  // the restart of the samples has already cleared the marks
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
      return params_.TakeBack(event.path);
    }
    case Event::Kind::kBranch:
      status_ = opened_.empty() ? "Run " + branches_.Name(static_cast<int>(event.to))
                                : std::exchange(opened_, {});
      return notebook_.BringBack();
    case Event::Kind::kBranchSamples:
      return branches_.Take(*event.samples);
    case Event::Kind::kRecording:
      return TakeRecordingEvent(event);
    case Event::Kind::kFailure:
      return warnings_.TakeFailure(event.channel);
    case Event::Kind::kNotConverged:  // the samples say how many steps
    case Event::Kind::kGaveUp:        // the picture says it
    case Event::Kind::kGrab:
    case Event::Kind::kBegan:
      return;
    case Event::Kind::kResync:
      return written_.Renew();
  }
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

std::optional<double> Session::SeriesBegin() const {
  // a series begins with the end of the first step
  double step = 0;
  for (int i = 0; i < channel_count(); ++i) step = std::max(step, frame(i).config.step.time_step);
  const double begin = series_.start();
  if (begin <= snapshot().history_start + 2 * step) return {};
  return begin;
}

}  // namespace slip::app
