// The files that shapes are read from: one table, which readers, "check" and error sentences ask.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace slip {

struct ShapeFormat {
  enum class Reader {
    kText,    ///< read here: OBJ through tinyobjloader, points by ourselves
    kHelper,  ///< its faces are read by a process of its own, see foreign_mesh.h
  };
  std::string_view suffix;  ///< in lower case, with its dot
  std::string_view name;    ///< as in sentences
  bool faces = false;       ///< may be a mesh
  bool points = false;      ///< may be a point cloud
  Reader reader = Reader::kText;
};

inline constexpr std::array kShapeFormats = {
    ShapeFormat{".stl", "STL", true, false, ShapeFormat::Reader::kHelper},
    ShapeFormat{".dae", "COLLADA", true, false, ShapeFormat::Reader::kHelper},
    ShapeFormat{".gltf", "glTF", true, false, ShapeFormat::Reader::kHelper},
    ShapeFormat{".glb", "glTF", true, false, ShapeFormat::Reader::kHelper},
    ShapeFormat{".ply", "PLY", true, true, ShapeFormat::Reader::kHelper},
    ShapeFormat{".obj", "OBJ", true, true},
    ShapeFormat{".xyz", "points as text", false, true},
    ShapeFormat{".txt", "points as text", false, true},
    ShapeFormat{".csv", "points as text", false, true},
};

/// By the ending of a file's name, in whatever case; null = none of them.
const ShapeFormat* FindShapeFormat(const std::string& path);
/// Of a mesh; null = none.
const ShapeFormat* FindMeshFormat(const std::string& path);

/// "STL, COLLADA, glTF, PLY or OBJ".
std::string MeshFormatNames();
/// ".stl, .dae, .gltf, .glb, .ply or .obj"; the same of point clouds.
std::string MeshSuffixes();
std::string CloudSuffixes();

/// A mesh in a format that is read, beside where `path` would be, with the same name but for its
/// ending: the first of the table that exists, OBJ before all. Empty where there is none.
std::string FindOtherFormat(const std::string& path);

}  // namespace slip
