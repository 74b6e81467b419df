// What the session talks to: the engine beside it (the window), or a Scope stepped by the frame
// (pictures, videos and tests, where simulated time must not depend on the wall clock).
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/run/scope/scope.h"
#include "engine/run/study/run_plan.h"
#include "engine/run/track/command.h"
#include "engine/sim/snapshot.h"

namespace slip::app {

/// The four calls of EngineThread. None blocks.
class EngineLink {
 public:
  virtual ~EngineLink() = default;
  virtual void Send(Command command) = 0;
  virtual const Snapshot& Latest() = 0;
  virtual bool NextTelemetry(Telemetry* item) = 0;
  virtual std::optional<Event> NextEvent() = 0;
  /// Samples keep arriving while they are read: whoever reads must stop at some time.
  virtual bool live() const { return false; }
};

/// Steps on all cores but one, which is left to the window; without threads within its frames.
std::unique_ptr<EngineLink> MakeThreadLink();

/// A Scope driven from outside: nothing moves but in RunFor.
class SteppedLink final : public EngineLink {
 public:
  SteppedLink();

  void Send(Command command) override;
  const Snapshot& Latest() override;
  bool NextTelemetry(Telemetry* item) override;
  std::optional<Event> NextEvent() override;

  /// Lets `seconds` of wall time pass for a running simulation, at its playback speed.
  void RunFor(double seconds);
  /// Runs a running simulation until this time [s].
  void RunTo(double time);
  bool playing() const { return playing_; }
  /// True ends a step on the way, or the making of channels, and what was asked for is not reached.
  void SetStop(const StopPoll& stop) {
    stop_ = stop;
    scope_.SetStop(stop);
  }

 private:
  std::deque<Telemetry> telemetry_;
  std::deque<Event> events_;
  StopPoll stop_;
  Scope scope_;
  Snapshot snapshot_;
  bool playing_ = false;
  bool stale_ = true;
  double speed_ = 1;
  double until_ = kInfinity;  ///< the run pauses there [s]
  double target_ = 0;         ///< simulated time that the next RunFor starts from [s]
};

}  // namespace slip::app
