// Files appear whole, have one writer, and never take away what was there.
#include "engine/core/output_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/core/output_series.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void Put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

class OutputFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("slip_output_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t Count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, HasItsNameOnlyWhenWhole) {
  const std::string path = Path("a.csv");
  {
    const auto file = OutputFile::Open(path, false);
    ASSERT_TRUE(file.ok());
    (*file)->Write("1,2\n");
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE((*file)->Commit().ok());
    EXPECT_EQ(Read(path), "1,2\n");
    EXPECT_EQ(Count(), 1u);
  }
  {
    const auto dropped = OutputFile::Open(path, true);
    ASSERT_TRUE(dropped.ok());
    (*dropped)->Write("3");
  }
  EXPECT_EQ(Read(path), "1,2\n");
  EXPECT_EQ(Count(), 1u);
}

TEST_F(OutputFileTest, AFullDiskKeepsTheFormerFile) {
  const std::string path = Path("a.csv");
  Put(path, "before");
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{50000, old.rlim_max};
  // by every way to notice it: in Write, in the last flush
  for (const std::size_t size : {std::size_t{300000}, std::size_t{51000}}) {
    const auto file = OutputFile::Open(path, true);
    ASSERT_TRUE(file.ok());
    setrlimit(RLIMIT_FSIZE, &small);
    for (std::size_t i = 0; i < size / 1000; ++i) (*file)->Write(std::string(1000, 'x'));
    const Status status = (*file)->Commit();
    setrlimit(RLIMIT_FSIZE, &old);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().Text(), path + ": cannot be written: File too large");
    EXPECT_FALSE((*file)->good());
    EXPECT_EQ(Read(path), "before");
    EXPECT_EQ(Count(), 1u);
  }
  std::signal(SIGXFSZ, handler);
}

TEST_F(OutputFileTest, HasOneWriterAtATime) {
  const std::string path = Path("a.csv");
  const auto first = OutputFile::Open(path, false);
  ASSERT_TRUE(first.ok());
  (*first)->Write("first");
  for (const bool force : {false, true}) {
    bool taken = false;
    const auto second = OutputFile::Open(path, force, &taken);
    ASSERT_FALSE(second.ok());
    EXPECT_TRUE(taken);
    EXPECT_NE(second.error().Text().find("a.csv: another run is writing"), std::string::npos)
        << second.error().Text();
  }
  ASSERT_TRUE((*first)->Commit().ok());
  EXPECT_EQ(Read(path), "first");
}

TEST_F(OutputFileTest, WhatAKilledWriterLeftWaitsForForce) {
  const std::string path = Path("a.csv");
  const pid_t child = fork();
  if (child == 0) {
    const auto file = OutputFile::Open(path, false);
    (*file)->Write(std::string(100000, 'x'));
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  const std::string left = Read(path + ".part");
  ASSERT_FALSE(left.empty());
  bool taken = false;
  const auto refused = OutputFile::Open(path, false, &taken);
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(taken);
  EXPECT_NE(refused.error().Text().find("a.csv.part: was left"), std::string::npos)
      << refused.error().Text();
  EXPECT_NE(refused.error().Text().find("--force"), std::string::npos);
  EXPECT_EQ(Read(path + ".part"), left);
  ASSERT_TRUE(WriteFile(path, "new", true).ok());
  EXPECT_EQ(Read(path), "new");
  EXPECT_EQ(Count(), 1u);
}

TEST_F(OutputFileTest, ANameTakenMeanwhileStaysTheirs) {
  const std::string path = Path("a.csv");
  const auto file = OutputFile::Open(path, false);
  ASSERT_TRUE(file.ok());
  (*file)->Write("ours");
  Put(path, "theirs");
  const Status status = (*file)->Commit();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(Read(path), "theirs");
  EXPECT_EQ(Read(path + ".part"), "ours");
  EXPECT_NE(status.error().Text().find("a.csv.part"), std::string::npos) << status.error().Text();
}

class OutputFilesTogether : public OutputFileTest {
 protected:
  /// Opens a, b and c and writes "new" into each.
  std::vector<std::shared_ptr<OutputFile>> OpenThree(bool force) const {
    constexpr std::string_view kNames[] = {"a", "b", "c"};
    auto files = OpenOutputFiles(folder_.string(), kNames, force);
    for (const auto& file : *files) file->Write("new");
    return *files;
  }
  static Status Commit(const std::vector<std::shared_ptr<OutputFile>>& files) {
    std::vector<OutputFile*> all;
    for (const auto& file : files) all.push_back(file.get());
    return CommitTogether(all);
  }
};

TEST_F(OutputFilesTogether, AllHaveTheirNamesOrNone) {
  for (const char* name : {"a", "b", "c"}) Put(Path(name), "before");
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{50000, old.rlim_max};
  // noticed in Write, or only in the last flush
  for (const std::size_t size : {std::size_t{300000}, std::size_t{50500}}) {
    const auto files = OpenThree(true);
    ASSERT_EQ(files.size(), 3u);
    setrlimit(RLIMIT_FSIZE, &small);
    for (std::size_t i = 0; i < size / 500; ++i) {
      files[1]->Write(std::string(500, 'x'));
      files[2]->Write(std::string(500, 'x'));
    }
    const Status status = Commit(files);
    setrlimit(RLIMIT_FSIZE, &old);
    ASSERT_EQ(status.errors().size(), 1u);
    EXPECT_EQ(status.error().Text(),
              Path("b") +
                  ": cannot be written: File too large (so none of 3 files was given its "
                  "name)");
    for (const char* name : {"a", "b", "c"}) EXPECT_EQ(Read(Path(name)), "before") << name;
    EXPECT_EQ(Count(), 3u);
  }
  std::signal(SIGXFSZ, handler);
  const auto files = OpenThree(true);
  EXPECT_EQ(Read(Path("a")), "before");
  ASSERT_TRUE(Commit(files).ok());
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(Read(Path(name)), "new") << name;
  EXPECT_EQ(Count(), 3u);
}

TEST_F(OutputFilesTogether, OneNameTakenMeanwhileGivesUpTheOthers) {
  const auto files = OpenThree(false);
  Put(Path("b"), "theirs");
  const Status status = Commit(files);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(Read(Path("b")), "theirs");
  EXPECT_FALSE(fs::exists(Path("a")));
  EXPECT_FALSE(fs::exists(Path("c")));
  for (const char* name : {"a.part", "b.part", "c.part"}) EXPECT_EQ(Read(Path(name)), "new");
}

TEST_F(OutputFilesTogether, WhatAFailedNameReplacedComesBack) {
  Put(Path("a"), "before");
  const auto files = OpenThree(true);
  ASSERT_EQ(files.size(), 3u);
  fs::create_directory(Path("c"));
  const Status status = Commit(files);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().Text().find("none of 3 files was given its name"), std::string::npos);
  EXPECT_EQ(Read(Path("a")), "before");
  EXPECT_FALSE(fs::exists(Path("b")));
  EXPECT_EQ(Count(), 2u);
}

