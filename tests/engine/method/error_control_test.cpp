// Steps of controlled error: closed forms, slopes, and the same bits on repeat.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/convex/convex_params.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/models.h"
#include "tests/support/robots.h"

namespace slip {
namespace {

constexpr double kGravity = 9.81, kMass = 1;

// A point mass over the floor z = 0, its contact a spring and a damper.
std::shared_ptr<const Model> FallingPoint(double height) {
  Body body;
  body.name = "mass";
  body.mass = kMass;
  body.points_B = {Vec3::Zero()};
  body.SetJoint(JointKind::kZ);
  body.X_WB.p.z() = height;
  Surface floor;
  floor.name = "floor";
  Model model;
  model.bodies = {body};
  model.surfaces = {floor};
  return test::Finish(model);
}

// Where it is at `end`, by pieces of closed form: free fall, and spring and damper until they would
// pull. Bisection finds the ends of pieces.
double HeightOfBouncing(double height, double K, double B, double end, int* impacts) {
  double t = 0, z = height, v = 0;
  bool touches = false;
  *impacts = 0;
  const double rate = B / (2 * kMass), omega = std::sqrt(K / kMass - rate * rate);
  const double rest = -kMass * kGravity / K;
  const auto at = [&](double s, double* z_end, double* v_end) {
    if (!touches) {
      *z_end = z + v * s - 0.5 * kGravity * s * s;
      *v_end = v - kGravity * s;
      return;
    }
    const double x = z - rest, y = (v + rate * x) / omega;
    const double fade = std::exp(-rate * s), c = std::cos(omega * s), d = std::sin(omega * s);
    *z_end = rest + fade * (x * c + y * d);
    *v_end = fade * ((y * omega - rate * x) * c - (x * omega + rate * y) * d);
  };
  // positive until the piece ends: height above the floor, or push of the contact
  const auto left = [&](double s) {
    double z_end, v_end;
    at(s, &z_end, &v_end);
    return touches ? -K * z_end - B * v_end : z_end;
  };
  while (t < end) {
    double s = 1e-9;
    const double stride = 1e-5;
    // a point that has lost its push below the floor rises freely first
    while (t + s < end && (left(s) > 0 || (!touches && v > 0 && s < v / kGravity))) s += stride;
    if (t + s >= end) break;
    double low = s - stride, high = s;
    for (int i = 0; i < 80; ++i) {
      const double middle = 0.5 * (low + high);
      (left(middle) > 0 ? low : high) = middle;
    }
    double z_end, v_end;
    at(high, &z_end, &v_end);
    t += high;
    z = z_end;
    v = v_end;
    touches = !touches;
    *impacts += touches;
  }
  double z_end, v_end;
  at(end - t, &z_end, &v_end);
  return z_end;
}

Config Controlled(std::string_view method, double accuracy, double H) {
  Config config;
  config.step.method = static_cast<int>(*FindMethod(method));
  config.step.time_step = H;
  config.step.error_control = 1;
  config.step.accuracy = accuracy;
  Material material;
  material.stiffness = 1e5;
  material.damping = 30;
  config.materials = {material};
  return config;
}

// Solves of a run of a point mass that bounces, and its error against the closed form [m].
struct BounceRun {
  double error = 0, solves = 0;
};
BounceRun Bounce(std::string_view method, double accuracy, int* impacts) {
  // a soft spring: what is lost in an impact has no long flight to grow in
  const double end = 1.2, wanted = HeightOfBouncing(0.05, 1e3, 3, end, impacts);
  Config config = Controlled(method, accuracy, 1e-1);
  config.materials[0].stiffness = 1e3;
  config.materials[0].damping = 3;
  test::TakePublishedForms(&config);  // the others are more accurate than asked at large steps
  Simulation sim(FallingPoint(0.05), config);
  BounceRun run;
  while (sim.time() + 1e-3 < end) {
    EXPECT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    run.solves += test::Value(sim, Signal::kSolveRate) * 1e-1;
  }
  run.error = std::abs(sim.state().X_WB[0].p.z() - wanted);
  return run;
}

TEST(ErrorControl, ABouncingMassIsAsAccurateAsAsked) {
  for (const char* method : {"exponential", "rk4"}) {
    double before = INFINITY;
    for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
      SCOPED_TRACE(testing::Message() << method << ", accuracy " << accuracy);
      int impacts = 0;
      const BounceRun run = Bounce(method, accuracy, &impacts);
      EXPECT_EQ(impacts, 5);
      EXPECT_GT(run.error, 0.1 * accuracy * impacts);
      EXPECT_LT(run.error, 10 * accuracy * impacts);
      EXPECT_LT(run.error, before);
      before = run.error;
    }
  }
}

// A box on a belt that goes to and fro too fast for friction, after 0.9 s.
Simulation BeltRun(Config config, double* inner_steps) {
  config.surfaces[0].belt_amplitude = 0.1;
  config.surfaces[0].belt_frequency = 1.5;
  Simulation sim(test::BoxOnBelt(JointKind::kXZ, -9.81e-7), config);
  while (sim.time() < 0.9) {
    EXPECT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    *inner_steps += test::Value(sim, Signal::kInnerSteps);
  }
  return sim;
}

// Lagged is of first order: inner steps go as the root of the accuracy, and with them the error.
TEST(ErrorControl, TheErrorOfAFirstOrderMethodFollowsTheRootOfTheAccuracyLong) {
  const auto end = [](double accuracy) {
    Config config = test::BeltConfig(*FindMethod("lagged"), 1e-2);
    config.step.error_control = 1;
    config.step.accuracy = accuracy;
    double steps = 0;
    return BeltRun(config, &steps).state().X_WB[0].p.x();
  };
  const auto error = [&](double accuracy) {
    return std::abs(end(accuracy) - end(1e-3 * accuracy));
  };
  const double coarse = error(1e-4), fine = error(1e-8);
  EXPECT_NEAR(std::log10(coarse / fine) / 4, 0.5, 0.1) << coarse << ' ' << fine;
}

// Where that box is at 0.9 s: its law is x" = -mu g s / sqrt(s² + v_s²), s the slip speed.
double PlaceOnBelt(const Config& config) {
  const double mu = config.materials[0].friction,
               v_s = config.step.part<ConvexParams>().stiction_tolerance;
  const double rate = 2 * std::numbers::pi * 1.5;
  const auto pull = [&](double t, double v) {
    const double s = v - 0.1 * rate * std::sin(rate * t);
    return -mu * kGravity * s / std::hypot(s, v_s);
  };
  const int steps = 1'000'000;
  const double h = 0.9 / steps;
  double x = 0, v = 0;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const double a1 = pull(t, v), a2 = pull(t + h / 2, v + h / 2 * a1),
                 a3 = pull(t + h / 2, v + h / 2 * a2), a4 = pull(t + h, v + h * a3);
    x += h * (v + h / 6 * (a1 + a2 + a3));
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return x;
}

// Shares of a time step's accuracy make the error of a run follow it (spec, assertion 2).
TEST(ErrorControl, SharesOfAnAccuracyMakeTheErrorFollowIt) {
  Config config = test::BeltConfig(*FindMethod("lagged"), 0.1);
  config.step.error_control = 1;
  config.step.accuracy_of = 1;
  config.step.max_inner = 1000000;
  const double truth = PlaceOnBelt(config);
  std::vector<double> errors;
  for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    config.step.accuracy = accuracy;
    double steps = 0;
    errors.push_back(std::abs(BeltRun(config, &steps).state().X_WB[0].p.x() - truth));
    EXPECT_LT(errors.back(), 5 * accuracy);
  }
  EXPECT_NEAR(std::log10(errors.front() / errors.back()) / 4, 1, 0.2);
}

