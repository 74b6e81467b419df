// Exact Coulomb friction over time: the tables of its specification, to their digits.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/convex/coulomb_report.h"
#include "engine/run/study/run_plan.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

using method_id::kCoulomb;

CoulombNumbers NumbersOf(const Simulation& sim) { return CoulombNumbers::Unpack(sim.solve().own); }

struct Peak {
  double fn = 0, ft = 0, time = 0;
};

Config TightConfig(double h) {
  Config config = BeltConfig(kCoulomb, h);
  config.step.solver_tolerance = 1e-12;
  return config;
}

// Steps to `time`; every step is certified, and has index +1.
Peak RunCertified(Simulation* sim, double time) {
  Peak peak;
  while (sim->time() + 0.5 * sim->config().step.time_step < time) {
    EXPECT_EQ(sim->Step(), StepStatus::kConverged) << sim->time();
    const CoulombNumbers n = NumbersOf(*sim);
    EXPECT_LE(n.relative, 1e-8) << sim->time();
    EXPECT_EQ(n.unsolved + n.untested + n.round_off, 0) << sim->time();
    if (testing::Test::HasFailure()) break;
    if (sim->contacts().empty() || !(sim->contacts()[0].fn > peak.fn)) continue;
    const ContactFrame& contact = sim->contacts()[0];
    peak = {contact.fn, contact.ft, sim->time()};
  }
  return peak;
}

void ExpectDigits(double value, double expected, const char* what, double floor = 1e-12) {
  EXPECT_NEAR(value, expected, 1e-8 * std::abs(expected) + floor) << what;
}

void ExpectX(const Simulation& sim, double x, double phi, double v) {
  ExpectDigits(sim.state().X_WB[0].p.x(), x, "x");
  ExpectDigits(sim.state().X_WB[0].p.z() - 0.05, phi, "phi", 1e-14);
  ExpectDigits(Value(sim, Signal::kVelocityX), v, "v", 1e-10);
}

TEST(Coulomb, ConveyorTable6_2) {
  for (const double h : {1e-2, 1e-3}) {
    Config config = TightConfig(h);
    config.surfaces[0].belt_amplitude = 0.2;
    config.surfaces[0].belt_frequency = 1;
    Simulation sim(BoxOnBelt(JointKind::kXZ, -9.81e-7), config);
    const Peak peak = RunCertified(&sim, 1);
    EXPECT_NEAR(peak.fn, 9.81, 1e-8);
    ExpectX(sim, h == 1e-2 ? 0.07742925733 : 0.07888864972, -9.81e-7,
            h == 1e-2 ? -0.2820765587 : -0.2825317699);
  }
}

Simulation Box(double h, double z0, double tilt = 0) {
  Config config = TightConfig(h);
  config.step.gravity = 10;
  if (tilt > 0) config.step.gravity = 9.81;
  config.step.tilt = tilt;
  return {BoxOnBelt(JointKind::kXZ, z0, tilt > 0 ? Vec3::Zero() : Vec3(1, 0, 0)), config};
}

TEST(Coulomb, SlidingBoxTable6_2) {
  struct Row {
    double h, z0, end, x, fn, ft, time;
  };
  for (const Row& row : {Row{1e-2, -1e-6, 0.3, 0.09500627661, 10, 5, -1},
                         Row{1e-3, -1e-6, 0.3, 0.09950029609, 10, 5, -1},
                         Row{1e-2, 5e-3, 0.35, 0.09750677662, 29.97676636, 14.98838306, 0.04},
                         Row{1e-3, 5e-3, 0.35, 0.1020007961, 263.2122012, 131.6060998, 0.032}}) {
    SCOPED_TRACE(testing::Message() << row.h << " " << row.z0);
    Simulation sim = Box(row.h, row.z0);
    const Peak peak = RunCertified(&sim, row.end);
    ExpectX(sim, row.x, -1e-6, 0);
    ExpectDigits(peak.fn, row.fn, "fn", 1e-9);
    if (row.time < 0) continue;
    ExpectDigits(peak.ft, row.ft, "ft");
    EXPECT_NEAR(peak.time, row.time, 1e-9);
  }
}

// x = v^2/(2 mu g) less h v/2, without lift: 10 N in every step.
TEST(Coulomb, StopsWhereItShould) {
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    Simulation sim = Box(h, -1e-6);
    while (sim.time() < 0.25) {
      ASSERT_EQ(sim.Step(), StepStatus::kConverged);
      ASSERT_NEAR(sim.contacts()[0].fn, 10, 1e-9);
    }
    EXPECT_NEAR(sim.state().X_WB[0].p.x(), 0.1 - 0.5 * h, 1e-5);
  }
}

TEST(Coulomb, SlopeTable6_2) {
  Simulation holds = Box(1e-2, -9.21838461e-7, 20 * std::numbers::pi / 180);
  ExpectDigits(RunCertified(&holds, 0.5).fn, 9.21838461, "fn");
  ExpectX(holds, 5.307760821e-5, -9.21838461e-7, 1.061694342e-4);
  const double r = std::tan(20 * std::numbers::pi / 180) / 0.5;
  EXPECT_NEAR(Value(holds, Signal::kVelocityX), 1e-4 * r / std::sqrt(1 - r * r), 1e-11);

  Simulation slides = Box(1e-2, -8.495709211e-7, 30 * std::numbers::pi / 180);
  ExpectDigits(RunCertified(&slides, 0.5).fn, 8.495709211, "fn");
  ExpectX(slides, 0.08378988783, -8.495709211e-7, 0.3285806799);
}

