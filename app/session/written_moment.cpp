#include "app/session/written_moment.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace slip::app {
namespace {

/// A loop that rests at its end plays, and shows one moment.
bool Moves(const Playback& playback) {
  return playback.playing() && playback.loop_phase() != LoopPhase::kHold;
}

/// Some channel has made its first step: there were no contacts and no forces to rest at.
bool Begins(const Snapshot& before, const Snapshot& now) {
  return !std::equal(
      before.channels.begin(), before.channels.end(), now.channels.begin(),
      [](const ChannelFrame& a, const ChannelFrame& b) { return a.measured || !b.measured; });
}

/// Channels and bodies are the same ones, and time has gone on.
bool Continues(const Snapshot& before, const Snapshot& now) {
  return before.session == now.session && before.scene_generation == now.scene_generation &&
         before.branch == now.branch && before.model == now.model && before.live == now.live &&
         before.channels.size() == now.channels.size() && now.time >= before.time;
}

}  // namespace

bool WrittenMoment::Rests(const Playback& playback) const {
  const auto tenth = [](double t) { return std::floor(10 * t); };
  return rests_ && tenth(core_.now()) == tenth(since_) && Moves(playback) &&
         Continues(kept_, core_.snapshot()) && !Begins(kept_, core_.snapshot());
}

void WrittenMoment::Update(const Playback& playback, const SeriesStore& series, bool changed) {
  const bool renew = renewals_ > 0;
  if (renew) --renewals_;
  if (!renew && Rests(playback)) return;
  const Snapshot& shown = core_.snapshot();
  const bool rested = std::exchange(rests_, Moves(playback));
  if (rests_) kept_ = shown;  // into the memory of the one before
  since_ = core_.now();
  until_ = std::max(shown.time, series.end());
  if (renew || changed || rested || rests_) ++count_;
}

}  // namespace slip::app
