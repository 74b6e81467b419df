// Robots in the window: joints with targets, folded parameters, refused controllers, a robot's file
// that is dropped, and a robot that is pulled.
#include <gtest/gtest.h>

#include <GLFW/glfw3.h>

#include <cmath>

#include "app/frame/input.h"
#include "app/kit/widget_registry.h"
#include "app/panels/picture/over_view.h"
#include "tests/support/folders.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"
#include "tests/support/urdf.h"

namespace slip::app {
namespace {

const std::string kQuadruped = SourceFolder() + "/assets/robots/quadruped.urdf";

int BodyNamed(const Session& session, const std::string& name) {
  const auto& bodies = session.model()->bodies;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].name == name) return static_cast<int>(b);
  }
  return -1;
}

void ShowTab(OffscreenUi* ui, TabId tab) {
  ui->ui().state.shell.left_tab = tab;
  Settle(ui);
}

TEST(Joints, MoveByHandTakesThemOverFromTheController) {
  OPEN_OR_SKIP(ui, "quadruped-stand");
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  Pass(ui.get(), 0.3);
  ShowTab(ui.get(), TabId::kJoints);
  const std::vector<JointFrame> before = session.frame(0).joints;
  ASSERT_EQ(before.size(), 12u);
  ASSERT_TRUE(ui->Click("joints/take-over"));
  Pass(ui.get(), 1);
  Settle(ui.get());
  for (int c = 0; c < session.channel_count(); ++c) {
    EXPECT_EQ(session.frame(c).config.robots[0].id(), ControllerId::kNone);
    for (std::size_t j = 0; j < before.size(); ++j) {
      EXPECT_NEAR(session.frame(c).joints[j].target, before[j].position, 1e-3) << j;
      EXPECT_NEAR(session.frame(c).joints[j].position, before[j].position, 0.1) << j;
    }
  }
  const auto& marks = session.notebook().marks();
  ASSERT_EQ(std::count_if(marks.begin(), marks.end(),
                          [](const TimeMark& m) { return m.kind == TimeMark::Kind::kParameter; }),
            1);
  EXPECT_NE(session.notebook().Label(marks.back()).find("stand → none, and 36 more"),
            std::string::npos)
      << session.notebook().Label(marks.back());
  EXPECT_NE(FindWidget("joints/gains"), nullptr);
  ASSERT_TRUE(ui->Click("joints/release"));
  Pass(ui.get(), 0.2);
  EXPECT_NE(session.frame(0).config.robots[0].id(), ControllerId::kNone);
  EXPECT_EQ(session.params().ChangedCount(), 0);
  // one step of undo each
  session.params().Undo();
  Pass(ui.get(), 0.2);
  EXPECT_EQ(session.frame(0).config.robots[0].id(), ControllerId::kNone);
  EXPECT_EQ(session.params().ChangedCount(), 37);
  session.params().Undo();
  Pass(ui.get(), 0.2);
  EXPECT_EQ(session.params().ChangedCount(), 0);
  EXPECT_FALSE(session.params().CanUndo());
}

TEST(Joints, TheTabIsThereForRobotsOnly) {
  OPEN_OR_SKIP(ui, "conveyor");
  Settle(ui.get());
  EXPECT_EQ(FindWidget("left/tabs/Joints"), nullptr);
  ui->session().Load("quadruped-stand");
  Pass(ui.get(), 0.1);
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("left/tabs/Joints"));
  Settle(ui.get());
  for (const char* group : {"FL", "FR", "HL", "HR"})
    EXPECT_NE(FindWidget("joints/group/" + std::string(group)), nullptr) << group;
  // its controller moves it: no targets
  const WidgetRecord* row = FindWidget("joints/solo/FL_HFE");
  ASSERT_NE(row, nullptr);
  EXPECT_NE(row->text.find("Moved by its controller"), std::string::npos) << row->text;
  EXPECT_EQ(row->text.find("\ntarget "), std::string::npos) << row->text;
  EXPECT_EQ(FindWidget("joints/group/FL")->text, "on the floor");
  // and a drag changes nothing
  const WidgetRecord track = *FindWidget("joints/solo/FL_HFE/track");
  const float y = (track.min.y + track.max.y) / 2;
  ui->Drag(ImVec2(track.min.x + 5, y), ImVec2(track.max.x - 5, y));
  Settle(ui.get());
  EXPECT_EQ(ui->session().params().ChangedCount(), 0);
  EXPECT_EQ(ui->ui().state.picked.selection.body, BodyNamed(ui->session(), "solo/FL_UPPER_LEG"));
}

