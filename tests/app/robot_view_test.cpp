// Robots in the window: what overlays of them can be switched, and what the legend says.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "app/kit/widget_registry.h"
#include "engine/sim/foot_load.h"
#include "engine/tell/format.h"
#include "render/quantities/support_polygon.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

constexpr Action kOverlays[] = {Action::kSupport, Action::kFootForces, Action::kFootTrails,
                                Action::kJointMarks};

TEST(FallenRobot, IsSaidWithItsChannelAndTheWayOut) {
  UI_OR_SKIP(ui, OpenPlan("quadruped-trot", "sap,lagged"));
  PassAndDraw(ui.get(), 0.5);
  EXPECT_EQ(FindWidget("overlay/fallen"), nullptr) << "a robot that trots has not fallen";
  ui->session().params().Set(1, "tilt", 0.96);
  PassAndDraw(ui.get(), 2);
  const WidgetRecord* sign = FindWidget("overlay/fallen/text");
  ASSERT_NE(sign, nullptr);
  EXPECT_EQ(sign->text, "Lagged fallen, motors brake: R starts again");
  // as its key does
  ui->session().params().Set(1, "tilt", 0);
  ASSERT_TRUE(ui->Click("overlay/fallen"));
  PassAndDraw(ui.get(), 0.1);
  EXPECT_LT(ui->session().snapshot().time, 0.5);
  EXPECT_EQ(FindWidget("overlay/fallen"), nullptr);
}

TEST(FallenRobot, NoneOfTheLessonsLooksLikeOne) {
  for (const char* scene : {"quadruped-jump", "quadruped-squat", "biped-walk", "arm-press"}) {
    OPEN_OR_SKIP(ui, scene);
    for (int i = 0; i < 15; ++i) {
      PassAndDraw(ui.get(), 0.1);
      EXPECT_EQ(FindWidget("overlay/fallen"), nullptr) << scene << " " << i;
    }
  }
}

/// The picture without what stands around it.
std::vector<uint8_t> ViewPixels(OffscreenUi& ui) {
  const render::Image image = ui.Read();
  const Rect& view = ui.ui().regions.view;
  std::vector<uint8_t> pixels;
  for (int y = static_cast<int>(view.min.y); y < static_cast<int>(view.max.y); ++y) {
    const auto row = image.pixels.begin() + static_cast<std::ptrdiff_t>(y) * image.width * 4;
    pixels.insert(pixels.end(), row + static_cast<std::ptrdiff_t>(view.min.x) * 4,
                  row + static_cast<std::ptrdiff_t>(view.max.x) * 4);
  }
  return pixels;
}

TEST(RobotView, TheChipSaysHowItStands) {
  OPEN_OR_SKIP(ui, "quadruped-trot", 1600, 900);
  PassAndDraw(ui.get(), 0.1);
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  ASSERT_NE(FindWidget("overlay/support"), nullptr);
  const Snapshot& snapshot = ui->session().snapshot();
  const auto support =
      render::CalcSupport(*snapshot.model, snapshot.model->robots[0],
                          ui->session().frame(ui->session().looks().lead()), snapshot.gravity_W);
  ASSERT_TRUE(support.has_value());
  EXPECT_EQ(support->points, 4);
  const std::string margin = FormatFixed(1e3 * support->margin, support->margin < 9.95e-3 ? 1 : 0);
  EXPECT_EQ(FindWidget("overlay/support")->text, "mass inside support by " + margin + " mm");
  ui->ui().requests.Do(Action::kSupport);
  Settle(ui.get());
  EXPECT_EQ(FindWidget("overlay/support"), nullptr);
}

TEST(RobotView, WhileItWalksTheNumberRests) {
  OPEN_OR_SKIP(ui, "quadruped-trot", 1600, 900);
  ui->session().playback().SetPlaying(true);
  PassAndDraw(ui.get(), 0.3);
  std::string last;
  int changes = 0;
  for (int i = 0; i < 30; ++i) {
    ui->Frame(1.0 / 60);
    ASSERT_NE(FindWidget("overlay/support"), nullptr);
    const std::string& words = FindWidget("overlay/support")->text;
    changes += words != last ? 1 : 0;
    last = words;
  }
  EXPECT_GE(changes, 3);
  EXPECT_LE(changes, 7) << "ten times a second";
}

TEST(RobotView, OneTagPerModel) {
  OPEN_OR_SKIP(ui, "quadruped-trot", 1600, 900);
  PassAndDraw(ui.get(), 0.1);
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  const Model& model = *ui->session().model();
  for (int c = 0; c < 2; ++c) {
    const ChannelFrame& frame = ui->session().frame(c);
    double normal = 0;
    for (const ContactFrame& contact : frame.contacts) normal += contact.fn;
    const Robot::Foot& foot =
        model.robots[0].feet[static_cast<std::size_t>(ui->ui().state.tags.foot)];
    const FootLoad load = CalcFootLoad(
        model, foot, frame.bodies[static_cast<std::size_t>(foot.body)].X_WB, frame.contacts);
    if (c == 0) EXPECT_GT(load.normal, normal / 4.1) << "among the most loaded";
    ASSERT_NE(FormatSignal(Signal::kNormalForce, load.normal),
              FormatSignal(Signal::kNormalForce, load.force_W.norm()))
        << "else this says nothing";
    const auto* tag = FindWidget("overlay/tag/" + std::to_string(c));
    ASSERT_NE(tag, nullptr);
    EXPECT_FALSE(tag->clipped);
    // the normal force of the foot, as the table says it
    EXPECT_NE(tag->text.find(" " + FormatSignal(Signal::kNormalForce, load.normal) + " Σf_n " +
                             FormatSignal(Signal::kNormalForce, normal)),
              std::string::npos)
        << tag->text;
  }
  // another foot when it is selected; the contact's own numbers when that is
  const Robot::Foot& foot = model.robots[0].feet[3];
  ui->ui().state.picked.selection.body = foot.body;
  Settle(ui.get());
  EXPECT_EQ(ui->ui().state.tags.foot, 3);
  EXPECT_EQ(FindWidget("overlay/tag/0")->text.find("FL"), std::string::npos);
  ui->ui().state.picked.selection.key = ui->session().frame(0).contacts[0].key;
  Settle(ui.get());
  EXPECT_EQ(FindWidget("overlay/tag/0"), nullptr);
}

TEST(RobotView, OverlaysOfRobotsNeedOne) {
  OPEN_OR_SKIP(ui, "conveyor", 1280, 720);
  Settle(ui.get());
  EXPECT_EQ(FindWidget("overlay/support"), nullptr);
  for (const Action action : kOverlays) {
    EXPECT_NE(ui->ui().actions().WhyDisabled(action), nullptr);
    EXPECT_TRUE(IsToggle(action));
    EXPECT_STREQ(Info(action).group, "Show");
  }
}

TEST(RobotView, EachOverlayChangesThePicture) {
  OPEN_OR_SKIP(ui, "biped-walk", 1280, 720);
  PassAndDraw(ui.get(), 1.6);  // a foot swings
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  for (const Action action : kOverlays) {
    EXPECT_EQ(ui->ui().actions().WhyDisabled(action), nullptr);
    const auto before = ViewPixels(*ui);
    ui->ui().requests.Do(action);
    Settle(ui.get());
    Settle(ui.get());
    EXPECT_TRUE(ViewPixels(*ui) != before) << Info(action).name;
    ui->ui().requests.Do(action);
    Settle(ui.get());
    Settle(ui.get());
    EXPECT_TRUE(ViewPixels(*ui) == before) << Info(action).name;
  }
}

}  // namespace
}  // namespace slip::app
