#include "engine/run/track/track.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr int64_t kBeforeAll = std::numeric_limits<int64_t>::min();
// Dropped steps that are made again at once when the past is looked at: so many, in so long [us].
constexpr int64_t kMostAgain = 4096;
constexpr double kLongestAgain = 5e4;

State TakenOver(const State& state, int64_t step) {
  State own = state;
  own.step = own.step_base = step;
  return own;
}

}  // namespace

Track::Track(std::shared_ptr<const Model> model, const Config& config, std::size_t history_bytes,
             int branch, std::shared_ptr<const State> start)
    : model_(std::move(model)), sim_(model_, config), history_bytes_(history_bytes) {
  if (history_bytes_ > 0) history_.emplace(history_bytes_);
  lines_.push_back({.branch = branch, .config = config, .start = std::move(start)});
  path_ = {0};
  // a simulation is at its start as it is made
  line().start != nullptr ? MakeStart() : RecordStart();
}

// The first state of the present line, which has no parent.
void Track::MakeStart() {
  if (const State* start = line().start.get()) {
    sim_.SetState(TakenOver(*start, start->step));
  } else {
    sim_.Reset();
  }
  RecordStart();
}

void Track::RecordStart() {
  TrackLine& line = present();
  line.fork_step = line.end_step = sim_.step();
  line.log = StateLog();
  line.log.Reserve(sim_.state());
  events_.Begin(sim_);
  Record(true);
}

