// What `cmake --install` puts under a prefix works there, and says what the program says.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/folders.h"
#include "tests/support/program.h"

namespace slip {
namespace {

/// What a command of the shell prints.
std::string Shell(const std::string& command, const TempFolder& folder) {
  const std::string out = folder.path("shell");
  EXPECT_EQ(std::system(("(" + command + ") >" + out + " 2>&1").c_str()), 0) << ReadText(out);
  return ReadText(out);
}

TEST(Install, WorksUnderItsPrefix) {
  const TempFolder folder;
  const std::string prefix = folder.path("prefix");
  Shell("cmake --install " + BuildFolder() + " --prefix " + prefix, folder);
  const std::string program = prefix + "/bin/slipscope";
  EXPECT_NE(Shell(program + " doctor", folder).find(prefix + "/share/slipscope/scenes"),
            std::string::npos);
  Shell(program + " run conveyor --steps 3 -o " + folder.path("out"), folder);
  const std::string page = Shell("zcat " + prefix + "/share/man/man1/slipscope.1.gz", folder);
  for (const char* part : {".SH NAME", ".SS render", "\\-\\-expect", "Length in steps"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  for (const char* file : {"applications/slipscope.desktop", "mime/packages/slipscope.xml",
                           "icons/hicolor/scalable/apps/slipscope.svg"})
    EXPECT_TRUE(std::filesystem::exists(prefix + "/share/" + file)) << file;
  // completion
  const std::string complete =
      "export PATH=" + prefix + "/bin:$PATH; . " + prefix +
      "/share/bash-completion/completions/slipscope; COMP_WORDS=(slipscope @); "
      "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); compopt() { :; }; _slipscope; echo ${COMPREPLY[*]}";
  const auto completed = [&](const std::string& words) {
    std::string script = complete;
    script.replace(script.find(" @)") + 1, 1, words);
    WriteText(folder.path("script"), script);
    return Shell("bash " + folder.path("script"), folder);
  };
  EXPECT_EQ(completed("ren"), "render\n");
  EXPECT_EQ(completed("conveyor-"), "conveyor-constant\n");
  EXPECT_EQ(completed("run --exp"), "--expect\n");
  EXPECT_EQ(completed("run conveyor -m sap,simi"), "sap,similar\n");
  EXPECT_EQ(completed("run conveyor -p time_st"), "time_step=\n");
  EXPECT_EQ(completed("run conveyor -m coul"), "coulomb\n");
  EXPECT_EQ(completed("study friction-"), "friction-suite\n");
  EXPECT_EQ(completed("fit conveyor --start fl"), "flight\n");
  EXPECT_EQ(completed("dialect conveyor --to mujoco-"), "mujoco-pyramidal\n");
  EXPECT_EQ(completed("export conveyor --to m"), "mjcf\n");
}

}  // namespace
}  // namespace slip
