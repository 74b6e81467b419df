#include "engine/run/channels/trace_step.h"

#include <cmath>

#include "engine/method/formulation.h"
#include "engine/sim/outlook.h"

namespace slip {
namespace {

// Bits, not tolerances: a step repeated from its start is the same step.
bool SameSolve(const SolveRecord& a, const SolveRecord& b) {
  if (a.iterations != b.iterations || a.recorded != b.recorded || a.cost != b.cost) return false;
  for (int i = 0; i < a.recorded; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (a.history[at].cost != b.history[at].cost || a.history[at].alpha != b.history[at].alpha) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::shared_ptr<const SolveTrace> TraceStep(const Channels& channels, int index, uint64_t session) {
  auto result = std::make_shared<SolveTrace>();
  result->channel = index;
  result->session = session;
  if (index < 0 || index >= channels.count()) return result;
  const Track& track = channels.track(index);
  result->step = track.sim().step();

  // where the step began: the record before it, which thinning may have dropped
  const Timeline& history = track.history();
  const double h = track.sim().config().step.time_step;
  const std::size_t at = history.Find(track.sim().time() + 1e-6 * h);
  if (at == 0) return result;
  StepRecord start;
  history.Load(at - 1, &start);
  if (start.state.step + 1 != result->step) return result;

  // the knobs of then, turned as they were turned between the two
  const Config then = track.lines().ConfigAt(start.state.step);
  const Config now = track.lines().ConfigAt(result->step);
  const Model& moved = track.sim().model();
  std::shared_ptr<const Model> unowned(std::shared_ptr<const Model>(), &moved);
  Simulation sim(unowned, then);
  sim.Restore(start, then);
  if (!(then == now)) sim.SetConfig(now);

  SolveRecord record;
  if (!Outlook(&sim).Trace(&record, result.get())) return result;
  // a pull moves its anchor between records: such a step is not known well enough
  result->repeated = SameSolve(record, track.sim().solve());
  if (!result->repeated) result->lines.clear();
  return result;
}

}  // namespace slip
