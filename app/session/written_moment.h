// The one moment that all numbers of a frame are of: those of every frame could not be read while
// a run plays, and numbers of different moments would contradict one another in one picture.
#pragma once

#include <cstdint>

#include "app/plots/series.h"
#include "app/session/playback.h"
#include "app/session/session_core.h"
#include "engine/core/numbers.h"

namespace slip::app {

class WrittenMoment {
 public:
  explicit WrittenMoment(const SessionCore& core) : core_(core) {}

  /// Once per frame, before anything is drawn. While the run plays the moment advances ten times a
  /// second of the session's clock; otherwise it is the one on the screen.
  /// `changed`: something has come from the engine.
  void Update(const Playback& playback, const SeriesStore& series, bool changed);
  /// The next update takes the moment on the screen, whatever plays, and so does the one after it,
  /// when the engine may show what was changed.
  void Renew() { renewals_ = 2; }

  /// As many channels and bodies as the session's snapshot has.
  const Snapshot& snapshot() const { return rests_ ? kept_ : core_.snapshot(); }
  const ChannelFrame& frame(int channel) const { return At(snapshot().channels, channel); }
  double time() const { return snapshot().time; }  ///< [s]
  /// Largest values and the like are of the samples up to here [s]: while the past is looked at, of
  /// the whole recorded run, as the plots show it.
  double until() const { return until_; }
  /// Another number in every frame whose numbers may differ from those of the frame before.
  int64_t count() const { return count_; }

 private:
  bool Rests(const Playback& playback) const;

  const SessionCore& core_;
  Snapshot kept_;       ///< of the moment, while it rests
  bool rests_ = false;  ///< the run plays on
  double since_ = 0;    ///< when the moment was last taken [s of the session's clock]
  double until_ = kInfinity;
  int64_t count_ = 0;
  int renewals_ = 0;  ///< updates that take the moment on the screen
};

}  // namespace slip::app
