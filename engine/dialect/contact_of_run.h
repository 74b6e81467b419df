// The contact of a run that is translated.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/dialect/dialect.h"
#include "engine/sim/simulation.h"

namespace slip {

struct PickedContact {
  std::string name;  ///< "floor:box"
  DialectContact numbers;
};
/// Of the last step, between these two ("A:B", in either order), or of all, the one with the
/// largest normal force. Errors: no such names, no load.
Result<PickedContact> FindDialectContact(const Simulation& simulation, std::string_view pair);

}  // namespace slip
