// The moment on screen, which may be past. Sends the samples of the past: those of the present
// branch, and of another one beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/run/channels/channels.h"
#include "engine/run/scope/branches.h"
#include "engine/run/track/publisher.h"

namespace slip {

class Past {
 public:
  /// The newest step of the present branch is shown.
  bool live() const { return live_; }
  void GoLive() { live_ = true; }
  /// False of a channel that began later than the moment that is looked at: it stands at its start.
  bool Begun(int channel) const { return live_ || At(begun_, channel) != 0; }
  /// Every channel goes to its last step at or before `time`.
  void Seek(double time, Channels* channels);

  /// All recorded samples of the present branch, and what happened on it.
  void Send(const Channels& channels, const Branches& branches, const Publisher& publisher) const;
  /// What the branch recorded beside the present one, in so many samples a channel at most.
  BranchSamples SamplesOf(int which, const Branches& branches) const;

  /// Snapshots show this branch beside the present one; -1 = none.
  void AskGhost(int which, const Branches& branches);
  void FillGhost(const Channels& channels, const Branches& branches, GhostRun* shown) const;

 private:
  bool live_ = true;
  std::vector<char> begun_;          // by place of the channel, of the last Seek
  uint64_t ghost_ = 0;               // id of the branch; 0 = none
  mutable StepRecord ghost_record_;  // its memory is used again
};

/// That a channel was added at its start; nothing of one that begins with the scene.
std::optional<Event> BeginOf(int channel, const Track& track);

}  // namespace slip
