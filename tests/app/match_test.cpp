// Match buttons: pressed in the window, and the effects compared in the run that follows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "app/session/run_moment.h"
#include "engine/tell/match.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

/// `staged`: with what the scene's window opens with.
std::unique_ptr<OffscreenUi> OpenModels(const char* scene, const std::vector<const char*>& models,
                                        bool staged = true) {
  const auto found = FindScene(scene);
  if (!found.ok()) return nullptr;
  auto own = std::make_shared<Scene>(**found);
  const Config config = own->channels[0].config;
  own->channels.clear();
  if (!staged) own->opens_with.clear();
  for (const char* model : models) {
    ChannelSpec spec;
    spec.config = config;
    spec.config.step.method = static_cast<int>(*FindMethod(model));
    own->channels.push_back(spec);
  }
  return OpenScene(own, 1280, 2000);
}

double Last(const Session& session, int channel, Signal signal) {
  return session.frame(channel).signals[static_cast<std::size_t>(signal)];
}

const ParamEntry Entry(const Session& session, const std::string& path) {
  for (const ParamEntry& entry : ListParams(session.frame(0).config)) {
    if (entry.path == path) return entry;
  }
  ADD_FAILURE() << path;
  return {};
}

TEST(Match, SameCreepAfterTheButton) {
  auto ui = OpenModels("slope-creep", {"lagged", "sap"});
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  Session& session = ui->session();
  session.params().Set(-1, "friction_regularization", 4e-3);
  ui->Skip(1);
  ui->Frame(0);
  ASSERT_TRUE(ui->Click("left/tabs/Parameters"));
  ui->Frame(0);
  const double before = Last(session, 0, Signal::kSlipSpeed);
  const double wanted = Last(session, 1, Signal::kSlipSpeed);
  ASSERT_GT(std::abs(before - wanted), 0.05 * wanted) << "nothing to match";
  const ParamEntry entry = Entry(session, "stiction_tolerance");
  const auto offer = FindMatch(MomentOfPicture(session), entry, -1);
  ASSERT_TRUE(offer.has_value());
  EXPECT_FALSE(offer->met);
  EXPECT_NE(offer->rule.find("creep"), std::string::npos);
  EXPECT_NE(offer->partner.find("SAP"), std::string::npos);
  const double old = session.params().Value(0, "stiction_tolerance");
  ASSERT_TRUE(ui->Click("match/stiction_tolerance"));
  ui->Skip(1);
  ui->Frame(0);
  EXPECT_NEAR(Last(session, 0, Signal::kSlipSpeed), wanted, 0.01 * wanted);
  // it says so, and is one step of undo
  ASSERT_FALSE(session.messages().empty());
  EXPECT_NE(session.messages().back().what.find("match"), std::string::npos);
  EXPECT_TRUE(FindMatch(MomentOfPicture(session), entry, -1)->met);
  EXPECT_NE(FindWidget("match/stiction_tolerance/line"), nullptr);
  session.params().Undo();
  ui->Skip(0.2);
  EXPECT_EQ(session.params().Value(0, "stiction_tolerance"), old);
}

TEST(Match, SameReboundAfterTheButton) {
  for (const bool to_linear : {true, false}) {
    auto ui = OpenModels("bouncing-ball", {"lagged", "sap"});
    if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
    Session& session = ui->session();
    session.params().Set(-1, "near_rigid", 0);
    session.params().Set(-1, "time_step", 2e-5);
    session.params().Set(
        -1, to_linear ? "material.rubber.dissipation" : "material.rubber.relaxation_time",
        to_linear ? 0.5 : 2e-3);
    ui->Skip(0.35);
    EXPECT_NEAR(session.series().HardestImpact(), std::sqrt(2 * 9.81 * 0.2), 0.02);
    const std::string path =
        to_linear ? "material.rubber.relaxation_time" : "material.rubber.dissipation";
    const auto offer = FindMatch(MomentOfPicture(session), Entry(session, path), -1);
    ASSERT_TRUE(offer.has_value());
    ASSERT_TRUE(offer->obstacle.empty()) << offer->obstacle;
    EXPECT_NE(offer->rule.find("hardest impact"), std::string::npos) << offer->rule;
    ui->Frame(0);
    ASSERT_TRUE(ui->Click("left/tabs/Parameters"));
    ui->Frame(0);
    ASSERT_TRUE(ui->Click("match/" + path));
    ui->Skip(0.02);
    session.playback().Reset();
    double up[2] = {0, 0};
    for (int i = 0; i < 36; ++i) {
      ui->Skip(0.01);
      for (int c = 0; c < 2; ++c) up[c] = std::max(up[c], Last(session, c, Signal::kVelocityZ));
    }
    EXPECT_GT(up[0], 0.3);
    EXPECT_LT(up[0], 1.9);
    // gravity during the contact and the time step are what is left
    EXPECT_NEAR(up[1], up[0], 0.02 * up[0]) << to_linear;
  }
}

