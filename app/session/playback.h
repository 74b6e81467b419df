// Running: play and pause as asked for, the speed, looking at the past, and scenes that are shown
// again and again.
#pragma once

#include <optional>

#include "app/session/engine_link.h"
#include "app/session/session_core.h"

namespace slip::app {

/// Where a scene that is shown again and again has got to (Scene::loop).
enum class LoopPhase : int {
  kOff,
  kRun,   ///< it runs for the first time
  kHold,  ///< it rests at its end
  kShow   ///< what it recorded is shown again: a second run would be the same, bit for bit
};

class Playback {
 public:
  Playback(SessionCore* core, EngineLink* link) : core_(*core), link_(*link) {}

  void SetPlaying(bool playing);
  void Toggle() { SetPlaying(!playing()); }
  bool playing() const {
    return wants_play_.value_or(core_.snapshot().playing) || loop_ == LoopPhase::kHold ||
           loop_ == LoopPhase::kShow;
  }
  void Step(int count);
  void Seek(double time);
  void SeekBy(double seconds) { Seek(core_.snapshot().time + seconds); }
  void GoLive() { Send(slip::GoLive{}); }
  void Reset();
  void SetSpeed(double speed);
  void ChangeSpeed(int direction);  ///< to the next of the speeds in the menu of the time line
  double speed() const { return wants_speed_.value_or(core_.snapshot().speed); }
  /// What the window opens the scene with.
  double scene_speed() const;

  /// How the run is played and what of it is shown.
  struct Moment {
    double speed = 1, time = 0;
    bool playing = false, live = true;
    LoopPhase loop = LoopPhase::kOff;
  };
  Moment Now() const;
  /// Plays on from there, or rests there again. What was recorded since stays.
  void GoBackTo(const Moment& moment);

  /// Scenes open as their keys `speed` and `loop` ask. Only the window wants that: pictures and
  /// videos count their seconds themselves.
  void SetStaged(bool staged) { staged_ = staged; }
  /// The scene is shown from 0 to its duration again and again. Whatever the user does to the run
  /// ends that, on the spot; a reset begins it anew.
  bool looping() const { return loop_ != LoopPhase::kOff; }
  LoopPhase loop_phase() const { return loop_; }
  /// Of a scene with a loop that has not run beyond it: 0 to this time is all there is to show [s].
  std::optional<double> StagedSpan() const;

  // Called by the session.
  /// To the engine. What the user does to the run ends a loop.
  void Send(Command command);
  void Update();  ///< once per frame
  void Start(const Scene& scene);
  void BeginLoop();

 private:
  void UpdateLoop();

  SessionCore& core_;
  EngineLink& link_;
  std::optional<bool> wants_play_;  ///< asked for, not yet seen in a snapshot
  double wants_since_ = 0;
  std::optional<double> wants_speed_;  ///< likewise
  double wants_speed_since_ = 0;
  bool staged_ = false;  ///< the keys `speed` and `loop` of scenes count
  bool paced_ = false;   ///< the scene has set the playback speed
  LoopPhase loop_ = LoopPhase::kOff;
  double loop_since_ = 0;  ///< when it came to rest [s of the session's clock]
  double loop_time_ = 0;   ///< what is shown of the recorded run [s]
};

}  // namespace slip::app
