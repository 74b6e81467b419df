// What the window says of robots: tables, strip, tags and time line agree, and hide nothing.
#include <gtest/gtest.h>

#include <cmath>

#include "app/frame/input.h"
#include "app/kit/widget_registry.h"
#include "app/panels/common/friction.h"
#include "app/panels/common/joint_groups.h"
#include "app/panels/picture/over_view.h"
#include "engine/sim/foot_load.h"
#include "engine/tell/format.h"
#include "tests/support/folders.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

const std::string kRobots = SourceFolder() + "/assets/robots/";

void Pause(OffscreenUi* ui) {
  ui->session().playback().SetPlaying(false);
  Settle(ui);
}

std::vector<WidgetRecord> WidgetsWith(const std::string& stem) {
  std::vector<WidgetRecord> found;
  for (const WidgetRecord& widget : Widgets()) {
    if (widget.id.starts_with(stem)) found.push_back(widget);
  }
  return found;
}

FootLoad LoadOf(const Session& session, int channel, std::size_t foot) {
  const Robot::Foot& of = session.model()->robots[0].feet[foot];
  const ChannelFrame& frame = session.frame(channel);
  return CalcFootLoad(*session.model(), of, frame.bodies[static_cast<std::size_t>(of.body)].X_WB,
                      frame.contacts);
}

TEST(LaggedFriction, ThatComesTooLateIsSaidAtTheStiffness) {
  UI_OR_SKIP(ui, OpenPlan("quadruped-trot", "sap,lagged"));
  ui->ui().state.shell.left_tab = TabId::kParameters;
  const auto times_said = [&] {
    int said = 0;
    for (int i = 0; i < 10; ++i) {
      PassAndDraw(ui.get(), 0.1);
      said += FindWidget("note/lag") != nullptr ? 1 : 0;
    }
    return said;
  };
  EXPECT_EQ(times_said(), 0);
  ui->session().params().Set(-1, "material.rubber.stiffness", 1e12);
  EXPECT_GE(times_said(), 4);
}

TEST(JointRow, LeavesNoMarkBehindItsTab) {
  UI_OR_SKIP(ui, OpenPlan(kRobots + "quadruped.urdf", "sap"));
  ui->ui().state.shell.left_tab = TabId::kJoints;
  Settle(ui.get());
  const WidgetRecord row = *FindWidget("joints/solo/FL_HFE");
  ui->Click(ImVec2(row.min.x + 4, row.min.y + 8));
  Settle(ui.get());
  EXPECT_GE(ui->ui().state.picked.selection.body, 0);
  ASSERT_TRUE(ui->Click("left/tabs/Parameters"));
  Settle(ui.get());
  EXPECT_EQ(ui->ui().state.picked.selection.body, -1);
}

TEST(AddedModel, IsSeen) {
  UI_OR_SKIP(ui, OpenPlan(kRobots + "arm.urdf", "sap"));
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(ui->ui().state.view.compare, Compare::kSingle);
  ui->session().looks().ToggleSolo(0);
  const auto add = [&](const char* model) {
    ASSERT_TRUE(ui->Click("chip/add"));
    Settle(ui.get());
    ASSERT_TRUE(ui->Click(std::string("model/") + model));
    PassAndDraw(ui.get(), 0.1);
  };
  add("lagged");
  ASSERT_EQ(ui->session().channel_count(), 2);
  EXPECT_EQ(ui->ui().state.view.compare, Compare::kGhosts);
  EXPECT_TRUE(ui->session().looks().Shown(1)) << "it is not put aside by the other's solo";
  // two panes have no room for a third
  ui->ui().state.view.compare = Compare::kSplit2;
  add("similar");
  EXPECT_EQ(ui->ui().state.view.compare, Compare::kSplit4);
  EXPECT_NE(FindWidget("view/2"), nullptr);
}

