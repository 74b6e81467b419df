// The convex step by dense Newton with the exact Hessian: slow, short and of its own making, to
// judge the solver that ships.
#pragma once

#include "engine/convex/contact_problem.h"

namespace slip::test {

struct OracleSolution {
  VectorX v;
  MatrixX hessian;  ///< at v
  double cost = 0;
  double residual = 0;  ///< ||D grad|| / max(||D A v||, ||D J^T gamma||)
  int iterations = 0;
};

/// Iterates from `guess` until the relative residual is below `tolerance` or stops falling.
OracleSolution SolveDense(const ContactTask& task, const VectorX& guess, double tolerance,
                          int max_iterations = 300);

/// Bound on the relative error of v in the norm of A, for diagonal A. H >= A makes it
/// rigorous: |v - v_opt|_A <= |grad|_(A^-1).
double CalcErrorBound(const ContactTask& task, const VectorX& v);

/// kappa_2 of D H D and of H, all eigenvalues computed.
void CalcDenseCondition(const ContactTask& task, const MatrixX& H, double* scaled, double* raw);

}  // namespace slip::test
