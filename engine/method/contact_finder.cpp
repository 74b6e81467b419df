#include "engine/method/contact_finder.h"

namespace slip {

void ContactFinder::Find(const Model& model, const Config& config, const State& state,
                         std::span<const Vec6> V_WB, const LawReach& law,
                         std::vector<ContactGeometry>* contacts) {
  const double h = config.step.time_step;
  const ContactReach reach{.h = h,
                           .gravity = config.step.gravity,
                           .barrier = law.distance,
                           .unlimited = law.unlimited,
                           .glides = Info(config.method()).glides};
  materials_.Combine(config.materials);
  belts_.clear();
  for (const SurfaceDrive& drive : config.surfaces) {
    belts_.push_back(drive.Velocity(state.Time(h) + h));
  }
  detector_.Detect(model, state, V_WB, reach, materials_, belts_,
                   static_cast<NarrowPhaseId>(config.step.narrow_phase), contacts);
}

}  // namespace slip
