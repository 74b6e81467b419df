// What is put right in a mesh file's bytes before the library sees them, as its versions differ in
// what they make of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/geometry/mesh_message.h"

namespace slip {

/// Of a binary STL file: a heading that begins like a text's, and what follows the last triangle,
/// go. What is wrong with it, or empty; what is left out of it is noted.
std::string PrepareStl(std::string* bytes, std::vector<std::string>* notes);

/// What a glTF file, text or binary, requires of its reader that there is not; else empty.
std::string CheckGltf(std::string_view bytes);

struct ColladaAsset {
  double unit = 1;         ///< [m]
  UpAxis up = UpAxis::kY;  ///< what a file means that does not say
};
/// Reads the unit and the up axis of a COLLADA file and blanks them: whoever reads the rest gets
/// its numbers as they stand.
std::string PrepareCollada(std::string* text, ColladaAsset* asset, std::vector<std::string>* notes);

}  // namespace slip
