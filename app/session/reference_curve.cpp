#include "app/session/reference_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "app/session/closed_form.h"
#include "engine/run/scope/reference.h"

namespace slip::app {

ReferenceCurve::ReferenceCurve(SessionCore* core, const ChannelLooks& looks,
                               std::function<void(UseRecording)> ask)
    : core_(*core), looks_(looks), ask_(std::move(ask)) {}

ReferenceCurve::~ReferenceCurve() = default;

void ReferenceCurve::Make() {
  if (core_.scene() == nullptr || core_.channel_count() == 0 || core_.model() == nullptr ||
      !core_.TakenOver())
    return;
  Drop();
  asked_ = true;
  ask_([this](const std::shared_ptr<const Recording>& recording) {
    if (!asked_) return;
    asked_ = false;
    StartRun(*recording);
  });
}

void ReferenceCurve::StartRun(const Recording& recording) {
  const std::vector<RecordedPath> paths = PathsOf(recording, recording.present);
  const auto lead = static_cast<std::size_t>(looks_.chosen_lead());
  if (lead >= paths.size() || core_.model() == nullptr) return;
  const RecordedPath& path = paths[lead];
  ReferencePlan plan;
  plan.model = core_.snapshot().model;
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
  plan.end = std::max(core_.snapshot().history_end, core_.scene()->duration);
  run_ = std::make_unique<ReferenceRun>(std::move(plan));
  core_.SetStatus("Making the reference curve");
  if (pulled) {
    Message message;
    message.level = Message::Level::kWarning;
    message.what = "The reference curve leaves out pulls and re-syncs.";
    message.advice = "It follows the parameter changes only. Reset first for one that compares.";
    core_.Post(std::move(message));
  }
}

void ReferenceCurve::Drop() {
  asked_ = shows_closed_form_ = false;
  Leave();
  curve_.Clear();
}

/// The run ends by itself; nobody waits for the step at hand.
void ReferenceCurve::Leave() {
  if (run_ == nullptr) return;
  run_->Cancel();
  leaving_.push_back(std::move(run_));
}

void ReferenceCurve::TakeParamChange(int channel, double time) {
  params_changed_ = true;
  if (channel < 0 || channel == looks_.chosen_lead()) Truncate(time);
}

void ReferenceCurve::Restart() {
  if (params_changed_) Drop();
  params_changed_ = false;
}

void ReferenceCurve::Forget() {
  params_changed_ = false;
  Drop();
}

/// Once a run, as long as its parameters are those of its start.
bool ReferenceCurve::MakeClosedForm() {
  if (core_.scene() == nullptr || !core_.scene()->closed_form || !core_.TakenOver() ||
      core_.model() == nullptr || core_.channel_count() == 0 || params_changed_ || Exists() ||
      closed_form_of_ == core_.snapshot().session) {
    return false;
  }
  closed_form_of_ = core_.snapshot().session;
  shows_closed_form_ = true;
  const Config& config = core_.frame(looks_.chosen_lead()).config;
  for (Sample& sample : CalcClosedForm(*core_.model(), config, core_.scene()->duration))
    curve_.Feed({0, std::move(sample)});
  return true;
}

std::optional<double> ReferenceCurve::Progress() const {
  if (asked_) return 0;
  if (run_ == nullptr) return std::nullopt;
  return run_->progress();
}

void ReferenceCurve::Truncate(double time) {
  if (!Exists()) return;
  Leave();
  curve_.Feed({0, TruncateSamples{time}});
}

bool ReferenceCurve::Update() {
  std::erase_if(leaving_, [](const auto& run) { return run->done(); });
  const bool made = MakeClosedForm();
  if (run_ == nullptr) return made;
  // looked at first: samples that came before it are then all there
  const bool done = run_->done();
  constexpr int kMostPerFrame = 2000;  // a frame must stay short
  Sample sample;
  int count = 0;
  while (count < kMostPerFrame && run_->NextSample(&sample)) {
    curve_.Feed({0, sample});
    ++count;
  }
  const bool grown = made || count > 0;
  if (!done || count == kMostPerFrame) return grown;
  if (!run_->failure().empty()) {
    Message message;
    message.level = Message::Level::kWarning;
    message.what = fmt::format("The reference curve ends at t = {:.4g} s.", curve_.end());
    message.where = run_->failure();
    core_.Post(std::move(message));
  }
  core_.SetStatus("Reference curve made");
  run_.reset();
  return grown;
}

}  // namespace slip::app
