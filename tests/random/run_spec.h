// One random run as the command line that repeats it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/run/study/run_plan.h"

namespace slip {

struct RunSpec {
  std::string scene;
  std::string model;                     ///< id of the method
  std::vector<std::string> assignments;  ///< "path=value"
  int64_t steps = 0;

  /// "slipscope run SCENE -m MODEL -p ... --steps N"
  std::string CommandLine() const;
};

/// Reads back a command line of that form; the words "slipscope run" may be missing.
Result<RunSpec> ParseCommandLine(const std::string& line);

/// A scene, and a method that can make its first step.
struct ScenePair {
  std::shared_ptr<const Scene> scene;
  MethodId method{};
};
/// All that there are, scene by scene, of the list of methods.
std::vector<ScenePair> ListPairs(const std::vector<std::shared_ptr<const Scene>>& scenes);

/// The `number`-th run of this seed: pairs in turn, parameters from the ranges of their tables. How
/// exactly to solve stays as it is; what is solved does not.
RunSpec DrawRun(const std::vector<ScenePair>& pairs, uint64_t seed, int64_t number);

/// Bodies that can move.
int64_t CountMoving(const Model& model);

}  // namespace slip
