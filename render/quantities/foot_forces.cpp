#include "render/quantities/foot_forces.h"

#include "engine/core/numbers.h"
#include "engine/sim/foot_load.h"
#include "render/quantities/contact_glyphs.h"
#include "render/quantities/quantity.h"
#include "render/quantities/world_lines.h"

namespace slip::render {
namespace {

constexpr double kPressureRing = 0.006;  // per metre of distance

bool OnFoot(const Model& model, const Robot::Foot& foot, const ContactFrame& contact) {
  if (contact.body != foot.body) return false;
  const Body& body = model.body(foot.body);
  const int point = model.FindPoint(body, contact.key) - foot.first_point;
  return point >= 0 && point < foot.points;
}

/// How far the body has taken the points that carry it, since the method found them.
Vec3 WayOf(const Model& model, const Robot::Foot& foot, const ChannelFrame& frame) {
  Vec3 way = Vec3::Zero();
  double load = 0;
  for (const ContactFrame& contact : frame.contacts) {
    if (!OnFoot(model, foot, contact) || !(contact.fn > 0)) continue;
    way += contact.fn * (PointAtEnd(frame, contact) - contact.p_W);
    load += contact.fn;
  }
  return load > 0 && way.allFinite() ? Vec3(way / load) : Vec3(Vec3::Zero());
}

Vec3 FrictionOn(const Model& model, const Robot::Foot& foot, const ChannelFrame& frame) {
  Vec3 friction = Vec3::Zero();
  for (const ContactFrame& contact : frame.contacts) {
    if (OnFoot(model, foot, contact) && contact.fn > 0) friction += contact.ft_W;
  }
  return friction;
}

/// Of a channel's broad feet, split as the view is, and their centres of pressure.
void AppendFootForces(const DrawContext& context, const ChannelGlyph& of, ForceArrows* arrows,
                      DrawList* list) {
  if (!context.request.foot_forces || of.pile || !ShowsForces(context.request, of)) return;
  const Model& model = *context.snapshot.model;
  const ChannelFrame& frame = of.frame;
  for (const Robot& robot : model.robots) {
    for (const Robot::Foot& foot : robot.feet) {
      const auto body = static_cast<std::size_t>(foot.body);
      if (foot.points < 2 || body >= frame.bodies.size()) continue;
      const FootLoad load = CalcFootLoad(model, foot, frame.bodies[body].X_WB, frame.contacts);
      if (load.contacts == 0 || !load.cop_W.allFinite() || !load.force_W.allFinite()) continue;
      const Vec3 p = load.cop_W + WayOf(model, foot, frame) + of.shift;
      const double d = GlyphDistance(context.camera, p);
      if (context.request.split_forces) {
        const Vec3 friction = FrictionOn(model, foot, frame);
        const Vec3 normal = load.force_W - friction;
        arrows->AddForce(p, normal, normal.norm(), d, of.colour, LabelKind::kNormalForce,
                         of.channel, -1 - foot.body);
        arrows->AddForce(p, friction, friction.norm(), d, of.colour, LabelKind::kFrictionForce,
                         of.channel, -1 - foot.body);
      } else {
        arrows->AddForce(p, load.force_W, load.force_W.norm(), d, of.colour,
                         LabelKind::kContactForce, of.channel, -1 - foot.body);
      }
      const Vec3 up = context.camera.up_W();
      AppendLine(context, MakeArc(p, up, up.unitOrthogonal(), kPressureRing * d, 2 * M_PI),
                 {of.colour, 1.5}, list);
    }
  }
}

}  // namespace

bool OfBroadFoot(const Model& model, const ContactFrame& contact) {
  if (contact.surface < 0 || static_cast<std::size_t>(contact.body) >= model.bodies.size()) {
    return false;
  }
  const Body& body = model.body(contact.body);
  if (body.robot < 0 || static_cast<std::size_t>(body.robot) >= model.robots.size()) return false;
  for (const Robot::Foot& foot : At(model.robots, body.robot).feet) {
    if (foot.points > 1 && OnFoot(model, foot, contact)) return true;
  }
  return false;
}

constinit const Quantity kFootForces{
    .name = "Net force of each foot",
    .doc = "One arrow at the centre of pressure of a flat foot in place of one per point.",
    .on = &ViewStyle::foot_forces,
    .setting = "foot_forces",
    .of_robots = true,
    .of_channel = AppendFootForces};

}  // namespace slip::render
