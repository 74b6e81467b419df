// THE LIST of formulations, where an id becomes an object.
#pragma once

#include <memory>

#include "engine/method/formulation.h"

namespace slip {

std::unique_ptr<Formulation> MakeFormulation(FormulationId id);

}  // namespace slip
