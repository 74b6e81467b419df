// The law that holds for a model, as a formula in rich text.
#pragma once

#include <string_view>

#include "engine/method/methods.h"

namespace slip {

/// Creep speed under the tangential load f_t; r is the part of friction in use.
std::string_view CreepFormula(const MethodInfo& method);

}  // namespace slip