TEST(Joints, ADroppedRobotStandsAndItsKnobsMoveIt) {
  OPEN_OR_SKIP(ui, "conveyor");
  Settle(ui.get());
  ASSERT_TRUE(ui->session().Load(kQuadruped));
  Pass(ui.get(), 0.1);
  Settle(ui.get());
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  EXPECT_EQ(session.scene()->title, "solo");
  EXPECT_EQ(ui->ui().state.shell.left_tab, TabId::kJoints);
  const WidgetRecord* found = FindWidget("joints/solo/FL_HAA/track");
  ASSERT_NE(found, nullptr);
  const WidgetRecord track = *found;
  const float y = (track.min.y + track.max.y) / 2;
  const float middle = (track.min.x + track.max.x) / 2;
  ui->Drag(ImVec2(middle, y), ImVec2(middle + 0.1f * (track.max.x - track.min.x), y));
  PassAndDraw(ui.get(), 0.8);
  const std::string path = "joint.solo/FL_HAA.joint_target";
  const double target = session.params().Value(0, path);
  EXPECT_GT(target, 0.05);
  const JointFrame& joint = session.frame(0).joints[0];
  EXPECT_EQ(joint.target, target) << "live";
  EXPECT_NEAR(joint.position, target, 0.1);
  session.params().Undo();
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(session.frame(0).joints[0].target, 0);
  // typed, with a unit
  const WidgetRecord row = *FindWidget("joints/solo/FR_HAA");
  const ImVec2 numbers((row.min.x + row.max.x) / 2, row.min.y + 8);
  ui->Click(numbers);
  ui->Click(numbers);
  Settle(ui.get());
  ASSERT_NE(FindWidget("joints/solo/FR_HAA/value"), nullptr);
  ui->Type("0.1 rad");
  ui->Frame(0);
  ui->Frame(0);
  ui->Click(ImVec2(ui->ui().regions.view.min.x + 5, ui->ui().regions.view.min.y + 5));
  PassAndDraw(ui.get(), 0.1);
  EXPECT_NEAR(session.params().Value(0, "joint.solo/FR_HAA.joint_target"), 0.1, 1e-12);
  // angles have one unit, in plots as in rows
  const std::string text = FindWidget("joints/solo/FR_HAA")->text;
  EXPECT_NE(text.find("target 5.730°"), std::string::npos) << text;
  ASSERT_TRUE(ui->Click("joints/gains"));
  Settle(ui.get());
  EXPECT_NE(FindWidget("param/joint.solo/FL_HAA.joint_stiffness/value"), nullptr);
  EXPECT_EQ(FindWidget("param/friction/value"), nullptr);
}

TEST(Joints, OneTargetIsForAllModelsUnlessTheLockIsOpen) {
  UI_OR_SKIP(ui, OpenPlan(kQuadruped, "sap,lagged"));
  Settle(ui.get());
  ShowTab(ui.get(), TabId::kJoints);
  const auto drag = [&](float to) {
    const WidgetRecord track = *FindWidget("joints/solo/FL_HAA/track");
    const float y = (track.min.y + track.max.y) / 2, width = track.max.x - track.min.x;
    ui->Drag(ImVec2(track.min.x + width / 2, y), ImVec2(track.min.x + to * width, y));
    PassAndDraw(ui.get(), 0.05);
  };
  const auto target = [&](int channel) {
    return ui->session().params().Value(channel, "joint.solo/FL_HAA.joint_target");
  };
  ASSERT_NE(FindWidget("joints/solo/FL_HAA/track"), nullptr);
  drag(0.55f);
  EXPECT_GT(target(0), 0);
  EXPECT_EQ(target(0), target(1));
  ASSERT_TRUE(ui->Click("joints/lock"));
  ASSERT_TRUE(ui->Click("joints/channel/Lagged"));
  Settle(ui.get());
  drag(0.6f);
  EXPECT_GT(target(1), target(0));
}