TEST(RobotWords, AFallenRobotIsSaidTheSameEverywhere) {
  OPEN_OR_SKIP(ui, "quadruped-trot");
  PassAndDraw(ui.get(), 1.3);
  // let go in the middle of a stride
  ui->session().params().Set(-1, "robot.solo.controller", static_cast<double>(ControllerId::kNone));
  ui->ui().state.shell.inspect_tab = TabId::kFeet;
  ui->ui().state.shell.left_tab = TabId::kJoints;
  const Session& session = ui->session();
  const Robot& robot = session.model()->robots[0];
  const auto lies = [&](const Robot::Foot& foot) {
    return FindLegRest(*session.model(), robot, foot, session.frame(0).contacts) == LegRest::kOther;
  };
  for (int i = 0; i < 100 && std::none_of(robot.feet.begin(), robot.feet.end(), lies); ++i)
    Pass(ui.get(), 0.02);
  Pause(ui.get());
  const ChannelFrame& lead = session.frame(0);
  int standing = 0, lying = 0;
  for (std::size_t f = 0; f < robot.feet.size(); ++f) {
    const LegRest rest = FindLegRest(*session.model(), robot, robot.feet[f], lead.contacts);
    EXPECT_EQ(rest == LegRest::kFoot, LoadOf(session, 0, f).contacts > 0);
    standing += rest == LegRest::kFoot ? 1 : 0;
    lying += rest == LegRest::kOther ? 1 : 0;
    const WidgetRecord* group = FindWidget("joints/group/" + robot.feet[f].name.substr(0, 2));
    const WidgetRecord* row = FindWidget("feet/solo/" + robot.feet[f].name);
    ASSERT_NE(group, nullptr);
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(group->text, rest == LegRest::kFoot    ? "on the floor"
                           : rest == LegRest::kOther ? "lies on the floor"
                                                     : "in the air");
    if (rest == LegRest::kOther) EXPECT_NE(row->text.find("SAP: leg on the floor"), row->text.npos);
  }
  EXPECT_GT(lying, 0) << "nothing to tell apart";
  EXPECT_EQ(DescribeFeet(session),
            std::to_string(standing) + " of 4 feet and other links carry load");
  // the tags say the sum of all that carries it
  double normal = 0;
  for (const ContactFrame& contact : lead.contacts) {
    if (contact.surface >= 0) normal += contact.fn;
  }
  EXPECT_NE(
      FindWidget("overlay/tag/0")->text.find("Σf_n " + FormatSignal(Signal::kNormalForce, normal)),
      std::string::npos)
      << FindWidget("overlay/tag/0")->text;
  EXPECT_GT(normal, 10);
}

TEST(RobotWords, AFootInTheAirHasAHeightPerModel) {
  OPEN_OR_SKIP(ui, "quadruped-trot");
  ui->ui().state.shell.inspect_tab = TabId::kFeet;
  PassAndDraw(ui.get(), 1.35);
  Pause(ui.get());
  const Session& session = ui->session();
  std::string heights[3];
  for (int c = 0; c < 3; ++c) {
    const FootLoad load = LoadOf(session, c, 1);
    ASSERT_EQ(load.contacts, 0);
    heights[c] = FormatFixed(1e3 * load.height, 1);
  }
  ASSERT_NE(heights[0], heights[1]);
  const std::string text = FindWidget("feet/solo/FR_FOOT")->text;
  EXPECT_NE(text.find(heights[0] + " " + heights[1] + " " + heights[2] + " mm above the floor"),
            text.npos)
      << text;
}

TEST(RobotWords, ABroadFootHasAMoment) {
  OPEN_OR_SKIP(ui, "biped-shift");
  ui->ui().state.shell.inspect_tab = TabId::kFeet;
  PassAndDraw(ui.get(), 0.5);
  Pause(ui.get());
  const FootLoad load = LoadOf(ui->session(), 0, 0);
  ASSERT_GT(load.moment_W.norm(), 0);
  const std::string& name = ui->session().model()->robots[0].feet[0].name;
  const std::string text = FindWidget("feet/biped/" + name)->text;
  EXPECT_NE(text.find("moment " + FormatQuantity(load.moment_W.norm(), "N m")), text.npos) << text;
}

