// Rows of parameters, for the panel of parameters, lesson cards and bodies.
#pragma once

#include <imgui.h>

#include "app/session/session.h"
#include "app/state/requests.h"
#include "app/state/tabs.h"

namespace slip::app {

/// One row of a parameter with its edits.
void DrawParam(const Session& session, const ParamEntry& entry, ParamRows* rows,
               Requests* requests);
/// Under a row that begins at `row`: amber notes about the present value.
void DrawParamNotes(const Session& session, const ParamEntry& entry, ImVec2 row, ParamRows* rows);
/// Under a row: presets, and the button that matches it to another model's parameter (channel
/// -1 = shared).
void DrawParamMatch(const Session& session, const ParamEntry& entry, int channel, ParamRows* rows,
                    Requests* requests);

}  // namespace slip::app
