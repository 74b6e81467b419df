// The branches of a session: where each one left another, its name, how much of it is kept in
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/run/channels/channels.h"
#include "engine/run/record/recording.h"
#include "engine/run/track/branch_info.h"
#include "engine/scene/scene.h"
#include "engine/sim/snapshot.h"

namespace slip {

/// From its fork on.
struct Branch {
  int parent = -1;
  double fork_time = 0;  ///< [s]
  std::shared_ptr<const Scene> scene;
  std::shared_ptr<const Model> model;
  Channels::List channels;
  bool rebuilt = false;  ///< it began with another number of bodies
  uint64_t id = 0;       ///< never given again
  double end_time = 0;   ///< where it was left [s]
  std::string name = {};
  bool dropped = false;
};

class Branches {
 public:
  /// Memory for the history of all of them.
  explicit Branches(std::size_t budget_bytes) : budget_(budget_bytes) {}

  /// Numbers of branches are places in the order in which they began.
  int present() const { return present_; }
  int count() const { return static_cast<int>(branches_.size()); }
  /// There is such a branch, and it was not dropped.
  bool Has(int which) const;
  const Branch& at(int which) const { return At(branches_, which); }
  /// The number of the one with this id; -1 = none.
  int Find(uint64_t id) const;
  /// The present branch or one that it comes from: the one that ran at this time.
  int AncestorAt(double time) const;

  /// It begins behind all others and becomes the present one.
  void Open(Branch branch);
  /// The channels of the present one, which may come later than it began.
  void SetChannels(Channels::List channels);
  void MarkRebuilt() { branches_.back().rebuilt = true; }
  /// Removes the present branch if it is the last one and only began because the number of bodies
  /// changed; false if it is not such a branch.
  bool TakeBackRebuilt();
  /// Remembers where the present one ends: while its history is that of the channels.
  void Leave(const Channels& channels);
  void GoTo(int to);
  /// Another session.
  void Clear();

  /// A channel that some branch will have.
  std::shared_ptr<Track> Take(Track track);
  /// A channel that left the present branch goes, unless others have it.
  void Forget(const std::shared_ptr<Track>& gone);

  void Name(int which, const std::string& name);
  /// Why it is not dropped, and stays; empty when it is dropped.
  std::string Drop(int which);
  void Keep(int which);
  /// The history of those that were dropped goes.
  void FreeDropped();
  std::size_t budget() const { return budget_; }
  std::size_t HistoryBytes() const;
  /// Thins the history of other branches where memory runs short.
  void HoldBudget();

  /// The list for snapshots; made again after a change.
  std::shared_ptr<const std::vector<BranchInfo>> Tree(const Channels& channels) const;
  void RenewTree() { tree_.reset(); }
  /// Branches from the start to the present one.
  std::vector<BranchSpan> Path() const;

  Recording Record(double time) const;
  /// The branches of a recording replace those of the session; none of them is the present one.
  /// `tracks` has the channels by their numbers in the recording.
  void Adopt(const Recording& recording, std::vector<Track> tracks, const StopPoll& stop);

 private:
  Branch& Mutable(int which) { return At(branches_, which); }
  std::string WhyKept(int which) const;
  std::vector<BranchInfo> MakeTree(const Channels& channels) const;

  std::size_t budget_;
  std::vector<Branch> branches_;
  Channels::List pool_;  // channels of all branches; places in it number them
  int present_ = 0;
  uint64_t next_id_ = 1;
  mutable std::shared_ptr<const std::vector<BranchInfo>> tree_;  // null when it has to be made anew
};

}  // namespace slip
