// What the user interface asks of the engine, and what the engine tells it. Plain values.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/dynamics/contact_key.h"
#include "engine/method/config.h"
#include "engine/run/journal.h"
#include "engine/scene/scene.h"
#include "engine/sim/signals.h"
#include "engine/tell/step_notes.h"

namespace slip {

class Replay;
class Track;
struct BranchSamples;
struct RecordedPath;
struct Recording;

struct LoadScene {
  std::shared_ptr<const Scene> scene;
  /// One per channel, or null: what a recording did to it, which is done again at its steps.
  std::shared_ptr<const std::vector<RecordedPath>> paths = nullptr;
  /// Its channels where MakeTracks made them beforehand, else null. Used up.
  std::shared_ptr<std::vector<Track>> tracks = nullptr;
};
struct Play {
  double until = std::numeric_limits<double>::infinity();  ///< stands still from this time on [s]
};
struct Pause {};
struct StepForward {
  int count = 1;
};
struct StepBack {
  int count = 1;
};
struct Seek {
  double time = 0;
};
struct GoLive {};  ///< back to the newest step
struct Reset {};   ///< start state; parameters stay
struct SetSpeed {
  double speed = 1;
};  ///< x real time; infinity = as fast as possible
/// Sets a parameter (path as in config.h) on one channel, or on all with channel = -1.
struct SetParamCommand {
  int channel = -1;
  std::string path;
  double value = 0;
};
struct AddChannel {
  Config config;
};  ///< starts from the first channel's state
struct RemoveChannel {
  int channel = 0;
};
struct SetGrab {
  Grab grab;
};  ///< body = -1 releases; the same anchor for all
struct Resync {
  int lead = 0;
};  ///< copies the lead's state to all channels

/// Goes to the end of another branch: one that was left for another way on.
struct GoToBranch {
  int branch = 0;
};
/// Gives a branch a name; an empty one takes it away.
struct NameBranch {
  int branch = 0;
  std::string name;
};
/// Nobody wants to go there any more. Refused of the present branch, and of one that others begin
/// on. Until FreeDropped, or until memory runs out, it can be taken back.
struct DropBranch {
  int branch = 0;
};
/// Takes a drop back.
struct KeepBranch {
  int branch = 0;
};
/// The history of branches that were dropped goes.
struct FreeDropped {};
/// Asks for what another branch recorded beside the present one: Event::samples.
struct TellBranch {
  int branch = 0;
};
/// From now on, snapshots hold where the bodies of another branch were at the time shown:
/// Snapshot::ghost. With branch = -1 they do so no more.
struct ShowGhost {
  int branch = -1;
};
/// Changes for all channels, made at their times, sorted.
struct ScheduleChanges {
  std::vector<TimedChange> changes;
};
/// Asks for all that was done so far: Event::recording.
struct TakeRecording {};
/// A recording that was run again becomes the session.
struct LoadReplay {
  std::shared_ptr<Replay> replay;
};

/// Solves the present step of a channel again for its search lines: Snapshot::trace.
struct TraceSolve {
  int channel = 0;
};

/// Foretells the contact forces of all channels from their present steps on, without going there:
/// Snapshot::foretold.
struct ForetellForces {
  double span = 20e-3;  ///< [s]
  int samples = 100;    ///< equal intervals of it
};

/// Asks for what one contact went through in all channels: Snapshot::contact_history.
struct TellContact {
  ContactKey key = -1;
  double after = -std::numeric_limits<double>::infinity();  ///< only steps later than this [s]
  uint64_t number = 0;                                      ///< of the request; the answer has it
};

/// From now on, snapshots hold the trails of the robots' feet, or do so no more.
struct TrailFeet {
  bool on = false;
};

using Command = std::variant<LoadScene, Play, Pause, StepForward, StepBack, Seek, GoLive, Reset,
                             SetSpeed, SetParamCommand, AddChannel, RemoveChannel, SetGrab, Resync,
                             TraceSolve, GoToBranch, NameBranch, DropBranch, KeepBranch,
                             FreeDropped, TellBranch, ScheduleChanges, TakeRecording, LoadReplay,
                             ForetellForces, TellContact, TrailFeet, ShowGhost>;

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

/// Why a controller gives up: the note of Event::Kind::kGaveUp.
inline constexpr const char* kGaveUpNote =
    "the robot has fallen, or a joint turned by more than 0.5 rad between two ticks";

/// Something worth a mark or a message.
struct Event {
  enum class Kind : int {
    kParameter,
    kFailure,
    kNotConverged,
    kGaveUp,  ///< a robot's controller did; `path` is the robot
    kGrab,    ///< a pull began (to = 1) or ended (to = 0); `path` is the body. Moves send none.
    kReset,
    kResync,
    kBegan,  ///< a channel was added; `note` is its model
    kLoaded,
    kRefused,
    kBranch,         ///< another branch is shown: `to`
    kBranchSamples,  ///< the answer to TellBranch
    kRecording       ///< the answer to TakeRecording
  };
  Kind kind = Kind::kParameter;
  int channel = -1;  ///< -1 = all
  int64_t step = 0;
  double time = 0;
  std::string path;  ///< parameter path, or body name
  double from = 0, to = 0;
  std::string note;  ///< sentence for people
  std::shared_ptr<const Recording> recording = nullptr;
  std::shared_ptr<const BranchSamples> samples = nullptr;
};

}  // namespace slip
