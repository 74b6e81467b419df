// Motors that hold a robot give way by as much as they promise.
#include "engine/control/holding_gains.h"

#include <gtest/gtest.h>

namespace slip {
namespace {

TEST(HoldingGains, TheWeightTurnsAJointByTheSameAngleWhateverTheRobot) {
  for (const double weight : {0.5, 20.0, 900.0}) {
    for (const double reach : {0.05, 0.8}) {
      const HoldingGains turns = CalcHoldingGains(weight, reach, false);
      EXPECT_NEAR(weight * reach / turns.stiffness, 0.05, 1e-12);
      EXPECT_NEAR(turns.damping, 0.1 * turns.stiffness, 1e-9);
      const HoldingGains slides = CalcHoldingGains(weight, reach, true);
      EXPECT_NEAR(weight / slides.stiffness, 0.01, 1e-12) << "a slide bears it at any reach";
    }
  }
}

TEST(HoldingGains, AreNeverZero) {
  for (const bool slides : {false, true}) EXPECT_GT(CalcHoldingGains(0, 0, slides).stiffness, 0);
}

}  // namespace
}  // namespace slip
