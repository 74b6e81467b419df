// Ray against boxes and polyhedra (slabs), round shapes (quadratics), triangles and points.
#include "render/quantities/picking.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/geometry/mesh.h"
#include "render/quantities/force_chains.h"
#include "render/scene/cloud_points.h"
#include "render/scene/draw_list.h"

namespace slip::render {
namespace {

constexpr double kContactOfBody = 0.3;  // of a small body's radius belongs to a contact on it

std::optional<double> HitBox(const Ray& ray, const Vec3& half) {
  double enter = 0, leave = 1e300;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(ray.direction[i]) < 1e-14) {
      if (std::abs(ray.origin[i]) > half[i]) return std::nullopt;
      continue;
    }
    const double a = (-half[i] - ray.origin[i]) / ray.direction[i];
    const double b = (half[i] - ray.origin[i]) / ray.direction[i];
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  if (enter > leave) return std::nullopt;
  return enter;
}

std::optional<double> HitSphere(const Ray& ray, const Vec3& centre, double radius) {
  const Vec3 m = ray.origin - centre;
  const double b = m.dot(ray.direction), c = m.squaredNorm() - radius * radius;
  const double discriminant = b * b - c;
  if (discriminant < 0 || (c > 0 && b > 0)) return std::nullopt;
  return std::max(0.0, -b - std::sqrt(discriminant));
}

std::optional<double> HitCapsule(const Ray& ray, double length, double radius) {
  std::optional<double> best;
  const auto keep = [&best](std::optional<double> t) {
    if (t && (!best || *t < *best)) best = t;
  };
  const double half = 0.5 * length;
  keep(HitSphere(ray, Vec3(-half, 0, 0), radius));
  keep(HitSphere(ray, Vec3(half, 0, 0), radius));
  // cylinder about x
  const Vec2 o = ray.origin.tail<2>(), d = ray.direction.tail<2>();
  const double a = d.squaredNorm(), b = o.dot(d), c = o.squaredNorm() - radius * radius;
  const double discriminant = b * b - a * c;
  if (a > 1e-14 && discriminant >= 0) {
    const double t = (-b - std::sqrt(discriminant)) / a;
    if (t >= 0 && std::abs(ray.At(t).x()) <= half) keep(t);
  }
  return best;
}

/// Behind all planes n.p <= offset of a convex body.
class SlabHit {
 public:
  void Cut(const Ray& ray, const Vec3& normal, double offset) {
    const double slope = normal.dot(ray.direction), at = offset - normal.dot(ray.origin);
    if (std::abs(slope) < 1e-14) {
      if (at < 0) leave_ = -1;
    } else if (slope < 0) {
      enter_ = std::max(enter_, at / slope);
    } else {
      leave_ = std::min(leave_, at / slope);
    }
  }
  std::optional<double> t() const {
    return enter_ <= leave_ ? std::optional(enter_) : std::nullopt;
  }

 private:
  double enter_ = 0, leave_ = 1e300;
};

std::optional<double> HitCylinder(const Ray& ray, double length, double radius) {
  const Vec2 o = ray.origin.tail<2>(), d = ray.direction.tail<2>();
  const double a = d.squaredNorm(), b = o.dot(d), c = o.squaredNorm() - radius * radius;
  SlabHit hit;
  hit.Cut(ray, Vec3::UnitX(), 0.5 * length);
  hit.Cut(ray, -Vec3::UnitX(), 0.5 * length);
  if (a < 1e-14) return c <= 0 ? hit.t() : std::nullopt;
  const double discriminant = b * b - a * c;
  if (discriminant < 0) return std::nullopt;
  // the round wall is one more slab along the ray
  const double root = std::sqrt(discriminant);
  hit.Cut(ray, -ray.direction, -ray.direction.dot(ray.At((-b - root) / a)));
  hit.Cut(ray, ray.direction, ray.direction.dot(ray.At((-b + root) / a)));
  return hit.t();
}

std::optional<double> HitConvex(const Ray& ray, const ConvexMesh& mesh) {
  SlabHit hit;
  for (const ConvexMesh::Face& face : mesh.faces) hit.Cut(ray, face.normal, face.offset);
  return mesh.faces.empty() ? std::nullopt : hit.t();
}

/// Moeller and Trumbore, both sides.
std::optional<double> HitTriangles(const Ray& ray, const TriangleMesh& mesh) {
  std::optional<double> best;
  for (const auto& t : mesh.triangles) {
    const auto at = [&](std::size_t i) -> const Vec3& { return At(mesh.vertices, t[i]); };
    const Vec3 e1 = at(1) - at(0), e2 = at(2) - at(0);
    const Vec3 p = ray.direction.cross(e2);
    const double determinant = e1.dot(p);
    if (std::abs(determinant) < 1e-18) continue;
    const Vec3 s = ray.origin - at(0), q = s.cross(e1);
    const double u = s.dot(p) / determinant, v = ray.direction.dot(q) / determinant;
    const double along = e2.dot(q) / determinant;
    if (u < 0 || v < 0 || u + v > 1 || along < 0) continue;
    if (!best || along < *best) best = along;
  }
  return best;
}

std::optional<double> HitCloud(const Ray& ray, const Shape& shape) {
  std::optional<double> best;
  // a little larger than drawn: single points are hard to hit
  const double radius = 1.5 * DisplayRadius(shape);
  for (const Vec3& p : shape.cloud->points) {
    const auto t = HitSphere(ray, p, radius);
    if (t && (!best || *t < *best)) best = t;
  }
  return best;
}

}  // namespace

