// `slipscope export`: files, refusals, and what is said of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace slip {
namespace {

TEST(CliExport, WritesAFileAndSaysWhatIsLeftOut) {
  const TempFolder folder;
  const std::string file = folder.path("belt.xml");
  const ProgramResult done = RunProgram({"export", "conveyor", "--to", "mjcf", "-o", file});
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_EQ(done.out, "");
  EXPECT_NE(done.err.find("MuJoCo has no belts: the surface stands still: belt"), std::string::npos)
      << done.err;
  const std::string text = ReadText(file);
  EXPECT_NE(text.find("<mujoco model=\"conveyor\">"), std::string::npos);
  EXPECT_NE(text.find("MuJoCo has no belts"), std::string::npos) << "in the file, too";
  EXPECT_FALSE(std::filesystem::exists(file + ".part"));
  // what is there stays, until it is forced
  const ProgramResult again = RunProgram({"export", "falling-sphere", "--to", "sdf", "-o", file});
  EXPECT_EQ(again.exit, 2) << again.err;
  EXPECT_EQ(ReadText(file), text);
  const ProgramResult forced =
      RunProgram({"export", "falling-sphere", "--to", "sdf", "-o", file, "--force"});
  EXPECT_EQ(forced.exit, 0) << forced.err;
  EXPECT_NE(ReadText(file).find("<sdf version=\"1.8\">"), std::string::npos);
}

TEST(CliExport, GoesToStdoutWithoutAName) {
  const ProgramResult urdf = RunProgram({"export", "falling-sphere", "--to", "urdf"});
  EXPECT_EQ(urdf.exit, 0) << urdf.err;
  EXPECT_NE(urdf.out.find("<robot name=\"falling-sphere\">"), std::string::npos);
  // the same again, and other values
  EXPECT_EQ(RunProgram({"export", "falling-sphere", "--to", "urdf"}).out, urdf.out);
  const ProgramResult slow =
      RunProgram({"export", "conveyor", "--to", "mjcf", "-p", "time_step=2ms"});
  EXPECT_NE(slow.out.find("timestep=\"0.002\""), std::string::npos) << slow.out;
}

// The load that contacts are translated at is that of the moment.
TEST(CliExport, TakesTheLoadsOfAMoment) {
  const ProgramResult start = RunProgram({"export", "falling-sphere", "--to", "mjcf"});
  EXPECT_NE(start.err.find("nothing is in contact"), std::string::npos) << start.err;
  const ProgramResult later = RunProgram({"export", "falling-sphere", "--to", "mjcf", "--at", "1"});
  EXPECT_EQ(later.exit, 0) << later.err;
  EXPECT_EQ(later.err.find("nothing is in contact"), std::string::npos) << later.err;
  EXPECT_NE(later.err.find("MuJoCo has one ratio of creep for all contacts"), std::string::npos);
  // the start is that of the scene all the same
  const auto start_of = [](const std::string& text) {
    return text.substr(text.find("<keyframe>"));
  };
  EXPECT_EQ(start_of(later.out), start_of(start.out));
}

TEST(CliExport, LeavesContactsToTheOtherProgram) {
  for (const char* format : {"mjcf", "sdf"}) {
    const ProgramResult with = RunProgram({"export", "falling-sphere", "--to", format});
    const ProgramResult none =
        RunProgram({"export", "falling-sphere", "--to", format, "--contact", "none"});
    EXPECT_EQ(none.exit, 0) << none.err;
    EXPECT_NE(none.err.find("parameters of contacts are left out"), std::string::npos) << none.err;
    for (const char* word : {"solref=", "solimp=", "friction", "priority=", "impratio", "<kp>"}) {
      // the head says what is left out in words
      EXPECT_EQ(none.out.find(word, none.out.find("-->")), std::string::npos) << word;
    }
    EXPECT_NE(with.out.find(format[0] == 'm' ? "solref=" : "<kp>"), std::string::npos);
    // all else is the same
    EXPECT_NE(none.out.find(format[0] == 'm' ? "diaginertia" : "<ixx>"), std::string::npos);
  }
  const ProgramResult wrong =
      RunProgram({"export", "falling-sphere", "--to", "mjcf", "--contact", "soft"});
  EXPECT_EQ(wrong.exit, 2) << wrong.err;
}

TEST(CliExport, MeshesLieBesideTheFile) {
  const TempFolder folder;
  const ProgramResult none = RunProgram({"export", "object-bin", "--to", "mjcf"});
  EXPECT_EQ(none.exit, 2) << none.err;
  EXPECT_EQ(none.out, "");
  EXPECT_NE(none.err.find("-o object-bin.xml"), std::string::npos) << none.err;
  const ProgramResult done =
      RunProgram({"export", "object-bin", "--to", "mjcf", "--json", "-o", folder.path("bin.xml")});
  EXPECT_EQ(done.exit, 0) << done.err;
  const nlohmann::json report = nlohmann::json::parse(done.out);
  EXPECT_EQ(report["format"], "mjcf");
  ASSERT_GT(report["meshes"].size(), 0u);
  for (const auto& mesh : report["meshes"])
    EXPECT_TRUE(std::filesystem::exists(folder.path(mesh.get<std::string>()))) << mesh;
  ASSERT_GT(report["losses"].size(), 0u);
  for (const auto& loss : report["losses"]) EXPECT_FALSE(loss["text"].get<std::string>().empty());
  // another format beside it takes the meshes that lie there
  const ProgramResult beside =
      RunProgram({"export", "object-bin", "--to", "urdf", "-o", folder.path("bin.urdf")});
  EXPECT_EQ(beside.exit, 0) << beside.err;
  EXPECT_NE(ReadText(folder.path("bin.urdf")).find("\"bin-mesh-1.obj\""), std::string::npos);
  // and leaves those of others alone
  WriteText(folder.path("bin-mesh-1.obj"), "v 0 0 0\n");
  const ProgramResult other =
      RunProgram({"export", "object-bin", "--to", "sdf", "-o", folder.path("bin.sdf")});
  EXPECT_EQ(other.exit, 0) << other.err;
  EXPECT_EQ(ReadText(folder.path("bin-mesh-1.obj")), "v 0 0 0\n");
  EXPECT_NE(ReadText(folder.path("bin.sdf")).find("bin-sdf-mesh-1.obj"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder.path("bin-sdf-mesh-1.obj")));
}

TEST(CliExport, RefusesWithASentence) {
  const struct {
    std::vector<std::string> arguments;
    int exit;
    const char* says;
  } cases[] = {
      {{"export", "conveyor"}, 2, "--to"},
      {{"export", "conveyor", "--to", "mjfc"}, 2, "did you mean 'mjcf'?"},
      {{"export", "conveyer", "--to", "mjcf"}, 5, "no scene 'conveyer'"},
      {{"export", "conveyor", "--to", "mjcf", "--json"}, 2, "name a file with -o"},
      {{"export", "conveyor", "--to", "mjcf", "--at", "-1"}, 2, "--at"},
      {{"export", "conveyor", "--to", "mjcf", "-p", "fricton=1"}, 2, "did you mean 'friction'?"},
      {{"export", "conveyor", "--to", "mjcf", "-o", "/nowhere/here/a.xml"}, 1, "/nowhere/here"},
  };
  for (const auto& row : cases) {
    const ProgramResult refused = RunProgram(row.arguments);
    EXPECT_EQ(refused.exit, row.exit) << refused.err;
    EXPECT_NE(refused.err.find(row.says), std::string::npos) << refused.err;
    EXPECT_EQ(refused.out, "");
  }
}

}  // namespace
}  // namespace slip
