// Contact problems of FCLIB: whatever the process that reads HDF5 may say, and the rigid solves of
// what it makes. That process is a library of others with limits of its own, and is not fuzzed.
#include "engine/contact/contact_models.h"
#include "engine/fclib/fclib_problem.h"
#include "engine/fclib/rigid_limit.h"
#include "tests/fuzz/oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace slip;
  using namespace slip::fuzz;
  constexpr int kMostCoordinates = 60, kMostContacts = 20;
  static ConvexSolver solver;
  const std::optional<FclibMessage> message = DecodeFclib(TextOf(data, size));
  if (!message) return 0;
  Require(DecodeFclib(EncodeFclib(*message)).has_value(), "a message as written reads back");
  const Result<FclibProblem> read = MakeFclibProblem(*message, "fuzz.hdf5");
  if (!read) {
    RequireErrors(read.errors());
    return 0;
  }
  ContactTask task = read->task;
  if (task.nv > kMostCoordinates || task.contacts.size() > kMostContacts) return 0;
  task.model.contact_model = static_cast<int>(size % kAllModelCount);
  SolverSettings settings;
  settings.max_iterations = 20;
  ContactSolution solution;
  const SolveStatus status = SolveRigid(task, settings, 1e-8, &solver, &solution);
  if (status != SolveStatus::kConverged && status != SolveStatus::kIterationLimit) return 0;
  Require(solution.v.allFinite(), "solution");
  Require(!std::isnan(CalcNcpResidual(task, solution, {}).natural_map), "residual");
  return 0;
}
