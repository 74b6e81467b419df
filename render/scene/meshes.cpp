// Mesh generation.
#include "render/scene/meshes.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "engine/core/numbers.h"
#include "engine/geometry/mesh.h"

namespace slip::render {
namespace {

void AddVertex(const Vec3& p, const Vec3& n, MeshData* mesh) {
  for (const Vec3* v : {&p, &n}) {
    for (int i = 0; i < 3; ++i) mesh->vertices.push_back(static_cast<float>((*v)[i]));
  }
}

uint32_t VertexCount(const MeshData& mesh) {
  return static_cast<uint32_t>(mesh.vertices.size()) / 6;
}

/// A flat convex polygon with vertices of its own: neighbours must not smooth its normal.
void AddPolygon(const std::vector<Vec3>& corners, const Vec3& normal, MeshData* mesh) {
  const uint32_t first = VertexCount(*mesh);
  for (const Vec3& p : corners) AddVertex(p, normal, mesh);
  for (uint32_t i = 1; i + 1 < corners.size(); ++i) {
    mesh->indices.insert(mesh->indices.end(), {first, first + i, first + i + 1});
  }
}

/// One ring of a body turned about x: corner (x, radius) of the unit body, and normal.
struct Station {
  double x, radius, nx, nr;
};

/// The first and last station are points on the axis.
MeshData Turned(const std::vector<Station>& profile, int sides) {
  MeshData mesh;
  mesh.floats_per_vertex = 6;
  for (const Station& s : profile) {
    for (int i = 0; i < sides; ++i) {
      const double c = std::cos(2 * std::numbers::pi * i / sides),
                   d = std::sin(2 * std::numbers::pi * i / sides);
      AddVertex(Vec3(s.x, s.radius * c, s.radius * d), Vec3(s.nx, s.nr * c, s.nr * d), &mesh);
    }
  }
  const auto columns = static_cast<uint32_t>(sides);
  const auto rows = static_cast<uint32_t>(profile.size());
  for (uint32_t row = 0; row + 1 < rows; ++row) {
    for (uint32_t i = 0; i < columns; ++i) {
      const uint32_t next = (i + 1) % columns;
      const uint32_t a = row * columns + i, b = (row + 1) * columns + i;
      const uint32_t c = (row + 1) * columns + next, d = row * columns + next;
      // at the ends half of each quad has no area
      if (row > 0) mesh.indices.insert(mesh.indices.end(), {a, c, d});
      if (row + 2 < rows) mesh.indices.insert(mesh.indices.end(), {a, b, c});
    }
  }
  return mesh;
}

MeshData FacesOf(const ConvexMesh& convex) {
  MeshData mesh;
  mesh.floats_per_vertex = 6;
  std::vector<Vec3> corners;
  for (const ConvexMesh::Face& face : convex.faces) {
    corners.clear();
    for (int i = face.first; i < face.first + face.count; ++i) {
      const int corner = At(convex.face_corners, i);
      corners.push_back(At(convex.vertices, corner));
    }
    AddPolygon(corners, face.normal, &mesh);
  }
  return mesh;
}

MeshData FacesOf(const TriangleMesh& triangles) {
  MeshData mesh;
  mesh.floats_per_vertex = 6;
  for (const auto& triangle : triangles.triangles) {
    const auto at = [&](std::size_t i) { return At(triangles.vertices, triangle[i]); };
    const Vec3 a = at(0), b = at(1), c = at(2);
    const Vec3 n = (b - a).cross(c - a);
    if (n.norm() > 0) AddPolygon({a, b, c}, n.normalized(), &mesh);
  }
  return mesh;
}

}  // namespace

MeshData MakeRoundedBox(int segments_per_quarter) {
  MeshData mesh;
  mesh.floats_per_vertex = 6;
  const int n = segments_per_quarter;
  // A globe whose quarter meridians and equator appear twice, once for each neighbouring corner:
  // the quads between the twins are the flat faces and the edges.
  const int columns = 4 * (n + 1), rows = 2 * (n + 1);
  for (int row = 0; row < rows; ++row) {
    const int half = row / (n + 1);
    const double latitude = std::numbers::pi / 2 -
                            (half + static_cast<double>(row % (n + 1)) / n) * std::numbers::pi / 2;
    for (int column = 0; column < columns; ++column) {
      const int quarter = column / (n + 1);
      const double longitude =
          (quarter + static_cast<double>(column % (n + 1)) / n) * std::numbers::pi / 2;
      const double sx = (quarter == 0 || quarter == 3) ? 1 : -1, sy = quarter < 2 ? 1 : -1;
      for (double value : {sx, sy, half == 0 ? 1.0 : -1.0, std::cos(latitude) * std::cos(longitude),
                           std::cos(latitude) * std::sin(longitude), std::sin(latitude)}) {
        mesh.vertices.push_back(static_cast<float>(value));
      }
    }
  }
  const auto index = [columns](int row, int column) {
    return static_cast<uint32_t>(row * columns + column % columns);
  };
  const auto triangle = [&mesh](uint32_t a, uint32_t b, uint32_t c) {
    mesh.indices.insert(mesh.indices.end(), {a, b, c});
  };
  for (int row = 0; row + 1 < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const uint32_t a = index(row, column), b = index(row + 1, column);
      const uint32_t c = index(row + 1, column + 1), d = index(row, column + 1);
      triangle(a, b, c);
      triangle(a, c, d);
    }
  }
  // lids: the four twins of each pole
  const int last = rows - 1;
  triangle(index(0, 0), index(0, n + 1), index(0, 2 * (n + 1)));
  triangle(index(0, 0), index(0, 2 * (n + 1)), index(0, 3 * (n + 1)));
  triangle(index(last, 0), index(last, 2 * (n + 1)), index(last, n + 1));
  triangle(index(last, 0), index(last, 3 * (n + 1)), index(last, 2 * (n + 1)));
  return mesh;
}

