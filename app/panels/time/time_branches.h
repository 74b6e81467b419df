// Below the spine of the time line: the other branches of the session.
#pragma once

#include "app/panels/time/time_marks.h"
#include "app/session/session.h"
#include "app/state/requests.h"

namespace slip::app {

/// There are others than the present one: the time line is higher.
bool HasOtherBranches(const Session& session);
/// Where the last of the branches ends [s].
double LastBranchEnd(const Session& session);
/// Two of them as thin spines which take off where they left, the others as a number. A click on
/// one returns to it. True when the others are asked for.
bool DrawBranchSpines(const Branches& branches, const Spine& spine, float along_opacity,
                      Requests* requests);

}  // namespace slip::app
