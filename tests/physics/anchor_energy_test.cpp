// Contacts with anchors make no energy from nothing: faces that slide, bodies that land, leave and
// swing through (energy notes, sections 2.1 and 2.2).
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "engine/dynamics/kinematics.h"
#include "engine/integrators/integrator_params.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "tests/support/models.h"

namespace slip {
namespace {

constexpr double kGravity = 9.81;

struct Solid {
  double mass = 1;
  Vec3 moments = Vec3::Ones();
  std::vector<Vec3> points;
};

Solid Block(const Vec3& size, double mass, std::vector<Vec3> points) {
  const Vec3 square = size.cwiseAbs2();
  return {mass, mass / 12 * (Vec3::Constant(square.sum()) - square), std::move(points)};
}

/// Points of the lower face of a block: two ends of its length, its corners, these and the middles
/// of the edges.
std::vector<Vec3> Face(const Vec3& size, int count) {
  const Vec3 half = 0.5 * size;
  std::vector<Vec3> points;
  if (count == 2) return {Vec3(-half.x(), 0, -half.z()), Vec3(half.x(), 0, -half.z())};
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) points.emplace_back(half.cwiseProduct(Vec3(x, y, -1)));
  if (count == 4) return points;
  for (const double s : {-1.0, 1.0}) {
    points.emplace_back(half.cwiseProduct(Vec3(s, 0, -1)));
    points.emplace_back(half.cwiseProduct(Vec3(0, s, -1)));
  }
  return points;
}

Config MakeConfig(std::string_view method, double h, double K, double B, double mu) {
  Config config;
  config.step.method = static_cast<int>(*FindMethod(method));
  config.step.time_step = h;
  config.step.gravity = kGravity;
  Material material;
  material.name = "rubber";
  material.stiffness = K;
  material.damping = B;
  material.friction = mu;
  config.materials = {material};
  return config;
}

Simulation Start(const Solid& solid, const Config& config, const Pose& X, const Vec3& v,
                 const Vec3& w = Vec3::Zero()) {
  Body body;
  body.name = "body";
  body.mass = solid.mass;
  body.inertia_B = solid.moments;
  body.points_B = solid.points;
  body.SetJoint(JointKind::kFree);
  body.X_WB = X;
  body.V_WB << w, v;
  Surface floor;
  floor.name = "floor";
  Model model;
  model.bodies = {body};
  model.surfaces = {floor};
  return Simulation(test::Finish(model), config);
}

double Energy(const Simulation& sim) { return test::Value(sim, Signal::kMechanicalEnergy); }

/// What the largest energy of a run has over that of its start [J]; infinite where a step fails.
double RunGain(Simulation* sim, double time, int* pieces = nullptr) {
  const double start = Energy(*sim);
  double most = 0;
  while (sim->time() + 0.5 * sim->config().step.time_step < time) {
    if (!Advanced(sim->Step())) return INFINITY;
    most = std::max(most, Energy(*sim) - start);
    if (pieces != nullptr) *pieces += sim->solve().anchors.pieces > 0;
  }
  return most;
}

struct Slide {
  double rise = 0, turn = 0, gain = 0, off = 0;  // [m], [rad], [J]; off = of the way to the stop
  int halved = 0;
  bool stops = false;
  bool Wrong(double way) const {
    return !(rise < 1e-3) || !(turn < std::numbers::pi / 180) || !(gain < 1e-3) ||
           (stops && !(std::abs(off) < std::max(2e-3, 0.01 * way)));
  }
};

Slide SlideOn(const Solid& solid, double height, const Config& config, double speed,
              int most = 400) {
  Simulation sim = Start(solid, config, {Vec3(0, 0, height), Quat::Identity()}, {speed, 0, 0});
  const double h = config.step.time_step, mu = config.materials[0].friction;
  const double way = speed * speed / (2 * mu * kGravity);
  const int wanted = static_cast<int>(std::ceil(1.2 * speed / (mu * kGravity) / h));
  const double start = Energy(sim);
  Slide out;
  out.stops = wanted <= most;
  for (int i = 0; i < std::min(wanted, most); ++i) {
    if (!Advanced(sim.Step())) {
      out.gain = INFINITY;
      return out;
    }
    const Pose& X = sim.state().X_WB[0];
    out.rise = std::max(out.rise, X.p.z() - height);
    out.turn = std::max(out.turn, CalcRotationVector(X.q).norm());
    out.gain = std::max(out.gain, Energy(sim) - start);
    out.halved += sim.solve().anchors.pieces > 0;
  }
  out.off = sim.state().X_WB[0].p.x() - way;
  return out;
}

// The plates of the notes: 99 runs, of which the published form has 85 wrong.
int WrongPlates(const std::function<void(Config*)>& change, int* halved, bool tell) {
  const Vec3 size(0.24, 0.20, 0.10);
  int wrong = 0, runs = 0;
  for (const int points : {2, 4, 8}) {
    for (const double mu : {0.2, 0.5, 1.0}) {
      for (const double K : {1e4, 1e6, 1e8}) {
        for (const double h : {1e-4, 1e-3, 3e-3, 1e-2}) {
          if (points == 8 && h < 5e-4) continue;
          Config config = MakeConfig("exponential", h, K, 300, mu);
          change(&config);
          const Slide slide = SlideOn(Block(size, 1, Face(size, points)), 0.05, config, 2);
          ++runs;
          *halved += slide.halved;
          if (!slide.Wrong(4 / (2 * mu * kGravity))) continue;
          ++wrong;
          if (tell) {
            ADD_FAILURE() << points << " points, mu " << mu << ", K " << K << ", h " << h
                          << ": rises " << slide.rise << ", turns " << slide.turn << ", gains "
                          << slide.gain << ", off " << slide.off;
          }
        }
      }
    }
  }
  EXPECT_EQ(runs, 99);
  return wrong;
}

TEST(AnchorEnergy, PlatesSlideFlatToWhereTheyStop) {
  int halved = 0;
  EXPECT_EQ(WrongPlates([](Config*) {}, &halved, true), 0);
  RecordProperty("halved", halved);
  EXPECT_LT(halved, 100);
}

TEST(AnchorEnergy, OfThePublishedFormMostPlatesAreWrong) {
  int halved = 0;
  EXPECT_NEAR(WrongPlates(test::TakePublishedForms, &halved, false), 85, 3);
}

TEST(AnchorEnergy, WithoutTheGuardOnePlateOfNinetyNineIsWrongLong) {
  int halved = 0;
  const int wrong =
      WrongPlates([](Config* config) { config->step.gained_energy = 1; }, &halved, false);
  EXPECT_LE(wrong, 1);
  EXPECT_EQ(halved, 0);
}

// Case 04: a cube at 6 m/s, on two points and on four.
TEST(AnchorEnergy, ACubeLaunchedFlatStaysFlat) {
  const Vec3 size = Vec3::Constant(0.1);
  const struct {
    int points;
    double h, turn, off;
  } rows[] = {{2, 5e-3, 0.032, 0.05e-3}, {4, 1e-3, 0.014, 0.01e-3}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.points);
    const Slide slide = SlideOn(Block(size, 1, Face(size, row.points)), 0.05,
                                MakeConfig("exponential", row.h, 1e5, 300, 0.5), 6, 2000);
    EXPECT_LT(slide.rise, 1e-6);
    EXPECT_NEAR(slide.turn * 180 / std::numbers::pi, row.turn, 1e-3);
    EXPECT_LT(slide.gain, 1e-9);
    EXPECT_LT(std::abs(slide.off), 1.2 * row.off + 1e-5);
    EXPECT_EQ(slide.halved, 0);
  }
}

