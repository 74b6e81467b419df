// How far the models' steps are from Coulomb's law (engine/README.md section 21), in scenes whose
// numbers come from an independent solver of the same equations.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/sim/timeline.h"
#include "engine/tell/step_notes.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

using namespace method_id;

/// In this order each row of a table has its numbers; the regularised Lagged has Lagged's.
constexpr MethodId kMethods[] = {kLagged, kSimilar, kSap, kTodorov, kAnitescu};
constexpr int kCompared = 5;

const ContactFrame& Only(const Simulation& sim) { return sim.contacts().front(); }

/// Of all steps up to a time.
struct Largest {
  double distance = 0, lag = 0;
};
Largest StepTo(Simulation* sim, double time) {
  Largest largest;
  while (sim->time() + 0.5 * sim->config().step.time_step <= time) {
    EXPECT_EQ(sim->Step(), StepStatus::kConverged);
    largest.distance = std::max(largest.distance, Value(*sim, Signal::kCoulombDistance));
    largest.lag = std::max(largest.lag, Value(*sim, Signal::kCoulombLag));
  }
  return largest;
}

// Half a unit of the last digit that the tables print.
void ExpectDigits(double expected, double found, double unit) {
  EXPECT_NEAR(found, expected, 0.51 * unit);
}

TEST(CoulombDistanceTable, Conveyor) {
  const double offset[kCompared] = {0, 2.6298e-3, 2.6165e-3, 2.6158e-3, 2.6273e-3};
  const double distance[kCompared] = {7.80e-8, 10.823, 10.822, 10.823, 10.823};
  const double largest[kCompared] = {0.0853, 11.074, 11.075, 11.074, 11.074};
  for (int i = 0; i < kCompared; ++i) {
    SCOPED_TRACE(Info(kMethods[i]).id);
    Config config = BeltConfig(kMethods[i], 1e-2);
    config.surfaces[0].belt_amplitude = 0.2;
    config.surfaces[0].belt_frequency = 1;
    Simulation sim(BoxOnBelt(JointKind::kXZ, -9.81e-7), config);
    const Largest first = StepTo(&sim, 0.6);
    ExpectDigits(offset[i], Only(sim).coulomb.offset, 1e-7);
    ExpectDigits(distance[i], Only(sim).coulomb.distance, i == 0 ? 1e-10 : 1e-3);
    EXPECT_EQ(Value(sim, Signal::kCoulombOffset), Only(sim).coulomb.offset);
    const Largest rest = StepTo(&sim, 1);
    ExpectDigits(largest[i], std::max(first.distance, rest.distance), i == 0 ? 1e-4 : 1e-3);
  }
}

TEST(CoulombDistanceTable, DroppedBox) {
  const double offset[kCompared] = {0, 2.5620e-3, 2.5521e-3, 2.5506e-3, 2.5625e-3};
  for (int i = 0; i < kCompared; ++i) {
    SCOPED_TRACE(Info(kMethods[i]).id);
    Config config = BeltConfig(kMethods[i], 1e-2);
    config.step.gravity = 10;
    Simulation sim(BoxOnBelt(JointKind::kXZ, 5e-3, Vec3(1, 0, 0)), config);
    const Largest first = StepTo(&sim, 0.1);
    ExpectDigits(offset[i], Only(sim).coulomb.offset, 1e-7);
    const Largest rest = StepTo(&sim, 0.35);
    const double distance = std::max(first.distance, rest.distance);
    ExpectDigits(i == 0 ? 8.9354 : 11.180, distance, i == 0 ? 1e-4 : 1e-3);
    ExpectDigits(i == 0 ? 9.990 : 0, std::max(first.lag, rest.lag), 1e-3);
  }
}

Simulation OnSlope(MethodId id, double degrees) {
  Config config = BeltConfig(id, 1e-2);
  config.step.tilt = degrees * std::numbers::pi / 180;
  const double depth = 9.81 * std::cos(config.step.tilt) / 1e7;
  return {BoxOnBelt(JointKind::kXZ, -depth), config};
}

