// Mesh files in the formats of others. They are hostile input, and the library that reads them has
// had overflows: it runs in a process of its own, with limits. What that process says is checked.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "engine/geometry/mesh_message.h"
#include "engine/geometry/shape_formats.h"

namespace slip {

/// What `bytes`, those of the file `path`, hold as a mesh: out of the user's cache, or through a
/// process. One sentence with the file's name whatever goes wrong there; also when ThreadStop says
/// so. `light`: a large mesh is lightened, see mesh_light.h.
Result<MeshMessage> ReadForeignMesh(std::string_view bytes, const std::string& path,
                                    const ShapeFormat& format, bool light = false);

}  // namespace slip
