// Writes a run as files: steps.csv, bodies.csv, joints.csv of robots, contacts.csv, events.csv,
// meta.json, metrics.json, and signals.csv and foretold.csv where they were asked for. Column names
// are a contract with scripts; wall times are the only columns that differ between runs.
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
#include "engine/run/study/run_choice.h"
#include "engine/run/study/run_plan.h"
#include "engine/sim/running_median.h"
#include "engine/sim/signal_stats.h"

namespace slip {

struct ForeignReport;

/// Numbers per channel that metrics.json and the metric table show.
struct ChannelMetrics {
  SignalStats stats;
  int64_t steps = 0;
  double simulated = 0;        ///< time of these steps [s]
  std::vector<float> wall_us;  ///< per step
  /// Of the parts of the steps that were timed, by their place in the table of signals.
  std::array<RunningMedian, kSignalCount> part_us;
  struct MethodSpan {
    double from = 0;  ///< end of its first step [s]
    MethodId method = {};
  };
  std::vector<MethodSpan> methods;                    ///< that made the steps, in their order
  std::shared_ptr<const ForeignReport> foreign = {};  ///< of a recorded run; null = of a method

  void Add(const Simulation& simulation);
  /// q in [0, 1]; NaN without steps.
  double WallQuantile(double q) const;

 private:
  double timed_us_ = kNaN;  // the last step that was
};

/// All files that a run may have, by name.
std::span<const std::string_view> RunFileNames();

class Recorder {
 public:
  /// Opens all files of the folder, which is made if needed. One error, and *taken, as
  /// OpenOutputFiles says.
  static Result<std::unique_ptr<Recorder>> Open(const std::string& folder, const RunPlan& plan,
                                                int64_t every, bool force, bool* taken = nullptr,
                                                const RunChoice& choice = {});
  /// After every step; writes every N-th.
  void Step(int channel, const Simulation& simulation);
  void Record(const Event& event);
  /// Writes meta.json and metrics.json, also of a run that was interrupted.
  void Complete(const RunContext& context, const std::vector<ChannelMetrics>& metrics,
                const RunResult& result, const std::vector<Track>& tracks);
  /// All of the run, for CommitTogether.
  std::vector<OutputFile*> files() const;
  /// Files of a former result that this one was forced to replace.
  const FormerFiles& former() const { return former_; }
  /// foretold.csv was asked for and has no row.
  bool foretells_nothing() const { return foretells_nothing_; }
  /// False once a write failed.
  bool good() const;

 private:
  explicit Recorder(const RunPlan& plan);
  /// What stands in rows of this channel: the method it runs now, which a change may have replaced.
  const std::string& Label(int channel, MethodId now);
  // rows of a step; each does nothing where its file was not chosen
  void WriteStep(const Simulation& simulation, std::string_view label);
  void WriteSignals(const Simulation& simulation, std::string_view label);
  void WriteBodies(const Simulation& simulation, std::string_view label);
  void WriteJoints(const Simulation& simulation, std::string_view label);
  void WriteContacts(const Simulation& simulation, std::string_view label);
  std::string SignalHeader() const;
  void DescribeColumns(JsonWriter* json) const;

  RunPlan plan_;
  RunChoice choice_;
  std::vector<MethodId> methods_;                // of the channels, at their last rows
  std::vector<std::vector<std::string>> names_;  // of their rows, the present one last
  int64_t every_ = 1;
  FormerFiles former_;
  bool torsion_ = false;  // some material has torsional friction, at the start or by a change
  std::shared_ptr<OutputFile> steps_, bodies_, contacts_, events_, meta_, metrics_, joints_,
      signals_, foretold_;  // null = not written
  bool foretells_nothing_ = false;
  std::vector<JointFrame> joint_frames_;
};

}  // namespace slip
