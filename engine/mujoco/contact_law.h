// The law of one contact in MuJoCo, for gauges and energies. With the impedance δ(x), κ and b of
// solref and the inverse mass Â of both bodies, a row of a constraint has
//   R f = κ δ x − b v_row − a,   R = Â (1 − δ)/δ   (a pyramid's: 2 μ² (1 + μ²) R/impratio),
// on one row n of a cone, friction beside it by impratio, or on four rows n ± μ t of a pyramid. It
// acts where x > 0 only, so what slides faster than some v₀ hops.
#pragma once

#include <array>

#include "engine/contact/contact_value.h"
#include "engine/mjcf/mjcf_contact_law.h"

namespace slip {

struct MujocoLaw {
  std::array<double, 2> solref{0.02, 1};
  std::array<double, 5> solimp{0.9, 0.95, 1e-3, 0.5, 2};
  double friction = 0, impratio = 1;
  bool elliptic = true;
  double kappa = 0, b = 0;  ///< of solref [1/s²], [1/s]

  /// κ and b under this time step, which bounds time constants from below.
  void Prepare(double time_step);
  bool has_pyramid() const { return !elliptic && friction > 0; }

  /// Normal force at the depth x, at rest and without friction [N].
  double Force(double inverse_mass, double x) const;
  /// Depth under a load, likewise [m].
  double Depth(double inverse_mass, double load) const;
  /// Of a contact that slides, (v_t1, v_t2): NaN where it hops.
  double SlidingDepth(double inverse_mass, double load, const Vec2& slip) const;
  /// What is stored at the depth x [J].
  double Energy(double inverse_mass, double x) const;

  ContactPrediction Predict(double inverse_mass, double fn, double ft, const Vec2& slip) const;

 private:
  /// R of one row over Â.
  double Softness(double impedance) const;
};

}  // namespace slip
