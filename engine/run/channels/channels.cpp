#include "engine/run/channels/channels.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/run/track/share_steps.h"

namespace slip {
namespace {

// A channel that failed and was helped by a new parameter lags behind; it may take this many extra
// steps per mark to catch up.
constexpr int kMaxCatchUpSteps = 1000;

/// How long its steps up to these limits will take, by the last ones [us].
double CalcCost(const Track& track, const AdvanceLimits& limits) {
  const Simulation& sim = track.sim();
  if (!sim.failure().empty()) return 0;
  const double in_time = (limits.time - sim.time()) / sim.config().step.time_step;
  const auto left = static_cast<double>(std::min(limits.step - sim.step(), limits.most));
  return track.step_us() * std::max(0.0, std::min(in_time, left));
}

}  // namespace

void ReadSample(int channel, const Simulation& simulation, Sample* sample) {
  sample->channel = channel;
  sample->step = simulation.step();
  sample->time = simulation.time();
  sample->values = simulation.signals();
  sample->part_values = simulation.now().part_signals;
  sample->method = simulation.config().method();
  sample->guard = GuardOf(simulation.solve());
}

Sample SampleOf(int channel, const StepRecord& record, double time, MethodId method) {
  return {channel, record.state.step,    time, record.signals, record.part_signals,
          method,  GuardOf(record.solve)};
}

void Channels::Replace(int c, std::shared_ptr<Track> track) { At(list_, c) = std::move(track); }

std::shared_ptr<Track> Channels::Remove(int c) {
  const std::shared_ptr<Track> gone = At(list_, c);
  list_.erase(list_.begin() + c);
  return gone;
}

void Channels::Advance(std::span<const AdvanceLimits> limits, WorkerPool* workers) {
  progress_.resize(list_.size());
  double all_us = 0, largest_us = 0;
  for (std::size_t c = 0; c < list_.size(); ++c) {
    const double us = CalcCost(*list_[c], limits[c]);
    all_us += us;
    largest_us = std::max(largest_us, us);
  }
  ShareSteps(
      workers, count(), all_us, largest_us, [this](int c) -> Simulation& { return track(c).sim(); },
      [&](int c) { Step(c, At(limits, c)); });
}

void Channels::Step(int c, const AdvanceLimits& limits) {
  Progress& progress = At(progress_, c);
  progress.count = 0;
  progress.events.clear();
  progress.moved = false;
  progress.end = AdvanceEnd::kFailed;
  if (!sim(c).failure().empty()) return;
  progress.end = track(c).AdvanceTo(limits, [this, c](StepStatus status) { Take(c, status); });
}

// What is told of a step.
void Channels::Take(int c, StepStatus status) {
  Progress& progress = At(progress_, c);
  progress.status = status;
  track(c).events().Take(c, status, sim(c), &progress.events);
  if (!Advanced(status)) return;
  progress.moved = true;
  if (!keeps_samples_) return;
  if (progress.count == progress.kept.size()) progress.kept.emplace_back();
  ReadSample(c, sim(c), &progress.kept[progress.count++]);
}

bool Channels::AdvanceToMark(WorkerPool* workers) {
  ++marks_;
  limits_.clear();
  for (const auto& track : list_) {
    const double steps = mark_step_ / track->sim().config().step.time_step;
    const auto most = static_cast<int64_t>(std::min(1e9, steps + 0.5)) + kMaxCatchUpSteps;
    limits_.push_back({.time = MarkTime(), .most = most});
  }
  Advance(limits_, workers);
  const bool moved = std::any_of(progress_.begin(), progress_.end(),
                                 [](const Progress& progress) { return progress.moved; });
  if (!moved) --marks_;
  return moved;
}

bool Channels::AllStand() const {
  return std::all_of(list_.begin(), list_.end(),
                     [](const auto& track) { return !track->sim().failure().empty(); });
}

void Channels::SetMarkTime(double time) {
  mark_base_ = time;
  marks_ = 0;
}

void Channels::UpdateMarks() {
  double step = 0;
  for (const auto& track : list_) step = std::max(step, track->sim().config().step.time_step);
  if (step == mark_step_) return;
  SetMarkTime(MarkTime());
  mark_step_ = step;
}

void Channels::BeginMarks(double time) {
  mark_step_ = 0;
  SetMarkTime(time);
  UpdateMarks();
}

double Channels::LatestTime() const {
  double time = 0;
  for (const auto& track : list_) time = std::max(time, track->sim().time());
  return time;
}

double Channels::HistoryStart() const {
  double start = empty() ? 0 : kInfinity;
  for (const auto& track : list_) start = std::min(start, track->history().time(0));
  return start;
}

double Channels::HistoryEnd() const {
  double end = 0;
  for (const auto& track : list_) {
    const Timeline& history = track->history();
    end = std::max(end, history.time(history.size() - 1));
  }
  return end;
}

}  // namespace slip
