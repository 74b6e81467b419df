// Session: the reference solution made beside the run.
#include <fmt/format.h>

#include <algorithm>

#include "app/session/session.h"
#include "engine/run/reference.h"

namespace slip::app {

namespace {

/// The lead's knobs at the start of what is recorded: the present ones with every change taken
/// back.
Config StartConfig(Config config, int lead, const std::vector<Event>& changes) {
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    if (change->channel >= 0 && change->channel != lead) continue;
    const Status undone = SetParam(&config, change->path, change->from);
    if (!undone.ok()) continue;  // the knob has gone with its body: it does not matter
  }
  config.grab = Grab{};
  return config;
}

}  // namespace

Session::~Session() = default;

void Session::MakeReference() {
  if (scene_ == nullptr || channel_count() == 0 || model() == nullptr || !TakenOver()) return;
  DropReference();
  ReferencePlan plan;
  plan.model = snapshot_->model;
  plan.config = StartConfig(frame(lead_).config, lead_, param_events_);
  for (const Event& event : param_events_) {
    if (event.channel >= 0 && event.channel != lead_) continue;
    plan.changes.push_back({event.time, event.path, event.to});
  }
  // the run may look back at the past: what was recorded counts
  plan.end = std::max(snapshot_->history_end, scene_->duration);
  reference_run_ = std::make_unique<ReferenceRun>(std::move(plan));
  status_ = "Making the reference curve";
  const bool pulled = std::any_of(marks_.begin(), marks_.end(), [](const TimeMark& mark) {
    return mark.kind == TimeMark::Kind::kGrab || mark.kind == TimeMark::Kind::kResync;
  });
  if (pulled) {
    Message message;
    message.level = Message::Level::kWarning;
    message.what = "The reference curve leaves out pulls and re-syncs.";
    message.advice = "It follows the parameter changes only. Reset first for one that compares.";
    Post(std::move(message));
  }
}

std::string Session::ReplayOptions() const {
  if (scene_ == nullptr || channel_count() == 0) return "conveyor";
  std::string line = scene_->id + " -m ";
  for (int i = 0; i < channel_count(); ++i) {
    line += fmt::format("{}{}", i > 0 ? "," : "", Info(look(i).model).id);
  }
  // -p and --at set every channel: the lead's values are the ones that are looked at
  const Config start = StartConfig(frame(lead_).config, lead_, param_events_);
  for (const ParamEntry& entry : ListParams(start)) {
    const double value = GetParam(start, entry.path).value_or(0);
    if (entry.path == kMethodParam || value == DefaultParam(lead_, entry.path)) continue;
    std::string text = FormatValue(*entry.info, value);
    std::erase(text, ' ');
    line += fmt::format(" -p '{}={}'", entry.path, text);
  }
  for (const Event& event : param_events_) {
    const ParamInfo* info = FindParam(start, event.path);
    const bool meant = event.channel < 0 || event.channel == lead_;
    if (!meant || info == nullptr || event.path == kMethodParam) continue;
    if (event.time > snapshot_->time) continue;
    std::string text = FormatValue(*info, event.to);
    std::erase(text, ' ');
    line += fmt::format(" --at '{:.9g}:{}={}'", event.time, event.path, text);
  }
  return line;
}

void Session::DropReference() {
  if (reference_run_ != nullptr) {
    // its thread ends by itself; nobody waits for the step at hand
    reference_run_->Cancel();
    leaving_.push_back(std::move(reference_run_));
  }
  reference_.Clear();
}

std::optional<double> Session::ReferenceProgress() const {
  if (reference_run_ == nullptr) return std::nullopt;
  return reference_run_->progress();
}

void Session::TruncateReference(double time) {
  if (!HasReference()) return;
  if (reference_run_ != nullptr) {
    reference_run_->Cancel();
    leaving_.push_back(std::move(reference_run_));
  }
  Telemetry cut;
  cut.kind = Telemetry::Kind::kTruncate;
  cut.time = time;
  reference_.Feed(cut);
}

void Session::UpdateReference() {
  std::erase_if(leaving_, [](const auto& run) { return run->done(); });
  if (reference_run_ == nullptr) return;
  // looked at first: samples that came before it are then all there
  const bool done = reference_run_->done();
  constexpr int kMostPerFrame = 2000;  // a frame must stay short
  Telemetry sample;
  int count = 0;
  while (count < kMostPerFrame && reference_run_->NextSample(&sample)) {
    reference_.Feed(sample);
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