// An accident is forgotten when the plots have left it, or when somebody says so.
TEST(Match, GoesByImpactsThatArePlottedAndNotForgotten) {
  auto ui = OpenModels("bouncing-ball", {"lagged", "sap"});
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  Session& session = ui->session();
  session.params().Set(-1, "near_rigid", 0);
  ui->Skip(0.35);
  ui->Frame(0);
  const double hard = session.series().HardestImpact();
  EXPECT_NEAR(hard, std::sqrt(2 * 9.81 * 0.2), 0.1);
  session.series().SetSeen(0.25, 0.35);
  EXPECT_LT(session.series().HardestImpact(), 0.5 * hard) << "it was before";
  session.series().SetSeen(0, 10);
  EXPECT_EQ(session.series().HardestImpact(), hard);
  const std::string path = "material.rubber.relaxation_time";
  ASSERT_TRUE(FindMatch(MomentOfPicture(session), Entry(session, path), -1)->by_impact);
  ui->Frame(0);
  ASSERT_TRUE(ui->Click("left/tabs/Parameters"));
  ui->Frame(0);
  ASSERT_TRUE(ui->Click("match/" + path + "/forget"));
  ui->Frame(0);
  EXPECT_LT(session.series().HardestImpact(), 0.5 * hard);
  session.playback().Reset();
  ui->Skip(0.35);
  ui->Frame(0);
  EXPECT_NEAR(session.series().HardestImpact(), hard, 0.1) << "a new run has impacts of its own";
}

// The damper of an anchored contact, by the loss that another model's has in an impact.
TEST(Match, DampingOfAnchorsLosesAsMuch) {
  auto ui = OpenModels("bouncing-ball", {"exponential", "lagged", "sap"});
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  Session& session = ui->session();
  ui->Skip(0.01);
  session.params().Set(-1, "time_step", 2e-5);
  session.params().Set(-1, "material.rubber.dissipation", 0.5);
  session.playback().Reset();
  ui->Skip(0.35);
  const std::string path = "material.rubber.damping";
  const auto offer = FindMatch(MomentOfPicture(session), Entry(session, path), -1);
  ASSERT_TRUE(offer.has_value());
  ASSERT_TRUE(offer->obstacle.empty()) << offer->obstacle;
  EXPECT_EQ(offer->partner, "d 0.50 s/m of Lagged");
  EXPECT_NE(offer->rule.find("hardest impact"), std::string::npos) << offer->rule;
  EXPECT_FALSE(offer->met);
  session.params().Set(-1, path, offer->value);
  ui->Skip(0.02);
  EXPECT_TRUE(FindMatch(MomentOfPicture(session), Entry(session, path), -1)->met);
  session.playback().Reset();
  // the speed with which they left the ground, whenever that was
  double up[2] = {0, 0};
  ui->Skip(0.3);
  for (int c = 0; c < 2; ++c) {
    const double v = Last(session, c, Signal::kVelocityZ),
                 z = Last(session, c, Signal::kPositionZ) - 0.05;
    ASSERT_GT(z, 0.01);
    up[c] = std::sqrt(v * v + 2 * 9.81 * z);
  }
  EXPECT_LT(up[1], 1.5);
  EXPECT_NEAR(up[0], up[1], 0.02 * up[1]);
  // and back: the other one's dissipation by this
  session.looks().Remove(2);
  ui->Skip(0.1);
  const auto back =
      FindMatch(MomentOfPicture(session), Entry(session, "material.rubber.dissipation"), -1);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->partner, "B of Exponential");
  EXPECT_NEAR(back->value, 0.5, 0.01);
}

// A spring that is as short under the load as a Hertz contact.
TEST(Match, StiffnessOfAnchorsPenetratesAsMuch) {
  auto ui = OpenModels("slope-creep", {"exponential", "lagged"});
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  Session& session = ui->session();
  const std::string path = "material.steel.stiffness";
  ui->Skip(0.1);
  session.params().Set(-1, "normal_law", static_cast<int>(NormalLawId::kHertz));
  session.params().Set(-1, "material.steel.hertz_stiffness", 1e8);
  session.params().Set(-1, path, 3e5);
  ui->Skip(1);
  const auto offer = FindMatch(MomentOfPicture(session), Entry(session, path), -1);
  ASSERT_TRUE(offer.has_value());
  ASSERT_TRUE(offer->obstacle.empty()) << offer->obstacle;
  EXPECT_FALSE(offer->met);
  EXPECT_NE(offer->rule.find("same penetration"), std::string::npos) << offer->rule;
  const double force = Last(session, 1, Signal::kNormalForce);
  EXPECT_NEAR(offer->value, force / std::pow(force / 1e8, 2.0 / 3), 0.01 * offer->value);
  session.params().Set(-1, path, offer->value);
  ui->Skip(1);
  EXPECT_TRUE(FindMatch(MomentOfPicture(session), Entry(session, path), -1)->met);
}