TEST(AnchorEnergy, AMassThatFallsOnAStiffSpringGainsNothing) {
  Solid mass;
  mass.points = {Vec3::Zero()};
  const struct {
    double K, B, h, speed;
  } rows[] = {{1e8, 300, 3e-3, 0}, {1e12, 300, 10e-3, 0}, {1e5, 300, 10e-3, 2}};
  for (const char* method : {"exponential", "implicit-euler"}) {
    for (const auto& row : rows) {
      SCOPED_TRACE(testing::Message() << method << ", K " << row.K);
      Config config = MakeConfig(method, row.h, row.K, row.B, 0.5);
      config.step.lost_steps = 1;  // an impact need not have a solution at its end
      Simulation sim = Start(mass, config, {Vec3(0, 0, 0.25), Quat::Identity()}, {row.speed, 0, 0});
      EXPECT_LT(RunGain(&sim, 1), 1e-9);
    }
  }
}

// Energy of a rod on its two ends after 0.15 s, against explicit Euler's with a step of 20 us.
Simulation StartRod(const Config& config) {
  Solid rod = Block(Vec3(0.5, 0, 0), 0.5, {Vec3(-0.25, 0, 0), Vec3(0.25, 0, 0)});
  rod.moments.x() = 1e-5;
  return Start(rod, config, {Vec3(0, 0, 0.25 * std::sin(0.6)), CalcRotation(Vec3(0, 0.6, 0))},
               {3, 0, -1});
}

