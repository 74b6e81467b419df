// Lines and filled shapes of the world, projected to pixels: what overlays are drawn with.
#pragma once

#include <span>
#include <vector>

#include "render/scene/draw_list.h"

namespace slip::render {

/// How a line of the world looks.
struct LineLook {
  Colour colour;
  double width = 1.5;  ///< [px]
  Dash dash = {};
  bool tested = true;  ///< hidden by what stands in front
};

/// Distance from the eye that sizes of glyphs grow with [m].
double GlyphDistance(const Camera& camera, const Vec3& p_W);

/// Point in pixels with the value of the depth buffer, a little in front of where it is, so that
/// what lies on a surface is seen; nothing when it is behind the eye or far outside.
std::optional<Vec3> ToPixel(const DrawContext& context, const Vec3& p_W);

/// Adds a polyline. It is cut where its points cannot be projected.
void AppendLine(const DrawContext& context, std::span<const Vec3> points_W, const LineLook& look,
                DrawList* list);
/// Adds a filled convex polygon, if all its corners can be projected.
void AppendFill(const DrawContext& context, std::span<const Vec3> corners_W, const Colour& colour,
                bool tested, DrawList* list);

/// Points on a circle about `normal` (unit), from `start` (unit, across) through `angle` [rad] by
/// the right hand.
std::vector<Vec3> MakeArc(const Vec3& centre_W, const Vec3& normal, const Vec3& start,
                          double radius, double angle);

/// Disc of four quarters, two of each colour, that faces the eye and is seen through everything:
/// the sign of a centre of mass.
void AppendMassDisc(const DrawContext& context, const Vec3& p_W, double radius_px,
                    const Colour& bright, const Colour& dark, DrawList* list);

}  // namespace slip::render