TEST(RobotWords, TheNamedFootStaysAmongEqualLoads) {
  OPEN_OR_SKIP(ui, "quadruped-stand");
  PassAndDraw(ui.get(), 0.5);
  ui->session().playback().SetPlaying(true);
  int changes = 0, last = ui->ui().state.tags.foot;
  for (int i = 0; i < 240; ++i) {
    ui->Frame(1.0 / 60);
    changes += ui->ui().state.tags.foot != last ? 1 : 0;
    last = ui->ui().state.tags.foot;
  }
  EXPECT_EQ(changes, 0);
}

TEST(RobotWords, TagsLeaveATallRobotInSight) {
  UI_OR_SKIP(ui, OpenPlan(kRobots + "arm.urdf", "sap,lagged"));
  PassAndDraw(ui.get(), 0.1);
  EXPECT_TRUE(ui->ui().state.tags.column);
  const std::vector<WidgetRecord> tags = WidgetsWith("overlay/tag/");
  ASSERT_EQ(tags.size(), 2u);
  EXPECT_FALSE(Overlap(tags[0], tags[1]));
  EXPECT_GT(tags[0].min.x, ui->ui().regions.view.max.x - 240);
  UI_OR_SKIP(low, OpenPlan(kRobots + "quadruped.urdf", "sap,lagged"));
  PassAndDraw(low.get(), 0.1);
  EXPECT_FALSE(low->ui().state.tags.column) << "over it there is room";
}

TEST(RobotWords, APullIsWrittenBesideTheTags) {
  OPEN_OR_SKIP(ui, "quadruped-stand");
  PassAndDraw(ui.get(), 0.2);
  Pause(ui.get());
  Pane pane;
  pane.min = ui->ui().regions.view.min;
  pane.max = ui->ui().regions.view.max;
  FitGap(ui->ui().session, ui->ui().state.view, ui->ui().rig, &pane);
  const auto trunk = pane.camera.Project(ui->session().frame(0).bodies[0].X_WB.p, pane.viewport());
  ASSERT_TRUE(trunk.has_value());
  ui->MoveMouse(ImVec2(pane.min.x + static_cast<float>(trunk->x()),
                       pane.min.y + static_cast<float>(trunk->y())));
  ui->Frame(0);
  ui->SetButton(0, true);
  ui->Frame(0);
  const WidgetRecord tag = *FindWidget("overlay/tag/0");
  int seen = 0;
  for (const float share : {0.2f, 0.8f, 1.5f, 2.5f}) {
    ui->MoveMouse(ImVec2((tag.min.x + tag.max.x) / 2, tag.max.y + share * 20 - 20));
    for (int i = 0; i < 3; ++i) ui->Frame(0);
    ui->session().playback().Step(1);
    for (int i = 0; i < 3; ++i) ui->Frame(0);
    std::vector<WidgetRecord> labels = WidgetsWith("overlay/label/");
    labels.push_back(*FindWidget("view/pull"));
    for (const WidgetRecord& label : labels) {
      ++seen;
      for (const WidgetRecord& other : WidgetsWith("overlay/tag/"))
        EXPECT_FALSE(Overlap(label, other)) << label.id << " at " << share;
    }
  }
  EXPECT_GT(seen, 0);
}

TEST(RobotWords, FourModelsLeaveRoomForTheSupport) {
  UI_OR_SKIP(ui, OpenPlan("quadruped-trot", "sap,lagged,similar,todorov"));
  PassAndDraw(ui.get(), 0.2);
  const WidgetRecord* support = FindWidget("overlay/support");
  ASSERT_NE(support, nullptr);
  const std::vector<WidgetRecord> tags = WidgetsWith("overlay/tag/");
  ASSERT_EQ(tags.size(), 4u);
  for (const WidgetRecord& tag : tags) EXPECT_FALSE(Overlap(*support, tag)) << tag.id;
}

