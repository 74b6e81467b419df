#include "render/quantities/support_polygon.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "render/quantities/quantity.h"
#include "render/quantities/world_lines.h"

namespace slip::render {
namespace {

constexpr double kMassDisc = 7;        // [px]
constexpr double kGroundRing = 0.011;  // per metre of distance
constexpr double kGroundDot = 0.0035;  // likewise
constexpr float kHiddenAlpha = 0.45f;  // as glyphs behind bodies
constexpr Dash kDropDash{{1.5f, 3.5f, 0, 0}, 2};

/// Axes across gravity, so that e1 x e2 points up.
struct Level {
  Vec3 up, e1, e2;
  explicit Level(const Vec3& gravity_W) : up(-gravity_W.normalized()) {
    e1 = up.unitOrthogonal();
    e2 = up.cross(e1);
  }
  Vec2 operator()(const Vec3& p) const { return {e1.dot(p), e2.dot(p)}; }
};

double Cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Indices of the hull's corners, counter-clockwise [Andrew 1979, monotone chain].
std::vector<std::size_t> HullCorners(const std::vector<Vec2>& p) {
  std::vector<std::size_t> order(p.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return p[a].x() != p[b].x() ? p[a].x() < p[b].x() : p[a].y() < p[b].y();
  });
  std::vector<std::size_t> hull;
  const auto chain = [&](std::size_t next, std::size_t least) {
    while (hull.size() >= least + 2) {
      const Vec2 last = p[hull.back()] - p[hull[hull.size() - 2]];
      const Vec2 way = p[next] - p[hull[hull.size() - 2]];
      // round-off must not make a corner of a point between two others
      if (Cross(last, way) > 1e-12 * last.norm() * way.norm()) break;
      hull.pop_back();
    }
    if (hull.empty() || (p[hull.back()] - p[next]).norm() > 1e-9) hull.push_back(next);
  };
  for (const std::size_t i : order) chain(i, 0);
  const std::size_t lower = hull.size();
  for (auto i = order.rbegin(); i != order.rend(); ++i) chain(*i, lower - 1);
  if (hull.size() > 1 && (p[hull.back()] - p[hull.front()]).norm() < 1e-9) hull.pop_back();
  return hull;
}

double DistanceToSegment(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 way = b - a;
  const double along =
      way.squaredNorm() > 0 ? std::clamp(way.dot(p - a) / way.squaredNorm(), 0.0, 1.0) : 0;
  return (p - a - along * way).norm();
}

double CalcMargin(const Vec2& p, const std::vector<Vec2>& corners) {
  if (corners.empty()) return kNaN;
  double distance = kInfinity;
  bool inside = corners.size() > 2;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2& a = corners[i];
    const Vec2& b = corners[(i + 1) % corners.size()];
    distance = std::min(distance, DistanceToSegment(p, a, b));
    inside = inside && Cross(b - a, p - a) >= 0;
  }
  return inside ? distance : -distance;
}

}  // namespace

std::optional<Support> CalcSupport(const Model& model, const Robot& robot,
                                   const ChannelFrame& frame, const Vec3& gravity_W) {
  const int first = robot.first_body, end = robot.first_body + robot.bodies;
  if (first >= end || ToIndex(end) > frame.bodies.size() || ToIndex(end) > model.bodies.size())
    return {};
  const Body& root = model.body(first);
  if (!root.Moves() || root.joint.parent >= 0 || root.joint.kind == JointKind::kFixed) return {};
  if (!(gravity_W.norm() > 0) || !gravity_W.allFinite()) return {};

  Support support;
  support.com_W.setZero();
  double mass = 0;
  for (int b = first; b < end; ++b) {
    const Body& body = model.body(b);
    if (body.shape_of_link >= 0) continue;
    mass += body.mass;
    support.com_W += body.mass * At(frame.bodies, b).X_WB.p;
  }
  if (!(mass > 0) || !support.com_W.allFinite()) return {};
  support.com_W /= mass;

  const Level level(gravity_W);
  const double least = kLeastLoad * mass * gravity_W.norm();
  const auto own = [&](int body) { return body >= first && body < end; };
  const auto stands = [&](int body) {
    return body >= 0 && ToIndex(body) < model.bodies.size() && !model.body(body).Moves();
  };
  std::vector<Vec3> loaded;
  int floor = -1;
  std::vector<double> carried(model.surfaces.size(), 0);
  for (const ContactFrame& contact : frame.contacts) {
    const bool ground = contact.surface >= 0 ? own(contact.body)
                                             : (own(contact.body) && stands(contact.body_a)) ||
                                                   (own(contact.body_a) && stands(contact.body));
    if (!ground || !(contact.fn > least) || !contact.p_W.allFinite()) continue;
    loaded.push_back(PointAtEnd(frame, contact));
    if (contact.surface < 0 || ToIndex(contact.surface) >= carried.size()) continue;
    At(carried, contact.surface) += contact.fn;
    if (floor < 0 || At(carried, contact.surface) > At(carried, floor)) floor = contact.surface;
  }
  // in the air: the first surface that faces up
  for (std::size_t i = 0; i < model.surfaces.size() && floor < 0; ++i) {
    if (model.surfaces[i].normal.normalized().dot(level.up) > 0.5) floor = static_cast<int>(i);
  }
  if (floor < 0) return {};
  const Surface& surface = At(model.surfaces, floor);
  support.normal_W = surface.normal.normalized();
  const double slope = support.normal_W.dot(level.up);
  if (!(slope > 1e-3)) return {};
  const double height = support.normal_W.dot(support.com_W - surface.point) / slope;
  support.ground_W = support.com_W - height * level.up;

  support.points = static_cast<int>(loaded.size());
  std::vector<Vec2> flat, corners;
  for (const Vec3& p : loaded) flat.push_back(level(p));
  for (const std::size_t i : HullCorners(flat)) {
    support.corners_W.push_back(loaded[i]);
    corners.push_back(flat[i]);
  }
  support.margin = CalcMargin(level(support.com_W), corners);
  return support;
}

