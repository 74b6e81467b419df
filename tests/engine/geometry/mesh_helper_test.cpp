// The process that reads mesh files: hostile files, and whatever happens to it, are one sentence.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/core/helper_process.h"
#include "engine/core/thread_stop.h"
#include "engine/core/worker_pool.h"
#include "engine/geometry/mesh_source.h"
#include "tests/support/helper_habits.h"
#include "tests/support/mesh_files.h"
#include "tests/support/temp_folder.h"

namespace slip::test {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What helpers do as long as it lives.
class Habit {
 public:
  explicit Habit(const char* habit) { setenv(kHelperHabit, habit, 1); }
  ~Habit() { unsetenv(kHelperHabit); }
  Habit(const Habit&) = delete;
  Habit& operator=(const Habit&) = delete;
};

/// Processes that a process has started and that are not gone.
std::vector<int> ChildrenOf(int process) {
  std::vector<int> children;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", code)) {
    std::ifstream list(entry.path() / "stat");
    std::string name, state;
    int number = 0, parent = 0;
    if (list >> number >> name >> state >> parent && parent == process && state != "Z")
      children.push_back(number);
  }
  return children;
}

bool Within(double seconds, const auto& condition) {
  for (const auto start = Clock::now(); SecondsSince(start) < seconds;) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

/// The one sentence about a file that cannot be read.
std::string Sentence(const std::string& path) {
  const auto read = ReadTriangleMesh(path, MeshUse::kSurface);
  if (read.ok()) return "read";
  EXPECT_EQ(read.errors().size(), 1u) << read.errors()[0].Text();
  EXPECT_EQ(read.error().file, path);
  return read.error().Text();
}

TEST(MeshHelper, WhateverHappensToItIsASentence) {
  const TempFolder folder;
  const std::string path = folder.path("box.stl");
  WriteText(path, StlText(BoxSoup({1, 1, 1})));
  const std::pair<const char*, const char*> kCases[] = {
      {kAborts, "was ended by signal 6"},
      {kIsKilled, "was ended by signal 9"},
      {kFails, "failed with exit 3"},
      {kFloods, "too large a mesh"},
      {kSaysNothing, "nothing that makes sense"},
      {kSaysRubbish, "nothing that makes sense"},
      {kSaysHalf, "nothing that makes sense"},
      {kLiesAboutCounts, "nothing that makes sense"}};
  for (const auto& [habit, part] : kCases) {
    const Habit now(habit);
    EXPECT_NE(Sentence(path).find(part), std::string::npos) << habit << ": " << Sentence(path);
    EXPECT_TRUE(ChildrenOf(getpid()).empty()) << habit;
  }
  // and nothing of it is left
  EXPECT_EQ(Sentence(path), "read");
}

TEST(MeshHelper, IsNotAskedForBinaryStl) {
  const TempFolder folder;
  const std::string path = folder.path("box.stl");
  WriteText(path, StlBytes(BoxSoup({1, 1, 3})));
  const Habit now(kAborts);
  EXPECT_EQ(Sentence(path), "read");
}

HelperRun RunOne(const HelperLimits& limits) {
  const std::string words[] = {".stl"};
  return RunHelper(words, "input", -1, limits);
}

TEST(MeshHelper, HasLimitsOfTimeAndMemory) {
  const auto start = Clock::now();
  for (const char* habit : {kSleeps, kSpins}) {
    const Habit now(habit);
    EXPECT_EQ(RunOne({.cpu_seconds = 1, .wall_seconds = 2}).end, HelperRun::End::kTookTooLong)
        << habit;
  }
  EXPECT_LT(SecondsSince(start), 20);
  EXPECT_TRUE(ChildrenOf(getpid()).empty());
}

// Sanitizers reserve more address space than any limit leaves.
TEST(MeshHelper, HasALimitOfMemoryLong) {
  const Habit now(kEats);
  const HelperRun run = RunOne({.memory = std::size_t{400} << 20});
  EXPECT_EQ(run.end, HelperRun::End::kKilled);
  EXPECT_EQ(run.code, SIGABRT) << "it got no more";
}

// Sanitizers ask for more than the filter leaves.
TEST(MeshHelper, CanReadAndNothingElseLong) {
  const TempFolder folder;
  WriteText(folder.path("file"), "as it was");
  const Habit now(kReachesOut);
  const std::string words[] = {".stl"};
  const HelperRun run = RunHelper(words, folder.path("file"), -1, {});
  EXPECT_EQ(run.end, HelperRun::End::kAnswered);
  EXPECT_EQ(run.answer, "reads ");
  EXPECT_EQ(ReadText(folder.path("file")), "as it was");
}

TEST(MeshHelper, EndsWithWhoeverWaitedForIt) {
  const TempFolder folder;
  const std::string path = folder.path("box.stl");
  WriteText(path, StlText(BoxSoup({1, 1, 2})));
  const Habit now(kSleeps);
  std::atomic<bool> stop{false};
  std::thread reader([&] {
    const ThreadStop poll([&] { return stop.load(); });
    EXPECT_NE(Sentence(path).find("it was stopped"), std::string::npos);
  });
  EXPECT_TRUE(Within(30, [] { return !ChildrenOf(getpid()).empty(); }));
  const auto start = Clock::now();
  stop = true;
  reader.join();
  EXPECT_LT(SecondsSince(start), 5);
  EXPECT_TRUE(ChildrenOf(getpid()).empty());
}

TEST(MeshHelper, EndsWithTheProgramThatStartedIt) {
  const Habit now(kSleeps);
  const pid_t program = fork();
  if (program == 0) {
    (void)RunOne({});
    _exit(0);
  }
  std::vector<int> helpers;
  EXPECT_TRUE(Within(30, [&] { return !(helpers = ChildrenOf(program)).empty(); }));
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  for (const int helper : helpers)
    EXPECT_TRUE(Within(30, [&] {
      // an orphan is waited for by others: a zombie is gone, too
      std::ifstream status(fmt::format("/proc/{}/stat", helper));
      std::string number, name, state;
      return !(status >> number >> name >> state) || state == "Z" || state == "X";
    })) << helper;
}

TEST(MeshHelper, ManyReadSideBySide) {
  const TempFolder folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 24; ++i) {
    paths.push_back(folder.path(fmt::format("{}.stl", i)));
    WriteText(paths.back(), StlBytes(BoxSoup({1, 1, 1.0 + i})));
  }
  MeshStore store;
  store.Prefetch(paths);
  for (const std::string& path : paths) std::filesystem::remove(path);
  for (const std::string& path : paths) {
    const auto mesh = store.Read(path);
    ASSERT_TRUE(mesh.ok()) << mesh.error().Text();
    EXPECT_EQ(mesh->vertices.size(), 8u);
  }
}

