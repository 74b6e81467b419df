// Outlines: silhouettes projected, cut where something hides them, and dashed.
#include "render/quantities/outlines.h"

#include <algorithm>
#include <cmath>

#include "engine/geometry/mesh.h"
#include "render/quantities/picking.h"
#include "render/quantities/quantity.h"
#include "render/scene/silhouettes.h"

namespace slip::render {
namespace {

// With more bodies than this the depth buffer decides what is hidden: rays would take longer.
constexpr int kMaxOccluders = 8;
constexpr std::size_t kMostPoints = 2000;  // of a cloud, likewise
// More outlines than this are a net over the picture.
constexpr std::size_t kMostOutlined = 60;
// A link's mesh of more triangles shows its relief by itself; outlined, every screw hole is. Then
// no link of its robot is.
constexpr std::size_t kFineMesh = 1500;
// Lines lie this share of their depth in front of the body that they belong to.
constexpr double kLift = 0.006;

struct Occluder {
  int channel, body;
  Pose pose;
  const Shape* shape;
};

bool Hidden(const Camera& camera, const Vec3& p, int channel, int body,
            const std::vector<Occluder>& occluders) {
  const Vec3 to_eye = ToEye(camera, p);
  for (const Occluder& o : occluders) {
    if (o.channel == channel && o.body == body) continue;
    if (HitShape(ToBody({p + 1e-4 * to_eye, to_eye}, o.pose), *o.shape)) return true;
  }
  return false;
}

/// Projects a polyline, subdivided so that occlusion can cut it, and appends the visible pieces.
void ProjectVisible(const DrawContext& context, const Polyline3& line, int channel, int body,
                    const std::vector<Occluder>& occluders, Outline* outline) {
  std::vector<Vec3> piece;
  const auto finish = [&] {
    if (piece.size() > 1) outline->polylines.push_back(std::move(piece));
    piece.clear();
  };
  const int parts = occluders.empty() || line.size() > 2 ? 1 : 24;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    for (int k = (i == 0 ? 0 : 1); k <= parts; ++k) {
      const Vec3 p = line[i] + (line[i + 1] - line[i]) * (static_cast<double>(k) / parts);
      const auto pixel = context.camera.Project(p, context.viewport);
      if (!pixel || pixel->head<2>().cwiseAbs().maxCoeff() > 1e5 ||
          Hidden(context.camera, p, channel, body, occluders)) {
        finish();
        continue;
      }
      const double depth = context.camera.BufferDepth(pixel->z() * (1 - kLift));
      piece.emplace_back(pixel->x(), pixel->y(), std::clamp(depth, 0.0, 1.0));
    }
  }
  finish();
}

}  // namespace

std::vector<Outline> BuildOutlines(const DrawContext& context) {
  const Snapshot& snapshot = context.snapshot;
  std::vector<Outline> outlines;
  if (!snapshot.model || context.viewport.empty()) return outlines;
  const Model& model = *snapshot.model;
  const int lead = LeadOf(context);
  const int count = std::min(static_cast<int>(snapshot.channels.size()), Snapshot::kMaxChannels);

  std::vector<Occluder> occluders;
  bool small = true;
  for (int b = 0; b < model.drawn(); ++b) {
    const Shape& shape = model.Drawn(b).shape;
    small = small && (shape.cloud == nullptr || shape.cloud->points.size() <= kMostPoints);
  }
  const bool solid = !context.request.transparent && !context.request.wireframe;
  if (solid && small && model.drawn() <= kMaxOccluders &&
      ChannelShown(snapshot, context.request, lead)) {
    for (int b = 0; b < model.drawn(); ++b) {
      const Body& body = model.Drawn(b);
      // what stands may be a wall that is drawn as glass
      if (!body.Moves() || !IsDrawn(context.request, model, b)) continue;
      occluders.push_back({lead, b, DrawnPose(snapshot, context.request, lead, b), &body.shape});
    }
  }
  std::size_t shown = 0;
  for (int c = 0; c < count; ++c) shown += ChannelShown(snapshot, context.request, c) ? 1 : 0;
  const bool everyone = static_cast<std::size_t>(model.drawn()) * shown <= kMostOutlined;
  for (int c = 0; c < count; ++c) {
    if (!ChannelShown(snapshot, context.request, c)) continue;
    for (int b = 0; b < model.drawn(); ++b) {
      const Body& body = model.Drawn(b);
      const int owner = body.Owner(b);
      if (!IsDrawn(context.request, model, b)) continue;
      Outline outline;
      outline.channel = c;
      outline.body = b;
      outline.selected = c == lead && owner == context.request.selected_body;
      outline.hovered = c == lead && owner == context.request.hover_body;
      const bool chosen = outline.selected || outline.hovered;
      if (!chosen && (!everyone || !body.Moves())) continue;
      // a hull over a cloud that is drawn solid says nothing
      if (!chosen && c == lead && body.shape.kind == ShapeKind::kPointCloud) continue;
      outline.whole = occluders.empty();
      const Pose pose = DrawnPose(snapshot, context.request, c, b);
      for (const Polyline3& line :
           Silhouette(context.camera, body, pose, context.request.wireframe)) {
        ProjectVisible(context, line, c, b, occluders, &outline);
      }
      if (!outline.polylines.empty()) outlines.push_back(std::move(outline));
    }
  }
  return outlines;
}

