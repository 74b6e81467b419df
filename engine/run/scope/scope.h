// Up to five channels in lockstep from one scene, with their history. Driven by one thread: the
// engine thread, the command line and the tests alike. Expensive channels step side by side.
#pragma once

#include <memory>
#include <vector>

#include "engine/run/track/command.h"
#include "engine/run/track/publisher.h"
#include "engine/sim/simulation.h"
#include "engine/sim/snapshot.h"

namespace slip {

inline constexpr int kMaxChannels = Snapshot::kMaxChannels;
inline constexpr std::size_t kHistoryBudget = std::size_t{512} << 20;  ///< [bytes]

/// Makes the channels of a scene on the calling thread: their first contacts can take long, and who
/// loads it does not wait for them then. They are not made when ThreadStop says so.
void MakeTracks(LoadScene* load);

class Scope {
 public:
  using Sinks = slip::Sinks;

  /// `workers` threads at most do the steps, the caller included; results are the same for any
  /// number.
  explicit Scope(Sinks sinks = {}, std::size_t history_budget_bytes = kHistoryBudget,
                 int workers = 1);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// Ends steps on the way, as if they had not begun (Simulation::SetStop). Before any scene is
  /// loaded.
  void SetStop(StopPoll stop);

  /// Handles every command but Play, Pause and SetSpeed, which belong to the pacing.
  void Apply(const Command& command);

  /// Every channel steps up to the next common time mark: the largest time step among them.
  /// Returns false when no channel could move (none, all failed: their events come again, or
  /// stopped).
  bool Advance();

  bool loaded() const;
  const Scene& scene() const;
  int channel_count() const;
  const Simulation& channel(int i) const;
  double time() const;       ///< last common time
  double mark_step() const;  ///< from one common time to the next [s]
  bool live() const;
  void Fill(Snapshot* snapshot) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slip
