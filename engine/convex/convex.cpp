// The driver: who solves which island, and what is reported of it.
#include "engine/convex/convex.h"

#include <algorithm>
#include <cmath>

#include "engine/contact/contact_models.h"
#include "engine/convex/condition.h"
#include "engine/convex/coulomb_report.h"
#include "engine/convex/island_solver.h"
#include "engine/core/numbers.h"
#include "engine/method/config.h"

namespace slip {
namespace {

// Islands of one batch have together about as many contacts: a thread takes one at a time.
constexpr int kBatch = 32;
// Contacts outside of the largest island below which one thread solves all (measured: some 0.7 us
// each).
constexpr int kWorthSharing = 128;

}  // namespace

struct ConvexSolver::Impl {
  // Consecutive islands.
  struct Batch {
    int begin = 0, end = 0, contacts = 0;
  };

  IslandSystem system;
  ConditionEstimator condition;
  WorkerPool* workers = nullptr;
  std::vector<IslandSolver> solvers = std::vector<IslandSolver>(1);  // per worker
  std::vector<IslandResult> results;                                 // per island
  std::vector<Batch> batches;
  VectorX best;
  MatrixX hessian;
  int culprit = -1;
  bool exact_hessians = false;  // the contacts still hold the exact ones of the solution

  // The Hessian of l at the solution: not the one of the last iteration, whose slip directions are
  // dual.
  void AssembleExact() {
    const Island& whole = system.whole();
    if (!exact_hessians)
      system.passes().evaluate(system.frozen(whole), system.work(whole), whole.contacts());
    system.Assemble(whole, true);
  }

