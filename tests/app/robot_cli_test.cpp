// Robots on the command line: what is listed, what `check` says of a good and a bad file.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/folders.h"
#include "tests/support/program.h"

namespace slip {
namespace {

TEST(CliRobots, AreListed) {
  const nlohmann::json robots = nlohmann::json::parse(RunProgram({"list", "robots", "--json"}).out);
  ASSERT_EQ(robots.size(), 5u);
  const char* expected[5][5] = {{"arm", "arm.urdf", "9", "8", "18"},
                                {"biped", "biped.urdf", "13", "12", "40.52937"},
                                {"gripper", "gripper.urdf", "9", "8", "0.85"},
                                {"pinch", "pinch.urdf", "3", "2", "0.114"},
                                {"solo", "quadruped.urdf", "17", "16", "2.50000279"}};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(robots[i]["id"], expected[i][0]);
    EXPECT_EQ(robots[i]["file"], expected[i][1]);
    EXPECT_EQ(robots[i]["links"], expected[i][2]);
    EXPECT_EQ(robots[i]["joints"], expected[i][3]);
    EXPECT_EQ(robots[i]["mass_kg"], expected[i][4]);
  }
  EXPECT_NE(RunProgram({"list", "robots"}).out.find("quadruped.urdf"), std::string::npos);
}

TEST(CliRobots, SignalsOfASceneAreListedByTheirNames) {
  const auto names = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"list", "signals"});
    arguments.emplace_back("--json");
    const ProgramResult listed = RunProgram(arguments);
    EXPECT_EQ(listed.exit, 0) << listed.err;
    std::vector<std::string> found;
    for (const auto& row : nlohmann::json::parse(listed.out)) found.push_back(row["name"]);
    return found;
  };
  const auto has = [](const std::vector<std::string>& all, const char* name) {
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  const auto of_scene = names({"quadruped-stand"});
  for (const char* name : {"normal_force", "torque:solo/FL_KFE", "slip:solo/HR_FOOT"})
    EXPECT_TRUE(has(of_scene, name)) << name;
  EXPECT_FALSE(has(of_scene, "torque:ROBOT/JOINT"));
  EXPECT_TRUE(has(names({}), "torque:ROBOT/JOINT")) << "without a scene the pattern";
  EXPECT_TRUE(has(names({SourceFolder() + "/assets/robots/arm.urdf"}), "torque:arm/J4"));
  // as those of `show`
  const ProgramResult unknown = RunProgram({"list", "signals", "rubbish"});
  EXPECT_EQ(unknown.exit, RunProgram({"show", "rubbish"}).exit);
  EXPECT_NE(unknown.err.find("no scene 'rubbish'"), std::string::npos) << unknown.err;
  EXPECT_EQ(unknown.out, "");
  const ProgramResult other = RunProgram({"list", "laws", "conveyor"});
  EXPECT_EQ(other.exit, 2);
  EXPECT_NE(other.err.find("'list laws' takes no scene"), std::string::npos) << other.err;
}

TEST(CliRobots, ThatFellAreNamedAtTheEndOfARun) {
  const TempFolder folder;
  const ProgramResult fell = RunProgram({"run", "quadruped-trot", "-m", "lagged", "-p", "tilt=0.96",
                                         "-t", "2", "-o", folder.path("run")});
  EXPECT_EQ(fell.exit, 0) << fell.err;
  EXPECT_NE(fell.err.find("lagged: the controller of solo gave up, and the motors brake"),
            std::string::npos)
      << fell.err;
  // and when
  const std::string events = ReadText(folder.path("run/events.csv"));
  const std::size_t row = events.find(",lagged,gave-up,solo,");
  ASSERT_NE(row, std::string::npos) << events;
  EXPECT_EQ(events.find(",gave-up,", row + 10), std::string::npos) << "once: " << events;
  const std::string stands = RunProgram({"run", "quadruped-trot", "-m", "lagged", "-t", "0.5"}).err;
  EXPECT_EQ(stands.find("gave up"), std::string::npos) << stands;
}

