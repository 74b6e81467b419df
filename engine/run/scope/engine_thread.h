// The engine on its own thread: commands in, snapshots, telemetry and events out.
// The thread never waits for the user interface, nor the other way round. One exception: at
// infinite speed, which promises no pace, stepping rests while more than two thousand samples are
// unread. In a program without threads it steps in the frame, as long as GiveSlices lets it.
#pragma once

#include <memory>
#include <optional>

#include "engine/run/track/command.h"
#include "engine/sim/snapshot.h"

namespace slip {

class EngineThread {
 public:
  /// `workers` threads at most do the steps, this one included.
  explicit EngineThread(int workers = 1);
  ~EngineThread();  ///< stops and joins
  EngineThread(const EngineThread&) = delete;
  EngineThread& operator=(const EngineThread&) = delete;

  /// One thread (the user interface) calls these four. None blocks.
  void Send(Command command);           ///< applied between steps, in order
  const Snapshot& Latest();             ///< valid until the next call; never torn
  bool NextTelemetry(Telemetry* item);  ///< oldest first, lossless; false = none left
  std::optional<Event> NextEvent();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slip