  bool PlanBatches();
  void SolveIslands(const ContactTask& task, const SolverSettings& settings, const Island* islands,
                    int count, const IslandSolver::Options& options);
  SolveStatus Gather(const Island* islands, int count, SolveRecord* record);
  void GatherCoulomb(const Island* islands, int count, SolveRecord* record) const;
  SolveStatus Solve(const ContactTask& task, const SolverSettings& settings,
                    const ContactPasses& passes, ContactSolution* solution, SolveTrace* trace);
};

// Large islands first, so that nobody is left with one at the end; false when one thread is as
// fast. Depends on the contact graph alone.
bool ConvexSolver::Impl::PlanBatches() {
  if (workers == nullptr || workers->workers() == 1) return false;
  batches.clear();
  int largest = 0, all = 0;
  Batch batch;
  const auto& islands = system.islands();
  for (int i = 0; i < static_cast<int>(islands.size()); ++i) {
    const int contacts = At(islands, i).work();
    all += contacts;
    largest = std::max(largest, contacts);
    if (batch.contacts > 0 && batch.contacts + contacts > kBatch) {
      batches.push_back(batch);
      batch = {i, i, 0};
    }
    batch.end = i + 1;
    batch.contacts += contacts;
  }
  if (batch.contacts > 0) batches.push_back(batch);
  if (all - largest < kWorthSharing) return false;
  std::sort(batches.begin(), batches.end(), [](const Batch& a, const Batch& b) {
    return a.contacts != b.contacts ? a.contacts > b.contacts : a.begin < b.begin;
  });
  // who meets the largest island is chance: all are ready for it
  if (system.passes().conic) {
    for (IslandSolver& solver : solvers) solver.Reserve(largest, system.whole().scalars());
  }
  if (system.passes().coupled) {
    int rows = 0;
    for (const Island& island : islands) rows = std::max(rows, island.rows());
    for (IslandSolver& solver : solvers)
      solver.ReserveCoupled(largest, rows, system.order().rows());
  }
  return true;
}

// Every island with contacts has its result, or the first ones up to one that failed.
void ConvexSolver::Impl::SolveIslands(const ContactTask& task, const SolverSettings& settings,
                                      const Island* islands, int count,
                                      const IslandSolver::Options& options) {
  for (IslandSolver& solver : solvers) solver.Begin();
  results.resize(static_cast<std::size_t>(count));
  best.resize(system.order().rows());
  const auto solve = [&](int i, IslandSolver* solver) {
    if (!islands[i].loaded()) return true;
    IslandResult& result = At(results, i);
    result = solver->Solve(task, settings, islands[i], i, options, &system, &best);
    return result.failure == SolveStatus::kConverged;
  };
  if (!options.plain && PlanBatches()) {
    workers->ForEach(static_cast<int>(batches.size()), [&](int k, int worker) {
      const Batch& batch = At(batches, k);
      IslandSolver* solver = &At(solvers, worker);
      for (int i = batch.begin; i < batch.end; ++i) (void)solve(i, solver);
    });
    return;
  }
  for (int i = 0; i < count; ++i) {
    if (!solve(i, &solvers.front())) return;
  }
}

// The record: sums over islands in their order, whoever solved them. The first failure counts.
SolveStatus ConvexSolver::Impl::Gather(const Island* islands, int count, SolveRecord* out) {
  SolveRecord& record = *out;
  double residual = 0, momentum = 0, impulse = 0;
  for (int i = 0; i < count; ++i) {
    const Island& island = islands[i];
    if (!island.loaded()) {
      const IslandNumbers& numbers = system.numbers();
      RowsOf(island, system.v()) = RowsOf(island, numbers.v_star());
      const double norm =
          RowsOf(island, numbers.Av_star()).cwiseProduct(RowsOf(island, numbers.D())).norm();
      momentum += norm * norm;
      continue;
    }
    ++record.islands;
    record.largest_island = std::max(record.largest_island, island.trees());
    const IslandResult& own = At(results, i);
    if (own.failure != SolveStatus::kConverged) {
      culprit = own.culprit;
      return own.failure;
    }
    record.converged = record.converged && own.converged;
    if (!own.converged && own.relative > record.worst_residual) {
      record.worst_residual = own.relative;
      culprit = own.culprit;
    }
    record.fallback = record.fallback || own.helped;
    record.fallbacks += own.fell_back;
    exact_hessians = exact_hessians && own.exact;
    record.cost += own.cost;
    residual += own.residual * own.residual;
    momentum += own.momentum * own.momentum;
    impulse += own.impulse * own.impulse;
    record.equivalent_iterations += own.iterations * static_cast<double>(island.rows()) /
                                    static_cast<double>(system.order().rows());
  }
  if (!system.whole().loaded()) return SolveStatus::kConverged;
  const double scale = std::sqrt(std::max(momentum, impulse));
  record.momentum_residual = scale > 0 ? std::sqrt(residual) / scale : std::sqrt(residual);
  record.inverse_dynamics_residual = impulse > 0 ? std::sqrt(residual / impulse) : 0;
  return SolveStatus::kConverged;
}

// What the report of a law without a potential reads (coulomb_report.h): the worst of its islands.
void ConvexSolver::Impl::GatherCoulomb(const Island* islands, int count,
                                       SolveRecord* record) const {
  CoulombNumbers sum;
  for (int i = 0; i < count; ++i) {
    if (!islands[i].loaded()) continue;
    const CoulombOutcome& own = At(results, i).coulomb;
    const bool none = own.stage >= CoulombOutcome::kNone;
    sum.relative = std::max(sum.relative, own.relative);
    sum.newtons = std::max(sum.newtons, own.newtons);
    sum.stage = std::max(sum.stage, own.stage);
    sum.folds += own.folds;
    if (own.index == 0 && !none) ++sum.untested;
    if (own.several) ++sum.several;
    if (none) ++sum.unsolved;
    if (own.round_off) ++sum.round_off;
    if (own.round_off) record->worst_residual = std::max(record->worst_residual, own.relative);
    record->mismatch = std::max(record->mismatch, own.mismatch);
  }
  record->own = sum.Pack();
}

SolveStatus ConvexSolver::Impl::Solve(const ContactTask& task, const SolverSettings& settings,
                                      const ContactPasses& passes, ContactSolution* solution,
                                      SolveTrace* trace) {
  culprit = -1;
  exact_hessians = true;
  solution->v = task.v0;
  solution->impulses.assign(task.contacts.size(), Vec3::Zero());
  SolveRecord& record = solution->record = SolveRecord{};
  record.system_size = task.nv;
  record.contacts = static_cast<int>(task.contacts.size());
  system.Load(task, passes);
  if (!system.numbers().v_star().allFinite()) return SolveStatus::kNotFinite;

  const bool loaded = system.whole().loaded();
  const bool plain = settings.solver == SolverId::kPlain && loaded && !passes.coupled;
  system.hessian().SetWhole(passes.coupled);
  const Island* islands = plain ? &system.whole() : system.islands().data();
  const int count = plain ? 1 : static_cast<int>(system.islands().size());
  SolveIslands(task, settings, islands, count, {.plain = plain, .trace = trace != nullptr});
  const SolveStatus solved = Gather(islands, count, &record);
  if (solved != SolveStatus::kConverged) return solved;
  if (passes.coupled) GatherCoulomb(islands, count, &record);
  if (loaded) {
    const IslandSolver* hardest = &solvers.front();
    for (const IslandSolver& solver : solvers) {
      if (solver.HarderThan(*hardest)) hardest = &solver;
    }
    const IslandRecord& hard = hardest->hardest_record();
    const Island& hardest_island = islands[hardest->hardest()];
    record.iterations = hard.iterations;
    record.interior_point_iterations = hard.interior_point_iterations;
    record.line_search_iterations = hard.line_search_iterations;
    record.recorded = hard.recorded;
    std::copy(hard.history.begin(), hard.history.begin() + hard.recorded, record.history.begin());
    // back to the constants of the laws' own potentials
    const double total = passes.cost_offset(system.frozen(system.whole()), record.contacts);
    const double offset =
        hardest_island.contacts() == record.contacts
            ? total
            : passes.cost_offset(system.frozen(hardest_island), hardest_island.contacts());
    record.cost += total;
    for (int i = 0; i < record.recorded; ++i) {
      At(record.history, i).cost += offset;
    }
    if (trace != nullptr) {
      trace->lines = hard.lines;
      for (SearchLine& line : trace->lines) line.cost += offset;
    }
  }
  system.Store(solution);
  if (!solution->v.allFinite()) return SolveStatus::kNotFinite;
  // where nothing moves there is no matrix
  if (settings.estimate_condition && solution->v.size() > 0) {
    AssembleExact();
    condition.Compute(&system, &record.condition_number, &record.condition_number_raw);
  }
  return record.converged ? SolveStatus::kConverged : SolveStatus::kIterationLimit;
}

ConvexSolver::ConvexSolver() : impl_(std::make_unique<Impl>()) {}
ConvexSolver::~ConvexSolver() = default;
ConvexSolver::ConvexSolver(ConvexSolver&&) noexcept = default;
ConvexSolver& ConvexSolver::operator=(ConvexSolver&&) noexcept = default;

SolveStatus ConvexSolver::Solve(const ContactTask& task, const SolverSettings& settings,
                                ContactSolution* solution, SolveTrace* trace) {
  const SolveStatus status =
      VisitContactModel(task.model.contact_model, task.model.normal_law, [&]<class M, class L>() {
        static constexpr ContactPasses kPasses[] = {MakePasses<M, L, false>(),
                                                    MakePasses<M, L, true>()};
        return impl_->Solve(task, settings, kPasses[task.spinning], solution, trace);
      });
  solution->record.converged = status == SolveStatus::kConverged;
  return status;
}

void ConvexSolver::SetWorkers(WorkerPool* workers) {
  impl_->workers = workers;
  const std::size_t count = workers == nullptr ? 1 : static_cast<std::size_t>(workers->workers());
  if (impl_->solvers.size() < count) impl_->solvers.resize(count);
}

void ConvexSolver::SetExpensiveFill(int products) {
  impl_->system.hessian().SetExpensiveFill(products);
}

int ConvexSolver::culprit() const { return impl_->culprit; }

const MatrixX& ConvexSolver::hessian() const {
  impl_->AssembleExact();
  ConditionEstimator::ToDense(&impl_->system, &impl_->hessian);
  return impl_->hessian;
}

ContactPrediction Predict(const ModelChoice& model, const ContactStart& start,
                          const ContactLoad& load) {
  return VisitContactModel(model.contact_model, model.normal_law, [&]<class M, class>() {
    return M::Predict(M::Freeze(model.params, start), start, load);
  });
}

double CalcElasticEnergy(const ModelChoice& model, const ContactStart& start, double phi) {
  return VisitContactModel(model.contact_model, model.normal_law, [&]<class M, class>() {
    return M::ElasticEnergy(M::Freeze(model.params, start), start, phi);
  });
}

}  // namespace slip
