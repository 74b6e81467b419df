// Orbit camera: eye = target + distance (cos el cos az, cos el sin az, sin el) in the drawn frame.
#include "render/scene/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slip::render {
namespace {

constexpr double kFlightTime = 0.25;      // [s]
constexpr double kOrbitPerPixel = 0.006;  // [rad]
constexpr double kMaxElevation = 1.55;    // [rad] short of the pole, where "right" is undefined
constexpr double kOverGround = 0.02;      // of the distance, at the lowest
constexpr double kMinDistance = 0.02, kMaxDistance = 1000;  // [m]

CameraSpec Sane(CameraSpec spec) {
  if (!spec.target.allFinite()) spec.target.setZero();
  const auto finite = [](double value, double otherwise) {
    return std::isfinite(value) ? value : otherwise;
  };
  spec.distance = std::clamp(finite(spec.distance, 1.5), kMinDistance, kMaxDistance);
  spec.azimuth = finite(spec.azimuth, -1.2);
  spec.elevation = std::clamp(finite(spec.elevation, 0.35), -kMaxElevation, kMaxElevation);
  spec.field_of_view = std::clamp(finite(spec.field_of_view, 0.45), 0.02, 2.0);
  return spec;
}

Vec3 OffsetD(const CameraSpec& spec) {
  const double c = std::cos(spec.elevation);
  return {c * std::cos(spec.azimuth), c * std::sin(spec.azimuth), std::sin(spec.elevation)};
}

}  // namespace

Camera::Camera(const CameraSpec& spec) : spec_(Sane(spec)) {}

void Camera::Set(const CameraSpec& spec) {
  spec_ = Sane(spec);
  flight_ = -1;
}

void Camera::Orbit(double dx, double dy) {
  flight_ = -1;
  spec_.azimuth = std::remainder(spec_.azimuth - kOrbitPerPixel * dx, 2 * std::numbers::pi);
  spec_.elevation += kOrbitPerPixel * dy;
  spec_ = Sane(spec_);
}

void Camera::OrbitAbove(const Ground& ground, double dx, double dy) {
  const auto over = [&] {
    return ground.normal.dot(eye_W() - ground.point) - kOverGround * spec_.distance;
  };
  const bool above = over() >= 0;
  const double before = spec_.elevation;
  Orbit(dx, dy);
  if (!above || over() >= 0) return;
  // as far down as it goes; turning along a slope may need to come up again
  double low = spec_.elevation, high = std::max(before, low);
  for (spec_.elevation = high; over() < 0 && high < kMaxElevation; spec_.elevation = high)
    high = std::min(high + 0.05, kMaxElevation);
  for (int i = 0; i < 30; ++i) {
    spec_.elevation = 0.5 * (low + high);
    (over() < 0 ? low : high) = spec_.elevation;
  }
  spec_.elevation = high;
}

void Camera::Pan(double dx, double dy, const Viewport& viewport) {
  flight_ = -1;
  const double scale = MetresPerPixel(spec_.distance, viewport);
  const Vec3 up = right_W().cross(forward_W());
  spec_.target += scale * (dy * up - dx * right_W());
  spec_ = Sane(spec_);
}

void Camera::Dolly(double factor, const Vec2& pixel, const Viewport& viewport) {
  if (!(factor > 0) || viewport.empty()) return;
  flight_ = -1;
  const double before = spec_.distance;
  const double scale = MetresPerPixel(before, viewport);
  const Vec3 up = right_W().cross(forward_W());
  const Vec3 cursor = scale * ((pixel.x() - 0.5 * viewport.width) * right_W() -
                               (pixel.y() - 0.5 * viewport.height) * up);
  spec_.distance = std::clamp(before * factor, kMinDistance, kMaxDistance);
  spec_.target += (1 - spec_.distance / before) * cursor;
  spec_ = Sane(spec_);
}

void Camera::Travel(const Vec3& way) {
  if (!way.allFinite()) return;
  for (CameraSpec* spec : {&spec_, &from_, &to_}) spec->target += way;
}

void Camera::FlyTo(const CameraSpec& spec, bool animate) {
  if (!animate) return Set(spec);
  from_ = spec_;
  to_ = Sane(spec);
  // the short way round
  to_.azimuth = from_.azimuth + std::remainder(to_.azimuth - from_.azimuth, 2 * std::numbers::pi);
  flight_ = 0;
}

void Camera::Focus(const Vec3& p_W, double distance, bool animate) {
  CameraSpec spec = spec_;
  spec.target = p_W;
  if (distance > 0) spec.distance = distance;
  FlyTo(spec, animate);
}

void Camera::SideView(bool animate) {
  orthographic_ = true;
  CameraSpec spec = spec_;
  spec.azimuth = -std::numbers::pi / 2;
  spec.elevation = 0;
  FlyTo(spec, animate);
}