TEST(CliRobots, AreChecked) {
  const std::string own = SourceFolder() + "/assets/robots/quadruped.urdf";
  const ProgramResult good = RunProgram({"check", own});
  EXPECT_EQ(good.exit, 0) << good.err;
  EXPECT_NE(good.out.find("robot \"solo\", 17 links, 16 joints (12 of them move), 2.5 kg"),
            std::string::npos)
      << good.out;
  // and what was chosen for it
  EXPECT_NE(good.out.find("\n  its base is free, 0.32"), std::string::npos) << good.out;
  EXPECT_NE(good.out.find("\n  motors hold its joints with gains from its masses: "),
            std::string::npos)
      << good.out;
  const TempFolder folder;
  const std::string file = folder.path("bad.urdf");
  WriteText(file,
            "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n<joint name=\"j\" "
            "type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>\n<joint "
            "name=\"k\" type=\"fixed\"><parent link=\"a\"/><child link=\"c\"/></joint>\n</robot>");
  const ProgramResult bad = RunProgram({"check", file});
  EXPECT_EQ(bad.exit, 5);
  EXPECT_NE(bad.err.find("bad.urdf:3: link 'b' moves but has no mass (add <inertial>"),
            std::string::npos)
      << bad.err;
  EXPECT_NE(bad.err.find("bad.urdf:5: joint 'k': there is no link 'c'"), std::string::npos)
      << bad.err;
}

TEST(CliRobots, JointsAreWritten) {
  const TempFolder folder;
  const ProgramResult run =
      RunProgram({"run", "quadruped-trot", "--steps", "3", "-m", "sap", "-o", folder.path("a")});
  EXPECT_EQ(run.exit, 0) << run.err;
  const auto rows = ReadCsv(folder.path("a/joints.csv"));
  ASSERT_EQ(rows.size(), 3u * 12);
  EXPECT_TRUE(ReadText(folder.path("a/joints.csv"))
                  .starts_with("step,time_s,model,joint,position,velocity,torque,target\n"));
  EXPECT_EQ(rows[1].at("joint"), "solo/FL_HFE");
  EXPECT_NEAR(std::stod(rows[1].at("position")), 0.8, 1e-3);
  EXPECT_NE(std::stod(rows[2].at("torque")), 0);
  // links are bodies, their shapes are not
  EXPECT_EQ(ReadCsv(folder.path("a/bodies.csv")).size(), 3u * 13);
}

