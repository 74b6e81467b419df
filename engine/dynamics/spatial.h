// Spatial vectors and inertia (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 2) as
// the numbers that they have: two vectors of three, and ten for an inertia. World axes, about one
// point.
#pragma once

#include "engine/core/types.h"
#include "engine/solver/unroll.h"

namespace slip {

/// Velocity or acceleration: angular, and linear of the body's point at the reference point.
struct Twist {
  Vec3 w, v;

  static Twist Zero() { return {Vec3::Zero(), Vec3::Zero()}; }
  void Add(const Twist& other) {
    w += other.w;
    v += other.v;
  }
  void Add(double scale, const Twist& other) {
    w += scale * other.w;
    v += scale * other.v;
  }
  /// V × m
  Twist Cross(const Twist& m) const { return {w.cross(m.w), w.cross(m.v) + v.cross(m.w)}; }
};

/// Force or momentum: moment about the reference point, and linear.
struct Wrench {
  Vec3 moment, force;

  void Add(const Wrench& other) {
    moment += other.moment;
    force += other.force;
  }
  double operator[](int i) const { return i < 3 ? moment[i] : force[i - 3]; }
  double Dot(const Twist& V) const { return moment.dot(V.w) + force.dot(V.v); }
};

/// V ×* f
inline Wrench CrossForce(const Twist& V, const Wrench& f) {
  return {V.w.cross(f.moment) + V.v.cross(f.force), V.w.cross(f.force)};
}

/// Mass, first moment m c, second moment.
struct SpatialInertia {
  double mass = 0;
  Vec3 first = Vec3::Zero();
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

  /// Of a body with these principal moments in axes R, its centre of mass at c.
  void Set(double m, const Vec3& moments, const Mat3& R, const Vec3& c) {
    mass = m;
    first = m * c;
    const Vec3 x = R.row(0).transpose(), y = R.row(1).transpose(), z = R.row(2).transpose();
    const Vec3 Ix = moments.cwiseProduct(x), Iy = moments.cwiseProduct(y);
    // parallel axes: I_O = I_C + m (c² 1 - c cᵀ)
    const double cx = c.x() * first.x(), cy = c.y() * first.y(), cz = c.z() * first.z();
    xx = Ix.dot(x) + (cy + cz);
    xy = Ix.dot(y) - c.x() * first.y();
    xz = Ix.dot(z) - c.x() * first.z();
    yy = Iy.dot(y) + (cx + cz);
    yz = Iy.dot(z) - c.y() * first.z();
    zz = z.dot(moments.cwiseProduct(z)) + (cx + cy);
  }
  void Add(const SpatialInertia& other) {
    mass += other.mass;
    first += other.first;
    xx += other.xx, xy += other.xy, xz += other.xz;
    yy += other.yy, yz += other.yz, zz += other.zz;
  }
  /// The lower triangle of the 6 x 6 matrix (angular, linear), row by row.
  void GetLowerRows(double* rows) const {
    const double x = first.x(), y = first.y(), z = first.z();
    const double values[] = {xx, xy, yy, xz,   yz, zz, 0, z, -y, mass, -z,
                             0,  x,  0,  mass, y,  -x, 0, 0, 0,  mass};
    for (const double value : values) *rows++ = value;
  }
  Vec3 Second(const Vec3& w) const {
    return {xx * w.x() + xy * w.y() + xz * w.z(), xy * w.x() + yy * w.y() + yz * w.z(),
            xz * w.x() + yz * w.y() + zz * w.z()};
  }
  SLIP_INLINE Wrench operator*(const Twist& V) const {
    return {Second(V.w) + first.cross(V.v), mass * V.v - first.cross(V.w)};
  }
};

}  // namespace slip
