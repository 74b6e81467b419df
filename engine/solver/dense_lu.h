// LU factors of small square matrices without symmetry, by rows: with the sign of the determinant,
// and quick where the matrix is sparse in a good order.
#pragma once

#include <vector>

namespace slip {

/// Keeps its memory from matrix to matrix. Every number has one order of operations, whatever the
/// instruction set.
class DenseLu {
 public:
  /// Room for matrices of this order.
  void Reserve(int n);
  /// Memory for a matrix of order n, by rows n apart, not cleared: to be filled in.
  double* Start(int n);
  /// False where a pivot is zero or not a number. A pivot is the diagonal where that is no less
  /// than a tenth of its column: a good order is kept.
  bool Factorize();
  /// Of the determinant: 1 or -1.
  int sign() const { return sign_; }
  /// Whether round-off cannot have turned that: no pivot is next to nothing beside its row.
  bool certain() const { return certain_; }
  /// x := M^-1 x
  void Solve(double* x);

 private:
  double* Row(int k) { return entries_.data() + row_of_[static_cast<std::size_t>(k)] * n_; }

  int n_ = 0, sign_ = 1;
  bool certain_ = true;
  std::vector<double> entries_, scratch_;
  std::vector<int> row_of_, columns_;
};

}  // namespace slip
