// Writes a run as files: steps.csv, bodies.csv, joints.csv of robots, contacts.csv, events.csv,
// meta.json, metrics.json. Column names are a contract with scripts; wall_us is the only column
// that differs between runs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/json_writer.h"
#include "engine/core/output_file.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/study/former_outputs.h"
#include "engine/run/study/run_plan.h"
#include "engine/sim/signal_stats.h"

namespace slip {

struct ForeignReport;

/// Numbers per channel that metrics.json and the metric table show.
struct ChannelMetrics {
  SignalStats stats;
  int64_t steps = 0;
  std::vector<float> wall_us;  ///< per step
  struct MethodSpan {
    double from = 0;  ///< end of its first step [s]
    MethodId method = {};
  };
  std::vector<MethodSpan> methods;                    ///< that made the steps, in their order
  std::shared_ptr<const ForeignReport> foreign = {};  ///< of a recorded run; null = of a method

  void Add(const Simulation& simulation);
  /// q in [0, 1]; NaN without steps.
  double WallQuantile(double q) const;
};

/// The files of a run, by name; joints.csv, the last, only where there are joints.
std::span<const std::string_view> RunFileNames(bool joints = true);

class Recorder {
 public:
  /// Opens all files of the folder, which is made if needed. One error, and *taken, as
  /// OpenOutputFiles says.
  static Result<std::unique_ptr<Recorder>> Open(const std::string& folder, const RunPlan& plan,
                                                int64_t every, bool force, bool* taken = nullptr);
  /// After every step; writes every N-th.
  void Step(int channel, const Simulation& simulation);
  void Record(const Event& event);
  /// Writes meta.json and metrics.json, also of a run that was interrupted.
  void Complete(const RunContext& context, const std::vector<ChannelMetrics>& metrics,
                const RunResult& result, const std::vector<Track>& tracks);
  /// All of the run, for CommitTogether.
  std::vector<OutputFile*> files() const;
  /// Files of a former result that this one was forced to replace.
  const FormerOutputs& former() const { return former_; }
  /// False once a write failed.
  bool good() const;

 private:
  explicit Recorder(const RunPlan& plan);
  /// What stands in rows of this channel: the method it runs now, which a change may have replaced.
  const std::string& Label(int channel, MethodId now);

  RunPlan plan_;
  std::vector<MethodId> methods_;                // of the channels, at their last rows
  std::vector<std::vector<std::string>> names_;  // of their rows, the present one last
  int64_t every_ = 1;
  FormerOutputs former_;
  bool torsion_ = false;  // some material has torsional friction, at the start or by a change
  std::shared_ptr<OutputFile> steps_, bodies_, contacts_, events_, meta_, metrics_, joints_;
  std::vector<JointFrame> joint_frames_;
};

}  // namespace slip
