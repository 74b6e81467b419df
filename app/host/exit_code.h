// Exit codes of the program.
#pragma once

namespace slip::app {

/// Also of scripts that call it.
enum Exit : int {
  kExitDone = 0,
  kExitFailed = 1,  ///< not finite, cannot write
  kExitUsage = 2,
  kExitNotConverged = 3,  ///< and --strict
  kExitFalse = 4,         ///< an --expect or --verify is false
  kExitInput = 5,         ///< missing or invalid
  kExitGraphics = 6,      ///< no graphics or encoder; 128 + signal: interrupted
};

}  // namespace slip::app
