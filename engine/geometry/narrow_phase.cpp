#include "engine/geometry/narrow_phase.h"

#include <array>
#include <cmath>

namespace slip {
namespace {

using Routine = void (*)(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                         double margin, PairContacts* out);

struct Row {
  ShapeKind a, b;
  Routine routine;
};

// THE LIST. One order of each pair suffices: the other one is mirrored.
constexpr Row kRows[] = {
    {ShapeKind::kSphere, ShapeKind::kSphere, CollideSphereSphere},
    {ShapeKind::kSphere, ShapeKind::kBox, CollideSphereBox},
    {ShapeKind::kSphere, ShapeKind::kCapsule, CollideSphereCapsule},
    {ShapeKind::kCapsule, ShapeKind::kCapsule, CollideCapsuleCapsule},
    {ShapeKind::kCapsule, ShapeKind::kBox, CollideCapsuleBox},
    {ShapeKind::kBox, ShapeKind::kBox, CollideBoxBox},
};

constexpr std::size_t kKinds = static_cast<std::size_t>(ShapeKind::kPointCloud) + 1;

struct Cell {
  Routine routine = nullptr;
  bool mirrored = false;
};
using Table = std::array<std::array<Cell, kKinds>, kKinds>;

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

const Cell& Find(ShapeKind a, ShapeKind b) {
  return kTable[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

}  // namespace

void Collide(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, double margin,
             PairContacts* out) {
  const Cell& cell = Find(a.kind, b.kind);
  if (cell.routine == nullptr) return;
  if (!cell.mirrored) {
    cell.routine(a, X_WA, b, X_WB, margin, out);
    return;
  }
  const std::size_t first = out->size();
  cell.routine(b, X_WB, a, X_WA, margin, out);
  for (std::size_t i = first; i < out->size(); ++i) (*out)[i].n_W = -(*out)[i].n_W;
}

bool CanCollide(ShapeKind a, ShapeKind b) { return Find(a, b).routine != nullptr; }

void CollidePlane(const Plane& plane, const Shape& b, const Pose& X_WB, double margin,
                  PairContacts* out) {
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
    default:
      break;
  }
}

void CalcBounds(const Shape& shape, const Pose& X_WB, Vec3* min, Vec3* max) {
  Vec3 reach = Vec3::Constant(HUGE_VAL);
  switch (shape.kind) {
    case ShapeKind::kSphere:
      reach.setConstant(shape.radius);
      break;
    case ShapeKind::kCapsule:
      reach = 0.5 * shape.length * X_WB.q.toRotationMatrix().col(0).cwiseAbs() +
              Vec3::Constant(shape.radius);
      break;
    case ShapeKind::kBox:
      reach = 0.5 * (X_WB.q.toRotationMatrix().cwiseAbs() * shape.size);
      break;
    default:
      break;
  }
  *min = X_WB.p - reach;
  *max = X_WB.p + reach;
}

}  // namespace slip
