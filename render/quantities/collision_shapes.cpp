// What a robot collides with: its shapes over what is drawn of it, and the points of its feet.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/core/numbers.h"
#include "render/quantities/outlines.h"
#include "render/quantities/quantity.h"
#include "render/quantities/world_lines.h"
#include "render/scene/silhouettes.h"

namespace slip::render {
namespace {

constexpr double kPoint = 0.004;  // per metre of distance

/// Of meshes that were cut into more parts than these the lines and fills are faint: they lie over
/// each other, and nothing but lines would be seen.
constexpr int kManyParts = 8;
constexpr float kFaintLine = 0.4f, kFaintFill = 0.5f;

bool IsPart(const Body& body) { return body.collides && body.shape.kind == ShapeKind::kConvex; }

/// By body, those of its links counted as its own.
std::vector<int> CountParts(const Model& model) {
  std::vector<int> parts(model.bodies.size());
  for (int b = 0; b < static_cast<int>(parts.size()); ++b)
    if (IsPart(model.body(b))) ++At(parts, model.body(b).Owner(b));
  return parts;
}

void AppendPoints(const DrawContext& context, const Body& link, const Pose& X_WB, DrawList* list) {
  for (const Vec3& p_BP : link.points_B) {
    const Vec3 p = X_WB * p_BP;
    const double radius = std::max(link.point_radius, kPoint * GlyphDistance(context.camera, p));
    AppendFill(context,
               MakeArc(p, context.camera.forward_W(), context.camera.right_W(), radius, 2 * M_PI),
               context.colours.shape_line, false, list);
  }
}

void AppendCollisionShapes(const DrawContext& context, DrawList* list) {
  const Snapshot& snapshot = context.snapshot;
  const ViewRequest& request = context.request;
  if (!request.collision_shapes || !snapshot.model || snapshot.channels.empty()) return;
  // of the lead alone: ghosts have the same shapes
  const int lead = LeadChannel(snapshot, request);
  if (!ChannelShown(snapshot, request, lead)) return;
  const Model& model = *snapshot.model;
  LineBatch lines{context.colours.shape_line, 1.5, false, {}, {}};
  const Colour fill = context.colours.shape_fill;
  LineBatch faint{context.colours.shape_line.WithAlpha(kFaintLine), 1, false, {}, {}};
  LineBatch chosen{context.colours.accent, 3, false, {}, {}};
  const std::vector<int> parts = CountParts(model);
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const Body& body = model.body(b);
    if (body.robot < 0 || request.hidden.Has(body.Owner(b))) continue;
    const Pose pose = DrawnPose(snapshot, request, lead, b);
    if (body.shape_of_link < 0) AppendPoints(context, body, pose, list);
    if (!ShowsCollision(request, model, b)) continue;
    const bool many = IsPart(body) && At(parts, body.Owner(b)) > kManyParts;
    AppendShape(context, body.shape, pose, body.bound,
                many ? fill.WithAlpha(kFaintFill * fill.a) : fill, &list->shapes);
    // where the meshes are not seen, the shapes throw their shadow
    if (!request.visual_meshes)
      AppendShape(context, body.shape, pose, body.bound, context.colours.shape_fill,
                  &list->casters);
    LineBatch& batch = body.Owner(b) == request.selected_body ? chosen : many ? faint : lines;
    for (const Polyline3& line : Silhouette(context.camera, body, pose, false)) {
      std::vector<Vec3> piece;
      for (const Vec3& p : line)
        if (const auto pixel = ToPixel(context, p)) piece.push_back(*pixel);
      if (piece.size() == line.size()) DashPolyline(piece, {}, &batch.segments);
    }
  }
  for (LineBatch* batch : {&faint, &lines, &chosen})
    if (!batch->segments.empty()) list->lines.push_back(std::move(*batch));
}

}  // namespace

bool ShowsCollision(const ViewRequest& request, const Model& model, int index) {
  if (!request.collision_shapes || static_cast<std::size_t>(index) >= model.bodies.size())
    return false;
  const Body& body = model.body(index);
  return body.robot >= 0 && body.collides && !request.hidden.Has(body.Owner(index));
}

constinit const Quantity kCollisionShapes{
    .name = "Collision shapes",
    .doc = "What robots collide with, over what is drawn of them.",
    .section = kBodiesSection,
    .on = &ViewStyle::collision_shapes,
    .of_robots = true,
    .draw = [](const DrawContext& context, DrawList* list,
               ViewPicture*) { AppendCollisionShapes(context, list); },
    .layer = Layer::kRobots};

}  // namespace slip::render
