// One step's contact problem as a file ("slipscope.problem/1"), so that any solver can be set the
// same task.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/convex/contact_problem.h"
#include "engine/core/result.h"

namespace slip {

class JsonWriter;

inline constexpr std::string_view kProblemSchema = "slipscope.problem/1";

/// JSON text of task, settings and solution. Deterministic: no times.
std::string FormatProblem(const ContactProblem& problem);

/// Writes the keys of a solution of this task into an object that is open.
void WriteSolution(const ContactTask& task, const ContactSolution& solution, JsonWriter* json);

/// A problem as read.
struct ProblemFile {
  ContactProblem problem;  ///< its solution is that of the file: velocities and impulses only
  bool has_solution = false;
};

/// Reads and checks: sizes, finite numbers, symmetric positive definite A, tree indices.
/// Unknown keys are errors unless they start with "x-".
Result<ProblemFile> ReadProblem(const std::string& path);
Result<ProblemFile> ReadProblemText(std::string_view text, const std::string& name);

/// Takes what round-off an inertia's two triangles differ by out of it. False when they differ by
/// more, entry by entry on the scale of the diagonal, or when it is not positive definite.
bool MakeInertia(int n, std::vector<double>* A);

/// "path=value[unit]" for a problem: parameters of the step, and those of materials for all
/// contacts at once. method and normal_law included.
Status ApplyProblemAssignment(ContactTask* task, SolverSettings* settings,
                              std::string_view assignment);

}  // namespace slip
