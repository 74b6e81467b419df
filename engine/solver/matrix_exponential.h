// The exponential of a matrix by a Padé approximant with balancing, scaling and squaring (Higham,
// The scaling and squaring method for the matrix exponential revisited, 2005), and its product with
// a few columns, for which it need not be formed. The approximant's order can be bounded: fewer
// products of matrices, less accuracy (Hammoud et al., Exponential integration for
// efficient and accurate multi-body simulation with stiff viscoelastic contacts).
#pragma once

#include <span>

#include "engine/core/types.h"

namespace slip {

/// How an exponential was computed.
struct ExponentialReport {
  double raw_norm = 0;  ///< 1-norm of the matrix as given
  double norm = 0;      ///< 1-norm after balancing
  int order = 0;        ///< of the Padé approximant
  int squarings = 0;
  int products = 0;  ///< of matrices, squarings included, the solve not
};

class MatrixExponential {
 public:
  /// As many products as full accuracy takes.
  static constexpr int kAutomatic = -1;
  static constexpr int kMostProducts = 6;
  /// Beyond this 1-norm of the balanced matrix nothing is computed.
  static constexpr double kLargestNorm = 1e8;

  /// Memory for matrices of n rows and that many columns of V: calls of this size allocate nothing.
  void Reserve(int n, int columns);

  /// V = e^X V for a square X with as many rows as V. `products` from 0 to 6 bounds the products of
  /// matrices: where full accuracy takes more, the approximant has the order that they allow (1, 2,
  /// 3, 5, 7, 9 or 13) and nothing is squared. False, with V in an unspecified state, where the
  /// norm is too large or the result not finite.
  bool Apply(const Eigen::Ref<const MatrixX>& X, Eigen::Ref<MatrixX> V, int products = kAutomatic);

  /// E = e^X; otherwise like Apply.
  bool Compute(const Eigen::Ref<const MatrixX>& X, MatrixX* E, int products = kAutomatic);

  const ExponentialReport& report() const { return report_; }
  /// The balanced matrix is diag(d)^-1 X diag(d); powers of 2, of the last call.
  const VectorX& balance() const { return d_; }

 private:
  /// Balances X into X_, and chooses order and squarings. False where the norm is too large.
  bool Prepare(const Eigen::Ref<const MatrixX>& X, int products);
  void Balance();
  /// odd_ and even_ parts of the approximant's numerator, for X_ scaled by 2^-squarings.
  void MakePade();
  /// The polynomial c[0] + c[2] X^2 + c[4] X^4 + ... of the powers at hand, up to X^(2 powers).
  void Even(std::span<const double> c, int powers, MatrixX* out) const;
  /// The approximant itself, squared so often, in E_.
  void FormPower(int squarings);

  ExponentialReport report_;
  MatrixX X_, odd_, even_, E_, scratch_;
  MatrixX power_[4];  ///< X^2, X^4, X^6, X^8
  MatrixX columns_;
  VectorX d_;
  Eigen::PartialPivLU<MatrixX> lu_;
};

}  // namespace slip
