// Convex quadratic programs solved by other means than an interior point: oracles and a peer.
#pragma once

#include <vector>

#include "engine/solver/convex_qp.h"

namespace slip::test {

/// The dual active set method of D. Goldfarb and A. Idnani (A numerically stable dual method for
/// solving strictly convex quadratic programs, 1983), from no active row. Plain loops over arrays
/// of its own, which are kept: calls of the same size allocate nothing.
class ActiveSetQp {
 public:
  enum class Status { kSolved, kInfeasible, kGivenUp };
  Status Solve(const ConvexQp& qp);
  const VectorX& x() const { return x_; }
  const VectorX& lambda() const { return lambda_; }
  int iterations() const { return iterations_; }

 private:
  void Resize(int n, int m);
  bool Start(const ConvexQp& qp);
  void CalcDirections(const double* row);
  bool Add(int row);
  void Drop(int place);

  int n_ = 0, m_ = 0, active_ = 0, iterations_ = 0;
  VectorX x_, lambda_, z_, d_, r_, u_, norms_;
  MatrixX J_, R_, rows_;  // J^T H J = 1; active rows are J R; A by rows, as columns
  std::vector<int> set_;
  std::vector<char> is_active_;
};

/// The optimum by trying every set of at most n rows as the active one, with a dense solution of
/// each KKT system. For small problems. False where no point holds all rows.
bool EnumerateActiveSets(const ConvexQp& qp, VectorX* x, VectorX* lambda);

}  // namespace slip::test
