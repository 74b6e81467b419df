// What replay says of an experiment whose files are others than they were.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/core/hash.h"
#include "engine/method/methods.h"
#include "tests/support/program.h"

namespace slip {
namespace {

TEST(ReplayCli, EqualStatesBesideAnotherMeshAreNotTheSameBits) {
  const TempFolder folder;
  const std::string mesh =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  WriteText(folder.path("far.obj"), mesh);
  WriteText(folder.path("s.toml"),
            "title = \"T\"\n[material.m]\n[surface.ground]\n[body.far]\nshape = \"mesh\"\n"
            "file = \"far.obj\"\nmotion = \"fixed\"\nposition = [50, 0, 0]\n[body.ball]\n"
            "shape = \"sphere\"\nradius = 0.1\nmass = 1\nposition = [0, 0, 0.2]\n");
  const std::string file = folder.path("e.json");
  const ProgramResult run =
      RunProgram({"run", folder.path("s.toml"), "-m", "sap", "--steps", "20", "--save", file});
  ASSERT_EQ(run.exit, 0) << run.err;
  const ProgramResult good = RunProgram({"replay", "--verify", file});
  EXPECT_EQ(good.exit, 0) << good.err;
  EXPECT_NE(good.out.find(": the same bits\n"), std::string::npos) << good.out;

  std::string other = mesh;
  WriteText(folder.path("far.obj"), other.replace(other.find("v 1 0 0"), 7, "v 2 0 0"));
  const ProgramResult verified = RunProgram({"replay", "--verify", file});
  EXPECT_EQ(verified.exit, 4) << verified.err;
  EXPECT_EQ(verified.out.find("the same bits"), std::string::npos) << verified.out;
  EXPECT_NE(verified.out.find("it is not as it was recorded"), std::string::npos) << verified.out;
  EXPECT_NE(
      verified.err.find("makes other bodies than when it was recorded: a mesh, cloud or robot "
                        "file was changed, or the build that recorded it ("),
      std::string::npos)
      << verified.err;
  EXPECT_EQ(verified.err.find("its text was changed"), std::string::npos) << verified.err;
}

// the hash of its bodies is another: as when another build makes them
TEST(ReplayCli, WithoutFilesTheBuildIsNamed) {
  const TempFolder folder;
  const std::string file = folder.path("e.json");
  ASSERT_EQ(RunProgram({"run", "conveyor", "-m", "sap", "--steps", "5", "--save", file}).exit, 0);
  std::string text = ReadText(file);
  const std::string key = "\"bodies_hash\": \"";
  const std::size_t at = text.find(key);
  ASSERT_NE(at, std::string::npos);
  char& digit = text[at + key.size()];
  digit = digit == '0' ? '1' : '0';
  WriteText(file, text);
  const ProgramResult result = RunProgram({"replay", file});
  EXPECT_EQ(result.exit, 0);
  EXPECT_NE(result.err.find("makes other bodies of the same text"), std::string::npos)
      << result.err;
  EXPECT_EQ(result.err.find("mesh"), std::string::npos) << result.err;
}

// The version of an engine is kept; what another one does otherwise is told, and is no error.
TEST(ReplayCli, AnEngineIsOfAVersion) {
  const MethodInfo& engine = Info(*FindMethod("mujoco"));
  if (!engine.WhyMissing().empty()) GTEST_SKIP() << engine.WhyMissing();
  const TempFolder folder;
  const std::string file = folder.path("e.json");
  ASSERT_EQ(
      RunProgram({"run", "conveyor", "-m", "sap,mujoco", "--steps", "20", "--save", file}).exit, 0);
  const ProgramResult same = RunProgram({"replay", "--verify", file});
  EXPECT_EQ(same.exit, 0) << same.err;
  EXPECT_EQ(same.err, "");
  const auto edit = [&](const std::string& from, const std::string& to) {
    std::string text = ReadText(file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const std::size_t sum = text.find('"', text.rfind("\"checksum\"") + 10) + 1;
    Fnv1a hash;
    for (std::size_t i = 0; i + 1 < sum; ++i) hash.Add(static_cast<unsigned char>(text[i]));
    WriteText(file, text.replace(sum, 16, fmt::format("{:016x}", hash.value())));
  };
  const std::string version(engine.version());
  edit("\"mujoco\": \"" + version + "\"", "\"mujoco\": \"9.8.7\"");
  const ProgramResult other = RunProgram({"replay", "--verify", file});
  EXPECT_EQ(other.exit, 0) << other.err;
  EXPECT_NE(other.err.find("steps of mujoco were made by its version 9.8.7; here it is " + version),
            std::string::npos)
      << other.err;
  // as if its steps had come out otherwise there
  const std::size_t hash = ReadText(file).find("20:", ReadText(file).find("\"model\": \"mujoco\""));
  const std::string was = ReadText(file).substr(hash, 19);
  edit(was, "20:0123456789abcdef");
  const ProgramResult differs = RunProgram({"replay", "--verify", file});
  EXPECT_EQ(differs.exit, 0) << differs.err;
  EXPECT_NE(differs.err.find("differs"), std::string::npos) << differs.err;
  EXPECT_NE(differs.out.find("but for those of another version"), std::string::npos) << differs.out;
  edit("\"mujoco\": \"9.8.7\"", "\"mujoco\": \"" + version + "\"");
  EXPECT_EQ(RunProgram({"replay", "--verify", file}).exit, 4);
}

}  // namespace
}  // namespace slip
