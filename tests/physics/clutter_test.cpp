// Forty objects fall into a box: what must hold for every contact model (spec of the scene: ICF
// section X-A, PCF section 6.3; engine/README.md 10.4, 10.7).
#include <gtest/gtest.h>

#include <cmath>

#include "engine/convex/convex_params.h"
#include "engine/scene/scene.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip {
namespace {

using test::Value;

constexpr MethodId kModels[] = {method_id::kSap, method_id::kLagged, method_id::kLaggedRegularized,
                                method_id::kSimilar};

std::shared_ptr<const Scene> Load(const std::string& name) {
  auto scene = FindScene(name);
  EXPECT_TRUE(scene.ok()) << scene.error().Text();
  return *scene;
}

/// A signal over a window of time.
struct Window {
  double from = 0, to = 1e9;
  double sum = 0, max = 0;
  int count = 0;

  void Add(double time, double value) {
    if (time < from || time > to || !std::isfinite(value)) return;
    sum += value;
    max = std::max(max, value);
    ++count;
  }
  double mean() const { return count > 0 ? sum / count : std::nan(""); }
};

struct Fall {
  double time_step = 0;
  int steps = 0, not_converged = 0, fallbacks = 0;
  bool cost_rose = false;
  double iterations = 0;  ///< mean
  Window support, penetration;
  Window early_tolerance{0, 1}, late_tolerance;
  Window early_condition{0, 0.5}, late_condition, condition;
  double deepest = 0;        ///< after everything has landed [m]
  double worst_outside = 0;  ///< how far a centre of mass left the container [m]
};

/// No Newton iteration may raise the cost by more than round-off.
bool CostRises(const SolveRecord& record) {
  for (int i = 1; i < record.recorded; ++i) {
    const double before = record.history[static_cast<std::size_t>(i - 1)].cost;
    const double after = record.history[static_cast<std::size_t>(i)].cost;
    if (record.interior_point_iterations == 0 &&
        after > before + 1e-12 * std::max(1.0, std::abs(before))) {
      return true;
    }
  }
  return false;
}

Fall Drop(const Scene& scene, Config config, double duration, bool condition = true) {
  Fall fall;
  fall.time_step = config.step.time_step;
  fall.support.from = duration - 1;
  fall.penetration.from = fall.late_tolerance.from = fall.late_condition.from = duration - 2;
  Simulation sim(scene.ModelFor(config), config);
  sim.SetMeasureCondition(condition);
  const double end = duration - 0.5 * config.step.time_step;
  while (sim.time() < end) {
    const StepStatus status = sim.Step();
    if (!Advanced(status)) {
      ADD_FAILURE() << sim.failure();
      break;
    }
    ++fall.steps;
    fall.not_converged += status != StepStatus::kConverged;
    fall.fallbacks += sim.solve().fallbacks;
    fall.cost_rose = fall.cost_rose || CostRises(sim.solve());
    fall.iterations += sim.solve().iterations;
    const double t = sim.time();
    fall.support.Add(t, Value(sim, Signal::kSupportForce));
    fall.penetration.Add(t, Value(sim, Signal::kMeanPenetration));
    for (Window* w : {&fall.early_tolerance}) w->Add(t, Value(sim, Signal::kMaxStictionTolerance));
    fall.late_tolerance.Add(t, Value(sim, Signal::kMeanStictionTolerance));
    for (Window* w : {&fall.early_condition, &fall.late_condition, &fall.condition}) {
      w->Add(t, Value(sim, Signal::kConditionNumber));
    }
    fall.deepest = std::max(fall.deepest, Value(sim, Signal::kPenetration));
    for (const Pose& X : sim.state().X_WB) {
      fall.worst_outside = std::max(
          {fall.worst_outside, std::abs(X.p.x()) - 0.4, std::abs(X.p.y()) - 0.4, -X.p.z()});
    }
  }
  fall.iterations /= std::max(1, fall.steps);
  return fall;
}

double Weight(const Scene& scene) {
  double mass = 0;
  for (const Body& body : scene.model->bodies) mass += body.nv > 0 ? body.mass : 0;
  return mass * scene.config.step.gravity;
}

Config With(const Scene& scene, MethodId model, double h) {
  Config config = scene.config;
  config.step.method = static_cast<int>(model);
  config.step.time_step = h;
  return config;
}

void ExpectSound(const Fall& fall, const Scene& scene) {
  EXPECT_EQ(fall.not_converged, 0);
  EXPECT_EQ(fall.fallbacks, 0);
  EXPECT_FALSE(fall.cost_rose);
  EXPECT_NEAR(fall.support.mean(), Weight(scene), 0.02 * Weight(scene));
  EXPECT_LE(fall.worst_outside, 0);
  // A box that spins at 40 rad/s turns by 0.4 rad in a step of 10 ms, while its contacts stand
  // still: the geometry is of first order, and so is the depth.
  EXPECT_LT(fall.deepest, fall.time_step < 5e-3 ? 0.01 : 0.015);
}

// ICF section X-A at the large step; mean Newton iterations as the accelerated solver promises
// them.
TEST(Clutter, EveryModelConvergesAndCarriesTheWeightLong) {
  const auto scene = Load("clutter");
  constexpr double kIterations[] = {8, 10, 9, 12};
  for (std::size_t m = 0; m < std::size(kModels); ++m) {
    SCOPED_TRACE(Info(kModels[m]).label);
    const Fall fall = Drop(*scene, With(*scene, kModels[m], 1e-2), 10, false);
    ExpectSound(fall, *scene);
    EXPECT_LE(fall.iterations, kIterations[m]);
    RecordProperty(std::string("iterations_") + std::string(Info(kModels[m]).id),
                   std::to_string(fall.iterations));
  }
}

// The condition numbers trade places: Lagged is the worse one during impacts, SAP in the pile.
TEST(Clutter, ConditioningDuringImpactAndAtRestLong) {
  const auto scene = Load("clutter");
  const Fall sap = Drop(*scene, With(*scene, method_id::kSap, 1e-3), 5);
  const Fall lagged = Drop(*scene, With(*scene, method_id::kLagged, 1e-3), 5);
  for (const Fall* fall : {&sap, &lagged}) ExpectSound(*fall, *scene);
  EXPECT_GT(lagged.early_condition.max, sap.early_condition.max);
  EXPECT_GT(sap.late_condition.mean(), lagged.late_condition.mean());
  EXPECT_GT(sap.early_tolerance.max, 10 * sap.late_tolerance.mean());
  EXPECT_LT(sap.late_tolerance.mean(), scene->config.step.part<ConvexParams>().stiction_tolerance);
}

// Penetration follows 1/k, until SAP meets its near-rigid floor.
TEST(Clutter, PenetrationFollowsStiffnessLong) {
  const auto scene = Load("clutter");
  const auto at = [&](MethodId model, double k) {
    Config config = With(*scene, model, 1e-2);
    EXPECT_TRUE(SetParam(&config, "stiffness", k).ok());
    const Fall fall = Drop(*scene, config, 6, false);
    EXPECT_EQ(fall.not_converged, 0) << Info(model).label << " k = " << k;
    return fall.penetration.mean();
  };
  const double soft = at(method_id::kLagged, 1e5), stiff = at(method_id::kLagged, 1e8);
  const double slope = std::log10(stiff / soft) / 3;
  EXPECT_GT(slope, -1.1);
  EXPECT_LT(slope, -0.9);
  const double ratio = at(method_id::kSap, 1e10) / at(method_id::kSap, 1e8);
  EXPECT_GT(ratio, 0.9);
  EXPECT_LT(ratio, 1.1);
}

TEST(Clutter, NothingIsTooStiffLong) {
  const auto scene = Load("clutter");
  for (const double k : {1e4, 1e12}) {
    for (const MethodId model : kModels) {
      Config config = With(*scene, model, 1e-2);
      ASSERT_TRUE(SetParam(&config, "stiffness", k).ok());
      const Fall fall = Drop(*scene, config, 3, false);
      EXPECT_EQ(fall.not_converged, 0) << Info(model).label << " k = " << k;
    }
  }
}

// PCF section 6.3: grid points on the faces, the rigid limit by regularisation alone.
TEST(ClutterOfTheMemo, ContactsGrowAndSettleWithTinyPenetrationLong) {
  const auto scene = Load("clutter-seed-002");
  Simulation sim(scene->model, scene->channels[0].config);
  sim.SetMeasureCondition(false);
  Window early{0, 0.05}, late{4, 5}, depth{4, 5};
  while (sim.time() < 5) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    early.Add(sim.time(), Value(sim, Signal::kSticking) + Value(sim, Signal::kSlipping));
    late.Add(sim.time(), Value(sim, Signal::kSticking) + Value(sim, Signal::kSlipping));
    depth.Add(sim.time(), Value(sim, Signal::kMeanPenetration));
  }
  EXPECT_GT(late.mean(), 4 * early.mean());
  EXPECT_LT(late.max, 1.3 * late.mean());
  EXPECT_LT(depth.mean(), 1e-4);
}

}  // namespace
}  // namespace slip