TEST(CoulombDistanceTable, Slope) {
  const double holds[kCompared] = {0.02518, 0.02770, 0.2125, 0.2335, 8.3e-6};
  const double unit[kCompared] = {1e-5, 1e-5, 1e-4, 1e-4, 1e-7};
  for (int i = 0; i < kCompared; ++i) {
    SCOPED_TRACE(Info(kMethods[i]).id);
    Simulation sim = OnSlope(kMethods[i], 20);
    StepTo(&sim, 0.5);
    ExpectDigits(holds[i], Only(sim).coulomb.distance, unit[i]);
    Simulation slides = OnSlope(kMethods[i], 30);
    StepTo(&slides, 0.3);
    ExpectDigits(i == 0 ? 4.89e-7 : 9.4985, Only(slides).coulomb.distance, i == 0 ? 1e-9 : 1e-4);
  }
}

TEST(CoulombDistanceTable, SphereThatHits) {
  const double force[kCompared] = {591.45, 650.40, 195.55, 657.96, 634.39};
  const double deficit[kCompared] = {354.9, 6e-7, 0, 0, 0};
  const double distance[kCompared] = {169.95, 679.03, 204.16, 686.94, 662.33};
  for (int i = 0; i < kCompared; ++i) {
    SCOPED_TRACE(Info(kMethods[i]).id);
    Simulation sim = FallingSphere(kMethods[i], 1e-3);
    StepTo(&sim, 0.045);
    const ContactFrame& contact = Only(sim);
    ExpectDigits(force[i], contact.fn, 1e-2);
    ExpectDigits(deficit[i], DissipationDeficit(contact), i == 0 ? 0.1 : 1e-6);
    ExpectDigits(distance[i], contact.coulomb.distance, 1e-2);
    EXPECT_EQ(DissipationDeficit(contact), Value(sim, Signal::kDissipationDeficit));
  }
}

TEST(CoulombDistanceTable, RegularisedLaggedIsLagged) {
  for (const MethodId id : {kLagged, kLaggedRegularized}) {
    Simulation sim = OnSlope(id, 20);
    StepTo(&sim, 0.5);
    ExpectDigits(0.02518, Only(sim).coulomb.distance, 1e-5);
  }
}

// ---- what is measured, and where it is kept

TEST(CoulombDistance, IsNotMeasuredWhereNobodyAsksAndChangesNoBit) {
  Simulation sim = OnSlope(kLagged, 20), quiet = OnSlope(kLagged, 20);
  quiet.SetMeasureCondition(true, false);
  for (int i = 0; i < 10; ++i) {
    sim.Step();
    quiet.Step();
  }
  EXPECT_EQ(Hash(sim.state()), Hash(quiet.state()));
  EXPECT_GT(Value(sim, Signal::kCoulombDistance), 0);
  EXPECT_GT(Value(sim, Signal::kCoulombRelative), 0);
  for (const Signal signal :
       {Signal::kCoulombDistance, Signal::kCoulombRelative, Signal::kCoulombOffset,
        Signal::kCoulombLag, Signal::kConeExcess, Signal::kDissipationDeficit})
    EXPECT_TRUE(std::isnan(Value(quiet, signal))) << Info(signal).name;
  EXPECT_TRUE(std::isnan(ConeExcess(Only(quiet))));
  // this one costs nothing
  EXPECT_EQ(Value(quiet, Signal::kBeyondCone), 0);
}

TEST(CoulombDistance, OfOneContactIsThatOfItsForces) {
  Simulation sim = OnSlope(kSimilar, 30);
  StepTo(&sim, 0.3);
  const ContactFrame& c = Only(sim);
  EXPECT_NEAR(Value(sim, Signal::kCoulombRelative), c.coulomb.distance / std::hypot(c.fn, c.ft),
              1e-12);
}

