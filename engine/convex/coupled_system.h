// The coupled equations of one island, F(v) = A (v - v*) - J^T gamma_C(v) = 0: friction is bound to
// the normal impulse of the same step (engine/README.md section 20). F has no potential; its
// Jacobian is the symmetric Hessian of Lagged at n0 = n(v_n) plus one column per contact,
//   F_v = H + U V^T,   U = J_t^T mu t_s,   V^T = diag(n') J_n.
#pragma once

#include <vector>

#include "engine/convex/newton.h"
#include "engine/solver/dense_lu.h"
#include "engine/solver/gmres.h"

namespace slip {

/// One thread's side of it. Works at system->v(), whose contact velocities are up to date.
class CoupledSystem {
 public:
  /// Coordinates up to which directions come from an LU of F_v; beyond it from H and GMRES.
  static constexpr int kSmall = 60;
  /// Coordinates up to which F_v is factored at all.
  static constexpr int kMostDense = 420;

  void Reserve(int contacts, int rows, int all_rows);
  /// The island that the rest is of.
  void Take(IslandSystem* system, const Island* island);

  IslandSystem& system() const { return *system_; }
  const Island& island() const { return *island_; }
  const std::vector<Coupling>& couplings() const { return couplings_; }

  /// The contacts' values, and F with its norms.
  IslandPoint Look(const CoupledLook& look);
  /// -F_v^-1 F to system->dv() and the contacts' steps; false where there is none. Assembles H of
  /// the last Look.
  bool FindStep(bool renew, bool* helped);
  /// Sign of det F_v of the last Look, which was exact; 0 where it was not computed or could as
  /// well be the other one.
  int FindIndex();
  /// What the last bits of the velocities make of the residual: of the contacts' own, and of those
  /// of the bodies, which cancel in a contact. The last Look is then that of system->v() again.
  double FindRoundOff();
  /// F . dv at v + alpha dv.
  double WorkAlong(const LinePoint& inertia, double alpha) const;
  /// F_v of the last Look, by rows `stride` apart. H must be assembled.
  void CopyJacobian(int stride, double* out);
  /// J^T of impulses (t1, t2, n, spin) that `impulse(i)` gives of contact i, to *out.
  template <class Impulse>
  void SpreadImpulses(Impulse&& impulse, VectorX* out) {
    ContactWork* work = system_->work(*island_);
    for (int i = 0; i < island_->contacts(); ++i) {
      const Vec4 g = impulse(i);
      work[i].value.gamma = g.head<3>();
      if (work[i].spin != nullptr) work[i].spin->gamma = g[3];
    }
    system_->numbers().CalcImpulseSum(*island_, out);
  }
  /// J^T of friction that changes by `amount(i)` in each contact's bound.
  template <class Amount>
  void SpreadFriction(Amount&& amount, VectorX* out) {
    SpreadImpulses(
        [&](int i) {
          const Vec3& t = At(couplings_, i).friction;
          return Vec4(amount(i) * Vec4(t.x(), t.y(), 0, t.z()));
        },
        out);
  }

  /// Factorisations since Take, of H and of F_v alike.
  int factorizations = 0;
  /// Sign of the determinant in the last FindStep; 0 = it was not known.
  int last_sign = 0;

 private:
  using Vec4 = Eigen::Vector4d;

  void FindActive();
  bool FindSmallStep();
  bool FindLargeStep(bool* helped);

  IslandSystem* system_ = nullptr;
  const Island* island_ = nullptr;
  std::vector<Coupling> couplings_;  // of the island's contacts
  std::vector<int> active_;          // of them those that make F_v unsymmetric
  std::vector<double> right_, normal_, answer_;
  VectorX u_, v_, x0_, grad_;  // with the rows of the whole system, or of the island
  DenseLu lu_;
  Gmres gmres_;
};

}  // namespace slip
