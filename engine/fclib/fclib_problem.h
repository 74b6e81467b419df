// Contact problems of the public collection FCLIB, in HDF5, as tasks of ours. With H sparse, rows
// of a contact in the order (n, t1, t2), u the velocities of the contacts and r their impulses:
//   M v = H r + f,   u = Hᵀ v + w,   K* ∋ u + μ |u_t| n  ⊥  r ∈ K
// A task has J = Hᵀ, v* = M⁻¹ f, bias w, and rows (t1, t2, n). Bodies are rigid there: the tasks
// are those of the rigid limit (rigid_limit.h).
#pragma once

#include <string>
#include <vector>

#include "engine/convex/contact_problem.h"
#include "engine/core/result.h"
#include "engine/fclib/fclib_message.h"

namespace slip {

struct FclibProblem {
  ContactTask task;  ///< in the rigid limit, of no particular model
  std::string title;
  int dimension = 3;       ///< of the space: in the plane, t2 has zeros
  int bodies = 0;          ///< blocks that are moved as one
  std::vector<int> place;  ///< of the file's coordinates in the task's
  /// The file's own answer, where it has one that is not zero.
  std::vector<Vec3> impulses;
};

/// Whether a file is to be read so: by its ending.
bool IsFclibName(const std::string& path);

/// Reads through a process of its own. One sentence whatever goes wrong, also for what a file asks
/// beyond: rolling friction, the local form, equalities.
Result<FclibProblem> ReadFclib(const std::string& path);

/// What a message says, checked: sizes, finite numbers, symmetric positive definite M, cones.
Result<FclibProblem> MakeFclibProblem(const FclibMessage& message, const std::string& path);

}  // namespace slip