bool Camera::Update(double dt) {
  if (flight_ < 0) return false;
  flight_ += std::max(dt, 0.0);
  if (flight_ >= kFlightTime) {
    Set(to_);
    return false;
  }
  // cubic ease-out: starts at once, arrives gently
  const double rest = 1 - flight_ / kFlightTime;
  const double s = 1 - rest * rest * rest;
  const auto mix = [s](double a, double b) { return a + s * (b - a); };
  spec_.target = from_.target + s * (to_.target - from_.target);
  spec_.distance = from_.distance * std::pow(to_.distance / from_.distance, s);
  spec_.azimuth = mix(from_.azimuth, to_.azimuth);
  spec_.elevation = mix(from_.elevation, to_.elevation);
  spec_.field_of_view = mix(from_.field_of_view, to_.field_of_view);
  return true;
}

void Camera::SetGravity(const Vec3& gravity_W) {
  if (!gravity_W.allFinite() || gravity_W.norm() < 1e-9) return;
  roll_ = std::atan2(gravity_W.x(), -gravity_W.z());
}

Mat3 Camera::R_DW() const { return Eigen::AngleAxisd(roll_, Vec3::UnitY()).toRotationMatrix(); }

Vec3 Camera::eye_W() const {
  return spec_.target + spec_.distance * (R_DW().transpose() * OffsetD(spec_));
}

Vec3 Camera::forward_W() const { return -(R_DW().transpose() * OffsetD(spec_)); }

Vec3 Camera::right_W() const {
  return R_DW().transpose() * Vec3(-std::sin(spec_.azimuth), std::cos(spec_.azimuth), 0);
}

Mat4 Camera::View() const {
  Mat4 view = Mat4::Identity();
  view.row(0).head<3>() = right_W();
  view.row(1).head<3>() = right_W().cross(forward_W());
  view.row(2).head<3>() = -forward_W();
  view(2, 3) = -spec_.distance;
  return view;
}

Mat4 Camera::Projection(const Viewport& viewport) const {
  const double n = near_plane(), f = far_plane();
  const double tan_half = std::tan(0.5 * spec_.field_of_view);
  Mat4 p = Mat4::Zero();
  if (orthographic_) {
    // what is behind the eye belongs to the picture too: a drawing has no eye
    const double half = spec_.distance * tan_half;
    p(0, 0) = 1 / (half * viewport.aspect());
    p(1, 1) = 1 / half;
    p(2, 2) = -1 / f;
    p(3, 3) = 1;
    return p;
  }
  p(0, 0) = 1 / (tan_half * viewport.aspect());
  p(1, 1) = 1 / tan_half;
  p(2, 2) = -(f + n) / (f - n);
  p(2, 3) = -2 * f * n / (f - n);
  p(3, 2) = -1;
  return p;
}

double Camera::Depth(const Vec3& p_W) const {
  if (orthographic_) return spec_.distance;
  return forward_W().dot(p_W - spec_.target) + spec_.distance;
}

double Camera::MetresPerPixel(double depth, const Viewport& viewport) const {
  const double d = orthographic_ ? spec_.distance : depth;
  return 2 * d * std::tan(0.5 * spec_.field_of_view) / std::max(viewport.height, 1.0);
}

double Camera::BufferDepth(double depth) const {
  const double n = near_plane(), f = far_plane();
  if (orthographic_) return 0.5 + 0.5 * depth / f;
  return f * (depth - n) / (depth * (f - n));
}

std::optional<Vec3> Camera::Project(const Vec3& p_W, const Viewport& viewport) const {
  if (!p_W.allFinite() || viewport.empty()) return std::nullopt;
  const Vec3 r = p_W - spec_.target;
  const double depth = forward_W().dot(r) + spec_.distance;
  if (!orthographic_ && depth < near_plane()) return std::nullopt;
  const double scale = 1 / MetresPerPixel(depth, viewport);
  const Vec3 up = right_W().cross(forward_W());
  return Vec3(0.5 * viewport.width + scale * right_W().dot(r),
              0.5 * viewport.height - scale * up.dot(r), depth);
}

Ray Camera::PixelRay(const Vec2& pixel, const Viewport& viewport) const {
  const double scale = MetresPerPixel(spec_.distance, viewport);
  const Vec3 up = right_W().cross(forward_W());
  const Vec3 at_target = scale * ((pixel.x() - 0.5 * viewport.width) * right_W() -
                                  (pixel.y() - 0.5 * viewport.height) * up);
  if (orthographic_) {
    return {spec_.target + at_target - far_plane() * forward_W(), forward_W()};
  }
  return {eye_W(), (spec_.distance * forward_W() + at_target).normalized()};
}

}  // namespace slip::render
