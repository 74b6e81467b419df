#include "engine/collide/convex_core.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slip {
namespace {

/// Cosine and sine of the tilt up to which a face or edge is the feature. Wide, so that the
/// choice does not change while a body rests; points that tilt lifts off fall to the margin.
constexpr double kFaceTiltCosine = 0.966;
constexpr double kEdgeTiltSine = 0.259;
/// Corners of the polygon that stands for a cylinder's cap. Inscribed, so it never reports a
/// point outside the cap.
constexpr int kCapCorners = 8;

Vec3 MeshSupport(const ConvexMesh& mesh, const Vec3& d, int* hint) {
  const int count = static_cast<int>(mesh.vertices.size());
  int best = std::clamp(*hint, 0, count - 1);
  double best_dot = d.dot(mesh.vertices[best]);
  if (count <= 24) {
    for (int i = 0; i < count; ++i)
      if (const double dot = d.dot(mesh.vertices[i]); dot > best_dot) best = i, best_dot = dot;
  } else {
    // on a convex polyhedron a corner that no neighbour beats is the farthest
    for (bool climbed = true; climbed;) {
      climbed = false;
      const int from = best;
      for (int k = mesh.vertex_neighbors.first[from]; k < mesh.vertex_neighbors.first[from + 1];
           ++k) {
        const int other = mesh.vertex_neighbors.items[k];
        if (const double dot = d.dot(mesh.vertices[other]); dot > best_dot)
          best = other, best_dot = dot, climbed = true;
      }
    }
  }
  *hint = best;
  return mesh.vertices[best];
}

void AddCorner(const ConvexCore& core, const Vec3& p_B, int id, CoreFeature* feature) {
  feature->corners[feature->count] = core.p + core.R * p_B;
  feature->ids[feature->count++] = id;
}

void BoxFeature(const ConvexCore& core, const Vec3& d, CoreFeature* feature) {
  const auto corner = [&](int id) {
    AddCorner(core, Vec3(id & 1 ? 1 : -1, id & 2 ? 1 : -1, id & 4 ? 1 : -1).cwiseProduct(core.half),
              id, feature);
  };
  int id = 0, facing = 0, along = 0;
  for (int i = 0; i < 3; ++i) {
    if (d[i] > 0) id |= 1 << i;
    if (std::abs(d[i]) > std::abs(d[facing])) facing = i;
    if (std::abs(d[i]) < std::abs(d[along])) along = i;
  }
  if (std::abs(d[facing]) >= kFaceTiltCosine) {
    const int u = (facing + 1) % 3, v = (facing + 2) % 3;
    const int base = id & (1 << facing);
    const bool positive = base != 0;
    // counter-clockwise seen from outside
    corner(base);
    corner(base | 1 << (positive ? u : v));
    corner(base | 1 << u | 1 << v);
    corner(base | 1 << (positive ? v : u));
    feature->normal = (positive ? 1 : -1) * core.R.col(facing);
  } else if (std::abs(d[along]) <= kEdgeTiltSine) {
    corner(id & ~(1 << along));
    corner(id | 1 << along);
  } else {
    corner(id);
  }
}

void CylinderFeature(const ConvexCore& core, const Vec3& d, CoreFeature* feature) {
  const double end = d.x() >= 0 ? core.half.x() : -core.half.x();
  if (std::abs(d.x()) >= kFaceTiltCosine) {
    const double turn = d.x() >= 0 ? 1 : -1;
    for (int i = 0; i < kCapCorners; ++i) {
      const double angle = turn * 2 * std::numbers::pi * i / kCapCorners;
      AddCorner(core, Vec3(end, core.rim * std::cos(angle), core.rim * std::sin(angle)),
                (d.x() >= 0 ? 0 : kCapCorners) + i, feature);
    }
    feature->normal = turn * core.R.col(0);
    return;
  }
  const Vec3 side = Vec3(0, d.y(), d.z()).normalized() * core.rim;
  constexpr int kSideIds = 2 * kCapCorners;
  if (std::abs(d.x()) <= kEdgeTiltSine) {
    AddCorner(core, Vec3(-core.half.x(), side.y(), side.z()), kSideIds, feature);
    AddCorner(core, Vec3(core.half.x(), side.y(), side.z()), kSideIds + 1, feature);
  } else {
    AddCorner(core, Vec3(end, side.y(), side.z()), d.x() >= 0 ? kSideIds + 1 : kSideIds, feature);
  }
}

void MeshFeature(const ConvexCore& core, const Vec3& d, CoreFeature* feature) {
  const ConvexMesh& mesh = *core.mesh;
  int top = 0;
  const double height = d.dot(MeshSupport(mesh, d, &top));
  // of the faces at the top corner, and at neighbours as high, the one that faces d most
  const double level = height - 1e-6 * core.size;
  int best_face = -1, best_corner = -1;
  double best_cosine = -2, best_sine = 2;
  const auto look_at = [&](int vertex) {
    for (int k = mesh.vertex_faces.first[vertex]; k < mesh.vertex_faces.first[vertex + 1]; ++k) {
      const int f = mesh.vertex_faces.items[k];
      const double cosine = d.dot(mesh.faces[f].normal);
      // ties by index, so that rounding does not choose
      if (cosine > best_cosine + 1e-9 || (cosine > best_cosine - 1e-9 && f < best_face))
        best_cosine = cosine, best_face = f;
    }
  };
  look_at(top);
  for (int k = mesh.vertex_neighbors.first[top]; k < mesh.vertex_neighbors.first[top + 1]; ++k) {
    const int other = mesh.vertex_neighbors.items[k];
    const Vec3 edge = mesh.vertices[other] - mesh.vertices[top];
    if (d.dot(mesh.vertices[other]) >= level) look_at(other);
    const double sine = std::abs(d.dot(edge)) / edge.norm();
    if (sine < best_sine) best_sine = sine, best_corner = other;
  }
  if (best_face >= 0 && best_cosine >= kFaceTiltCosine) {
    const ConvexMesh::Face& face = mesh.faces[best_face];
    const int stride = (face.count + CoreFeature::kMaxCorners - 1) / CoreFeature::kMaxCorners;
    for (int i = 0; i < face.count; i += stride) {
      const int v = mesh.face_corners[face.first + i];
      AddCorner(core, mesh.vertices[v], v, feature);
    }
    feature->normal = core.R * face.normal;
  } else if (best_sine <= kEdgeTiltSine) {
    AddCorner(core, mesh.vertices[std::min(top, best_corner)], std::min(top, best_corner), feature);
    AddCorner(core, mesh.vertices[std::max(top, best_corner)], std::max(top, best_corner), feature);
  } else {
    AddCorner(core, mesh.vertices[top], top, feature);
  }
}

}  // namespace

