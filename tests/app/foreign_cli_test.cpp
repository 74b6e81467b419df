// Runs as arrays, and recorded runs of other engines, on the command line.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/npz/npz_file.h"
#include "tests/support/program.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

TEST(ForeignCli, ARunAsArraysIsOneFileAChannel) {
  const TempFolder folder;
  const std::vector<std::string> run = {"run",     "conveyor", "-m", "sap,lagged",
                                        "--steps", "5",        "-o", folder.path("x.npz")};
  const ProgramResult first = RunProgram(run);
  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_NE(first.err.find("arrays in " + folder.path("x-sap.npz")), std::string::npos)
      << first.err;
  const auto npz = NpzFile::Read(folder.path("x-lagged.npz"));
  ASSERT_TRUE(npz) << npz.error().Text();
  EXPECT_EQ(npz->Find("position")->shape(), (std::vector<int64_t>{5, 1, 3}));
  const std::string bytes = ReadText(folder.path("x-sap.npz"));
  EXPECT_EQ(RunProgram(run).exit, 2) << "never over a file without --force";
  std::vector<std::string> again = run;
  again.emplace_back("--force");
  EXPECT_EQ(RunProgram(again).exit, 0);
  EXPECT_EQ(fs::file_size(folder.path("x-sap.npz")), bytes.size() + 8 * 4)
      << "a longer command line, four bytes a letter";
  EXPECT_EQ(
      RunProgram({"run", "conveyor", "-m", "sap", "--steps", "5", "-o", folder.path("one.npz")})
          .exit,
      0);
  EXPECT_TRUE(fs::exists(folder.path("one.npz")));
}

}  // namespace
}  // namespace slip
