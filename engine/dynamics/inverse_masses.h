// How heavy a model's bodies and coordinates are to who pushes them: what MuJoCo scales its
// contacts and limits by.
#pragma once

#include <limits>
#include <vector>

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"

namespace slip {

struct InverseMasses {
  std::vector<double> body;  ///< third of the trace of J M⁻¹ Jᵀ at the centre of mass [1/kg]
  std::vector<double> coordinate;  ///< of M⁻¹'s diagonal
  std::vector<double> inertia;     ///< of M's diagonal
};
/// In that state. Trees with more coordinates than `most`, or without mass, have zeros.
InverseMasses CalcInverseMasses(const Model& model, const State& state,
                                int most = std::numeric_limits<int>::max());

}  // namespace slip
