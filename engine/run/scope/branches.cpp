#include "engine/run/scope/branches.h"

#include <fmt/format.h>

#include <algorithm>

namespace slip {

bool Branches::Has(int which) const { return which >= 0 && which < count() && !at(which).dropped; }

int Branches::Find(uint64_t id) const {
  const auto found = std::find_if(branches_.begin(), branches_.end(),
                                  [id](const Branch& one) { return one.id == id; });
  return found == branches_.end() ? -1 : static_cast<int>(found - branches_.begin());
}

int Branches::AncestorAt(double time) const {
  int which = present_;
  while (at(which).parent >= 0 && time <= at(which).fork_time) which = at(which).parent;
  return which;
}

void Branches::Open(Branch branch) {
  RenewTree();
  present_ = count();
  branch.id = next_id_++;
  branches_.push_back(std::move(branch));
}

void Branches::SetChannels(Channels::List channels) {
  RenewTree();
  Mutable(present_).channels = std::move(channels);
}

bool Branches::TakeBackRebuilt() {
  if (present_ != count() - 1 || !branches_.back().rebuilt) return false;
  for (const auto& track : branches_.back().channels) std::erase(pool_, track);
  branches_.pop_back();
  return true;
}

void Branches::Leave(const Channels& channels) {
  if (Has(present_) && !channels.empty()) Mutable(present_).end_time = channels.HistoryEnd();
}

void Branches::GoTo(int to) {
  RenewTree();
  present_ = to;
}

void Branches::Clear() {
  RenewTree();
  branches_.clear();
  pool_.clear();
  present_ = 0;
}

std::shared_ptr<Track> Branches::Take(Track track) {
  return pool_.emplace_back(std::make_shared<Track>(std::move(track)));
}

void Branches::Forget(const std::shared_ptr<Track>& gone) {
  const bool elsewhere = std::any_of(branches_.begin(), branches_.end(), [&](const Branch& other) {
    return std::find(other.channels.begin(), other.channels.end(), gone) != other.channels.end();
  });
  if (elsewhere) {
    gone->Park();
  } else {
    std::erase(pool_, gone);
  }
}

void Branches::Name(int which, const std::string& name) {
  if (!Has(which)) return;
  std::string cut = name.substr(0, kLongestBranchName);
  // not in the middle of a letter
  while (cut.size() < name.size() && !cut.empty() &&
         (static_cast<unsigned char>(name[cut.size()]) & 0xC0u) == 0x80u)
    cut.pop_back();
  Mutable(which).name = std::move(cut);
  RenewTree();
}

std::string Branches::WhyKept(int which) const {
  if (which == present_) return "It is the present one.";
  for (int b = 0; b < count(); ++b) {
    if (at(b).parent == which && !at(b).dropped) return fmt::format("b{} begins on it.", b + 1);
  }
  return {};
}

std::string Branches::Drop(int which) {
  if (!Has(which)) return {};
  if (const std::string why = WhyKept(which); !why.empty())
    return fmt::format("Branch b{} was not dropped. {}", which + 1, why);
  Mutable(which).dropped = true;
  RenewTree();
  return {};
}

void Branches::Keep(int which) {
  if (which < 0 || which >= count()) return;
  Branch& one = Mutable(which);
  const bool orphan = one.parent >= 0 && at(one.parent).dropped;
  if (one.channels.empty() || orphan) return;
  one.dropped = false;
  RenewTree();
}

void Branches::FreeDropped() {
  for (int b = 0; b < count(); ++b) {
    if (!at(b).dropped || at(b).channels.empty()) continue;
    Mutable(b).channels.clear();
    for (const auto& track : pool_) track->Forget(b);
    RenewTree();
  }
  // channels of none of the others
  std::erase_if(pool_, [this](const std::shared_ptr<Track>& track) {
    return std::none_of(branches_.begin(), branches_.end(), [&](const Branch& one) {
      return std::find(one.channels.begin(), one.channels.end(), track) != one.channels.end();
    });
  });
}

std::size_t Branches::HistoryBytes() const {
  std::size_t bytes = 0;
  for (const auto& track : pool_) bytes += track->history().bytes() + track->lines().parked_bytes();
  return bytes;
}

void Branches::HoldBudget() {
  if (HistoryBytes() > budget_) FreeDropped();
  while (HistoryBytes() > budget_) {
    RenewTree();
    bool thinned = false;
    for (const auto& track : pool_) thinned = track->ThinParked() || thinned;
    if (!thinned) return;
  }
}

}  // namespace slip
