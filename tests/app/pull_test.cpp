// The mouse on the 3-D view: locked axes, the contact plane, twisting, and the menu.
#include <gtest/gtest.h>

#include <GLFW/glfw3.h>

#include <cmath>

#include "app/frame/input.h"
#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "app/panels/picture/over_view.h"

namespace slip::app {
namespace {

class PullTest : public testing::Test {
 protected:
  void Open(const char* scene) {
    ui_.reset();
    UiSetup setup;
    const auto found = FindScene(scene);
    ASSERT_TRUE(found.ok());
    setup.scene = *found;
    setup.paused = true;
    auto ui = OffscreenUi::Create(setup, 1600, 900);
    if (!ui.ok()) GTEST_SKIP() << "no off-screen OpenGL here";
    ui_ = std::move(ui).value();
    EnableWidgetRegistry(true);
    ui_->ui().state.view.quality = render::Quality::kLow;
    ui_->ui().state.view.msaa = 1;
    ui_->ui().state.view.compare = Compare::kSingle;
    ui_->ui().state.view.show_gap = false;
    ui_->Skip(0.1);
    ui_->Frame(0);
    ui_->Frame(0);
  }
  Session& session() { return ui_->session(); }
  UiState& state() { return ui_->ui().state; }
  const Grab& grab() { return session().frame(0).config.grab; }
  ImVec2 OnScreen(int body) {
    Pane pane;
    pane.min = ui_->ui().regions.view.min;
    pane.max = ui_->ui().regions.view.max;
    FitGap(ui_->ui().session, ui_->ui().state.view, ui_->ui().rig, &pane);
    const auto at = pane.camera.Project(
        session().frame(0).bodies[static_cast<std::size_t>(body)].X_WB.p, pane.viewport());
    EXPECT_TRUE(at.has_value());
    return ImVec2(pane.min.x + static_cast<float>(at->x()),
                  pane.min.y + static_cast<float>(at->y()));
  }
  /// Takes hold: a press alone is a click, so the mouse moves to and fro. The run goes on, but no
  /// time passes.
  void Press(ImVec2 at) {
    session().playback().SetPlaying(true);
    Drag(at);
  }
  void Drag(ImVec2 at) {
    ui_->MoveMouse(at);
    ui_->Frame(0);
    ui_->SetButton(0, true);
    ui_->Frame(0);
    ui_->MoveMouse(ImVec2(at.x + 8, at.y));
    ui_->Frame(0);
    ui_->MoveMouse(at);
    ui_->Frame(0);
    ui_->Frame(0);  // the engine's answer is in the next snapshot
  }
  void Move(ImVec2 at) {
    ui_->MoveMouse(at);
    ui_->Frame(0);
    ui_->Frame(0);
  }
  bool Key(int key) { return DispatchKey(&ui_->ui(), key, 0, false, false); }

