// What is reported of a step, beyond what its formulation reports.
#include "engine/tell/step_report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/run/study/run_plan.h"
#include "engine/sim/simulation.h"
#include "tests/support/models.h"

namespace slip {
namespace {

TEST(StepReport, AStepOfControlledErrorTellsItsInnerSteps) {
  for (const char* method : {"sap", "explicit-euler", "implicit-euler"}) {
    for (const bool controls : {false, true}) {
      const auto plan = MakeRunPlan(*FindScene("conveyor"), method,
                                    {controls ? "error_control=on" : "error_control=off"}, {});
      ASSERT_TRUE(plan.ok()) << plan.error().Text();
      Simulation sim(plan->scene->ModelFor(plan->configs[0]), plan->configs[0]);
      if (!controls && std::string_view(method) == "explicit-euler") continue;  // beyond its limit
      ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      ChannelFrame frame;
      sim.Fill(&frame);
      const StepReport report = ReportOf(sim.model(), frame);
      const auto find = [&](std::string_view id) {
        return std::find_if(report.figures.begin(), report.figures.end(),
                            [&](const Figure& figure) { return figure.id == id; });
      };
      const auto steps = find("inner_steps"), error = find("inner_error");
      ASSERT_EQ(steps != report.figures.end(), controls) << method;
      if (!controls) continue;
      EXPECT_EQ(steps->value, test::Value(sim, Signal::kInnerSteps)) << method;
      EXPECT_EQ(error->value, test::Value(sim, Signal::kInnerError)) << method;
      EXPECT_GE(steps->value, 1) << method;
    }
  }
}

TEST(StepReport, ExactFrictionHasItsCertificate) {
  for (const bool starved : {false, true}) {
    // a single contact needs no iterations: its root is bracketed, and few contacts need few
    const auto plan = MakeRunPlan(*FindScene(starved ? "clutter" : "conveyor"), "coulomb",
                                  {starved ? "max_iterations=1" : "max_iterations=100"}, {});
    ASSERT_TRUE(plan.ok()) << plan.error().Text();
    Simulation sim(plan->scene->ModelFor(plan->configs[0]), plan->configs[0]);
    for (int i = 0; i < (starved ? 30 : 10); ++i)
      ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    ChannelFrame frame;
    sim.Fill(&frame);
    const StepReport report = ReportOf(sim.model(), frame);
    const auto find = [&](std::string_view id) {
      return *std::find_if(report.figures.begin(), report.figures.end(),
                           [&](const Figure& figure) { return figure.id == id; });
    };
    EXPECT_EQ(find("coulomb_residual").value <= 1e-8, !starved);
    EXPECT_EQ(find("coulomb_residual").suffix, starved ? "none" : "certified");
    EXPECT_EQ(find("stage").value >= 4, starved);
    EXPECT_EQ(find("mismatch_N").value > 0, starved);
    EXPECT_EQ(report.status.find("No solution found in ") == 0, starved) << report.status;
    EXPECT_EQ(report.status.find(": a Lagged step there") != std::string::npos, starved);
    EXPECT_EQ(find("index_untested").value, 0);
  }
}

}  // namespace
}  // namespace slip
