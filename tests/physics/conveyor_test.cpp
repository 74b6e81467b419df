// Box on an oscillating belt (engine/README.md 10.1), box on a constant belt (10.5), creep (10.8).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/convex/convex_params.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

Config Oscillating(MethodId id, double h) {
  Config config = BeltConfig(id, h);
  config.surfaces[0].belt_amplitude = 0.2;
  config.surfaces[0].belt_frequency = 1;
  return config;
}

const double kRestPhi = -9.81e-7;

struct Row {
  MethodId model;
  double h, x1, z1, x2, fn_max, t_max, fn_min, phi_max, vn_max;
};

TEST(Conveyor, ReferenceTable10_1) {
  using namespace method_id;
  const Row rows[] = {
      {kLagged, 1e-2, 0.0774292573, -9.81e-7, 0.0774292573, 9.81, 0, 9.81, -9.81e-7, 0},
      {kSimilar, 1e-2, 0.0781814982, 1.3725598e-3, 0.0781814982, 12.1428, 1.31, 9.56215,
       2.814061e-3, 0.0349456},
      {kSap, 1e-2, 0.0780123201, 1.37055343e-3, 0.0780123201, 12.1291, 1.31, 9.55974, 2.828319e-3,
       0.0352541},
      {kLagged, 1e-3, 0.0788886497, -9.81e-7, 0.0788886497, 9.81, 0, 9.81, -9.81e-7, 0},
      {kSimilar, 1e-3, 0.0789640000, 1.40441605e-4, 0.0789640000, 12.8582, 1.302, 9.69680,
       2.81849e-4, 0.00368940},
      {kSap, 1e-3, 0.0787351596, 1.53373643e-4, 0.0787351596, 13.1530, 1.302, 9.72240, 3.089586e-4,
       0.00404293}};
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::Message() << Info(row.model).id << " h=" << row.h);
    Simulation sim(BoxOnBelt(JointKind::kXZ, kRestPhi), Oscillating(row.model, row.h));
    double fn_max = 0, t_max = 0, fn_min = 1e9, phi_max = -1, vn_max = 0;
    while (sim.time() < 2 - 0.5 * row.h) {
      ASSERT_EQ(sim.Step(), StepStatus::kConverged);
      const ContactFrame& contact = sim.contacts().front();
      if (std::abs(sim.time() - 1) < 1e-9) {
        EXPECT_NEAR(sim.state().X_WB[0].p.x(), row.x1, 1e-6 * row.x1);
        EXPECT_NEAR(contact.signed_distance, row.z1, 1e-6 * std::abs(row.z1));
      }
      if (row.model == kLagged) {
        EXPECT_NEAR(contact.fn, 9.81, 1e-8);
        EXPECT_NEAR(contact.vn, 0, 1e-12);
      }
      if (sim.time() <= 1 + 1e-9) continue;
      if (contact.fn > fn_max) fn_max = contact.fn, t_max = sim.time();
      fn_min = std::min(fn_min, contact.fn);
      phi_max = std::max(phi_max, contact.signed_distance);
      vn_max = std::max(vn_max, std::abs(contact.vn));
    }
    EXPECT_NEAR(sim.state().X_WB[0].p.x(), row.x2, 1e-6 * row.x2);
    EXPECT_NEAR(fn_max, row.fn_max, 1e-5 * row.fn_max);
    EXPECT_NEAR(fn_min, row.fn_min, 1e-5 * row.fn_min);
    EXPECT_NEAR(phi_max, row.phi_max, 1e-6 * std::abs(row.phi_max));
    EXPECT_NEAR(vn_max, row.vn_max, 1e-5 * row.vn_max + 1e-12);
    if (row.model == kLagged) continue;
    // the two half periods are mirror images: which of two equal spikes comes first is round-off
    EXPECT_NEAR(std::remainder(t_max - row.t_max, 0.5), 0, 1e-9);
    // spike at slip to stick: m g (1 + [0.15, 0.45])
    EXPECT_GT(fn_max, 9.81 * 1.15);
    EXPECT_LT(fn_max, 9.81 * 1.45);
  }
}

TEST(Conveyor, GlidingOffsetMatchesItsFormula) {
  for (MethodId id : {method_id::kSap, method_id::kSimilar}) {
    Simulation sim(BoxOnBelt(JointKind::kXZ, kRestPhi), Oscillating(id, 1e-2));
    ASSERT_TRUE(RunTo(&sim, 0.6));
    const double lift = 1e-2 + (id == method_id::kSap ? 1e-4 : 0);
    const double slip = sim.contacts()[0].vt;
    EXPECT_NEAR(Value(sim, Signal::kSignedDistance), 0.5 * lift * slip, 0.02 * 0.5 * lift * slip);
    EXPECT_NEAR(Value(sim, Signal::kGlidingOffset), Value(sim, Signal::kGlidingPredicted),
                0.02 * Value(sim, Signal::kGlidingPredicted));
  }
}

TEST(Conveyor, StickEventsAreWhereCoulombPutsThem) {
  const double stick[] = {0.256012, 0.800734, 1.300734};
  for (MethodId id : {method_id::kLagged, method_id::kSimilar, method_id::kSap}) {
    for (double h : {1e-2, 1e-3}) {
      Simulation sim(BoxOnBelt(JointKind::kXZ, kRestPhi), Oscillating(id, h));
      std::vector<double> found;
      bool sliding = true;
      while (sim.time() < 1.4) {
        ASSERT_EQ(sim.Step(), StepStatus::kConverged);
        const bool now = sim.contacts()[0].vt >= 1e-3;
        if (sliding && !now && sim.time() > 0.1) found.push_back(sim.time());
        sliding = now;
      }
      ASSERT_EQ(found.size(), 3u) << Info(id).id;
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], stick[i], 2 * h) << Info(id).id;
    }
  }
}

