// The first pass over a mesh file: what every line says, and what is wrong with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/geometry/mesh.h"

namespace slip {

/// Largest file of a mesh or a cloud.
inline constexpr std::size_t kMostMeshBytes = std::size_t{256} << 20;

struct MeshText {
  std::vector<Vec3> points;
  std::size_t left_out = 0;  ///< points of a cloud with a coordinate that is not finite
  int faces = 0;
  int polygons = 0;  ///< faces with more than three corners
  std::vector<std::string> materials;
  std::vector<std::string> notes;
};

/// The whole file; an error for what cannot be read, is a folder or too large.
Result<std::string> ReadMeshText(const std::string& path);

/// Takes the mark some editors put first out of a file's text; an error for an empty one and for
/// what is not text.
Status CleanMeshText(const std::string& path, std::string* text);

/// As those of mesh.h, from text; `path` names the file in messages, and its ending the format.
Result<Imported<TriangleMesh>> ReadTriangleMeshText(std::string text, const std::string& path,
                                                    MeshUse use, double scale);
Result<Imported<ConvexMesh>> ReadConvexMeshText(std::string text, const std::string& path,
                                                double scale);
Result<Imported<PointCloud>> ReadPointCloudText(std::string text, const std::string& path,
                                                double radius, double scale);

/// The ending of a file's name from its dot on, in lower case.
std::string LowerExtension(const std::string& path);

/// Of OBJ: a line that ends with '\' goes on in the next one. Behind it as many empty lines stand
/// as were joined, so that lines count as in the file.
void JoinObjLines(std::string* text);
/// OBJ: numbers and indices are checked, so that the parser behind meets only good ones.
Result<MeshText> ScanObj(std::string_view text, const std::string& path, double scale);

/// Lines "x y z", separated by blanks, commas or semicolons; what follows on a line is not read,
/// nor are comments ('#'). The first line may be a heading: the names of the columns, which say
/// where x, y and z stand, words alone, or the number of points alone, which must then be right.
/// Decimal commas are refused.
/// Points that are nan or infinite are left out, here and in PLY files.
Result<MeshText> ScanPoints(std::string_view text, const std::string& path, double scale);

/// PLY, text or binary of either byte order: x, y and z of the element "vertex".
Result<MeshText> ScanPly(std::string_view bytes, const std::string& path, double scale);
/// Whether the heading of a PLY file promises faces. False where it is none.
bool HasPlyFaces(std::string_view bytes);

}  // namespace slip
