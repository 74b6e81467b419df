#include "engine/run/track/track_lines.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr int64_t kBeforeAll = std::numeric_limits<int64_t>::min();

}  // namespace

TrackLines::TrackLines(TrackLine first, std::size_t history_bytes) : history_bytes_(history_bytes) {
  if (history_bytes_ > 0) history_.emplace(history_bytes_);
  lines_.push_back(std::move(first));
  path_ = {0};
}

Config TrackLines::ConfigAt(int64_t step) const {
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

// Those of the line that made the step after it.
std::vector<const Change*> TrackLines::ChangesAt(int64_t step) const {
  std::vector<const Change*> changes;
  for (std::size_t j = 0; j < path_.size(); ++j) {
    if (j + 1 < path_.size() && step >= lines_[path_[j + 1]].fork_step) continue;
    for (const JournalEntry& entry : lines_[path_[j]].entries) {
      if (entry.step == step) changes.push_back(&entry.change);
    }
  }
  return changes;
}

std::vector<TrackLines::MethodSpan> TrackLines::MethodsOn(std::span<const std::size_t> path) const {
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

bool TrackLines::Untouched() const {
  return present().parent < 0 && present().end_step == present().fork_step;
}

void TrackLines::Start(const State& state) {
  TrackLine& line = present();
  line.fork_step = line.end_step = state.step;
  line.log = StateLog();
  line.log.Reserve(state);
}

void TrackLines::Record(const StepRecord& record, double time, bool flagged) {
  history_->Append(record, time, flagged);
}

void TrackLines::Replace(TrackLine line) {
  if (history_) history_->Clear();
  present() = std::move(line);
}

void TrackLines::Add(TrackLine line) {
  ParkAfter(kBeforeAll);
  lines_.push_back(std::move(line));
  path_ = {lines_.size() - 1};
}

// Place on the path of the line that made the step.
std::size_t TrackLines::OwnerOf(int64_t step) const {
  std::size_t j = path_.size() - 1;
  while (j > 0 && step <= lines_[path_[j]].fork_step) --j;
  return j;
}

// Takes the steps after this one out of the history and gives them to the lines that made them.
void TrackLines::ParkAfter(int64_t step) {
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
void TrackLines::Unpark() {
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

void TrackLines::Fork(int branch, const Config& config, const State& state) {
  const std::size_t owner = OwnerOf(state.step);
  ParkAfter(state.step);
  path_.resize(owner + 1);
  TrackLine line{.branch = branch,
                 .parent = static_cast<int>(path_.back()),
                 .fork_step = state.step,
                 .config = config,
                 .end_step = state.step};
  line.log.Reserve(state);
  lines_.push_back(std::move(line));
  path_.push_back(lines_.size() - 1);
}

// Lines from the first to that of the branch; none when it has no part in it.
std::vector<std::size_t> TrackLines::PathTo(int branch) const {
  std::vector<std::size_t> path;
  const auto found = std::find_if(lines_.begin(), lines_.end(),
                                  [branch](const TrackLine& l) { return l.branch == branch; });
  if (found == lines_.end()) return path;
  for (int at = static_cast<int>(found - lines_.begin()); at >= 0; at = At(lines_, at).parent) {
    path.insert(path.begin(), static_cast<std::size_t>(at));
  }
  return path;
}

bool TrackLines::Follow(int branch) {
  std::vector<std::size_t> path = PathTo(branch);
  if (path.empty()) return false;
  ParkAfter(kBeforeAll);
  path_ = std::move(path);
  if (history_) {
    history_.emplace(history_bytes_);
    Unpark();
  }
  return true;
}

void TrackLines::Park() {
  ParkAfter(kBeforeAll);
  if (history_) history_.emplace(0);  // its room goes back
}

std::size_t TrackLines::parked_bytes() const {
  std::size_t bytes = 0;
  for (const TrackLine& line : lines_) {
    for (const TimelinePart& part : line.parked) bytes += part.bytes();
  }
  return bytes;
}

bool TrackLines::ThinParked() {
  bool thinned = false;
  for (TrackLine& line : lines_) {
    for (TimelinePart& part : line.parked) thinned = part.Thin() || thinned;
  }
  return thinned;
}

// The last state of a line, where it is still known.
std::optional<State> TrackLines::EndOf(const TrackLine& line, const State& now) const {
  if (now.step == line.end_step && &line == &present()) return now;
  StepRecord record;
  if (!line.parked.empty() && line.parked.back().size() > 0) {
    const TimelinePart& part = line.parked.back();
    part.Load(part.size() - 1, &record);
    if (record.state.step == line.end_step) return record.state;
  }
  for (std::size_t i = history_ ? history_->size() : 0; i-- > 0;) {
    if (history_->step(i) > line.end_step) continue;
    if (history_->step(i) < line.end_step) break;
    history_->Load(i, &record);
    return record.state;
  }
  return std::nullopt;
}

std::vector<TrackLine> TrackLines::WithEnds(const State& now) const {
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
      if (const auto end = EndOf(line, now)) copy.log.AddLast(*end);
    }
    lines.push_back(std::move(copy));
  }
  return lines;
}

}  // namespace slip
