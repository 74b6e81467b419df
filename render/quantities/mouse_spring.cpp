// What pulls a body by the mouse: the spring with its force, or the axis of a torque.
#include <cmath>

#include "engine/core/numbers.h"
#include "render/quantities/contact_glyphs.h"
#include "render/quantities/quantity.h"
#include "render/quantities/world_lines.h"

namespace slip::render {
namespace {

/// The axis of the torque, through the body.
void AppendTwist(const DrawContext& context, const ChannelGlyph& of, ForceArrows* arrows,
                 DrawList* list) {
  const auto body = static_cast<std::size_t>(of.frame.config.grab.body);
  const Vec3 centre = of.frame.bodies[body].X_WB.p + of.shift;
  const double torque = of.frame.grab_force_W.norm();
  if (!centre.allFinite() || !(torque > 0) || !std::isfinite(torque)) return;
  const double d = GlyphDistance(context.camera, centre);
  const Vec3 half = 0.12 * d / torque * of.frame.grab_force_W;
  SolidInstance axis = MakeBar(context.camera, centre - half, centre + half, 0.0014 * d,
                               context.colours.neutral_arrow);
  axis.params[1] = 0.7f;
  list->marks.push_back(axis);
  arrows->AddArrow(centre + 0.6 * half, half, 0.4 * half.norm(), d, context.colours.neutral_arrow);
  arrows->AddLabel(centre, half, half.norm(), LabelKind::kGrabTorque, torque, of.channel,
                   of.frame.config.grab.body);
}

void AppendGrab(const DrawContext& context, const ChannelGlyph& of, ForceArrows* arrows,
                DrawList* list) {
  const Grab& grab = of.frame.config.grab;
  if (grab.body < 0 || grab.body >= static_cast<int>(of.frame.bodies.size())) return;
  if (grab.twist) return AppendTwist(context, of, arrows, list);
  const Vec3 from = At(of.frame.bodies, grab.body).X_WB * grab.p_BP + of.shift;
  const Vec3 to = grab.p_WA + of.shift;
  if (!from.allFinite() || !to.allFinite()) return;
  const double d = GlyphDistance(context.camera, from);
  SolidInstance line = MakeBar(context.camera, from, to, 0.0014 * d, context.colours.neutral_arrow);
  SolidInstance knob =
      MakeSolid(context.camera, Pose{to, Quat::Identity()}, Vec3::Constant(0.005 * d), 0.005 * d,
                context.colours.neutral_arrow);
  line.params[1] = knob.params[1] = 0.7f;
  list->marks.push_back(line);
  list->marks.push_back(knob);
  arrows->AddLabel(from, Vec3(to - from + Vec3(0, 0, 1e-9)), (to - from).norm(),
                   LabelKind::kGrabForce, of.frame.grab_force_W.norm(), of.channel, grab.body);
}

}  // namespace

constinit const Quantity kMouseSpring{.of_channel = AppendGrab};

}  // namespace slip::render
