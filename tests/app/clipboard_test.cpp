// Cameras and parameters through the clipboard.
#include "app/session/clipboard.h"

#include <gtest/gtest.h>

#include "app/host/window.h"
#include "engine/scene/scene.h"

namespace slip::app {
namespace {

Config ConveyorConfig() { return (*FindScene("conveyor"))->config; }

TEST(Clipboard, ACameraComesBackAsItWas) {
  CameraSpec camera;
  camera.target = Vec3(0.25, -0.5, 1e-3);
  camera.distance = 3.25;
  camera.azimuth = -0.7;
  camera.elevation = 0.4;
  camera.field_of_view = 0.5;
  const Pasted pasted = ReadPasted("some words\n" + CameraText(camera), ConveyorConfig(), {});
  ASSERT_TRUE(pasted.camera.has_value());
  EXPECT_TRUE(pasted.problems.empty());
  EXPECT_NEAR((pasted.camera->target - camera.target).norm(), 0, 1e-6);
  EXPECT_NEAR(pasted.camera->distance, 3.25, 1e-6);
  EXPECT_NEAR(pasted.camera->azimuth, -0.7, 1e-5);
  EXPECT_NEAR(pasted.camera->elevation, 0.4, 1e-5);
  EXPECT_NEAR(pasted.camera->field_of_view, 0.5, 1e-5);
}

TEST(Clipboard, ParametersAreReadFromACommandLineAndFromAScene) {
  const Pasted line = ReadPasted(
      "slipscope compare conveyor -m sap,lagged -p 'time_step=5ms' -p material.steel.friction=0.3",
      ConveyorConfig(), {});
  ASSERT_EQ(line.params.size(), 2u);
  EXPECT_EQ(line.params[0].first, "time_step");
  EXPECT_DOUBLE_EQ(line.params[0].second, 5e-3);
  EXPECT_EQ(line.params[1].first, "material.steel.friction");
  EXPECT_FALSE(line.camera.has_value());
  const Pasted scene = ReadPasted(
      "time_step = \"2 ms\"  # small\ntitle = \"x\"\n[material.steel]\nstiffness = 1e6\n",
      ConveyorConfig(), {});
  ASSERT_EQ(scene.params.size(), 2u);
  EXPECT_DOUBLE_EQ(scene.params[0].second, 2e-3);
  EXPECT_EQ(scene.params[1].first, "material.steel.stiffness");
  EXPECT_TRUE(scene.problems.empty());
}

TEST(Clipboard, WhatCannotBeIsSaid) {
  const Pasted pasted = ReadPasted("-p time_stpe=5ms -p 'friction=-1'\n[camera]\ndistance = -2\n",
                                   ConveyorConfig(), {});
  ASSERT_EQ(pasted.problems.size(), 3u);
  EXPECT_NE(pasted.problems[0].find("time_step"), std::string::npos) << pasted.problems[0];
  EXPECT_TRUE(pasted.params.empty());
  EXPECT_TRUE(ReadPasted("Dear Sir, 1 = 1", ConveyorConfig(), {}).empty());
  EXPECT_TRUE(ReadPasted("", ConveyorConfig(), {}).empty());
}

TEST(Clipboard, TheWindowCopiesAndPastes) {
  UiSetup setup;
  setup.scene = *FindScene("conveyor");
  auto made = OffscreenUi::Create(setup, 1280, 720);
  if (!made.ok()) GTEST_SKIP() << "no off-screen OpenGL here";
  auto ui = std::move(made).value();
  ui->Frame(0.1);
  const CameraSpec home = ui->ui().rig.camera.spec();
  ui->ui().requests.Do(Action::kCopyCamera);
  ui->Frame(0);
  ui->ui().rig.camera.Orbit(120, 40);
  ui->ui().rig.camera.Dolly(2, Vec2(100, 100), {800, 500});
  ui->ui().requests.Do(Action::kPaste);
  ui->Frame(0);
  EXPECT_NEAR(ui->ui().rig.camera.spec().azimuth, home.azimuth, 1e-5);
  EXPECT_NEAR(ui->ui().rig.camera.spec().distance, home.distance, 1e-5);
  ui->session().params().Set(-1, "time_step", 4e-3);
  ui->Frame(0.1);
  ui->ui().requests.Do(Action::kCopyCommand);
  for (int i = 0; i < 2; ++i) ui->Frame(0);  // the engine tells what was done
  ui->session().params().Undo();
  ui->Frame(0.1);
  EXPECT_DOUBLE_EQ(ui->session().params().Value(0, "time_step"), 1e-2);
  ui->ui().requests.Do(Action::kPaste);
  ui->Frame(0.1);
  EXPECT_DOUBLE_EQ(ui->session().params().Value(0, "time_step"), 4e-3);
  // nothing to use in it: said, not silent
  ImGui::SetClipboardText("hello");
  ui->ui().requests.Do(Action::kPaste);
  ui->Frame(0);
  ASSERT_FALSE(ui->session().messages().empty());
  EXPECT_NE(ui->session().messages().back().what.find("clipboard"), std::string::npos);
}

}  // namespace
}  // namespace slip::app
