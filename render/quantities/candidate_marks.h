// Points of clouds that a quasi-dynamic step chose to keep apart: a ring around each, and a ball of
// the model's colour where it carries a force. The others were checked, and are drawn as they are.
#pragma once

#include <optional>

#include "render/scene/draw_list.h"

namespace slip::render {

/// Where a chosen point is, in its body's axes [m]; nothing for one that this model does not have.
std::optional<Vec3> CandidateInBody(const Model& model, const CandidatePoint& candidate);

/// Adds the marks of the lead channel's chosen points where they are asked for.
void AppendCandidates(const DrawContext& context, DrawList* list);

}  // namespace slip::render