TEST(CliRobots, SignalsOfJointsAndFeet) {
  const std::string listed = RunProgram({"list", "signals"}).out;
  EXPECT_NE(listed.find("torque:ROBOT/JOINT"), std::string::npos) << listed;
  EXPECT_NE(listed.find("force:ROBOT/FOOT"), std::string::npos) << listed;
  const TempFolder folder;
  const ProgramResult good =
      RunProgram({"run", "quadruped-stand", "-t", "0.1", "-o", folder.path("a"), "--expect",
                  "last(force:solo/FL_FOOT@sap) > 5 and max(torque:solo/FL_KFE) < 8"});
  EXPECT_EQ(good.exit, 0) << good.err;
  const nlohmann::json metrics = nlohmann::json::parse(ReadText(folder.path("a/metrics.json")));
  const nlohmann::json& signals = metrics["models"]["lagged"]["signals"];
  double sum = 0;
  for (const char* foot : {"FL", "FR", "HL", "HR"})
    sum += signals["force:solo/" + std::string(foot) + "_FOOT"]["last"].get<double>();
  EXPECT_NEAR(sum, signals["normal_force"]["last"].get<double>(), 1e-9);
  EXPECT_EQ(signals["slip:solo/HR_FOOT"]["unit"], "m/s");

  const ProgramResult wrong =
      RunProgram({"run", "quadruped-stand", "--expect", "max(force:solo/XX) < 1"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("no signal 'force:solo/XX': the scene has no such foot"),
            std::string::npos)
      << wrong.err;
  EXPECT_NE(wrong.err.find("solo/FL_FOOT, solo/FR_FOOT"), std::string::npos) << wrong.err;
  const ProgramResult plots = RunProgram(
      {"render", "conveyor", "--plots", "torque:solo/FL_KFE", "-o", folder.path("p.png")});
  EXPECT_EQ(plots.exit, 2);
  EXPECT_NE(plots.err.find("the scene has no joints of robots"), std::string::npos) << plots.err;
}

TEST(CliRobots, AScenePlotOfAnUnknownJointIsRefused) {
  const TempFolder folder;
  const std::string file = folder.path("plots.toml");
  std::string text = ReadText(SourceFolder() + "/scenes/quadruped-trot.toml");
  const std::size_t at = text.find("torque:solo/FL_KFE");
  ASSERT_NE(at, std::string::npos);
  WriteText(file, text.replace(at, 18, "torque:solo/FL_KNE"));
  const ProgramResult check = RunProgram({"check", file});
  EXPECT_NE(check.exit, 0);
  EXPECT_NE(check.err.find("the scene has no such joint"), std::string::npos) << check.err;
}

TEST(CliRobots, ExperimentsRunAgain) {
  const TempFolder folder;
  const std::string file = folder.path("trot.json");
  const ProgramResult run =
      RunProgram({"run", "quadruped-trot", "-t", "0.6", "--at", "0.3:robot.solo.trot_speed=0.35",
                  "--at", "0.4:joint.solo/FL_HAA.joint_stiffness=2", "--save", file});
  EXPECT_EQ(run.exit, 0) << run.err;
  const ProgramResult again = RunProgram({"replay", "--verify", file});
  EXPECT_EQ(again.exit, 0) << again.err;
}

TEST(CliRobots, AControllerMustFitItsRobot) {
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"-p", "robot.solo.controller=walk"},
        std::vector<std::string>{"--at", "0.01:robot.solo.controller=press"}}) {
    std::vector<std::string> arguments = {"run", "quadruped-stand", "-t", "0.1"};
    arguments.insert(arguments.end(), option.begin(), option.end());
    const ProgramResult run = RunProgram(arguments);
    EXPECT_EQ(run.exit, 2) << run.err;
    EXPECT_NE(run.err.find("solo"), std::string::npos) << run.err;
  }
}

TEST(CliRobots, AFileAloneStandsOnAFloor) {
  const std::string own = SourceFolder() + "/assets/robots/quadruped.urdf";
  const TempFolder folder;
  const std::string file = folder.path("stands.json");
  const ProgramResult run =
      RunProgram({"run", own, "-t", "0.5", "--at", "0.2:joint.solo/FL_HAA.joint_target=0.1",
                  "--expect", "max(max_penetration) < 1e-3", "--save", file});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(run.err.find("note: motors hold its joints with gains from its masses: "),
            std::string::npos)
      << run.err;
  // the scene that was made is in the experiment
  const ProgramResult again = RunProgram({"replay", "--verify", file});
  EXPECT_EQ(again.exit, 0) << again.err;
  const ProgramResult picture = RunProgram({"render", own, "--time", "0", "--region", "view",
                                            "--size", "64x64", "-o", folder.path("a.png")});
  EXPECT_TRUE(picture.exit == 0 || picture.exit == 6) << picture.err;
  WriteText(folder.path("bad.urdf"), "<robot name=\"r\">\n<link name=\"a\">\n</robot>");
  for (const char* command : {"run", "render"}) {
    const ProgramResult bad =
        RunProgram({command, folder.path("bad.urdf"), "-o", folder.path("b.png")});
    EXPECT_EQ(bad.exit, 5) << bad.err;
    EXPECT_NE(bad.err.find("bad.urdf:"), std::string::npos) << bad.err;
  }
}

}  // namespace
}  // namespace slip
