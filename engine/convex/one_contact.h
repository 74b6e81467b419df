// An island with one contact: the coupled equations are one in the normal impulse g. At given g the
// slip follows from a monotone equation, the normal velocity from both; n(v_n) - g is not negative
// at g = 0 and negative for large g (engine/README.md section 20).
#pragma once

#include "engine/convex/coupled_system.h"

namespace slip {

class OneContact {
 public:
  /// Of an island with one contact and nothing else, as the system holds it. False where its
  /// inertia has no factor.
  bool Take(CoupledSystem* coupled);
  /// n(v_n(g)) - g; infinite beyond a barrier. Falling through zero: a solution of index +1.
  double Excess(double g);
  /// The first root above `start` where the excess is positive there, else the first one below.
  double FindRoot(double start);
  /// The velocities at this impulse to system->v().
  void Set(double g);

 private:
  static constexpr int kMost = 4;  // two directions of slip or three, and the normal
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMost, kMost>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMost, 1>;

  void Reach(double g);
  Eigen::Vector4d ImpulseOf(const Vector& gamma) const;

  CoupledSystem* coupled_ = nullptr;
  int slip_ = 2;         // directions
  double eps_ = 0;       // [m/s]
  double friction_ = 0;  // mu
  Vector free_;          // contact velocity without impulse
  Matrix W_;             // inverse mass
  Vector values_;        // of the block of the slip
  Matrix axes_;
  Vector gamma_, velocity_;  // at the last g
};

}  // namespace slip
