#include "engine/collide/collide_convex.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "engine/collide/manifold.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

// The order in which the algorithms see a pair, so that asking for (A, B) or (B, A) gives the
// same points. Never by pose: that would change while bodies move.
auto Rank(const Shape& s) {
  const std::size_t vertices = s.convex ? s.convex->vertices.size() : 0;
  const bool box = s.kind == ShapeKind::kBox, convex = s.kind == ShapeKind::kConvex;
  const bool round = !box && !convex;
  return std::make_tuple(static_cast<int>(s.kind), round ? s.radius : 0, round ? s.length : 0,
                         box ? s.size.x() : 0, box ? s.size.y() : 0, box ? s.size.z() : 0,
                         convex ? vertices : 0);
}

// The feature of a point as seen with A and B exchanged.
uint32_t SwapFeature(uint32_t feature) {
  const uint32_t kind = feature >> 30, a = feature >> 15 & 0x7FFF, b = feature & 0x7FFF;
  const uint32_t swapped = kind < 2 ? 1 - kind : kind;
  return swapped << 30 | b << 15 | a;
}

// All points of a pair; returns its size [m].
double AppendPoints(SeparationRoutine routine, const Shape& a, const Pose& pose_a, const Shape& b,
                    const Pose& pose_b, double margin, PairContacts* contacts) {
  const Vec3 origin_W = 0.5 * (pose_a.p + pose_b.p);
  const ConvexCore core_a = MakeConvexCore(a, pose_a, origin_W);
  const ConvexCore core_b = MakeConvexCore(b, pose_b, origin_W);
  const Separation separation = routine(core_a, core_b, margin + core_a.rounding + core_b.rounding);
  // two points in one place have no normal
  if (separation.valid) {
    AppendManifold(core_a, core_b, separation, origin_W, margin, true, contacts);
  }
  return PairSize(core_a, core_b);
}

constexpr uint32_t kCorner = 1u << 30, kIdMask = 0x7FFF;

/// Below a plane more corners of a mesh may be than those of one face: soles that were scanned are
/// bent by a tenth of a millimetre at every triangle. The corners below are neighbours of others
/// that are, so they are found from those of contacts[first, end). append: of a corner's id.
template <class Append>
void AddSunkCorners(const ConvexCore& core, const Vec3& normal_W, double depth, std::size_t first,
                    PairContacts* contacts, const Append& append) {
  const ConvexMesh& mesh = *core.mesh;
  const std::size_t count = mesh.vertices.size();
  if (count > kIdMask + 1) return;
  std::array<uint64_t, (kIdMask + 1) / 64> seen;
  std::fill_n(seen.begin(), (count + 63) / 64, 0);
  const auto see = [&](uint32_t id) {
    const uint64_t bit = uint64_t{1} << (id % 64);
    const bool fresh = (seen[id / 64] & bit) == 0;
    seen[id / 64] |= bit;
    return fresh;
  };
  for (std::size_t i = first; i < contacts->size(); ++i)
    if (((*contacts)[i].feature & ~kIdMask) == kCorner) see((*contacts)[i].feature & kIdMask);
  const Vec3 normal_B = core.R.transpose() * normal_W;
  const double height = normal_W.dot(core.p);
  for (std::size_t i = first; i < contacts->size(); ++i) {
    const uint32_t feature = (*contacts)[i].feature;
    if ((feature & ~kIdMask) != kCorner) continue;
    const uint32_t id = feature & kIdMask;
    for (int k = mesh.vertex_neighbors.first[id]; k < mesh.vertex_neighbors.first[id + 1]; ++k) {
      const int other = mesh.vertex_neighbors.items[k];
      if (height + normal_B.dot(mesh.vertices[other]) >= -depth) continue;
      if (see(static_cast<uint32_t>(other))) append(core.p + core.R * mesh.vertices[other], other);
    }
  }
}

}  // namespace

