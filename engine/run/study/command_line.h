// A recording as the arguments that make the same numbers again without it.
#pragma once

#include <optional>
#include <string>

#include "engine/core/numbers.h"
#include "engine/run/record/recording.h"

namespace slip {

struct RunArguments {
  std::string scene;    ///< name, or path
  std::string options;  ///< -m, -p, --at; quoted for a shell
  double end = 0;       ///< of the run [s]
  int channels = 1;

  /// "slipscope run conveyor -m sap -p 'friction=0.3' -t 2.5"
  std::string Run() const;
  /// The same without command and length.
  std::string Text() const { return scene + options; }
};

/// The present branch, with its changes before `until` [s]. Nothing where options cannot say it:
/// bodies were pulled, or took over the state of another channel.
std::optional<RunArguments> ArgumentsOf(const Recording& recording, double until = kInfinity);

}  // namespace slip
