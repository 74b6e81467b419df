// Branches: what was changed on each, as the tree shows it.
#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/run/scope/branches.h"

namespace slip {
namespace {

/// A parameter that was changed on a line, when last, and whether steps were made while it was
/// otherwise than before.
struct NotedChange {
  BranchChange change;
  int64_t step = 0;
  bool made_steps = false;
};

void NoteChange(const BranchChange& change, int64_t step, std::vector<NotedChange>* noted) {
  const auto found = std::find_if(noted->begin(), noted->end(), [&](const NotedChange& n) {
    return n.change.path == change.path;
  });
  if (found == noted->end()) {
    noted->push_back({change, step});
    return;
  }
  NotedChange& n = *found;
  n.made_steps = n.made_steps || (step > n.step && n.change.to != n.change.from);
  n.change.to = change.to;
  n.step = step;
}

/// What the line has otherwise than its scene's own knobs, where those are given, and what was
/// changed on it. What came back to where it was is no change, but goes to `set_back` where steps
/// were made meanwhile.
std::vector<BranchChange> ChangesOf(int channel, const TrackLine& line, const Config* own,
                                    std::vector<std::string>* set_back) {
  std::vector<NotedChange> noted;
  Config config = line.config;
  const bool otherwise = own != nullptr && !(*own == config);
  for (const ParamEntry& param : otherwise ? ListParams(config) : std::vector<ParamEntry>()) {
    const auto from = GetParam(*own, param.path), to = GetParam(config, param.path);
    if (from && to && *from != *to)
      NoteChange({channel, param.path, *from, *to}, line.fork_step, &noted);
  }
  for (const JournalEntry& entry : line.entries) {
    const auto* param = std::get_if<ParamChange>(&entry.change);
    const std::optional<double> from =
        param != nullptr ? GetParam(config, param->path) : std::nullopt;
    static_cast<void>(ApplyToConfig(entry.change, &config));  // it was accepted then
    if (from) NoteChange({channel, param->path, *from, param->value}, entry.step, &noted);
  }
  std::vector<BranchChange> changes;
  for (const NotedChange& n : noted) {
    if (n.change.from != n.change.to) {
      changes.push_back(n.change);
    } else if (n.made_steps &&
               std::find(set_back->begin(), set_back->end(), n.change.path) == set_back->end()) {
      set_back->push_back(n.change.path);
    }
  }
  return changes;
}

/// Those that all channels have are told once.
std::vector<BranchChange> Merge(std::vector<std::vector<BranchChange>> channels) {
  std::vector<BranchChange> merged;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    for (BranchChange change : channels[c]) {
      const auto has = [&](const std::vector<BranchChange>& list) {
        return std::any_of(list.begin(), list.end(), [&](const BranchChange& other) {
          return other.path == change.path && other.from == change.from && other.to == change.to;
        });
      };
      if (std::all_of(channels.begin(), channels.end(), has)) {
        if (c > 0) continue;
        change.channel = -1;
      }
      merged.push_back(std::move(change));
    }
  }
  return merged;
}

/// What was done on the branch of this number, channel by channel.
void AddChanges(const Branch& branch, int number, BranchInfo* info) {
  std::vector<std::vector<BranchChange>> changes;
  for (std::size_t c = 0; c < branch.channels.size(); ++c) {
    const std::vector<TrackLine>& lines = branch.channels[c]->lines().all();
    const auto line = std::find_if(lines.begin(), lines.end(),
                                   [&](const TrackLine& l) { return l.branch == number; });
    if (line == lines.end()) continue;
    const bool begins = line->parent < 0;
    info->added += begins && line->start != nullptr ? 1 : 0;
    const std::vector<ChannelSpec>& specs = branch.scene->channels;
    const bool of_scene = begins && line->start == nullptr && c < specs.size() && branch.parent < 0;
    changes.push_back(ChangesOf(static_cast<int>(c), *line, of_scene ? &specs[c].config : nullptr,
                                &info->set_back));
    for (const JournalEntry& entry : line->entries) {
      const auto* grab = std::get_if<Grab>(&entry.change);
      info->pulled = info->pulled || (grab != nullptr && grab->body >= 0);
      info->resynced = info->resynced || std::holds_alternative<StateChange>(entry.change);
    }
  }
  info->changes = Merge(std::move(changes));
}

}  // namespace

std::shared_ptr<const std::vector<BranchInfo>> Branches::Tree(const Channels& channels) const {
  if (tree_ == nullptr) tree_ = std::make_shared<const std::vector<BranchInfo>>(MakeTree(channels));
  return tree_;
}

std::vector<BranchInfo> Branches::MakeTree(const Channels& channels) const {
  std::vector<BranchInfo> tree;
  for (int b = 0; b < count(); ++b) {
    const Branch& one = at(b);
    BranchInfo& info = tree.emplace_back();
    info.id = one.id;
    info.parent = one.parent;
    info.fork_time = one.fork_time;
    info.end_time = b == present_ ? channels.HistoryEnd() : one.end_time;
    info.name = one.name;
    info.dropped = one.dropped;
    for (const auto& track : pool_) info.bytes += track->lines().BytesOf(b);
    AddChanges(one, b, &info);
  }
  return tree;
}

std::vector<BranchSpan> Branches::Path() const {
  std::vector<BranchSpan> way;
  double until = kInfinity;
  for (int b = branches_.empty() ? -1 : present_; b >= 0; b = at(b).parent) {
    way.insert(way.begin(), {b, until});
    until = at(b).fork_time;
  }
  return way;
}

}  // namespace slip