void Track::Record(bool flagged) {
  if (history_) history_->Append(sim_.now(), sim_.time(), flagged);
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
    TrackLine& line = present();
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
  TrackLine& line = present();
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

Config Track::ConfigAt(int64_t step) const {
  Config config = lines_[path_.front()].config;
  for (std::size_t j = 0; j < path_.size(); ++j) {
    const int64_t end =
        j + 1 < path_.size() ? std::min(step, lines_[path_[j + 1]].fork_step) : step;
    for (const JournalEntry& entry : lines_[path_[j]].entries) {
      if (entry.step >= end) break;
      static_cast<void>(ApplyToConfig(entry.change, &config));  // it was accepted then
    }
  }
  return config;
}

std::vector<Track::MethodSpan> Track::MethodsOn(std::span<const std::size_t> path) const {
  std::vector<MethodSpan> spans = {{kBeforeAll, lines_[path.front()].config.method()}};
  for (std::size_t j = 0; j < path.size(); ++j) {
    const bool last = j + 1 == path.size();
    for (const JournalEntry& entry : lines_[path[j]].entries) {
      if (!last && entry.step >= lines_[path[j + 1]].fork_step) break;
      const auto* param = std::get_if<ParamChange>(&entry.change);
      if (param != nullptr && param->path == kMethodParam)
        spans.push_back({entry.step, static_cast<MethodId>(param->value)});
    }
  }
  return spans;
}

void Track::SeekTo(double time) {
  const double h = sim_.config().step.time_step;
  const std::size_t i = history_->Find(time + 1e-6 * h);
  history_->Load(i, &scratch_);
  sim_.Restore(scratch_, ConfigAt(history_->step(i)));
  MakeAgain(i, time);
}

// Steps that were dropped for want of room are made again from the one before: the same bits. Where
// the state was replaced between them, or they are many, the kept one must do.
void Track::MakeAgain(std::size_t i, double time) {
  if (i + 1 >= history_->size()) return;
  const int64_t first = history_->step(i);
  const int64_t next = history_->step(i + 1);
  const double most =
      std::min(static_cast<double>(kMostAgain), kLongestAgain / std::max(step_us_, 1.0));
  for (int64_t step = first; step + 1 < next && static_cast<double>(step - first) < most; ++step) {
    if (sim_.time() + (1 - 1e-6) * sim_.config().step.time_step > time) return;
    if (MakeChangesAt(step) && Advanced(sim_.Step())) continue;
    sim_.Restore(scratch_, ConfigAt(first));
    return;
  }
}

// What was changed between this step and the next; false where the state itself was.
bool Track::MakeChangesAt(int64_t step) {
  for (std::size_t j = 0; j < path_.size(); ++j) {
    if (j + 1 < path_.size() && step >= lines_[path_[j + 1]].fork_step) continue;
    for (const JournalEntry& entry : lines_[path_[j]].entries) {
      if (entry.step != step) continue;
      if (std::holds_alternative<StateChange>(entry.change)) return false;
      static_cast<void>(Make(entry.change));  // it was accepted then
    }
  }
  return true;
}

void Track::CatchUp() {
  for (const JournalEntry& entry : line().entries) {
    if (entry.step == sim_.step()) static_cast<void>(Make(entry.change));
  }
  // it says again why it stands
  if (line().stands) AdvanceTo({.most = 1});
}

// Place on the path of the line that made the step.
std::size_t Track::OwnerOf(int64_t step) const {
  std::size_t j = path_.size() - 1;
  while (j > 0 && step <= lines_[path_[j]].fork_step) --j;
  return j;
}

// Takes the steps after this one out of the history and gives them to the lines that made them.
void Track::ParkAfter(int64_t step) {
  if (!history_) return;
  for (std::size_t j = path_.size(); j-- > 0;) {
    TrackLine& line = lines_[path_[j]];
    const int64_t first = j == 0 ? kBeforeAll : line.fork_step;
    TimelinePart part = history_->TakeAfter(std::max(step, first));
    if (part.size() > 0) line.parked.insert(line.parked.begin(), std::move(part));
    if (first <= step) break;
  }
}

// The history of the path, from what its lines have put aside.
void Track::Unpark() {
  for (std::size_t j = 0; j < path_.size(); ++j) {
    const bool last = j + 1 == path_.size();
    const int64_t end = last ? std::numeric_limits<int64_t>::max() : lines_[path_[j + 1]].fork_step;
    std::vector<TimelinePart> stays;
    for (TimelinePart& part : lines_[path_[j]].parked) {
      history_->AppendPart(part, kBeforeAll, end);
      if (TimelinePart rest = std::move(part).After(end); rest.size() > 0)
        stays.push_back(std::move(rest));
    }
    lines_[path_[j]].parked = std::move(stays);
  }
}

void Track::Fork(int branch) {
  const int64_t step = sim_.step();
  const std::size_t owner = OwnerOf(step);
  ParkAfter(step);
  path_.resize(owner + 1);
  TrackLine line{.branch = branch,
                 .parent = static_cast<int>(path_.back()),
                 .fork_step = step,
                 .config = sim_.config(),
                 .end_step = step};
  line.log.Reserve(sim_.state());
  lines_.push_back(std::move(line));
  path_.push_back(lines_.size() - 1);
}

void Track::Restart(int branch) {
  Config config = sim_.config();
  config.grab = Grab{};
  if (Untouched()) {
    // nothing to keep: the same line again
    if (history_) history_->Clear();
    present() = TrackLine{.branch = branch, .config = config};
    sim_.SetConfig(config);
    MakeStart();
  } else {
    StartAgain(config, branch);
  }
}

void Track::StartAgain(const Config& config, int branch) {
  ParkAfter(kBeforeAll);
  lines_.push_back({.branch = branch, .config = config});
  path_ = {lines_.size() - 1};
  sim_.SetConfig(config);
  MakeStart();
}

bool Track::Untouched() const { return line().parent < 0 && line().end_step == line().fork_step; }

// Lines from the first to that of the branch; none when it has no part in it.
std::vector<std::size_t> Track::PathTo(int branch) const {
  std::vector<std::size_t> path;
  const auto found = std::find_if(lines_.begin(), lines_.end(),
                                  [branch](const TrackLine& l) { return l.branch == branch; });
  if (found == lines_.end()) return path;
  for (int at = static_cast<int>(found - lines_.begin()); at >= 0; at = At(lines_, at).parent) {
    path.insert(path.begin(), static_cast<std::size_t>(at));
  }
  return path;
}

// Follows the line of a branch from the start; the history is that of the path.
bool Track::SetPath(int branch) {
  std::vector<std::size_t> path = PathTo(branch);
  if (path.empty()) return false;
  ParkAfter(kBeforeAll);
  path_ = std::move(path);
  if (history_) {
    history_.emplace(history_bytes_);
    Unpark();
  }
  events_.Begin(sim_);
  return true;
}

bool Track::GoTo(int branch) {
  if (!history_ || !SetPath(branch)) return false;
  history_->Load(history_->size() - 1, &scratch_);
  sim_.Restore(scratch_, ConfigAt(scratch_.state.step));
  CatchUp();
  return true;
}

bool Track::ForkFrom(int parent, const StepRecord& record, int branch) {
  if (!SetPath(parent)) return false;
  sim_.Restore(record, ConfigAt(record.state.step));
  Fork(branch);
  return true;
}

void Track::Park() {
  ParkAfter(kBeforeAll);
  if (history_) history_.emplace(0);  // its room goes back
}

std::size_t Track::parked_bytes() const {
  std::size_t bytes = 0;
  for (const TrackLine& line : lines_) {
    for (const TimelinePart& part : line.parked) bytes += part.bytes();
  }
  return bytes;
}

bool Track::ThinParked() {
  bool thinned = false;
  for (TrackLine& line : lines_) {
    for (TimelinePart& part : line.parked) thinned = part.Thin() || thinned;
  }
  return thinned;
}

// The last step of a line, where it is still known.
std::optional<StepRecord> Track::EndOf(const TrackLine& line) const {
  StepRecord record;
  if (sim_.step() == line.end_step && &line == &lines_[path_.back()]) return sim_.now();
  if (!line.parked.empty() && line.parked.back().size() > 0) {
    const TimelinePart& part = line.parked.back();
    part.Load(part.size() - 1, &record);
    if (record.state.step == line.end_step) return record;
  }
  for (std::size_t i = history_ ? history_->size() : 0; i-- > 0;) {
    if (history_->step(i) > line.end_step) continue;
    if (history_->step(i) < line.end_step) break;
    history_->Load(i, &record);
    return record;
  }
  return std::nullopt;
}

std::vector<TrackLine> Track::Lines() const {
  std::vector<TrackLine> lines;
  for (const TrackLine& line : lines_) {
    TrackLine copy{.branch = line.branch,
                   .parent = line.parent,
                   .fork_step = line.fork_step,
                   .config = line.config,
                   .start = line.start,
                   .entries = line.entries,
                   .log = line.log,
                   .end_step = line.end_step,
                   .stands = line.stands};
    if (line.end_step > line.fork_step) {
      if (const auto end = EndOf(line)) copy.log.AddLast(end->state);
    }
    lines.push_back(std::move(copy));
  }
  return lines;
}

}  // namespace slip
