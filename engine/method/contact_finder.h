// The contacts of a step under a Config: what the detector needs to know of it.
#pragma once

#include <vector>

#include "engine/collide/contact_detector.h"
#include "engine/method/config.h"

namespace slip {

/// How far beyond touch a normal law acts.
struct LawReach {
  double distance = 0;     ///< [m]
  bool unlimited = false;  ///< at any distance
};

/// Keeps its memory from step to step; what it keeps changes no result.
class ContactFinder {
 public:
  /// Threads that share large searches, null = the calling thread alone: the same contacts.
  void SetWorkers(WorkerPool* workers) { detector_.SetWorkers(workers); }

  /// Every contact that could act within the step that starts at `state`, ascending by key. `V_WB`
  /// are the spatial velocities of the bodies.
  void Find(const Model& model, const Config& config, const State& state,
            std::span<const Vec6> V_WB, const LawReach& law,
            std::vector<ContactGeometry>* contacts);

  /// Material of a contact of the last Find.
  const Material& material(const Model& model, const ContactGeometry& contact) const {
    return materials_.Of(model, contact.surface, contact.body_a, contact.body);
  }

 private:
  ContactDetector detector_;
  MaterialPairs materials_;
  std::vector<double> belts_;
};

}  // namespace slip
