#include "engine/run/record/recording.h"

#include <algorithm>

#include "engine/core/numbers.h"

namespace slip {

int CountBranches(const Recording& recording) {
  return static_cast<int>(
      std::count_if(recording.branches.begin(), recording.branches.end(),
                    [](const RecordedBranch& branch) { return !branch.dropped; }));
}

std::vector<RecordedPath> PathsOf(const Recording& recording, int branch) {
  const auto at = [&](int b) -> const RecordedBranch& { return At(recording.branches, b); };
  std::vector<RecordedPath> paths;
  for (const RecordedLine& tip : at(branch).lines) {
    if (tip.gone) continue;
    // from the tip to the line that has no parent
    std::vector<const TrackLine*> lines = {&tip.line};
    while (lines.front()->parent >= 0) {
      const auto& of_parent = at(lines.front()->parent).lines;
      const auto parent = std::find_if(of_parent.begin(), of_parent.end(), [&](const auto& line) {
        return line.channel == tip.channel;
      });
      lines.insert(lines.begin(), &parent->line);
    }
    RecordedPath path;
    path.config = lines.front()->config;
    path.start = lines.front()->start;
    path.end_step = tip.line.end_step;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (const JournalEntry& entry : lines[i]->entries) {
        if (i + 1 < lines.size() && entry.step >= lines[i + 1]->fork_step) break;
        path.entries.push_back(entry);
      }
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

namespace {

/// The time of a path's steps.
class PathClock {
 public:
  explicit PathClock(const RecordedPath& path) : config_(path.config) {
    if (path.start == nullptr) return;
    state_.step = state_.step_base = path.start->step;
    state_.time_base = path.start->time_base;
  }
  double At(int64_t step) {
    state_.step = step;
    return state_.Time(config_.step.time_step);
  }
  const Config& config() const { return config_; }
  void Pass(const JournalEntry& entry) {
    const double time = At(entry.step), before = config_.step.time_step;
    if (const auto* taken = std::get_if<StateChange>(&entry.change)) {
      state_.time_base = taken->state->time_base;
      state_.step_base = entry.step + 1;
    }
    static_cast<void>(ApplyToConfig(entry.change, &config_));  // it was accepted then
    if (config_.step.time_step == before) return;
    state_.time_base = time;
    state_.step_base = entry.step;
  }

 private:
  Config config_;
  State state_;  // of its numbers only those of the time count
};

}  // namespace

std::vector<TimedEntry> WithTimes(const RecordedPath& path) {
  std::vector<TimedEntry> timed;
  PathClock clock(path);
  for (const JournalEntry& entry : path.entries) {
    TimedEntry& item = timed.emplace_back();
    item.time = clock.At(entry.step);
    item.entry = entry;
    if (const auto* param = std::get_if<ParamChange>(&entry.change))
      item.from = GetParam(clock.config(), param->path).value_or(0);
    clock.Pass(entry);
  }
  return timed;
}

double EndTime(const RecordedPath& path) {
  PathClock clock(path);
  for (const JournalEntry& entry : path.entries) clock.Pass(entry);
  return clock.At(path.end_step);
}

Recording RecordTracks(const std::shared_ptr<const Scene>& scene,
                       const std::vector<Track>& tracks) {
  Recording recording;
  RecordedBranch& branch = recording.branches.emplace_back();
  branch.scene = scene;
  for (std::size_t c = 0; c < tracks.size(); ++c) {
    const Track& track = tracks[c];
    branch.lines.push_back(
        {static_cast<int>(c), track.lines().WithEnds(track.sim().state()).front()});
    recording.time = std::max(recording.time, track.sim().time());
  }
  return recording;
}

}  // namespace slip
