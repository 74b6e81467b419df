// Threads inside a step: for any number of them the same bits, the same failures, no allocation.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "engine/convex/convex.h"
#include "engine/core/hash.h"
#include "engine/core/worker_pool.h"
#include "engine/run/scope/scope.h"
#include "engine/run/study/run_plan.h"
#include "engine/run/track/share_steps.h"
#include "engine/scene/scene.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/methods.h"

namespace slip::test {
namespace {

constexpr MethodId kModels[] = {method_id::kSap, method_id::kLagged, method_id::kSimilar};

std::shared_ptr<const Scene> Load(const char* name) {
  const auto scene = FindScene(name);
  EXPECT_TRUE(scene.ok());
  return *scene;
}

Config With(const Scene& scene, MethodId model, const char* path = nullptr, double bodies = 0) {
  Config config = scene.config;
  config.step.method = static_cast<int>(model);
  if (path != nullptr) EXPECT_TRUE(SetParam(&config, path, bodies).ok());
  return config;
}

void ExpectSame(const SolveRecord& a, const SolveRecord& b) {
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.interior_point_iterations, b.interior_point_iterations);
  EXPECT_EQ(a.line_search_iterations, b.line_search_iterations);
  EXPECT_EQ(a.islands, b.islands);
  EXPECT_EQ(a.largest_island, b.largest_island);
  EXPECT_EQ(a.fallbacks, b.fallbacks);
  EXPECT_EQ(a.equivalent_iterations, b.equivalent_iterations);
  EXPECT_EQ(a.cost, b.cost);
  EXPECT_EQ(a.momentum_residual, b.momentum_residual);
  EXPECT_EQ(a.inverse_dynamics_residual, b.inverse_dynamics_residual);
  EXPECT_EQ(a.condition_number, b.condition_number);
  EXPECT_EQ(a.converged, b.converged);
  EXPECT_EQ(a.fallback, b.fallback);
  ASSERT_EQ(a.recorded, b.recorded);
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.recorded); ++i) {
    EXPECT_EQ(a.history[i].cost, b.history[i].cost) << "iteration " << i;
    EXPECT_EQ(a.history[i].residual, b.history[i].residual) << "iteration " << i;
  }
}

// Steps one simulation alone and others with 2, 3 and 8 workers; each pool must have been of use
// for `shared` loops at least.
void ExpectSameSteps(const Scene& scene, const Config& config, int steps, unsigned shared) {
  const auto model = scene.ModelFor(config);
  Simulation alone(model, config);
  std::vector<std::unique_ptr<WorkerPool>> pools;
  std::vector<Simulation> others;
  for (const int workers : {2, 3, 8}) {
    pools.push_back(std::make_unique<WorkerPool>(workers));
    others.emplace_back(model, config);
    others.back().SetWorkers(pools.back().get());
  }
  for (int i = 0; i < steps; ++i) {
    const StepStatus status = alone.Step();
    ASSERT_TRUE(Advanced(status)) << alone.failure();
    for (std::size_t k = 0; k < others.size(); ++k) {
      SCOPED_TRACE("step " + std::to_string(i) + ", " + std::to_string(pools[k]->workers()) +
                   " workers");
      ASSERT_EQ(others[k].Step(), status);
      ASSERT_EQ(Hash(others[k].state()), Hash(alone.state()));
      ExpectSame(others[k].solve(), alone.solve());
      if (testing::Test::HasFailure()) return;
    }
  }
  for (const auto& pool : pools) EXPECT_GE(pool->shared(), shared) << pool->workers() << " workers";
}

TEST(Workers, ClutterOfFortyForThousandStepsLong) {
  const auto scene = Load("clutter");
  for (const MethodId model : kModels) {
    SCOPED_TRACE(Info(model).label);
    ExpectSameSteps(*scene, With(*scene, model), 1000, 50);
  }
}

TEST(Workers, FallingPileOfFourHundredLong) {
  const auto scene = Load("clutter");
  for (const MethodId model : kModels) {
    SCOPED_TRACE(Info(model).label);
    ExpectSameSteps(*scene, With(*scene, model, "pile.objects.bodies", 400), 80, 100);
  }
}

TEST(Workers, BallPitOfManyIslands) {
  const auto scene = Load("ball-pit");
  Config config = With(*scene, method_id::kSap, "pile.balls.bodies", 1200);
  ExpectSameSteps(*scene, config, 20, 40);
}

