// Mesh files. The first pass (mesh_text.h) finds everything that is wrong, with its line;
// tinyobjloader then reads the faces and cuts polygons into triangles.
#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <sstream>

#include "engine/geometry/convex_hull.h"
#include "engine/geometry/mesh.h"
#include "engine/geometry/mesh_text.h"

namespace slip {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

struct Soup {
  std::vector<Vec3> vertices;
  Triangles triangles;
  std::vector<std::string> notes;
};

Error FileError(const std::string& path, std::string message, std::string hint) {
  return {.message = std::move(message), .file = path, .hint = std::move(hint)};
}

// The faces of a checked OBJ text; empty with `problem` filled if the library refuses them.
Triangles ParseFaces(const std::string& text, std::size_t vertex_count, std::string* problem) {
  Triangles triangles;
  try {
    tinyobj::attrib_t attributes;
    std::vector<tinyobj::shape_t> shapes;
    std::vector<tinyobj::material_t> materials;
    std::string warning;
    std::istringstream stream(text);
    if (!tinyobj::LoadObj(&attributes, &shapes, &materials, &warning, problem, &stream)) {
      if (problem->empty()) *problem = "the faces cannot be read";
      return triangles;
    }
    for (const tinyobj::shape_t& shape : shapes) {
      const std::vector<tinyobj::index_t>& corners = shape.mesh.indices;
      for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
        const std::array<int, 3> t = {corners[i].vertex_index, corners[i + 1].vertex_index,
                                      corners[i + 2].vertex_index};
        for (int v : t)
          if (v < 0 || static_cast<std::size_t>(v) >= vertex_count)
            *problem = fmt::format("a face names vertex {} of {}", v + 1, vertex_count);
        triangles.push_back(t);
      }
    }
  } catch (const std::exception& e) {
    *problem = fmt::format("the faces cannot be read: {}", e.what());
  }
  if (!problem->empty()) triangles.clear();
  return triangles;
}

// Leaves vertices and the faces' vertex numbers; blanks keep the line numbers. tinyobjloader
// refuses a comment behind a face and textures that are not there, and makes what a line such as "t
// x 8192/8192/8192" only promises.
void BlankTheRest(std::string* text) {
  for (std::size_t begin = 0; begin < text->size();) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    const std::string_view line(text->data() + begin, end - begin);
    const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view word = line.substr(first, line.find_first_of(" \t\r#", first) - first);
    const bool face = word == "f";
    const std::size_t kept = face || word == "v" ? std::min(line.find('#'), line.size()) : 0;
    bool blank = false;
    for (std::size_t i = begin; i < end; ++i) {
      char& c = (*text)[i];
      blank = i >= begin + kept || (face && (c == '/' || (blank && c != ' ' && c != '\t')));
      if (blank) c = ' ';
    }
    begin = end + 1;
  }
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
  BlankTheRest(&text);
  Soup soup;
  std::string problem;
  soup.triangles = ParseFaces(text, scan->points.size(), &problem);
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
