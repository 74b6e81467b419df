#include "engine/collide/collide_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/collide/collide_convex.h"
#include "engine/collide/manifold.h"
#include "engine/collide/surface_normals.h"
#include "engine/core/thread_stop.h"

namespace slip {
namespace {

/// Cosines: faces that are one face to the eye; contacts that form one manifold.
constexpr double kSameFace = 0.9995;
constexpr double kCluster = 0.999;

// The working frame has the mesh's axes and its zero at the shape's centre.
class MeshPair {
 public:
  MeshPair(const TriangleMesh& mesh, const ConvexCore& core, const Vec3& center, double margin,
           PairContacts* contacts)
      : mesh_(mesh), core_(core), center_(center), margin_(margin), contacts_(contacts) {
    for (int i = 0; i < 3; ++i) {
      const double grow = core.rounding + margin;
      lower_[i] = center[i] + CalcSupport(core_, -Vec3::Unit(i), &hint_)[i] - grow;
      upper_[i] = center[i] + CalcSupport(core_, Vec3::Unit(i), &hint_)[i] + grow;
    }
  }

  void Run() {
    if (mesh_.tree.empty()) return;
    std::array<int, 64> stack;  // the tree halves at every level: 32 would hold 2^31 triangles
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const int index = stack[--depth];
      const MeshNode& node = mesh_.tree[index];
      if ((node.lower.array() > upper_.array()).any() ||
          (node.upper.array() < lower_.array()).any())
        continue;
      for (int i = 0; i < node.count; ++i) Collide(mesh_.tree_order[node.first + i]);
      if (node.count == 0) {
        stack[depth++] = node.first;
        stack[depth++] = index + 1;
      }
    }
  }

 private:
  // Of the core's lowest point above the plane of triangle t.
  double PlaneDistance(int t) {
    const Vec3& n = mesh_.normals[t];
    const Vec3& p = mesh_.vertices[mesh_.triangles[t][0]];
    return n.dot(CalcSupport(core_, -n, &hint_) + center_ - p);
  }

  // For a point in the plane of triangle t.
  bool IsAbove(int t, const Vec3& p) const {
    for (int i = 0; i < 3; ++i) {
      const Vec3& a = mesh_.vertices[mesh_.triangles[t][i]];
      const Vec3 edge = mesh_.vertices[mesh_.triangles[t][(i + 1) % 3]] - a;
      if (mesh_.normals[t].dot(edge.cross(p - a)) < -1e-9 * edge.squaredNorm()) return false;
    }
    return true;
  }

  // True when a face that meets t in a convex edge or corner is nearer to the surface of the
  // body: out of a convex solid the nearest plane is the way, and that face sees to it.
  bool LeavesElsewhere(int t, double distance) {
    const auto middle = [&](int k) {
      const auto& c = mesh_.triangles[k];
      return Vec3((mesh_.vertices[c[0]] + mesh_.vertices[c[1]] + mesh_.vertices[c[2]]) / 3);
    };
    bool elsewhere = false;
    for (int corner = 0; corner < 3 && !elsewhere; ++corner) {
      const Vec3& p = mesh_.vertices[mesh_.triangles[t][corner]];
      VisitFan(mesh_, t, corner, [&](int k) {
        if (elsewhere || mesh_.normals[k].dot(mesh_.normals[t]) > kSameFace) return;
        if (mesh_.normals[k].isZero()) return;
        const bool convex =
            mesh_.normals[t].dot(middle(k) - p) < 0 && mesh_.normals[k].dot(middle(t) - p) < 0;
        elsewhere = convex && PlaneDistance(k) > distance;
      });
    }
    return elsewhere;
  }

  // Looks in the fan of normals of a convex side for a shorter way out of the body. The distance
  // has one maximum in the fan, in a kink when two edges cross: hence the golden section.
  void TurnAboutSide(int t, int side, Separation* separation) {
    if (!IsConvexSide(mesh_, t, side)) return;
    const Vec3& from = mesh_.normals[t];
    const Vec3& to = mesh_.normals[mesh_.neighbors[t][side]];
    const Vec3& p = mesh_.vertices[mesh_.triangles[t][side]];
    const auto normal_at = [&](double s) { return Vec3(((1 - s) * from + s * to).normalized()); };
    const auto distance_at = [&](double s) {
      const Vec3 n = normal_at(s);
      return n.dot(CalcSupport(core_, -n, &hint_) + center_ - p);
    };
    constexpr double kGolden = 0.6180339887498949;
    double low = 0, high = 1;
    double left = 1 - kGolden, right = kGolden;
    double at_left = distance_at(left), at_right = distance_at(right);
    for (int i = 0; i < 45; ++i) {
      if (at_left > at_right) {
        high = right, right = left, at_right = at_left;
        left = high - kGolden * (high - low);
        at_left = distance_at(left);
      } else {
        low = left, left = right, at_left = at_right;
        right = low + kGolden * (high - low);
        at_right = distance_at(right);
      }
    }
    if (const double best = std::max(at_left, at_right); best > separation->distance + 1e-9) {
      separation->distance = best;
      separation->n = normal_at(at_left > at_right ? left : right);
    }
  }

