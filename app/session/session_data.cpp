// Session: what comes back from the engine: samples and events.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/session/session.h"
#include "engine/core/numbers.h"
#include "engine/core/overloaded.h"

namespace slip::app {
namespace {

// Longest stretch of a frame that goes into taking over samples: so much, or a part of the time
// that the last frame took, because slow frames bring more of them [s].
constexpr double kDrainBudget = 6e-3;
constexpr double kDrainShare = 0.25;
// The same while a whole past comes in: no number is true before it is there [s].
constexpr double kCatchUpBudget = 0.2;

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
    } else if (const auto* truncate = std::get_if<TruncateSamples>(&telemetry.item)) {
      const double time = truncate->time + 1e-9;
      notebook_.Truncate(time);
      warnings_.Forget(time);
      series_.ForgetNoImpactsAfter(time);
      files_.foreign().Truncate(time);
      status_ = "A branch begins here; Former branch goes back to the old future";
    } else if (std::holds_alternative<RestartSamples>(telemetry.item)) {
      notebook_.Restart();
      series_.ForgetNoImpactsAfter(-kInfinity);
      reference_.Restart();
      files_.foreign().Restart();
      warnings_.Forget();
    } else if (const int gone = std::get<ChangeChannels>(telemetry.item).gone; gone >= 0) {
      written_.Renew();
      ForgetRemoved(gone);
      files_.foreign().Restart();
    }
    // The picture must not wait for an engine that is faster than we are; the rest keeps.
    if (count % 64 != 0 || !link_->live()) continue;
    const std::chrono::duration<double> spent = Clock::now() - begin;
    const double allowed =
        series_.CoversAll(snapshot_->time) ? budget : std::max(budget, kCatchUpBudget);
    if (spent.count() > allowed) break;
  }
  warnings_.PostUnconverged();
  warnings_.PostNotes();
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
  if (!IsAnswer(event)) experiments_.NoteChange();
  notebook_.Take(event);
  std::visit(Overloaded{
                 [&](const ParamChanged&) {
                   written_.Renew();
                   reference_.TakeParamChange(event.channel, event.time);
                 },
                 [&](const WasReset&) {
                   // the restart of the samples has already cleared the marks
                   reference_.Restart();
                   warnings_.Forget();
                   status_ = snapshot_->branch > 0
                                 ? "Reset to the start; what was there is the former branch"
                                 : "Reset to the start";
                 },
                 [&](const SceneLoaded& loaded) {
                   status_ = loaded.title.empty() ? "Loaded" : loaded.title;
                 },
                 [&](const Refused& refused) { TakeRefused(refused, event.time); },
                 [&](const BranchShown& shown) {
                   status_ = files_.TakeOpenedWords();
                   if (status_.empty()) status_ = "Run " + branches_.Name(shown.branch);
                   notebook_.BringBack();
                 },
                 [&](const BranchTold& told) { branches_.Take(*told.samples); },
                 [&](const RecordingTaken& taken) { experiments_.Take(taken); },
                 [&](const StepFailed&) { warnings_.TakeFailure(event.channel); },
                 [&](const Resynced&) { written_.Renew(); },
                 [](const NotConverged&) {},  // the samples say how many steps
                 [](const GaveUp&) {},        // the picture says it
                 [](const Pulled&) {},
                 [](const ChannelBegan&) {},
             },
             event.item);
}

void Session::TakeRefused(const Refused& refused, double time) {
  Message message;
  message.level = Message::Level::kWarning;
  message.subject = "refused";  // only the last try is of interest
  message.run_time = time;
  message.what = refused.why.empty() ? "The engine refused the change." : refused.why;
  message.where = refused.path;
  Post(std::move(message));
  params_.TakeBack(refused.path);
}

}  // namespace slip::app
