// Handles of a gripper's targets in the picture: dragged, undone, recorded, nudged by keys.
#include <gtest/gtest.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/frame/input.h"
#include "app/kit/widget_registry.h"
#include "app/panels/picture/handles.h"
#include "app/session/target_handles.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"

namespace slip::app {
namespace {

std::string TargetPath(const std::string& joint) { return "joint.hand/" + joint + ".joint_target"; }

double Target(const OffscreenUi& ui, const std::string& joint, int channel = 0) {
  return const_cast<OffscreenUi&>(ui).session().params().Value(channel, TargetPath(joint));
}

/// Position of a joint of the hand in a channel [m].
double Position(OffscreenUi* ui, const std::string& joint, int channel = 0) {
  const Model& model = *ui->session().model();
  for (const JointFrame& frame : ui->session().frame(channel).joints) {
    if (model.bodies[static_cast<std::size_t>(frame.body)].joint.name == "hand/" + joint)
      return frame.position;
  }
  return std::nan("");
}

/// The centre of a handle on the screen; far outside when it is not drawn.
ImVec2 Handle(const std::string& name) {
  const WidgetRecord* widget = FindWidget("handle/hand/" + name);
  if (widget == nullptr) return ImVec2(-1000, -1000);
  return ImVec2((widget->min.x + widget->max.x) / 2, (widget->min.y + widget->max.y) / 2);
}

/// Takes hold of a handle and goes on by some pixels in several frames; the button stays down.
void DragOn(OffscreenUi* ui, const std::string& name, float dx, float dy) {
  const ImVec2 at = Handle(name);
  ASSERT_GT(at.x, 0) << name;
  ui->MoveMouse(at);
  ui->Frame(0);
  ui->SetButton(0, true);
  ui->Frame(0);
  for (int i = 1; i <= 4; ++i) {
    const float share = static_cast<float>(i) / 4;
    ui->MoveMouse(ImVec2(at.x + share * dx, at.y + share * dy));
    ui->Frame(0);
  }
}

void LetGo(OffscreenUi* ui) {
  ui->SetButton(0, false);
  ui->Frame(0);
  ui->Frame(0);
}

int ParameterMarks(OffscreenUi* ui) {
  const auto& marks = ui->session().notebook().marks();
  return static_cast<int>(std::count_if(marks.begin(), marks.end(), [](const TimeMark& mark) {
    return mark.kind == TimeMark::Kind::kParameter;
  }));
}

TEST(Handles, ADragMovesTheTargetAndTheHandFollowsInEveryMethod) {
  OPEN_OR_SKIP(ui, "four-point-peg");
  Settle(ui.get());
  ASSERT_EQ(ui->session().channel_count(), 2) << "quasi-dynamic and convex";
  DragOn(ui.get(), "y", 60, 0);
  const double target = Target(*ui, "y");
  EXPECT_GT(target, 0.01);
  EXPECT_EQ(Target(*ui, "y", 1), target);
  EXPECT_EQ(Target(*ui, "x"), 0);
  EXPECT_EQ(Target(*ui, "z"), 0);
  EXPECT_EQ(target, std::round(target * 1e4) / 1e4);
  ASSERT_NE(FindWidget("handle/readout/y"), nullptr);
  EXPECT_EQ(FindWidget("handle/readout/y")->text, fmt::format("{:.1f} mm", 1e3 * target));
  EXPECT_EQ(ui->session().frame(0).config.grab.body, -1) << "no body is pulled";
  LetGo(ui.get());
  EXPECT_EQ(FindWidget("handle/readout/y"), nullptr);
  ui->session().playback().SetPlaying(true);
  PassAndDraw(ui.get(), 0.4);
  for (int c = 0; c < 2; ++c) EXPECT_NEAR(Position(ui.get(), "y", c), target, 0.2 * target) << c;
  EXPECT_GT(ParameterMarks(ui.get()), 0) << "as any change of a parameter";
}

TEST(Handles, TheHandleStaysUnderTheMouse) {
  OPEN_OR_SKIP(ui, "four-point-peg");
  Settle(ui.get());
  const ImVec2 before = Handle("plane");
  DragOn(ui.get(), "plane", 50, -40);
  ui->Frame(0);
  const ImVec2 after = Handle("plane");
  EXPECT_NEAR(after.x - before.x, 50, 1.5);
  EXPECT_NEAR(after.y - before.y, -40, 1.5);
  EXPECT_NE(Target(*ui, "x"), 0);
  EXPECT_NE(Target(*ui, "y"), 0);
  EXPECT_GT(Target(*ui, "z"), 0.005);
  for (const char* joint : {"x", "y", "z"})
    EXPECT_NE(FindWidget(std::string("handle/readout/") + joint), nullptr) << joint;
  LetGo(ui.get());
  // all three are one step of undo, however many frames it took
  ui->session().params().Undo();
  ui->Frame(0);
  for (const char* joint : {"x", "y", "z"}) EXPECT_EQ(Target(*ui, joint), 0) << joint;
  EXPECT_FALSE(ui->session().params().CanUndo());
  ui->session().params().Redo();
  ui->Frame(0);
  EXPECT_GT(Target(*ui, "z"), 0.005);
  EXPECT_FALSE(ui->session().params().CanRedo());
}

TEST(Handles, TwoDragsAreTwoStepsOfUndo) {
  OPEN_OR_SKIP(ui, "four-point-peg");
  Settle(ui.get());
  DragOn(ui.get(), "plane", 20, -20);
  LetGo(ui.get());
  const double first = Target(*ui, "z");
  DragOn(ui.get(), "plane", 20, -20);
  LetGo(ui.get());
  EXPECT_GT(Target(*ui, "z"), first);
  ui->session().params().Undo();
  ui->Frame(0);
  EXPECT_EQ(Target(*ui, "z"), first);
  ui->session().params().Undo();
  ui->Frame(0);
  EXPECT_EQ(Target(*ui, "z"), 0);
}

TEST(Handles, TheOpeningKeepsWithinItsRange) {
  OPEN_OR_SKIP(ui, "four-point-peg");
  Settle(ui.get());
  const double start = Target(*ui, "w");
  const ImVec2 middle = Handle("plane"), end = Handle("w");
  // outwards is away from the other finger, far more than the fingers can go
  DragOn(ui.get(), "w", 20 * (end.x - middle.x), 20 * (end.y - middle.y));
  EXPECT_GT(Target(*ui, "w"), start);
  LetGo(ui.get());
  ui->session().params().Undo();
  ui->Frame(0);
  EXPECT_EQ(Target(*ui, "w"), start);
  const auto handles = FindTargetHandles(
      *ui->session().model(), ui->session().frame(0),
      [&](const std::string& path) { return ui->session().params().Value(0, path); });
  ASSERT_EQ(handles.size(), 1u);
  ASSERT_TRUE(handles[0].fingers.has_value());
  EXPECT_EQ(handles[0].fingers->slide.lower, 0);
  EXPECT_EQ(handles[0].fingers->slide.upper, 0.09);
  for (int i = 0; i < 12; ++i) {
    ui->ui().requests.Do(Action::kHandFarOpen);
    ui->Frame(0);
  }
  EXPECT_EQ(Target(*ui, "w"), 0.09);
}

TEST(Handles, WhatTheScenesPathAddsStays) {
  OPEN_OR_SKIP(ui, "four-point-peg");
  ui->session().playback().SetPlaying(true);
  PassAndDraw(ui.get(), 1.7);
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  const auto find = [&] {
    return FindTargetHandles(
        *ui->session().model(), ui->session().frame(0),
        [&](const std::string& path) { return ui->session().params().Value(0, path); });
  };
  const auto before = find();
  ASSERT_EQ(before.size(), 1u);
  ASSERT_EQ(before[0].slides.size(), 3u);
  const double from_path = before[0].slides[2].from_path;
  EXPECT_NEAR(from_path, 0.05, 0.005);
  EXPECT_NEAR(before[0].p_WT.z(), 0.035 + from_path, 1e-9) << "the handle is where the hand goes";
  DragOn(ui.get(), "z", 0, -30);
  const double target = Target(*ui, "z");
  EXPECT_GT(target, 0.005);
  EXPECT_LT(target, from_path) << "only by as much as the mouse went";
  const std::string said = FindWidget("handle/readout/z")->text;
  EXPECT_EQ(said, fmt::format("{:.1f} mm = {:.1f} + {:.1f} path", 1e3 * (target + from_path),
                              1e3 * target, 1e3 * from_path));
  LetGo(ui.get());
  EXPECT_EQ(find()[0].slides[2].from_path, from_path);
}

TEST(Handles, KeysMoveByMillimetres) {
  OPEN_OR_SKIP(ui, "four-point-peg");
  Settle(ui.get());
  const auto press = [&](int key, int mods) {
    EXPECT_TRUE(DispatchKey(&ui->ui(), key, mods, false, false)) << key;
    ui->Frame(1);  // apart from the last, so that each is a step of undo
    ui->Frame(0);
  };
  constexpr int kFine = GLFW_MOD_CONTROL | GLFW_MOD_ALT, kFar = kFine | GLFW_MOD_SHIFT;
  press(GLFW_KEY_RIGHT, kFine);
  EXPECT_NEAR(Target(*ui, "x"), 0.001, 1e-12);
  press(GLFW_KEY_LEFT, kFar);
  EXPECT_NEAR(Target(*ui, "x"), -0.009, 1e-12);
  press(GLFW_KEY_UP, kFar);
  EXPECT_NEAR(Target(*ui, "y"), 0.01, 1e-12);
  press(GLFW_KEY_DOWN, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT);
  EXPECT_NEAR(Target(*ui, "y"), 0.009, 1e-12) << "the second chord";
  press(GLFW_KEY_PAGE_UP, kFine);
  EXPECT_NEAR(Target(*ui, "z"), 0.001, 1e-12);
  const double start = Target(*ui, "w");
  press(GLFW_KEY_MINUS, kFine);
  EXPECT_NEAR(Target(*ui, "w"), start - 0.001, 1e-12);
  press(GLFW_KEY_EQUAL, kFar);
  EXPECT_NEAR(Target(*ui, "w"), start + 0.009, 1e-12);
  ASSERT_TRUE(ui->session().params().CanUndo());
  ui->session().params().Undo();
  ui->Frame(0);
  EXPECT_NEAR(Target(*ui, "z"), 0.001, 1e-12) << "of another target";
  EXPECT_NE(Target(*ui, "w"), start + 0.009);
  // both lists have them
  ui->ui().requests.Do(Action::kPalette);
  Settle(ui.get());
  ui->Type("hand up");
  ui->Frame(0);
  ui->Frame(0);
  EXPECT_NE(FindWidget("palette/Hand up, 1 mm"), nullptr);
}

TEST(Handles, ARecordedDragRunsAgainBitByBit) {
  const TempFolder folder;
  const std::string file = folder.path("a.json");
  OPEN_OR_SKIP(ui, "four-point-peg");
  ui->session().playback().SetPlaying(true);
  PassAndDraw(ui.get(), 0.3);
  DragOn(ui.get(), "plane", 30, -30);
  Pass(ui.get(), 0.2);
  LetGo(ui.get());
  PassAndDraw(ui.get(), 0.3);
  ui->session().playback().SetPlaying(false);
  ui->Frame(0);
  ui->session().experiments().Save(file);
  ui->Frame(0);
  const ProgramResult verified = RunProgram({"replay", file, "--verify"});
  EXPECT_EQ(verified.exit, 0) << verified.err;
  EXPECT_NE(verified.out.find("the same bits"), std::string::npos) << verified.out;
}

TEST(Handles, AreOnlyWhereSlidesHoldARobot) {
  for (const char* scene : {"conveyor", "quadruped-stand", "arm-press", "clutter"}) {
    OPEN_OR_SKIP(ui, scene);
    Settle(ui.get());
    for (const WidgetRecord& widget : Widgets())
      EXPECT_FALSE(widget.id.starts_with("handle/")) << scene << " " << widget.id;
    EXPECT_NE(ui->ui().actions().WhyDisabled(Action::kTargetHandles), nullptr) << scene;
    EXPECT_NE(ui->ui().actions().WhyDisabled(Action::kHandUp), nullptr) << scene;
    EXPECT_EQ(ui->session().params().ChangedCount(), 0);
  }
}

TEST(Handles, CanBeSwitchedOffAndGoWithTheMotors) {
  OPEN_OR_SKIP(ui, "four-point-peg");
  Settle(ui.get());
  for (const char* name : {"x", "y", "z", "w", "plane"}) EXPECT_GT(Handle(name).x, 0) << name;
  EXPECT_TRUE(ui->ui().actions().IsOn(Action::kTargetHandles));
  ui->ui().requests.Do(Action::kTargetHandles);
  Settle(ui.get());
  EXPECT_LT(Handle("plane").x, 0);
  ui->ui().requests.Do(Action::kTargetHandles);
  Settle(ui.get());
  EXPECT_GT(Handle("plane").x, 0);
  // a chain ends where nothing holds it: the lead knows impedances only
  ui->session().params().Set(-1, "joint.hand/y.impedance", 0);
  PassAndDraw(ui.get(), 0.05);
  EXPECT_GT(Handle("x").x, 0);
  EXPECT_LT(Handle("y").x, 0);
  EXPECT_LT(Handle("plane").x, 0) << "one axis is no plane";
}

TEST(Handles, APressBesideThemIsNone) {
  OPEN_OR_SKIP(ui, "four-point-peg");
  Settle(ui.get());
  const ImVec2 at = Handle("plane");
  const CameraSpec before = ui->ui().rig.camera.spec();
  DragOn(ui.get(), "plane", 40, 0);
  LetGo(ui.get());
  EXPECT_EQ(ui->ui().rig.camera.spec().azimuth, before.azimuth) << "a handle does not orbit";
  EXPECT_GE(ui->ui().state.picked.selection.body, 0) << "its link is selected";
  const double target = Target(*ui, "x");
  ui->Drag(ImVec2(ui->ui().regions.view.min.x + 30, at.y), ImVec2(at.x, at.y + 40));
  ui->Frame(0);
  EXPECT_EQ(Target(*ui, "x"), target);
  EXPECT_NE(ui->ui().rig.camera.spec().azimuth, before.azimuth) << "the picture still does";
}

}  // namespace
}  // namespace slip::app
