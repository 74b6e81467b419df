// Symmetric matrices over the coordinates of a kinematic tree: an entry stands only where one of
// its two coordinates is on the way from the root to the other. The factor has no more
// (Featherstone, Rigid Body Dynamics Algorithms, 2008, sections 6.3 to 6.5: branch-induced
// sparsity, LᵀDL).
#pragma once

#include <span>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/core/types.h"

namespace slip {

/// The lower triangle is stored by rows, each from the root's column to its own: the row of a
/// coordinate on the way has the same columns as the beginning of the rows behind it, so that all
/// sums are over runs of numbers. Up to three coordinates that follow each other share a pass over
/// the way before them.
class TreePattern {
 public:
  /// before[k]: the coordinate before k on the way to the root, less than k; -1 = none.
  void Assign(std::span<const int> before);

  int size() const { return static_cast<int>(before_.size()); }
  int entries() const { return static_cast<int>(paths_.size()); }
  int Before(int k) const { return At(before_, k); }
  /// Columns of row k: the way from the root to k, k included.
  std::span<const int> Path(int k) const {
    return {paths_.data() + At(begin_, k), ToIndex(Length(k))};
  }
  int Length(int k) const { return begin_[ToIndex(k) + 1] - At(begin_, k); }
  /// Place of the first entry of row k, and of its last one, on the diagonal.
  int Begin(int k) const { return At(begin_, k); }
  int Diagonal(int k) const { return begin_[ToIndex(k) + 1] - 1; }

  /// To a full matrix of size() rows.
  void Unpack(const double* M, double* full) const;
  /// y = M x.
  void Multiply(const double* M, const double* x, double* y) const;
  /// M += Jᵀ G J of three rows J of Length(k) entries along the way to k, G symmetric.
  void AddSquare(int k, const double* J, const Mat3& G, double* M) const;
  /// M becomes D⁻¹ on the diagonal and L below it, M = LᵀDL; false when it is not positive
  /// definite.
  bool Factorize(double* M) const;
  /// x := L⁻ᵀ x for x with entries on the way to k alone, Length(k) of them: so has the result.
  void SolveOnWay(const double* L, int k, double* x) const;
  /// x := M⁻¹ x with the factor.
  void Solve(const double* L, double* x) const;

 private:
  /// Consecutive coordinates, each on the way to the next.
  struct Run {
    int first = 0, count = 0;
  };
  // Where the rows of a run begin, and the way to it.
  template <int kRows>
  struct Rows;
  // Calls fn(Rows) for a run; for the runs in order, or the last one first, while it returns true.
  template <class Fn>
  bool Call(const Run& run, Fn& fn) const;
  template <class Fn>
  bool ForEachRun(Fn&& fn) const;
  template <class Fn>
  bool ForEachRunBackwards(Fn&& fn) const;

  std::vector<int> before_, begin_, paths_;
  std::vector<Run> runs_;
};

}  // namespace slip
