#include "engine/run/study/reference_runs.h"

#include <algorithm>

namespace slip {
namespace {

constexpr std::size_t kMostKept = 64;  // more than there are workers that could wait for one

}  // namespace

RunPlan RunOf(const SweepPlan& plan, std::size_t model, const Config& config) {
  RunPlan one;
  one.scene = plan.base.scene;
  one.configs = {config};
  const std::vector<MethodId> methods = {config.method()};
  one.labels = ChannelLabels(std::span(&methods, 1));
  one.duration = plan.base.duration;
  one.steps = plan.base.steps;
  for (TimedChange change : plan.base.changes) {
    if (change.channel >= 0 && change.channel != static_cast<int>(model)) continue;
    change.channel = -1;
    one.changes.push_back(std::move(change));
  }
  return one;
}

std::shared_ptr<const Trajectory> ReferenceRuns::Get(const SweepPlan& plan, std::size_t run,
                                                     const RunCallbacks& callbacks) {
  const std::vector<double> key = plan.ReferenceKey(run);
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const auto& other) { return other->key == key; });
    if (at != entries_.end()) {
      entry = *at;
    } else {
      entry = std::make_shared<Entry>();
      entry->key = key;
      entries_.push_back(entry);
      if (entries_.size() > kMostKept) entries_.pop_front();
    }
  }
  const std::lock_guard lock(entry->making);
  if (entry->trajectory != nullptr) return entry->trajectory;
  const auto model = static_cast<std::size_t>(key.back());
  const Config config = plan.ReferenceConfig(key);
  RunPlan one = RunOf(plan, model, config);
  one.duration = plan.base.End(plan.ConfigOf(run));
  one.steps = 0;
  Trajectory trajectory = RecordTrajectory(one, plan.reference->interval, callbacks);
  if (trajectory.stopped) return nullptr;
  entry->trajectory = std::make_shared<const Trajectory>(std::move(trajectory));
  return entry->trajectory;
}

}  // namespace slip