TEST(ErrorControl, ExtrapolationIsAnOrderBetterForNothing) {
  Config config = test::BeltConfig(*FindMethod("lagged"), 0.1);
  config.step.error_control = 1;
  config.step.accuracy = 1e-4;
  const double truth = PlaceOnBelt(config);
  double halves = 0, extrapolated = 0;
  const double error = std::abs(BeltRun(config, &halves).state().X_WB[0].p.x() - truth);
  config.step.local_extrapolation = 1;
  EXPECT_LT(std::abs(BeltRun(config, &extrapolated).state().X_WB[0].p.x() - truth), 0.1 * error);
  EXPECT_EQ(halves, extrapolated);
}

// The force on screen is the one that has changed the momentum; the gap is that of the pose.
TEST(ErrorControl, ExtrapolatedStepsKeepTheirForcesAndGaps) {
  for (const char* method : {"lagged", "sap", "similar"}) {
    SCOPED_TRACE(method);
    Config config = test::BeltConfig(*FindMethod(method), 1e-2);
    config.materials[0].stiffness = 1e5;
    config.surfaces[0].belt_amplitude = 0.1;
    config.surfaces[0].belt_frequency = 1.5;
    config.step.error_control = 1;
    config.step.accuracy = 1e-5;
    config.step.local_extrapolation = 1;
    Simulation sim(test::BoxOnBelt(JointKind::kXZ, -9.81e-5), config);
    const double mass = sim.model().bodies[0].mass;
    for (int i = 0; i < 60; ++i) {
      const VectorX v = sim.state().v;
      ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
      Vec3 force(0, 0, -mass * kGravity);
      for (const ContactFrame& c : sim.now().contacts) {
        force += c.fn * c.n_W + c.ft_W;
        EXPECT_NEAR(c.signed_distance, sim.state().X_WB[0].p.z() - 0.05, 1e-12);
      }
      const VectorX change = sim.state().v - v;
      EXPECT_NEAR(mass * change[0], 1e-2 * force.x(), 1e-8);
      EXPECT_NEAR(mass * change[1], 1e-2 * force.z(), 1e-8);
    }
  }
}

