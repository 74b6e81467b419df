#include "engine/run/scope/foretell.h"

#include "engine/sim/outlook.h"

namespace slip {

std::shared_ptr<const std::vector<ForcePrediction>> Foretell(const Channels& channels,
                                                             const Past& past, double span,
                                                             int samples, uint64_t session) {
  auto all = std::make_shared<std::vector<ForcePrediction>>();
  if (!(span > 0) || samples < 1) return all;
  for (int c = 0; c < channels.count(); ++c) {
    if (!past.Begun(c) || !channels.sim(c).failure().empty()) continue;
    ForcePrediction prediction;
    Outlook outlook(&channels.track(c).sim());
    if (!outlook.PredictForces(span, samples, &prediction)) continue;
    prediction.channel = c;
    prediction.session = session;
    all->push_back(std::move(prediction));
  }
  return all;
}

}  // namespace slip
