#include "engine/run/scope/engine_thread.h"

#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <semaphore>

#include "engine/core/handoff.h"
#include "engine/core/numbers.h"
#include "engine/core/side_work.h"
#include "engine/core/thread_stop.h"
#include "engine/run/scope/scope.h"

namespace slip {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// Longest stretch of stepping before commands are looked at again.
constexpr Seconds kSlice{0.004};
// A new picture at most this often.
constexpr std::chrono::milliseconds kPublishInterval{8};
// Simulated time that may be owed to the wall clock; more is forgiven, not chased.
constexpr double kMaxDebt = 0.1;
constexpr auto kIdle = std::chrono::milliseconds(20);
// As fast as possible means as fast as someone reads: with more items than this unread, stepping
// rests, or the queue would grow by megabytes a second.
constexpr int64_t kMaxUnread = 2048;
// A paced run that is ahead of its reader by this much, several seconds of any usual step, rests
// too: steps far too small for real time would bury the plots under samples.
constexpr int64_t kMaxUnreadPaced = 1 << 15;
constexpr auto kReaderWait = std::chrono::milliseconds(1);
// A step that takes longer than this gives way to a change of what it computes. One that was ended
// so is given twice as long the next time: who drags a slider through slow steps sees them, too.
constexpr Seconds kPatience{0.15};

}  // namespace

struct EngineThread::Impl {
  SpscQueue<Command, 64> commands;
  SpscQueue<Telemetry, 256> telemetry;
  SpscQueue<Event, 64> events;
  TripleBuffer<Snapshot> snapshots;
  std::counting_semaphore<> wake{0};
  std::atomic<bool> stop{false};
  std::atomic<int64_t> unread{0};  // items in `telemetry`; counted, because the queue cannot tell
  std::array<std::atomic<int>, 4> waiting{};  // commands by CommandEffect, likewise
  // of the step under way
  bool gives_way = false;
  Seconds patience = kPatience;
  Clock::time_point patient_until;
  Scope scope;

  bool playing = false;
  double speed = 1;
  double until = kInfinity;  // the run pauses there
  Clock::time_point anchor_wall;
  double anchor_time = 0;
  Clock::time_point rate_wall;
  double rate_time = 0, real_time_factor = 0;
  Clock::time_point published{};
  bool shown_playing = false;
  std::optional<SideWork> work;

  explicit Impl(int workers)
      : scope({[this](const Telemetry& item) {
                 unread.fetch_add(1, std::memory_order_relaxed);
                 telemetry.Push(item);
               },
               [this](const Event& event) { events.Push(event); }},
              kHistoryBudget, workers) {
    scope.SetStop([this] { return InTheWay(); });
  }

  std::atomic<int>& Waiting(CommandEffect effect) { return At(waiting, effect); }
  int CountWaiting(CommandEffect effect) const {
    return At(waiting, effect).load(std::memory_order_relaxed);
  }

  // Whether the step under way is. Asked on any thread; stays so until the step has ended.
  bool InTheWay() const {
    if (stop.load(std::memory_order_relaxed)) return true;
    if (!gives_way) return false;
    if (CountWaiting(CommandEffect::kAtOnce) > 0) return true;
    return CountWaiting(CommandEffect::kChanges) > 0 && Clock::now() > patient_until;
  }

  // A step, or what `step` makes of them, that gives way to commands; true when it has.
  template <class Step>
  bool GiveWay(Step&& step) {
    patient_until = Clock::now() + std::chrono::duration_cast<Clock::duration>(patience);
    gives_way = true;
    step();
    const bool ended = InTheWay();
    gives_way = false;
    const bool hurried = CountWaiting(CommandEffect::kAtOnce) > 0;
    patience = ended && !hurried ? 2 * patience : kPatience;
    return ended;
  }

  // Pacing counts from here: simulated `scope.time()` belongs to the present instant.
  void Anchor() {
    anchor_wall = Clock::now();
    anchor_time = scope.time();
  }

  // Carries out a command; true when there may be something new to show.
  bool Handle(const Command& command) {
    return std::visit([&](const auto& kind) { return Do(kind, command); }, command);
  }
  bool Do(const Play& play, const Command&) {
    playing = scope.loaded();
    until = play.until;
    Anchor();
    return true;
  }
  bool Do(const Pause&, const Command&) {
    playing = false;
    Anchor();
    return true;
  }
  bool Do(const SetSpeed& set, const Command&) {
    if (set.speed > 0) speed = set.speed;
    Anchor();
    return true;
  }
  bool Do(const StepForward&, const Command& command) {
    playing = false;
    GiveWay([&] { scope.Apply(command); });
    Anchor();
    return true;
  }
  bool Do(const TakeRecording&, const Command& command) {
    scope.Apply(command);
    return false;
  }
  template <class Kind>
  bool Do(const Kind&, const Command& command) {
    if constexpr (StopsRun<Kind>) playing = false;
    scope.Apply(command);
    // looking is no reason to pace anew
    if constexpr (Kind::kEffect != CommandEffect::kLooks) Anchor();
    return true;
  }

