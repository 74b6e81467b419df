#include "app/session/playback.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "app/session/param_edits.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

// A loop rests so long at its end [s].
constexpr double kLoopHold = 1;
// After a frame that took longer, the loop goes on from where it was [s].
constexpr double kLongestFrame = 0.1;

/// What a command of the user does to a loop.
enum class LoopFate {
  kGoesOn,
  kStands,  ///< it ends, and what was shown stands still
  kLooks,   ///< it ends, to look at something else; the first run of a loop goes on
  kRuns     ///< it ends, and the run goes on from the moment that was shown
};

LoopFate FateOf(const Command& command) {
  // what is changed is to be seen
  if (std::holds_alternative<SetParamCommand>(command) ||
      std::holds_alternative<AddChannel>(command) ||
      std::holds_alternative<RemoveChannel>(command) || std::holds_alternative<Resync>(command)) {
    return LoopFate::kRuns;
  }
  // a hand that lets go has taken hold before
  if (const auto* pull = std::get_if<SetGrab>(&command))
    return pull->grab.body >= 0 ? LoopFate::kRuns : LoopFate::kGoesOn;
  if (std::holds_alternative<slip::GoLive>(command) ||
      std::holds_alternative<slip::GoToBranch>(command)) {
    return LoopFate::kLooks;
  }
  const bool stands =
      std::holds_alternative<Pause>(command) || std::holds_alternative<StepForward>(command) ||
      std::holds_alternative<StepBack>(command) || std::holds_alternative<slip::Seek>(command) ||
      std::holds_alternative<LoadReplay>(command);
  return stands ? LoopFate::kStands : LoopFate::kGoesOn;
}

}  // namespace

void Playback::Send(Command command) {
  const LoopFate fate = looping() ? FateOf(command) : LoopFate::kGoesOn;
  const bool runs = playing() && (fate == LoopFate::kRuns ||
                                  (fate == LoopFate::kLooks && loop_ == LoopPhase::kRun));
  link_.Send(std::move(command));
  if (fate == LoopFate::kGoesOn) return;
  loop_ = LoopPhase::kOff;
  if (runs) SetPlaying(true);  // now without an end
}

void Playback::SetPlaying(bool playing) {
  if (playing && core_.IsOpening()) return;
  if (playing) {
    // the loop comes to rest there by itself
    const bool to_end = loop_ == LoopPhase::kRun;
    Send(Play{to_end ? core_.scene()->duration : kInfinity});
  } else {
    Send(Pause{});
  }
  wants_play_ = playing;
  wants_since_ = core_.now();
}

void Playback::Seek(double time) {
  const double start = core_.snapshot().history_start;
  Send(slip::Seek{std::clamp(time, start, std::max(start, core_.snapshot().history_end))});
}

void Playback::Step(int count) {
  if (core_.IsOpening()) return;
  if (playing()) SetPlaying(false);
  if (count > 0) {
    Send(StepForward{count});
  } else {
    Send(StepBack{-count});
  }
}

void Playback::Reset() {
  if (core_.IsOpening()) return;
  const bool runs = playing();
  Send(slip::Reset{});
  BeginLoop();
  if (looping() && runs) SetPlaying(true);
}

void Playback::SetSpeed(double speed) {
  Send(slip::SetSpeed{speed});
  wants_speed_ = speed;
  wants_speed_since_ = core_.now();
}

double Playback::scene_speed() const {
  return staged_ && core_.scene() != nullptr ? core_.scene()->speed : 1;
}

Playback::Moment Playback::Now() const {
  return {speed(), core_.snapshot().time, playing(), core_.snapshot().live, loop_};
}

void Playback::GoBackTo(const Moment& moment) {
  if (core_.IsOpening()) return;
  if (moment.speed != speed()) SetSpeed(moment.speed);
  if (moment.loop == LoopPhase::kHold || moment.loop == LoopPhase::kShow) {
    SetPlaying(false);
    wants_play_.reset();
    loop_ = LoopPhase::kShow;
    loop_time_ = moment.time;
    link_.Send(slip::Seek{loop_time_});
    return;
  }
  if (moment.playing && moment.live) {
    GoLive();
  } else {
    Seek(moment.time);
  }
  loop_ = moment.loop;
  if (moment.playing != playing()) SetPlaying(moment.playing);
}

void Playback::ChangeSpeed(int direction) {
  constexpr std::size_t kCount = kPlaybackSpeeds.size() + 1;
  const auto at = [](std::size_t i) {
    return i < kPlaybackSpeeds.size() ? kPlaybackSpeeds[i] : kInfinity;
  };
  std::size_t i = 0;
  while (i + 1 < kCount && at(i) < speed() * 0.999) ++i;
  if (direction > 0 && i + 1 < kCount && at(i) <= speed() * 1.001) ++i;
  if (direction < 0 && i > 0) --i;
  SetSpeed(at(i));
}

std::optional<double> Playback::StagedSpan() const {
  if (!staged_ || core_.scene() == nullptr || !core_.scene()->loop || core_.channel_count() == 0)
    return std::nullopt;
  // a step may end a little later
  const double h = core_.frame(0).config.step.time_step;
  if (core_.snapshot().history_end > core_.scene()->duration + h) return std::nullopt;
  return core_.scene()->duration;
}

void Playback::Start(const Scene& scene) {
  loop_ = LoopPhase::kOff;
  // the next scene runs in real time again
  const double speed = staged_ ? scene.speed : 1;
  wants_speed_.reset();
  if (speed != 1 || paced_) SetSpeed(speed);
  paced_ = speed != 1;
}

void Playback::Update() {
  if (wants_play_ &&
      (*wants_play_ == core_.snapshot().playing || core_.now() - wants_since_ > kEchoSeconds)) {
    wants_play_.reset();
  }
  if (wants_speed_ &&
      (*wants_speed_ == core_.snapshot().speed || core_.now() - wants_speed_since_ > kEchoSeconds))
    wants_speed_.reset();
  UpdateLoop();
}

void Playback::BeginLoop() {
  loop_ = staged_ && core_.scene() != nullptr && core_.scene()->loop ? LoopPhase::kRun
                                                                     : LoopPhase::kOff;
}

/// The engine's part of a loop is one run to its end; the rest is looking at what it recorded, so
/// a loop adds nothing to the history, the journal or what was measured.
void Playback::UpdateLoop() {
  if (loop_ == LoopPhase::kOff || !core_.TakenOver() || core_.channel_count() == 0) return;
  if (loop_ == LoopPhase::kRun) {
    const bool stands = !core_.snapshot().playing && !wants_play_ && core_.snapshot().live;
    // unless it was stopped on the way, or has not begun
    const double h = core_.frame(0).config.step.time_step;
    if (stands && core_.snapshot().time > core_.scene()->duration - h) {
      loop_ = LoopPhase::kHold;
      loop_since_ = core_.now();
    }
  } else if (loop_ == LoopPhase::kHold) {
    if (core_.now() - loop_since_ < kLoopHold) return;
    loop_ = LoopPhase::kShow;
    loop_time_ = core_.snapshot().history_start;
    link_.Send(slip::Seek{loop_time_});
  } else {
    const double speed = std::min(this->speed(), kPlaybackSpeeds.back());
    loop_time_ += std::clamp(core_.frame_seconds(), 0.0, kLongestFrame) * speed;
    const double end = core_.snapshot().history_end;
    link_.Send(slip::Seek{std::min(loop_time_, end)});
    if (loop_time_ < end) return;
    loop_ = LoopPhase::kHold;
    loop_since_ = core_.now();
  }
}

}  // namespace slip::app
