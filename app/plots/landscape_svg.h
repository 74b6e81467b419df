// The scores of a fit over two parameters as an SVG file: a field of colours for each method, with
// the scene's values, the fitted ones and their intervals.
#pragma once

#include <string>

#include "engine/fit/fit.h"

namespace slip::app {

/// On white. Of methods without a landscape nothing; of one parameter a line.
std::string LandscapeSvg(const FitPlan& plan, const FitResult& result);

}  // namespace slip::app
