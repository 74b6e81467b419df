// One random run as the command line that repeats it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/run/run_plan.h"

namespace slip {

struct RunSpec {
  std::string scene;
  std::string model;                     ///< id of the contact model
  std::vector<std::string> assignments;  ///< "path=value"
  int64_t steps = 0;

  /// "slipscope run SCENE -m MODEL -p ... --steps N"
  std::string CommandLine() const;
};

/// Reads back a command line of that form; the words "slipscope run" may be missing.
Result<RunSpec> ParseCommandLine(const std::string& line);

/// Error: steps of this method cannot be judged. The judge compares energies contact by contact, of
/// the contact problem that only convex models have.
Status CheckJudged(MethodId method);

/// The `number`-th run of this seed: scenes and models in turn, parameters from the ranges of their
/// tables. What belongs to the solver stays as it is: it says how exactly to solve, not what.
RunSpec DrawRun(const std::vector<std::shared_ptr<const Scene>>& scenes, uint64_t seed,
                int64_t number);

/// Bodies that can move.
int64_t CountMoving(const Model& model);

}  // namespace slip