ConvexCore MakeConvexCore(const Shape& shape, const Pose& pose_W, const Vec3& origin_W) {
  using Kind = ConvexCore::Kind;
  ConvexCore core;
  core.p = pose_W.p - origin_W;
  core.R = pose_W.q.toRotationMatrix();
  switch (shape.kind) {
    case ShapeKind::kBox:
      core.kind = Kind::kBox;
      core.half = shape.size / 2;
      core.size = core.half.norm();
      break;
    case ShapeKind::kCapsule:
      core.kind = shape.length > 0 ? Kind::kSegment : Kind::kPoint;
      core.half.x() = core.size = shape.length / 2;
      core.rounding = shape.radius;
      break;
    case ShapeKind::kCylinder:
      core.kind = Kind::kCylinder;
      core.half.x() = shape.length / 2;
      core.rim = shape.radius;
      core.size = std::hypot(core.half.x(), core.rim);
      break;
    case ShapeKind::kConvex:
      core.kind = Kind::kMesh;
      core.mesh = shape.convex.get();
      core.size = shape.convex->radius;
      break;
    default:
      core.rounding = shape.radius;
      break;
  }
  return core;
}

Vec3 CalcSupport(const ConvexCore& core, const Vec3& direction, int* hint) {
  using Kind = ConvexCore::Kind;
  if (core.kind == Kind::kPoint) return core.p;
  const Vec3 d = core.R.transpose() * direction;
  Vec3 p = Vec3::Zero();
  switch (core.kind) {
    case Kind::kPoint:
      break;
    case Kind::kSegment:
      p.x() = d.x() >= 0 ? core.half.x() : -core.half.x();
      break;
    case Kind::kBox:
      for (int i = 0; i < 3; ++i) p[i] = d[i] >= 0 ? core.half[i] : -core.half[i];
      break;
    case Kind::kCylinder: {
      const double across = std::hypot(d.y(), d.z());
      p.x() = d.x() >= 0 ? core.half.x() : -core.half.x();
      p.y() = across > 0 ? core.rim * d.y() / across : core.rim;
      p.z() = across > 0 ? core.rim * d.z() / across : 0;
      break;
    }
    case Kind::kMesh:
      p = MeshSupport(*core.mesh, d, hint);
      break;
    case Kind::kTriangle: {
      p = core.corners[0];
      for (int i = 1; i < 3; ++i)
        if (d.dot(core.corners[i]) > d.dot(p)) p = core.corners[i];
      break;
    }
  }
  return core.p + core.R * p;
}

void CalcFeature(const ConvexCore& core, const Vec3& n, CoreFeature* feature) {
  using Kind = ConvexCore::Kind;
  feature->count = 0;
  const Vec3 d = core.R.transpose() * n;
  switch (core.kind) {
    case Kind::kPoint:
      return AddCorner(core, Vec3::Zero(), 0, feature);
    case Kind::kSegment:
      if (d.x() <= kEdgeTiltSine) AddCorner(core, -core.half, 0, feature);
      if (d.x() >= -kEdgeTiltSine) AddCorner(core, core.half, 1, feature);
      return;
    case Kind::kBox:
      return BoxFeature(core, d, feature);
    case Kind::kCylinder:
      return CylinderFeature(core, d, feature);
    case Kind::kMesh:
      return MeshFeature(core, d, feature);
    case Kind::kTriangle: {
      for (int i = 0; i < 3; ++i) AddCorner(core, core.corners[i], i, feature);
      const Vec3 normal =
          (core.corners[1] - core.corners[0]).cross(core.corners[2] - core.corners[0]);
      feature->normal = core.R * normal.normalized();
      if (std::abs(feature->normal.dot(n)) >= kFaceTiltCosine) return;
      // a slanted triangle: its edge or corner that faces n
      double height[3];
      for (int i = 0; i < 3; ++i) height[i] = d.dot(core.corners[i]);
      const int low = static_cast<int>(std::min_element(height, height + 3) - height);
      const int a = (low + 1) % 3, b = (low + 2) % 3;
      const double length = (core.corners[a] - core.corners[b]).norm();
      feature->count = 0;
      feature->normal.setZero();
      const bool edge = std::abs(height[a] - height[b]) <= kEdgeTiltSine * length;
      if (edge || height[a] > height[b]) AddCorner(core, core.corners[a], a, feature);
      if (edge || height[b] >= height[a]) AddCorner(core, core.corners[b], b, feature);
      return;
    }
  }
}

}  // namespace slip