TEST(Match, GravityHasPresets) {
  auto ui = OpenModels("sliding-box", {"lagged"});
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  ui->Skip(0.05);
  ui->Frame(0);
  ui->ui().state.shell.left_tab = TabId::kParameters;
  ui->Frame(0);
  ui->Frame(0);
  ASSERT_TRUE(ui->Click("gravity/Moon"));
  ui->Skip(0.05);
  EXPECT_DOUBLE_EQ(ui->session().params().Value(0, "gravity"), 1.62);
  ui->Frame(0);
  ASSERT_TRUE(ui->Click("gravity/none"));
  ui->Skip(0.05);
  EXPECT_DOUBLE_EQ(ui->session().params().Value(0, "gravity"), 0);
}

TEST(Match, ValidityNotesComeAndGo) {
  auto ui = OpenModels("bouncing-ball", {"lagged"});
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  Session& session = ui->session();
  ui->Frame(0);
  ui->ui().state.shell.left_tab = TabId::kParameters;
  const auto noted = [&](const char* note) {
    ui->Frame(0);
    ui->Frame(0);
    return FindWidget(note) != nullptr;
  };
  ui->Skip(0.4);
  EXPECT_FALSE(noted("note/impact")) << "a period of 20 ms at steps of 0.1 ms";
  session.params().Set(-1, "time_step", 5e-3);
  ui->Skip(0.1);
  EXPECT_TRUE(noted("note/impact"));
  ASSERT_TRUE(ui->Click("note/impact/why"));
  ui->Frame(0);
  EXPECT_FALSE(ui->ui().state.param_rows.why.text.empty());
  ui->ui().requests.Do(Action::kEscape);
  ui->Frame(0);
  EXPECT_TRUE(ui->ui().state.param_rows.why.text.empty());
  session.params().Set(-1, "material.rubber.stiffness", 2e3);
  ui->Skip(4);
  EXPECT_TRUE(noted("note/sign/material.rubber.stiffness")) << "the hand is on the rows";
  ui->MoveMouse({1000, 300});
  EXPECT_TRUE(noted("note/soft"));
  EXPECT_FALSE(noted("note/creep"));
}

// What turned too far in one step overlaps, whatever the stiffness.
TEST(Match, OverlapLeftByALongStepIsNoted) {
  auto ui = OpenModels("clutter", {"lagged"}, false);
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  ui->ui().state.shell.left_tab = TabId::kParameters;
  ui->session().params().Set(-1, "time_step", 23e-3);
  ui->session().params().Set(-1, "material.steel.stiffness", 2e10);
  bool left_over = false, soft = false;
  for (int i = 0; i < 15; ++i) {
    ui->Skip(0.1);
    ui->Frame(0);
    ui->Frame(0);
    left_over = left_over || FindWidget("note/left_over") != nullptr;
    soft = soft || FindWidget("note/soft") != nullptr;
  }
  EXPECT_TRUE(left_over);
  EXPECT_FALSE(soft) << "no load would press so deep";
}

TEST(Match, CreepIsNotedWhereItIsSeen) {
  auto ui = OpenModels("slope-creep", {"lagged"});
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  ui->Skip(0.5);
  ui->Frame(0);
  ui->ui().state.shell.left_tab = TabId::kParameters;
  ui->Frame(0);
  ui->Frame(0);
  EXPECT_EQ(FindWidget("note/creep"), nullptr) << "38 µm/s";
  ui->session().params().Set(-1, "stiction_tolerance", 1e-2);
  ui->Skip(0.5);
  ui->Frame(0);
  ui->Frame(0);
  EXPECT_NE(FindWidget("note/creep"), nullptr);
}

TEST(Match, IsOfferedOnlyAcrossModels) {
  auto ui = OpenModels("sliding-box", {"lagged", "similar"});
  if (ui == nullptr) GTEST_SKIP() << "no off-screen OpenGL here";
  ui->Skip(0.05);
  Session& session = ui->session();
  EXPECT_FALSE(
      FindMatch(MomentOfPicture(session), Entry(session, "stiction_tolerance"), -1).has_value());
  EXPECT_FALSE(FindMatch(MomentOfPicture(session), Entry(session, "time_step"), -1).has_value());
}

}  // namespace
}  // namespace slip::app
