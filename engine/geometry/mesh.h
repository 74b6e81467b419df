// Meshes as data: triangle surfaces, convex polyhedra and point clouds, how raw input is cleaned
// into them and how they are read from files. Counter-clockwise corners seen from outside.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/types.h"

namespace slip {

/// One node of the tree of boxes over a mesh's triangles. A leaf holds `count` entries of
/// `TriangleMesh::tree_order` from `first` on; an inner node (count 0) has its left child next to
/// it and its right child at `first`.
struct MeshNode {
  Vec3 lower = Vec3::Zero();
  Vec3 upper = Vec3::Zero();
  int first = 0;
  int count = 0;
};

struct TriangleMesh {
  std::vector<Vec3> vertices;                 ///< [m]
  std::vector<std::array<int, 3>> triangles;  ///< indices of vertices
  /// Per triangle and side (corner i to i+1) the triangle beyond it; -1 where there is none.
  std::vector<std::array<int, 3>> neighbors;
  std::vector<Vec3> normals;  ///< unit, outward; zero for a triangle without area
  std::vector<MeshNode> tree;
  std::vector<int> tree_order;  ///< triangles in the order of the tree's leaves
  int open_edges = 0;           ///< sides without a neighbour; 0 = the surface is closed
};

/// The vertices that some triangle uses, in their order: the others are not part of the body.
std::vector<Vec3> UsedVertices(std::span<const Vec3> vertices,
                               std::span<const std::array<int, 3>> triangles);

/// A convex polyhedron. Coplanar triangles are merged, so a box has six faces.
struct ConvexMesh {
  struct Face {
    Vec3 normal = Vec3::UnitZ();  ///< unit, outward
    double offset = 0;            ///< normal·p of the plane [m]
    int first = 0;                ///< into face_corners
    int count = 0;
  };
  /// The half-open range [first[i], first[i + 1]) of `items` belongs to i.
  struct Lists {
    std::vector<int> first;
    std::vector<int> items;
  };
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<Face> faces;
  std::vector<int> face_corners;
  Lists vertex_neighbors;  ///< vertices joined by an edge, for hill climbing
  Lists vertex_faces;
  double radius = 0;  ///< of the smallest ball about the origin that holds the vertices [m]
};

/// Points that touch like small spheres, e.g. a laser scan; point_cloud.h reads and makes them.
struct PointCloud {
  std::vector<Vec3> points;  ///< [m]
  double radius = 0.001;     ///< [m]
  double spacing = 0;        ///< typical distance of a point to its nearest one [m]; 0 = not known
};

/// What became of a file: the geometry and every repair that was made, one sentence each.
template <class T>
struct Imported {
  T mesh;
  std::vector<std::string> notes;
};

enum class MeshUse {
  kSolid,    ///< has an inside: must be closed and have volume
  kSurface,  ///< static surroundings: may be open
};

/// Merges duplicate vertices, drops degenerate triangles, makes the winding consistent and (when
/// closed) outward, and builds neighbours, normals and the tree. `file` is named in errors. Error
/// also when ThreadStop said so.
Result<Imported<TriangleMesh>> CleanMesh(std::vector<Vec3> vertices,
                                         std::vector<std::array<int, 3>> triangles, MeshUse use,
                                         const std::string& file = {});

struct EdgeCount {
  int open = 0;     ///< sides of one triangle only
  int crowded = 0;  ///< edges of more than two triangles, which count as open
};
/// Fills TriangleMesh::neighbors.
EdgeCount FindNeighbors(const std::vector<std::array<int, 3>>& triangles,
                        std::vector<std::array<int, 3>>* neighbors);

/// True for a closed mesh in one piece none of whose edges is concave (to a millionth of its size).
bool IsConvex(const TriangleMesh& mesh);

/// Lengths in the files are multiplied by `scale` (0.001 for a drawing in millimetres).
Result<Imported<TriangleMesh>> ReadTriangleMesh(const std::string& path, MeshUse use,
                                                double scale = 1);
/// The mesh itself when it is convex, its convex hull (with a note) when not.
Result<Imported<ConvexMesh>> ReadConvexMesh(const std::string& path, double scale = 1);

/// Fills `tree` and `tree_order` from the vertices and triangles. Of no use when ThreadStop said
/// so.
void BuildMeshTree(TriangleMesh* mesh);

/// Six times the volume is Σ a·(b×c) over the triangles; exact for closed meshes [m³].
double CalcVolume(const TriangleMesh& mesh);

}  // namespace slip
