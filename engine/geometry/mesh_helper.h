// The process that reads mesh files through the library Assimp, and nothing else.
#pragma once

#include <optional>
#include <string>

namespace slip {

/// To be called first of all in main(). Where this process was started to read a mesh file, it does
/// so and never returns; else it notes that the program may be started so, and returns.
void ServeMeshHelper(int argc, const char* const* argv);

/// Behind a format: see mesh_light.h.
inline constexpr const char* kLightWord = "light";

/// The library with its version, as "Assimp 5.2"; empty in a build without it.
std::string MeshLibrary();

}  // namespace slip
