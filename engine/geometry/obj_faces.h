// The faces of OBJ files.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace slip {

/// The faces of a text that ScanObj found right, polygons cut into triangles. Empty, and `problem`
/// filled, when the library refuses them or ThreadStop says so.
std::vector<std::array<int, 3>> ParseObjFaces(std::string_view text, std::size_t vertex_count,
                                              std::string* problem);

}  // namespace slip
