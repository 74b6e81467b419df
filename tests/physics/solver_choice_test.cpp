// The solver that is chosen by itself beside the published one, step by step from the same states.
#include <gtest/gtest.h>

#include "engine/convex/convex_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/methods.h"

namespace slip::test {
namespace {

// In factorisations of the whole, as measured: one of the interior point has all contacts in its
// pattern and serves two solves; a look along a search line takes a seventh.
double WorkOf(const SolveRecord& record) {
  const double inner =
      static_cast<double>(record.interior_point_iterations) / std::max(1, record.iterations);
  return record.equivalent_iterations * (1 + 2 * inner) + record.line_search_iterations / 7.0;
}

struct BothWays {
  double own = 0, plain = 0, own_late = 0, plain_late = 0;
};

BothWays RunBothWays(const char* name, MethodId method, double h, int steps) {
  BothWays fall;
  const auto found = FindScene(name);
  EXPECT_TRUE(found.ok());
  if (!found.ok()) return fall;
  const Scene& scene = **found;
  Config config = scene.config;
  config.step.method = static_cast<int>(method);
  config.step.time_step = h;
  Config published = config;
  published.step.part<ConvexParams>().solver = static_cast<int>(SolverId::kPlain);
  Simulation sim(scene.ModelFor(config), config), beside(scene.ModelFor(config), published);
  sim.SetMeasureCondition(false);
  beside.SetMeasureCondition(false);
  for (int i = 0; i < steps; ++i) {
    beside.Restore(sim.now(), published);
    (void)beside.Step();  // plain Newton may end without a solution, and the step be refused
    EXPECT_TRUE(Advanced(sim.Step())) << sim.failure();
    fall.own += WorkOf(sim.solve());
    fall.plain += WorkOf(beside.solve());
    if (i < steps * 7 / 10) continue;
    fall.own_late += WorkOf(sim.solve());
    fall.plain_late += WorkOf(beside.solve());
  }
  return fall;
}

TEST(SolverChoice, AutoWorksNoMoreThanPlainLong) {
  constexpr MethodId kAll[] = {method_id::kSap, method_id::kLagged, method_id::kLaggedRegularized,
                               method_id::kSimilar};
  struct Case {
    const char* scene;
    double h;
    int steps;
  };
  constexpr Case kCases[] = {
      {"clutter", 1e-2, 400}, {"clutter", 1e-3, 1500}, {"quadruped-trot", 2e-3, 500}};
  for (const MethodId method : kAll) {
    for (const Case& c : kCases) {
      SCOPED_TRACE(std::string(Info(method).label) + " " + c.scene + " " + std::to_string(c.h));
      const BothWays fall = RunBothWays(c.scene, method, c.h, c.steps);
      // single robots are solved alike
      EXPECT_LE(fall.own, fall.plain * (1 + 1e-12));
      EXPECT_LE(fall.own_late, fall.plain_late * (1 + 1e-12));
    }
  }
}

}  // namespace
}  // namespace slip::test
