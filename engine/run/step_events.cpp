#include "engine/run/step_events.h"

#include <utility>

#include "engine/run/unconverged.h"

namespace slip {
namespace {

Event EventOf(Event::Kind kind, int channel, int64_t step, double time) {
  Event event;
  event.kind = kind;
  event.channel = channel;
  event.step = step;
  event.time = time;
  return event;
}

}  // namespace

void StepEvents::Begin(const Simulation& simulation) {
  converged_ = true;
  gave_up_ = simulation.FirstGivenUp() >= 0;
}

/// Whether a run of converged steps ends with this one.
bool StepEvents::Ends(bool converged) { return std::exchange(converged_, converged) && !converged; }

void StepEvents::Take(int channel, StepStatus status, const Simulation& simulation,
                      std::vector<Event>* events) {
  if (!Advanced(status)) {
    events->push_back(FailureOf(channel, simulation));
    return;
  }
  const int64_t step = simulation.step();
  const double time = simulation.time();
  if (Ends(status == StepStatus::kConverged)) {
    Event event = EventOf(Event::Kind::kNotConverged, channel, step, time);
    event.note = "not converged: " + WhyUnconverged(simulation.solve());
    events->push_back(std::move(event));
  }
  const int robot = simulation.FirstGivenUp();
  if (!std::exchange(gave_up_, robot >= 0) && robot >= 0) {
    Event event = EventOf(Event::Kind::kGaveUp, channel, step, time);
    event.path = simulation.model().robots[static_cast<std::size_t>(robot)].name;
    event.note = kGaveUpNote;
    events->push_back(std::move(event));
  }
}

void StepEvents::Take(int channel, const StepRecord& record, double time,
                      std::vector<Event>* events) {
  if (Ends(!record.measured || record.solve.converged))
    events->push_back(EventOf(Event::Kind::kNotConverged, channel, record.state.step, time));
}

Event FailureOf(int channel, const Simulation& simulation) {
  Event event = EventOf(Event::Kind::kFailure, channel, simulation.step(), simulation.time());
  event.note = simulation.failure();
  return event;
}

}  // namespace slip
