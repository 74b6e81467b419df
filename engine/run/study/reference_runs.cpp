#include "engine/run/study/reference_runs.h"

namespace slip {

Sliced<std::shared_ptr<const Trajectory>> ReferenceOf(const SweepPlan& plan, std::size_t run,
                                                      const RunCallbacks& callbacks,
                                                      ReferenceRuns* references) {
  const std::vector<double> key = plan.ReferenceKey(run);
  const auto make = [&]() -> Sliced<std::shared_ptr<const Trajectory>> {
    RunPlan one = OneOf(plan.base, static_cast<std::size_t>(key.back()), plan.ReferenceConfig(key));
    one.duration = plan.base.End(plan.ConfigOf(run));
    one.steps = 0;
    Trajectory trajectory = co_await RecordInSlices(one, plan.reference->interval, callbacks);
    if (trajectory.stopped) co_return nullptr;
    co_return std::make_shared<const Trajectory>(std::move(trajectory));
  };
  co_return co_await references->Get(key, make);
}

}  // namespace slip
