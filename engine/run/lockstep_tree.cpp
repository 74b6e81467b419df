// Lockstep: its branches are listed, named and dropped, and told beside the present one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/run/lockstep.h"

namespace slip {
namespace {

// Of a branch that is drawn beside the present one: more than a screen has columns [samples].
constexpr std::size_t kMostBeside = std::size_t{1} << 14;

/// The least and the most of each signal over successive steps, at the first two of their times: no
/// peak is lost.
class Extremes {
 public:
  void Add(Sample sample) {
    if (count_++ == 0) {
      low_ = sample;
      high_ = std::move(sample);
      return;
    }
    if (count_ == 2) high_.time = sample.time, high_.step = sample.step;
    Widen(sample.values, low_.values, high_.values);
    if (sample.part_values.size() == low_.part_values.size())
      Widen(sample.part_values, low_.part_values, high_.part_values);
  }
  std::size_t count() const { return count_; }
  void Tell(std::vector<Sample>* samples) {
    if (count_ > 0) samples->push_back(std::move(low_));
    if (count_ > 1) samples->push_back(std::move(high_));
    count_ = 0;
  }

 private:
  template <class Values>
  static void Widen(const Values& values, Values& low, Values& high) {
    for (std::size_t k = 0; k < values.size(); ++k) {  // of a gap and a value the value
      low[k] = std::fmin(low[k], values[k]);
      high[k] = std::fmax(high[k], values[k]);
    }
  }

