#include "render/quantities/run_ghost.h"

#include <algorithm>

#include "render/quantities/outlines.h"
#include "render/quantities/quantity.h"
#include "render/quantities/shadows.h"

namespace slip::render {

bool RunGhost::Take(const Snapshot& snapshot, const ViewRequest& request) {
  const GhostRun& ghost = snapshot.ghost;
  const auto lead = static_cast<std::size_t>(LeadChannel(snapshot, request));
  if (!request.run_ghost || ghost.model == nullptr || lead >= ghost.channels.size() ||
      ghost.channels[lead].size() != ghost.model->bodies.size() || ghost.channels[lead].empty()) {
    snapshot_.model = nullptr;
    return false;
  }
  const bool same_bodies = ghost.model == snapshot.model;
  snapshot_.model = ghost.model;
  snapshot_.gravity_W = snapshot.gravity_W;
  snapshot_.time = snapshot.time;
  snapshot_.channels.resize(1);
  snapshot_.channels.front().bodies = ghost.channels[lead];
  request_ = request;
  request_.lead = 0;
  request_.solo = -1;
  request_.visible = {true};
  request_.compare = CompareMode::kGhosts;
  request_.transparent = request_.com_marks = false;
  request_.hover_body = request_.selected_body = -1;
  if (!same_bodies) request_.hidden = {};
  return true;
}

DrawContext RunGhost::ContextOf(const DrawContext& context) const {
  return {snapshot_, request_, context.camera, context.viewport, context.colours, true};
}

void RunGhost::AppendBodies(const DrawContext& context, DrawList* list) const {
  if (snapshot_.model) render::AppendBodies(ContextOf(context), list);
}

void RunGhost::AppendShadows(const DrawContext& context, DrawList* list) const {
  if (snapshot_.model) render::AppendShadows(ContextOf(context), list);
}

void RunGhost::AppendOutlines(const DrawContext& context, DrawList* list) const {
  if (!snapshot_.model) return;
  const DrawContext own = ContextOf(context);
  AppendOutlineLines(own, BuildOutlines(own), list);
}

constinit const Quantity kRunGhost{
    .name = "Other run as a ghost",
    .doc = "The bodies of the run whose curves are drawn along, where they were at this time.",
    .on = &ViewStyle::run_ghost,
    .kept_with_pictures = false,
    .draw =
        [](const DrawContext& context, DrawList* list, ViewPicture*) {
          RunGhost ghost;
          if (!ghost.Take(context.snapshot, context.request)) return;
          ghost.AppendBodies(context, list);
          ghost.AppendShadows(context, list);
          if (context.request.outlines) ghost.AppendOutlines(context, list);
        },
    .layer = Layer::kBodies};

}  // namespace slip::render