TEST(ErrorControl, WithoutNeedTheStepIsTwoHalves) {
  for (const char* method : {"lagged", "sap", "exponential", "implicit-euler"}) {
    SCOPED_TRACE(method);
    Config config = test::BeltConfig(*FindMethod(method), 1e-2);
    config.materials[0].stiffness = 1e5;
    config.surfaces[0].belt_speed = 0.3;
    Config halves = config;
    halves.step.time_step = 5e-3;
    config.step.error_control = 1;
    config.step.accuracy = 1;
    const auto model = test::BoxOnBelt(JointKind::kXZ, -9.81e-5);
    Simulation controlled(model, config), plain(model, halves);
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(controlled.Step(), StepStatus::kConverged);
      ASSERT_EQ(plain.Step(), StepStatus::kConverged);
      ASSERT_EQ(plain.Step(), StepStatus::kConverged);
      EXPECT_EQ(test::Value(controlled, Signal::kInnerSteps), 1);
      // anchors go with the belt by differences of its displacement, which round
      const double tolerance = Info(config.method()).contact_model >= 0 ? 0 : 1e-11;
      EXPECT_LE((controlled.state().X_WB[0].p - plain.state().X_WB[0].p).norm(), tolerance);
      EXPECT_LE((controlled.state().v - plain.state().v).norm(), tolerance);
      EXPECT_NEAR(controlled.time(), plain.time(), 1e-15);
    }
  }
}

TEST(ErrorControl, SameBitsOnRepeatAndAfterRestore) {
  const auto model = FallingPoint(0.05);
  const Config config = Controlled("exponential", 1e-5, 1e-2);
  Simulation first(model, config), second(model, config);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(first.Step(), StepStatus::kConverged);
  const StepRecord middle = first.now();
  while (first.step() < 40) ASSERT_EQ(first.Step(), StepStatus::kConverged);
  while (second.step() < 40) ASSERT_EQ(second.Step(), StepStatus::kConverged);
  EXPECT_EQ(Hash(first.state()), Hash(second.state()));
  second.Restore(middle, config);
  while (second.step() < 40) ASSERT_EQ(second.Step(), StepStatus::kConverged);
  EXPECT_EQ(Hash(first.state()), Hash(second.state()));
}

