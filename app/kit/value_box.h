// The box of a parameter row: number and unit, or a text field that says what is being typed.
#pragma once

#include <optional>
#include <string>

#include "app/kit/widgets.h"

namespace slip::app {

/// 96 by 24 design pixels from `min`. Returns a value that was typed and entered. While typing,
/// "<id>/meaning" under the box shows what the text will be taken for.
std::optional<double> ValueBox(const ParamInfo& info, double value, const ParamRowOptions& options,
                               const std::string& id, ImVec2 min, bool start_edit);

}  // namespace slip::app
