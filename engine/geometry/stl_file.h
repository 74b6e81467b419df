// Binary STL: the one format of which large files are common, and so simple that no library is
// needed, and no process of its own.
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/geometry/mesh_message.h"

namespace slip {

/// The heading, the number of triangles, and each triangle [bytes].
inline constexpr std::size_t kStlHead = 80, kStlCount = 4, kStlTriangle = 50;

/// Whether a file that went through PrepareStl is a binary one that has triangles.
bool IsBinaryStl(std::string_view bytes);
/// Of such a file, what is wrong with it, or its triangles.
MeshMessage ReadBinaryStl(std::string_view bytes);

}  // namespace slip
