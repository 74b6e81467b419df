// Branches: they are written down, and come from a record.
#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/run/scope/branches.h"

namespace slip {
namespace {

RecordedBranch WithoutLines(const Branch& branch) {
  RecordedBranch recorded;
  recorded.parent = branch.dropped ? -1 : branch.parent;
  recorded.fork_time = branch.fork_time;
  recorded.scene = branch.scene;
  recorded.name = branch.name;
  recorded.dropped = branch.dropped;
  return recorded;
}

}  // namespace

Recording Branches::Record(double time) const {
  Recording recording;
  recording.present = present_;
  recording.time = time;
  for (const Branch& each : branches_) recording.branches.push_back(WithoutLines(each));
  Channels::List told;  // places in it number the channels
  for (const auto& track : pool_) {
    const std::vector<TrackLine> lines = track->lines().WithEnds(track->sim().state());
    bool any = false;
    for (const TrackLine& line : lines) {
      if (!Has(line.branch)) continue;
      any = true;
      RecordedLine item{static_cast<int>(told.size()), line};
      if (line.parent >= 0) item.line.parent = At(lines, line.parent).branch;
      At(recording.branches, line.branch).lines.push_back(std::move(item));
    }
    if (any) told.push_back(track);
  }
  // in the order in which each branch shows them
  for (std::size_t b = 0; b < branches_.size(); ++b) {
    const Channels::List& shown = branches_[b].channels;
    const auto place = [&](const RecordedLine& line) {
      return std::find(shown.begin(), shown.end(), At(told, line.channel)) - shown.begin();
    };
    auto& lines = recording.branches[b].lines;
    for (RecordedLine& line : lines)
      line.gone = place(line) == static_cast<std::ptrdiff_t>(shown.size());
    std::stable_sort(lines.begin(), lines.end(), [&](const RecordedLine& a, const RecordedLine& z) {
      return place(a) < place(z);
    });
  }
  return recording;
}

void Branches::Adopt(const Recording& recording, std::vector<Track> tracks, const StopPoll& stop) {
  Clear();
  for (Track& track : tracks) Take(std::move(track));
  for (const RecordedBranch& each : recording.branches) {
    Branch& one = branches_.emplace_back();
    one.parent = each.parent;
    one.fork_time = each.fork_time;
    one.scene = each.scene;
    one.id = next_id_++;
    one.name = each.name;
    one.dropped = each.dropped;
    for (const RecordedPath& path : PathsOf(recording, count() - 1))
      one.end_time = std::max(one.end_time, EndTime(path));
    for (const RecordedLine& line : each.lines) {
      const auto& track = At(pool_, line.channel);
      one.model = track->model();
      if (!line.gone) one.channels.push_back(track);
    }
  }
  for (const auto& track : pool_) {
    track->Park();
    track->SetStop(stop);
  }
  present_ = -1;
}

}  // namespace slip