double MotionEnergy(const Simulation& sim) {
  return Energy(sim) - test::Value(sim, Signal::kElasticEnergy);
}

// The notes have 0.7275 J, and 4 % less to 4 % more at these steps; their rod is not given in full.
TEST(AnchorEnergy, ARodThatLandsEndsWithTheEnergyThatIsLeft) {
  Simulation fine = StartRod(MakeConfig("explicit-euler", 2e-5, 1e5, 300, 0.5));
  EXPECT_LT(RunGain(&fine, 0.15), 1e-3);
  const double left = MotionEnergy(fine);
  EXPECT_NEAR(left, 0.7275, 0.02);
  const struct {
    double h, off;
  } rows[] = {{10e-3, 0.04}, {3e-3, 0.045}, {1e-3, 0.015}, {0.25e-3, 0.006}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.h);
    Simulation sim = StartRod(MakeConfig("exponential", row.h, 1e5, 300, 0.5));
    EXPECT_LT(RunGain(&sim, 0.15), 1e-9);
    EXPECT_NEAR(MotionEnergy(sim), left, row.off * left);
  }
  Simulation stiff = StartRod(MakeConfig("exponential", 3e-3, 1e7, 300, 0.5));
  EXPECT_LT(RunGain(&stiff, 0.5), 1e-9);
}

// Eight corners: several swing through at once, which shorter steps alone mend.
TEST(AnchorEnergy, ATumblingBoxIsHalvedWhereItWouldGain) {
  const Vec3 size(0.2, 0.15, 0.1);
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.emplace_back(0.5 *
                         size.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  const struct { double K, B, h; } rows[] = {{1e5, 300, 10e-3}, {1e7, 300, 1e-3}, {1e8, 30, 5e-3}};
  int halved = 0;
  for (const auto& row : rows) {
    for (const double tilt : {0.2, 0.5, 0.9}) {
      SCOPED_TRACE(testing::Message() << "K " << row.K << ", tilt " << tilt);
      Simulation sim =
          Start(Block(size, 1, corners), MakeConfig("exponential", row.h, row.K, row.B, 0.5),
                {Vec3(0, 0, 0.25), CalcRotation(Vec3(tilt, 0.3, 0))}, {2, 0, 0}, {1, 4, 2});
      const double handled = Energy(sim);
      EXPECT_LT(RunGain(&sim, 1, &halved), 0.05 * handled);
    }
  }
  EXPECT_GT(halved, 0);
  EXPECT_LT(halved, 100);
}

// A spring that is not loaded holds nothing: without weight nothing is stored beside a belt.
TEST(AnchorEnergy, AnchorsOfPointsWithoutLoadGoAlong) {
  Solid mass;
  mass.points = {Vec3::Zero()};
  for (const char* method : {"exponential", "explicit-euler", "rk4", "implicit-euler"}) {
    SCOPED_TRACE(method);
    Config config = MakeConfig(method, 1e-3, 1e5, 300, 0.5);
    config.step.gravity = 0;
    Simulation sim = Start(mass, config, {}, {1, 0, 0});
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(Advanced(sim.Step()));
      ASSERT_LT(test::Value(sim, Signal::kElasticEnergy), 1e-12);
    }
    EXPECT_NEAR(sim.state().v[3], 1, 1e-12);
    EXPECT_NEAR(sim.state().memory.at(0).anchor_W.x(), 0.05, 1e-9);
  }
}

