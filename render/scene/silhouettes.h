// Lines that show a body's form, in the world: its silhouette, and edges turned towards the eye.
#pragma once

#include <vector>

#include "engine/dynamics/model.h"
#include "render/scene/camera.h"

namespace slip::render {

using Polyline3 = std::vector<Vec3>;

/// Unit direction from a point to the eye.
Vec3 ToEye(const Camera& camera, const Vec3& p_W);

/// With `all`, the hidden edges of boxes too.
std::vector<Polyline3> Silhouette(const Camera& camera, const Body& body, const Pose& X_WB,
                                  bool all);

}  // namespace slip::render