void ExpectPlanar(const Simulation& sim, const Vec3& q, const Vec3& v) {
  ExpectDigits(Value(sim, Signal::kPositionX), q[0], "x");
  ExpectDigits(sim.state().X_WB[0].p.z(), q[1], "z");
  ExpectDigits(Value(sim, Signal::kVelocityX), v[0], "vx");
  ExpectDigits(Value(sim, Signal::kVelocityZ), v[1], "vz", 1e-9);
  ExpectDigits(Value(sim, Signal::kPitchRate), v[2], "w");
  ExpectDigits(std::remainder(Value(sim, Signal::kPitch) - q[2], 2 * std::numbers::pi), 0, "theta",
               1e-8);
}

Simulation Planar(const Body& body, double h, double mu, double d) {
  Model model;
  model.bodies = {body};
  Surface ground;
  ground.name = "ground";
  model.surfaces = {ground};
  Config config = TightConfig(h);
  config.surfaces.clear();
  config.materials[0].friction = mu;
  config.materials[0].dissipation = d;
  return {Finish(model), config};
}

TEST(Coulomb, SphereTable6_2) {
  for (const double h : {1e-3, 1e-4}) {
    Simulation sim = Planar(SteelSphere(), h, 0.3, 20);
    const Peak peak = RunCertified(&sim, 0.3);
    const bool coarse = h == 1e-3;
    ExpectPlanar(sim,
                 coarse ? Vec3(0.4867629391, 0.04999599353, 5.661853045)
                        : Vec3(0.4870198752, 0.04999599353, 5.64900624),
                 Vec3(1.428571429, 0, 28.57142857));
    ExpectDigits(peak.fn, coarse ? 1061.676766 : 4052.272788, "fn");
    ExpectDigits(peak.ft, coarse ? 318.503029 : 1215.681834, "ft");
    EXPECT_NEAR(peak.time, coarse ? 0.046 : 0.0453, 1e-9);
  }
}

Simulation Rod(double h, double d, double mu = 2.3) {
  Body rod;
  rod.name = "rod";
  rod.SetJoint(JointKind::kPlanar);
  rod.mass = 0.3;
  rod.inertia_B = Vec3::Constant(0.3 * 0.25 / 12);
  rod.points_B = {Vec3(0.25, 0, 0)};
  const double angle = std::numbers::pi / 6;
  rod.X_WB.q = Quat(Eigen::AngleAxisd(angle, Vec3::UnitY()));
  rod.X_WB.p = Vec3(0, 0, 0.25 * std::sin(angle));
  rod.V_WB[3] = 10;
  return Planar(rod, h, mu, d);
}

TEST(Coulomb, RodTable6_2) {
  struct Row {
    double h, d, end;
    Vec3 q, v;
    double fn, ft, time;
  };
  const Row rows[] = {{2e-3,
                       0,
                       0.1,
                       {0.365319878, 0.353603754, 1.755155416},
                       {2.122912448, 2.479174291, 15.42554387},
                       224.1871924,
                       503.433545,
                       0.026},
                      {1e-3,
                       0,
                       0.1,
                       {0.3680845057, 0.3524936861, 1.741056085},
                       {2.124351829, 2.473458848, 15.3024882},
                       443.3122374,
                       1006.839584,
                       0.025},
                      {1e-4,
                       0,
                       0.05,
                       {0.265444707, 0.2184122154, 0.946164168},
                       {2.024559404, 3.128496391, 14.57629692},
                       753.9677853,
                       1734.125716,
                       0.0254},
                      {1e-4,
                       0.1,
                       0.05,
                       {0.2654336559, 0.2184151686, 0.9461725865},
                       {2.024554389, 3.128405773, 14.57582649},
                       765.7951999,
                       1761.32867,
                       0.0254}};
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::Message() << row.h << " " << row.d);
    Simulation sim = Rod(row.h, row.d);
    const Peak peak = RunCertified(&sim, row.end);
    ExpectPlanar(sim, row.q, row.v);
    ExpectDigits(peak.fn, row.fn, "fn");
    ExpectDigits(peak.ft, row.ft, "ft");
    EXPECT_NEAR(peak.time, row.time, 1e-9);
  }
}

// Jams in every step: Newton cycles there, the root of the single contact does not.
TEST(Coulomb, RodThatJamsIsCertified) {
  Simulation sim = Rod(1e-3, 0, 3);
  RunCertified(&sim, 0.05);
  EXPECT_GT(sim.time(), 0.049);
}

// Later stages begin where the first one did: the velocities of before may lie beyond a barrier.
TEST(Coulomb, EveryStageStartsBeforeTheBarrier) {
  const auto plan =
      MakeRunPlan(*FindScene("flat-stack"), "coulomb",
                  {"time_step=0.02029", "error_control=on", "accuracy=6.657e-09",
                   "min_step=0.0006602", "max_inner=3807", "normal_law=ipc-barrier",
                   "barrier_stiffness=472.6", "barrier_distance=1.942e-05", "friction=0.6353",
                   "torsional_friction=0.09968", "stiction_tolerance=1.69e-06"},
                  {});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  Simulation sim(plan->scene->ModelFor(plan->configs[0]), plan->configs[0]);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
}

}  // namespace
}  // namespace slip::test
