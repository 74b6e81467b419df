// One criterion of slip for all models: the slip speed at which friction has reached 95 % of its
// limit.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"

namespace slip {
namespace {

// Where every model of a box on a slope ends after half a second, at this share of the limit.
void ExpectModes(double share, ContactMode mode) {
  const auto scene = FindScene("slope-creep");
  ASSERT_TRUE(scene.ok());
  for (const char* id : {"sap", "lagged", "lagged-regularized", "similar"}) {
    Config config = (*scene)->config;
    ASSERT_TRUE(ApplyAssignment(&config, std::string("method=") + id)) << id;
    ASSERT_TRUE(SetParam(&config, "friction", 0.5)) << id;
    ASSERT_TRUE(SetParam(&config, "tilt", std::atan(0.5 * share))) << id;
    Simulation sim((*scene)->model, config);
    while (sim.time() < 0.5) ASSERT_EQ(sim.Step(), StepStatus::kConverged) << id;
    ASSERT_EQ(sim.contacts().size(), 1u);
    const ContactFrame& contact = sim.contacts()[0];
    EXPECT_NEAR(contact.ft / (0.5 * contact.fn), share, 0.01) << id;
    EXPECT_EQ(contact.mode, mode) << id << " at " << share;
  }
}

TEST(SlipCriterion, IsOneForAllModels) {
  // sqrt(1/2) is where regularised friction has the speed v_s, 0.83 where words differed once
  for (const double share : {0.3, 0.72, 0.83, 0.93}) ExpectModes(share, ContactMode::kStick);
  ExpectModes(0.97, ContactMode::kSlip);
}

}  // namespace
}  // namespace slip