void CollideConvex(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   double margin, PairContacts* contacts, const HeldFeatures& held) {
  CollideConvexWith(CalcSeparation, a, pose_a, b, pose_b, margin, contacts, held);
}

void CollideConvexWith(SeparationRoutine routine, const Shape& a, const Pose& pose_a,
                       const Shape& b, const Pose& pose_b, double margin, PairContacts* contacts,
                       const HeldFeatures& held) {
  const std::size_t first = contacts->size();
  double size = 0;
  if (Rank(b) < Rank(a)) {
    size = AppendPoints(routine, b, pose_b, a, pose_a, margin, contacts);
    for (std::size_t i = first; i < contacts->size(); ++i) {
      PairContact& contact = (*contacts)[i];
      contact.n_W = -contact.n_W;
      contact.feature = SwapFeature(contact.feature);
    }
  } else {
    size = AppendPoints(routine, a, pose_a, b, pose_b, margin, contacts);
  }
  ReduceManifold(first, kMaxManifold, size, held, contacts);
}

void CollideHalfSpace(const Vec3& normal_W, const Vec3& point_W, const Shape& shape,
                      const Pose& pose, double margin, PairContacts* contacts,
                      const HeldFeatures& held) {
  // zero of the working frame: the foot of the body's centre on the plane
  const Vec3 origin_W = pose.p - normal_W.dot(pose.p - point_W) * normal_W;
  const ConvexCore core = MakeConvexCore(shape, pose, origin_W);
  int hint = 0;
  const Vec3 deepest = CalcSupport(core, -normal_W, &hint);
  const double exact = normal_W.dot(deepest) - core.rounding;
  if (exact > margin) return;
  const std::size_t first = contacts->size();
  const double size = core.size + core.rounding;
  const auto append = [&](const Vec3& p, uint32_t feature) {
    const double phi = normal_W.dot(p) - core.rounding;
    if (phi > margin) return;
    contacts->push_back({.p_W = origin_W + p - (core.rounding + 0.5 * phi) * normal_W,
                         .n_W = normal_W,
                         .phi = phi,
                         .feature = feature});
  };
  CoreFeature feature;
  CalcFeature(core, -normal_W, &feature);
  double lowest = kInfinity;
  for (int i = 0; i < feature.count; ++i) {
    lowest = std::min(lowest, normal_W.dot(feature.corners[i]) - core.rounding);
    append(feature.corners[i], kCorner | (static_cast<uint32_t>(feature.ids[i]) & kIdMask));
  }
  // a tilted rim is lowest between the corners of its polygon
  if (lowest > exact + kMissedDepth * size) {
    const Vec3 p_W = origin_W + deepest;
    const auto near = [&](const PairContact& c) { return (c.p_W - p_W).norm() <= 0.1 * size; };
    contacts->erase(std::remove_if(contacts->begin() + static_cast<std::ptrdiff_t>(first),
                                   contacts->end(), near),
                    contacts->end());
    append(deepest, 3u << 30);
  }
  if (core.kind == ConvexCore::Kind::kMesh && exact < -kOverlapDepth * size)
    AddSunkCorners(core, normal_W, kOverlapDepth * size, first, contacts,
                   [&](const Vec3& p, int id) { append(p, kCorner | static_cast<uint32_t>(id)); });
  ReduceManifold(first, kMaxManifold, size, held, contacts);
}

void CollideHalfSpace(const Vec3& normal_W, const Vec3& point_W, const PointCloud& cloud,
                      const Pose& pose, double margin, PairContacts* contacts) {
  const Vec3 normal_B = pose.q.conjugate() * normal_W;
  const double height = normal_W.dot(pose.p - point_W) - cloud.radius;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    const double phi = height + normal_B.dot(cloud.points[i]);
    if (phi > margin) continue;
    contacts->push_back({.p_W = pose * cloud.points[i] - (cloud.radius + 0.5 * phi) * normal_W,
                         .n_W = normal_W,
                         .phi = phi,
                         .feature = static_cast<uint32_t>(i)});
  }
}

}  // namespace slip