// Pairs of bodies that rest on the ground: an island each, with three contacts.
ContactProblem Pairs(int count, NormalLawId law) {
  ContactProblem p;
  p.task.h = 0.01;
  p.task.model.contact_model = static_cast<int>(method_id::kLagged);
  p.task.model.normal_law = static_cast<int>(law);
  for (int t = 0; t < 2 * count; ++t) p.task.AddTree(6);
  p.task.Resize();
  for (const auto& tree : p.task.trees) {
    for (int i = 0; i < 6; ++i) p.task.A[static_cast<std::size_t>(tree.A_offset + 7 * i)] = 1;
    p.task.v_star[tree.start + 5] = -0.1;
  }
  const auto add = [&](int a, int b) {
    ContactTask::Contact& c = p.task.AddContact(a, b);
    for (int r = 0; r < 3; ++r) {
      p.task.J[static_cast<std::size_t>(c.J_b + 6 * r + 3 + r)] = 1;
      if (a >= 0) p.task.J[static_cast<std::size_t>(c.J_a + 6 * r + 3 + r)] = -1;
    }
    c.start.h = p.task.h;
    c.start.mu = 0.5;
    c.start.phi0 = 1e-3 * (1 + b % 7);
    c.start.law = {1e4, 1e6, 1, 0.01, 0.1, 0.02};
    p.task.CalcDelassus(&c);
  };
  for (int i = 0; i < count; ++i) {
    add(-1, 2 * i);
    add(-1, 2 * i + 1);
    add(2 * i, 2 * i + 1);
  }
  return p;
}

struct Outcome {
  SolveStatus status;
  int culprit;
  SolveRecord record;
  VectorX v;
};
Outcome Solve(ContactProblem p, WorkerPool* workers) {
  ConvexSolver solver;
  solver.SetWorkers(workers);
  const SolveStatus status = solver.Solve(&p);
  return {status, solver.culprit(), p.solution.record, p.solution.v};
}

// Expects this end, with and without threads; culprit -1 means that none is named.
void ExpectEnd(const ContactProblem& problem, SolveStatus status, int culprit) {
  const Outcome alone = Solve(problem, nullptr);
  EXPECT_EQ(alone.status, status);
  EXPECT_EQ(alone.culprit, culprit);
  for (const int workers : {2, 3, 8}) {
    WorkerPool pool(workers);
    for (int round = 0; round < 20; ++round) {
      const Outcome shared = Solve(problem, &pool);
      ASSERT_EQ(shared.status, status);
      ASSERT_EQ(shared.culprit, culprit);
      ExpectSame(shared.record, alone.record);
      ASSERT_EQ(shared.v, alone.v);
    }
    EXPECT_EQ(pool.shared(), 20u);
  }
}

TEST(Workers, TheFirstFailureInOrderIsTheOneReported) {
  constexpr int kPairs = 120;
  ExpectEnd(Pairs(kPairs, NormalLawId::kLogBarrier), SolveStatus::kConverged, -1);

  // islands follow their first body; contact c belongs to pair c / 3
  const auto overlap = [](ContactProblem* p, int contact) {
    p->task.contacts[static_cast<std::size_t>(contact)].start.phi0 = -1e-3;
  };
  const auto lose = [](ContactProblem* p, int contact) {
    p->task.contacts[static_cast<std::size_t>(contact)].bias.x() = std::nan("");
  };
  ContactProblem p = Pairs(kPairs, NormalLawId::kLogBarrier);
  for (const int contact : {301, 200, 101}) overlap(&p, contact);
  ExpectEnd(p, SolveStatus::kInfeasible, 101);
  p = Pairs(kPairs, NormalLawId::kKelvinVoigt);
  for (const int contact : {340, 80, 76}) lose(&p, contact);
  ExpectEnd(p, SolveStatus::kNotFinite, 76);
  p = Pairs(kPairs, NormalLawId::kLogBarrier);
  overlap(&p, 20);
  lose(&p, 50);
  ExpectEnd(p, SolveStatus::kInfeasible, 20);
  p = Pairs(kPairs, NormalLawId::kLogBarrier);
  lose(&p, 20);
  overlap(&p, 50);
  ExpectEnd(p, SolveStatus::kNotFinite, 20);
}

// Trees of other sizes have scratch of their own.
TEST(Workers, TreesOfAnySizeAreShared) {
  ContactProblem p;
  p.task.h = 0.01;
  const int sizes[] = {3, 6, 18, 1, 7};
  for (int t = 0; t < 300; ++t) {
    const int n = sizes[t % 5];
    p.task.AddTree(n);
    // every third one leans on its neighbour
    const int other = t % 3 == 2 ? t - 1 : -1;
    ContactTask::Contact& c = p.task.AddContact(other, t);
    for (int r = 0; r < 3; ++r) p.task.J[static_cast<std::size_t>(c.J_b + r * n + r % n)] = 1;
    const int m = other < 0 ? 0 : sizes[other % 5];
    for (int r = 0; r < 3 && m > 0; ++r)
      p.task.J[static_cast<std::size_t>(c.J_a + r * m + (m - 1 - r % m))] = -1;
    c.start.h = p.task.h;
    c.start.mu = 0.5;
    c.start.phi0 = -1e-4 * (1 + t % 5);
    c.start.law = {1e4, 1e6, 1, 0.01, 0.1, 0.02};
    p.task.scalars.push_back({t, n - 1, 0.01 * (t % 7), 5, -0.02, 0.03});
  }
  p.task.Resize();
  for (const auto& tree : p.task.trees) {
    for (int i = 0; i < tree.nv; ++i)
      p.task.A[static_cast<std::size_t>(tree.A_offset + (tree.nv + 1) * i)] = 1 + 0.1 * i;
  }
  for (auto& c : p.task.contacts) p.task.CalcDelassus(&c);
  WorkerPool pool(3);
  const Outcome alone = Solve(p, nullptr), shared = Solve(p, &pool);
  EXPECT_EQ(alone.status, SolveStatus::kConverged);
  EXPECT_EQ(shared.v, alone.v);
  EXPECT_GT(pool.shared(), 0u);
}

