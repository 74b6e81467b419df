// What the user interface asks of the engine, and what the engine tells it. Plain values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/dynamics/contact_key.h"
#include "engine/method/config.h"
#include "engine/run/track/event.h"
#include "engine/run/track/journal.h"
#include "engine/scene/scene.h"
#include "engine/sim/signals.h"
#include "engine/tell/step_notes.h"

namespace slip {

class Replay;
class Track;
struct RecordedPath;

/// What a command does to the run, and so to the step under way when it comes.
enum class CommandEffect : int {
  kLooks,    ///< nothing: it waits for the step, and pacing goes on
  kWaits,    ///< for the step: it asks for more of the same
  kChanges,  ///< what the step computes
  kAtOnce    ///< nobody will see the step
};

// Each command has its CommandEffect. kStopsRun = who looks at the past, or steps by hand, stops
// the run.

struct LoadScene {
  static constexpr CommandEffect kEffect = CommandEffect::kAtOnce;
  std::shared_ptr<const Scene> scene;
  /// One per channel, or null: what a recording did to it, which is done again at its steps.
  std::shared_ptr<const std::vector<RecordedPath>> paths = nullptr;
  /// Its channels where MakeTracks made them beforehand, else null. Used up.
  std::shared_ptr<std::vector<Track>> tracks = nullptr;
};
struct Play {
  static constexpr CommandEffect kEffect = CommandEffect::kWaits;
  double until = kInfinity;  ///< stands still from this time on [s]
};
struct Pause {
  static constexpr CommandEffect kEffect = CommandEffect::kAtOnce;
};
struct StepForward {
  static constexpr CommandEffect kEffect = CommandEffect::kWaits;
  static constexpr bool kStopsRun = true;
  int count = 1;
};
struct StepBack {
  static constexpr CommandEffect kEffect = CommandEffect::kAtOnce;
  static constexpr bool kStopsRun = true;
  int count = 1;
};
struct Seek {
  static constexpr CommandEffect kEffect = CommandEffect::kAtOnce;
  static constexpr bool kStopsRun = true;
  double time = 0;
};
/// Back to the newest step.
struct GoLive {
  static constexpr CommandEffect kEffect = CommandEffect::kAtOnce;
};
/// To the start state; parameters stay.
struct Reset {
  static constexpr CommandEffect kEffect = CommandEffect::kAtOnce;
};
struct SetSpeed {
  static constexpr CommandEffect kEffect = CommandEffect::kWaits;
  double speed = 1;  ///< x real time; infinity = as fast as possible
};
/// Sets a parameter (path as in config.h) on one channel, or on all with channel = -1.
struct SetParamCommand {
  static constexpr CommandEffect kEffect = CommandEffect::kChanges;
  int channel = -1;
  std::string path;
  double value = 0;
};
/// A channel begins in the state of the one that came farthest.
struct AddChannel {
  static constexpr CommandEffect kEffect = CommandEffect::kChanges;
  Config config;
};
struct RemoveChannel {
  static constexpr CommandEffect kEffect = CommandEffect::kChanges;
  int channel = 0;
};
struct SetGrab {
  static constexpr CommandEffect kEffect = CommandEffect::kChanges;
  Grab grab;  ///< body = -1 releases; the same anchor for all
};
/// Copies the lead's state to all channels, or one that is given: a recorded run's.
struct Resync {
  static constexpr CommandEffect kEffect = CommandEffect::kChanges;
  int lead = 0;
  std::shared_ptr<const State> state = nullptr;  ///< at the lead's time
};

/// Goes to the end of another branch: one that was left for another way on.
struct GoToBranch {
  static constexpr CommandEffect kEffect = CommandEffect::kAtOnce;
  int branch = 0;
};
/// Gives a branch a name; an empty one takes it away.
struct NameBranch {
  static constexpr CommandEffect kEffect = CommandEffect::kLooks;
  int branch = 0;
  std::string name;
};
/// Nobody wants to go there any more. Refused of the present branch, and of one that others begin
/// on. Until FreeDropped, or until memory runs out, it can be taken back.
struct DropBranch {
  static constexpr CommandEffect kEffect = CommandEffect::kWaits;
  int branch = 0;
};
/// Takes a drop back.
struct KeepBranch {
  static constexpr CommandEffect kEffect = CommandEffect::kWaits;
  int branch = 0;
};
/// The history of branches that were dropped goes.
struct FreeDropped {
  static constexpr CommandEffect kEffect = CommandEffect::kWaits;
};
/// Asks for what another branch recorded beside the present one: BranchTold.
struct TellBranch {
  static constexpr CommandEffect kEffect = CommandEffect::kLooks;
  int branch = 0;
};
/// From now on, snapshots hold where the bodies of another branch were at the time shown:
/// Snapshot::ghost. With branch = -1 they do so no more.
struct ShowGhost {
  static constexpr CommandEffect kEffect = CommandEffect::kLooks;
  int branch = -1;
};
/// Changes for all channels, made at their times, sorted.
struct ScheduleChanges {
  static constexpr CommandEffect kEffect = CommandEffect::kChanges;
  std::vector<TimedChange> changes;
};
/// Asks for all that was done so far: RecordingTaken.
struct TakeRecording {
  static constexpr CommandEffect kEffect = CommandEffect::kLooks;
};
/// A recording that was run again becomes the session.
struct LoadReplay {
  static constexpr CommandEffect kEffect = CommandEffect::kAtOnce;
  std::shared_ptr<Replay> replay;
};

/// Solves the present step of a channel again for its search lines: Snapshot::trace.
struct TraceSolve {
  static constexpr CommandEffect kEffect = CommandEffect::kLooks;
  int channel = 0;
};

/// Foretells the contact forces of all channels from their present steps on, without going there:
/// Snapshot::foretold.
struct ForetellForces {
  static constexpr CommandEffect kEffect = CommandEffect::kLooks;
  double span = 20e-3;  ///< [s]
  int samples = 100;    ///< equal intervals of it
};

/// Asks for what one contact went through in all channels: Snapshot::contact_history.
struct TellContact {
  static constexpr CommandEffect kEffect = CommandEffect::kLooks;
  ContactKey key = -1;
  double after = -kInfinity;  ///< only steps later than this [s]
  uint64_t number = 0;        ///< of the request; the answer has it
};

/// From now on, snapshots hold the trails of the robots' feet, or do so no more.
struct TrailFeet {
  static constexpr CommandEffect kEffect = CommandEffect::kLooks;
  bool on = false;
};

/// One of them. A class, so that its many cases are copied and destroyed by one file's code.
struct Command : std::variant<LoadScene, Play, Pause, StepForward, StepBack, Seek, GoLive, Reset,
                              SetSpeed, SetParamCommand, AddChannel, RemoveChannel, SetGrab, Resync,
                              TraceSolve, GoToBranch, NameBranch, DropBranch, KeepBranch,
                              FreeDropped, TellBranch, ScheduleChanges, TakeRecording, LoadReplay,
                              ForetellForces, TellContact, TrailFeet, ShowGhost> {
  using variant::variant;
  Command(const Command& other);
  Command(Command&& other) noexcept;
  Command& operator=(const Command& other);
  Command& operator=(Command&& other) noexcept;
  ~Command();
};

CommandEffect EffectOf(const Command& command);
template <class Kind>
concept StopsRun = requires {
  requires Kind::kStopsRun;
};
inline bool DoesStopRun(const Command& command) {
  return std::visit([]<class Kind>(const Kind&) { return StopsRun<Kind>; }, command);
}

/// The signals of a channel at the end of a step.
struct Sample {
  int channel = 0;
  int64_t step = 0;
  double time = 0;  ///< [s]
  SignalValues values{};
  std::vector<double> part_values = {};  ///< of parts, by place behind `values`
  MethodId method = {};                  ///< that made the step
  StepGuard guard = {};
};
/// Samples later than `time` are void: the run went on from the past.
struct TruncateSamples {
  double time = 0;  ///< [s]
};
/// All samples are void: a reset, another branch or another scene.
struct RestartSamples {};
/// There are so many channels now; `gone` went and those behind it moved up, or -1: one came.
struct ChangeChannels {
  int channels = 0;
  int gone = -1;
};

/// Telemetry comes in one ordered stream: one sample per step of one channel, and what makes
/// samples void. A restart counts the session up.
struct Telemetry {
  uint64_t session = 0;
  std::variant<Sample, TruncateSamples, RestartSamples, ChangeChannels> item;
};

}  // namespace slip