TEST(CoulombDistance, TheHistoryKeepsIt) {
  Simulation sim = OnSlope(kLagged, 20);
  StepTo(&sim, 0.05);
  Timeline timeline(200 * 1024);
  timeline.Append(sim.now(), sim.time(), false);
  StepRecord back;
  timeline.Load(0, &back);
  const CoulombDistance &was = Only(sim).coulomb, &kept = back.contacts.front().coulomb;
  EXPECT_EQ(kept.distance, was.distance);
  EXPECT_EQ(kept.offset, was.offset);
  EXPECT_EQ(kept.lag, was.lag);
}

// A step made of inner ones is as far as its last inner one: means of forces go with no velocity.
TEST(CoulombDistance, OfInnerStepsIsThatOfTheLast) {
  Simulation sim = OnSlope(kSimilar, 30);
  Config config = sim.config();
  config.step.error_control = 1;
  sim.SetConfig(config);
  StepTo(&sim, 0.1);
  const ContactFrame& c = Only(sim);
  // it glides by less than one of 10 ms would, and not by nothing
  EXPECT_GT(c.coulomb.offset, 0);
  EXPECT_LT(c.coulomb.offset, c.friction * 1e-2 * c.vt);
  EXPECT_TRUE(std::isfinite(c.coulomb.distance));
}

TEST(CoulombDistance, RigidStepsWithoutInertiaHaveAnOffsetAlone) {
  Simulation sim = OnSlope(MethodNamed("quasi-dynamic"), 20);
  ASSERT_TRUE(Advanced(sim.Step()));
  EXPECT_TRUE(std::isnan(Value(sim, Signal::kCoulombDistance)));
  EXPECT_TRUE(std::isfinite(Value(sim, Signal::kCoulombOffset)));
  EXPECT_EQ(Value(sim, Signal::kBeyondCone), 0);
}

// Springs with anchors hold a box on a slope without creep: at rest they are on both laws.
TEST(CoulombDistance, AnchorsRestOnTheLaw) {
  Config config = OnSlope(MethodNamed("implicit-euler"), 20).config();
  config.step.time_step = 1e-3;
  config.materials[0].stiffness = 1e5;
  Simulation sim(BoxOnBelt(JointKind::kXZ, 0), config);
  double moving = 0;
  while (sim.time() < 2) {
    ASSERT_TRUE(Advanced(sim.Step()));
    moving = std::fmax(moving, Value(sim, Signal::kCoulombDistance));
  }
  EXPECT_LT(Value(sim, Signal::kCoulombDistance), 1e-3 * moving);
  EXPECT_LT(std::abs(Value(sim, Signal::kCoulombOffset)), 1e-8);
}

// Lagged friction of an impact is that of no impulse, and after it that of too much.
TEST(CoulombDistance, LaggedFrictionBeyondTheConeIsTold) {
  for (const MethodId id : {kLagged, kSimilar}) {
    Config config = BeltConfig(id, 1e-2);
    config.step.gravity = 10;
    Simulation sim(BoxOnBelt(JointKind::kXZ, 5e-3, Vec3(1, 0, 0)), config);
    StepNotes notes(sim.model());
    double beyond = 0, excess = 0;
    while (sim.time() < 0.35) {
      ASSERT_TRUE(Advanced(sim.Step()));
      notes.Watch(sim);
      beyond += Value(sim, Signal::kBeyondCone);
      excess = std::max(excess, Value(sim, Signal::kConeExcess));
    }
    const std::vector<StepNote> list = notes.List();
    const StepNote* note = Find(list, "cone");
    EXPECT_EQ(note != nullptr, id == kLagged);
    EXPECT_EQ(beyond > 0, id == kLagged);
    EXPECT_EQ(excess > 1, id == kLagged);
    if (note == nullptr) continue;
    EXPECT_EQ(note->sum, beyond);
    EXPECT_NE(note->what.find("more friction than Coulomb allows"), std::string::npos)
        << note->what;
    EXPECT_TRUE(note->is_little);
  }
}

}  // namespace
}  // namespace slip::test
