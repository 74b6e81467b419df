// One step's contact problem as a file ("slipscope.problem/1"), so that any solver can be set the
// same task.
#pragma once

#include <string>
#include <string_view>

#include "engine/convex/contact_problem.h"
#include "engine/core/result.h"

namespace slip {

class JsonWriter;

inline constexpr std::string_view kProblemSchema = "slipscope.problem/1";

/// JSON text with the solution that the problem carries. Deterministic: no times.
std::string FormatProblem(const ContactProblem& problem);

/// Writes the keys of a problem's solution into an object that is open.
void WriteSolution(const ContactProblem& problem, JsonWriter* json);

/// A problem as read: the solution of the file, if it has one, beside the task.
struct ProblemFile {
  ContactProblem problem;  ///< v = v0: ready to be solved
  bool has_solution = false;
  VectorX v;  ///< solution in the file
  std::vector<Vec3> impulses;
};

/// Reads and checks: sizes, finite numbers, symmetric positive definite A, tree indices.
/// Unknown keys are errors unless they start with "x-".
Result<ProblemFile> ReadProblem(const std::string& path);
Result<ProblemFile> ReadProblemText(std::string_view text, const std::string& name);

/// "path=value[unit]" for a problem: parameters of the step, and those of materials for all
/// contacts at once. method and normal_law included.
Status ApplyProblemAssignment(ContactProblem* problem, std::string_view assignment);

}  // namespace slip