void DashPolyline(const std::vector<Vec3>& polyline, const Dash& dash,
                  std::vector<LineSegment>* segments) {
  std::size_t slot = 0;
  double left = dash.count > 0 ? dash.lengths[0] : 1e300;
  for (std::size_t i = 0; i + 1 < polyline.size(); ++i) {
    const Vec3 way = polyline[i + 1] - polyline[i];
    const double length = way.head<2>().norm();
    // thousands of dashes on one line are not seen, only paid for
    if (!(length > 0) || !(length < 2e4)) continue;
    double done = 0;
    while (done < length) {
      const double step = std::min(left, length - done);
      if (slot % 2 == 0) {
        segments->push_back(
            {polyline[i] + way * (done / length), polyline[i] + way * ((done + step) / length)});
      }
      done += step;
      left -= step;
      if (left <= 1e-9) {
        slot = (slot + 1) % static_cast<std::size_t>(dash.count);
        left = std::max(0.5, static_cast<double>(dash.lengths[slot]));
      }
    }
  }
}

void AppendOutlineLines(const DrawContext& context, const std::vector<Outline>& outlines,
                        DrawList* list) {
  if (outlines.empty()) return;
  const int lead = LeadOf(context);
  const bool solid = !context.request.transparent && !context.request.wireframe;
  const std::span<const RobotLook> looks = list->looks.Of(context.snapshot.model);
  const auto add = [&](const Outline& outline) {
    const ChannelStyle style = StyleIn(context, outline.channel);
    LineBatch batch;
    const bool chosen = outline.selected || outline.hovered;
    // two outlines of one link are told apart by nobody: that of what collides stays
    const Body& body = context.snapshot.model->Drawn(outline.body);
    if (context.request.collision_shapes && body.robot >= 0 && outline.channel == lead && !chosen)
      return;
    if (solid && outline.channel == lead && !chosen && body.robot >= 0 &&
        At(looks, body.robot).finest > kFineMesh)
      return;
    batch.colour = chosen ? context.colours.accent : style.colour;
    batch.width = outline.selected ? 3 : context.run_ghost ? 1 : 1.5;
    // the chosen one is to be found inside a pile too
    batch.tested = outline.whole && solid && !chosen;
    for (const auto& polyline : outline.polylines) {
      DashPolyline(polyline, chosen ? Dash{} : style.dash, &batch.segments);
    }
    list->lines.push_back(std::move(batch));
  };
  // the lead's lines last: where ghosts coincide with it, it is the one to be seen
  for (const Outline& outline : outlines) {
    if (outline.channel != lead) add(outline);
  }
  for (const Outline& outline : outlines) {
    if (outline.channel == lead) add(outline);
  }
}

// their lines are what the mouse picks by, drawn or not
constinit const Quantity kOutlines{
    .on = &ViewStyle::outlines,
    .draw =
        [](const DrawContext& context, DrawList* list, ViewPicture* picture) {
          picture->outlines = BuildOutlines(context);
          if (context.request.outlines) AppendOutlineLines(context, picture->outlines, list);
        },
    .layer = Layer::kBodies};

}  // namespace slip::render