TEST(Joints, WhatARobotsFileLosesIsSaidOnce) {
  OPEN_OR_SKIP(ui, "falling-sphere");
  Settle(ui.get());
  const TempFolder folder;
  const std::string file = folder.path("mine.urdf");
  const std::string part = std::string(test::kBody) +
                           "<visual><geometry><mesh filename=\"trunk.stl\"/></geometry></visual>";
  const char* limit = "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"3\"/>";
  WriteText(file, test::RobotText(test::LinkText("a", part) +
                                  test::JointText("j", "revolute", "base", "a", limit)));
  ASSERT_TRUE(ui->session().Load(file));
  Pass(ui.get(), 0.1);
  Settle(ui.get());
  ASSERT_NE(ui->session().Card(), nullptr);
  const std::string said = ui->session().Card()->Text();
  EXPECT_NE(said.find("trunk.stl"), std::string::npos) << said;
  EXPECT_NE(said.find("velocity limits are not used (1 joint)"), std::string::npos) << said;
  EXPECT_EQ(ui->session().messages().size(), 1u);
}

TEST(Joints, ABrokenRobotLeavesTheSceneInPlace) {
  OPEN_OR_SKIP(ui, "falling-sphere");
  Settle(ui.get());
  const TempFolder folder;
  const std::string file = folder.path("bad.urdf");
  WriteText(file,
            "<robot name=\"r\">\n<link name=\"a\"/>\n<joint name=\"k\" type=\"fixed\"><parent "
            "link=\"a\"/><child link=\"c\"/></joint>\n</robot>");
  EXPECT_FALSE(ui->session().Load(file));
  Settle(ui.get());
  EXPECT_EQ(ui->session().scene()->id, "falling-sphere");
  const Message* card = ui->session().Card();
  ASSERT_NE(card, nullptr);
  EXPECT_NE(card->what.find("'c'"), std::string::npos) << card->what;
  EXPECT_EQ(card->where, file + ", line 3");
  EXPECT_NE(card->advice.find("present scene keeps running"), std::string::npos) << card->advice;
  // mended, it is loaded by the button of the card
  WriteText(file,
            test::RobotText(test::LinkText("a") + test::JointText("j", "continuous", "base", "a")));
  card->actions.front().run(&ui->session());
  Pass(ui.get(), 0.1);
  EXPECT_EQ(ui->session().scene()->title, "r");
  card = ui->session().Card();
  EXPECT_TRUE(card == nullptr || card->level == Message::Level::kInfo) << "nothing is wrong now";
}

TEST(Joints, AControllerThatDoesNotFitIsRefusedWithASentence) {
  OPEN_OR_SKIP(ui, "quadruped-stand");
  RunFrames(ui.get(), 6);
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  Pass(ui.get(), 0.2);
  const std::string path = "robot.solo.controller";
  session.params().Set(-1, path, static_cast<double>(ControllerId::kWalk));
  Pass(ui.get(), 0.1);
  Settle(ui.get());
  EXPECT_EQ(session.params().Value(0, path), static_cast<double>(ControllerId::kStand));
  EXPECT_EQ(session.frame(0).config.robots[0].id(), ControllerId::kStand);
  EXPECT_FALSE(session.params().CanUndo()) << "nothing was changed";
  ASSERT_NE(session.Card(), nullptr);
  EXPECT_NE(session.Card()->what.find("'walk'"), std::string::npos) << session.Card()->what;
  const double height = session.frame(0).bodies[0].X_WB.p.z();
  Pass(ui.get(), 0.5);
  EXPECT_NEAR(session.frame(0).bodies[0].X_WB.p.z(), height, 1e-3) << "it stands on";
}

