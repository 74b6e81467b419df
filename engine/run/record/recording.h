// What was done in a session, on every branch of it: enough to run it all again, and to tell
// whether it came out the same. Plain data; its file is an experiment (recording_file.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/run/track/track.h"
#include "engine/scene/scene.h"

namespace slip {

/// One channel's part in a branch.
struct RecordedLine {
  int channel = 0;    ///< the same number on every branch that it has a part in
  TrackLine line;     ///< its parent is the number of a branch; nothing is parked
  bool gone = false;  ///< the channel was taken away there; others may have left from it
};

inline constexpr std::size_t kLongestBranchName = 80;  ///< [bytes]

struct RecordedBranch {
  int parent = -1;       ///< the branch that it left, or -1: it begins at a start
  double fork_time = 0;  ///< [s]
  std::shared_ptr<const Scene> scene;
  std::vector<RecordedLine> lines = {};  ///< in the order of the channels
  std::string name = {};                 ///< given by the user; may be empty
  bool dropped = false;                  ///< it has no lines: only its number is kept
};

struct Recording {
  std::vector<RecordedBranch> branches;  ///< parents before children
  int present = 0;                       ///< the branch that was looked at last
  double time = 0;                       ///< the moment that was looked at [s]
  std::string view;                      ///< what the window adds, one JSON object; may be empty
  std::string render;                    ///< how a video of it is made, likewise

  bool empty() const { return branches.empty(); }
};

/// Those that were not dropped.
int CountBranches(const Recording& recording);

/// One channel of a branch from its start on, as if there were no other branch.
struct RecordedPath {
  Config config;                       ///< at the start
  std::shared_ptr<const State> start;  ///< null: the start state of the config
  std::vector<JournalEntry> entries;   ///< steps ascending
  int64_t end_step = 0;
};
/// One per channel of the branch, in their order.
std::vector<RecordedPath> PathsOf(const Recording& recording, int branch);

/// What runs without a window did: one branch.
Recording RecordTracks(const std::shared_ptr<const Scene>& scene, const std::vector<Track>& tracks);
/// End of a path [s].
double EndTime(const RecordedPath& path);

/// What was done to one channel, with the times at which it happened [s].
struct TimedEntry {
  double time = 0;
  JournalEntry entry;
  double from = 0;  ///< of a parameter: its value before
};
std::vector<TimedEntry> WithTimes(const RecordedPath& path);

}  // namespace slip
