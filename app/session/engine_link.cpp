// The two links: a thin shell around EngineThread, and a Scope stepped on the caller's thread.
#include "app/session/engine_link.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "engine/core/thread_stop.h"
#include "engine/core/worker_pool.h"
#include "engine/run/scope/engine_thread.h"

namespace slip::app {
namespace {

class ThreadLink final : public EngineLink {
 public:
  void Send(Command command) override { thread_.Send(std::move(command)); }
  const Snapshot& Latest() override { return thread_.Latest(); }
  bool NextTelemetry(Telemetry* item) override { return thread_.NextTelemetry(item); }
  std::optional<Event> NextEvent() override { return thread_.NextEvent(); }
  bool live() const override { return true; }

 private:
  EngineThread thread_{HardwareThreads() - 1};
};

// "As fast as possible" has no meaning when time is handed out; this many times real time has.
constexpr double kFastest = 16;

}  // namespace

std::unique_ptr<EngineLink> MakeThreadLink() { return std::make_unique<ThreadLink>(); }

SteppedLink::SteppedLink()
    : scope_(Scope::Sinks{[this](const Telemetry& item) { telemetry_.push_back(item); },
                          [this](const Event& event) { events_.push_back(event); }},
             kHistoryBudget, HardwareThreads()) {}

void SteppedLink::Send(Command command) {
  stale_ = true;
  if (const auto* play = std::get_if<Play>(&command)) {
    playing_ = scope_.loaded();
    until_ = play->until;
  } else if (std::holds_alternative<Pause>(command)) {
    playing_ = false;
  } else if (const auto* speed = std::get_if<SetSpeed>(&command)) {
    if (speed->speed > 0) speed_ = speed->speed;
  } else {
    if (DoesStopRun(command)) playing_ = false;
    const ThreadStop stop(&stop_);
    scope_.Apply(command);
    if (EffectOf(command) == CommandEffect::kLooks) return;
  }
  target_ = scope_.loaded() ? scope_.time() : 0;
}

void SteppedLink::RunFor(double seconds) {
  if (!playing_ || !scope_.loaded()) return;
  RunTo(target_ + seconds * std::min(speed_, kFastest));
}

void SteppedLink::RunTo(double time) {
  if (!playing_ || !scope_.loaded()) return;
  target_ = time;
  // half a step: the same end whatever the rounding of its time
  const auto at_end = [this] { return scope_.time() > until_ - 0.5 * scope_.mark_step(); };
  // Half a nanosecond: a target that equals a step's end must not be missed by rounding.
  while (scope_.time() < target_ - 5e-10) {
    const double before = scope_.time();
    if (at_end() || !scope_.Advance()) {
      playing_ = false;
      break;
    }
    if (!(scope_.time() > before)) break;
  }
  if (at_end()) playing_ = false;
  stale_ = true;
}

const Snapshot& SteppedLink::Latest() {
  if (stale_) {
    scope_.Fill(&snapshot_);
    snapshot_.playing = playing_;
    snapshot_.speed = speed_;
    snapshot_.real_time_factor = playing_ ? std::min(speed_, kFastest) : 0;
    stale_ = false;
  }
  return snapshot_;
}

bool SteppedLink::NextTelemetry(Telemetry* item) {
  if (telemetry_.empty()) return false;
  *item = std::move(telemetry_.front());
  telemetry_.pop_front();
  return true;
}

std::optional<Event> SteppedLink::NextEvent() {
  if (events_.empty()) return std::nullopt;
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

}  // namespace slip::app
