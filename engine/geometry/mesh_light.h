// Large meshes of robots, made small where they are read: what is drawn and touched needs no more.
#pragma once

#include "engine/geometry/mesh_message.h"

namespace slip {

/// Meshes with more triangles are lightened.
inline constexpr std::size_t kHeavyMesh = 20000;

/// Fewer triangles in the same parts; the corners of its convex hull, from all its vertices, beside
/// them; and a note that says so. A mesh that is light already stays as it is.
void LightenMesh(MeshMessage* message);

}  // namespace slip
