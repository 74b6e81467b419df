// What is drawn of every link of the lead's robots: axes of joints, frames, inertias.
#pragma once

#include <optional>

#include "render/scene/draw_list.h"

namespace slip::render {

/// Full edges of the solid box that has this mass and these moments; nothing where there is none.
std::optional<Vec3> CalcInertiaBox(double mass, const Vec3& moments);

}  // namespace slip::render
