// Channels in lockstep with their past: common times, seeking, branches. Scope (scope.h) turns
// commands into calls of this.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/worker_pool.h"
#include "engine/run/branch_info.h"
#include "engine/run/recording.h"
#include "engine/run/scope.h"
#include "engine/run/track.h"

namespace slip {

/// One channel with what is to be told of it.
struct Channel {
  Track track;
  // of the steps since the last common time, to be sent when all channels are there
  std::vector<Sample> samples = {};  // the first so many; their memory is used again
  std::size_t sample_count = 0;
  std::vector<Event> events = {};
  bool moved = false;
  bool begun = true;  ///< false: it began later than the past moment that is looked at

  const Simulation& sim() const { return track.sim(); }
};

/// One way that the session went, from its fork on.
struct Branch {
  int parent = -1;
  double fork_time = 0;  ///< [s]
  std::shared_ptr<const Scene> scene;
  std::shared_ptr<const Model> model;
  std::vector<std::shared_ptr<Channel>> channels;
  bool rebuilt = false;  ///< it began with another number of bodies
  uint64_t id = 0;       ///< never given again
  double end_time = 0;   ///< where it was left [s]
  std::string name = {};
  bool dropped = false;
};

struct Lockstep {
  Scope::Sinks sinks;
  StopPoll stop;  ///< of every channel
  std::size_t budget = 0;
  std::shared_ptr<const Scene> scene;
  std::shared_ptr<const Model> model;
  std::vector<std::shared_ptr<Channel>> channels;
  std::vector<std::shared_ptr<Channel>> pool;  ///< of all branches; places in it number them
  std::vector<Branch> branches;                ///< numbers of branches are places in it
  int branch = 0;                              ///< the present one
  uint64_t session = 0;
  double mark_base = 0;  ///< common time = mark_base + marks * mark_step
  int64_t marks = 0;
  double mark_step = 0;
  bool live = true;
  bool trails = false;                      ///< snapshots hold those of the feet
  std::unique_ptr<WorkerPool> workers;      ///< null = the calling thread alone
  std::shared_ptr<const SolveTrace> trace;  ///< of the last TraceSolve, while it still holds

  /// Of the last ForetellForces, while it still holds.
  std::shared_ptr<const std::vector<ForcePrediction>> foretold;

  std::shared_ptr<const ContactHistory> contact_history;  ///< of the last TellContact
  uint64_t ghost = 0;  ///< id of the branch that snapshots show beside the present one; 0 = none

  double MarkTime() const { return mark_base + static_cast<double>(marks) * mark_step; }
  void SetMarkTime(double time);
  /// The largest time step sets the marks; a change of it starts a new count from here.
  void UpdateMarks();

  template <class Item>
  void EmitItem(const Item& item) const {
    if (!sinks.telemetry) return;
    telemetry_.session = session;
    telemetry_.item = item;
    sinks.telemetry(telemetry_);
  }
  void Emit(const Event& event) const;
  void EmitSample(int channel) const;
  void EmitChannels() const;

  std::shared_ptr<Channel> MakeChannel(const Config& config,
                                       std::shared_ptr<const State> start = nullptr);
  std::shared_ptr<Channel> Take(Track track);
  /// A branch of the present scene begins with these knobs. Earlier ones are put aside. With paths,
  /// one per channel, what they say is done at its steps; `made` are its channels, where there are
  /// some.
  void Begin(const std::vector<Config>& configs, const std::vector<RecordedPath>* paths = nullptr,
             std::vector<Track>* made = nullptr);
  /// The same with another number of bodies. A slider passes many: short runs of such a branch are
  /// not kept.
  void Rebuild(const std::vector<Config>& configs);
  /// All channels to their start states, as another branch; telemetry begins anew.
  void Restart();
  /// Every channel goes to its last step at or before `time`; one that began later stands at its
  /// start.
  void SeekTo(double time);
  double HistoryEnd() const;
  /// The run goes on from here, as another branch if this is the past. Channels that had not begun
  /// begin here, from the first one that had.
  void Fork();
  /// To the end of another branch.
  void GoTo(int to);
  void NameBranch(int which, const std::string& name);
  void DropBranch(int which);
  void KeepBranch(int which);
  /// The history of those that were dropped goes.
  void FreeDropped();
  /// What the branch recorded beside the present one, in so many samples a channel at most.
  BranchSamples SamplesOf(int which) const;
  /// Snapshots show this branch beside the present one; -1 = none.
  void AskGhost(int which);
  /// A channel of the present branch from another's state.
  void Add(const Config& config, const Simulation& from);
  /// The channel leaves the present branch; on others it stays.
  void Remove(int channel);
  /// Every channel up to the next common time; false when none could move. Channels that have all
  /// failed say so again. One that was stopped on the way catches up next time.
  bool Advance();
  void Fill(Snapshot* snapshot) const;
  /// The search lines of a channel's present step.
  std::shared_ptr<const SolveTrace> TraceStep(int channel) const;
  /// Contact forces from the present step on, of the channels that foretell them.
  std::shared_ptr<const std::vector<ForcePrediction>> Foretell(double span, int samples) const;
  Recording Record() const;
  /// What a recording holds becomes the session; `tracks` by the numbers of its channels.
  void Adopt(const Recording& recording, std::vector<Track> tracks);

 private:
  /// A channel that starts from the present state of another.
  std::shared_ptr<Channel> MakeFrom(const Config& config, const Simulation& from);
  /// A branch begins behind all others and becomes the present one.
  Branch& OpenBranch(int parent, double fork_time);
  /// Remembers where the present branch ends. While its history is that of the channels.
  void LeaveBranch();
  bool HasBranch(int which) const;
  /// Why it cannot be dropped; empty when it can.
  std::string WhyKept(int which) const;
  std::vector<BranchInfo> MakeTree() const;
  void FillGhost(GhostRun* shown) const;
  void EmitRestart();
  void EmitPast();
  void EmitApplied();
  void ShowBranch(double time);
  double LatestTime() const;
  void ParkOthers(const std::vector<std::shared_ptr<Channel>>& stay);
  void HoldBudget();
  std::size_t HistoryBytes() const;
  void AdvanceChannel(int channel, double target);
  void TakeStep(int channel, StepStatus status);
  /// Nothing of a channel that begins with the scene.
  std::optional<Event> BeginOf(int channel) const;
  int advances_ = 0;
  uint64_t next_id_ = 1;
  /// Null when it has to be made anew.
  mutable std::shared_ptr<const std::vector<BranchInfo>> tree_;
  mutable Telemetry telemetry_;      // its memory is used again
  mutable StepRecord ghost_record_;  // likewise
};

}  // namespace slip
