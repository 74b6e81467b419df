// Mesh files as triangles, whatever their format: the table of formats (shape_formats.h) says who
// reads a file; mesh.h makes bodies and surroundings of what comes out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/geometry/mesh.h"
#include "engine/geometry/mesh_message.h"

namespace slip {

/// What is made of the up axis that a COLLADA file names. The axes of glTF are the format's.
enum class MeshAxes {
  kZUp,        ///< turned so that z is up
  kAsWritten,  ///< the numbers as they stand: as most readers of URDF take them
};

/// What was made of a unit and an up axis that a file has of its own.
struct MeshConvention {
  std::string words = {};   ///< a sentence; empty where it has none
  bool other_axes = false;  ///< it names another up axis than z, and was taken as written
};

/// What a mesh file holds, in metres with z up unless its axes are taken as written, times a scale.
struct MeshSource {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<MeshPart> parts;  ///< empty: the file's format has none, or they are not read
  std::vector<Vec3> hull;       ///< see MeshMessage
  MeshConvention convention;
  std::vector<std::string> notes;
};

/// Files that were read through processes, for as long as a robot or a scene is put together: each
/// is read once, and large ones are lightened.
class MeshStore {
 public:
  /// Reads these files side by side, as many at a time as there are processors. Those that are read
  /// without a process wait until they are asked for.
  void Prefetch(const std::vector<std::string>& paths);
  /// One of them, or another one.
  Result<MeshMessage> Read(const std::string& path);
  /// Whether Read only looks it up, which several threads may do at a time.
  bool Knows(const std::string& path) const { return known_.contains(path); }

 private:
  std::map<std::string, Result<MeshMessage>> known_;
};

/// Error: a format that is not in the table, and whatever is wrong with the file.
Result<MeshSource> ReadMeshSource(const std::string& path, double scale, MeshStore* store = nullptr,
                                  MeshAxes axes = MeshAxes::kZUp);
/// The same of bytes; `path` names the file in messages, and its ending the format.
Result<MeshSource> ReadMeshSourceText(std::string text, const std::string& path, double scale);

/// What a mesh that moves touches with, where it is not convex.
enum class MeshCollision {
  kParts,  ///< convex parts, see convex_parts.h
  kHull,
};

struct MovingMesh {
  std::vector<ConvexMesh> parts;  ///< one: the mesh itself, or its hull
  TriangleMesh surface;
};

/// A note says what a mesh that is not convex touches with. Parts are kept in the user's cache.
/// `cleaned` is what CleanMesh made of the source, where that is known.
Result<Imported<MovingMesh>> MakeMovingMesh(MeshSource source, const std::string& path,
                                            MeshCollision collision,
                                            std::optional<Imported<TriangleMesh>> cleaned = {});

/// As ReadTriangleMesh and ReadConvexMesh in mesh.h.
Result<Imported<TriangleMesh>> MakeTriangleMesh(MeshSource source, const std::string& path,
                                                MeshUse use);
Result<Imported<ConvexMesh>> MakeConvexMesh(MeshSource source, const std::string& path);

/// The triangles of one colour.
struct ColoredTriangles {
  std::optional<std::array<double, 4>> color;
  std::vector<std::array<int, 3>> triangles;
};

/// All triangles, by the colours of their parts, the most frequent first; those of the rarest
/// colours beyond `most` take the first one's. One entry without a colour where the file has none.
std::vector<ColoredTriangles> SplitByColor(const MeshSource& source, std::size_t most);

}  // namespace slip
