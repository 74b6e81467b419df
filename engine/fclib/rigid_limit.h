// Rigid contacts for models that take compliant ones: a linear law so stiff that it does not count,
// and a task that is solved again with what compliance and stiction tolerance gave way taken back,
// until the rigid complementarity itself holds (engine/README.md section 22).
#pragma once

#include <span>
#include <vector>

#include "engine/convex/convex.h"

namespace slip {

/// Linear law without damping of stiffness k_i = 1e6/(h² w_i), no overlap at the start, and a
/// stiction tolerance far below the velocities of the task. Its w must be set.
void SetRigidLimit(ContactTask* task);

/// Solves a task in the rigid limit with its model. One whose solution is that of the rigid
/// complementarity is solved again and again, until the residual's natural map is below `tolerance`
/// or falls no more; then it has not converged. The record's iterations are those of all passes.
SolveStatus SolveRigid(const ContactTask& task, SolverSettings settings, double tolerance,
                       ConvexSolver* solver, ContactSolution* solution);

/// Of the complementarity  K* ∋ u + μ |u_t| n  ⊥  γ ∈ K,  u = J v + b - v_law n, with the
/// velocities that belong to these impulses. Both are sqrt(Σ w |.|²) over sqrt(Σ w |γ|²).
struct NcpResidual {
  double natural_map = 0;    ///< of γ - P_K(γ - (u + μ |u_t| n)/w)
  double alart_curnier = 0;  ///< of γ_n - max(0, γ_n - u_n/w) and γ_t - P_D(γ_t - u_t/w)
};
/// v_law: normal velocity at which each contact's law gives its impulse; empty: all are rigid.
NcpResidual CalcNcpResidual(const ContactTask& task, const ContactSolution& solution,
                            std::span<const double> v_law);
/// Of each contact, as model and law of the task have it.
std::vector<double> CalcLawVelocities(const ContactTask& task, const ContactSolution& solution);

}  // namespace slip