  std::unique_ptr<OffscreenUi> ui_;
};

TEST_F(PullTest, XYZLockAnAxis) {
  Open("conveyor");
  const ImVec2 at = OnScreen(0);
  Press(at);
  ASSERT_EQ(grab().body, 0);
  const Vec3 start = grab().p_WA;
  EXPECT_TRUE(Key(GLFW_KEY_X));
  Move(ImVec2(at.x + 80, at.y - 60));
  const Vec3 along_x = grab().p_WA;
  EXPECT_GT(std::abs(along_x.x() - start.x()), 0.01);
  EXPECT_NEAR(along_x.y(), start.y(), 1e-9);
  EXPECT_NEAR(along_x.z(), start.z(), 1e-9);
  // another letter: on from there, up and down only
  EXPECT_TRUE(Key(GLFW_KEY_Z));
  Move(ImVec2(at.x + 20, at.y - 90));
  EXPECT_NEAR(grab().p_WA.x(), along_x.x(), 1e-9);
  EXPECT_GT(grab().p_WA.z() - along_x.z(), 0.01);
  EXPECT_TRUE(Key(GLFW_KEY_Z));
  EXPECT_EQ(state().mouse.pull.axis, -1);
  ui_->SetButton(0, false);
  ui_->Frame(0);
  ui_->Frame(0);
  EXPECT_EQ(grab().body, -1);
  // without a pull the letters are what they were
  EXPECT_FALSE(Key(GLFW_KEY_X));
}

TEST_F(PullTest, SaysWhyNothingMoves) {
  Open("conveyor");  // whose box moves along x and z only
  Press(OnScreen(0));
  ASSERT_EQ(grab().body, 0);
  const auto hint = [] {
    const WidgetRecord* widget = FindWidget("view/pull");
    return widget == nullptr ? std::string("no hint") : widget->text;
  };
  EXPECT_EQ(hint().find("cannot"), std::string::npos) << hint();
  EXPECT_TRUE(Key(GLFW_KEY_Y));
  ui_->Frame(0);
  EXPECT_EQ(hint(), "Pull along y: this body cannot move that way");
  EXPECT_TRUE(Key(GLFW_KEY_Z));
  ui_->Frame(0);
  EXPECT_EQ(hint(), "Pull along z");
  ui_->SetButton(0, false);
  ui_->Frame(0);
  ui_->Frame(0);
  EXPECT_EQ(hint(), "no hint");
}

TEST_F(PullTest, AClickLeavesNoMarkAndNoRecordedStepIsLost) {
  Open("conveyor");
  session().playback().SetPlaying(true);
  ui_->Skip(0.5);
  session().playback().SetPlaying(false);
  ui_->Frame(0);
  session().playback().Seek(0.2);
  ui_->Frame(0);
  ui_->Frame(0);
  const double end = session().snapshot().history_end;
  ASSERT_GT(end, 0.4);
  ui_->Click(OnScreen(0));
  ui_->Frame(0);
  ui_->Frame(0);
  EXPECT_EQ(state().picked.selection.body, 0);
  EXPECT_TRUE(session().notebook().marks().empty());
  EXPECT_EQ(session().snapshot().history_end, end);
  // a drag is one
  Press(OnScreen(0));
  ui_->SetButton(0, false);
  ui_->Frame(0);
  ui_->Frame(0);
  ASSERT_EQ(session().notebook().marks().size(), 1u);
  EXPECT_EQ(session().notebook().marks()[0].kind, TimeMark::Kind::kGrab);
}

TEST_F(PullTest, WhileTheRunIsPausedItWaits) {
  Open("conveyor");
  session().playback().SetPlaying(true);
  ui_->Skip(0.3);
  session().playback().SetPlaying(false);
  ui_->Frame(0);
  Drag(OnScreen(0));
  ASSERT_TRUE(state().mouse.pull.active);
  EXPECT_EQ(grab().body, -1);
  ASSERT_NE(FindWidget("view/pull"), nullptr);
  EXPECT_NE(FindWidget("view/pull")->text.find("acts when the run goes on"), std::string::npos);
  // the anchor is drawn meanwhile, with the force to come
  Move(ImVec2(OnScreen(0).x + 60, OnScreen(0).y));
  ASSERT_NE(FindWidget("view/waiting_pull"), nullptr);
  EXPECT_GT(std::stod(FindWidget("view/waiting_pull")->text), 0);
  ui_->SetButton(0, false);
  ui_->Frame(0);
  ui_->Frame(0);
  EXPECT_TRUE(session().notebook().marks().empty());
  // a step is the run going on
  Drag(OnScreen(0));
  ui_->ui().requests.Do(Action::kStep);
  ui_->Frame(0);
  ui_->Frame(0);
  EXPECT_EQ(grab().body, 0);
  EXPECT_EQ(session().notebook().marks().size(), 1u);
  EXPECT_GT(session().frame(0).grab_force_W.norm(), 0);
  ui_->SetButton(0, false);
  ui_->Frame(0);
  ui_->Frame(0);
  EXPECT_EQ(grab().body, -1);
}

TEST_F(PullTest, TheSpringIsTheOneThatWasSet) {
  Open("conveyor");
  state().mouse.frequency = 8;
  state().mouse.limit = 2;
  Press(OnScreen(0));
  const double omega = 2 * 3.14159265358979 * 8;
  EXPECT_NEAR(grab().stiffness, omega * omega, 1e-6 * omega * omega);
  EXPECT_NEAR(grab().damping, 2 * omega, 1e-6 * omega);
  EXPECT_NEAR(grab().force_limit, 2 * 9.81, 1e-9);
}

TEST_F(PullTest, KeptViewsComeBack) {
  Open("conveyor");
  EXPECT_NE(ui_->ui().actions().WhyDisabled(Action::kView2), nullptr);
  const CameraSpec kept = ui_->ui().rig.camera.spec();
  ui_->ui().requests.Do(Action::kKeepView2);
  ui_->Frame(0);
  EXPECT_EQ(ui_->ui().actions().WhyDisabled(Action::kView2), nullptr);
  EXPECT_NE(ui_->ui().actions().WhyDisabled(Action::kView1), nullptr);
  ui_->ui().rig.camera.Orbit(200, 30);
  ui_->ui().requests.Do(Action::kView2);
  ui_->Frame(0);
  EXPECT_NEAR(ui_->ui().rig.camera.spec().azimuth, kept.azimuth, 1e-9);
  EXPECT_NEAR(ui_->ui().rig.camera.spec().elevation, kept.elevation, 1e-9);
}

TEST_F(PullTest, ShiftKeepsTheForceInTheContactPlane) {
  Open("slope-creep");
  session().playback().SetPlaying(true);
  ui_->Skip(0.3);
  session().playback().SetPlaying(false);
  ui_->Skip(0.01);
  const ImVec2 at = OnScreen(0);
  Press(at);
  ui_->Modifiers(false, true);
  Move(ImVec2(at.x + 70, at.y - 50));
  const Vec3 grabbed = session().frame(0).bodies[0].X_WB * grab().p_BP;
  const Vec3 way = grab().p_WA - grabbed;
  EXPECT_GT(way.norm(), 0.01);
  EXPECT_NEAR(way.dot(session().frame(0).contacts[0].n_W), 0, 1e-9);
  ui_->Modifiers(false, false);
  Move(ImVec2(at.x + 70, at.y - 80));
  EXPECT_GT(std::abs((grab().p_WA - grabbed).z()), 0.01);
}

TEST_F(PullTest, CtrlShiftTwistsWhatCanTurn) {
  Open("clutter");
  int body = -1;
  for (int i = 0; i < static_cast<int>(session().model()->bodies.size()) && body < 0; ++i) {
    if (Movable(session().model(), i)) body = i;
  }
  ASSERT_GE(body, 0);
  const ImVec2 at = OnScreen(body);
  ui_->Modifiers(true, true);
  Press(at);
  ASSERT_TRUE(grab().twist);
  const int held = grab().body;
  Move(ImVec2(at.x + 60, at.y));
  const Quat before = session().frame(0).bodies[static_cast<std::size_t>(held)].X_WB.q;
  EXPECT_NEAR(before.angularDistance(grab().q_WA), 0.6, 1e-6);
  session().playback().SetPlaying(true);
  ui_->Skip(0.01);
  EXPECT_GT(session().frame(0).grab_force_W.norm(), 0);
  ui_->SetButton(0, false);
  ui_->Modifiers(false, false);
  ui_->Frame(0);
  ui_->Frame(0);
  EXPECT_EQ(grab().body, -1);
  // the box on the belt keeps its orientation: it is pulled
  Open("conveyor");
  ui_->Modifiers(true, true);
  Press(OnScreen(0));
  EXPECT_EQ(grab().body, 0);
  EXPECT_FALSE(grab().twist);
}

TEST_F(PullTest, TheMenuFollowsHidesPlotsAndCopies) {
  Open("clutter");
  const ImVec2 at = OnScreen(session().model()->lead_body);
  const auto menu = [&] {
    ui_->Click(at, 1);
    ui_->Frame(0);
  };
  menu();
  const int body = state().picked.selection.body;
  ASSERT_GE(body, 0);
  const std::string name = session().model()->bodies[static_cast<std::size_t>(body)].name;
  ASSERT_TRUE(ui_->Click("view-menu/copy"));
  ui_->Frame(0);
  ASSERT_NE(ImGui::GetClipboardText(), nullptr);
  EXPECT_NE(std::string(ImGui::GetClipboardText()).find(name), std::string::npos);
  EXPECT_NE(std::string(ImGui::GetClipboardText()).find("mass"), std::string::npos);

  menu();
  ASSERT_TRUE(ui_->Click("view-menu/follow"));
  ui_->Frame(0);
  EXPECT_EQ(state().picked.follow_body, body);
  const Vec3 target = ui_->ui().rig.camera.spec().target;
  const Vec3 before = session().frame(0).bodies[static_cast<std::size_t>(body)].X_WB.p;
  session().playback().SetPlaying(true);
  for (int i = 0; i < 20; ++i) ui_->Frame(1.0 / 60);
  session().playback().SetPlaying(false);
  ui_->Frame(0);
  Vec3 way = session().frame(0).bodies[static_cast<std::size_t>(body)].X_WB.p - before;
  way.z() = 0;
  EXPECT_NEAR((ui_->ui().rig.camera.spec().target - target - way).norm(), 0, 1e-9);
  state().picked.selection = {};
  // one for each note of the pile that has a card, and one for the camera
  for (int i = 0; i < 4 && state().picked.follow_body >= 0; ++i) {
    ui_->ui().requests.Do(Action::kEscape);
    ui_->Frame(0);
  }
  EXPECT_EQ(state().picked.follow_body, -1);

  EXPECT_NE(ui_->ui().actions().WhyDisabled(Action::kShowAllBodies), nullptr);
  const ImVec2 now = OnScreen(body);
  ui_->Click(now, 1);
  ui_->Frame(0);
  const int picked = state().picked.selection.body;
  ASSERT_GE(picked, 0);
  ASSERT_TRUE(ui_->Click("view-menu/hide"));
  ui_->Frame(0);
  EXPECT_TRUE(state().view.hidden.Has(picked));
  ui_->Click(now);
  EXPECT_NE(state().picked.selection.body, picked) << "a hidden body is not picked";
  ui_->ui().requests.Do(Action::kShowAllBodies);
  ui_->Frame(0);
  EXPECT_FALSE(state().view.hidden.Any());
}

}  // namespace
}  // namespace slip::app
