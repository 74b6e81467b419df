// How much of a surface is drawn.
#pragma once

#include "render/scene/draw_list.h"

namespace slip::render {

/// A rectangle on a surface, along two axes from its point [m].
struct SurfaceExtent {
  Vec2 low, high;
  Vec2 Middle() const { return 0.5 * (low + high); }
  Vec2 Half() const { return 0.5 * (high - low); }
};

/// Moves the ends by whole steps [m] until all bodies that are at the surface lie between them.
/// Columns of `axes`: both directions and the normal.
void GoOnUnderBodies(const DrawContext& context, const Vec3& point, const Mat3& axes,
                     const Vec2& step, SurfaceExtent* extent);
/// By how much a wall goes on at a time.
Vec2 WallStep(const SurfaceExtent& extent);

/// Where the legs of a conveyor stand: the first one, and how far it is to the next [m].
struct Legs {
  double first, distance;
  double inset;  ///< none nearer to an end
};
Legs LegsOf(const Surface& surface);

/// Along a belt or slope, across, and its normal; not finite without a direction.
Mat3 BeltAxes(const Surface& surface);
/// What is drawn of it.
SurfaceExtent BeltExtent(const DrawContext& context, const Surface& surface);

}  // namespace slip::render
