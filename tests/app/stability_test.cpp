// The limit of stable steps in the window: mark, light, solver tab, what a failure offers; closed
// forms beside the runs; the table of parameters and methods.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "app/session/closed_form.h"
#include "engine/contact/spring_damper.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "tests/support/models.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

std::string StabilityText(const std::string& id) {
  const WidgetRecord* widget = FindWidget(id);
  return widget == nullptr ? "no widget" : widget->text;
}

TEST(StabilityWindow, MarkAndLightsTellTheLimit) {
  UI_OR_SKIP(ui, OpenPlan("bouncing-mass", "", {"time_step=1ms"}));
  ui->ui().state.shell.left_tab = TabId::kParameters;
  ui->session().playback().SetSpeed(1);
  PassAndDraw(ui.get(), 3);
  EXPECT_EQ(StabilityText("param/time_step/limit/0"), "Explicit Euler's limit now: 2.00 ms");
  EXPECT_EQ(FindWidget("param/time_step/limit/1"), nullptr) << "the others' is the same";
  EXPECT_TRUE(StabilityText("chip/1/light").starts_with("Stable")) << StabilityText("chip/1/light");
  EXPECT_EQ(FindWidget("chip/0/light"), nullptr) << "Exponential has no limit";
  EXPECT_EQ(FindWidget("chip/2/light"), nullptr);
  ui->session().params().Set(-1, "time_step", 1.9e-3);
  PassAndDraw(ui.get(), 0.1);
  EXPECT_TRUE(StabilityText("chip/1/light").starts_with("Near")) << StabilityText("chip/1/light");
  ui->session().params().Set(-1, "time_step", 2.1e-3);
  PassAndDraw(ui.get(), 0.1);
  EXPECT_TRUE(StabilityText("chip/1/light").starts_with("Unstable"))
      << StabilityText("chip/1/light");
  // the mark follows the parameters: 2 B/K
  ui->session().params().Set(-1, "material.rubber.damping", 200);
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(StabilityText("param/time_step/limit/0"), "Explicit Euler's limit now: 4.00 ms");
}

TEST(StabilityWindow, WhereNoMethodHasALimitThereIsNoMark) {
  UI_OR_SKIP(ui, OpenPlan("bouncing-mass", "exponential,sap", {"time_step=1ms"}));
  ui->ui().state.shell.left_tab = TabId::kParameters;
  PassAndDraw(ui.get(), 1);
  ASSERT_NE(FindWidget("param/time_step/slider"), nullptr);
  EXPECT_EQ(FindWidget("param/time_step/limit/0"), nullptr);
}

TEST(StabilityWindow, AFailureNamesTheLimitAndOffersAStepBelow) {
  UI_OR_SKIP(ui, OpenPlan("bouncing-mass", "explicit-euler", {"time_step=10ms"}));
  ui->session().playback().SetSpeed(1);
  PassAndDraw(ui.get(), 1);
  Session& session = ui->session();
  ASSERT_EQ(session.StoppedCount(), 1);
  ASSERT_NE(session.Card(), nullptr);
  const std::string said = session.Card()->Text();
  EXPECT_NE(said.find("(Explicit Euler, time step 10 ms; its limit here was about 2 ms)"),
            std::string::npos)
      << said;
  EXPECT_LT(session.frame(0).bodies[0].X_WB.p.norm(), 1);
  EXPECT_TRUE(StabilityText("chip/0/light").starts_with("Unstable"))
      << StabilityText("chip/0/light");
  const auto& actions = session.Card()->actions;
  const auto offer = std::find_if(actions.begin(), actions.end(), [](const MessageAction& action) {
    return action.label == "Use 1.50 ms";
  });
  ASSERT_NE(offer, actions.end()) << actions[0].label;
  ASSERT_TRUE(ui->Click("message/" + std::to_string(offer - actions.begin())));
  PassAndDraw(ui.get(), 1);
  EXPECT_EQ(session.StoppedCount(), 0);
  EXPECT_DOUBLE_EQ(session.params().Value(0, "time_step"), 1.5e-3);
  EXPECT_EQ(session.Card(), nullptr) << session.Card()->Text();
}

