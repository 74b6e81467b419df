// What a run without a window does: which channels, how long, which changes when. The command
// line and the tests make a plan; Run carries it out step by step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/sliced.h"
#include "engine/run/record/recording.h"
#include "engine/run/study/channel_labels.h"
#include "engine/run/track/command.h"
#include "engine/run/track/track.h"
#include "engine/run/track/unconverged.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "engine/tell/param_note_watch.h"
#include "engine/tell/step_notes.h"

namespace slip {

struct RunPlan {
  std::shared_ptr<const Scene> scene;
  std::vector<Config> configs;        ///< one per channel
  std::vector<Config> own;            ///< the same before the assignments
  std::vector<std::string> assigned;  ///< what these name, "time_step" or "material.NAME.friction"
  /// Of the scene's channels, those that this build lacks, a sentence each without its full stop.
  std::vector<std::string> left_out;
  ChannelLabels labels;              ///< what they are called
  double duration = 0;               ///< [s]; used when steps == 0
  int64_t steps = 0;                 ///< per channel
  std::vector<TimedChange> changes;  ///< sorted by time
  /// One per channel, or none: what a recording made of it, which comes before the changes.
  std::vector<RecordedPath> paths;
  std::vector<int64_t> last_steps;  ///< one per channel: where it ends, whatever the duration says
  int workers = 1;                  ///< threads that do the steps; any number, same results
  bool watches_params = false;      ///< looks now and then what there is to say of the parameters
  bool measures_distance = true;    ///< from Coulomb, of every contact
  bool times_parts = false;         ///< of every step
  bool measures_condition = true;   ///< the condition number, where the method has one

  /// Nominal end of the run for this channel [s].
  double End(const Config& config) const;
};

/// One channel of a plan as a plan of its own, with this configuration and the changes that it has.
RunPlan OneOf(const RunPlan& plan, std::size_t channel, const Config& config);

/// What a run may be asked for.
inline constexpr double kLeastDuration = 1e-9, kMostDuration = 1e6;  ///< [s]
inline constexpr int64_t kMostSteps = 1'000'000'000'000;
inline constexpr int kMostWorkers = 256;

/// Channels of the scene, or one per id of `models` (a comma list, empty = the scene's): a model
/// that the scene has keeps the scene's values for it. `assignments` are "path=value[unit]" for all
/// channels; `changes` are "seconds:path=value[unit]". All errors at once.
Result<RunPlan> MakeRunPlan(std::shared_ptr<const Scene> scene, const std::string& models,
                            const std::vector<std::string>& assignments,
                            const std::vector<std::string>& changes);

/// The channels of a branch of a recording, from their starts to their ends. `assignments` and
/// `changes` as above, on top of what was recorded.
Result<RunPlan> MakeRunPlan(const Recording& recording, int branch,
                            const std::vector<std::string>& assignments,
                            const std::vector<std::string>& changes);

/// What happens during a run. Any may be empty.
struct RunCallbacks {
  std::function<void(int channel, const Simulation&)> step;  ///< after every step
  std::function<void(const Event&)> event;
  /// Between steps; fraction of the run that is done. Returning false stops the run.
  std::function<bool(double fraction)> poll;
  /// Asked within steps, on any thread; true stops the run, and the step at hand is not made.
  StopPoll stop;
};

/// How one channel's run went.
struct ChannelResult {
  enum class Status : int {
    kFinished,     ///< made all its steps
    kInterrupted,  ///< the run was stopped before
    kFailed        ///< a step was refused
  };
  Status status = Status::kInterrupted;
  std::string failure;        ///< why the step was refused, a sentence
  int64_t not_converged = 0;  ///< steps; a refused one that did not converge is one of them
  Unconverged unconverged;    ///< the same by their reasons
  StepNotes notes;            ///< what its steps did that their numbers do not tell
  ParamNoteWatch params;      ///< what there was to say of its parameters, where the plan asks
};

std::string_view Name(ChannelResult::Status status);

struct RunResult {
  bool stopped = false;                 ///< poll or stop said so
  std::vector<ChannelResult> channels;  ///< in the order of the plan

  std::vector<std::string> Failures() const;  ///< one sentence per failed channel
  int64_t NotConverged() const;               ///< steps over all channels
  Unconverged ByReason() const;               ///< the same by their reasons
  bool Complete() const;                      ///< every channel finished
};

/// Steps all channels side by side: step 1 of each, step 2 of each, ... A channel that fails stops
/// alone. `tracks` are left at the end of the run.
Sliced<RunResult> RunInSlices(const RunPlan& plan, std::vector<Track>* tracks,
                              const RunCallbacks& callbacks);
inline RunResult Run(const RunPlan& plan, std::vector<Track>* tracks,
                     const RunCallbacks& callbacks) {
  return RunInSlices(plan, tracks, callbacks).Finish();
}

}  // namespace slip
