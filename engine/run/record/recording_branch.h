// Optional keys of a branch in an experiment file. Internal to engine/run.
#pragma once

#include <string>
#include <vector>

#include "engine/core/json_document.h"
#include "engine/run/record/recording.h"

namespace slip {

/// Its name, and whether it was dropped: then it has no channels, and no branch among those read so
/// far begins on it. After its parent.
void ReadBranchKeys(const Json& json, const std::string& where,
                    const std::vector<RecordedBranch>& all, RecordedBranch* branch,
                    JsonChecker* check);

}  // namespace slip