// Where no step is stable the window offers none.
TEST(StabilityWindow, UndampedContactsOfExplicitEulerAreOfferedNoStep) {
  UI_OR_SKIP(ui, OpenPlan("bouncing-mass", "explicit-euler", {"time_step=10ms", "damping=0"}));
  ui->session().playback().SetSpeed(1);
  PassAndDraw(ui.get(), 1);
  Session& session = ui->session();
  ASSERT_EQ(session.StoppedCount(), 1);
  ASSERT_NE(session.Card(), nullptr);
  const std::string said = session.Card()->Text();
  EXPECT_NE(said.find("without damping"), std::string::npos) << said;
  EXPECT_EQ(said.find("about 0 ms"), std::string::npos) << said;
  for (const MessageAction& action : session.Card()->actions)
    EXPECT_FALSE(action.label.starts_with("Use ")) << action.label;
  EXPECT_TRUE(StabilityText("chip/0/light").starts_with("Unstable at any time step"))
      << StabilityText("chip/0/light");
}

TEST(StabilityWindow, TheSolverTabKnowsMethodsWithAnchors) {
  UI_OR_SKIP(ui,
             OpenPlan("quadruped-stand", "exponential,explicit-euler,sap", {"time_step=0.1ms"}));
  ui->ui().state.shell.inspect_tab = TabId::kSolver;
  PassAndDraw(ui.get(), 0.2);
  for (const char* tile : {"norm", "order", "products", "clipped", "guard"})
    EXPECT_NE(FindWidget(std::string("solver/") + tile), nullptr) << tile;
  EXPECT_EQ(FindWidget("solver/condition"), nullptr);
  EXPECT_EQ(FindWidget("solver/stability"), nullptr);
  const AnchorSummary& anchors = ui->session().frame(0).solve.anchors;
  EXPECT_GT(anchors.raw_norm, anchors.norm);
  EXPECT_GT(anchors.norm, 0);
  EXPECT_GT(anchors.order, 0);
  EXPECT_GT(anchors.products, 0);
  ui->session().looks().SetLead(1);
  PassAndDraw(ui.get(), 0.1);
  EXPECT_NE(FindWidget("solver/stability"), nullptr);
  EXPECT_EQ(FindWidget("solver/norm"), nullptr);
  ui->session().looks().SetLead(2);
  PassAndDraw(ui.get(), 0.1);
  EXPECT_NE(FindWidget("solver/condition"), nullptr);
  EXPECT_EQ(FindWidget("solver/stability"), nullptr);
}

TEST(ClosedForm, LiesUnderTheRunsAndEndsAtAChange) {
  OPEN_OR_SKIP(ui, "spring-wall");
  Session& session = ui->session();
  session.playback().SetSpeed(1);
  PassAndDraw(ui.get(), 1);
  ASSERT_TRUE(session.reference().ShowsClosedForm());
  for (const Signal signal : {Signal::kPositionZ, Signal::kVelocityZ}) {
    for (double t = 8e-3; t < 0.9; t += 8e-3) {
      const double run = session.series().View(0, signal).At(t + 1e-6);
      const double form = session.reference().series().View(0, signal).At(t + 1e-6);
      ASSERT_NEAR(run, form, 1e-8) << t;
    }
  }
  session.params().Set(-1, "material.rubber.damping", 100);
  PassAndDraw(ui.get(), 0.1);
  EXPECT_LT(session.reference().series().end(), 1.2);
  // another run begins with other parameters
  session.playback().Reset();
  PassAndDraw(ui.get(), 0.5);
  ASSERT_TRUE(session.reference().ShowsClosedForm());
  EXPECT_NEAR(session.series().View(0, Signal::kPositionZ).At(0.4 + 1e-6),
              session.reference().series().View(0, Signal::kPositionZ).At(0.4 + 1e-6), 1e-8);
  session.reference().Drop();
  PassAndDraw(ui.get(), 0.1);
  EXPECT_FALSE(session.reference().Exists());
}

