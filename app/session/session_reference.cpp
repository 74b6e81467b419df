// Session: the reference solution made beside the run.
#include <fmt/format.h>

#include <algorithm>

#include "app/session/closed_form.h"
#include "app/session/session.h"
#include "engine/run/reference.h"

namespace slip::app {

void Session::MakeReference() {
  if (scene_ == nullptr || channel_count() == 0 || model() == nullptr || !TakenOver()) return;
  DropReference();
  reference_asked_ = true;
  WithRecording([this](const std::shared_ptr<const Recording>& recording) {
    if (!reference_asked_) return;
    reference_asked_ = false;
    StartReference(*recording);
  });
}

void Session::StartReference(const Recording& recording) {
  const std::vector<RecordedPath> paths = PathsOf(recording, recording.present);
  if (At(lead_) >= paths.size() || model() == nullptr) return;
  const RecordedPath& path = paths[At(lead_)];
  ReferencePlan plan;
  plan.model = snapshot_->model;
  plan.config = path.config;
  bool pulled = path.start != nullptr;
  for (const TimedEntry& item : WithTimes(path)) {
    if (const auto* param = std::get_if<ParamChange>(&item.entry.change)) {
      plan.changes.push_back({item.time, param->path, param->value});
    } else {
      pulled = true;
    }
  }
  // the run may look back at the past: what was recorded counts
  plan.end = std::max(snapshot_->history_end, scene_->duration);
  reference_run_ = std::make_unique<ReferenceRun>(std::move(plan));
  status_ = "Making the reference curve";
  if (pulled) {
    Message message;
    message.level = Message::Level::kWarning;
    message.what = "The reference curve leaves out pulls and re-syncs.";
    message.advice = "It follows the parameter changes only. Reset first for one that compares.";
    Post(std::move(message));
  }
}

void Session::DropReference() {
  reference_asked_ = shows_closed_form_ = false;
  if (reference_run_ != nullptr) {
    // its thread ends by itself; nobody waits for the step at hand
    reference_run_->Cancel();
    leaving_.push_back(std::move(reference_run_));
  }
  reference_.Clear();
}

/// Once a run, as long as its parameters are those of its start.
void Session::MakeClosedForm() {
  if (scene_ == nullptr || !scene_->closed_form || !TakenOver() || model() == nullptr ||
      channel_count() == 0 || params_changed_ || HasReference() ||
      closed_form_of_ == snapshot_->session) {
    return;
  }
  closed_form_of_ = snapshot_->session;
  shows_closed_form_ = true;
  for (Sample& sample : CalcClosedForm(*model(), frame(lead_).config, scene_->duration))
    reference_.Feed({0, std::move(sample)});
  changed_ = true;
}

std::optional<double> Session::ReferenceProgress() const {
  if (reference_asked_) return 0;
  if (reference_run_ == nullptr) return std::nullopt;
  return reference_run_->progress();
}

void Session::TruncateReference(double time) {
  if (!HasReference()) return;
  if (reference_run_ != nullptr) {
    reference_run_->Cancel();
    leaving_.push_back(std::move(reference_run_));
  }
  reference_.Feed({0, TruncateSamples{time}});
}

void Session::UpdateReference() {
  std::erase_if(leaving_, [](const auto& run) { return run->done(); });
  MakeClosedForm();
  if (reference_run_ == nullptr) return;
  // looked at first: samples that came before it are then all there
  const bool done = reference_run_->done();
  constexpr int kMostPerFrame = 2000;  // a frame must stay short
  Sample sample;
  int count = 0;
  while (count < kMostPerFrame && reference_run_->NextSample(&sample)) {
    reference_.Feed({0, sample});
    ++count;
  }
  changed_ = changed_ || count > 0;
  if (!done || count == kMostPerFrame) return;
  if (!reference_run_->failure().empty()) {
    Message message;
    message.level = Message::Level::kWarning;
    message.what = fmt::format("The reference curve ends at t = {:.4g} s.", reference_.end());
    message.where = reference_run_->failure();
    Post(std::move(message));
  }
  status_ = "Reference curve made";
  reference_run_.reset();
}

}  // namespace slip::app