// Spin with contact: a disc that stands on a ring of points turns and slides until friction has
// taken all of it.
TEST(AnchorEnergy, ASpinningPlateSlidesToRest) {
  const Vec3 size(0.2, 0.2, 0.05);
  for (const double h : {1e-3, 5e-3}) {
    for (const double K : {1e5, 1e7}) {
      SCOPED_TRACE(testing::Message() << "h " << h << ", K " << K);
      Simulation sim =
          Start(Block(size, 1, Face(size, 8)), MakeConfig("exponential", h, K, 300, 0.3),
                {Vec3(0, 0, 0.025), Quat::Identity()}, {1, 0, 0}, {0, 0, 20});
      EXPECT_LT(RunGain(&sim, 1.5), 1e-6);
      EXPECT_LT(sim.state().v.norm(), 1e-2);
      const Vec3 turn = CalcRotationVector(sim.state().X_WB[0].q);
      EXPECT_LT(turn.head<2>().norm(), 5e-3);
    }
  }
}

// The other predictions cut friction after the solve; what that makes, the guard stops.
TEST(AnchorEnergy, OtherPredictionsOfSlipAreHeldToTheBalance) {
  const Vec3 size = Vec3::Constant(0.1);
  for (const int prediction : {1, 2}) {
    for (const double h : {1e-3, 5e-3}) {
      SCOPED_TRACE(testing::Message() << prediction << ", h " << h);
      Config config = MakeConfig("exponential", h, 1e5, 300, 0.5);
      config.step.part<ExponentialParams>().slip_prediction = prediction;
      Simulation sim = Start(Block(size, 1, Face(size, 4)), config,
                             {Vec3(0, 0, 0.05), Quat::Identity()}, {6, 0, 0});
      const double start = Energy(sim);
      for (int i = 0; i < 300 && Advanced(sim.Step()); ++i) {
        EXPECT_LT(Energy(sim) - start, 0.1 * start);
      }
    }
  }
}

// Two bodies are two trees: what one needs, the other may not feel in its motion.
TEST(AnchorEnergy, SeveralTreesLandTogether) {
  Body body;
  body.points_B = {Vec3::Zero()};
  body.SetJoint(JointKind::kFree);
  Surface floor;
  floor.name = "floor";
  Model model;
  model.surfaces = {floor};
  for (int i = 0; i < 4; ++i) {
    body.name = std::string("mass") + static_cast<char>('a' + i);
    body.collides = false;  // they pass through each other
    body.X_WB.p = Vec3(i, 0, 0.1 + 0.07 * i);
    body.V_WB << 0, 0, 0, 2, 0.3 * i, 0;
    model.bodies.push_back(body);
  }
  Simulation sim(test::Finish(model), MakeConfig("exponential", 5e-3, 1e7, 300, 0.5));
  EXPECT_LT(RunGain(&sim, 2), 1e-6);
  for (std::size_t b = 0; b < 4; ++b) EXPECT_NEAR(sim.state().X_WB[b].p.z(), 0, 2e-2);
}

}  // namespace
}  // namespace slip
