// Ray against box (slabs), sphere and capsule (quadratics).
#include "render/picking.h"

#include <algorithm>
#include <cmath>

namespace slip::render {
namespace {

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
    case ShapeKind::kConvex:
    case ShapeKind::kTriangleMesh:
    case ShapeKind::kPointCloud:
      break;
  }
  return std::nullopt;
}

Ray ToBody(const Ray& ray_W, const Pose& X_WB) {
  const Quat inverse = X_WB.q.conjugate();
  return {inverse * (ray_W.origin - X_WB.p), inverse * ray_W.direction};
}

std::optional<BodyHit> PickBody(const Snapshot& snapshot, const ViewOptions& options,
                                const Camera& camera, const Viewport& viewport, const Vec2& pixel) {
  if (!snapshot.model || viewport.empty()) return std::nullopt;
  const Ray ray = camera.PixelRay(pixel, viewport);
  const int lead = LeadChannel(snapshot, options);
  std::optional<BodyHit> best;
  const int count = std::min(static_cast<int>(snapshot.channels.size()), kMaxChannels);
  for (int c = 0; c < count; ++c) {
    if (!ChannelShown(snapshot, options, c)) continue;
    for (int b = 0; b < static_cast<int>(snapshot.model->bodies.size()); ++b) {
      const Pose pose = DrawnPose(snapshot, options, c, b);
      const auto& shape = snapshot.model->bodies[static_cast<std::size_t>(b)].shape;
      const std::optional<double> t = HitShape(ToBody(ray, pose), shape);
      if (!t) continue;
      // ghosts that coincide with the lead differ by millimetres: the lead is meant
      const double margin = c == lead ? 0.02 * *t : 0;
      if (best && *t - margin >= best->distance && !(c == lead && *t <= best->distance)) continue;
      const Vec3 p = ray.At(*t);
      best = BodyHit{
          c,          b, p, p - FanOffset(snapshot, options, c), pose.q.conjugate() * (p - pose.p),
          *t - margin};
    }
  }
  return best;
}

std::optional<ContactHit> PickContact(const Snapshot& snapshot, const ViewOptions& options,
                                      const Camera& camera, const Viewport& viewport,
                                      const Vec2& pixel, double radius) {
  std::optional<ContactHit> best;
  const int count = std::min(static_cast<int>(snapshot.channels.size()), kMaxChannels);
  for (int c = 0; c < count; ++c) {
    if (!ChannelShown(snapshot, options, c)) continue;
    const Vec3 shift = FanOffset(snapshot, options, c);
    const auto& contacts = snapshot.channels[static_cast<std::size_t>(c)].contacts;
    for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
      const ContactFrame& contact = contacts[static_cast<std::size_t>(i)];
      const auto p = camera.Project(contact.p_W + shift, viewport);
      if (!p) continue;
      const double pixels = (p->head<2>() - pixel).norm();
      if (pixels <= radius && (!best || pixels < best->pixels)) {
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
