// That the judge of random runs knows methods without a contact problem, and steps of controlled
// error: what it sees in them, and what it lets pass.
#include "tests/random/ledger_judge.h"

#include <gtest/gtest.h>

#include "tests/random/judge.h"
#include "tests/support/judged_run.h"

namespace slip::test {
namespace {

RunVerdict WatchAlone(const std::string& line) {
  return WatchRun(line, [](Simulation*) {});
}

TEST(LedgerJudge, FindsNothingInSoundRunsOfAnyMethod) {
  for (const char* line :
       {"bouncing-mass -m exponential -p time_step=2e-3 --steps 500",
        "bouncing-mass -m explicit-euler -p time_step=1e-3 --steps 500",
        "bouncing-mass -m rk4 -p time_step=1e-3 --steps 500",
        "bouncing-mass -m implicit-euler -p time_step=1e-3 --steps 500",
        "sliding-mass -m exponential --steps 300", "quadruped-stand -m exponential --steps 300",
        "quadruped-trot -m exponential -p time_step=1e-3 --steps 300",
        "bouncing-ball -m lagged -p error_control=on --steps 200",
        "conveyor -m sap -p error_control=on -p local_extrapolation=on --steps 60",
        "quadruped-stand -m explicit-euler -p time_step=1e-4 -p error_control=on --steps 20"}) {
    const RunVerdict v = WatchAlone(line);
    EXPECT_TRUE(v.ledger.judged) << line;
    EXPECT_LE(v.ledger.rise_ratio.value, 1) << line << ": " << v.ledger.rise.value << " J";
    EXPECT_LE(v.depth_ratio.value, 1) << line;
    EXPECT_EQ(v.through.value, 0) << line;
    EXPECT_EQ(v.unconverged, 0) << line;
    EXPECT_FALSE(v.not_finite) << line;
    EXPECT_TRUE(v.failure.empty()) << v.failure;
  }
}

// A thousandth more of velocity is more than a sound step gives, and less than anyone is told of.
TEST(LedgerJudge, SeesEnergyFromNowhereThatNobodyWasToldOf) {
  // implicit Euler's own losses would hide it
  for (const char* method : {"exponential", "explicit-euler", "rk4"}) {
    SCOPED_TRACE(method);
    const auto pushed = [&](double factor) {
      return WatchRun(
          std::string("bouncing-mass -p time_step=1e-3 -p gained_energy=refuse -p bias=midpoint "
                      "-p anchors=yielding --steps 100 -m ") +
              method,
          [factor](Simulation* sim) {
            if (sim->step() != 50) return;
            StepRecord record = sim->now();
            record.state.v *= factor;
            sim->Restore(record, sim->config());
          });
    };
    const RunVerdict v = pushed(1.001);
    EXPECT_TRUE(v.ledger.broken()) << v.ledger.rise_ratio.value << ' ' << v.ledger.told;
    EXPECT_GE(v.ledger.rise.step, 51);
    EXPECT_FALSE(pushed(1).ledger.broken());
    // a fifth more is told of by the run itself
    const RunVerdict told = pushed(1.2);
    EXPECT_GT(told.ledger.rise_ratio.value, 1);
    EXPECT_NE(told.ledger.told.find("more than it began with"), std::string::npos);
    EXPECT_FALSE(told.ledger.broken());
  }
}

// Explicit Euler within its limit takes on a soft spring what it gives back as the spring lets go.
TEST(LedgerJudge, IsToldOfWhatAMethodsOwnErrorLends) {
  const RunVerdict v = WatchAlone(
      "falling-sphere -m explicit-euler -p time_step=0.05853 -p stiffness=286.1 -p damping=9.491 "
      "-p friction=0.4678 -p mass=2032 --steps 300");
  EXPECT_GT(v.ledger.rise_ratio.value, 1);
  EXPECT_NE(v.ledger.told.find("more than it began with"), std::string::npos);
  EXPECT_FALSE(v.ledger.broken());
}

TEST(LedgerJudge, KnowsWhatWasRefusedAndWhatWasAskedFor) {
  const RunVerdict refused =
      WatchAlone("quadruped-jump -m rk4 -p time_step=1e-3 -p bias=first-order --steps 300");
  EXPECT_TRUE(refused.kept_back) << refused.failure;
  EXPECT_NE(refused.ledger.told.find("from nothing"), std::string::npos);
  EXPECT_FALSE(refused.ledger.broken());
  EXPECT_FALSE(refused.ledger.expected) << "rk4 reads no bias";
  for (const char* knob :
       {"slip_set=published", "anchors=published", "bias=first-order", "gained_energy=accept"}) {
    const RunVerdict v =
        WatchAlone(std::string("bouncing-mass -m exponential --steps 2 -p ") + knob);
    EXPECT_TRUE(v.ledger.expected) << knob;
  }
  EXPECT_FALSE(WatchAlone("bouncing-mass -m exponential --steps 2").ledger.expected);
  EXPECT_FALSE(WatchAlone("conveyor -m sap -p error_control=on --steps 2").ledger.expected);
}

// Beyond its limit an explicit method that may gain runs away, and names the limit.
TEST(LedgerJudge, KnowsARunawayThatNamesItsLimit) {
  const RunVerdict v = WatchAlone(
      "bouncing-mass -m explicit-euler -p time_step=10ms -p damping=0 -p gained_energy=accept "
      "--steps 300");
  EXPECT_TRUE(v.runaway);
  EXPECT_TRUE(v.driven);
  EXPECT_FALSE(v.ledger.broken());
  EXPECT_GT(v.ledger.beyond, 0);
}

// Steps from rest have no inertia, and so no such balance; depth and convergence count.
TEST(LedgerJudge, AsksOfQuasiDynamicStepsWhatTheyHave) {
  const RunVerdict v = WatchAlone("box-push -m quasi-dynamic --steps 100");
  EXPECT_FALSE(v.ledger.judged);
  EXPECT_FALSE(v.ledger.broken());
  EXPECT_EQ(v.steps, 100);
  EXPECT_EQ(v.unconverged, 0);
  EXPECT_GT(v.contacts.value, 0);
  EXPECT_LE(v.depth_ratio.value, 1);
}

// An inner step of the smallest length counts whatever its error: nobody failed to solve it.
TEST(LedgerJudge, CountsTheSmallestInnerStepsBesideThoseThatDidNotConverge) {
  const RunVerdict v = WatchAlone(
      "bouncing-ball -m lagged -p error_control=on -p accuracy=1e-9 -p min_step=1e-3 "
      "-p time_step=1e-2 --steps 100");
  EXPECT_GT(v.at_floor, 0);
  EXPECT_EQ(v.unconverged, 0);
}

TEST(LedgerJudge, SeesABodyBelowTheFloor) {
  const RunVerdict v =
      WatchRun("bouncing-mass -m exponential -p time_step=1e-3 -p damping=1e5 --steps 300",
               [](Simulation* sim) {
                 if (sim->step() != 200) return;
                 StepRecord record = sim->now();
                 record.state.X_WB[0].p.z() = -0.4;
                 record.state.memory.clear();
                 sim->Restore(record, sim->config());
               });
  EXPECT_GT(v.through.value, 0.3);
  EXPECT_GT(v.depth_ratio.value, 1);
}

}  // namespace
}  // namespace slip::test
