// The line search of one iteration, under the residuals of the Solver tab.
#pragma once

#include "app/session/session.h"
#include "app/state/requests.h"
#include "app/state/tabs.h"

namespace slip::app {

/// Iteration that the solver tab looks at, of a solve with `recorded` ones: chosen, or the first.
int ShownIteration(const SolverTab& own, int recorded);
/// Numbers of that iteration, and the line that it searched.
void DrawSearchLine(const Session& session, int recorded, SolverTab* own, Requests* requests);

}  // namespace slip::app
