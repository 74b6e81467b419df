// The tab "Check", its switches, and the key over the picture.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/frame/record_actions.h"
#include "app/view/shown.h"
#include "engine/core/numbers.h"
#include "tests/support/folders.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"

namespace slip::app {
namespace {

const std::string kQuadruped = SourceFolder() + "/assets/robots/quadruped.urdf";

/// A base with a leg on each side; the left one is drawn aside.
constexpr const char* kAside =
    "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='0.01' ixy='0' "
    "ixz='0' iyy='0.01' iyz='0' izz='0.01'/></inertial><visual><geometry><box size='0.3 0.3 0.2'/>"
    "</geometry></visual><collision><geometry><box size='0.3 0.3 0.2'/></geometry></collision>"
    "</link>\n"
    "<link name='left'><inertial><mass value='1'/><inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' "
    "iyz='0' izz='0.01'/></inertial><visual><origin xyz='0 0 0.4'/><geometry><box size='0.2 0.2 "
    "0.3'/></geometry></visual><collision><geometry><box size='0.2 0.2 0.3'/></geometry>"
    "</collision></link>\n"
    "<link name='right'><inertial><mass value='1'/><inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' "
    "iyz='0' izz='0.01'/></inertial><visual><geometry><box size='0.2 0.2 0.3'/></geometry></visual>"
    "<collision><geometry><box size='0.2 0.2 0.3'/></geometry></collision></link>\n"
    "<joint name='l' type='continuous'><parent link='base'/><child link='left'/><origin xyz='0 0.5 "
    "0'/><axis xyz='0 1 0'/></joint>\n"
    "<joint name='r' type='continuous'><parent link='base'/><child link='right'/><origin xyz='0 "
    "-0.5 0'/><axis xyz='0 1 0'/></joint></robot>\n";

/// The first row whose text has this.
std::string RowWith(const std::string& words) {
  for (int i = 0; i < 40; ++i) {
    const std::string id = "check/" + std::to_string(i);
    const WidgetRecord* row = FindWidget(id);
    if (row != nullptr && row->text.find(words) != std::string::npos) return id;
  }
  return {};
}

TEST(CheckTab, IsThereForRobotsAndOpensForTheirFiles) {
  OPEN_OR_SKIP(ui, "conveyor");
  Settle(ui.get());
  EXPECT_EQ(FindWidget("inspect/tabs/Check"), nullptr);
  ASSERT_TRUE(ui->session().Load(kQuadruped));
  Pass(ui.get(), 0.1);
  Settle(ui.get());
  EXPECT_EQ(ui->ui().state.shell.inspect_tab, TabId::kCheck);
  EXPECT_FALSE(RowWith("right: All").empty());
  EXPECT_TRUE(RowWith("wrong: ").empty());
  // a scene of its own has other things to show first
  ASSERT_TRUE(ui->session().Load("quadruped-trot"));
  Pass(ui.get(), 0.1);
  Settle(ui.get());
  EXPECT_NE(FindWidget("inspect/tabs/Check"), nullptr);
  EXPECT_EQ(ui->ui().state.shell.inspect_tab, TabId::kFeet);
}

TEST(CheckTab, ShowFliesToTheLinkAndMarksItOnce) {
  const TempFolder folder;
  WriteText(folder.path("aside.urdf"), kAside);
  OPEN_OR_SKIP(ui, folder.path("aside.urdf"));
  Settle(ui.get());
  const std::string row = RowWith("Link 'left' is drawn 0.40 m aside");
  ASSERT_FALSE(row.empty());
  EXPECT_TRUE(FindWidget(row)->text.starts_with("wrong: "));
  const double before = ui->ui().rig.camera.spec().distance;
  ASSERT_TRUE(ui->Click(row + "/show"));
  ui->Frame(0.1);
  const Picked& picked = ui->ui().state.picked;
  ASSERT_GE(picked.shown_link.body, 0);
  EXPECT_EQ(ui->session().model()->body(picked.shown_link.body).name, "r/left");
  EXPECT_EQ(picked.selection.body, -1) << "it is marked, not selected";
  const auto marked = [&] {
    return LeadRequest(ui->session(), ui->ui().state.view, Theme::kDark, picked).selected_body;
  };
  EXPECT_EQ(marked(), picked.shown_link.body);
  for (int i = 0; i < 20; ++i) ui->Frame(0.1);
  EXPECT_EQ(marked(), -1);
  const Vec3 link = ui->session().frame(0).bodies[ToIndex(picked.shown_link.body)].X_WB.p;
  EXPECT_LT((ui->ui().rig.camera.spec().target - link).norm(), 0.1);
  // it is half as large as the robot
  EXPECT_LE(ui->ui().rig.camera.spec().distance, before);
}

TEST(CheckTab, ItsSwitchesAreThoseOfTheMenu) {
  OPEN_OR_SKIP(ui, kQuadruped);
  Settle(ui.get());
  EXPECT_EQ(FindWidget("overlay/shapes"), nullptr);
  int switches = 0;
  for (const char* name : {"Visual meshes", "Collision shapes", "Joint axes", "Centres of mass",
                           "Frames", "Inertia boxes"}) {
    const WidgetRecord* found = FindWidget("check/" + std::string(name));
    ASSERT_NE(found, nullptr) << name;
    EXPECT_LT(found->max.y, ui->ui().regions.right.max.y) << name << " is cut off";
    for (const ActionInfo& info : ActionTable()) {
      if (std::string(info.name) != name) continue;
      EXPECT_STREQ(info.group, "Show");
      ASSERT_NE(info.section, nullptr);
      EXPECT_STREQ(info.section, "Bodies");
      ++switches;
    }
  }
  EXPECT_EQ(switches, 6);
  ASSERT_TRUE(ui->Click("check/Collision shapes"));
  ASSERT_TRUE(ui->Click("check/Joint axes"));
  Settle(ui.get());
  EXPECT_TRUE(ui->ui().state.view.collision_shapes);
  const WidgetRecord* key = FindWidget("overlay/shapes");
  ASSERT_NE(key, nullptr);
  EXPECT_NE(key->text.find("what is drawn: "), std::string::npos) << key->text;
  EXPECT_NE(key->text.find("OBJ"), std::string::npos) << key->text;
  EXPECT_NE(key->text.find("what collides: "), std::string::npos) << key->text;
  const WidgetRecord* axes = FindWidget("overlay/axes");
  ASSERT_NE(axes, nullptr);
  EXPECT_FALSE(Overlap(*key, *axes));
  EXPECT_FALSE(Overlap(*key, *FindWidget("overlay/readout")));
  ASSERT_TRUE(ui->Click("check/Visual meshes"));
  Settle(ui.get());
  EXPECT_NE(FindWidget("overlay/shapes")->text.find("what is drawn: hidden"), std::string::npos);
}

// Files from before the meshes could be hidden do not say that they are shown.
TEST(CheckTab, FilesKeepTheSwitches) {
  OPEN_OR_SKIP(ui, kQuadruped);
  Settle(ui.get());
  ViewState& view = ui->ui().state.view;
  RenderSpec look;
  look.show = std::vector<std::string>{"forces"};
  ApplyLook(look, &ui->ui());
  EXPECT_TRUE(view.visual_meshes);
  EXPECT_FALSE(view.collision_shapes);
  view.visual_meshes = false;
  view.collision_shapes = true;
  look = LookOf(ui->ui());
  view.visual_meshes = true;
  view.collision_shapes = false;
  ApplyLook(look, &ui->ui());
  EXPECT_FALSE(view.visual_meshes);
  EXPECT_TRUE(view.collision_shapes);
}

}  // namespace
}  // namespace slip::app
