// What is no file is told before it is read, and "check" refuses what "run" refuses.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/support/program.h"

namespace slip {
namespace {

using Arguments = std::vector<std::string>;

std::string RobotOf(const std::string& shapes) {
  return "<robot name=\"r\"><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>" +
         shapes + "</link></robot>";
}

// nobody writes them: a program that opened one would wait for ever
TEST(SpecialFiles, PipesAreRefused) {
  const TempFolder folder;
  for (const char* name : {"p.obj", "p.xyz", "p.toml", "p.urdf", "p.json"})
    ASSERT_EQ(mkfifo(folder.path(name).c_str(), 0600), 0);
  WriteText(folder.path("r.urdf"),
            RobotOf("<collision><geometry><mesh filename=\"p.obj\"/></geometry></collision>"));
  WriteText(
      folder.path("s.toml"),
      "schema = \"slipscope.scene/1\"\ntitle = \"t\"\n[material.m]\nfriction = 0.5\n[body.b]\n"
      "shape = \"mesh\"\nfile = \"p.obj\"\nmass = 1\nmaterial = \"m\"\n");
  struct Case {
    const char *file, *message;
  };
  for (const Case& c :
       {Case{"p.obj", "is a pipe, not a mesh file"}, Case{"p.xyz", "is a pipe, not a point cloud"},
        Case{"p.toml", "is a pipe, not a scene file"}, Case{"p.urdf", "is a pipe, not a URDF file"},
        Case{"p.json", "is a pipe, not a contact problem"},
        Case{"r.urdf", "p.obj: is a pipe, not a mesh file"},
        Case{"s.toml", "p.obj: is a pipe, not a mesh file"}}) {
    for (const char* command : {"check", "run", "solve", "replay"}) {
      Program program({command, folder.path(c.file)});
      const ProgramResult result = program.Wait(30);
      EXPECT_EQ(result.exit, 5) << command << " " << c.file << result.err;
      if (command == std::string("check"))
        EXPECT_NE(result.err.find(c.message), std::string::npos) << c.file << ": " << result.err;
    }
  }
}

TEST(SpecialFiles, CheckKnowsTheLimitsOfARun) {
  const TempFolder folder;
  std::string shapes;
  for (int i = 0; i < 20001; ++i)
    shapes += "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>\n";
  const std::string file = folder.path("many.urdf");
  WriteText(file, RobotOf(shapes));
  const ProgramResult run = RunProgram({"run", file, "--steps", "1"});
  const ProgramResult check = RunProgram({"check", file});
  EXPECT_NE(run.exit, 0);
  EXPECT_NE(run.err.find("too large: 20002 bodies"), std::string::npos) << run.err;
  EXPECT_EQ(check.exit, 5);
  EXPECT_NE(check.err.find("too large: 20002 bodies"), std::string::npos) << check.err;
  EXPECT_EQ(check.out, "");
}

}  // namespace
}  // namespace slip
