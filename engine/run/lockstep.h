// Channels in lockstep with their history: common times, seeking, and going on from the past.
// Scope (scope.h) turns commands into calls of this.
#pragma once

#include <memory>
#include <vector>

#include "engine/core/worker_pool.h"
#include "engine/run/scope.h"
#include "engine/sim/timeline.h"

namespace slip {

/// One channel with its recorded steps.
struct Channel {
  Simulation sim;
  Timeline history;
  std::vector<Config> configs;  ///< every set of knobs that a recorded step was made under
  double step_us = 0;           ///< moving average of the wall time per step
  bool was_converged = true;
  // of the steps since the last common time, to be sent when all channels are there
  std::vector<Telemetry> samples;
  std::vector<Event> events;
  bool moved = false;

  Channel(std::shared_ptr<const Model> model, const Config& config, std::size_t budget)
      : sim(std::move(model), config), history(budget), configs{config} {}

  void Record(bool flagged) {
    history.Append(sim.now(), sim.time(), static_cast<int>(configs.size()) - 1, flagged);
  }
};

struct Lockstep {
  Scope::Sinks sinks;
  std::size_t budget = 0;
  std::vector<std::unique_ptr<Channel>> channels;
  uint64_t session = 0;
  double mark_base = 0;  ///< common time = mark_base + marks * mark_step
  int64_t marks = 0;
  double mark_step = 0;
  bool live = true;
  std::unique_ptr<WorkerPool> workers;      ///< null = the calling thread alone
  std::shared_ptr<const SolveTrace> trace;  ///< of the last TraceSolve, while it still holds

  double MarkTime() const { return mark_base + static_cast<double>(marks) * mark_step; }
  void SetMarkTime(double time);
  /// The largest time step sets the marks; a change of it starts a new count from here.
  void UpdateMarks();

  void Emit(Telemetry item) const;
  void Emit(const Event& event) const;
  void EmitSample(int channel) const;
  void EmitChannels() const;

  /// All channels to their start states; history and telemetry begin anew.
  void Restart();
  /// Every channel goes to its last recorded step at or before `time`.
  void SeekTo(double time);
  double HistoryEnd() const;
  /// The run goes on from here: what was recorded later is void.
  void Fork();
  /// The channel takes over the lead's state at the lead's time.
  void CopyState(const Simulation& lead, Channel* channel);
  /// Every channel up to the next common time; false when none could move. Channels that have all
  /// failed say so again.
  bool Advance();
  void Fill(Snapshot* snapshot) const;
  /// The search lines of a channel's present step.
  std::shared_ptr<const SolveTrace> TraceStep(int channel) const;

 private:
  void EmitRestart();
  void AdvanceChannel(int channel, double target);
  bool StepChannel(int channel);
  Event FailureOf(int channel) const;
  StepRecord scratch_;
};

}  // namespace slip
