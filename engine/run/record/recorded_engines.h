// The engines that channels of a recording ran on: their bits are those of a version.
#pragma once

#include <string>
#include <vector>

#include "engine/run/record/recording.h"

namespace slip {

/// Methods of engines of this build that a line comes to, each once.
std::vector<MethodId> EnginesOf(const TrackLine& line);
std::vector<MethodId> EnginesOf(const Recording& recording);

struct RecordedEngine {
  std::string method;   ///< "mujoco"
  std::string version;  ///< of the run, "2.2.2"

  /// Why it cannot be run here, a sentence without its full stop; empty = it can.
  std::string WhyMissing() const;
  /// It runs here in another version.
  bool IsOther() const;
};

}  // namespace slip
