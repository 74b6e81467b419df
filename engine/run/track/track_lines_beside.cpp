// TrackLines: what was recorded on other ways than the present one, and what that takes.
#include <algorithm>

#include "engine/run/track/track_lines.h"

namespace slip {
namespace {

/// So many recorded steps have numbers up to this one.
std::size_t CountUpTo(const Timeline& history, int64_t step) {
  std::size_t first = 0, last = history.size();
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (history.step(middle) <= step) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

}  // namespace

// Of what the lines of a path have put aside, the steps that lie on it.
void TrackLines::VisitParked(
    std::span<const std::size_t> path,
    const std::function<void(const TimelinePart&, std::size_t)>& visit) const {
  for (std::size_t j = 0; j < path.size(); ++j) {
    const int64_t end =
        j + 1 < path.size() ? lines_[path[j + 1]].fork_step : std::numeric_limits<int64_t>::max();
    for (const TimelinePart& part : lines_[path[j]].parked) {
      for (std::size_t i = 0; i < part.size() && part.step(i) <= end; ++i) visit(part, i);
    }
  }
}

std::optional<std::size_t> TrackLines::FindShared(std::span<const std::size_t> path) const {
  const auto [other, present] = std::mismatch(path.begin(), path.end(), path_.begin(), path_.end());
  // a channel that is put aside has no history
  if (other == path.begin() || !history_ || history_->empty()) return std::nullopt;
  int64_t last = std::numeric_limits<int64_t>::max();
  if (other != path.end()) last = std::min(last, lines_[*other].fork_step);
  if (present != path_.end()) last = std::min(last, lines_[*present].fork_step);
  const std::size_t shared = CountUpTo(*history_, last);
  return shared > 0 ? std::optional(shared - 1) : std::nullopt;
}

std::size_t TrackLines::CountBeside(int branch) const {
  const std::vector<std::size_t> path = PathTo(branch);
  std::size_t count = FindShared(path) ? 1 : 0;
  VisitParked(path, [&](const TimelinePart&, std::size_t) { ++count; });
  return count;
}

void TrackLines::VisitBeside(int branch, const VisitRecord& visit) const {
  const std::vector<std::size_t> path = PathTo(branch);
  if (path.empty()) return;
  const std::vector<MethodSpan> methods = MethodsOn(path);
  StepRecord record;
  const auto tell = [&](double time) {
    const auto made = std::find_if(methods.rbegin(), methods.rend(), [&](const MethodSpan& span) {
      return span.after < record.state.step;
    });
    visit(record, time, made->method);
  };
  if (const auto shared = FindShared(path)) {
    history_->Load(*shared, &record);
    tell(history_->time(*shared));
  }
  VisitParked(path, [&](const TimelinePart& part, std::size_t i) {
    part.Load(i, &record);
    tell(part.time(i));
  });
}

TrackLines::Beside TrackLines::FindBeside(int branch, double time, double late,
                                          StepRecord* record) const {
  const std::vector<std::size_t> path = PathTo(branch);
  Beside found;
  if (path.empty()) return found;
  if (const auto shared = FindShared(path)) {
    found.shared_until = found.end = history_->time(*shared);
    found.place = GhostRun::Place::kShared;
  }
  const TimelinePart* part_there = nullptr;
  std::size_t i_there = 0;
  for (std::size_t j = 0; j < path.size(); ++j) {
    const int64_t end =
        j + 1 < path.size() ? lines_[path[j + 1]].fork_step : std::numeric_limits<int64_t>::max();
    for (const TimelinePart& part : lines_[path[j]].parked) {
      const std::size_t here = part.CountUpTo(end);
      if (here == 0) continue;
      found.end = part.time(here - 1);
      const std::size_t before = std::min(here, part.CountBefore(time));
      if (before == 0) continue;
      part_there = &part;
      i_there = before - 1;
    }
  }
  if (part_there == nullptr) return found;
  found.place = time > found.end + late ? GhostRun::Place::kOver : GhostRun::Place::kApart;
  if (found.place == GhostRun::Place::kApart) part_there->Load(i_there, record);
  return found;
}

void TrackLines::Forget(int branch) {
  for (TrackLine& line : lines_) {
    if (line.branch != branch) continue;
    const int parent = line.parent;
    line = TrackLine{.branch = -1, .parent = parent};
  }
}

std::size_t TrackLines::BytesOf(int branch) const {
  std::size_t bytes = 0;
  for (const TrackLine& line : lines_) {
    if (line.branch != branch) continue;
    for (const TimelinePart& part : line.parked) bytes += part.bytes();
  }
  if (!history_ || history_->empty()) return bytes;
  // its share of the present path by the number of steps
  for (std::size_t j = 0; j < path_.size(); ++j) {
    if (lines_[path_[j]].branch != branch) continue;
    const int64_t first = j == 0 ? std::numeric_limits<int64_t>::min() : lines_[path_[j]].fork_step;
    const int64_t last =
        j + 1 < path_.size() ? lines_[path_[j + 1]].fork_step : std::numeric_limits<int64_t>::max();
    const std::size_t count = CountUpTo(*history_, last) - CountUpTo(*history_, first);
    bytes += history_->bytes() * count / history_->size();
  }
  return bytes;
}

}  // namespace slip
