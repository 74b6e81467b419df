#include "render/quantities/run_ghost.h"

#include <algorithm>
#include <utility>

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
  Fill(snapshot, request, ghost.model, ghost.channels[lead]);
  return true;
}

bool RunGhost::TakeForeign(const Snapshot& snapshot, const ViewRequest& request,
                           std::size_t index) {
  snapshot_.model = nullptr;
  if (request.foreign == nullptr || request.foreign->model == nullptr) return false;
  if (request.compare == CompareMode::kSingle) return false;
  const std::vector<BodyFrame>& bodies = request.foreign->runs[index];
  if (bodies.empty() || bodies.size() != request.foreign->model->bodies.size()) return false;
  Fill(snapshot, request, request.foreign->model, bodies);
  foreign_ = static_cast<int>(index);
  // in the row of the ghosts the next ones
  const Vec3 shift = FanOffset(snapshot, request, static_cast<int>(snapshot.channels.size())) +
                     Vec3(0, static_cast<double>(index) * request.fan_out, 0);
  for (BodyFrame& body : snapshot_.channels.front().bodies) body.X_WB.p += shift;
  return true;
}

void RunGhost::Fill(const Snapshot& snapshot, const ViewRequest& request,
                    std::shared_ptr<const Model> model, const std::vector<BodyFrame>& bodies) {
  const bool same_bodies = model == snapshot.model;
  snapshot_.model = std::move(model);
  snapshot_.gravity_W = snapshot.gravity_W;
  snapshot_.time = snapshot.time;
  snapshot_.channels.resize(1);
  snapshot_.channels.front().bodies = bodies;
  request_ = request;
  request_.lead = 0;
  request_.solo = -1;
  request_.visible = {true};
  request_.compare = CompareMode::kGhosts;
  request_.transparent = request_.com_marks = false;
  request_.hover_body = request_.selected_body = -1;
  if (!same_bodies) request_.hidden = {};
}

DrawContext RunGhost::ContextOf(const DrawContext& context) const {
  return {snapshot_, request_, context.camera, context.viewport, context.colours, true, foreign_};
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

namespace {

void Append(const RunGhost& ghost, const DrawContext& context, DrawList* list) {
  ghost.AppendBodies(context, list);
  ghost.AppendShadows(context, list);
  if (context.request.outlines) ghost.AppendOutlines(context, list);
}

}  // namespace

// Recorded runs of others, where they were at this time.
constinit const Quantity kForeignGhost{
    .draw =
        [](const DrawContext& context, DrawList* list, ViewPicture*) {
          const std::size_t count =
              context.request.foreign == nullptr ? 0 : context.request.foreign->runs.size();
          for (std::size_t i = 0; i < count; ++i) {
            RunGhost ghost;
            if (ghost.TakeForeign(context.snapshot, context.request, i))
              Append(ghost, context, list);
          }
        },
    .layer = Layer::kBodies};

constinit const Quantity kRunGhost{
    .name = "Other run as a ghost",
    .doc = "The bodies of the run whose curves are drawn along, where they were at this time.",
    .on = &ViewStyle::run_ghost,
    .kept_with_pictures = false,
    .draw =
        [](const DrawContext& context, DrawList* list, ViewPicture*) {
          RunGhost ghost;
          if (ghost.Take(context.snapshot, context.request)) Append(ghost, context, list);
        },
    .layer = Layer::kBodies};

}  // namespace slip::render