TEST(RobotWords, WhoLeavesThePictureIsPointedAt) {
  OPEN_OR_SKIP(ui, "quadruped-trot");
  PassAndDraw(ui.get(), 0.1);
  Pause(ui.get());
  EXPECT_EQ(FindWidget("overlay/outside/1"), nullptr);
  ui->ui().state.view.fan_out = 5;
  Settle(ui.get());
  const WidgetRecord* sign = FindWidget("overlay/outside/1");
  ASSERT_NE(sign, nullptr);
  EXPECT_EQ(sign->text, "Lagged 5.00 m");
  EXPECT_GT(sign->min.x, ui->ui().regions.view.min.x);
  EXPECT_LT(sign->max.x, ui->ui().regions.view.max.x);
}

TEST(RobotWords, MarksOfTargetsNameTheirJointAndKeepApart) {
  UI_OR_SKIP(ui, OpenPlan(kRobots + "quadruped.urdf", "sap"));
  PassAndDraw(ui.get(), 0.1);
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  for (const char* joint : {"FL_HAA", "FR_HAA", "HL_HAA", "HR_HAA", "FL_HFE", "FR_HFE"}) {
    session.params().Set(-1, "joint.solo/" + std::string(joint) + ".joint_target", 0.1);
    Pass(ui.get(), 0.15);
  }
  Pause(ui.get());
  ASSERT_EQ(session.notebook().marks().size(), 6u);
  EXPECT_EQ(
      session.notebook().Label(session.notebook().marks()[0]).rfind("FL\\_HAA target 0 → ", 0), 0u)
      << session.notebook().Label(session.notebook().marks()[0]);
  const std::vector<WidgetRecord> labels = WidgetsWith("time/label/");
  const std::vector<WidgetRecord> marks = WidgetsWith("time/mark/");
  EXPECT_GT(labels.size(), 0u);
  ASSERT_EQ(marks.size(), 6u);
  for (const WidgetRecord& label : labels) {
    for (const WidgetRecord& mark : marks) EXPECT_FALSE(Overlap(label, mark)) << label.text;
    for (const WidgetRecord& other : labels)
      EXPECT_TRUE(label.id == other.id || !Overlap(label, other)) << label.text;
  }
}

TEST(RobotWords, WhileItMovesTheSolversNumbersRest) {
  OPEN_OR_SKIP(ui, "quadruped-trot");
  PassAndDraw(ui.get(), 0.1);
  ui->ui().state.shell.inspect_tab = TabId::kSolver;
  ui->session().playback().SetPlaying(true);
  const auto shown = [] {
    const WidgetRecord* tile = FindWidget("solver/condition");
    return tile != nullptr ? tile->text : std::string();
  };
  std::string last;
  int changes = 0;
  for (int i = 0; i < 60; ++i) {
    ui->Frame(1.0 / 60);
    ASSERT_FALSE(shown().empty());
    changes += shown() != last ? 1 : 0;
    last = shown();
  }
  EXPECT_GE(changes, 5);
  EXPECT_LE(changes, 11) << "ten times a second";
  Pause(ui.get());
  const ChannelFrame& lead = ui->session().frame(0);
  EXPECT_TRUE(shown().starts_with(FormatSignificant(lead.solve.condition_number)))
      << shown() << ": at rest the present one";
}

TEST(RobotWords, TheFrictionConeIsInSight) {
  for (const auto& [width, height] : {std::pair(1600, 900), std::pair(1920, 1080)}) {
    OPEN_OR_SKIP(ui, "quadruped-stand", width, height);
    PassAndDraw(ui.get(), 0.2);
    ui->ui().state.shell.inspect_tab = TabId::kContacts;
    Settle(ui.get());
    const WidgetRecord* cone = FindWidget("contacts/cone");
    ASSERT_NE(cone, nullptr);
    EXPECT_LE(cone->max.y, ui->ui().regions.right.max.y) << width;
  }
}

}  // namespace
}  // namespace slip::app