  void Collide(int t) {
    const Vec3& normal = mesh_.normals[t];
    if (normal.isZero()) return;
    const std::array<int, 3>& corners = mesh_.triangles[t];
    const double limit = margin_ + core_.rounding;
    if (normal.dot(center_ - mesh_.vertices[corners[0]]) < 0) return;
    const double over_plane = PlaneDistance(t);
    if (over_plane > limit) return;

    ConvexCore triangle;
    triangle.kind = ConvexCore::Kind::kTriangle;
    const Vec3 middle =
        (mesh_.vertices[corners[0]] + mesh_.vertices[corners[1]] + mesh_.vertices[corners[2]]) / 3;
    triangle.p = middle - center_;
    for (int i = 0; i < 3; ++i) {
      triangle.corners[i] = mesh_.vertices[corners[i]] - middle;
      triangle.size = std::max(triangle.size, triangle.corners[i].norm());
    }
    Separation separation = CalcSeparation(triangle, core_, limit);
    if (separation.distance > limit) return;
    bool witness = separation.valid && IsSurfaceNormal(mesh_, t, separation.n);
    if (!witness || separation.n.dot(normal) >= kFaceCosine) {
      separation.n = normal;
      separation.distance = over_plane;
      if (!witness && over_plane < core_.rounding) {
        if (LeavesElsewhere(t, over_plane)) return;
        for (int side = 0; side < 3; ++side) TurnAboutSide(t, side, &separation);
      }
      // along the face normal only what lies above the triangle counts
      separation.b = CalcSupport(core_, -separation.n, &hint_);
      separation.a = separation.b - separation.distance * separation.n;
      witness = separation.n == normal && IsAbove(t, separation.a + center_);
    }
    const std::size_t first = contacts_->size();
    AppendManifold(triangle, core_, separation, center_, margin_, witness, contacts_);
    for (std::size_t i = first; i < contacts_->size(); ++i) {
      const uint32_t f = (*contacts_)[i].feature;
      (*contacts_)[i].feature =
          static_cast<uint32_t>(t) << 10 | f >> 30 << 8 | (f >> 15 & 3) << 6 | (f & 63);
    }
  }

  const TriangleMesh& mesh_;
  const ConvexCore& core_;
  Vec3 center_;
  double margin_;
  PairContacts* contacts_;
  Vec3 lower_, upper_;
  int hint_ = 0;
};

// Gathers contacts of one direction and keeps those that span it, direction by direction.
void ReduceByDirection(std::size_t first, double size, const HeldFeatures& held,
                       PairContacts* contacts) {
  std::size_t begin = first;
  while (begin < contacts->size()) {
    // the rest stays in order behind the cluster
    const Vec3 n = (*contacts)[begin].n_W;
    std::size_t end = begin;
    for (std::size_t i = begin; i < contacts->size(); ++i)
      if ((*contacts)[i].n_W.dot(n) > kCluster) {
        std::rotate(contacts->begin() + static_cast<std::ptrdiff_t>(end),
                    contacts->begin() + static_cast<std::ptrdiff_t>(i),
                    contacts->begin() + static_cast<std::ptrdiff_t>(i + 1));
        ++end;
      }
    begin += ReduceRange(begin, end, kMaxManifold, size, held, contacts);
  }
}

}  // namespace

void CollideMesh(const TriangleMesh& mesh, const Pose& pose_mesh, const Shape& shape,
                 const Pose& pose_shape, double margin, PairContacts* contacts,
                 const HeldFeatures& held) {
  const Quat to_mesh = pose_mesh.q.conjugate();
  const Vec3 center = to_mesh * (pose_shape.p - pose_mesh.p);
  const ConvexCore core = MakeConvexCore(shape, {center, to_mesh * pose_shape.q}, center);
  const std::size_t first = contacts->size();
  MeshPair(mesh, core, center, margin, contacts).Run();
  ReduceByDirection(first, core.size + core.rounding, held, contacts);
  for (std::size_t i = first; i < contacts->size(); ++i) {
    PairContact& contact = (*contacts)[i];
    contact.p_W = pose_mesh * contact.p_W;
    contact.n_W = pose_mesh.q * contact.n_W;
  }
}

void CollideCloud(const PointCloud& cloud, const Pose& pose_cloud, const Shape& shape,
                  const Pose& pose_shape, double margin, int keep, PairContacts* contacts) {
  const Quat to_shape = pose_shape.q.conjugate() * pose_cloud.q;
  const Vec3 shift = pose_shape.q.conjugate() * (pose_cloud.p - pose_shape.p);
  const ConvexCore core = MakeConvexCore(shape, pose_shape, pose_shape.p);
  const double reach = core.size + core.rounding + cloud.radius + margin;
  const std::size_t first = contacts->size();
  constexpr std::size_t kPolled = 4096;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    if (i % kPolled == 0 && ThreadStop::Asked()) return;
    const Vec3 p = shift + to_shape * cloud.points[i];
    if (p.squaredNorm() > reach * reach) continue;
    Vec3 outward;
    const double distance = CalcPointDistance(shape, p, &outward);
    const double phi = distance - cloud.radius;
    if (phi > margin) continue;
    contacts->push_back({.p_W = pose_shape * (p - 0.5 * (distance + cloud.radius) * outward),
                         .n_W = -(pose_shape.q * outward),
                         .phi = phi,
                         .feature = static_cast<uint32_t>(i)});
  }
  if (keep > 0) ReduceManifold(first, keep, core.size + core.rounding, {}, contacts);
}

void CollideMesh(const TriangleMesh& mesh, const Pose& pose_mesh, const PointCloud& cloud,
                 const Pose& pose_cloud, double margin, PairContacts* contacts) {
  const Shape ball{.kind = ShapeKind::kSphere, .radius = cloud.radius};
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    if (ThreadStop::Asked()) return;  // one that is near many triangles takes long
    const std::size_t first = contacts->size();
    CollideMesh(mesh, pose_mesh, ball, {pose_cloud * cloud.points[i], Quat::Identity()}, margin,
                contacts);
    for (std::size_t k = first; k < contacts->size(); ++k)
      (*contacts)[k].feature = static_cast<uint32_t>(i) << 2 |
                               static_cast<uint32_t>(std::min<std::size_t>(k - first, 3));
  }
}

}  // namespace slip
