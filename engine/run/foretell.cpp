// What the contact forces of the channels will be, from their present steps on: the window asks
// while the run stands.
#include "engine/run/lockstep.h"

namespace slip {

std::shared_ptr<const std::vector<ForcePrediction>> Lockstep::Foretell(double span,
                                                                       int samples) const {
  auto all = std::make_shared<std::vector<ForcePrediction>>();
  if (!(span > 0) || samples < 1) return all;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    Channel& channel = *channels[c];
    if (!channel.begun || !channel.sim().failure().empty()) continue;
    ForcePrediction prediction;
    // a look ahead leaves nothing behind in the simulation
    if (!channel.track.sim().PredictForces(span, samples, &prediction)) continue;
    prediction.channel = static_cast<int>(c);
    prediction.session = session;
    all->push_back(std::move(prediction));
  }
  return all;
}

}  // namespace slip
