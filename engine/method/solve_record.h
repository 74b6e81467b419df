// One step's solve, as plain data of fixed size.
#pragma once

#include <algorithm>
#include <array>

#include "engine/core/numbers.h"

namespace slip {

/// One Newton or interior-point iteration, for the solver panel.
struct IterationRecord {
  double cost;      ///< before the step; interior point: of the best Newton iterate [J]
  double residual;  ///< scaled momentum residual, relative [-]
  double alpha;     ///< line search step taken
  int line_search_iterations;
};
inline constexpr int kMaxRecordedIterations = 64;

/// Relative momentum residual above which an iterate is no solution: momentum of that part of an
/// island comes from nowhere [-].
inline constexpr double kLostResidual = 1e-2;

/// Energy that a step made beyond its balance: the motion's, what contacts store, less the work of
/// all that drives.
struct EnergyGain {
  double energy = 0;  ///< [J]
  /// Of the energy that the step handles: of motion and storage, and of half the fall in its time.
  double share = 0;
  int body = -1;  ///< the first one of the tree that gains most; -1 = no single one
};
/// Of that share, above which a step of contacts with anchors is made again as two halves.
inline constexpr double kGainOfAnchors = 0.05;
/// And above which a step of any other method is refused: what its contacts store says little.
inline constexpr double kGainOfOthers = 0.5;

/// What a step of contacts with anchors came to. Of several trees: of the one whose matrix has the
/// largest norm. Zeros where the method has no such part.
struct AnchorSummary {
  double raw_norm = 0;   ///< 1-norm of the matrix whose exponential was taken
  double norm = 0;       ///< the same after balancing
  int order = 0;         ///< of the exponential's Padé approximant
  int squarings = 0;     ///< of that
  int products = 0;      ///< of matrices, squarings included
  int clipped = 0;       ///< points whose mean force left the friction cone, of all trees
  int guard_passes = 0;  ///< how often it was solved again with other points sliding or open
  int pieces = 0;        ///< that it was made of, because it would gain energy; 0 = made at once
};

/// What a quasi-dynamic step's program came to. Zeros where the method has none.
struct ProgramSummary {
  int status = 0;      ///< QpStatus
  int rows = 0;        ///< inequalities
  double checked = 0;  ///< signed distances that chose its contacts
};

/// What a formulation wants to know again when it reports a step, and nobody else reads.
struct OwnNumbers {
  int count = 0;
  std::array<double, 8> value{};
};

/// What a step's solve came to.
struct SolveSummary {
  int iterations = 0;                 ///< of the hardest island, Newton and interior point
  int interior_point_iterations = 0;  ///< of these
  int line_search_iterations = 0;     ///< of the hardest island
  int islands = 0;                    ///< parts that were solved one by one
  int largest_island = 0;             ///< its trees
  int fallbacks = 0;                  ///< islands that needed the plain method's safety
  /// Sum over islands of iterations x share of the system's coordinates: factorisations of the
  /// whole.
  double equivalent_iterations = 0;
  int system_size = 0;  ///< velocity coordinates in the solve
  int contacts = 0;
  double cost = 0;
  double momentum_residual = 0;  ///< relative, at the end
  double worst_residual = 0;     ///< relative, of the worst island that did not converge
  /// Of a law without a potential where no solution was found: its step is the convex member's, and
  /// this is what is wrong with the bounds of its friction [N]; kUnstableMismatch where only an
  /// unstable solution (of index -1) was found, which that step is.
  double mismatch = 0;
  double inverse_dynamics_residual = 0;  ///< PCF section 6.1.4, primal form
  double condition_number = 1;           ///< kappa_2(D H D), D = diag(A)^(-1/2)
  double condition_number_raw = 1;       ///< kappa_2(H)
  bool converged = true;
  bool fallback = false;  ///< the factorisation needed help
  // of a step of controlled error (error_control.h); NaN = it is not one
  double inner_steps = kNaN, rejected_steps = kNaN;
  double solves = kNaN;       ///< steps of the formulation itself, tried ones included
  double floor_steps = kNaN;  ///< accepted at the smallest length, whatever their error
  double smallest_inner_step = kNaN, inner_step = kNaN;  ///< the last one [s]
  double inner_error = kNaN;                             ///< of the last one, over the accuracy
  /// Longest step at which contacts are stable as they touch: of the method itself, of explicit
  /// Euler where a method with anchors has no such limit [s]. NaN where nothing touches, where none
  /// was asked for, and of methods that do not know it.
  double stable_step = kNaN;
  EnergyGain gain;
  double made = 0;  ///< by the whole model, beyond its balance [J]
  OwnNumbers own;
  AnchorSummary anchors;
  ProgramSummary program;
};

/// Mismatch of a step that solves its law and is unstable: nothing is wrong with its bounds [N].
inline constexpr double kUnstableMismatch = 1e-12;

/// Record of one step's solve, fixed in size. Copies touch only the iterations that were recorded:
/// most steps have few.
struct SolveRecord : SolveSummary {
  int recorded = 0;  ///< filled entries of `history`, that of the hardest island
  std::array<IterationRecord, kMaxRecordedIterations> history;

  SolveRecord() {}
  SolveRecord(const SolveRecord& other) { *this = other; }
  SolveRecord& operator=(const SolveRecord& other) {
    SolveSummary::operator=(other);
    recorded = other.recorded;
    std::copy_n(other.history.begin(), recorded, history.begin());
    return *this;
  }
};

}  // namespace slip
