// One contact's numbers while the solver runs.
#pragma once

#include <cmath>

#include "engine/contact/contact_value.h"

namespace slip {

/// What a contact with torsion has beside the numbers of the others: its third direction of slip,
/// the spin about the normal times rho.
struct SpinWork {
  double u = 0, du = 0;   ///< slip, and its change over a full step [m/s]
  double gamma = 0;       ///< impulse that is dual to it [N s]
  Vec3 G = Vec3::Zero();  ///< the Hessian's entries with (t1, t2, n) [kg]
  double G_uu = 0;        ///< that on the diagonal [kg]
  double q = 0;           ///< third component of the dual slip direction
};

struct ContactWork {
  Vec3 v_c, dv_c;  ///< velocity, and its change over a full step
  ContactValue value;
  SpinWork* spin = nullptr;  ///< of a contact with torsion
  Vec2 q;                    ///< dual slip direction
  Vec3 bias;
  double w;        ///< Delassus estimate [1/kg]
  double v_floor;  ///< speed below which nothing is measured: 10 m/s^2 x h [m/s]

  /// Calls fn.operator()<kSlip>() for the directions of slip that the contact has.
  template <class Fn>
  decltype(auto) Visit(Fn&& fn) const {
    if (spin == nullptr) [[likely]]
      return fn.template operator()<2>();
    return fn.template operator()<3>();
  }

  // The numbers as those of so many directions of slip: references of two, copies of three.
  template <int kSlip>
  decltype(auto) velocity() const {
    if constexpr (kSlip == 2) {
      return (v_c);
    } else {
      return ContactVector<3>(v_c.x(), v_c.y(), spin->u, v_c.z());
    }
  }
  template <int kSlip>
  decltype(auto) step() const {
    if constexpr (kSlip == 2) {
      return (dv_c);
    } else {
      return ContactVector<3>(dv_c.x(), dv_c.y(), spin->du, dv_c.z());
    }
  }
  template <int kSlip>
  decltype(auto) direction() const {
    if constexpr (kSlip == 2) {
      return (q);
    } else {
      return SlipVector<3>(q.x(), q.y(), spin->q);
    }
  }
  template <int kSlip>
  decltype(auto) impulse() const {
    const Vec3& g = value.gamma;
    if constexpr (kSlip == 2) {
      return (g);
    } else {
      return ContactVector<3>(g.x(), g.y(), spin->gamma, g.z());
    }
  }
  template <int kSlip>
  decltype(auto) hessian() const {
    const Mat3& G = value.hessian;
    if constexpr (kSlip == 2) {
      return (G);
    } else {
      const Vec3& g = spin->G;
      ContactMatrix<3> all;
      all << G(0, 0), G(0, 1), g[0], G(0, 2),  //
          G(1, 0), G(1, 1), g[1], G(1, 2),     //
          g[0], g[1], spin->G_uu, g[2],        //
          G(2, 0), G(2, 1), g[2], G(2, 2);
      return all;
    }
  }

  template <int kSlip>
  void SetDirection(const SlipVector<kSlip>& direction) {
    q = direction.template head<2>();
    if constexpr (kSlip == 3) spin->q = direction[2];
  }
  template <int kSlip>
  void SetImpulse(const ContactVector<kSlip>& gamma) {
    value.gamma.template head<2>() = gamma.template head<2>();
    value.gamma[2] = gamma[kSlip];
    if constexpr (kSlip == 3) spin->gamma = gamma[2];
  }
  template <int kSlip>
  void SetHessian(const ContactMatrix<kSlip>& G) {
    if constexpr (kSlip == 2) {
      value.hessian = G;
    } else {
      value.hessian << G(0, 0), G(0, 1), G(0, 3),  //
          G(1, 0), G(1, 1), G(1, 3),               //
          G(3, 0), G(3, 1), G(3, 3);
      spin->G = Vec3(G(0, 2), G(1, 2), G(2, 3));
      spin->G_uu = G(2, 2);
    }
  }
  template <int kSlip>
  void SetValue(const ContactValueOf<kSlip>& all) {
    if constexpr (kSlip == 2) {
      value = all;
    } else {
      value.cost = all.cost;
      SetImpulse<3>(all.gamma);
      SetHessian<3>(all.hessian);
    }
  }

  /// Length of the velocity [m/s].
  double speed() const {
    return Visit([&]<int kSlip>() { return velocity<kSlip>().norm(); });
  }
  bool finite() const {
    return value.gamma.allFinite() && (spin == nullptr || std::isfinite(spin->gamma));
  }
  /// Goes on by this part of the full step.
  void Advance(double alpha) {
    v_c += alpha * dv_c;
    if (spin != nullptr) spin->u += alpha * spin->du;
  }
  void ClearStep() {
    dv_c.setZero();
    if (spin != nullptr) spin->du = 0;
  }
  void ClearDirection() {
    q.setZero();
    if (spin != nullptr) spin->q = 0;
  }
};

}  // namespace slip
