// What is put right in a mesh file's bytes before the library sees them, as its versions differ in
// what they make of it.
#pragma once

#include <string>

#include "engine/geometry/mesh_message.h"

namespace slip {

/// Of a binary STL file: a heading that begins like a text's, and what follows the last triangle,
/// go. What is wrong with it, or empty.
std::string PrepareStl(std::string* bytes);

struct ColladaAsset {
  double unit = 1;         ///< [m]
  UpAxis up = UpAxis::kY;  ///< what a file means that does not say
};
/// Reads the unit and the up axis of a COLLADA file and blanks them: whoever reads the rest gets
/// its numbers as they stand.
std::string PrepareCollada(std::string* text, ColladaAsset* asset);

}  // namespace slip
