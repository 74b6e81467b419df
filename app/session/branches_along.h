// Other branches that are looked at beside the present one: their curves in the plots, and the
// bodies of one of them in the picture as a ghost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/plots/series.h"
#include "engine/run/track/branch_info.h"
#include "engine/run/track/command.h"

namespace slip::app {

class Branches;

class BranchesAlong {
 public:
  /// So many are drawn along at most: their samples take memory.
  static constexpr std::size_t kMost = 4;

  BranchesAlong(const Branches& branches, std::function<void(Command)> send)
      : branches_(branches), send_(std::move(send)) {}

  bool Has(int branch) const;
  void Set(int branch, bool along);
  /// Those that are drawn and are not the present one.
  std::vector<int> Numbers() const;
  /// What it recorded beside the present one; null before it is there.
  const SeriesStore* Samples(int branch) const;
  /// Time of the last of those samples, of all that are drawn along [s]; 0 without any.
  double End() const;

  /// Whose bodies are the ghost: the one that was chosen, else the last that is drawn along; -1
  /// without any.
  int Ghost() const;
  /// Draws it along, too.
  void ChooseGhost(int branch);
  bool ghost_shown() const { return ghost_shown_; }
  void ShowGhost(bool shown) { ghost_shown_ = shown; }

  /// Of an experiment that is being opened: taken when its branches are there.
  void Restore(std::vector<int> along, int ghost) { restored_ = {std::move(along), ghost}; }
  bool restores() const { return restored_.has_value(); }

  // Called by the branches.
  /// A session begins: with what was restored, else with what its present branch left.
  void Begin();
  /// None but this one.
  void BeginWith(int branch);
  void Clear() { drawn_.clear(); }
  /// Once per frame: asks for what is missing. `ghost` is the one that the snapshot holds; true
  /// when it is another one than before.
  bool Update(int ghost);
  /// The answer to TellBranch.
  void Take(const BranchSamples& told);

 private:
  struct Drawn {
    uint64_t id = 0;
    uint64_t asked = 0;   ///< id of the branch that was the present one when samples were asked for
    uint64_t beside = 0;  ///< that they are beside of
    SeriesStore samples = {};
  };
  struct Restored {
    std::vector<int> along;
    int ghost = -1;
  };
  uint64_t PresentId() const;

  const Branches& branches_;
  std::function<void(Command)> send_;
  std::vector<Drawn> drawn_;  ///< the oldest first
  uint64_t ghost_ = 0;        ///< id of the one that was chosen
  bool ghost_shown_ = false;
  uint64_t ghost_asked_ = 0;  ///< id of the one that snapshots are to hold
  int ghost_seen_ = -1;       ///< number of the one in the last snapshot
  std::optional<Restored> restored_;
};

}  // namespace slip::app
