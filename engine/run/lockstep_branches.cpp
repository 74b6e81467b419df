// Lockstep: other futures are kept, gone back to, and make room for the present one.
#include <algorithm>

#include "engine/run/lockstep.h"

namespace slip {

void Lockstep::ParkOthers(const std::vector<std::shared_ptr<Channel>>& stay) {
  for (const auto& channel : channels) {
    if (std::find(stay.begin(), stay.end(), channel) == stay.end()) channel->track.Park();
  }
}

bool Lockstep::HasBranch(int which) const {
  return which >= 0 && which < static_cast<int>(branches.size()) &&
         !branches[static_cast<std::size_t>(which)].dropped;
}

void Lockstep::LeaveBranch() {
  if (!HasBranch(branch) || channels.empty()) return;
  branches[static_cast<std::size_t>(branch)].end_time = HistoryEnd();
}

Branch& Lockstep::OpenBranch(int parent, double fork_time) {
  tree_.reset();
  branch = static_cast<int>(branches.size());
  branches.push_back({.parent = parent,
                      .fork_time = fork_time,
                      .scene = scene,
                      .model = model,
                      .channels = channels,
                      .id = next_id_++});
  return branches.back();
}

void Lockstep::ShowBranch(double time) {
  tree_.reset();
  trace.reset();
  live = true;
  mark_step = 0;
  SetMarkTime(time);
  UpdateMarks();
  HoldBudget();
}

void Lockstep::Fork() {
  if (live) return;
  live = true;
  trace.reset();  // the steps that come may have the numbers of those that go
  const double time = MarkTime();
  // the one that came by here
  int parent = branch;
  while (branches[static_cast<std::size_t>(parent)].parent >= 0 &&
         time <= branches[static_cast<std::size_t>(parent)].fork_time) {
    parent = branches[static_cast<std::size_t>(parent)].parent;
  }
  LeaveBranch();
  OpenBranch(parent, time);
  for (auto& channel : channels) {
    if (!channel->begun) continue;
    channel->track.Fork(branch);
    // the hand that pulled then has let go since
    if (channel->sim().config().grab.body >= 0) static_cast<void>(channel->track.Apply(Grab{}));
  }
  EmitItem(TruncateSamples{time});
  const auto begun = std::find_if(channels.begin(), channels.end(),
                                  [](const auto& channel) { return channel->begun; });
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (channels[c]->begun) continue;
    Config config = channels[c]->sim().config();
    config.grab = Grab{};
    channels[c]->track.Park();
    channels[c]->begun = true;  // on the branches that it stays on
    channels[c] = MakeFrom(config, (*begun)->sim());
    EmitSample(static_cast<int>(c));
    Emit(*BeginOf(static_cast<int>(c)));
  }
  branches.back().channels = channels;
  HoldBudget();
}

void Lockstep::GoTo(int to) {
  if (!HasBranch(to)) return;
  if (to == branch) {
    if (!live) SeekTo(HistoryEnd());
    return;
  }
  LeaveBranch();
  const Branch& next = branches[static_cast<std::size_t>(to)];
  ParkOthers(next.channels);
  branch = to;
  channels = next.channels;
  scene = next.scene;
  model = next.model;
  for (auto& channel : channels) {
    channel->track.GoTo(to);
    channel->begun = true;
  }
  ShowBranch(LatestTime());
  EmitRestart();
  EmitPast();
  Emit({.time = MarkTime(), .item = BranchShown{to}});
}

std::size_t Lockstep::HistoryBytes() const {
  std::size_t bytes = 0;
  for (const auto& channel : pool)
    bytes += channel->track.history().bytes() + channel->track.parked_bytes();
  return bytes;
}

// What other branches recorded makes room for the present one.
void Lockstep::HoldBudget() {
  if (HistoryBytes() > budget) FreeDropped();
  while (HistoryBytes() > budget) {
    tree_.reset();
    bool thinned = false;
    for (const auto& channel : pool) thinned = channel->track.ThinParked() || thinned;
    if (!thinned) return;
  }
}

}  // namespace slip
