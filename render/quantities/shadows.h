// Shadows without a map: what lies under a body, as soft polygons and discs on the planes below it.
// They cost a processor next to nothing, and ghosts have them too.
#pragma once

#include "render/scene/draw_list.h"

namespace slip::render {

/// Unit direction to the key light, in the world.
Vec3 ToKeyLight(const Camera& camera);

/// A plane that takes shadows, and how much of it is drawn.
struct ShadowPlane {
  Vec3 point = Vec3::Zero();     ///< middle of what is drawn [m]
  Mat3 axes = Mat3::Identity();  ///< columns: two directions in the plane, and its normal
  Vec2 half{1e6, 1e6};           ///< extent along the first two from `point` [m]
};

/// What takes shadows in this picture: grounds, belts and slopes as far as they are drawn, upper
/// faces of boxes that do not move, the floor under conveyors.
std::vector<ShadowPlane> ShadowPlanes(const DrawContext& context);

/// Adds, for every shown channel, on every plane below a body's centre, cut to the plane's extent:
/// (1) the hull of the body moved along the key light, unless the shadow map has it: at low quality
/// and for ghosts; (2) its footprint straight below, wider and fainter the higher the body is.
/// What lies on a belt, on a slope or in a bin so darkens that surface, and beyond its edge the
/// floor. Where shadows of one channel meet, the darkest counts. Bodies do not take shadows. Of
/// many bodies each is a disc.
void AppendShadows(const DrawContext& context, DrawList* list);

}  // namespace slip::render
