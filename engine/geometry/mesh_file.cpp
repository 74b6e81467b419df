// Mesh files. The first pass (mesh_text.h) finds everything that is wrong, with its line; the
// second (obj_faces.h) makes triangles.
#include <fmt/format.h>

#include <filesystem>

#include "engine/geometry/convex_hull.h"
#include "engine/geometry/mesh.h"
#include "engine/geometry/mesh_text.h"
#include "engine/geometry/obj_faces.h"

namespace slip {
namespace {

struct Soup {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::string> notes;
};

Error FileError(const std::string& path, std::string message, std::string hint) {
  return {.message = std::move(message), .file = path, .hint = std::move(hint)};
}

Result<Soup> ReadSoup(std::string text, const std::string& path, double scale) {
  if (const Status clean = CleanMeshText(path, &text); !clean.ok()) return clean.errors();
  if (const std::string extension = LowerExtension(path); extension != ".obj")
    return FileError(path,
                     fmt::format("meshes of type '{}' cannot be read; expected .obj", extension),
                     "convert it, e.g. with MeshLab or Blender");
  Result<MeshText> scan = ScanObj(text, path, scale);
  if (!scan) return scan.errors();
  if (scan->faces == 0)
    return FileError(path,
                     fmt::format("the file has {} vertices but no faces", scan->points.size()),
                     "for single points use a point cloud");
  Soup soup;
  std::string problem;
  soup.triangles = ParseObjFaces(text, scan->points.size(), &problem);
  if (!problem.empty()) return FileError(path, problem, "export the mesh again");
  if (scan->polygons > 0)
    soup.notes.push_back(scan->polygons == 1
                             ? "1 polygon cut into triangles"
                             : fmt::format("{} polygons cut into triangles", scan->polygons));
  for (const std::string& name : scan->materials) {
    std::error_code status;
    if (!std::filesystem::exists(std::filesystem::path(path).parent_path() / name, status))
      soup.notes.push_back(
          fmt::format("material file '{}' is missing; colours are not used anyway", name));
  }
  soup.notes.insert(soup.notes.end(), scan->notes.begin(), scan->notes.end());
  // these are correctly rounded, the library's are not
  soup.vertices = std::move(scan.value().points);
  return soup;
}

// Vertices that no face uses are not part of the body.
std::vector<Vec3> UsedVertices(const Soup& soup) {
  std::vector<bool> used(soup.vertices.size(), false);
  for (const auto& t : soup.triangles)
    for (int v : t) used[v] = true;
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < soup.vertices.size(); ++i)
    if (used[i]) points.push_back(soup.vertices[i]);
  return points;
}

Error In(const std::string& path, Error error) {
  error.file = path;
  return error;
}

}  // namespace

Result<Imported<TriangleMesh>> ReadTriangleMeshText(std::string text, const std::string& path,
                                                    MeshUse use, double scale) {
  Result<Soup> soup = ReadSoup(std::move(text), path, scale);
  if (!soup) return soup.errors();
  Soup& raw = soup.value();
  if (const Status wide = CheckThickness(UsedVertices(raw), use); !wide.ok())
    return In(path, wide.error());
  Result<Imported<TriangleMesh>> mesh =
      CleanMesh(std::move(raw.vertices), std::move(raw.triangles), use, path);
  if (mesh) {
    auto& notes = mesh.value().notes;
    notes.insert(notes.begin(), raw.notes.begin(), raw.notes.end());
  }
  return mesh;
}

Result<Imported<ConvexMesh>> ReadConvexMeshText(std::string text, const std::string& path,
                                                double scale) {
  Result<Soup> soup = ReadSoup(std::move(text), path, scale);
  if (!soup) return soup.errors();
  Soup& raw = soup.value();
  const std::vector<Vec3> points = UsedVertices(raw);
  Result<ConvexMesh> hull = CalcConvexHull(points);
  if (!hull) return In(path, hull.error());
  if (const Status thick = CheckThickness(points, MeshUse::kSolid); !thick.ok())
    return In(path, thick.error());
  Imported<ConvexMesh> result{std::move(hull).value(), std::move(raw.notes)};
  Result<Imported<TriangleMesh>> mesh =
      CleanMesh(std::move(raw.vertices), std::move(raw.triangles), MeshUse::kSurface, path);
  if (!mesh) return mesh.errors();
  result.notes.insert(result.notes.end(), mesh->notes.begin(), mesh->notes.end());
  if (mesh->mesh.open_edges > 0)
    result.notes.push_back(fmt::format(
        "open ({} without a neighbour): its convex hull is used",
        mesh->mesh.open_edges == 1 ? "1 edge" : fmt::format("{} edges", mesh->mesh.open_edges)));
  else if (!IsConvex(mesh->mesh))
    result.notes.emplace_back("not convex: its convex hull is used");
  return result;
}

Result<Imported<TriangleMesh>> ReadTriangleMesh(const std::string& path, MeshUse use,
                                                double scale) {
  Result<std::string> text = ReadMeshText(path);
  if (!text) return text.errors();
  return ReadTriangleMeshText(std::move(text).value(), path, use, scale);
}

Result<Imported<ConvexMesh>> ReadConvexMesh(const std::string& path, double scale) {
  Result<std::string> text = ReadMeshText(path);
  if (!text) return text.errors();
  return ReadConvexMeshText(std::move(text).value(), path, scale);
}

}  // namespace slip