TEST(Joints, ParametersOfARobotBeginFolded) {
  OPEN_OR_SKIP(ui, "quadruped-stand", 1600, 3000);
  RunFrames(ui.get(), 6);
  ShowTab(ui.get(), TabId::kParameters);
  const char* height = "param/robot.solo.stand_height/value";
  const char* speed = "param/robot.solo.trot_speed/slider";
  const char* target = "param/joint.solo/FL_HAA.joint_target/slider";
  EXPECT_EQ(FindWidget(height), nullptr);
  EXPECT_EQ(FindWidget(target), nullptr);
  EXPECT_NE(FindWidget("param/material.rubber.friction/value"), nullptr);
  ASSERT_TRUE(ui->Click("param/fold/Robot solo"));
  Settle(ui.get());
  EXPECT_NE(FindWidget(height), nullptr);
  EXPECT_EQ(FindWidget(target), nullptr);
  // the controller that stands reads no trot speed, and the row says who does
  const auto drag = [&](const char* widget) {
    const WidgetRecord slider = *FindWidget(widget);
    const float y = (slider.min.y + slider.max.y) / 2;
    ui->Drag(ImVec2((slider.min.x + slider.max.x) / 2, y), ImVec2(slider.max.x - 2, y));
    Settle(ui.get());
  };
  ASSERT_NE(FindWidget(speed), nullptr);
  drag(speed);
  EXPECT_EQ(ui->session().params().ChangedCount(), 0) << "it is dead";
  const WidgetRecord slider = *FindWidget(speed);
  ui->MoveMouse(ImVec2((slider.min.x + slider.max.x) / 2, (slider.min.y + slider.max.y) / 2));
  for (int i = 0; i < 60; ++i) ui->Frame(0);
  EXPECT_NE(FindWidget("tooltip"), nullptr);
  ui->session().params().Set(-1, "robot.solo.controller", static_cast<double>(ControllerId::kTrot));
  PassAndDraw(ui.get(), 0.05);
  drag(speed);
  EXPECT_GT(ui->session().params().ChangedCount(), 1) << "a trot reads it";
  // a search finds what is folded
  ui->ui().state.parameters.search = "target";
  Settle(ui.get());
  EXPECT_NE(FindWidget(target), nullptr);
}

TEST(Joints, APushedRobotRecoversAndItsExperimentRunsAgain) {
  OPEN_OR_SKIP(ui, "quadruped-stand");
  ui->ui().state.view.compare = Compare::kSingle;
  RunFrames(ui.get(), 6);
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  Pass(ui.get(), 0.2);
  session.playback().SetPlaying(false);
  Settle(ui.get());
  const int base = BodyNamed(session, "solo/base");
  const Vec3 before = session.frame(0).bodies[static_cast<std::size_t>(base)].X_WB.p;
  Pane pane;
  pane.min = ui->ui().regions.view.min;
  pane.max = ui->ui().regions.view.max;
  FitGap(ui->ui().session, ui->ui().state.view, ui->ui().rig, &pane);
  const auto place = pane.camera.Project(before, pane.viewport());
  ASSERT_TRUE(place.has_value());
  const ImVec2 at(pane.min.x + static_cast<float>(place->x()),
                  pane.min.y + static_cast<float>(place->y()));
  session.playback().SetPlaying(true);
  ui->MoveMouse(at);
  ui->Frame(0);
  ui->SetButton(0, true);
  ui->Frame(0);
  ui->MoveMouse(ImVec2(at.x + 40, at.y));
  ui->Frame(0);
  ui->Frame(0);
  const int pulled = session.frame(0).config.grab.body;
  ASSERT_GE(pulled, 0);
  EXPECT_GE(session.model()->bodies[static_cast<std::size_t>(pulled)].robot, 0) << "a link of it";
  // any link may go anywhere: its own joint is not all that moves it
  for (const int axis : {GLFW_KEY_X, GLFW_KEY_Z}) {
    EXPECT_TRUE(DispatchKey(&ui->ui(), axis, 0, false, false));
    ui->Frame(0);
    ASSERT_NE(FindWidget("view/pull"), nullptr);
    EXPECT_EQ(FindWidget("view/pull")->text.find("cannot"), std::string::npos);
    EXPECT_TRUE(DispatchKey(&ui->ui(), axis, 0, false, false));
  }
  session.playback().SetPlaying(true);
  Pass(ui.get(), 0.3);
  const Vec3 pushed = session.frame(0).bodies[static_cast<std::size_t>(base)].X_WB.p;
  EXPECT_GT((pushed - before).norm(), 2e-3) << "no push to speak of";
  ui->SetButton(0, false);
  ui->Frame(0);
  ui->Frame(0);
  EXPECT_EQ(session.frame(0).config.grab.body, -1);
  Pass(ui.get(), 2);
  const Vec3 after = session.frame(0).bodies[static_cast<std::size_t>(base)].X_WB.p;
  EXPECT_LT((after - before).norm(), 2e-3) << "it stands again";
  // then a motor and the controller are changed while it runs
  session.params().Set(-1, "joint.solo/FL_HAA.joint_stiffness", 2);
  Pass(ui.get(), 0.1);
  session.params().Set(-1, "joint.solo/FL_HAA.joint_target", 0.05);
  Pass(ui.get(), 0.2);
  session.params().Set(-1, "robot.solo.stand_height", 0.21);
  Pass(ui.get(), 0.3);
  const TempFolder folder;
  const std::string file = folder.path("push.json");
  session.experiments().Save(file);
  ui->Frame(0);
  ui->Frame(0);
  const ProgramResult replay = RunProgram({"replay", "--verify", file});
  EXPECT_EQ(replay.exit, 0) << replay.err;
  EXPECT_NE(replay.out.find("the same bits"), std::string::npos) << replay.out;
}

