#include "engine/run/track/step_events.h"

#include <utility>

#include "engine/core/numbers.h"
#include "engine/run/track/unconverged.h"

namespace slip {
namespace {

/// Of the last step of a simulation.
template <class Item>
Event EventOf(int channel, const Simulation& simulation, Item item) {
  return {channel, simulation.step(), simulation.time(), std::move(item)};
}

}  // namespace

void StepEvents::Begin(const Simulation& simulation) {
  converged_ = true;
  gave_up_ = simulation.NextGivenUp() >= 0;
}

/// Whether a run of converged steps ends with this one.
bool StepEvents::Ends(bool converged) { return std::exchange(converged_, converged) && !converged; }

void StepEvents::Take(int channel, StepStatus status, const Simulation& simulation,
                      std::vector<Event>* events) {
  if (!Advanced(status)) {
    events->push_back(FailureOf(channel, simulation));
    return;
  }
  if (Ends(status == StepStatus::kConverged)) {
    NotConverged item{WhyUnconverged(simulation.solve())};
    events->push_back(EventOf(channel, simulation, std::move(item)));
  }
  const int robot = simulation.NextGivenUp();
  if (!std::exchange(gave_up_, robot >= 0) && robot >= 0) {
    const std::string& name = At(simulation.model().robots, robot).name;
    events->push_back(EventOf(channel, simulation, GaveUp{name}));
  }
}

void StepEvents::Take(int channel, const StepRecord& record, double time,
                      std::vector<Event>* events) {
  if (Ends(!record.measured || record.solve.converged))
    events->push_back({channel, record.state.step, time, NotConverged{}});
}

Event FailureOf(int channel, const Simulation& simulation) {
  return EventOf(channel, simulation, StepFailed{simulation.failure()});
}

}  // namespace slip
