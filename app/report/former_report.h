// What --force leaves of a former report in the same folder: figures and tables of studies that the
// new one does not have.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/run/study/former_outputs.h"

namespace slip::app {

/// Figures count that the old report shows, and tables of the studies in its verdicts that begin as
/// ours do.
FormerFiles FindFormerReport(const std::string& folder, std::span<const std::string_view> written);

}  // namespace slip::app
