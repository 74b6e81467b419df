// The process that reads mesh files through the library Assimp, and nothing else.
#pragma once

#include <span>
#include <string>

namespace slip {

/// In a helper (core/helper_process.h) with these words: reads a mesh file, answers, and never
/// returns.
[[noreturn]] void ServeMeshHelper(std::span<const std::string> words);

/// Behind a format: see mesh_light.h.
inline constexpr const char* kLightWord = "light";

/// The library with its version, as "Assimp 5.2"; empty in a build without it.
std::string MeshLibrary();

}  // namespace slip
