// The 3-D view's manners: following bodies, room for instruments, answers that wait.
#include <gtest/gtest.h>

#include <cstring>
#include <new>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "app/panels/picture/over_view.h"
#include "app/panels/picture/view.h"
#include "engine/run/scope/scope.h"
#include "engine/scene/scene.h"
#include "render/video/frame_writer.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

TEST(ViewTest, CameraTravelsWithTheBallAndComesHome) {
  OPEN_OR_SKIP(ui, "falling-sphere", 1600, 900);
  ASSERT_TRUE(ui->session().scene()->camera.follow);
  ui->Frame(0);
  const Vec3 start = ui->ui().rig.camera.spec().target;
  RunFrames(ui.get(), 18);
  const double x = ui->session().frame(ui->session().looks().lead()).bodies[0].X_WB.p.x();
  EXPECT_GT(x, 0.3);
  EXPECT_NEAR(ui->ui().rig.camera.spec().target.x() - start.x(), x, 1e-9);
  EXPECT_NEAR(ui->ui().rig.camera.spec().target.z(), start.z(), 1e-9);
  // Panning stays on top of the way travelled; the scene's own view takes it back.
  ui->ui().rig.camera.Pan(100, 0, {920, 524});
  ui->ui().state.shell.reduced_motion = true;
  ui->ui().requests.Do(Action::kHomeView);
  ui->Frame(0);
  EXPECT_NEAR(ui->ui().rig.camera.spec().target.x() - start.x(), x, 1e-9);
  ui->session().playback().Reset();
  ui->session().playback().SetPlaying(false);
  ui->Frame(0);
  ui->Frame(0);
  EXPECT_NEAR((ui->ui().rig.camera.spec().target - start).norm(), 0, 1e-9);
}

TEST(ViewTest, CameraOfOtherScenesStays) {
  OPEN_OR_SKIP(ui, "conveyor", 1600, 900);
  ui->Frame(0);
  const Vec3 start = ui->ui().rig.camera.spec().target;
  RunFrames(ui.get(), 30);
  EXPECT_EQ(ui->ui().rig.camera.spec().target, start);
}

/// A box that slides on and on, before a camera that its scene does not let follow.
std::unique_ptr<OffscreenUi> OpenLongSlide() {
  const Result<std::shared_ptr<const Scene>> found = FindScene("sliding-box");
  if (!found.ok()) return nullptr;
  auto scene = std::make_shared<Scene>(**found);
  auto model = std::make_shared<Model>(*scene->model);
  model->bodies[0].V_WB[3] = 6;
  scene->model = model;
  scene->camera.follow = false;
  return OpenScene(scene);
}

/// Whether the lead's box is drawn clear of the borders, the instrument and the legends.
bool BoxIsClear(OffscreenUi* ui) {
  const Ui& u = ui->ui();
  Pane pane;
  pane.min = u.regions.view.min;
  pane.max = u.regions.view.max;
  pane.request = LeadRequest(u.session, u.state.view, u.state.shell.shown_theme(), u.state.picked);
  FitGap(u.session, u.state.view, u.rig, &pane);
  const Vec3 p =
      render::DrawnPose(ui->session().snapshot(), pane.request, ui->session().looks().lead(), 0).p;
  const auto pixel = pane.camera.Project(p, pane.viewport());
  if (!pixel) return false;
  const double width = pane.viewport().width, height = pane.viewport().height;
  const double card = static_cast<double>(InstrumentSize(ui->session(), pane.gap).x);
  return pixel->x() > 0 && pixel->x() < width - card && pixel->y() > 0 && pixel->y() < height - 40;
}

TEST(ViewTest, WhatTravelsStaysInThePictureUntilTheUserMovesTheCamera) {
  UI_OR_SKIP(ui, OpenLongSlide());
  ui->ui().state.shell.reduced_motion = true;  // without easing
  ui->Frame(0);
  EXPECT_TRUE(BoxIsClear(ui.get()));
  const CameraSpec start = ui->ui().rig.camera.spec();
  PassAndDraw(ui.get(), 1.5);
  const double x = ui->session().frame(ui->session().looks().lead()).bodies[0].X_WB.p.x();
  ASSERT_GT(x, 2);
  EXPECT_TRUE(BoxIsClear(ui.get()));
  // the user's own view has not changed: files and kept views hold that one
  EXPECT_EQ(ui->ui().rig.camera.spec(), start);
  EXPECT_NE(ui->ui().rig.keep_in_view.shift, render::ViewShift{});
  // a move of the user takes over what is seen, and ends it
  EndKeepInView(&ui->ui().rig);
  EXPECT_TRUE(BoxIsClear(ui.get()));
  const CameraSpec own = ui->ui().rig.camera.spec();
  PassAndDraw(ui.get(), 0.5);
  EXPECT_EQ(ui->ui().rig.camera.spec(), own);
  EXPECT_EQ(ui->ui().rig.keep_in_view.shift, render::ViewShift{});
  // the home view follows again
  ui->ui().requests.Do(Action::kHomeView);
  Settle(ui.get());
  EXPECT_EQ(ui->ui().rig.camera.spec(), start);
  EXPECT_TRUE(BoxIsClear(ui.get()));
  // and where the box is back at its start, so is the view
  ui->session().playback().Reset();
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  EXPECT_NEAR(ui->ui().rig.keep_in_view.shift.zoom, 1, 0.3);
  EXPECT_LT(ui->ui().rig.keep_in_view.shift.way.norm(), 0.5);
}

