// What a fit is asked for: which parameters within which bounds, by which recorded runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/foreign/foreign_run.h"
#include "engine/run/study/run_plan.h"

namespace slip {

/// One parameter and the range that is searched, evenly or in its logarithm.
struct FitAxis {
  std::string path;  ///< as given: "friction", "material.steel.friction"
  std::string spec;  ///< as given: "log:0.05:1"
  const ParamInfo* info = nullptr;
  std::string column;        ///< "stiffness_N_m"
  double low = 0, high = 1;  ///< SI
  bool log = true;

  /// The value at a place within [0, 1], and the place of a value, which is held within.
  double Value(double place) const;
  double Place(double value) const;
};

struct FitPlan {
  RunPlan base;               ///< one Config per method
  std::vector<FitAxis> axes;  ///< of a method, those that it reads
  std::vector<std::shared_ptr<const ForeignRun>> runs;
  std::vector<char> held_out;  ///< one per run: takes no part; none: all do, by turns
  int folds = 4;               ///< groups of runs that are left out by turns
  int resamples = 500;
  uint64_t seed = 1;
  bool smooth = true;  ///< FindStart
  int landscape = 15;  ///< values per axis; 0 = none

  std::size_t methods() const { return base.configs.size(); }
  /// Places in `axes` of those that matter to a method in this scene.
  std::vector<std::size_t> AxesOf(std::size_t method) const;
  bool holds_out() const;
};

inline constexpr int kMostFolds = 100, kMostResamples = 10000, kMostLandscape = 101;
inline constexpr std::size_t kMostFitAxes = 6, kMostFitRuns = 10000;
inline constexpr double kInterval = 0.95;  ///< of the true value lying within

/// "friction=log:0.05:1", "lin:a:b", or a path alone: from a tenth to ten times the scene's value.
/// Errors: unknown path, malformed, beyond the parameter's range.
Result<FitAxis> ParseFitAxis(const Config& config, const std::string& text);

/// `vary` are comma lists of these; `held_out` a comma list of names of runs. All errors at once.
Result<FitPlan> MakeFitPlan(RunPlan base, std::vector<std::shared_ptr<const ForeignRun>> runs,
                            const std::vector<std::string>& vary, const std::string& held_out);

/// Files of recorded runs that an argument means: itself, or of a folder without bodies.csv all
/// tables, arrays and folders of runs in it, by name. Error: there is none.
Result<std::vector<std::string>> ExpandForeign(const std::string& argument);

}  // namespace slip
