// What is under the mouse: analytic rays against the drawn bodies, and contacts by pixel distance.
#pragma once

#include <optional>

#include "render/scene/camera.h"
#include "render/scene/view_request.h"

namespace slip::render {

/// Ray parameter of the first hit in front of the ray's origin, in body axes; the shape is centred
/// at its own origin.
std::optional<double> HitShape(const Ray& ray_B, const Shape& shape);
Ray ToBody(const Ray& ray_W, const Pose& X_WB);

struct BodyHit {
  int channel = 0;
  int body = 0;
  Vec3 p_drawn = Vec3::Zero();  ///< hit point as drawn, fan-out included [m]
  Vec3 p_W = Vec3::Zero();      ///< hit point in the channel's own world (for Grab::p_WA) [m]
  Vec3 p_BP = Vec3::Zero();     ///< hit point in the body frame (for Grab::p_BP) [m]
  double distance = 0;          ///< along the ray [m]
};
/// Nearest body under the pixel; the lead channel wins over ghosts at the same place.
std::optional<BodyHit> PickBody(const Snapshot& snapshot, const ViewRequest& request,
                                const Camera& camera, const Viewport& viewport, const Vec2& pixel);

struct ContactHit {
  int channel = 0;
  int index = 0;       ///< into ChannelFrame::contacts
  ContactKey key = 0;  ///< stable identity
  double pixels = 0;   ///< distance from the pixel
};
/// Nearest contact point within `radius` pixels, of any body or of one.
std::optional<ContactHit> PickContact(const Snapshot& snapshot, const ViewRequest& request,
                                      const Camera& camera, const Viewport& viewport,
                                      const Vec2& pixel, double radius = 10, int of_body = -1);

/// Where the pixel's ray meets the plane through p_W that faces the camera: drags stay at depth.
Vec3 DragPoint(const Camera& camera, const Viewport& viewport, const Vec2& pixel, const Vec3& p_W);

}  // namespace slip::render