  // Steps that are due now; returns the wall time of the next one.
  Clock::time_point StepDue() {
    const Clock::time_point begin = Clock::now();
    const bool free_run = std::isinf(speed);
    for (;;) {
      const Clock::time_point now = Clock::now();
      if (unread.load(std::memory_order_relaxed) > (free_run ? kMaxUnread : kMaxUnreadPaced)) {
        return now + kReaderWait;
      }
      // half a step: the same end whatever the rounding of its time
      if (scope.time() > until - 0.5 * scope.mark_step()) {
        playing = false;
        return now;
      }
      if (!free_run) {
        const double owed = anchor_time + Seconds(now - anchor_wall).count() * speed - scope.time();
        if (owed < scope.mark_step()) {
          return now + std::chrono::duration_cast<Clock::duration>(
                           Seconds((scope.mark_step() - owed) / speed));
        }
        if (owed > kMaxDebt * std::max(1.0, speed) + scope.mark_step()) Anchor();
      }
      bool moved = false;
      if (GiveWay([&] { moved = scope.Advance(); })) return now;
      if (!moved) {
        playing = false;
        return now;
      }
      if (now - begin > kSlice || Slice::IsOver()) return now;
    }
  }

  void MeasureRate() {
    const Clock::time_point now = Clock::now();
    const double wall = Seconds(now - rate_wall).count();
    if (wall < 0.5) return;
    real_time_factor = std::max(0.0, (scope.time() - rate_time) / wall);
    rate_wall = now;
    rate_time = scope.time();
  }

  void Publish() {
    Snapshot& snapshot = snapshots.Back();
    scope.Fill(&snapshot);
    snapshot.playing = playing;
    snapshot.speed = speed;
    snapshot.real_time_factor = playing ? real_time_factor : 0;
    snapshots.Publish();
  }

  /// Carries out the commands that came, and makes the steps that are due; *dirty: there may be
  /// something new to show. Returns when there is more to do.
  Clock::time_point Turn(bool* dirty) {
    Command command;
    while (commands.Pop(&command)) {
      Waiting(EffectOf(command)).fetch_sub(1, std::memory_order_relaxed);
      *dirty = Handle(command) || *dirty;
    }
    Clock::time_point next = Clock::now() + kIdle;
    if (playing) {
      // a step may take long, and what commands changed is seen before it
      PublishIfDue(dirty, kPublishInterval);
      const double before = scope.time();
      next = StepDue();
      *dirty = *dirty || scope.time() != before || !playing;
    }
    MeasureRate();
    return next;
  }

  void PublishIfDue(bool* dirty, Clock::duration interval) {
    const Clock::time_point now = Clock::now();
    const bool due = now - published >= interval || !playing || playing != shown_playing;
    if (!*dirty || !due) return;
    Publish();
    published = now;
    shown_playing = playing;
    *dirty = false;
  }

  Sliced<> Run() {
    const bool in_frames = Slice::Present() != nullptr;
    // the default slack of 50 us would make every wake-up that late
    if (!in_frames) prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
    // what a command asks for, too, beside the steps
    const ThreadStop at_the_end([this] { return stop.load(std::memory_order_relaxed); });
    rate_wall = Clock::now();
    bool dirty = true;
    Publish();
    while (!stop.load(std::memory_order_acquire)) {
      Clock::time_point next = Turn(&dirty);
      if (in_frames) {
        const bool waits = next > Clock::now();
        if (!waits && !Slice::IsOver()) continue;
        // the frame that follows shows all of it
        PublishIfDue(&dirty, Clock::duration::zero());
        if (waits) co_await Rest{};
        co_await MayRest{};
        continue;
      }
      PublishIfDue(&dirty, kPublishInterval);
      const Clock::time_point now = Clock::now();
      if (dirty) next = std::min(next, published + Clock::duration(kPublishInterval));
      if (next > now && wake.try_acquire_until(next)) {
        while (wake.try_acquire()) {
        }
      }
    }
  }
};

EngineThread::EngineThread(int workers) : impl_(std::make_unique<Impl>(workers)) {
  impl_->work.emplace(impl_->Run(), SideWork::Options{.order = SideWork::Order::kFirst});
}

EngineThread::~EngineThread() {
  impl_->stop.store(true, std::memory_order_release);
  impl_->wake.release();
  impl_->work.reset();
}

void EngineThread::Send(Command command) {
  impl_->Waiting(EffectOf(command)).fetch_add(1, std::memory_order_relaxed);
  impl_->commands.Push(std::move(command));
  impl_->wake.release();
}

const Snapshot& EngineThread::Latest() { return impl_->snapshots.Latest(); }
bool EngineThread::NextTelemetry(Telemetry* item) {
  if (!impl_->telemetry.Pop(item)) return false;
  impl_->unread.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

std::optional<Event> EngineThread::NextEvent() {
  Event event;
  if (!impl_->events.Pop(&event)) return std::nullopt;
  return event;
}

}  // namespace slip
