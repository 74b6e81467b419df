// Lockstep: a branch is told as if it had just happened, is written down, and comes from a record.
#include <algorithm>
#include <cmath>

#include "engine/run/change_events.h"
#include "engine/run/lockstep.h"

namespace slip {
namespace {

/// The entry of another channel that is the same change at the same time.
bool IsSame(const TimedEntry& a, const TimedEntry& b, double tolerance) {
  return a.entry.change == b.entry.change && std::abs(a.time - b.time) <= tolerance;
}

}  // namespace

// All recorded samples of the present branch, and what happened on it.
void Lockstep::EmitPast() {
  StepRecord record;
  std::vector<Event> events;
  std::vector<StepEvents> of_steps(channels.size());
  std::vector<std::vector<Track::MethodSpan>> methods;
  std::size_t longest = 0;
  for (const auto& channel : channels) {
    longest = std::max(longest, channel->track.history().size());
    methods.push_back(channel->track.Methods());
  }
  // all channels side by side, so that their curves grow together
  for (std::size_t i = 0; i < longest; ++i) {
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const Timeline& history = channels[c]->track.history();
      if (i >= history.size()) continue;
      history.Load(i, &record);
      const int64_t step = record.state.step;
      const auto made = std::find_if(methods[c].rbegin(), methods[c].rend(),
                                     [step](const auto& span) { return span.after < step; });
      const Sample item{static_cast<int>(c), step,        history.time(i), record.signals,
                        record.part_signals, made->method};
      EmitItem(item);
      of_steps[c].Take(item.channel, record, item.time, &events);
    }
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (!channels[c]->sim().failure().empty())
      events.push_back(FailureOf(static_cast<int>(c), channels[c]->sim()));
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (const auto begin = BeginOf(static_cast<int>(c))) events.push_back(*begin);
  }
  const Recording all = Record();
  std::vector<std::vector<TimedEntry>> entries;
  for (const RecordedPath& path : PathsOf(all, branch)) entries.push_back(WithTimes(path));
  for (std::size_t c = 0; c < entries.size(); ++c) {
    bool pulled = false;
    for (const TimedEntry& item : entries[c]) {
      // told once of all channels that did the same
      const auto has = [&](const std::vector<TimedEntry>& list) {
        return std::any_of(list.begin(), list.end(), [&](const TimedEntry& other) {
          return IsSame(item, other, 0.5 * mark_step);
        });
      };
      const bool everywhere = std::all_of(entries.begin(), entries.end(), has);
      if (everywhere && c > 0) continue;
      const auto* grab = std::get_if<Grab>(&item.entry.change);
      if (grab != nullptr && c > 0) continue;  // the hand pulls in all channels
      const double from = grab == nullptr ? item.from : pulled ? 1 : 0;
      const auto told = ItemOf(item.entry.change, from, *model);
      if (!told) continue;
      if (grab != nullptr) pulled = grab->body >= 0;
      const int channel = everywhere ? -1 : static_cast<int>(c);
      events.push_back({channel, item.entry.step, item.time, *told});
    }
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.time < b.time; });
  for (const Event& event : events) Emit(event);
}

Recording Lockstep::Record() const {
  Recording recording;
  recording.present = branch;
  recording.time = MarkTime();
  for (const Branch& each : branches) {
    RecordedBranch& branch_out = recording.branches.emplace_back();
    branch_out.parent = each.parent;
    branch_out.fork_time = each.fork_time;
    branch_out.scene = each.scene;
    branch_out.name = each.name;
    branch_out.dropped = each.dropped;
    if (each.dropped) branch_out.parent = -1;
  }
  std::vector<std::shared_ptr<Channel>> told;  // places in it number the channels
  for (const auto& channel : pool) {
    const std::vector<TrackLine> lines = channel->track.Lines();
    bool any = false;
    for (const TrackLine& line : lines) {
      if (!HasBranch(line.branch)) continue;
      any = true;
      RecordedLine item{static_cast<int>(told.size()), line};
      if (line.parent >= 0) item.line.parent = lines[static_cast<std::size_t>(line.parent)].branch;
      recording.branches[static_cast<std::size_t>(line.branch)].lines.push_back(std::move(item));
    }
    if (any) told.push_back(channel);
  }
  // in the order in which each branch shows them
  for (std::size_t b = 0; b < branches.size(); ++b) {
    const auto& shown = branches[b].channels;
    const auto place = [&](const RecordedLine& line) {
      return std::find(shown.begin(), shown.end(), told[static_cast<std::size_t>(line.channel)]) -
             shown.begin();
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

void Lockstep::Adopt(const Recording& recording, std::vector<Track> tracks) {
  channels.clear();
  pool.clear();
  branches.clear();
  for (Track& track : tracks) pool.push_back(std::make_shared<Channel>(Channel{std::move(track)}));
  for (const RecordedBranch& each : recording.branches) {
    Branch& one = branches.emplace_back();
    one.parent = each.parent;
    one.fork_time = each.fork_time;
    one.scene = each.scene;
    one.id = next_id_++;
    one.name = each.name;
    one.dropped = each.dropped;
    for (const RecordedPath& path : PathsOf(recording, static_cast<int>(branches.size()) - 1))
      one.end_time = std::max(one.end_time, EndTime(path));
    for (const RecordedLine& line : each.lines) {
      const auto& channel = pool[static_cast<std::size_t>(line.channel)];
      one.model = channel->track.model();
      if (!line.gone) one.channels.push_back(channel);
    }
  }
  for (const auto& channel : pool) {
    channel->track.Park();
    channel->track.SetStop(stop);
  }
  branch = -1;
  live = true;
  GoTo(recording.present);
}

}  // namespace slip
