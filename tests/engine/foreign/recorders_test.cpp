// The recorders are programs that Python takes, where there is one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/folders.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

TEST(Recorders, PythonCompilesThem) {
  if (std::system("python3 -c pass >/dev/null 2>&1") != 0) GTEST_SKIP() << "no python3";
  namespace fs = std::filesystem;
  const TempFolder folder;
  int count = 0;
  for (const auto& entry : fs::directory_iterator(SourceFolder() + "/assets/recorders")) {
    ASSERT_EQ(entry.path().extension(), ".py") << entry.path();
    const std::string command = "PYTHONPYCACHEPREFIX='" + folder.path() +
                                "' python3 -m py_compile '" + entry.path().string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << entry.path();
    ++count;
  }
  EXPECT_EQ(count, 7);
}

}  // namespace
}  // namespace slip
