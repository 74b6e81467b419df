#include "engine/dynamics/spin.h"

#include <cmath>

namespace slip {
namespace {

constexpr int kMostIterations = 8;
// The error after a last step this short is its square.
constexpr double kShort = 1e-9;

}  // namespace

bool SolveSpin(const Vec3& inertia_B, double h, const Vec3& w0_B, const Vec3& kicked_B,
               const Vec3& moment_B, Vec3* w1_B) {
  Vec3 w1 = kicked_B;
  for (int i = 0; i < kMostIterations; ++i) {
    const Vec3 u = 0.5 * (w0_B + w1), L = inertia_B.cwiseProduct(u);
    const Vec3 residual = inertia_B.cwiseProduct(Vec3(w1 - kicked_B)) + h * (u.cross(L) - moment_B);
    // derivative: I + h/2 ([u] I - [I u]), by columns
    const Vec3& I = inertia_B;
    const double half = 0.5 * h;
    const Vec3 a(I.x(), half * (u.z() * I.x() - L.z()), half * (L.y() - u.y() * I.x()));
    const Vec3 b(half * (L.z() - u.z() * I.y()), I.y(), half * (u.x() * I.y() - L.x()));
    const Vec3 c(half * (u.y() * I.z() - L.y()), half * (L.x() - u.x() * I.z()), I.z());
    const Vec3 b_c = b.cross(c);
    const double scale = 1 / a.dot(b_c);
    const Vec3 step(residual.dot(b_c), residual.dot(c.cross(a)), residual.dot(a.cross(b)));
    const Vec3 change = -scale * step;
    w1 += change;
    if (!w1.allFinite()) return false;
    if (change.squaredNorm() > kShort * kShort * w1.squaredNorm()) continue;
    *w1_B = w1;
    return true;
  }
  return false;
}

}  // namespace slip
