// The scene of a robot's file, saved from the window: what it has on screen, a text to go on from.
#include "app/session/scene_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/kit/widget_registry.h"
#include "engine/scene/scene.h"
#include "tests/support/folders.h"
#include "tests/support/offscreen.h"
#include "tests/support/temp_folder.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

const std::string kOwnRobots = SourceFolder() + "/assets/robots/";

bool HasCard(const Session& session, const std::string& what) {
  for (const Message& message : session.messages())
    if (message.what == what) return true;
  return false;
}

TEST(SaveScene, WritesWhatTheWindowHas) {
  const TempFolder folder;
  fs::copy(kOwnRobots, folder.path("robots"), fs::copy_options::recursive);
  fs::rename(folder.path("robots/quadruped.urdf"), folder.path("robots/mine.urdf"));
  OPEN_OR_SKIP(ui, folder.path("robots/mine.urdf"));
  RunFrames(ui.get(), 6);
  Session& session = ui->session();
  EXPECT_EQ(ui->ui().state.shell.left_tab, TabId::kJoints)
      << "its joints are there without a click";
  const WidgetRecord* line = FindWidget("joints/gains-line");
  ASSERT_NE(line, nullptr);
  EXPECT_TRUE(line->text.starts_with("gains from its masses: ")) << line->text;
  ASSERT_NE(FindWidget("joints/save"), nullptr);
  EXPECT_EQ(ClippedWidgets(), std::vector<std::string>());
  session.params().Set(-1, "joint.solo/FL_HAA.joint_target", 0.25);
  session.params().Set(-1, "material.rubber.friction", 0.4);
  Pass(ui.get(), 0.1);

  const std::string path = folder.path("mine.toml");
  SaveScene(path, &session);
  EXPECT_TRUE(HasCard(session, "Scene saved."));
  const std::string text = ReadText(path);
  EXPECT_NE(text.find("\nfile = \"robots/mine.urdf\"\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n#[body.box]"), std::string::npos) << text;
  const auto saved = FindScene(path);
  ASSERT_TRUE(saved.ok()) << saved.error().Text();
  EXPECT_EQ(Hash(*(*saved)->model), Hash(*session.model()));
  EXPECT_EQ((*saved)->channels[0].config, session.frame(0).config);
  // never over a file that is there
  SaveScene(path, &session);
  EXPECT_TRUE(HasCard(session, "The scene was not saved."));
  EXPECT_EQ(ReadText(path), text);

  // and it opens, with a file of its own
  ASSERT_TRUE(session.Load(path));
  Pass(ui.get(), 0.1);
  Settle(ui.get());
  EXPECT_EQ(session.scene()->file, path);
  EXPECT_NE(WhyNoSceneFile(session), nullptr);
  EXPECT_EQ(FindWidget("joints/save"), nullptr);
  EXPECT_EQ(session.params().Value(0, "joint.solo/FL_HAA.joint_target"), 0.25);
}

TEST(SaveScene, HomeTakesTargetsBack) {
  OPEN_OR_SKIP(ui, kOwnRobots + "quadruped.urdf");
  RunFrames(ui.get(), 6);
  Session& session = ui->session();
  ASSERT_EQ(ui->ui().state.shell.left_tab, TabId::kJoints);
  session.params().Set(-1, "joint.solo/HR_KFE.joint_target", 0.3);
  Pass(ui.get(), 0.1);
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("joints/release"));
  Pass(ui.get(), 0.1);
  EXPECT_EQ(session.params().Value(0, "joint.solo/HR_KFE.joint_target"), 0);
}

// A model of MuJoCo whose file has motors of torque, or none at all.
TEST(SaveScene, AModelWithoutTargetsIsHeldByAHand) {
  const TempFolder folder;
  const auto model = [](const std::string& actuators) {
    return "<mujoco model='swing'><worldbody><body name='a' pos='0 0 1'>"
           "<joint name='j' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.02' "
           "mass='1'/></body></worldbody>" +
           actuators + "</mujoco>";
  };
  WriteText(folder.path("motor.xml"),
            model("<actuator><motor joint='j' ctrlrange='-50 50'/></actuator>"));
  WriteText(folder.path("none.xml"), model(""));
  OPEN_OR_SKIP(ui, folder.path("motor.xml"));
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  Pass(ui.get(), 0.5);
  Settle(ui.get());
  EXPECT_EQ(ui->ui().state.shell.left_tab, TabId::kJoints);
  EXPECT_NEAR(session.frame(0).joints[0].position, 0, 0.06) << "in the window its motor holds it";
  ASSERT_TRUE(session.Load(folder.path("none.xml")));
  Pass(ui.get(), 0.1);
  ui->ui().state.shell.left_tab = TabId::kJoints;
  session.playback().SetPlaying(true);
  Pass(ui.get(), 0.2);
  Settle(ui.get());
  EXPECT_EQ(FindWidget("joints/gains"), nullptr);
  ASSERT_TRUE(ui->Click("joints/take-over"));
  Pass(ui.get(), 0.1);
  const double held = session.params().Value(0, "joint.swing/j.joint_target");
  Pass(ui.get(), 2);
  EXPECT_NEAR(session.frame(0).joints[0].position, held, 0.06);
  EXPECT_NEAR(session.frame(0).joints[0].rate, 0, 0.01);
}

}  // namespace
}  // namespace slip::app
