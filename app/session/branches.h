// The branches of the session for those who show them: names, what each has otherwise, and what is
// said when one begins or is dropped.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/session/branches_along.h"
#include "app/session/messages.h"
#include "engine/run/track/branch_info.h"
#include "engine/sim/snapshot.h"

namespace slip::app {

class Branches {
 public:
  using SendCommand = std::function<void(Command)>;
  using PostMessage = std::function<void(Message)>;
  using RemoveMessage = std::function<void(const std::string& subject)>;
  Branches(SendCommand send, PostMessage post, RemoveMessage remove)
      : send_(std::move(send)),
        post_(std::move(post)),
        remove_(std::move(remove)),
        along_(*this, send_) {}
  Branches(const Branches&) = delete;
  Branches& operator=(const Branches&) = delete;

  /// Once per frame, with the newest snapshot. True when something about them has changed.
  bool Update(const Snapshot& snapshot, double now);
  /// The answer to TellBranch.
  void Take(const BranchSamples& told) { along_.Take(told); }

  /// By number; those that were dropped keep their places.
  std::span<const BranchInfo> tree() const;
  int present() const { return present_; }
  /// Numbers of those that are left, the oldest first.
  std::vector<int> Living() const;
  bool Has(int branch) const;
  /// Its name, or "b2".
  std::string Name(int branch) const;
  double Start(int branch) const;  ///< of its own part [s]
  double End(int branch) const;    ///< [s]
  /// Its own part of the history, about.
  std::size_t Bytes(int branch) const;
  /// Until this time both have the same steps [s]; nothing when they share none.
  std::optional<double> SharedUntil(int branch, int other) const;
  /// Rich text: "δt 2 → 0.5 ms, k 1 → 10 MN/m", "as the scene file says".
  std::string Changes(int branch) const;
  /// Rich text of its first change, to be short: "δt 0.5 ms"; may be empty.
  std::string ShortChange(int branch) const;
  /// Sentence; empty when it can be dropped.
  std::string WhyKept(int branch) const;

  /// Number of the one with this id, which is never given again; -1 = none.
  int NumberOf(uint64_t id) const;
  uint64_t IdOf(int branch) const;  ///< 0 = there is no such branch

  /// What is looked at beside the present one.
  const BranchesAlong& along() const { return along_; }
  BranchesAlong& along() { return along_; }

  void ReturnTo(int branch);
  /// To the branch that was made so many before or after the present one.
  void ReturnBy(int offset);
  /// The one there, or -1.
  int Beside(int offset) const;
  void Rename(int branch, std::string name);
  void Drop(int branch);
  void TakeBack(int branch);

 private:
  const BranchInfo* Find(int branch) const;
  void SayBegan(int left);
  void FreeDropped(double now);

  SendCommand send_;
  PostMessage post_;
  RemoveMessage remove_;
  BranchesAlong along_;
  std::shared_ptr<const std::vector<BranchInfo>> tree_;
  std::vector<std::vector<BranchSpan>> paths_;  ///< by number
  int present_ = 0;
  uint64_t present_id_ = 0;
  std::shared_ptr<const Scene> scene_;
  Config config_;  ///< knows parameters
  double history_end_ = 0;
  std::size_t history_bytes_ = 0;
  double now_ = 0;
  std::map<uint64_t, double> dropped_;  ///< ids, and when [s]
};

}  // namespace slip::app