TEST(ViewTest, SignsPointToBodiesThatLeftThePicture) {
  UI_OR_SKIP(ui, OpenLongSlide());
  ui->ui().state.shell.reduced_motion = true;
  ui->Frame(0);
  ui->Frame(0);
  const std::string lead = "overlay/outside/" + std::to_string(ui->session().looks().lead());
  EXPECT_EQ(FindWidget(lead), nullptr);
  EndKeepInView(&ui->ui().rig);
  PassAndDraw(ui.get(), 1);
  const WidgetRecord* sign = FindWidget(lead);
  ASSERT_NE(sign, nullptr);
  EXPECT_NE(sign->text.find(" m"), std::string::npos) << sign->text;
  // not over the instrument
  const Rect& view = ui->ui().regions.view;
  const ImVec2 card = InstrumentSize(ui->session(), GapForm::kFull);
  EXPECT_TRUE(sign->max.x < view.max.x - card.x || sign->min.y > view.min.y + card.y);
}

TEST(ViewTest, AKeptViewOfOnesOwnDoesNotMove) {
  UI_OR_SKIP(ui, OpenLongSlide());
  ui->Frame(0);
  EXPECT_TRUE(ui->ui().rig.keep_in_view.on);
  CameraSpec own = ui->ui().rig.camera.spec();
  SetView(ui->ui().session, own, &ui->ui().rig);
  EXPECT_TRUE(ui->ui().rig.keep_in_view.on);
  own.azimuth += 0.1;
  SetView(ui->ui().session, own, &ui->ui().rig);
  EXPECT_FALSE(ui->ui().rig.keep_in_view.on);
}

TEST(ViewTest, GapInstrumentLeavesRoomForTheBodies) {
  OPEN_OR_SKIP(ui, "conveyor", 1600, 900);
  RunFrames(ui.get(), 5);
  Pane pane;
  pane.max = ImVec2(920, 524);
  FitGap(ui->ui().session, ui->ui().state.view, ui->ui().rig, &pane);
  EXPECT_EQ(pane.gap, GapForm::kFull);
  EXPECT_GT(pane.shift, 0);
  Pane small;
  small.max = ImVec2(600, 424);
  FitGap(ui->ui().session, ui->ui().state.view, ui->ui().rig, &small);
  EXPECT_EQ(small.gap, GapForm::kCompact);
  EXPECT_GT(small.shift, 0);
  EXPECT_LT(small.shift, pane.shift);
  Pane tiny;
  tiny.max = ImVec2(400, 424);
  FitGap(ui->ui().session, ui->ui().state.view, ui->ui().rig, &tiny);
  EXPECT_EQ(tiny.gap, GapForm::kNone);
  // A split pane has no instrument, and its picture stands in the middle.
  Pane split = pane;
  split.channel = 0;
  split.gap = GapForm::kNone;
  split.shift = 0;
  FitGap(ui->ui().session, ui->ui().state.view, ui->ui().rig, &split);
  EXPECT_EQ(split.gap, GapForm::kNone);
  EXPECT_EQ(split.camera.spec().target, ui->ui().rig.camera.spec().target);
}

static_assert(kMaxChannels == Snapshot::kMaxChannels);

TEST(ViewTest, APictureApartLeavesThePanesAlone) {
  OPEN_OR_SKIP(ui, "conveyor", 1600, 900);
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  ViewPanes& panes = ui->ui().panes;
  const render::Camera& camera = ui->ui().rig.camera;
  render::ViewRequest request;
  request.quality = render::Quality::kLow;
  std::vector<const render::ViewPicture*> pictures;
  std::vector<render::Image> before;
  for (int pane = 0; pane < Snapshot::kMaxChannels; ++pane) {
    pictures.push_back(panes.Draw(ui->session(), camera, request, 160 + pane, 90, pane));
    ASSERT_NE(pictures.back(), nullptr);
    before.push_back(render::ReadPixels(pictures.back()->framebuffer, 160 + pane, 90));
  }
  request.theme = render::Theme::kLight;
  EXPECT_EQ(panes.Picture(ui->session().snapshot(), camera, request, 64, 48).width, 64);
  for (std::size_t pane = 0; pane < pictures.size(); ++pane) {
    const int width = 160 + static_cast<int>(pane);
    EXPECT_EQ(pictures[pane]->width, width);
    EXPECT_EQ(render::ReadPixels(pictures[pane]->framebuffer, width, 90).pixels,
              before[pane].pixels);
  }
}

TEST(ViewTest, StillPicturesAreNotDrawnAgain) {
  OPEN_OR_SKIP(ui, "conveyor", 1600, 900);
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  ASSERT_FALSE(ui->session().changed());
  // the same request, in memory that held other things before
  alignas(render::ViewRequest) unsigned char memory[2][sizeof(render::ViewRequest)];
  std::memset(memory[0], 0x00, sizeof memory[0]);
  std::memset(memory[1], 0xff, sizeof memory[1]);
  const auto draw = [&](render::ViewRequest* request) {
    request->quality = render::Quality::kLow;
    const render::ViewPicture* picture =
        ui->ui().panes.Draw(ui->session(), ui->ui().rig.camera, *request, 320, 200, 1);
    return picture == nullptr ? render::DrawCost{} : picture->cost;
  };
  const render::DrawCost first = draw(new (memory[0]) render::ViewRequest);
  auto* second = new (memory[1]) render::ViewRequest;
  const render::DrawCost still = draw(second);
  EXPECT_GT(first.build_ms, 0);
  // two drawings never take the same time to the nanosecond
  EXPECT_EQ(still.build_ms, first.build_ms);
  EXPECT_EQ(still.submit_ms, first.submit_ms);
  second->forces = false;
  EXPECT_NE(draw(second).build_ms, first.build_ms);
}

}  // namespace
}  // namespace slip::app