TEST(Joints, WhatAHandHasSetIsHandedBack) {
  OPEN_OR_SKIP(ui, "quadruped-stand");
  RunFrames(ui.get(), 6);
  ShowTab(ui.get(), TabId::kJoints);
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  EXPECT_NE(FindWidget("joints/rate"), nullptr);
  ui->Click("joints/release");
  PassAndDraw(ui.get(), 0.1);
  EXPECT_TRUE(session.notebook().marks().empty()) << "nothing was set";
  // a motor beside the controller, and where it pulls
  const std::string stem = "joint.solo/FL_HFE.";
  session.params().Set(-1, stem + "joint_stiffness", 5);
  session.params().Set(-1, stem + "joint_target", 0.5);
  PassAndDraw(ui.get(), 0.3);
  EXPECT_GT(session.frame(0).config.joints[1].stiffness, 0);
  EXPECT_NE(FindWidget("joints/rate"), nullptr) << "beside targets too";
  ASSERT_TRUE(ui->Click("joints/release"));
  PassAndDraw(ui.get(), 0.3);
  for (int c = 0; c < 2; ++c) {
    EXPECT_EQ(session.frame(c).config.joints[1].stiffness, 0) << "the controller moves it alone";
    EXPECT_EQ(session.frame(c).config.joints[1].target,
              session.params().Default(c, stem + "joint_target"));
  }
  EXPECT_EQ(session.params().ChangedCount(), 0);
  const TempFolder folder;
  const std::string file = folder.path("release.json");
  session.experiments().Save(file);
  ui->Frame(0);
  ui->Frame(0);
  const ProgramResult replay = RunProgram({"replay", "--verify", file});
  EXPECT_EQ(replay.exit, 0) << replay.err;
}

TEST(Joints, ReleaseKeepsTheGainsOfTheScenesOwnMotors) {
  UI_OR_SKIP(ui, OpenPlan(kQuadruped, "sap"));
  RunFrames(ui.get(), 6);
  ShowTab(ui.get(), TabId::kJoints);
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  const std::string stem = "joint.solo/FL_HAA.";
  const double gain = 2 * session.params().Default(0, stem + "joint_stiffness");
  ASSERT_GT(gain, 0);
  session.params().Set(-1, stem + "joint_stiffness", gain);
  session.params().Set(-1, stem + "joint_target", 0.2);
  PassAndDraw(ui.get(), 0.2);
  ASSERT_TRUE(ui->Click("joints/release"));
  PassAndDraw(ui.get(), 0.2);
  EXPECT_EQ(session.params().Value(0, stem + "joint_stiffness"), gain);
  EXPECT_EQ(session.params().Value(0, stem + "joint_target"),
            session.params().Default(0, stem + "joint_target"));
}

class JointsFit : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Scenes, JointsFit,
                         testing::Values("quadruped-stand", "biped-walk", "arm-press"));

TEST_P(JointsFit, NoTextIsCut) {
  for (const auto& [width, height, scale] :
       {std::tuple(1600, 900, 1.0), std::tuple(1280, 720, 1.0), std::tuple(3200, 1800, 2.0)}) {
    OPEN_OR_SKIP(ui, GetParam(), width, height, scale);
    RunFrames(ui.get(), 6);
    for (const TabId tab : {TabId::kJoints, TabId::kParameters}) {
      ShowTab(ui.get(), tab);
      EXPECT_EQ(ClippedWidgets(), std::vector<std::string>()) << width << " by " << height;
    }
  }
}

}  // namespace
}  // namespace slip::app
