// Optional keys of an experiment file and of its branches. Internal to engine/run.
#pragma once

#include <string>
#include <vector>

#include "engine/core/json_document.h"
#include "engine/run/record/recorded_engines.h"

namespace slip {

/// Its name, and whether it was dropped: then it has no channels, and no branch among those read so
/// far begins on it. After its parent.
void ReadBranchKeys(const Json& json, const std::string& where,
                    const std::vector<RecordedBranch>& all, RecordedBranch* branch,
                    JsonChecker* check);

/// The engines that made steps of it; files from before there were any name none.
void ReadEngines(const Json& json, std::vector<RecordedEngine>* engines, JsonChecker* check);

}  // namespace slip
