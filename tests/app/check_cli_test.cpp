// What check reads, and how often; what show lists.
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace slip {
namespace {

constexpr const char* kBox =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

constexpr const char* kRobot =
    "<robot name='r'><link name='world'><collision><geometry><box size='1 1 0.1'/></geometry>"
    "</collision></link><link name='a'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' "
    "iyy='1' iyz='0' izz='1'/></inertial><collision><origin xyz='0 0 1'/><geometry>"
    "<mesh filename='box.obj' scale='0.1 0.1 0.1'/></geometry></collision></link>"
    "<joint name='j' type='continuous'><parent link='world'/><child link='a'/>"
    "<origin xyz='0 0 2'/><axis xyz='0 1 0'/></joint></robot>\n";

/// How often a file is opened as long as it lives.
class Openings {
 public:
  explicit Openings(const std::string& path) : watch_(inotify_init1(IN_NONBLOCK)) {
    inotify_add_watch(watch_, path.c_str(), IN_OPEN);
  }
  ~Openings() { close(watch_); }
  Openings(const Openings&) = delete;
  Openings& operator=(const Openings&) = delete;
  int Count() const {
    int count = 0;
    alignas(inotify_event) char buffer[4096];
    // a watch of a file: events have no name
    for (ssize_t size = 0; (size = read(watch_, buffer, sizeof buffer)) > 0;)
      count += static_cast<int>(static_cast<std::size_t>(size) / sizeof(inotify_event));
    return count;
  }

 private:
  int watch_;
};

TEST(CheckCli, TheMeshOfARobotIsReadOnce) {
  const TempFolder folder;
  WriteText(folder.path("box.obj"), kBox);
  WriteText(folder.path("r.urdf"), kRobot);
  for (const char* command : {"check", "show"}) {
    const Openings openings(folder.path("box.obj"));
    const ProgramResult result = RunProgram({command, folder.path("r.urdf")});
    EXPECT_EQ(result.exit, 0) << result.err;
    EXPECT_EQ(openings.Count(), 1) << command;
  }
}

TEST(CheckCli, ShowListsALinkOnce) {
  const TempFolder folder;
  WriteText(folder.path("box.obj"), kBox);
  WriteText(folder.path("r.urdf"), kRobot);
  const ProgramResult show = RunProgram({"show", folder.path("r.urdf")});
  ASSERT_EQ(show.exit, 0) << show.err;
  for (const char* body : {"body r/world: ", "body r/a: "}) {
    const std::size_t first = show.out.find(body);
    ASSERT_NE(first, std::string::npos) << show.out;
    EXPECT_EQ(show.out.find(body, first + 1), std::string::npos) << show.out;
  }
}

// A scene's first steps say the same to who checks it and to who runs it.
TEST(CheckCli, SaysWhatTheFirstStepsSay) {
  const TempFolder folder;
  const std::string scene = folder.path("thrown.toml");
  WriteText(scene,
            "title = 'Thrown'\ntime_step = '5 ms'\n[material.wood]\nstiffness = 1e7\n"
            "dissipation = 10\nfriction = 0.5\ntorsional_friction = 0.01\n[surface.floor]\n"
            "[body.box]\nshape = 'box'\nsize = [0.2, 0.2, 0.2]\nmass = 1\nposition = [0, 0, 0.1]\n"
            "velocity = [6, 0, 0]\n[[channel]]\nmodel = 'sap'\n[[channel]]\nmodel = "
            "'quasi-dynamic'\n");
  const ProgramResult check = RunProgram({"check", scene});
  ASSERT_EQ(check.exit, 0) << check.err;
  const ProgramResult run = RunProgram({"run", scene, "--steps", "1", "-o", folder.path("out")});
  ASSERT_EQ(run.exit, 0) << run.err;
  const nlohmann::json meta = nlohmann::json::parse(ReadText(folder.path("out/meta.json")));
  int notes = 0;
  for (const auto& channel : meta["channels"]) {
    for (const auto& note : channel["notes"]) {
      const std::string text = note["text"];
      EXPECT_NE(run.err.find(text), std::string::npos) << text;
      EXPECT_NE(check.out.find(text), std::string::npos) << text << " in " << check.out;
      ++notes;
    }
  }
  EXPECT_NE(check.out.find("thrown up by its first step"), std::string::npos) << check.out;
  // what a method ignores is in the file, too
  const std::string second = meta["channels"][1]["notes"].dump();
  EXPECT_NE(second.find("start_ignored"), std::string::npos) << second;
  EXPECT_GE(notes, 2);
  // and everything that is said is in it
  std::size_t said = 0;
  for (std::size_t at = run.err.find("note: "); at != std::string::npos;
       at = run.err.find("note: ", at + 1))
    ++said;
  EXPECT_EQ(said, static_cast<std::size_t>(notes));
}

// What is computed with is not what is drawn, wherever the robot comes from.
TEST(CheckCli, SaysWhatOfARobotWillSurprise) {
  const TempFolder folder;
  const std::string body =
      "<inertial><mass value='1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/>"
      "</inertial>";
  const std::string box = "<geometry><box size='0.4 0.4 0.4'/></geometry>";
  WriteText(folder.path("r.urdf"),
            "<robot name='r'><link name='base'>" + body + "<visual><origin xyz='0 0 2'/>" + box +
                "</visual><collision>" + box + "</collision></link></robot>\n");
  WriteText(folder.path("s.toml"),
            "title = 'S'\n[material.m]\nstiffness = 1e5\n[surface.floor]\n[robot.one]\n"
            "file = 'r.urdf'\nposition = [0, 0, 0.2]\n");
  for (const char* file : {"r.urdf", "s.toml"}) {
    const ProgramResult check = RunProgram({"check", folder.path(file)});
    ASSERT_EQ(check.exit, 0) << check.err;
    EXPECT_NE(check.out.find("  wrong: link 'base' is drawn 2.00 m aside of the shape that "
                             "collides"),
              std::string::npos)
        << check.out;
    EXPECT_NE(check.out.find("  right: "), std::string::npos) << check.out;
  }
}

TEST(CheckCli, AModelOfMuJoCoIsAFileOfARobot) {
  const TempFolder folder;
  const std::string model =
      "<mujoco model='m'><worldbody>\n<geom type='plane' size='1 1 1'/>\n<body name='b'>"
      "<freejoint/><geom size='0.1'/></body></worldbody>\n";
  WriteText(folder.path("m.xml"), model + "</mujoco>");
  const ProgramResult check = RunProgram({"check", folder.path("m.xml")});
  EXPECT_EQ(check.exit, 0) << check.err;
  EXPECT_NE(check.out.find("robot \"m\""), std::string::npos) << check.out;
  EXPECT_NE(check.out.find("masses without <inertial>"), std::string::npos) << check.out;
  const ProgramResult run = RunProgram({"run", folder.path("m.xml"), "--steps", "9", "--expect",
                                        "last(contacts) > 0", "-o", folder.path("out")});
  EXPECT_EQ(run.exit, 0) << run.err;
  WriteText(folder.path("bad.xml"), model + "<tendon><spatial name='t'/></tendon></mujoco>");
  for (const char* command : {"check", "show"}) {
    const ProgramResult bad = RunProgram({command, folder.path("bad.xml")});
    EXPECT_EQ(bad.exit, 5) << bad.err;
    EXPECT_NE(bad.err.find("bad.xml:4: <spatial> 't' is not read"), std::string::npos) << bad.err;
  }
}

}  // namespace
}  // namespace slip
