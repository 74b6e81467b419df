#include "engine/geometry/mesh_light.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/geometry/cluster_mesh.h"
#include "engine/geometry/convex_hull.h"

namespace slip {
namespace {

constexpr std::size_t kLightMesh = 8000;

std::vector<Vec3> HullCorners(const std::vector<Vec3>& vertices) {
  const auto triangles = CalcHullTriangles(vertices, RoughFor(vertices.size()));
  if (!triangles) return {};  // flat: only for the eyes
  return UsedVertices(vertices, *triangles);
}

}  // namespace

void LightenMesh(MeshMessage* message) {
  const std::size_t before = message->triangles.size();
  if (before <= kHeavyMesh) return;
  message->hull = HullCorners(message->vertices);
  ClusteredMesh light = ClusterMesh(message->vertices, message->triangles, kLightMesh);
  // triangles keep their order, so parts stay in one piece each
  std::vector<MeshPart> parts;
  int first = 0;
  for (MeshPart& part : message->parts) {
    int end = first;
    const int last = part.first + part.count;
    while (end < static_cast<int>(light.origin.size()) && At(light.origin, end) < last) ++end;
    if (end == first) continue;
    part.first = first;
    part.count = end - first;
    parts.push_back(std::move(part));
    first = end;
  }
  message->parts = std::move(parts);
  message->vertices = std::move(light.vertices);
  message->triangles = std::move(light.triangles);
  message->notes.push_back(
      fmt::format("large: {} of its {} triangles are used, and its convex hull is true to {:g} of "
                  "its thickness",
                  message->triangles.size(), before, kManyPointsRough));
}

}  // namespace slip
