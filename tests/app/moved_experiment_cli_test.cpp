// Experiments of one's own scenes: their meshes and robots are found wherever the folder goes.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/folders.h"
#include "tests/support/program.h"

namespace slip {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
constexpr const char* kScene =
    "schema = \"slipscope.scene/1\"\ntitle = \"A tetrahedron falls\"\n[material.m]\nfriction = "
    "0.5\n[surface.g]\nnormal = [0, 0, 1]\n[body.b]\nshape = \"mesh\"\nfile = \"m/tet.obj\"\nmass "
    "= 1\nmaterial = \"m\"\nposition = [0, 0, 0.5]\n";

class MovedExperiment : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_.path("home/m"));
    WriteText(folder_.path("home/m/tet.obj"), kTetrahedron);
    WriteText(folder_.path("home/s.toml"), kScene);
    WriteText(folder_.path("home/arm.urdf"),
              ReadText(SourceFolder() + "/assets/robots/gripper.urdf"));
  }
  ProgramResult In(const std::string& folder, const Arguments& arguments) const {
    Launch launch;
    launch.folder = folder_.path(folder);
    return RunProgram(arguments, launch);
  }
  void ExpectSame(const std::string& folder, const std::string& file) const {
    const ProgramResult result = In(folder, {"replay", "--verify", file});
    EXPECT_EQ(result.exit, 0) << "in '" << folder << "', " << file << ": " << result.err;
  }
  std::string FileOf(const std::string& experiment) const {
    return nlohmann::json::parse(ReadText(folder_.path(experiment)))["scenes"][0]["file"];
  }
  /// As it was written by programs that told the scene's file as it was typed.
  void WriteAsTyped(const std::string& experiment, const std::string& typed) const {
    std::string text = ReadText(folder_.path(experiment));
    const std::string now = "\"file\": " + nlohmann::json(FileOf(experiment)).dump();
    const std::size_t at = text.find(now);
    ASSERT_NE(at, std::string::npos);
    WriteText(folder_.path(experiment),
              text.replace(at, now.size(), "\"file\": " + nlohmann::json(typed).dump()));
  }

  TempFolder folder_;
};

TEST_F(MovedExperiment, RunsAgainWhereverItsFolderIs) {
  // typed from above, beside, and with a whole path; saved beside the scene, below it and elsewhere
  fs::create_directories(folder_.path("home/saved"));
  fs::create_directories(folder_.path("other"));
  const std::string whole = folder_.path("home/s.toml");
  EXPECT_EQ(In("", {"run", "home/s.toml", "--steps", "5", "--save", "home/a.json"}).exit, 0);
  EXPECT_EQ(In("home", {"run", "s.toml", "--steps", "5", "--save", "saved/b.json"}).exit, 0);
  EXPECT_EQ(In("other", {"run", whole, "--steps", "5", "--save", "c.json"}).exit, 0);
  EXPECT_EQ(In("home", {"run", "arm.urdf", "--steps", "2", "--save", "d.json"}).exit, 0);
  EXPECT_EQ(FileOf("home/a.json"), "s.toml");
  EXPECT_EQ(FileOf("home/saved/b.json"), "../s.toml");
  EXPECT_EQ(FileOf("other/c.json"), "../home/s.toml");
  for (const std::string place : {"home", "moved"}) {
    for (const std::string from : {"", "other"}) {
      const std::string up = from.empty() ? "" : "../";
      for (const char* file : {"/a.json", "/saved/b.json", "/d.json"})
        ExpectSame(from, up + place + file);
    }
    ExpectSame(place, "a.json");
    ExpectSame(place + "/saved", "b.json");
    ExpectSame(place, "d.json");
    if (place == "home") ExpectSame("other", "c.json");
    if (place == "home") fs::rename(folder_.path("home"), folder_.path("moved"));
  }
  // the experiment by itself says what it misses
  fs::copy_file(folder_.path("moved/a.json"), folder_.path("other/a.json"));
  const ProgramResult alone = In("other", {"replay", "--verify", "a.json"});
  EXPECT_EQ(alone.exit, 5);
  EXPECT_NE(alone.err.find("m/tet.obj: no such file"), std::string::npos) << alone.err;
  EXPECT_NE(alone.err.find("from the experiment's folder"), std::string::npos) << alone.err;
  fs::copy_file(folder_.path("moved/d.json"), folder_.path("other/d.json"));
  const ProgramResult robot = In("other", {"replay", "--verify", "d.json"});
  EXPECT_EQ(robot.exit, 5);
  EXPECT_NE(robot.err.find("arm.urdf: no such file"), std::string::npos) << robot.err;
}

TEST_F(MovedExperiment, PathsThatWereStoredAsTypedAreStillFound) {
  EXPECT_EQ(In("", {"run", "home/s.toml", "--steps", "5", "--save", "home/a.json"}).exit, 0);
  EXPECT_EQ(In("", {"run", "home/s.toml", "--steps", "5", "--save", "b.json"}).exit, 0);
  WriteAsTyped("home/a.json", "home/s.toml");
  WriteAsTyped("b.json", "home/s.toml");
  fs::create_directories(folder_.path("other"));
  // a text that was changed is told, but the bits are those
  const auto runs = [&](const std::string& folder, const std::string& file) {
    const ProgramResult result = In(folder, {"replay", file});
    const bool changed = file.ends_with("a.json");
    EXPECT_NE(result.out.find(changed ? "the states that it holds" : "the same bits"),
              std::string::npos)
        << folder << ": " << file << result.err;
    EXPECT_EQ(result.err.find("makes other bodies"), std::string::npos) << result.err;
  };
  runs("", "home/a.json");
  runs("home", "a.json");
  runs("other", "../home/a.json");
  runs("", "b.json");
  runs("other", "../b.json");
  // from the folder that it was typed in, wherever the file has gone
  fs::rename(folder_.path("b.json"), folder_.path("other/b.json"));
  runs("", "other/b.json");
}

// what makes the recorded bodies is taken, not what happens to have the name
TEST_F(MovedExperiment, AnotherMeshOfThatNameIsNotTaken) {
  EXPECT_EQ(In("", {"run", "home/s.toml", "--steps", "5", "--save", "home/a.json"}).exit, 0);
  WriteAsTyped("home/a.json", "home/s.toml");
  std::string other = kTetrahedron;
  other.replace(other.find("v 0 0 1"), 7, "v 0 0 2");
  for (const char* name : {"home", "home/home"}) {
    fs::create_directories(folder_.path(std::string("elsewhere/") + name + "/m"));
    WriteText(folder_.path(std::string("elsewhere/") + name + "/m/tet.obj"), other);
    WriteText(folder_.path(std::string("elsewhere/") + name + "/s.toml"), kScene);
  }
  const ProgramResult result = In("elsewhere", {"replay", "../home/a.json"});
  EXPECT_NE(result.out.find("the states that it holds"), std::string::npos) << result.err;
  // and where there is no other, it is said
  WriteText(folder_.path("home/m/tet.obj"), other);
  const ProgramResult changed = In("home", {"replay", "--verify", "a.json"});
  EXPECT_EQ(changed.exit, 4);
  EXPECT_NE(changed.err.find("makes other bodies"), std::string::npos) << changed.err;
}

}  // namespace
}  // namespace slip
