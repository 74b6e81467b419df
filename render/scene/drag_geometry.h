// Where a drag in the picture leads in the world: on a line, or in a plane.
#pragma once

#include "engine/core/types.h"
#include "render/scene/camera.h"

namespace slip::render {

/// Where the ray meets the plane through p with unit normal n; where the plane is seen edge-on, the
/// ray's point in the plane that faces the camera is brought into it.
Vec3 OnPlane(const Ray& ray, const Vec3& p, const Vec3& n, const Vec3& facing);

/// The point of the line p + s a, a a unit vector, that is nearest to the ray; seen end-on, the one
/// nearest to `facing`.
Vec3 OnLine(const Ray& ray, const Vec3& p, const Vec3& a, const Vec3& facing);

}  // namespace slip::render
