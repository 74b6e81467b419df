// What is shown of the models: which of them, and how.
#pragma once

#include "app/kit/theme.h"
#include "app/session/session.h"
#include "app/state/picked.h"
#include "app/state/view_state.h"
#include "render/scene/view_request.h"

namespace slip::app {

/// What a picture of the lead shows in this frame.
render::ViewRequest LeadRequest(const Session& session, const render::ViewStyle& style, Theme theme,
                                const Picked& picked);
/// So many bodies or contacts of the lead that forces are drawn as chains, unless told otherwise.
bool ShowsPile(const Session& session);
/// How many models are drawn.
int ShownChannels(const Session& session);
/// Difference mode with at least one model to compare with the lead.
bool ShowsDifference(const Session& session, Compare compare);

}  // namespace slip::app
