#include "engine/run/scope/reference.h"
#include "engine/core/numbers.h"
#include "engine/core/thread_stop.h"
#include "engine/sim/method_list.h"

#include <algorithm>

namespace slip {
namespace {

constexpr double kSameTime = 5e-10;  // [s] changes come at the ends of steps, up to rounding
constexpr int kBackground = 10;      // niceness: the session goes first

/// Sets the parameter as the compared channel would, but keeps the model and the finer step.
Status Apply(const TimedChange& change, int refinement, Config* config) {
  if (change.path == kMethodParam) return Ok{};
  if (change.path == "time_step") {
    // may be finer than the knob goes
    config->step.time_step = change.value / refinement;
    return Ok{};
  }
  return SetParam(config, change.path, change.value);
}

}  // namespace

ReferenceRun::ReferenceRun(ReferencePlan plan) : plan_(std::move(plan)) {
  plan_.refinement = std::max(1, plan_.refinement);
  work_.emplace(Run(), SideWork::Options{.niceness = kBackground});
}

ReferenceRun::~ReferenceRun() {
  Cancel();
  work_.reset();
}

bool ReferenceRun::NextSample(Sample* sample) { return samples_.Pop(sample); }

void ReferenceRun::Emit(const Simulation& sim) {
  Sample sample;
  sample.step = sim.step();
  sample.time = sim.time();
  sample.values = sim.signals();
  sample.part_values = sim.now().part_signals;
  // not measured: it costs part of a solve
  for (const Signal signal : {Signal::kConditionNumber, Signal::kConditionNumberRaw}) {
    At(sample.values, signal) = kNaN;
  }
  samples_.Push(std::move(sample));
}

Sliced<> ReferenceRun::Run() {
  Config config = plan_.config;
  // springs with anchors are another model of contact than the convex ones
  const bool anchors = Info(config.method()).family == Family::kAnchored;
  config.step.method =
      static_cast<int>(anchors ? MethodNamed("exponential") : MethodNamed("lagged"));
  config.step.time_step /= plan_.refinement;
  const StopPoll stop = [this] { return stop_.load(std::memory_order_acquire); };
  const ThreadStop in_between(&stop);
  Track track(plan_.model, config);
  const Simulation& sim = track.sim();
  track.sim().SetMeasureCondition(false);
  track.SetStop(stop);
  Emit(sim);
  std::size_t next_change = 0;
  int since_sample = 0;
  while (!stop_.load(std::memory_order_acquire) && sim.time() < plan_.end - kSameTime) {
    bool changed = false;
    while (next_change < plan_.changes.size() &&
           plan_.changes[next_change].time <= sim.time() + kSameTime) {
      const Status status = Apply(plan_.changes[next_change++], plan_.refinement, &config);
      if (!status.ok()) failure_ = status.error().Text();
      changed = true;
    }
    if (!failure_.empty()) break;
    if (changed) track.SetConfig(config);
    if (track.AdvanceTo({.most = 1}) == AdvanceEnd::kFailed) {
      failure_ = sim.failure();
      break;
    }
    if (++since_sample >= plan_.refinement) {
      since_sample = 0;
      Emit(sim);
    }
    progress_.store(std::min(1.0, sim.time() / plan_.end), std::memory_order_relaxed);
    co_await MayRest{};
  }
  done_.store(true, std::memory_order_release);
}

}  // namespace slip