std::optional<double> HitShape(const Ray& ray_B, const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kBox:
      return HitBox(ray_B, 0.5 * shape.size);
    case ShapeKind::kSphere:
      return HitSphere(ray_B, Vec3::Zero(), shape.radius);
    case ShapeKind::kCapsule:
      return HitCapsule(ray_B, shape.length, shape.radius);
    case ShapeKind::kCylinder:
      return HitCylinder(ray_B, shape.length, shape.radius);
    case ShapeKind::kConvex:
      return shape.convex ? HitConvex(ray_B, *shape.convex) : std::nullopt;
    case ShapeKind::kTriangleMesh:
      return shape.triangles ? HitTriangles(ray_B, *shape.triangles) : std::nullopt;
    case ShapeKind::kPointCloud:
      return shape.cloud ? HitCloud(ray_B, shape) : std::nullopt;
  }
  return std::nullopt;
}

Ray ToBody(const Ray& ray_W, const Pose& X_WB) {
  const Quat inverse = X_WB.q.conjugate();
  return {inverse * (ray_W.origin - X_WB.p), inverse * ray_W.direction};
}

std::optional<BodyHit> PickBody(const Snapshot& snapshot, const ViewRequest& request,
                                const Camera& camera, const Viewport& viewport, const Vec2& pixel) {
  if (!snapshot.model || viewport.empty()) return std::nullopt;
  const Ray ray = camera.PixelRay(pixel, viewport);
  const int lead = LeadChannel(snapshot, request);
  std::optional<BodyHit> best;
  const int count = std::min(static_cast<int>(snapshot.channels.size()), Snapshot::kMaxChannels);
  for (int c = 0; c < count; ++c) {
    if (!ChannelShown(snapshot, request, c)) continue;
    for (int b = 0; b < snapshot.model->drawn(); ++b) {
      const Body& body = snapshot.model->Drawn(b);
      const bool seen = IsDrawn(request, *snapshot.model, b) ||
                        (c == lead && ShowsCollision(request, *snapshot.model, b));
      if ((!body.Moves() && c != lead) || !seen) continue;
      const Pose pose = DrawnPose(snapshot, request, c, b);
      // thousands of bodies: the ball around each is asked first
      const bool bounded = body.bound > 0;
      if (bounded && ray.direction.cross(pose.p - ray.origin).norm() > 1.5 * body.bound) continue;
      if (IsGlassWall(camera, body, pose)) continue;
      const std::optional<double> t = HitShape(ToBody(ray, pose), body.shape);
      if (!t) continue;
      // ghosts that coincide with the lead differ by millimetres: the lead is meant
      const double margin = c == lead ? 0.02 * *t : 0;
      if (best && *t - margin >= best->distance && !(c == lead && *t <= best->distance)) continue;
      const Vec3 p = ray.At(*t);
      const int owner = body.Owner(b);
      const Pose whole = owner == b ? pose : DrawnPose(snapshot, request, c, owner);
      best = BodyHit{c,
                     owner,
                     p,
                     p - FanOffset(snapshot, request, c),
                     whole.q.conjugate() * (p - whole.p),
                     *t - margin};
    }
  }
  return best;
}

std::optional<ContactHit> PickContact(const Snapshot& snapshot, const ViewRequest& request,
                                      const Camera& camera, const Viewport& viewport,
                                      const Vec2& pixel, double radius, int of_body) {
  std::optional<ContactHit> best;
  const int count = std::min(static_cast<int>(snapshot.channels.size()), Snapshot::kMaxChannels);
  const bool pile = DrawsPile(snapshot, request);
  for (int c = 0; c < count; ++c) {
    if (!ChannelShown(snapshot, request, c)) continue;
    const PilePoints points(snapshot, request, c);
    const Vec3 shift = FanOffset(snapshot, request, c);
    const ChannelFrame& frame = At(snapshot.channels, c);
    const auto& contacts = frame.contacts;
    for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
      const ContactFrame& contact = At(contacts, i);
      if (of_body >= 0 && contact.body != of_body && contact.body_a != of_body) continue;
      // what is not drawn cannot be meant
      if (pile && !points.Shows(contact)) continue;
      const auto p = camera.Project(PointAtEnd(frame, contact) + shift, viewport);
      if (!p) continue;
      const double pixels = (p->head<2>() - pixel).norm();
      // on a body of few pixels its contacts must leave room for itself
      double reach = radius;
      if (pile && of_body >= 0) {
        const double bound = snapshot.model->body(of_body).bound;
        const double size = bound / camera.MetresPerPixel(p->z(), viewport);
        reach = std::min(radius, kContactOfBody * size);
      }
      if (pixels <= reach && (!best || pixels < best->pixels)) {
        best = ContactHit{c, i, contact.key, pixels};
      }
    }
  }
  return best;
}

Vec3 DragPoint(const Camera& camera, const Viewport& viewport, const Vec2& pixel, const Vec3& p_W) {
  const Ray ray = camera.PixelRay(pixel, viewport);
  const Vec3 n = camera.forward_W();
  const double along = n.dot(ray.direction);
  if (std::abs(along) < 1e-9) return p_W;
  return ray.At(n.dot(p_W - ray.origin) / along);
}

}  // namespace slip::render