// Allocations of every thread of the pool so far.
std::vector<std::size_t> Allocations(WorkerPool* pool) {
  const int workers = pool->workers();
  std::vector<std::size_t> counts(static_cast<std::size_t>(workers));
  std::atomic<int> arrived{0};
  // each call waits for all the others, so every thread makes one
  pool->ForEach(workers, [&](int, int worker) {
    counts[static_cast<std::size_t>(worker)] = AllocationCount();
    ++arrived;
    while (arrived.load() < workers) std::this_thread::yield();
  });
  return counts;
}

TEST(Workers, NobodyAllocatesAfterWarmUp) {
  const auto scene = Load("clutter");
  for (const MethodId model : {method_id::kSap, method_id::kSimilar}) {
    const Config config = With(*scene, model, "pile.objects.bodies", 400);
    WorkerPool pool(3);
    Simulation sim(scene->ModelFor(config), config);
    sim.SetWorkers(&pool);
    sim.SetMeasureCondition(false);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(Advanced(sim.Step()));
    // who does what is chance: the same step again and again
    const StepRecord start = sim.now();
    const auto repeat = [&](int times) {
      for (int i = 0; i < times; ++i) {
        sim.Restore(start, config);
        (void)sim.Step();
      }
    };
    repeat(3);
    auto before = Allocations(&pool);
    const unsigned shared = pool.shared();
    repeat(10);
    const unsigned loops = pool.shared() - shared;
    auto after = Allocations(&pool);
    // the count itself makes one vector, on this thread
    --after.front();
    EXPECT_EQ(after, before) << Info(model).label;
    EXPECT_GE(loops, 20u);  // contacts and islands
  }
}

// A channel alone has the threads inside its steps; its neighbours would have taken them.
TEST(Workers, ScopeOfOneChannelIsTheSameForAnyNumber) {
  const auto scene = Load("ball-pit");
  std::vector<uint64_t> hashes[2];
  for (const int workers : {1, 4}) {
    Scope scope({}, std::size_t{8} << 20, workers);
    scope.Apply(LoadScene{scene});
    scope.Apply(SetParamCommand{-1, "pile.balls.bodies", 600});
    for (int i = 0; i < 30; ++i) {
      ASSERT_TRUE(scope.Advance());
      hashes[workers > 1].push_back(Hash(scope.channel(0).state()));
    }
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(Workers, RunIsTheSameForAnyNumber) {
  for (const char* models : {"similar", "sap,lagged"}) {
    Result<RunPlan> plan = MakeRunPlan(Load("clutter"), models, {"pile.objects.bodies=300"}, {});
    ASSERT_TRUE(plan.ok());
    plan.value().steps = 15;
    std::vector<uint64_t> hashes[2];
    for (const int workers : {1, 3}) {
      plan.value().workers = workers;
      std::vector<Track> tracks;
      const RunResult result = slip::Run(plan.value(), &tracks, {});
      EXPECT_TRUE(result.Complete());
      for (Track& track : tracks) {
        // the run's threads are gone, and nobody asks for them
        EXPECT_TRUE(Advanced(track.sim().Step()));
        hashes[workers > 1].push_back(Hash(track.sim().state()));
      }
    }
    EXPECT_EQ(hashes[0], hashes[1]) << models;
  }
}

struct FakeChannel {
  WorkerPool* workers = nullptr;
  void SetWorkers(WorkerPool* pool) { workers = pool; }
};

TEST(Workers, ChannelsOrStepsNeverBoth) {
  WorkerPool pool(3);
  std::vector<FakeChannel> channels(3);
  const auto at = [&](int c) -> FakeChannel& { return channels[static_cast<std::size_t>(c)]; };
  // whether the steps had the pool inside, and whether the channels shared it
  const auto share = [&](int count, double all_us, double largest_us, WorkerPool* workers) {
    const unsigned before = pool.shared();
    std::atomic<int> inside{0}, steps{0};
    ShareSteps(workers, count, all_us, largest_us, at, [&](int c) {
      ++steps;
      inside += at(c).workers != nullptr;
    });
    EXPECT_EQ(steps.load(), count);
    return std::pair(inside.load() == count, pool.shared() != before);
  };
  EXPECT_EQ(share(1, 1000, 1000, &pool), std::pair(true, false));
  EXPECT_EQ(share(3, 3000, 1000, &pool), std::pair(false, true));
  EXPECT_EQ(share(3, 1000, 900, &pool), std::pair(true, false));  // two small ones
  EXPECT_EQ(share(3, 3 * 60, 60, &pool), std::pair(false, false));
  EXPECT_EQ(share(1, 60, 60, &pool), std::pair(false, false));
  EXPECT_EQ(share(3, 3000, 1000, nullptr), std::pair(false, false));
}

}  // namespace
}  // namespace slip::test
