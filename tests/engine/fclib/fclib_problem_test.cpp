// Contact problems of FCLIB: what a file says, what it asks beyond, and files that are broken.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "engine/core/helper_process.h"
#include "engine/fclib/fclib_problem.h"
#include "tests/support/fclib_files.h"
#include "tests/support/helper_habits.h"
#include "tests/support/temp_folder.h"

namespace slip::test {
namespace {

std::string Why(const FclibMessage& message) {
  const Result<FclibProblem> problem = MakeFclibProblem(message, "a.hdf5");
  if (problem) return "read";
  EXPECT_EQ(problem.error().file, "a.hdf5");
  return problem.error().message;
}

TEST(FclibProblem, IsATaskOfOurs) {
  const Result<FclibProblem> read = MakeFclibProblem(SlidingPoint(0.5), "a.hdf5");
  ASSERT_TRUE(read.ok()) << read.error().Text();
  const ContactTask& task = read->task;
  EXPECT_EQ(read->bodies, 1);
  ASSERT_EQ(task.contacts.size(), 1u);
  EXPECT_EQ(task.contacts[0].tree_a, -1);
  EXPECT_EQ(task.contacts[0].tree_b, 0);
  EXPECT_EQ(task.contacts[0].start.mu, 0.5);
  EXPECT_LT((task.v_star - Vec3(1, 0, -0.1)).norm(), 1e-15);
  // rows t1, t2, n
  EXPECT_EQ(task.J, (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST(FclibProblem, FindsBodies) {
  const Result<FclibProblem> read = MakeFclibProblem(Column(3, 0.5), "a.hdf5");
  ASSERT_TRUE(read.ok()) << read.error().Text();
  EXPECT_EQ(read->bodies, 3);
  ASSERT_EQ(read->task.contacts.size(), 12u);
  EXPECT_EQ(read->task.contacts[0].tree_a, -1);
  EXPECT_NE(read->task.contacts[4].tree_a, read->task.contacts[4].tree_b);
}

/// The same matrix by columns or by rows.
void Compress(bool by_rows, const std::string& group, FclibMessage* message) {
  auto& arrays = message->arrays;
  std::vector<double> lines = arrays[group + (by_rows ? "/i" : "/p")],
                      across = arrays[group + (by_rows ? "/p" : "/i")], x = arrays[group + "/x"];
  std::vector<double> begins = {0}, places, values;
  const double count = arrays[group + (by_rows ? "/m" : "/n")][0];
  for (double line = 0; line < count; ++line) {
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (lines[k] != line) continue;
      places.push_back(across[k]);
      values.push_back(x[k]);
    }
    begins.push_back(static_cast<double>(places.size()));
  }
  arrays[group + "/nz"] = {by_rows ? -2.0 : -1.0};
  arrays[group + "/p"] = begins;
  arrays[group + "/i"] = places;
  arrays[group + "/x"] = values;
}

TEST(FclibProblem, TakesMatricesInAllThreeForms) {
  const Result<FclibProblem> triplets = MakeFclibProblem(Column(2, 0.5), "a.hdf5");
  for (const bool by_rows : {false, true}) {
    FclibMessage message = Column(2, 0.5);
    Compress(by_rows, "fclib_global/M", &message);
    Compress(!by_rows, "fclib_global/H", &message);
    const Result<FclibProblem> read = MakeFclibProblem(message, "a.hdf5");
    ASSERT_TRUE(read.ok()) << read.error().Text();
    EXPECT_EQ(read->task.A, triplets->task.A);
    EXPECT_EQ(read->task.J, triplets->task.J);
  }
}

TEST(FclibProblem, NamesWhatIsBeyond) {
  FclibMessage message = SlidingPoint(0.5);
  message.arrays["fclib_global/G/n"] = {3};
  EXPECT_NE(Why(message).find("equalities"), std::string::npos);
  message.arrays["fclib_global/G/n"] = {0};
  EXPECT_EQ(Why(message), "read");
  message.arrays["fclib_global/vectors/mu_r"] = {0.1};
  EXPECT_NE(Why(message).find("rolling friction"), std::string::npos);
  message.groups = {"fclib_local"};
  EXPECT_NE(Why(message).find("local form"), std::string::npos);
  message.groups = {"fclib_global_rolling"};
  EXPECT_NE(Why(message).find("rolling friction"), std::string::npos);
  message.groups = {};
  EXPECT_NE(Why(message).find("no group fclib_global"), std::string::npos);
}

TEST(FclibProblem, SaysWhatIsWrong) {
  const std::string at = "fclib_global/";
  const struct {
    const char* array;
    std::vector<double> numbers;
    const char* part;
  } kCases[] = {
      {"M/m", {}, "M/m must be one number"},
      {"M/m", {2.5}, "whole number"},
      {"M/n", {4}, "do not fit"},
      {"M/nz", {9}, "M/nz is 9, but there are 3"},
      {"M/i", {0, 1, 3}, "M/i[2] must be a whole number below 3 (found 3)"},
      {"M/p", {0, 1, -1}, "M/p[2] must be"},
      {"M/x", {2, 2, NAN}, "M/x must be finite"},
      {"M/x", {2, 2, -2}, "positive definite"},
      {"H/n", {4}, "no multiple of 3"},
      {"H/nz", {-1}, "H/p must have 4 numbers"},
      {"H/x", {0, 0, 0}, "contact 0 moves nothing"},
      {"spacedim", {4}, "spacedim must be 2 or 3"},
      {"vectors/f", {1}, "vectors/f must have 3 numbers (found 1)"},
      {"vectors/w", {0, 0, INFINITY}, "vectors/w must be finite"},
      {"vectors/mu", {-0.1}, "mu[0] must be from 0"},
  };
  for (const auto& c : kCases) {
    FclibMessage message = SlidingPoint(0.5);
    message.arrays[at + c.array] = c.numbers;
    EXPECT_NE(Why(message).find(c.part), std::string::npos) << c.array << ": " << Why(message);
    message.arrays.erase(at + c.array);
    EXPECT_NE(Why(message).find(std::string(c.array) + " is missing"), std::string::npos)
        << Why(message);
  }
}

TEST(FclibMessage, IsReadBackWholeOrNotAtAll) {
  const FclibMessage message = Column(2, 0.5);
  const std::string bytes = EncodeFclib(message);
  const std::optional<FclibMessage> back = DecodeFclib(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->arrays, message.arrays);
  for (std::size_t size = 0; size < bytes.size(); size += 37)
    EXPECT_FALSE(DecodeFclib(bytes.substr(0, size)));
  std::string lie = bytes;
  lie.replace(8, 8, std::string(8, '\xff'));
  EXPECT_FALSE(DecodeFclib(lie));
}

std::string BytesOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(FclibFile, IsReadThroughAProcess) {
  if (!CanWriteFclib()) GTEST_SKIP() << "built without HDF5";
  const TempFolder folder;
  const std::string path = folder.path("column.hdf5");
  FclibMessage message = Column(2, 0.5);
  message.title = "A column";
  WriteFclib(message, path);
  const Result<FclibProblem> read = ReadFclib(path);
  ASSERT_TRUE(read.ok()) << read.error().Text();
  EXPECT_EQ(read->title, "A column");
  const Result<FclibProblem> made = MakeFclibProblem(message, path);
  EXPECT_EQ(read->task.A, made->task.A);
  EXPECT_EQ(read->task.J, made->task.J);
  setenv(kHelperHabit, kAborts, 1);
  const Result<FclibProblem> aborted = ReadFclib(path);
  setenv(kHelperHabit, kSaysRubbish, 1);
  const Result<FclibProblem> rubbish = ReadFclib(path);
  unsetenv(kHelperHabit);
  EXPECT_NE(aborted.error().Text().find("ended by signal 6"), std::string::npos);
  EXPECT_NE(rubbish.error().Text().find("nothing that makes sense"), std::string::npos);
}

// Bytes changed, lost and cut off: each file is read, or one sentence says why not.
TEST(FclibFile, MutilatedOnesEndInASentence) {
  if (!CanWriteFclib()) GTEST_SKIP() << "built without HDF5";
  const TempFolder folder;
  const std::string path = folder.path("point.hdf5");
  WriteFclib(SlidingPoint(0.5), path);
  const std::string good = BytesOf(path);
  std::mt19937 random(11);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  int refused = 0, taken = 0;
  for (int i = 0; i < 200; ++i) {
    std::string bytes = good;
    if (i % 4 == 0) bytes.resize(below(bytes.size()));
    for (std::size_t k = 1 + below(40); k > 0 && !bytes.empty(); --k)
      bytes[below(bytes.size())] = static_cast<char>(below(256));
    std::ofstream(path, std::ios::binary) << bytes;
    const Result<FclibProblem> read = ReadFclib(path);
    ++(read.ok() ? taken : refused);
    if (read.ok()) continue;
    ASSERT_EQ(read.errors().size(), 1u);
    EXPECT_EQ(read.error().file, path);
    EXPECT_FALSE(read.error().message.empty());
    EXPECT_EQ(read.error().Text().find('\n'), std::string::npos);
  }
  EXPECT_GT(refused, 50);
  EXPECT_EQ(refused + taken, 200);
}

}  // namespace
}  // namespace slip::test