MeshData MakeBlock() {
  MeshData mesh;
  mesh.floats_per_vertex = 6;
  for (int axis = 0; axis < 3; ++axis) {
    for (double side : {1.0, -1.0}) {
      const Vec3 n = side * Vec3::Unit(axis);
      const Vec3 u = Vec3::Unit((axis + 1) % 3), v = side * Vec3::Unit((axis + 2) % 3);
      AddPolygon({n - u - v, n + u - v, n + u + v, n - u + v}, n, &mesh);
    }
  }
  return mesh;
}

MeshData MakeDome(int sides, int rings) {
  MeshData mesh;
  mesh.floats_per_vertex = 6;
  AddVertex(Vec3(1, 0, 0), Vec3(0, 1, 0), &mesh);
  const double rim = 2 / (1 + std::cos(std::numbers::pi / sides));
  for (int ring = 1; ring <= rings; ++ring) {
    for (int i = 0; i < sides; ++i) {
      // rings at half a corner to each other: rounder inside
      const double angle = 2 * std::numbers::pi * (i + 0.5 * ((rings - ring) % 2)) / sides;
      AddVertex(Vec3(ring == rings ? rim : 1, 0, 0),
                Vec3(static_cast<double>(ring) / rings, std::cos(angle), std::sin(angle)), &mesh);
    }
  }
  const auto columns = static_cast<uint32_t>(sides);
  const auto corner = [columns](int ring, uint32_t i) {
    return 1 + static_cast<uint32_t>(ring - 1) * columns + i % columns;
  };
  for (uint32_t i = 0; i < columns; ++i) {
    mesh.indices.insert(mesh.indices.end(), {0, corner(1, i), corner(1, i + 1)});
    for (int ring = 1; ring < rings; ++ring) {
      // the outer ring lies half a corner before or behind
      const uint32_t shift = (rings - ring) % 2 == 1 ? 1 : 0;
      const uint32_t a = corner(ring, i), b = corner(ring, i + 1);
      const uint32_t c = corner(ring + 1, i + shift), d = corner(ring + 1, i + shift + columns - 1);
      mesh.indices.insert(mesh.indices.end(), {a, c, b, a, d, c});
    }
  }
  return mesh;
}

MeshData MakeCylinder(int sides, int edge_segments) {
  // from the +x axis to the -x axis: a cap, the edge, the wall, the edge, a cap
  std::vector<Station> profile;
  const int steps = std::max(edge_segments, 1);
  for (double end : {1.0, -1.0}) {
    std::vector<Station> half{{end, 0, end, 0}};
    for (int i = 0; i <= steps; ++i) {
      const double angle = std::numbers::pi / 2 * i / steps;
      half.push_back({end, 1, end * std::cos(angle), std::sin(angle)});
    }
    if (end < 0) std::reverse(half.begin(), half.end());
    profile.insert(profile.end(), half.begin(), half.end());
  }
  return Turned(profile, sides);
}

MeshData MakePill(int sides, int rings_per_half) {
  std::vector<Station> profile;
  for (double end : {1.0, -1.0}) {
    for (int i = 0; i <= rings_per_half; ++i) {
      const int ring = end > 0 ? i : rings_per_half - i;
      const double angle = std::numbers::pi / 2 * ring / rings_per_half;
      profile.push_back({end, 0, end * std::cos(angle), ring > 0 ? std::sin(angle) : 0});
    }
  }
  return Turned(profile, sides);
}

const void* OwnMeshOf(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kConvex:
      return shape.convex.get();
    case ShapeKind::kTriangleMesh:
      return shape.triangles.get();
    case ShapeKind::kPointCloud:
      return shape.cloud.get();
    default:
      return nullptr;
  }
}

MeshData MakeOwnMesh(const Shape& shape) {
  if (OwnMeshOf(shape) == nullptr) return {6, {}, {}};
  if (shape.kind == ShapeKind::kConvex) return FacesOf(*shape.convex);
  if (shape.kind == ShapeKind::kTriangleMesh) return FacesOf(*shape.triangles);
  return {6, {}, {}};
}

MeshData MakeArrow(int sides) {
  MeshData mesh;
  mesh.floats_per_vertex = 5;
  struct Ring {
    float radius, station, normal;
  };
  // each pair of rings is one band of the profile
  constexpr Ring kRings[] = {{0, 0, 2}, {1, 0, 2}, {1, 0, 0}, {1, 1, 0},
                             {1, 1, 2}, {2, 1, 2}, {2, 1, 1}, {0, 2, 1}};
  for (const Ring& ring : kRings) {
    for (int i = 0; i < sides; ++i) {
      const double angle = 2 * std::numbers::pi * i / sides;
      for (double value : {std::cos(angle), std::sin(angle), static_cast<double>(ring.radius),
                           static_cast<double>(ring.station), static_cast<double>(ring.normal)}) {
        mesh.vertices.push_back(static_cast<float>(value));
      }
    }
  }
  for (int band = 0; band < 4; ++band) {
    for (int i = 0; i < sides; ++i) {
      const int next = (i + 1) % sides;
      const auto a = static_cast<uint32_t>(2 * band * sides + i);
      const auto b = static_cast<uint32_t>(2 * band * sides + next);
      const auto c = static_cast<uint32_t>((2 * band + 1) * sides + next);
      const auto d = static_cast<uint32_t>((2 * band + 1) * sides + i);
      mesh.indices.insert(mesh.indices.end(), {a, b, c, a, c, d});
    }
  }
  return mesh;
}

}  // namespace slip::render
