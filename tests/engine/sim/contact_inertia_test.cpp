// The contact's inertia against the solver's own estimate and a closed form.
#include "engine/sim/contact_inertia.h"

#include <gtest/gtest.h>

#include "engine/formulation/contact_problem.h"
#include "engine/sim/simulation.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

TEST(ContactInertia, IsWhatTheStepSaw) {
  for (const Motion motion : {Motion::kXZ, Motion::kPlanar, Motion::kFree}) {
    Simulation sim(BoxOnBelt(motion, -1e-6), BeltConfig(ContactModelId::kSap, 1e-4));
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    ChannelFrame frame;
    sim.Fill(&frame);
    ASSERT_EQ(frame.contacts.size(), 1u);
    const ContactInertia inertia = CalcContactInertia(sim.model(), frame, frame.contacts[0]);
    EXPECT_NEAR(inertia.w, sim.problem().contacts[0].start.w, 1e-6);
    // the point lies under the centre of mass: the normal moves the mass alone
    EXPECT_NEAR(inertia.normal_mass, 1, 1e-6);
  }
}

TEST(ContactInertia, AnArmMakesTheContactLighter) {
  Simulation sim(BoxOnBelt(Motion::kPlanar, -1e-6), BeltConfig(ContactModelId::kSap, 1e-4));
  ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  ChannelFrame frame;
  sim.Fill(&frame);
  ContactFrame corner = frame.contacts[0];
  corner.p_W.x() += 0.05;
  // 1/m + x²/I = 1 + 0.0025·600
  EXPECT_NEAR(CalcContactInertia(sim.model(), frame, corner).normal_mass, 1 / 2.5, 1e-6);
}

}  // namespace
}  // namespace slip::test
