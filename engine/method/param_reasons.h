// Why a parameter does nothing, as a sentence for people.
#pragma once

#include <string>

#include "engine/method/config.h"

namespace slip {

/// Why it does nothing in this scene under this Config; empty where Uses says yes.
std::string WhyUnused(const Model& model, const Config& config, const ParamInfo& info);

}  // namespace slip
