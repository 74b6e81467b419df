// The branches of the session for those who show them: names, what each has otherwise, whose curves
// are drawn along, and what is said when one begins or is dropped.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/plots/series.h"
#include "app/session/messages.h"
#include "engine/run/track/branch_info.h"
#include "engine/sim/snapshot.h"

namespace slip::app {

class Branches {
 public:
  /// So many others are drawn along at most: their samples take memory.
  static constexpr std::size_t kMostAlong = 4;

  using SendCommand = std::function<void(Command)>;
  using PostMessage = std::function<void(Message)>;
  using RemoveMessage = std::function<void(const std::string& subject)>;
  Branches(SendCommand send, PostMessage post, RemoveMessage remove)
      : send_(std::move(send)), post_(std::move(post)), remove_(std::move(remove)) {}

  /// Once per frame, with the newest snapshot. True when something about them has changed.
  bool Update(const Snapshot& snapshot, double now);
  /// The answer to TellBranch.
  void Take(const BranchSamples& told);

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

  // Whose curves are drawn along.
  bool IsAlong(int branch) const;
  void SetAlong(int branch, bool along);
  /// Numbers of those that are drawn and are not the present one.
  std::vector<int> Along() const;
  /// What it recorded beside the present one; null before it is there.
  const SeriesStore* Samples(int branch) const;
  /// Time of the last of those samples, of all that are drawn along [s]; 0 without any.
  double AlongEnd() const;

  // Whose bodies are in the picture as a ghost: one of those drawn along.
  /// The one that was chosen, else the last that is drawn along; -1 without any.
  int Ghost() const;
  /// Draws it along, too.
  void ChooseGhost(int branch);
  bool ghost_shown() const { return ghost_shown_; }
  void ShowGhost(bool shown) { ghost_shown_ = shown; }
  /// Of an experiment that is being opened: taken when its branches are there.
  void RestoreAlong(std::vector<int> along, int ghost) { restored_ = {std::move(along), ghost}; }

  void ReturnTo(int branch);
  /// To the branch that was made so many before or after the present one.
  void ReturnBy(int offset);
  /// The one there, or -1.
  int Beside(int offset) const;
  void Rename(int branch, std::string name);
  void Drop(int branch);
  void TakeBack(int branch);

 private:
  struct Drawn {
    uint64_t id = 0;
    uint64_t asked = 0;   ///< id of the branch that was the present one when samples were asked for
    uint64_t beside = 0;  ///< that they are beside of
    SeriesStore samples = {};
  };
  const BranchInfo* Find(int branch) const;
  int NumberOf(uint64_t id) const;
  uint64_t IdOf(int branch) const;
  void SayBegan(int left);
  void AskForSamples();
  void AskForGhost();
  void BeginAlong();
  void FreeDropped(double now);

  SendCommand send_;
  PostMessage post_;
  RemoveMessage remove_;
  std::shared_ptr<const std::vector<BranchInfo>> tree_;
  std::vector<std::vector<BranchSpan>> paths_;  ///< by number
  int present_ = 0;
  uint64_t present_id_ = 0;
  std::shared_ptr<const Scene> scene_;
  Config config_;  ///< knows parameters
  double history_end_ = 0;
  std::size_t history_bytes_ = 0;
  double now_ = 0;
  std::vector<Drawn> drawn_;  ///< the oldest first
  uint64_t ghost_ = 0;        ///< id of the one that was chosen
  bool ghost_shown_ = false;
  uint64_t ghost_asked_ = 0;  ///< id of the one that snapshots are to hold
  int ghost_seen_ = -1;       ///< number of the one in the last snapshot
  struct Restored {
    std::vector<int> along;
    int ghost = -1;
  };
  std::optional<Restored> restored_;
  std::map<uint64_t, double> dropped_;  ///< ids, and when [s]
};

}  // namespace slip::app
