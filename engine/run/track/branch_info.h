// What the branches of a session are, for those who list and draw them. Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/run/track/command.h"

namespace slip {

/// A parameter that a branch has otherwise than where it began.
struct BranchChange {
  int channel = -1;  ///< -1 = all
  std::string path;
  double from = 0, to = 0;

  bool operator==(const BranchChange&) const = default;
};

/// One branch of Snapshot::tree; its number is its place there.
struct BranchInfo {
  uint64_t id = 0;        ///< never given to another branch
  int parent = -1;        ///< the branch that it left, or -1: it begins at a start
  double fork_time = 0;   ///< where it left that one, or began [s]
  double end_time = 0;    ///< of the present branch Snapshot::history_end, which goes on [s]
  std::string name = {};  ///< given by the user; empty = by its number
  bool dropped = false;   ///< nobody goes there any more
  /// Since the fork, in the order in which they were first made; of a branch that begins at a start
  /// also what its scene has otherwise.
  std::vector<BranchChange> changes = {};
  /// Parameters that were changed for some steps and are back where they were.
  std::vector<std::string> set_back = {};
  bool pulled = false;    ///< by a hand
  bool resynced = false;  ///< channels took over the state of another
  int added = 0;          ///< channels that begin on it, later than its start
  std::size_t bytes = 0;  ///< of its own part of the history, about
};

/// What other branches recorded where they went another way than the present one: BranchTold.
struct BranchSamples {
  uint64_t id = 0;              ///< of the branch
  uint64_t beside = 0;          ///< of the present one
  std::vector<Sample> samples;  ///< by channel, times ascending
};

}  // namespace slip
