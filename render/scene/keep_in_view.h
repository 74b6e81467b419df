// How far a camera has to move so that bodies stay in the picture.
#pragma once

#include <optional>
#include <span>

#include "render/scene/camera.h"

namespace slip::render {

/// A body as the camera has to see it.
struct Ball {
  Vec3 p_W = Vec3::Zero();  ///< [m]
  double radius = 0;        ///< [m]
};

/// What is added to a camera: the target goes this way, the distance is multiplied.
struct ViewShift {
  Vec3 way = Vec3::Zero();  ///< [m]
  double zoom = 1;

  bool operator==(const ViewShift&) const = default;
};
/// The camera with that shift.
Camera Shifted(const Camera& camera, const ViewShift& shift);

/// Rectangle of pixels in which the bodies shall be.
struct Room {
  Vec2 min = Vec2::Zero(), max = Vec2::Zero();
};

/// What the balls take up of the picture; none without any in front of the eye.
std::optional<Room> BoundsOf(const Camera& camera, const Viewport& viewport,
                             std::span<const Ball> balls);

/// The least shift, across the view and no farther than needed, that brings all balls into the
/// room; farther away only if they do not fit otherwise. From where they fit there is none, so a
/// view comes back with its bodies. `fits` is false when they do not even at `most_zoom` times the
/// distance; their middle is then that of the room. Balls that are not finite do not count.
ViewShift CalcKeepInView(const Camera& camera, const Viewport& viewport, const Room& room,
                         std::span<const Ball> balls, double most_zoom, bool* fits);

}  // namespace slip::render
