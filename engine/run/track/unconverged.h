// Steps that were made although their method did not reach what it was asked for, by the reason.
#pragma once

#include <cstdint>

#include "engine/core/result.h"
#include "engine/method/solve_record.h"

namespace slip {

struct Unconverged {
  int64_t residual = 0;     ///< the solver ended above its tolerance
  double worst = 0;         ///< relative residual of these; 0 = not known
  int64_t unsolved = 0;     ///< exact friction: no solution was found, a Lagged step was taken
  double mismatch = 0;      ///< of these, the largest [N]
  int64_t accuracy = 0;     ///< controlled error: an inner step of the smallest length was taken,
                            ///< whatever its error
  int64_t overlapping = 0;  ///< quasi-dynamic: no motion keeps all contacts apart

  /// One more step that did not converge, or was refused for its residual.
  void Add(const SolveRecord& solve);
  void Add(const Unconverged& other);
  int64_t total() const { return residual + unsolved + accuracy + overlapping; }

  /// A sentence for each reason that there is, in `message`; what to do in `hint`.
  ErrorList Sentences() const;
};

/// Why a step of this record did not converge, a phrase: "after 5 iterations, residual 3e-4".
std::string WhyUnconverged(const SolveRecord& solve);

}  // namespace slip