TEST(ConstantBelt, TodorovSteadyStateAndTransient10_5) {
  const double first[2][6] = {{-0.083748, -0.001403, 0.000678, 2.3e-5, -5e-6, 0},
                              {-0.104441, -0.002182, 0.001045, 4.5e-5, -1e-5, -1e-6}};
  for (int s = 0; s < 2; ++s) {
    const double sigma = s == 0 ? 1e-3 : 1;
    for (int k = 0; k <= 4; ++k) {
      const double h = 1e-4 * std::pow(10, 0.5 * k);
      Config config = BeltConfig(method_id::kTodorov, h);
      config.step.gravity = 10;
      config.step.part<ConvexParams>().friction_regularization = sigma;
      config.surfaces[0].belt_speed = -0.1;
      Simulation sim(BoxOnBelt(JointKind::kZ, h * 0.5 * 0.1), config);
      for (int i = 0; i < std::max(40, static_cast<int>(0.15 / h)); ++i) {
        ASSERT_EQ(sim.Step(), StepStatus::kConverged);
        const double scaled = sim.contacts()[0].vn / h;
        if (i < 6) EXPECT_NEAR(scaled, first[s][i], 6e-7) << "step " << i + 1 << " h " << h;
        if (i >= 5) EXPECT_LT(std::abs(scaled), 1e-5);
      }
      // b = μ|u0| − (1 + μ²σ) α²/(12π²) g h
      const double b =
          0.5 * 0.1 - (1 + 0.25 * sigma) / (12 * std::numbers::pi * std::numbers::pi) * 10 * h;
      EXPECT_NEAR(sim.contacts()[0].signed_distance / h, b, 1e-12) << "h " << h;
      EXPECT_NEAR(sim.contacts()[0].fn, 10, 1e-9);
    }
  }
}

TEST(ConstantBelt, IcfModelsFinalGap10_5) {
  struct Case {
    MethodId id;
    double mass, h, phi;
  };
  const Case cases[] = {
      {method_id::kLagged, 1, 1e-2, -9.81e-5},         {method_id::kLagged, 1, 1e-4, -9.81e-5},
      {method_id::kSimilar, 1, 1e-2, 9.504378625e-4},  {method_id::kSimilar, 1, 1e-3, 5.088775e-5},
      {method_id::kSimilar, 1, 1e-4, -3.906726125e-5}, {method_id::kSimilar, 2, 1e-2, 9.013756e-4},
      {method_id::kSap, 1, 1e-2, 1.9017365e-3},        {method_id::kSap, 1, 1e-3, 1.0018910075e-3},
      {method_id::kSap, 1, 1e-4, 9.118991743e-4}};
  for (const Case& c : cases) {
    Config config = BeltConfig(c.id, c.h);
    config.materials[0].stiffness = 1e5;
    config.materials[0].relaxation_time = 0.01;
    config.surfaces[0].belt_speed = -0.2;
    Model model = *BoxOnBelt(JointKind::kZ);
    model.bodies[0].mass = c.mass;
    Simulation sim(Finish(model), config);
    ASSERT_TRUE(RunTo(&sim, 1));
    EXPECT_NEAR(sim.contacts()[0].signed_distance, c.phi, 1e-6 * std::abs(c.phi))
        << Info(c.id).id << " h " << c.h;
    if (c.id == method_id::kSimilar && c.mass == 2) {
      EXPECT_NEAR(sim.contacts()[0].stiffness, 199950, 1e-6 * 199950);
    }
    EXPECT_NEAR(Value(sim, Signal::kGlidingOffset), Value(sim, Signal::kGlidingPredicted), 1e-11);
  }
}

TEST(Creep, SteadySpeedUnderTangentialLoad10_8) {
  struct Case {
    MethodId id;
    double h, speed;
  };
  const Case cases[] = {
      {method_id::kLagged, 1e-2, 4.465551e-5},  {method_id::kLagged, 1e-3, 4.465551e-5},
      {method_id::kSimilar, 1e-2, 4.465551e-5}, {method_id::kSimilar, 1e-3, 4.465551e-5},
      {method_id::kSap, 1e-2, 9.428090416e-6},  {method_id::kSap, 1e-3, 9.428090e-7}};
  for (const Case& c : cases) {
    Config config = BeltConfig(c.id, c.h);
    config.surfaces[0].belt_acceleration = 2;
    Simulation sim(BoxOnBelt(JointKind::kXZ, kRestPhi), config);
    ASSERT_TRUE(RunTo(&sim, 1));
    EXPECT_NEAR(sim.contacts()[0].vt, c.speed, 1e-6 * c.speed) << Info(c.id).id << " h " << c.h;
    EXPECT_NEAR(sim.contacts()[0].creep_predicted, c.speed, 1e-5 * c.speed) << Info(c.id).id;
    EXPECT_EQ(sim.contacts()[0].mode, ContactMode::kStick);
  }
}

}  // namespace
}  // namespace slip::test
