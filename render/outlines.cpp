// Outline geometry. A box shows the edges next to at least one face turned towards the eye; a
// sphere its tangent circle; a capsule two half circles joined by straight lines.
#include "render/outlines.h"

#include <algorithm>
#include <cmath>

#include "render/picking.h"

namespace slip::render {
namespace {

using Polyline3 = std::vector<Vec3>;
constexpr int kArcSides = 24;  // per half circle
constexpr std::size_t kMaxOccluders = 32;

/// Direction from a point of the body to the eye.
Vec3 ToEye(const Camera& camera, const Vec3& p) {
  if (camera.orthographic()) return -camera.forward_W();
  return (camera.eye_W() - p).normalized();
}

std::vector<Polyline3> BoxEdges(const Camera& camera, const Pose& pose, const Vec3& half,
                                bool all) {
  bool faces[3][2];
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      const double sign = side ? 1 : -1;
      const Vec3 n = pose.q * (sign * Vec3::Unit(axis));
      const Vec3 p = pose * (sign * half[axis] * Vec3::Unit(axis));
      faces[axis][side] = n.dot(ToEye(camera, p)) > 0;
    }
  }
  std::vector<Polyline3> edges;
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int su = 0; su < 2; ++su) {
      for (int sv = 0; sv < 2; ++sv) {
        if (!all && !faces[u][su] && !faces[v][sv]) continue;
        Vec3 a = -half, b = half;
        a[u] = b[u] = su ? half[u] : -half[u];
        a[v] = b[v] = sv ? half[v] : -half[v];
        edges.push_back({pose * a, pose * b});
      }
    }
  }
  return edges;
}

/// Half circle about `axis` from -side to +side through `top`; an arc's points.
void AppendArc(const Vec3& centre, const Vec3& from, const Vec3& through, double radius,
               Polyline3* line) {
  for (int i = 0; i <= kArcSides; ++i) {
    const double angle = M_PI * i / kArcSides;
    line->push_back(centre + radius * (std::cos(angle) * from + std::sin(angle) * through));
  }
}

std::vector<Polyline3> SphereEdges(const Camera& camera, const Vec3& centre, double radius) {
  const Vec3 eye = ToEye(camera, centre);
  Vec3 middle = centre;
  double r = radius;
  const double d = (camera.eye_W() - centre).norm();
  if (!camera.orthographic() && d > radius) {
    // the tangent cone from the eye touches a circle nearer than the centre
    middle += radius * radius / d * eye;
    r = radius * std::sqrt(1 - radius * radius / (d * d));
  }
  const Vec3 u = eye.unitOrthogonal();
  Polyline3 circle;
  AppendArc(middle, u, eye.cross(u), r, &circle);
  AppendArc(middle, -u, -eye.cross(u), r, &circle);
  return {circle};
}

std::vector<Polyline3> CapsuleEdges(const Camera& camera, const Pose& pose, const Shape& shape) {
  const Vec3 axis = pose.q * Vec3::UnitX();
  const Vec3 eye = ToEye(camera, pose.p);
  const Vec3 side = axis.cross(eye);
  // seen along its axis a capsule is a circle
  if (side.norm() < 0.05) {
    return SphereEdges(camera, pose.p + 0.5 * shape.length * axis, shape.radius);
  }
  const Vec3 v = side.normalized(), u = v.cross(eye).normalized();
  const double sign = u.dot(axis) >= 0 ? 1 : -1;
  const Vec3 half = 0.5 * shape.length * axis;
  Polyline3 line;
  AppendArc(pose.p + half, v, sign * u, shape.radius, &line);
  AppendArc(pose.p - half, -v, -sign * u, shape.radius, &line);
  line.push_back(line.front());
  return {line};
}

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
  std::vector<Vec2> piece;
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
      piece.push_back(pixel->head<2>());
    }
  }
  finish();
}

}  // namespace

std::vector<Outline> BuildOutlines(const DrawContext& context) {
  const Snapshot& snapshot = context.snapshot;
  std::vector<Outline> outlines;
  if (!snapshot.model || context.viewport.empty()) return outlines;
  const std::vector<Body>& bodies = snapshot.model->bodies;
  const int lead = LeadChannel(snapshot, context.options);
  const int count = std::min(static_cast<int>(snapshot.channels.size()), kMaxChannels);

  std::vector<Occluder> occluders;
  const bool solid = !context.options.transparent && !context.options.wireframe;
  if (solid && bodies.size() <= kMaxOccluders && ChannelShown(snapshot, context.options, lead)) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      occluders.push_back({lead, static_cast<int>(b),
                           DrawnPose(snapshot, context.options, lead, static_cast<int>(b)),
                           &bodies[b].shape});
    }
  }
  for (int c = 0; c < count; ++c) {
    if (!ChannelShown(snapshot, context.options, c)) continue;
    for (int b = 0; b < static_cast<int>(bodies.size()); ++b) {
      const Pose pose = DrawnPose(snapshot, context.options, c, b);
      const Shape& shape = bodies[static_cast<std::size_t>(b)].shape;
      std::vector<Polyline3> lines;
      if (shape.kind == ShapeKind::kBox) {
        // the drawn edges are rounded: their ridge lies a little inside
        const Vec3 half = 0.5 * shape.size - Vec3::Constant(0.29 * BoxEdgeRadius(shape));
        lines = BoxEdges(context.camera, pose, half, context.options.wireframe);
      } else if (shape.kind == ShapeKind::kSphere) {
        lines = SphereEdges(context.camera, pose.p, shape.radius);
      } else {
        lines = CapsuleEdges(context.camera, pose, shape);
      }
      Outline outline;
      outline.channel = c;
      outline.body = b;
      outline.selected = c == lead && b == context.options.selected_body;
      for (const Polyline3& line : lines) {
        ProjectVisible(context, line, c, b, occluders, &outline);
      }
      if (!outline.polylines.empty()) outlines.push_back(std::move(outline));
    }
  }
  return outlines;
}

void DashPolyline(const std::vector<Vec2>& polyline, const Dash& dash,
                  std::vector<LineSegment>* segments) {
  std::size_t slot = 0;
  double left = dash.count > 0 ? dash.lengths[0] : 1e300;
  for (std::size_t i = 0; i + 1 < polyline.size(); ++i) {
    const Vec2 way = polyline[i + 1] - polyline[i];
    const double length = way.norm();
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
  const int lead = LeadChannel(context.snapshot, context.options);
  const auto add = [&](const Outline& outline) {
    const ChannelStyle style =
        StyleOfChannel(context.snapshot, outline.channel, context.options.theme);
    LineBatch batch;
    batch.colour = outline.selected ? context.colours.accent : style.colour;
    batch.width = outline.selected ? 3 : 1.5;
    for (const auto& polyline : outline.polylines) {
      DashPolyline(polyline, outline.selected ? Dash{} : style.dash, &batch.segments);
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

}  // namespace slip::render