namespace {

void DrawSupport(const DrawContext& context, const Support& support, int channel, DrawList* list) {
  const bool lead = channel == LeadChannel(context.snapshot, context.request);
  const bool dark = context.request.theme == Theme::kDark;
  const ChannelStyle style = StyleOfChannel(context.snapshot, channel, context.request.theme);
  const Colour ink = dark ? Colour::Hex(0xFFFFFF) : Colour::Hex(0x16191D);
  const Colour colour = lead && !context.request.tint_lead ? ink : style.colour;
  const Vec3 shift = FanOffset(context.snapshot, context.request, channel);

  std::vector<Vec3> corners;
  for (const Vec3& p : support.corners_W) corners.push_back(p + shift);
  AppendFill(context, corners, colour.WithAlpha(lead ? 0.10f : 0.04f), true, list);
  if (corners.size() > 1) {
    if (corners.size() > 2) corners.push_back(corners.front());
    AppendLine(context, corners, {colour, 1.5, lead ? Dash{} : style.dash}, list);
  }

  const Vec3 com = support.com_W + shift, ground = support.ground_W + shift;
  const double d = GlyphDistance(context.camera, ground);
  const Vec3 start = support.normal_W.unitOrthogonal();
  const auto circle = [&](double radius) {
    return MakeArc(ground, support.normal_W, start, radius, 2 * M_PI);
  };
  // seen through the robot, and the mark on the ground faintly where a leg stands before it
  AppendLine(context, std::vector<Vec3>{com, ground}, {colour, 1.5, kDropDash, false}, list);
  for (const bool tested : {false, true}) {
    const Colour seen = colour.WithAlpha(tested ? 1 : kHiddenAlpha);
    AppendLine(context, circle(kGroundRing * d), {seen, 1.5, {}, tested}, list);
    AppendFill(context, circle(kGroundDot * d), seen, tested, list);
  }
  const Colour bright = lead ? Colour::Hex(0xFFFFFF) : style.colour;
  AppendMassDisc(context, com, kMassDisc, bright, Colour::Hex(0x16191D), list);
}

}  // namespace

SupportReading AppendSupport(const DrawContext& context, DrawList* list) {
  SupportReading reading;
  const Snapshot& snapshot = context.snapshot;
  if (!context.request.support || !snapshot.model || snapshot.model->robots.empty()) return reading;
  const Model& model = *snapshot.model;
  const int lead = LeadChannel(snapshot, context.request);
  const int selected = context.request.selected_body;
  const auto add = [&](int channel) {
    if (!ChannelShown(snapshot, context.request, channel)) return;
    const ChannelFrame& frame = At(snapshot.channels, channel);
    for (std::size_t r = 0; r < model.robots.size(); ++r) {
      const Robot& robot = model.robots[r];
      const auto support = CalcSupport(model, robot, frame, snapshot.gravity_W);
      if (!support) continue;
      DrawSupport(context, *support, channel, list);
      const bool meant = selected >= robot.first_body && selected < robot.first_body + robot.bodies;
      if (channel == lead && (reading.robot < 0 || meant)) {
        reading = {static_cast<int>(r), support->points, support->margin};
      }
    }
  };
  ForGhostsAndLead(snapshot, context.request, add);
  return reading;
}

constinit const Quantity kSupport{
    .name = "Support and mass",
    .doc =
        "Of a robot on feet: support polygon, centre of mass, and where it hangs over the ground.",
    .key = 'S',
    .on = &ViewStyle::support,
    .setting = "support",
    .of_robots = true,
    .draw = [](const DrawContext& context, DrawList* list,
               ViewPicture* picture) { picture->support = AppendSupport(context, list); },
    .layer = Layer::kRobots};

}  // namespace slip::render
