// Meshes of bodies that move: the mesh itself where it is convex, convex parts or the hull where it
// is not.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/core/sha256.h"
#include "engine/geometry/convex_hull.h"
#include "engine/geometry/convex_parts.h"
#include "engine/geometry/mesh_cache.h"
#include "engine/geometry/mesh_source.h"

namespace slip {
namespace {

/// Changes when what is made of a mesh does.
constexpr std::string_view kPartsVersion = "parts 4", kHullVersion = "hull 2";
/// In what is kept: of each polyhedron the name of its first face.
constexpr const char* kFirstFace = "polyhedron";
/// Hulls of fewer points are as quickly made as read.
constexpr std::size_t kKeptHull = 500;

Error InFile(const std::string& path, Error error) {
  error.file = path;
  return error;
}

class ListKey {
 public:
  explicit ListKey(std::string_view version) { hash_.Add(version); }
  template <class List>
  ListKey& Add(const List& list) {
    const std::uint64_t count = list.size();
    hash_.Add({reinterpret_cast<const char*>(&count), sizeof(count)});
    hash_.Add({reinterpret_cast<const char*>(list.data()), count * sizeof(list[0])});
    return *this;
  }
  std::string Finish() { return hash_.Finish(); }

 private:
  Sha256 hash_;
};

/// Adds a part for each face, the first one named, and triangles from the face's first corner.
void AddPolyhedron(const ConvexMesh& hull, MeshMessage* message) {
  const auto offset = static_cast<int>(message->vertices.size());
  message->vertices.insert(message->vertices.end(), hull.vertices.begin(), hull.vertices.end());
  for (const ConvexMesh::Face& face : hull.faces) {
    const int* corners = &At(hull.face_corners, face.first);
    message->parts.push_back({.name = &face == &hull.faces.front() ? kFirstFace : "",
                              .color = {},
                              .first = static_cast<int>(message->triangles.size()),
                              .count = face.count - 2});
    for (int i = 1; i + 1 < face.count; ++i)
      message->triangles.push_back(
          {offset + corners[0], offset + corners[i], offset + corners[i + 1]});
  }
}

/// The polyhedron whose faces these are.
std::optional<ConvexMesh> TakePolyhedron(const MeshMessage& message,
                                         std::span<const MeshPart> parts) {
  if (parts.empty()) return std::nullopt;
  const auto triangles =
      std::span(message.triangles)
          .subspan(ToIndex(parts.front().first),
                   ToIndex(parts.back().first + parts.back().count - parts.front().first));
  int low = triangles.front()[0], high = low;
  for (const auto& t : triangles)
    for (const int v : t) low = std::min(low, v), high = std::max(high, v);
  std::vector<std::vector<int>> faces;
  for (const MeshPart& part : parts) {
    std::vector<int>& face = faces.emplace_back();
    for (int i = 0; i < part.count; ++i) {
      const auto& [a, b, c] = At(message.triangles, part.first + i);
      if (i == 0) face = {a - low, b - low};
      face.push_back(c - low);
    }
  }
  return MakePolyhedron(std::span(message.vertices).subspan(ToIndex(low), ToIndex(high - low + 1)),
                        faces);
}

/// The hull of many points is kept, too.
Result<ConvexMesh> FindHull(const std::vector<Vec3>& points) {
  const double rough = RoughFor(points.size());
  if (points.size() < kKeptHull) return CalcConvexHull(points, rough);
  const MeshCache cache;
  const std::string key = ListKey(kHullVersion).Add(points).Finish();
  if (const auto message = cache.Find(key))
    if (auto hull = TakePolyhedron(*message, message->parts)) return std::move(*hull);
  Result<ConvexMesh> hull = CalcConvexHull(points, rough);
  if (!hull) return hull;
  MeshMessage message;
  AddPolyhedron(*hull, &message);
  cache.Keep(key, message);
  return hull;
}

/// Their corners and faces; no triangles where the hull is all there is.
MeshMessage ToMessage(const ConvexParts& parts) {
  MeshMessage message;
  message.error = parts.error;
  if (!parts.why_hull.empty()) message.notes.push_back(parts.why_hull);
  if (parts.parts.size() < 2) return message;
  for (const ConvexMesh& part : parts.parts) AddPolyhedron(part, &message);
  return message;
}

/// None for what is no such message.
std::optional<std::vector<ConvexMesh>> FromMessage(const MeshMessage& message) {
  std::vector<ConvexMesh> parts;
  const std::span<const MeshPart> faces = message.parts;
  for (std::size_t first = 0, last = 0; first < faces.size(); first = last) {
    for (last = first + 1; last < faces.size() && faces[last].name.empty();) ++last;
    auto part = TakePolyhedron(message, faces.subspan(first, last - first));
    if (!part || parts.size() == kMostConvexParts) return std::nullopt;
    parts.push_back(std::move(*part));
  }
  return parts;
}

struct FoundParts {
  std::vector<ConvexMesh> parts;  ///< empty: the hull is all there is
  double error = 0;
  std::string why_hull;
};

Result<FoundParts> FindParts(const TriangleMesh& mesh) {
  const MeshCache cache;
  const std::string key = ListKey(kPartsVersion).Add(mesh.vertices).Add(mesh.triangles).Finish();
  std::optional<MeshMessage> message = cache.Find(key);
  std::optional<std::vector<ConvexMesh>> parts;
  if (message) parts = FromMessage(*message);
  if (!parts) {
    const Result<ConvexParts> made = FindConvexParts(mesh);
    if (!made) return made.errors();
    message = ToMessage(*made);
    parts = FromMessage(*message);
    if (parts)
      cache.Keep(key, *message);
    else
      parts = made->parts;
  }
  FoundParts found{std::move(*parts), message->error, {}};
  if (!message->notes.empty()) found.why_hull = message->notes.front();
  return found;
}

std::string OpenEdges(int count) { return count == 1 ? "1 edge" : fmt::format("{} edges", count); }

/// The parts in place of the hull, where there are any. What is to be said of it.
std::string TakeParts(const TriangleMesh& mesh, std::vector<ConvexMesh>* parts) {
  Result<FoundParts> found = FindParts(mesh);
  if (!found)
    return fmt::format("concave and moves: its convex hull is used, as {}", found.error().message);
  if (!found->parts.empty()) {
    *parts = std::move(found.value().parts);
    return fmt::format("concave and moves: {} convex parts (largest error {:.2g} mm)",
                       parts->size(), 1e3 * found->error);
  }
  if (mesh.open_edges > 0)
    return fmt::format("open ({} without a neighbour): its convex hull is used",
                       OpenEdges(mesh.open_edges));
  if (!found->why_hull.empty())
    return fmt::format("concave and moves: its convex hull is used, as {}", found->why_hull);
  return "convex to one percent of its volume: its convex hull is used";
}

}  // namespace

Result<Imported<MovingMesh>> MakeMovingMesh(MeshSource source, const std::string& path,
                                            MeshCollision collision,
                                            std::optional<Imported<TriangleMesh>> cleaned) {
  Imported<MovingMesh> result;
  const bool lightened = !source.hull.empty();
  const std::vector<Vec3> points =
      lightened ? std::move(source.hull) : UsedVertices(source.vertices, source.triangles);
  if (const Status solid = CheckHull(points); !solid.ok()) return InFile(path, solid.error());
  if (const Status thick = CheckThickness(points, MeshUse::kSolid); !thick.ok())
    return InFile(path, thick.error());
  if (!lightened && points.size() > kManyPoints)
    source.notes.push_back(
        fmt::format("{} points: its convex hull is true to {:g} of its thickness", points.size(),
                    kManyPointsRough));
  if (!source.convention.words.empty()) result.notes.push_back(std::move(source.convention.words));
  result.notes.insert(result.notes.end(), source.notes.begin(), source.notes.end());
  Result<Imported<TriangleMesh>> mesh =
      cleaned ? std::move(*cleaned)
              : CleanMesh(std::move(source.vertices), std::move(source.triangles),
                          MeshUse::kSurface, path);
  if (!mesh) return mesh.errors();
  result.notes.insert(result.notes.end(), mesh->notes.begin(), mesh->notes.end());
  TriangleMesh& surface = result.mesh.surface = std::move(mesh.value().mesh);
  const bool convex = surface.open_edges == 0 && IsConvex(surface);
  if (!convex && collision == MeshCollision::kParts) {
    result.notes.push_back(TakeParts(surface, &result.mesh.parts));
  } else if (surface.open_edges > 0) {
    result.notes.push_back(fmt::format("open ({} without a neighbour): its convex hull is used",
                                       OpenEdges(surface.open_edges)));
  } else if (!convex) {
    result.notes.emplace_back("not convex: its convex hull is used");
  }
  if (!result.mesh.parts.empty()) return result;
  Result<ConvexMesh> hull = FindHull(points);
  if (!hull) return InFile(path, hull.error());
  result.mesh.parts.push_back(std::move(hull).value());
  return result;
}

Result<Imported<ConvexMesh>> MakeConvexMesh(MeshSource source, const std::string& path) {
  Result<Imported<MovingMesh>> made = MakeMovingMesh(std::move(source), path, MeshCollision::kHull);
  if (!made) return made.errors();
  return Imported<ConvexMesh>{std::move(made.value().mesh.parts.front()),
                              std::move(made.value().notes)};
}

}  // namespace slip
