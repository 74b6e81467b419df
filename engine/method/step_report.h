// What a formulation tells of a step's solve: figures with their captions. The Solver tab and
// meta.json show what is reported, whatever the formulation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/method/config.h"
#include "engine/method/solve_record.h"

namespace slip {

struct Figure {
  std::string_view id;       ///< "iterations"
  std::string_view caption;  ///< "Newton iterations"
  double value = 0;
  std::string suffix = {};       ///< what stands behind the number: "of 100"
  bool counts = true;            ///< it is a whole number
  std::string_view signal = {};  ///< name of the signal that is its curve; empty = none
  const char* tip = nullptr;
  /// The other factor of a size that is shown as a product, "12 × 40"; NaN = it is a number.
  double times = kNaN;
};

/// How many iterations the step took, of how many it may.
Figure IterationsFigure(const SolveSummary& solve, const StepParams& params,
                        std::string_view caption = "Iterations");
/// What is left of the balance that the step solves.
Figure BalanceFigure(const SolveSummary& solve, std::string_view caption);

struct StepReport {
  std::vector<Figure> figures;  ///< in the order in which they are shown, two in a row
  std::string status = {};      ///< a sentence above them, where the solve did not end as it should
  std::string remark = {};      ///< what to know of these steps, sentences
  // Of SolveRecord::history.
  double tolerance = 0;                         ///< on its residuals; 0 = nothing iterates
  std::string_view residual_unit = "relative";  ///< what they are in
  bool ends_with_result = false;  ///< its last entry is the result; else momentum_residual is
  bool has_search_lines = false;  ///< Formulation::Trace gives them
};

/// A step as a formulation reports it.
struct SolvedStep {
  const SolveSummary& solve;
  const StepParams& params;
  int loaded = 0;  ///< contacts that carry more than round-off
};

}  // namespace slip
