// What a fit writes: tables, the landscape, and all of it as JSON.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fit/fit.h"
#include "engine/run/record/recording_file.h"

namespace slip {

/// In the order of FitTexts.
inline constexpr std::array<std::string_view, 4> kFitFiles = {"fit.csv", "runs.csv",
                                                              "landscape.csv", "fit.json"};

/// Which method explains the runs best that it did not see, and by how much: sentences, the best
/// one's first.
std::vector<std::string> TellFit(const FitPlan& plan, const FitResult& result);

std::vector<std::string> FitTexts(const FitPlan& plan, const FitResult& result,
                                  const RunContext& context);

}  // namespace slip