TEST_F(OutputFileTest, AVanishedFolderIsAnError) {
  ASSERT_TRUE(MakeFolder(Path("sub")).ok());
  const auto file = OutputFile::Open(Path("sub/a.csv"), false);
  ASSERT_TRUE(file.ok());
  fs::remove_all(Path("sub"));
  const Status status = (*file)->Commit();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().Text().find("No such file"), std::string::npos);
}

TEST_F(OutputFileTest, OddNamesAreErrors) {
  const std::string longest = Path(std::string(300, 'a'));
  EXPECT_NE(OutputFile::Open(longest, true).error().Text().find("File name too long"),
            std::string::npos);
  EXPECT_NE(MakeFolder(longest).error().Text().find("File name too long"), std::string::npos);
  fs::create_symlink(Path("loop"), Path("loop"));
  EXPECT_NE(MakeFolder(Path("loop")).error().Text().find("symbolic links"), std::string::npos)
      << MakeFolder(Path("loop")).error().Text();
  Put(Path("file"), "");
  EXPECT_EQ(MakeFolder(Path("file")).error().message, "is a file, not a folder");
  EXPECT_EQ(MakeFolder("/dev/full").error().message, "is a device or a pipe, not a folder");
  EXPECT_FALSE(MakeFolder(Path("file/sub")).ok());
  // a name next to them that can be written is no reason to replace a folder or a device
  fs::create_directories(Path("sub"));
  EXPECT_FALSE(OutputFile::Open(Path("sub"), true).ok());
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_NE(OutputFile::Open(Path("pipe"), true).error().Text().find("device or a pipe"),
            std::string::npos);
  EXPECT_EQ(Count(), 4u);
}

// files that are replaced together are kept under other names meanwhile
TEST_F(OutputFileTest, NamesMadeUpForTheFormerFilesAreNobodyElses) {
  constexpr std::string_view kNames[] = {"a", "b"};
  for (const std::string_view name : kNames) Put(Path(std::string(name)), "old");
  Put(Path("a.before"), "mine");
  Put(Path("b.before-2"), "mine, too");
  fs::create_symlink("nothing", Path("b.before"));
  const auto files = OpenOutputFiles(folder_.string(), kNames, true);
  ASSERT_TRUE(files.ok());
  for (const auto& file : *files) file->Write("new");
  OutputFile* const both[] = {(*files)[0].get(), (*files)[1].get()};
  EXPECT_TRUE(CommitTogether(both).ok());
  EXPECT_EQ(Read(Path("a")), "new");
  EXPECT_EQ(Read(Path("b")), "new");
  EXPECT_EQ(Read(Path("a.before")), "mine");
  EXPECT_EQ(Read(Path("b.before-2")), "mine, too");
  EXPECT_TRUE(fs::is_symlink(Path("b.before")));
  EXPECT_EQ(Count(), 5u);
}

