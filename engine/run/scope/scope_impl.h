// Inside of Scope. Commands become calls of the channels, the branches and the past.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/run/channels/channels.h"
#include "engine/run/scope/branches.h"
#include "engine/run/scope/past.h"
#include "engine/run/scope/scope.h"
#include "engine/run/track/contact_history.h"
#include "engine/run/track/publisher.h"

namespace slip {

struct Scope::Impl {
  Impl(Sinks sinks, std::size_t budget, int most_workers);

  Publisher publisher;
  StopPoll stop;                        // of every channel
  std::unique_ptr<WorkerPool> workers;  // null = the calling thread alone
  std::shared_ptr<const Scene> scene;
  std::shared_ptr<const Model> model;
  Channels channels{true};
  Branches branches;
  Past past;
  uint64_t generation = 0;
  int advances = 0;
  // what snapshots hold because somebody asked
  bool trails = false;                      // of the feet
  std::shared_ptr<const SolveTrace> trace;  // of the last TraceSolve, while it still holds
  std::shared_ptr<const std::vector<ForcePrediction>> foretold;  // of ForetellForces, likewise
  std::shared_ptr<const ContactHistory> contact_history;         // of the last TellContact

  void Handle(const Command& command);
  bool Advance();
  void Fill(Snapshot* snapshot) const;

  // Commands: pacing is somebody else's.
  void Do(const Play&) {}
  void Do(const Pause&) {}
  void Do(const SetSpeed&) {}
  void Do(const LoadScene& load);
  void Do(const LoadReplay& replayed);
  void Do(const StepForward& forward);
  void Do(const StepBack& back);
  void Do(const Seek& seek);
  void Do(const GoLive&);
  void Do(const Reset&);
  void Do(const SetParamCommand& set);
  void Do(const SetGrab& set);
  void Do(const AddChannel& add);
  void Do(const RemoveChannel& remove);
  void Do(const Resync& sync);
  void Do(const ScheduleChanges& schedule);
  void Do(const GoToBranch& go);
  void Do(const NameBranch& name);
  void Do(const DropBranch& drop);
  void Do(const KeepBranch& keep);
  void Do(const FreeDropped&);
  // Who only looks.
  void Do(const TrailFeet& trail);
  void Do(const ShowGhost& show);
  void Do(const ForetellForces& foretell);
  void Do(const TellContact& tell);
  void Do(const TellBranch& tell);
  void Do(const TakeRecording&);
  void Do(const TraceSolve& solve);

  void Emit(const Event& event);
  void EmitSample(int channel) const;
  /// Changes that were made at their times: one that all channels made is told once.
  void EmitApplied();

  std::shared_ptr<Track> Take(Track track);
  /// A channel that starts from the present state of another.
  std::shared_ptr<Track> MakeFrom(const Config& config, const Simulation& from);
  /// Begins a branch of the present scene with these parameters; earlier branches stay. `paths`,
  /// one a channel, hold changes to make at their steps. `made` are its channels, if they exist.
  void Begin(const std::vector<Config>& configs, const std::vector<RecordedPath>* paths = nullptr,
             std::vector<Track>* made = nullptr);
  /// The same with another number of bodies.
  void Rebuild(const SetParamCommand& command);
  /// The run goes on from here, as another branch if this is the past. Channels that had not begun
  /// begin here, from the first one that had.
  void Fork();
  /// To the end of another branch.
  void GoTo(int to);
  void SeekTo(double time) { past.Seek(time, &channels); }
  /// A branch begins behind all others and becomes the present one.
  void OpenBranch(int parent, double fork_time);
  /// The present branch is another one, shown at this time [s].
  void ShowBranch(double time);
  /// Telemetry begins anew, with all that is recorded of the present branch.
  void TellAnew();
  /// Channels that are not among these give their history to their lines.
  void ParkOthers(const Channels::List& stay);
};

/// The parameters of the scene's channels, as many as a scope has.
std::vector<Config> ConfigsOf(const Scene& scene);

}  // namespace slip
