// The exponential of a matrix by a Padé approximant with balancing, scaling and squaring (Higham,
// The scaling and squaring method for the matrix exponential revisited, 2005), and its product with
// a few columns, for which it need not be formed. The approximant's order can be bounded, or be
// chosen by an error: fewer products of matrices, less accuracy (Hammoud et al., Exponential
// integration for efficient and accurate multi-body simulation with stiff viscoelastic contacts).
//
// Augmented matrices [A B; 0 N], N strictly upper triangular, which give integrals of an
// exponential, keep their form in every product and factor: their last rows cost next to nothing.
#pragma once

#include <span>
#include <vector>

#include "engine/core/aligned.h"
#include "engine/core/types.h"
#include "engine/solver/dense_kernels.h"

namespace slip {

/// How an exponential was computed.
struct ExponentialReport {
  double raw_norm = 0;  ///< 1-norm of the matrix as given
  double norm = 0;      ///< 1-norm after balancing
  int order = 0;        ///< of the Padé approximant
  int squarings = 0;
  int products = 0;  ///< of matrices, squarings included, the solve not
  double error = 0;  ///< estimate, by the measure given; 0 where no tolerance was asked for
};

/// How large an error is beside a result; both are as V in Apply.
class ErrorMeasure {
 public:
  virtual ~ErrorMeasure() = default;
  virtual double Relative(const MatrixX& result, const MatrixX& error) const = 0;
};

class MatrixExponential {
 public:
  /// As many products as full accuracy takes.
  static constexpr int kAutomatic = -1;
  static constexpr int kMostProducts = 6;
  /// Beyond this 1-norm of the balanced matrix nothing is computed.
  static constexpr double kLargestNorm = 1e8;

  explicit MatrixExponential(const DenseKernels& kernels = GetDenseKernels())
      : kernels_(&kernels) {}

  /// Memory for matrices of n rows and that many columns of V: calls of this size allocate nothing.
  void Reserve(int n, int columns);

  /// V = e^X V for a square X with as many rows as V. `products` from 0 to 6 bounds the products of
  /// matrices: where full accuracy takes more, the approximant has the order that they allow (1, 2,
  /// 3, 5, 7, 9 or 13) and nothing is squared. False, with V in an unspecified state, where the
  /// norm is too large or the result not finite.
  bool Apply(const Eigen::Ref<const MatrixX>& X, Eigen::Ref<MatrixX> V, int products = kAutomatic);

  /// The same with the fewest products whose error is estimated at no more than `tolerance` > 0,
  /// within the bound. The estimate is one for X without eigenvalues to the right of 0.
  bool ApplyTo(double tolerance, const ErrorMeasure& measure, const Eigen::Ref<const MatrixX>& X,
               Eigen::Ref<MatrixX> V, int products = kAutomatic);

  /// E = e^X; otherwise like Apply.
  bool Compute(const Eigen::Ref<const MatrixX>& X, MatrixX* E, int products = kAutomatic);

  const ExponentialReport& report() const { return report_; }
  /// The balanced matrix is diag(d)^-1 X diag(d); powers of 2, of the last call.
  Eigen::Map<const VectorX> balance() const { return {d_.data(), n_}; }

 private:
  /// An approximant, by its place in the order of their products, and how often it is squared.
  struct Choice {
    int place = 0, squarings = 0;
    int products() const { return place + squarings; }
  };
  /// Balances X into X_, and chooses for full accuracy. False where the norm is too large.
  bool Prepare(const Eigen::Ref<const MatrixX>& X, int columns, Choice* full);
  /// Within a bound; not negative.
  static Choice Bound(const Choice& full, int products);
  void Resize(int n, int columns, int leading);

  /// C = A B or C += A B for matrices of the form of X.
  void Multiply(const AlignedVector& A, const AlignedVector& B, bool add, AlignedVector* C) const;
  /// The even polynomial c[0] + c[2] Y^2 + c[4] Y^4 + ... up to Y^(2 powers), times `scale`, for
  /// Y = unit X.
  void Even(std::span<const double> c, int powers, double scale, double unit, AlignedVector* out);
  /// Numerator (in even_) and denominator (in odd_, then factored) of an approximant of
  /// 2^-squarings X. Powers that are at hand are not made again.
  void MakePade(const Choice& choice);
  /// X = Q^-1 B of so many columns, with the factored denominator; B is lost.
  void SolveDenominator(int columns, double* B, double* X) const;
  /// out = P in for columns.
  void ApplyMatrix(const AlignedVector& P, const AlignedVector& in, AlignedVector* out) const;
  /// The approximant itself, squared so often, in E_.
  void FormPower(int squarings);
  /// image_ = e^X start_ by the approximant at hand.
  void ApplyPade(const Choice& choice);
  /// What the approximant at hand may be off by, beside the result; see the source.
  double EstimateError(const Choice& choice, const ErrorMeasure& measure, const MatrixX& result);
  void LoadColumns(const Eigen::Ref<const MatrixX>& V);
  template <class Out>
  void StoreColumns(const AlignedVector& from, Out* V) const;

  const DenseKernels* kernels_;
  ExponentialReport report_;
  int n_ = 0, columns_ = 0;
  int leading_ = 0;  // rows before those of N
  int stride_ = 0;
  int known_powers_ = 0;  // of power_
  AlignedVector X_, odd_, even_, E_, scratch_, L_;
  AlignedVector power_[4];                         // X^2, X^4, X^6, X^8
  AlignedVector start_, image_, error_, passing_;  // columns
  AlignedVector d_, d_inverse_, inverse_, live_;
  std::vector<int> pivots_;
  MatrixX result_, difference_;
};

}  // namespace slip