TEST(ErrorControl, AllocatesNothingAfterTheFirstSteps) {
  for (const char* method : {"exponential", "implicit-euler", "rk4", "lagged"}) {
    SCOPED_TRACE(method);
    Config config = Controlled(method, 1e-5, 1e-2);
    config.step.local_extrapolation = 1;
    Simulation sim(FallingPoint(0.02), config);
    for (int i = 0; i < 40; ++i) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    test::AllocGuard guard;
    for (int i = 0; i < 40; ++i) sim.Step();
    EXPECT_EQ(guard.count(), 0u);
  }
}

TEST(ErrorControl, GivesUpWithASentence) {
  Config config = Controlled("exponential", 1e-9, 1e-1);
  config.step.max_inner = 3;
  Simulation sim(FallingPoint(0.02), config);
  const uint64_t before = Hash(sim.state());
  EXPECT_EQ(sim.Step(), StepStatus::kInnerLimit);
  EXPECT_NE(sim.failure().find("3 inner steps"), std::string::npos) << sim.failure();
  EXPECT_EQ(Hash(sim.state()), before);
}

// The high jump in steps of 10 ms: where its base is at the ends of ticks.
std::vector<Vec3> Jump(const char* method, double h, double accuracy, double* solves) {
  const int ticks = 120;
  const double tick = 0.01;
  Config config = test::RobotConfig(method, "solo", ControllerId::kJumpHigh, h);
  if (accuracy > 0) {
    config.step.error_control = 1;
    config.step.accuracy = accuracy;
  }
  Simulation sim(test::Finish(test::MakeSolo(test::SoloStart(true))), config);
  std::vector<Vec3> path;
  for (int i = 1; i <= ticks; ++i) {
    while (sim.time() + 0.5 * h < i * tick) {
      EXPECT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
      *solves += accuracy > 0 ? test::Value(sim, Signal::kSolveRate) * h : 1;
    }
    path.push_back(sim.state().X_WB[0].p);
  }
  return path;
}

TEST(ErrorControl, AJumpTakesFewerSolvesThanTheBestFixedStepLong) {
  double none = 0, solves = 0;
  const std::vector<Vec3> exact = Jump("exponential", 2e-5, 0, &none);
  const auto error = [&exact](const std::vector<Vec3>& path) {
    double worst = 0;
    for (std::size_t i = 0; i < path.size(); ++i)
      worst = std::max(worst, (path[i] - exact[i]).norm());
    return worst;
  };
  const double controlled = error(Jump("exponential", 1e-2, 1e-6, &solves));
  // the longest fixed step of at most this error
  for (const double h : {1e-2, 5e-3, 2.5e-3, 1e-3, 5e-4, 2.5e-4, 1e-4}) {
    double steps = 0;
    if (error(Jump("exponential", h, 0, &steps)) > controlled) continue;
    EXPECT_LT(solves, 0.7 * steps) << "h " << h << ", error " << controlled;
    return;
  }
  EXPECT_LT(solves, 12000) << "no fixed step is as accurate; the last one takes as many";
}

// An explicit method's inner steps stay stable at any accuracy: without that, feet at rest shake by
// less than a millimetre until they throw the robot.
TEST(ErrorControl, InnerStepsOfAnExplicitMethodStayBelowItsLimit) {
  double none = 0;
  const auto apex = [&](double accuracy) {
    double most = 0;
    for (const Vec3& p : Jump("explicit-euler", 1e-3, accuracy, &none))
      most = std::max(most, p.z());
    return most;
  };
  EXPECT_NEAR(apex(1e-3), apex(1e-6), 1e-3);
}

}  // namespace
}  // namespace slip