TEST(ClosedForm, ExponentialIsExactAtAnyStepAndEulerConverges) {
  const auto scene = FindScene("spring-wall");
  ASSERT_TRUE(scene.ok());
  const Model& model = *(*scene)->model;
  const SpringDamper spring{10, 1e4, 50, -98.1};
  const auto error = [&](const char* method, double h) {
    Config config = (*scene)->config;
    config.step.method = static_cast<int>(*FindMethod(method));
    config.step.time_step = h;
    Simulation sim((*scene)->model, config);
    double worst = 0;
    while (sim.time() < 0.5) {
      EXPECT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
      const double z = CalcMotion(spring, 0, 0, sim.time()).x;
      worst = std::max(worst, std::abs(sim.state().X_WB[0].p.z() - model.bodies[0].X_WB.p.z() - z));
    }
    return worst;
  };
  for (const double h : {1e-3, 8e-3, 40e-3, 100e-3}) EXPECT_LT(error("exponential", h), 1e-12) << h;
  const double coarse = error("explicit-euler", 2e-4), fine = error("explicit-euler", 1e-4);
  EXPECT_LT(fine, 1e-4);
  EXPECT_NEAR(coarse / fine, 2, 0.1);
}

TEST(ClosedForm, ASlidingMassStopsWhereItSays) {
  const auto scene = FindScene("sliding-mass");
  ASSERT_TRUE(scene.ok());
  const Config& config = (*scene)->channels[0].config;
  const std::vector<Sample> form = CalcClosedForm(*(*scene)->model, config, 2);
  // a step that ends in sticking sticks as a whole in the consistent form: μ g h²/2
  for (const bool published : {false, true}) {
    for (const double h : {1e-3, 5e-3, 20e-3}) {
      Config own = config;
      own.step.time_step = h;
      if (published) test::TakePublishedForms(&own);
      const double of_stop = published ? 0.1 : 1;
      Simulation sim((*scene)->model, own);
      while (sim.time() < 1.5) {
        ASSERT_EQ(sim.Step(), StepStatus::kConverged);
        const auto at = static_cast<std::size_t>(std::lround(1e3 * sim.time()));
        const double x = form[at].values[static_cast<std::size_t>(Signal::kPositionX)];
        // friction acts from the first step on that finds the point slipping, and springs back
        ASSERT_NEAR(sim.state().X_WB[0].p.x(), x, 2.5e-5 + of_stop * h * h + 1e-3 * h)
            << h << " " << at;
      }
    }
  }
}

TEST(Readers, TheTableIsWhatMethodsSayThatTheyRead) {
  OPEN_OR_SKIP(ui, "bouncing-mass");
  ui->ui().state.shell.left_tab = TabId::kParameters;
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("param/readers"));
  Settle(ui.get());
  int rows = 0;
  const auto check = [&](const ParamInfo& info) {
    const WidgetRecord* row = FindWidget("readers/" + std::string(info.name));
    ASSERT_EQ(row != nullptr, !ReadByAll(info)) << info.name;
    if (row == nullptr) return;
    ++rows;
    for (const MethodInfo& method : Methods()) {
      const std::string list = ", " + row->text + ",";
      EXPECT_EQ(list.find(", " + std::string(method.id) + ",") != std::string::npos,
                Reads(method, info))
          << info.name << " " << method.id;
    }
  };
  for (const auto& row : MaterialTable()) check(row.info);
  for (const auto& row : StepParamTable()) check(row.info);
  EXPECT_GT(rows, 8);
  ui->ui().requests.Do(Action::kEscape);
  Settle(ui.get());
  EXPECT_EQ(FindWidget("readers/damping"), nullptr);
}

}  // namespace
}  // namespace slip::app
