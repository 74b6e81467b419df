// Files that another program writes for us touch nothing that is in their way.
#include "engine/core/aside_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "engine/core/output_file.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

std::size_t Files(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

class AsideFileTest : public ::testing::TestWithParam<bool> {
 protected:
  void Fill(const AsideFile& file) {
    ASSERT_GE(file.descriptor(), 0);
    ASSERT_EQ(write(file.descriptor(), "new", 3), 3);
    EXPECT_EQ(file.size(), 3);
  }
  TempFolder folder_;
};

TEST_P(AsideFileTest, TakesThePlaceOfItsTarget) {
  const std::string target = folder_.path("a.part");
  WriteText(target, "old");
  {
    AsideFile file(target, GetParam());
    Fill(file);
    EXPECT_EQ(ReadText(target), "old");
    EXPECT_TRUE(file.TakePlace());
  }
  EXPECT_EQ(ReadText(target), "new");
  EXPECT_EQ(Files(folder_.path()), 1u);
}

TEST_P(AsideFileTest, LeavesNothingWhenItIsNotWanted) {
  const std::string target = folder_.path("a.part");
  WriteText(target, "old");
  { Fill(AsideFile(target, GetParam())); }
  EXPECT_EQ(ReadText(target), "old");
  EXPECT_EQ(Files(folder_.path()), 1u);
}

TEST_P(AsideFileTest, WhatIsInTheWayStaysAsItIs) {
  const std::string target = folder_.path("a.part"), mine = folder_.path("mine");
  WriteText(target, "old");
  WriteText(mine, "mine");
  WriteText(target + ".whole", "whole");
  fs::create_symlink("mine", target + ".whole-2");
  fs::create_symlink("nothing", target + ".whole-3");
  fs::create_directory(target + ".whole-4");
  AsideFile file(target, GetParam());
  Fill(file);
  EXPECT_TRUE(file.TakePlace());
  EXPECT_EQ(ReadText(target), "new");
  EXPECT_EQ(ReadText(mine), "mine");
  EXPECT_EQ(ReadText(target + ".whole"), "whole");
  EXPECT_TRUE(fs::is_symlink(target + ".whole-2"));
  EXPECT_TRUE(fs::is_symlink(target + ".whole-3"));
  EXPECT_FALSE(fs::exists(folder_.path("nothing")));
  EXPECT_EQ(Files(folder_.path()), 6u);
}

INSTANTIATE_TEST_SUITE_P(NamedOrNot, AsideFileTest, ::testing::Bool());

TEST(AsideFile, BecomesThePartOfAnOutput) {
  const TempFolder folder;
  const std::string path = folder.path("a.mp4");
  const auto output = OutputFile::Open(path, false);
  ASSERT_TRUE(output.ok());
  AsideFile file((*output)->part());
  ASSERT_EQ(write(file.descriptor(), "new", 3), 3);
  ASSERT_TRUE((*output)->ReplacePart(&file));
  // still ours: nobody else gets the name, nor takes it for a left-over
  bool taken = false;
  EXPECT_FALSE(OutputFile::Open(path, true, &taken).ok());
  EXPECT_TRUE(taken);
  EXPECT_EQ(OutputFile::TakeOver(path, false), nullptr);
  EXPECT_TRUE((*output)->Commit().ok());
  EXPECT_EQ(ReadText(path), "new");
  EXPECT_EQ(Files(folder.path()), 1u);
}

}  // namespace
}  // namespace slip
