// A grid over parameters: which runs a sweep makes, in which order. A plain value, so that every
// shard and every number of threads works from the same list. An axis may go side by side with the
// one before it, and parameters may follow from others by formulas. Points of the grid are counted
// with the first axis slowest; each point is run once per model. The number of a run, from 0, is
// point * models + model.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/core/params.h"
#include "engine/run/study/run_plan.h"
#include "engine/run/track/local_error.h"
#include "engine/sim/expression.h"

namespace slip {

/// More is a typing mistake rather than a study.
inline constexpr std::size_t kMaxSweepRuns = 1000000;

/// A run with a faster coordinate is unstable [m/s], [rad/s].
inline constexpr double kStableSpeed = 1e3;

/// One parameter and the values that it takes.
struct SweepAxis {
  std::string path;  ///< as given: "time_step", "material.steel.friction", or a bare "friction"
  std::string spec;  ///< as given: "log:1e-3:1e-2:3"
  const ParamInfo* info = nullptr;
  std::string column;          ///< "time_step_s"
  std::vector<double> values;  ///< SI; choices by index
  bool beside = false;         ///< goes along with the axis before it, value by value

  /// It is no parameter but a number that formulas read.
  bool IsName() const;
};

/// A parameter that follows from others and from axes: "damping=2*zeta*sqrt(stiffness)".
struct SweepFormula {
  std::string path, column;
  const ParamInfo* info = nullptr;
  Expression value;
};

/// A run that others are compared with, see reference_error.h.
struct SweepReference {
  double step = 0;                      ///< its time step [s]
  double interval = 0;                  ///< of the common grid: the coarsest step of the sweep [s]
  std::optional<MethodId> method = {};  ///< none = the run's own
};

/// The index-th of `count` independent parts; index from 1.
struct SweepShard {
  int index = 1;
  int count = 1;
};

struct SweepPlan {
  /// Scene, length and changes; one Config per model, before the axes set their values.
  RunPlan base;
  std::vector<SweepAxis> axes;
  std::vector<SweepFormula> formulas = {};  ///< after the axes, each after those that it reads
  /// Only steps that end within [from, to] are measured [s].
  double from = 0, to = kInfinity;
  SweepShard shard;
  std::optional<LocalErrorPlan> local_error = {};  ///< measured beside each run
  /// Each run is that with the largest value between the two of this axis at which it is stable:
  /// it ends, and no coordinate is faster than kStableSpeed.
  std::optional<SweepAxis> largest = {};
  std::vector<Expression> largest_if = {};       ///< and that hold there, too
  std::vector<Signal> signals = {};              ///< whose min, last and median are told, too
  std::optional<SweepReference> reference = {};  ///< of the error of each run

  std::size_t models() const { return base.configs.size(); }
  std::size_t points() const;
  std::size_t runs() const { return points() * models(); }
  /// Points of this shard, in order: every shard.count-th, so that slow corners are shared out.
  std::vector<std::size_t> ShardPoints() const;
  /// Value of each axis at a point.
  std::vector<double> Values(std::size_t point) const;
  Config ConfigOf(std::size_t run) const;
  /// Sets values of the axes and what follows from them; `step` [s] is the time step whatever these
  /// say, 0 = as they say.
  void Apply(const std::vector<double>& values, double step, Config* config) const;
  /// Value of a formula in a run.
  double ValueOf(const SweepFormula& formula, std::size_t run) const;
  /// What a run is compared with, and what tells it from others: model and values of the axes.
  std::vector<double> ReferenceKey(std::size_t run) const;
  Config ReferenceConfig(const std::vector<double>& key) const;
  /// "time_step=0.01 s, normal_law=hertz"; empty without axes. Without the axis `but`.
  std::string Describe(std::size_t point, std::string_view but = {}) const;

 private:
  std::optional<double> Evaluate(const SweepFormula& formula, const Config& config,
                                 const std::vector<double>& values) const;
};

/// "time_step=log:1e-3:1e-2:3", "friction=lin:0:1:11", "time_step=10ms,5ms" or
/// "normal_law=hertz,hunt-crossley". Ends are exact; parameters that are whole numbers are rounded
/// and repetitions left out. Errors: unknown path, malformed, a value out of range. `names` are
/// those that formulas read beside parameters: each may have an axis, too.
Result<SweepAxis> ParseVary(const Config& config, const std::string& text,
                            const std::vector<std::string>& names = {});

/// "time_step=0.1ms,40ms": an axis of two values, the smaller one first. Errors as of ParseVary,
/// and a step that is longer than the run.
Result<SweepAxis> ParseLargest(const RunPlan& base, const std::string& text);

/// "2/5"
Result<SweepShard> ParseShard(const std::string& text);
std::vector<std::string> SplitAt(const std::string& text, char separator);

/// All errors at once. An entry of `vary` may hold several axes of as many values, separated by
/// semicolons, which go side by side. `formulas` are "path=expression".
Result<SweepPlan> MakeSweepPlan(RunPlan base, const std::vector<std::string>& vary,
                                const std::vector<std::string>& formulas = {});

/// The reference of a plan: `step` is a time or "auto", a tenth of the smallest step. Errors: a
/// step does not divide the coarsest one, or changes during the run.
Result<SweepReference> MakeReference(const SweepPlan& plan, const std::string& step,
                                     std::optional<MethodId> method);

}  // namespace slip
