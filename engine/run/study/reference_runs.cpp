#include "engine/run/study/reference_runs.h"

namespace slip {

std::shared_ptr<const Trajectory> ReferenceOf(const SweepPlan& plan, std::size_t run,
                                              const RunCallbacks& callbacks,
                                              ReferenceRuns* references) {
  const std::vector<double> key = plan.ReferenceKey(run);
  return references->Get(key, [&]() -> std::shared_ptr<const Trajectory> {
    RunPlan one = OneOf(plan.base, static_cast<std::size_t>(key.back()), plan.ReferenceConfig(key));
    one.duration = plan.base.End(plan.ConfigOf(run));
    one.steps = 0;
    Trajectory trajectory = RecordTrajectory(one, plan.reference->interval, callbacks);
    if (trajectory.stopped) return nullptr;
    return std::make_shared<const Trajectory>(std::move(trajectory));
  });
}

}  // namespace slip
