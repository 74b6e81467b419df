// Belt velocity: an arrow with its number on every belt that has a drive.
#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "render/quantities/contact_glyphs.h"
#include "render/quantities/quantity.h"
#include "render/quantities/world_lines.h"
#include "render/scene/surface_extent.h"

namespace slip::render {
namespace {

void AppendBeltVelocity(const DrawContext& context, ForceArrows* arrows, DrawList*) {
  if (!context.request.belt_velocity) return;
  const int lead = LeadChannel(context.snapshot, context.request);
  if (lead >= static_cast<int>(context.snapshot.channels.size())) return;
  const ChannelFrame& frame = At(context.snapshot.channels, lead);
  for (const Surface& surface : context.snapshot.model->surfaces) {
    if (surface.drive < 0 || surface.drive >= static_cast<int>(frame.config.surfaces.size())) {
      continue;
    }
    const auto& drive = At(frame.config.surfaces, surface.drive);
    const double speed = drive.Velocity(frame.time);
    if (!std::isfinite(speed)) continue;
    // beside the lead body, on the belt, on the near side where nothing hides it
    Vec3 p = surface.point;
    const Vec3 across = surface.normal.cross(surface.belt_axis);
    const double side = across.dot(context.camera.eye_W() - surface.point) > 0 ? 1 : -1;
    const SurfaceExtent extent = BeltExtent(context, surface);
    double off_centre = 0;
    double beside = 0;  // half width of the body
    if (!context.snapshot.model->bodies.empty()) {
      const Vec3 body = DrawnPose(context.snapshot, context.request, lead, 0).p;
      const Shape& shape = context.snapshot.model->bodies.front().shape;
      beside = shape.kind == ShapeKind::kBox ? 0.5 * shape.size.y() : shape.radius;
      off_centre = across.dot(body - surface.point);
      const double low = extent.low.x() + 0.1, high = extent.high.x() - 0.1;
      const double along = surface.belt_axis.dot(body - surface.point);
      p += std::clamp(along, low, std::max(low, high)) * surface.belt_axis;
    }
    const double d = GlyphDistance(context.camera, p);
    p += std::clamp(off_centre + side * (beside + 0.03 * d), 0.96 * extent.low.y(),
                    0.96 * extent.high.y()) *
         across;
    const double length = kMetresPerSpeed * std::abs(speed) * d;
    const Vec3 direction = speed >= 0 ? surface.belt_axis : Vec3(-surface.belt_axis);
    arrows->AddArrow(p, direction, length, d, context.colours.neutral_arrow);
    arrows->AddLabel(p, direction, length, LabelKind::kBeltSpeed, speed, lead, surface.drive);
  }
}

}  // namespace

constinit const Quantity kBeltVelocity{.on = &ViewStyle::belt_velocity,
                                       .of_scene = AppendBeltVelocity};

}  // namespace slip::render
