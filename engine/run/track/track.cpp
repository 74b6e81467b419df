#include "engine/run/track/track.h"

#include <algorithm>
#include <utility>

#include "engine/core/numbers.h"

namespace slip {
namespace {

// Dropped steps that are made again at once when the past is looked at: so many, in so long [us].
constexpr int64_t kMostAgain = 4096;
constexpr double kLongestAgain = 5e4;

State TakenOver(const State& state, int64_t step) {
  State own = state;
  own.step = own.step_base = step;
  own.warm_start.clear();  // of the engine that made it, and in no file
  return own;
}

}  // namespace

Track::Track(std::shared_ptr<const Model> model, const Config& config, std::size_t history_bytes,
             int branch, std::shared_ptr<const State> start)
    : model_(std::move(model)),
      sim_(model_, config),
      lines_({.branch = branch, .config = config, .start = std::move(start)}, history_bytes) {
  // a simulation is at its start as it is made
  lines_.present().start != nullptr ? MakeStart() : RecordStart();
}

// The first state of the present line, which has no parent.
void Track::MakeStart() {
  if (const State* start = lines_.present().start.get()) {
    sim_.SetState(TakenOver(*start, start->step));
  } else {
    sim_.Reset();
  }
  RecordStart();
}

void Track::RecordStart() {
  lines_.Start(sim_.state());
  events_.Begin(sim_);
  Record(true);
}

void Track::Record(bool flagged) {
  if (lines_.records()) lines_.Record(sim_.now(), sim_.time(), flagged);
  if (observer_) observer_(sim_);
}

AdvanceEnd Track::AdvanceTo(const AdvanceLimits& limits,
                            const std::function<void(StepStatus)>& stepped) {
  for (int64_t made = 0; made < limits.most; ++made) {
    ApplyDue();
    const double h = sim_.config().step.time_step;
    if (sim_.step() >= limits.step || sim_.time() + 0.5 * h > limits.time)
      return AdvanceEnd::kReached;
    const StepStatus status = sim_.Step();
    if (status == StepStatus::kStopped) return AdvanceEnd::kStopped;
    const bool advanced = Advanced(status);
    TrackLine& line = lines_.present();
    line.stands = !advanced;
    if (advanced) {
      line.end_step = sim_.step();
      line.log.Add(sim_.state());
      // a step that the machine was busy beside says little of the next ones
      const double most = step_us_ > 0 ? 10 * step_us_ : kInfinity;
      const double us = std::min(sim_.StepTimeUs(), most);
      step_us_ += (step_us_ > 0 ? 0.02 : 1.0) * (us - step_us_);
      Record(status != StepStatus::kConverged);
    }
    if (stepped) stepped(status);
    if (!advanced) return AdvanceEnd::kFailed;
  }
  return AdvanceEnd::kMost;
}

// Does what the entry says, without a note.
Status Track::Make(const Change& change) {
  if (const auto* taken = std::get_if<StateChange>(&change)) {
    sim_.SetState(TakenOver(*taken->state, sim_.step() + 1));
    return Ok{};
  }
  Config config = sim_.config();
  Status status = ApplyToConfig(change, &config);
  if (!status.ok()) return status;
  sim_.SetConfig(config);
  if (std::holds_alternative<ParamChange>(change)) sim_.ClearFailure();
  return status;
}

Status Track::Apply(const Change& change) {
  const int64_t step = sim_.step();
  Status status = Make(change);
  if (!status.ok()) return status;
  TrackLine& line = lines_.present();
  line.stands = false;
  // of the places that a pull goes through between two steps only the last one counts
  const auto is_pull = [](const Change& c) { return std::holds_alternative<Grab>(c); };
  if (is_pull(change) && !line.entries.empty() && line.entries.back().step == step &&
      is_pull(line.entries.back().change)) {
    line.entries.back().change = change;
  } else {
    line.entries.push_back({step, change});
  }
  if (sim_.step() != step) {
    line.end_step = sim_.step();
    line.log.Add(sim_.state());
    Record(true);
  }
  return status;
}

void Track::Schedule(std::span<const TimedChange> changes, int channel) {
  to_come_.clear();
  next_ = 0;
  for (const TimedChange& change : changes) {
    if (change.channel < 0 || change.channel == channel) to_come_.push_back(change);
  }
}

void Track::ApplyDue() {
  const auto make = [this](const Change& change) {
    Applied applied{.step = sim_.step(), .time = sim_.time(), .change = change};
    if (const auto* param = std::get_if<ParamChange>(&change))
      applied.from = GetParam(sim_.config(), param->path).value_or(0);
    if (std::holds_alternative<Grab>(change)) applied.from = sim_.config().grab.body >= 0 ? 1 : 0;
    if (const Status status = Apply(change); !status.ok()) applied.refused = status.error().Text();
    applied_.push_back(std::move(applied));
  };
  while (next_entry_ < entries_to_come_.size() &&
         entries_to_come_[next_entry_].step <= sim_.step()) {
    make(entries_to_come_[next_entry_++].change);
  }
  // half a step of tolerance, so that the step count decides and not round-off
  while (next_ < to_come_.size() &&
         sim_.time() + 0.5 * sim_.config().step.time_step > to_come_[next_].time) {
    const TimedChange& change = to_come_[next_++];
    make(ParamChange{change.path, change.value});
  }
}

// The past ---------------------------------------------------------------------------------------

void Track::SeekTo(double time) {
  const double h = sim_.config().step.time_step;
  const std::size_t i = history().Find(time + 1e-6 * h);
  history().Load(i, &scratch_);
  sim_.Restore(scratch_, lines_.ConfigAt(history().step(i)));
  MakeAgain(i, time);
}

// Steps that were dropped for want of room are made again from the one before: the same bits. Where
// the state was replaced between them, or they are many, the kept one must do.
void Track::MakeAgain(std::size_t i, double time) {
  if (i + 1 >= history().size()) return;
  const int64_t first = history().step(i);
  const int64_t next = history().step(i + 1);
  const double most =
      std::min(static_cast<double>(kMostAgain), kLongestAgain / std::max(step_us_, 1.0));
  for (int64_t step = first; step + 1 < next && static_cast<double>(step - first) < most; ++step) {
    if (sim_.time() + (1 - 1e-6) * sim_.config().step.time_step > time) return;
    if (MakeChangesAt(step) && Advanced(sim_.Step())) continue;
    sim_.Restore(scratch_, lines_.ConfigAt(first));
    return;
  }
}

// What was changed between this step and the next; false where the state itself was.
bool Track::MakeChangesAt(int64_t step) {
  for (const Change* change : lines_.ChangesAt(step)) {
    if (std::holds_alternative<StateChange>(*change)) return false;
    static_cast<void>(Make(*change));  // it was accepted then
  }
  return true;
}

void Track::CatchUp() {
  for (const JournalEntry& entry : lines_.present().entries) {
    if (entry.step == sim_.step()) static_cast<void>(Make(entry.change));
  }
  // it says again why it stands
  if (lines_.present().stands) AdvanceTo({.most = 1});
}

void Track::Fork(int branch) { lines_.Fork(branch, sim_.config(), sim_.state()); }

void Track::Restart(int branch) {
  Config config = sim_.config();
  config.grab = Grab{};
  if (lines_.Untouched()) {
    // nothing to keep: the same line again
    lines_.Replace({.branch = branch, .config = config});
    sim_.SetConfig(config);
    MakeStart();
  } else {
    StartAgain(config, branch);
  }
}

void Track::StartAgain(const Config& config, int branch) {
  lines_.Add({.branch = branch, .config = config});
  sim_.SetConfig(config);
  MakeStart();
}

bool Track::Follow(int branch) {
  if (!lines_.Follow(branch)) return false;
  events_.Begin(sim_);
  return true;
}

bool Track::GoTo(int branch) {
  if (!lines_.records() || !Follow(branch)) return false;
  history().Load(history().size() - 1, &scratch_);
  sim_.Restore(scratch_, lines_.ConfigAt(scratch_.state.step));
  CatchUp();
  return true;
}

bool Track::ForkFrom(int parent, const StepRecord& record, int branch) {
  if (!Follow(parent)) return false;
  sim_.Restore(record, lines_.ConfigAt(record.state.step));
  Fork(branch);
  return true;
}

}  // namespace slip