  Sample low_, high_;
  std::size_t count_ = 0;
};

/// Notes that a parameter was changed; what comes back to where it was, was not.
void NoteChange(int channel, const std::string& path, double from, double to,
                std::vector<BranchChange>* changes) {
  const auto found = std::find_if(changes->begin(), changes->end(),
                                  [&](const BranchChange& c) { return c.path == path; });
  if (found == changes->end()) {
    changes->push_back({channel, path, from, to});
  } else {
    found->to = to;
  }
}

/// What the line has otherwise than its scene's own knobs, where those are given, and what was
/// changed on it.
std::vector<BranchChange> ChangesOf(int channel, const TrackLine& line, const Config* own) {
  std::vector<BranchChange> changes;
  Config config = line.config;
  const bool otherwise = own != nullptr && !(*own == config);
  for (const ParamEntry& param : otherwise ? ListParams(config) : std::vector<ParamEntry>()) {
    const auto from = GetParam(*own, param.path), to = GetParam(config, param.path);
    if (from && to && *from != *to) NoteChange(channel, param.path, *from, *to, &changes);
  }
  for (const JournalEntry& entry : line.entries) {
    const auto* param = std::get_if<ParamChange>(&entry.change);
    const std::optional<double> from =
        param != nullptr ? GetParam(config, param->path) : std::nullopt;
    static_cast<void>(ApplyToConfig(entry.change, &config));  // it was accepted then
    if (from) NoteChange(channel, param->path, *from, param->value, &changes);
  }
  std::erase_if(changes, [](const BranchChange& c) { return c.from == c.to; });
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

}  // namespace

std::vector<BranchInfo> Lockstep::MakeTree() const {
  std::vector<BranchInfo> tree;
  for (std::size_t b = 0; b < branches.size(); ++b) {
    const Branch& one = branches[b];
    const int number = static_cast<int>(b);
    BranchInfo& info = tree.emplace_back();
    info.id = one.id;
    info.parent = one.parent;
    info.fork_time = one.fork_time;
    info.end_time = number == branch ? HistoryEnd() : one.end_time;
    info.name = one.name;
    info.dropped = one.dropped;
    for (const auto& channel : pool) info.bytes += channel->track.BytesOf(number);
    std::vector<std::vector<BranchChange>> changes;
    for (std::size_t c = 0; c < one.channels.size(); ++c) {
      const std::vector<TrackLine>& lines = one.channels[c]->track.lines();
      const auto line = std::find_if(lines.begin(), lines.end(),
                                     [&](const TrackLine& l) { return l.branch == number; });
      if (line == lines.end()) continue;
      const bool begins = line->parent < 0;
      info.added += begins && line->start != nullptr ? 1 : 0;
      const bool of_scene =
          begins && line->start == nullptr && c < one.scene->channels.size() && one.parent < 0;
      changes.push_back(ChangesOf(static_cast<int>(c), *line,
                                  of_scene ? &one.scene->channels[c].config : nullptr));
      for (const JournalEntry& entry : line->entries) {
        const auto* grab = std::get_if<Grab>(&entry.change);
        info.pulled = info.pulled || (grab != nullptr && grab->body >= 0);
        info.resynced = info.resynced || std::holds_alternative<StateChange>(entry.change);
      }
    }
    info.changes = Merge(std::move(changes));
  }
  return tree;
}

void Lockstep::NameBranch(int which, const std::string& name) {
  if (!HasBranch(which)) return;
  std::string cut = name.substr(0, kLongestBranchName);
  // not in the middle of a letter
  while (cut.size() < name.size() && !cut.empty() &&
         (static_cast<unsigned char>(name[cut.size()]) & 0xC0u) == 0x80u)
    cut.pop_back();
  branches[static_cast<std::size_t>(which)].name = std::move(cut);
  tree_.reset();
}

std::string Lockstep::WhyKept(int which) const {
  if (which == branch) return "It is the present one.";
  for (std::size_t b = 0; b < branches.size(); ++b) {
    if (branches[b].parent == which && !branches[b].dropped)
      return fmt::format("b{} begins on it.", b + 1);
  }
  return {};
}

void Lockstep::DropBranch(int which) {
  if (!HasBranch(which)) return;
  if (const std::string why = WhyKept(which); !why.empty()) {
    std::string note = fmt::format("Branch b{} was not dropped. {}", which + 1, why);
    return Emit({.time = MarkTime(), .item = Refused{{}, std::move(note)}});
  }
  branches[static_cast<std::size_t>(which)].dropped = true;
  tree_.reset();
}

void Lockstep::KeepBranch(int which) {
  if (which < 0 || which >= static_cast<int>(branches.size())) return;
  Branch& one = branches[static_cast<std::size_t>(which)];
  const bool orphan = one.parent >= 0 && branches[static_cast<std::size_t>(one.parent)].dropped;
  if (one.channels.empty() || orphan) return;
  one.dropped = false;
  tree_.reset();
}

void Lockstep::FreeDropped() {
  for (std::size_t b = 0; b < branches.size(); ++b) {
    if (!branches[b].dropped || branches[b].channels.empty()) continue;
    branches[b].channels.clear();
    for (const auto& channel : pool) channel->track.Forget(static_cast<int>(b));
    tree_.reset();
  }
  // channels of none of the others
  std::erase_if(pool, [this](const std::shared_ptr<Channel>& channel) {
    return std::none_of(branches.begin(), branches.end(), [&](const Branch& one) {
      return std::find(one.channels.begin(), one.channels.end(), channel) != one.channels.end();
    });
  });
}

void Lockstep::AskGhost(int which) {
  ghost = HasBranch(which) ? branches[static_cast<std::size_t>(which)].id : 0;
}

void Lockstep::FillGhost(GhostRun* shown) const {
  const auto found = std::find_if(branches.begin(), branches.end(),
                                  [this](const Branch& one) { return one.id == ghost; });
  const int which = found == branches.end() ? -1 : static_cast<int>(found - branches.begin());
  shown->branch = ghost != 0 && HasBranch(which) && which != branch ? which : -1;
  shown->place = GhostRun::Place::kNone;
  shown->model = nullptr;
  shown->shared_until = shown->end = 0;
  shown->channels.resize(shown->branch < 0 ? 0 : channels.size());
  if (shown->branch < 0) return;
  shown->model = found->model;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    std::vector<BodyFrame>& bodies = shown->channels[c];
    bodies.clear();
    // the same channel where it runs there too, else the one in its place
    auto there = std::find(found->channels.begin(), found->channels.end(), channels[c]);
    if (there == found->channels.end() && c < found->channels.size())
      there = found->channels.begin() + static_cast<std::ptrdiff_t>(c);
    if (there == found->channels.end()) continue;
    const Track::Beside beside =
        (*there)->track.FindBeside(which, MarkTime() + 1e-9, mark_step, &ghost_record_);
    shown->place = std::max(shown->place, beside.place);
    shown->shared_until = std::max(shown->shared_until, beside.shared_until);
    shown->end = std::max(shown->end, beside.end);
    if (beside.place != GhostRun::Place::kApart) continue;
    for (const Pose& pose : ghost_record_.state.X_WB) bodies.push_back({.X_WB = pose});
  }
  // one that goes on says more than one that ended
  if (std::any_of(shown->channels.begin(), shown->channels.end(),
                  [](const auto& bodies) { return !bodies.empty(); }))
    shown->place = GhostRun::Place::kApart;
}

BranchSamples Lockstep::SamplesOf(int which) const {
  BranchSamples told;
  if (!HasBranch(which) || which == branch) return told;
  const Branch& one = branches[static_cast<std::size_t>(which)];
  told.id = one.id;
  told.beside = branches[static_cast<std::size_t>(branch)].id;
  for (std::size_t c = 0; c < one.channels.size(); ++c) {
    const Track& track = one.channels[c]->track;
    const std::size_t count = track.CountBeside(which);
    const std::size_t stride = (count + kMostBeside - 1) / kMostBeside;
    std::size_t i = 0;
    Extremes some;
    track.VisitBeside(which, [&](const StepRecord& record, double time, MethodId method) {
      Sample sample{static_cast<int>(c), record.state.step,   time,
                    record.signals,      record.part_signals, method};
      const std::size_t at = i++;
      // the first and the last as they are, and between them the least and the most of so many
      if (stride > 1 && at > 0 && at + 1 < count) {
        some.Add(std::move(sample));
        if (some.count() == 2 * stride) some.Tell(&told.samples);
        return;
      }
      some.Tell(&told.samples);
      told.samples.push_back(std::move(sample));
    });
  }
  return told;
}

}  // namespace slip
