#include "engine/collide/narrow_phase.h"

#include <array>

#include "engine/collide/collide_ccd.h"
#include "engine/collide/collide_convex.h"
#include "engine/collide/collide_mesh.h"
#include "engine/core/numbers.h"
#include "engine/geometry/mesh.h"

namespace slip {
namespace {

using Routine = void (*)(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                         double margin, PairContacts* out, const HeldFeatures& held);

struct Row {
  ShapeKind a, b;
  Routine routine;
};

// Routines that keep every point.
template <void (*kRoutine)(const Shape&, const Pose&, const Shape&, const Pose&, double,
                           PairContacts*)>
void Whole(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, double margin,
           PairContacts* out, const HeldFeatures&) {
  kRoutine(a, X_WA, b, X_WB, margin, out);
}

void CollideMeshWithShape(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                          double margin, PairContacts* out, const HeldFeatures& held) {
  CollideMesh(*a.triangles, X_WA, b, X_WB, margin, out, held);
}

void CollideMeshWithCloud(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                          double margin, PairContacts* out) {
  CollideMesh(*a.triangles, X_WA, *b.cloud, X_WB, margin, out);
}

void CollideCloudWithShape(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                           double margin, PairContacts* out) {
  constexpr int kAll = 0;
  CollideCloud(*a.cloud, X_WA, b, X_WB, margin, kAll, out);
}

// THE LIST. One order of each pair suffices: the other one is mirrored.
constexpr Row kRows[] = {
    {ShapeKind::kSphere, ShapeKind::kSphere, Whole<CollideSphereSphere>},
    {ShapeKind::kSphere, ShapeKind::kBox, Whole<CollideSphereBox>},
    {ShapeKind::kSphere, ShapeKind::kCapsule, Whole<CollideSphereCapsule>},
    {ShapeKind::kCapsule, ShapeKind::kCapsule, Whole<CollideCapsuleCapsule>},
    {ShapeKind::kCapsule, ShapeKind::kBox, Whole<CollideCapsuleBox>},
    {ShapeKind::kBox, ShapeKind::kBox, CollideBoxBox},
    {ShapeKind::kCylinder, ShapeKind::kSphere, CollideConvex},
    {ShapeKind::kCylinder, ShapeKind::kBox, CollideConvex},
    {ShapeKind::kCylinder, ShapeKind::kCapsule, CollideConvex},
    {ShapeKind::kCylinder, ShapeKind::kCylinder, CollideConvex},
    {ShapeKind::kConvex, ShapeKind::kSphere, CollideConvex},
    {ShapeKind::kConvex, ShapeKind::kBox, CollideConvex},
    {ShapeKind::kConvex, ShapeKind::kCapsule, CollideConvex},
    {ShapeKind::kConvex, ShapeKind::kCylinder, CollideConvex},
    {ShapeKind::kConvex, ShapeKind::kConvex, CollideConvex},
    {ShapeKind::kTriangleMesh, ShapeKind::kSphere, CollideMeshWithShape},
    {ShapeKind::kTriangleMesh, ShapeKind::kBox, CollideMeshWithShape},
    {ShapeKind::kTriangleMesh, ShapeKind::kCapsule, CollideMeshWithShape},
    {ShapeKind::kTriangleMesh, ShapeKind::kCylinder, CollideMeshWithShape},
    {ShapeKind::kTriangleMesh, ShapeKind::kConvex, CollideMeshWithShape},
    {ShapeKind::kTriangleMesh, ShapeKind::kPointCloud, Whole<CollideMeshWithCloud>},
    {ShapeKind::kPointCloud, ShapeKind::kSphere, Whole<CollideCloudWithShape>},
    {ShapeKind::kPointCloud, ShapeKind::kBox, Whole<CollideCloudWithShape>},
    {ShapeKind::kPointCloud, ShapeKind::kCapsule, Whole<CollideCloudWithShape>},
    {ShapeKind::kPointCloud, ShapeKind::kCylinder, Whole<CollideCloudWithShape>},
    {ShapeKind::kPointCloud, ShapeKind::kConvex, Whole<CollideCloudWithShape>},
};

struct Cell {
  Routine routine = nullptr;
  bool mirrored = false;
};
using Table = std::array<std::array<Cell, kShapeKinds>, kShapeKinds>;

constexpr Table MakeTable() {
  Table table = {};
  for (const Row& row : kRows) {
    const auto a = static_cast<std::size_t>(row.a), b = static_cast<std::size_t>(row.b);
    table[b][a] = {row.routine, a != b};
    table[a][b] = {row.routine, false};
  }
  return table;
}
constexpr Table kTable = MakeTable();

const Cell& Find(ShapeKind a, ShapeKind b) { return At(At(kTable, a), b); }

}  // namespace

void Collide(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, double margin,
             PairContacts* out, NarrowPhaseId narrow_phase, const HeldFeatures& held) {
  const Cell& cell = Find(a.kind, b.kind);
  if (cell.routine == nullptr) return;
  const bool by_ccd = narrow_phase == NarrowPhaseId::kLibccd && HasNarrowPhases(a.kind, b.kind);
  const Routine routine = by_ccd ? CollideConvexByCcd : cell.routine;
  if (!cell.mirrored) {
    routine(a, X_WA, b, X_WB, margin, out, held);
    return;
  }
  const std::size_t first = out->size();
  routine(b, X_WB, a, X_WA, margin, out, held);
  for (std::size_t i = first; i < out->size(); ++i) (*out)[i].n_W = -(*out)[i].n_W;
}

bool CanCollide(ShapeKind a, ShapeKind b) { return Find(a, b).routine != nullptr; }

bool HasNarrowPhases(ShapeKind a, ShapeKind b) { return Find(a, b).routine == CollideConvex; }

void CollidePlane(const Plane& plane, const Shape& b, const Pose& X_WB, double margin,
                  PairContacts* out, const HeldFeatures& held) {
  switch (b.kind) {
    case ShapeKind::kSphere:
      CollidePlaneSphere(plane, b, X_WB, margin, out);
      break;
    case ShapeKind::kCapsule:
      CollidePlaneCapsule(plane, b, X_WB, margin, out);
      break;
    case ShapeKind::kBox:
      CollidePlaneBox(plane, b, X_WB, margin, out);
      break;
    case ShapeKind::kCylinder:
    case ShapeKind::kConvex:
      CollideHalfSpace(plane.normal, plane.point, b, X_WB, margin, out, held);
      break;
    case ShapeKind::kPointCloud:
      CollideHalfSpace(plane.normal, plane.point, *b.cloud, X_WB, margin, out);
      break;
    case ShapeKind::kTriangleMesh:  // does not move
      break;
  }
}

}  // namespace slip