TEST(MeshHelper, PromisesThatNoMemoryHoldsAreRefused) {
  const TempFolder folder;
  const Soup star = TenFigures()[5].soup;
  const auto replaced = [](std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
  };
  std::string stl = StlBytes(star);
  for (std::size_t i = 80; i < 84; ++i) stl[i] = '\xEE';
  const std::string count = fmt::format("\"count\":{}", 3 * star.triangles.size());
  const std::pair<const char*, std::string> kBombs[] = {
      {"a.stl", stl},
      {"a.dae", replaced(ColladaText(star), fmt::format("<triangles count=\"{}", 40),
                         "<triangles count=\"4000000000")},
      {"b.dae", replaced(ColladaText(star), fmt::format("<float_array id=\"a\" count=\"{}", 66),
                         "<float_array id=\"a\" count=\"4000000000")},
      {"a.gltf", replaced(GltfText(star), count, "\"count\":4000000000")},
      {"b.gltf", replaced(GltfText(star), "\"byteLength\":", "\"byteLength\":4000000000,\"x\":")},
      {"c.gltf", "{\"asset\":" + std::string(2000000, '[')},
      {"a.ply", replaced(PlyFaces(star), "element vertex 22", "element vertex 4000000000")},
      {"b.ply", replaced(PlyFaces(star, PlyWritten::kLittleEndian), "element face 40",
                         "element face 4000000000")},
      {"c.ply", replaced(PlyFaces(star), "\n3 ", "\n4000000000 ")}};
  for (const auto& [name, bytes] : kBombs) {
    WriteText(folder.path(name), bytes);
    EXPECT_NE(Sentence(folder.path(name)), "read") << name;
  }
}

// Bytes changed, inserted, lost and cut off.
std::string Mutilated(std::string bytes, std::mt19937* random) {
  const auto below = [random](std::size_t n) {
    return static_cast<std::size_t>((*random)() % std::max<std::size_t>(1, n));
  };
  const std::size_t at = below(bytes.size());
  switch (below(5)) {
    case 0:
      return bytes.substr(0, at);
    case 1:
      for (std::size_t n = 1 + below(8); n > 0; --n)
        bytes[below(bytes.size())] = static_cast<char>(below(256));
      return bytes;
    case 2:
      return bytes.insert(below(bytes.size()), bytes.substr(at, 1 + below(60)));
    case 3:
      return bytes.erase(at, 1 + below(60));
    default:
      constexpr std::string_view kWords[] = {"\xFF\xFF\xFF\xFF", "9999", "-1-1", "1e99"};
      return bytes.replace(at, 4, kWords[below(4)]);
  }
}

TEST(MeshHelper, SurvivesMutilatedFilesLong) {
  const TempFolder folder;
  const Soup star = TenFigures()[5].soup;
  const std::pair<const char*, std::string> kGood[] = {
      {"text.stl", StlText(star)},
      {"bytes.stl", StlBytes(star)},
      {"star.dae", ColladaText(star, {.colors = {{1, 0, 0, 1}, {0, 1, 0, 1}}, .polygons = true})},
      {"star.gltf", GltfText(star)},
      {"star.glb", GlbBytes(star)},
      {"text.ply", PlyFaces(star)},
      {"bytes.ply", PlyFaces(star, PlyWritten::kLittleEndian)}};
  constexpr int kTimes = 200;
  std::mt19937 random(7);
  std::vector<std::string> paths;
  for (const auto& [name, bytes] : kGood)
    for (int i = 0; i < kTimes; ++i) {
      paths.push_back(folder.path(fmt::format("{}-{}", i, name)));
      WriteText(paths.back(), Mutilated(bytes, &random));
    }
  std::atomic<int> read{0}, refused{0};
  WorkerPool pool(HardwareThreads());
  pool.ForEach(static_cast<int>(paths.size()), [&](int i) {
    const std::string& path = paths[static_cast<std::size_t>(i)];
    const auto mesh = ReadTriangleMesh(path, MeshUse::kSurface);
    ++(mesh.ok() ? read : refused);
    if (mesh.ok()) return;
    EXPECT_FALSE(mesh.errors().empty());
    for (const Error& error : mesh.errors()) {
      EXPECT_EQ(error.file, path) << error.Text();
      EXPECT_EQ(error.Text().find('\n'), std::string::npos) << error.Text();
      EXPECT_FALSE(error.message.empty());
    }
  });
  EXPECT_GT(refused, 300);
  EXPECT_GT(read, 50);
  EXPECT_TRUE(ChildrenOf(getpid()).empty());
}

}  // namespace
}  // namespace slip::test
