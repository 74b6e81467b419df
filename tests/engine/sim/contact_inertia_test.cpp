// The contact's inertia against the solver's own estimate and a closed form.
#include "engine/sim/contact_inertia.h"

#include <gtest/gtest.h>

#include "engine/convex/contact_problem.h"
#include "engine/convex/convex_formulation.h"
#include "engine/sim/simulation.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

TEST(ContactInertia, IsWhatTheStepSaw) {
  for (const JointKind motion : {JointKind::kXZ, JointKind::kPlanar, JointKind::kFree}) {
    Simulation sim(BoxOnBelt(motion, -1e-6), BeltConfig(method_id::kSap, 1e-4));
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    ChannelFrame frame;
    sim.Fill(&frame);
    ASSERT_EQ(frame.contacts.size(), 1u);
    const ContactInertia inertia = CalcContactInertia(sim.model(), frame, frame.contacts[0]);
    EXPECT_NEAR(inertia.w, ProblemOf(sim.formulation())->task.contacts[0].start.w, 1e-6);
    // the point lies under the centre of mass: the normal moves the mass alone
    EXPECT_NEAR(inertia.normal_mass, 1, 1e-6);
  }
}

TEST(ContactInertia, AnArmMakesTheContactLighter) {
  Simulation sim(BoxOnBelt(JointKind::kPlanar, -1e-6), BeltConfig(method_id::kSap, 1e-4));
  ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  ChannelFrame frame;
  sim.Fill(&frame);
  ContactFrame corner = frame.contacts[0];
  corner.p_W.x() += 0.05;
  // 1/m + x²/I = 1 + 0.0025·600
  EXPECT_NEAR(CalcContactInertia(sim.model(), frame, corner).normal_mass, 1 / 2.5, 1e-6);
}

TEST(ImpactSpeed, IsThatOfTheTouchAndOfNothingElse) {
  // falls freely by 0.1 m, lands, and rests
  Simulation sim(BoxOnBelt(JointKind::kXZ, 0.1), BeltConfig(method_id::kLagged, 1e-3));
  int touches = 0;
  double hardest = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    const double speed = Value(sim, Signal::kImpactSpeed);
    if (std::isnan(speed)) continue;
    ++touches;
    hardest = std::max(hardest, speed);
  }
  EXPECT_NEAR(hardest, std::sqrt(2 * 9.81 * 0.1), 0.02);
  EXPECT_GE(touches, 1);
  EXPECT_LT(touches, 200) << "a contact that stays is touched once";
}

TEST(ImpactSpeed, GlidingDownIsNone) {
  // on the belt the gap of Similar follows the slip speed up and down without losing touch
  Config config = BeltConfig(method_id::kSimilar, 1e-2);
  config.surfaces[0].belt_amplitude = 0.2;
  config.surfaces[0].belt_frequency = 1;
  Simulation sim(BoxOnBelt(JointKind::kXZ, 0), config);
  double hardest = 0, falling = 0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    hardest = std::fmax(hardest, Value(sim, Signal::kImpactSpeed));
    if (Value(sim, Signal::kNormalForce) > 0)
      falling = std::fmax(falling, -Value(sim, Signal::kNormalVelocity));
  }
  EXPECT_GT(falling, 0.01);
  EXPECT_LT(hardest, 0.2 * falling);
}

}  // namespace
}  // namespace slip::test
