// The inverse of a task's inertia, tree by tree: its motion without contacts, and how easily a
// contact moves.
#pragma once

#include <cmath>
#include <vector>

#include "engine/convex/contact_problem.h"

namespace slip {

/// Memory is reused from task to task.
class InverseInertia {
 public:
  /// Takes trees and A of the task as they are. Jacobians may come later.
  void Update(const ContactTask& task);

  /// x := A^-1 x of one tree; NaN where its A is not positive definite.
  void Solve(int tree, double* x) const;

  /// w of a contact of that task: ||W||_F / 3 with W = J A^-1 J^T summed over its trees, and
  /// J = J_a + J_b where both sides are one (engine/README.md 2.1). Rows (t1, t2, n) alone.
  double CalcDelassus(const ContactTask::Contact& contact);

 private:
  /// Two numbers in one register.
  using Pair = double __attribute__((vector_size(16)));
  /// The six entries of W, two at a time.
  struct Symmetric {
    Pair xx_xy = {}, xz_yz = {}, yy_zz = {};

    /// Adds s rᵀ, r = (x, y, z) a column of J and s one of J A⁻¹.
    void Add(Pair xy, double z, Pair s_xy, double s_z) {
      xx_xy += Pair{s_xy[0], s_xy[0]} * xy;
      xz_yz += s_xy * Pair{z, z};
      yy_zz += Pair{s_xy[1], s_z} * Pair{xy[1], z};
    }
    double Norm() const {
      const auto square = [](double x) { return x * x; };
      const double off = square(xx_xy[1]) + square(xz_yz[0]) + square(xz_yz[1]);
      return std::sqrt(square(xx_xy[0]) + square(yy_zz[0]) + square(yy_zz[1]) + 2 * off);
    }
  };
  /// What A is, and so what is kept of it.
  enum class Form : int {
    kDiagonal,  ///< its inverse; also of an A without inverse
    kBody,      ///< a body at its centre of mass: the inverse of its moments, 1/m
    kFull,      ///< the Cholesky factor, by rows
    kBranched   ///< the factor of TreePattern
  };
  struct Factor {
    Form form = Form::kDiagonal;
    bool positive = true;
    int nv = 0, begin = 0;  ///< coordinates; place in factors_
    const TreePattern* pattern = nullptr;
  };

  const double* Of(const Factor& factor) const { return factors_.data() + factor.begin; }
  static Form Recognise(const ContactTask::Tree& tree, const double* A);
  bool Factorize(Factor* factor, const double* A);
  static void AddScaled(int count, const double* rows, const double* scale, Symmetric* W);
  static void AddBody(const double* inverse, const double* rows, Symmetric* W);
  void AddSolved(int n, const double* L, const double* rows, Symmetric* W);
  void Add(const Factor& factor, const double* rows, Symmetric* W);

  const ContactTask* task_ = nullptr;
  std::vector<Factor> trees_;
  std::vector<double> factors_;
  std::vector<double> rows_, solved_;  // scratch
};

}  // namespace slip
