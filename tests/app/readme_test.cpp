// Every command line that the README shows is run as it stands there.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "engine/scene/scene.h"
#include "tests/support/folders.h"
#include "tests/support/program.h"

namespace slip {
namespace {

TEST(Readme, CommandsRun) {
  const std::string readme = ReadText(SourceFolder() + "/README.md");
  const TempFolder folder;
  std::istringstream lines(readme);
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("slipscope ", 0) != 0) continue;
    ++commands;
    const std::string shell = "cd '" + folder.path() + "' && PATH='" + BuildFolder() +
                              "':\"$PATH\" && " + line + " >log 2>&1";
    const int status = std::system(shell.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 0) << line << "\n" << ReadText(folder.path("log"));
  }
  EXPECT_GE(commands, 6);
  for (const char* file : {"out/steps.csv", "conveyor.png", "conveyor.mp4"}) {
    EXPECT_TRUE(std::filesystem::exists(folder.path(file))) << file;
  }
}

TEST(Readme, NamesEveryScene) {
  const std::string readme = ReadText(SourceFolder() + "/README.md");
  for (const std::string& scene : ListScenes()) {
    EXPECT_NE(readme.find("`" + scene + "`"), std::string::npos) << scene;
  }
}

}  // namespace
}  // namespace slip
