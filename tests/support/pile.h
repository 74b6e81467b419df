// Clutter as numbers: deterministic contact problems with the stiffness of piles of spheres and
// boxes, without shapes or collision detection.
#pragma once

#include <cstdint>

#include "engine/convex/contact_problem.h"

namespace slip::test {

enum class PileState {
  kFirstImpact,  ///< columns fall as one; some gaps close within the step
  kMidFall,      ///< everything tumbles, overlaps and slides
  kResting       ///< at rest under its own weight
};

struct PileSpec {
  int bodies = 40;  ///< filled into columns: 4 for 40 bodies, 20 for 400, 100 for 4000
  PileState state = PileState::kMidFall;
  int model = 0;    ///< MethodId
  int law = 0;      ///< NormalLawId
  double h = 1e-2;  ///< [s]
  double stiffness = 1e7, dissipation = 10, relaxation_time = 1e-4, friction = 1;
  double torsional_friction = 0;  ///< of every other contact; the rest have none [m]
  double stiction_tolerance = 1e-4, sigma = 1e-3;
  double mass_spread = 0;  ///< masses are multiplied by 10^U(-spread, spread)
  std::uint64_t seed = 1;
};

/// Free bodies (0.524 kg spheres, 1 kg boxes, 0.1 m) in a jittered lattice of columns: contacts
/// with floor, walls and neighbours; one point where a sphere takes part, else two to four.
ContactProblem MakePile(const PileSpec& spec);

/// The next step of a solved pile with frozen geometry: distances move with the normal velocities,
/// the new velocities are the next guess.
void AdvancePile(ContactProblem* problem);

}  // namespace slip::test