TEST_F(OutputFileTest, APartThatWasLeftIsGoneOnWith) {
  EXPECT_EQ(OutputFile::TakeOver(Path("a"), false), nullptr) << "there is none";
  Put(Path("a.part"), "one\ntwo\nthr");
  {
    const auto looked = OutputFile::TakeOver(Path("a"), false);
    ASSERT_NE(looked, nullptr);
    EXPECT_EQ(looked->ReadPart(), "one\ntwo\nthr");
    EXPECT_EQ(OutputFile::TakeOver(Path("a"), false), nullptr) << "it is in use";
    looked->LeavePart();
  }
  EXPECT_EQ(Read(Path("a.part")), "one\ntwo\nthr");
  const auto file = OutputFile::TakeOver(Path("a"), false);
  ASSERT_NE(file, nullptr);
  file->Cut(8);
  file->Write("three\n");
  file->Flush();
  EXPECT_EQ(Read(Path("a.part")), "one\ntwo\nthree\n");
  EXPECT_TRUE(file->Commit().ok());
  EXPECT_EQ(Read(Path("a")), "one\ntwo\nthree\n");
  EXPECT_EQ(Count(), 1u);
  // neither a link nor what Open would refuse
  fs::create_symlink("a", Path("b.part"));
  Put(Path("a.part"), "");
  EXPECT_EQ(OutputFile::TakeOver(Path("b"), false), nullptr);
  EXPECT_EQ(OutputFile::TakeOver(Path("a"), false), nullptr) << "a is there";
}

TEST_F(OutputFileTest, AFolderIsRefusedInOneError) {
  constexpr std::string_view kNames[] = {"a", "b", "c", "d"};
  Put(Path("b"), "");
  Put(Path("c"), "");
  Put(Path("d.part"), "");
  bool taken = false;
  const auto left = OpenOutputFiles(folder_.string(), kNames, false, &taken);
  ASSERT_EQ(left.errors().size(), 1u);
  EXPECT_TRUE(taken);
  EXPECT_NE(left.error().Text().find("d.part: was left"), std::string::npos) << left.error().Text();
  EXPECT_EQ(Count(), 3u);
  fs::remove(Path("d.part"));
  const auto there = OpenOutputFiles(folder_.string(), kNames, false, &taken);
  ASSERT_EQ(there.errors().size(), 1u);
  EXPECT_NE(there.error().Text().find("b: exists already, and 1 more (--force overwrites)"),
            std::string::npos)
      << there.error().Text();
  EXPECT_EQ(Count(), 2u);
  const auto open = OpenOutputFiles(folder_.string(), kNames, true, &taken);
  ASSERT_TRUE(open.ok());
  EXPECT_FALSE(taken);
  EXPECT_EQ(open->size(), 4u);
}

TEST_F(OutputFileTest, ASeriesIsOneThing) {
  bool taken = false;
  {
    const auto series = OutputSeries::Open(Path("out"), {"sap", "lagged"}, ".json", false);
    ASSERT_TRUE(series.ok());
    EXPECT_FALSE(OutputSeries::Open(Path("out"), {"sap"}, ".json", true, &taken).ok());
    EXPECT_TRUE(taken);
    EXPECT_TRUE(OutputSeries::Open(Path("out"), {"similar"}, ".json", false).ok());
    for (int i = 0; i < 4; ++i) ASSERT_TRUE((*series)->Write("sap", i, "{}").ok());
    EXPECT_TRUE(fs::exists(Path("out/sap-000003.json")));
  }
  EXPECT_TRUE(OutputSeries::Open(Path("out"), {"lagged"}, ".json", false).ok());
  taken = false;
  const auto refused = OutputSeries::Open(Path("out"), {"lagged", "sap"}, ".json", false, &taken);
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(taken);
  EXPECT_NE(refused.error().Text().find("sap-000000.json: exists already, and 3 more"),
            std::string::npos)
      << refused.error().Text();
  {
    const auto forced = OutputSeries::Open(Path("out"), {"sap"}, ".json", true);
    ASSERT_TRUE(forced.ok());
    ASSERT_TRUE((*forced)->Write("sap", 0, "new").ok());
    EXPECT_TRUE(fs::exists(Path("out/sap-000003.json")));
    (*forced)->RemoveFrom("sap", 1);
  }
  EXPECT_EQ(Read(Path("out/sap-000000.json")), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(Path("out")), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace slip
