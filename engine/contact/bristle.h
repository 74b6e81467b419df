// A contact as a spring and a damper with an anchor, and Coulomb friction (Hammoud et al.,
// Exponential integration for efficient and accurate multi-body simulation with stiff viscoelastic
// contacts, eq. (2) and (28)).
#pragma once

#include <algorithm>

#include "engine/core/types.h"

namespace slip {

/// The same in the normal direction and along the surface.
struct BristleParams {
  double stiffness = 1e5;  ///< K [N/m]
  double damping = 300;    ///< B [N s/m]
  double friction = 1;     ///< mu [-]
};

/// A contact force within the friction cone.
struct BristleForce {
  Vec3 f_W = Vec3::Zero();  ///< [N]
  bool slips = false;       ///< friction was beyond its limit
  bool clipped = false;     ///< the force is not the one that was asked for
};

/// K (anchor - point) - B v [N], with the point's whole velocity against the surface: then a point
/// that comes to rest sticks at once, whatever it did before.
inline Vec3 CalcTrialForce(const BristleParams& params, const Vec3& from_anchor, const Vec3& v) {
  return -params.stiffness * from_anchor - params.damping * v;
}

/// No pull, and friction within mu times the normal force, which stays as it is: radial scaling,
/// not the nearest point of the cone.
inline BristleForce ProjectOnCone(double friction, const Vec3& n_W, const Vec3& f_W) {
  BristleForce out;
  const double fn = f_W.dot(n_W);
  if (!(fn > 0)) {
    out.clipped = f_W != Vec3::Zero();
    return out;
  }
  const Vec3 ft = f_W - fn * n_W;
  const double size = ft.norm(), limit = friction * fn;
  out.slips = out.clipped = size > limit;
  out.f_W = out.slips ? Vec3(fn * n_W + limit / size * ft) : f_W;
  return out;
}

/// Where anchors go at the end of a step.
enum class AnchorRule : int {
  kYielding,  ///< no spring holds what it was not given, nor more than friction allows
  kPublished  ///< eq. (28) to the letter
};

/// Eq. (28): along with a point that slips, in the surface alone, to where the spring holds all of
/// its friction, the damper's share too.
inline Vec3 MoveAnchorAsPublished(const BristleParams& params, const Vec3& n_W,
                                  const Vec3& anchor_W, const Vec3& p_W,
                                  const BristleForce& force) {
  if (!force.slips) return anchor_W;
  const auto tangential = [&n_W](const Vec3& x) { return Vec3(x - n_W.dot(x) * n_W); };
  return tangential(p_W) + tangential(force.f_W) / params.stiffness + n_W.dot(anchor_W) * n_W;
}

/// Where the anchor of a point goes after a step that ended with this force. A point without load
/// takes it along. A spring that is drawn farther than friction holds gives way; what the damper
/// holds is not put into it: nobody has done that work. None is left to pull the point back along
/// the normal.
inline Vec3 MoveAnchor(const BristleParams& params, const Vec3& n_W, const Vec3& anchor_W,
                       const Vec3& p_W, const BristleForce& force) {
  const Vec3 stretch = anchor_W - p_W;
  const double normal = n_W.dot(stretch), fn = force.f_W.dot(n_W);
  Vec3 tangential = stretch - normal * n_W;
  if (!(fn > 0)) {
    tangential.setZero();
  } else if (force.slips) {
    const double held = params.stiffness * tangential.norm(), limit = params.friction * fn;
    if (held > limit) tangential *= limit / held;
  } else if (normal >= 0) {
    return anchor_W;
  }
  return p_W + tangential + std::max(normal, 0.0) * n_W;
}

}  // namespace slip
