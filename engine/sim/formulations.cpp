#include "engine/sim/formulations.h"

#include "engine/convex/convex_formulation.h"
#include "engine/core/check.h"

namespace slip {

std::unique_ptr<Formulation> MakeFormulation(FormulationId id) {
  switch (id) {
    case FormulationId::kConvex:
      return std::make_unique<ConvexFormulation>();
  }
  SLIP_CHECK(!"a formulation that the list lacks");
  return nullptr;
}

}  // namespace slip
