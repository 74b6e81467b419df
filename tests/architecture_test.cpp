// The dependency rule, read off the #include lines: a file includes only from lower floors or its
// own folder; the engine knows no window, GL or ImGui; render knows no ImGui and no app.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace slip {
namespace {

namespace fs = std::filesystem;

// Floors of architecture: a folder may include folders of a lower number, and itself.
const std::map<std::string, int> kFloors = {{"core", 0},   {"geometry", 1}, {"contact", 1},
                                            {"solver", 1}, {"dynamics", 2}, {"formulation", 3},
                                            {"sim", 4},    {"scene", 4},    {"run", 5}};

struct Include {
  fs::path file;
  std::string path;
};

std::vector<Include> AllIncludes(const std::string& folder) {
  static const std::regex pattern(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
  std::vector<Include> includes;
  const fs::path root = fs::path(SLIP_SOURCE_DIR) / folder;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const auto extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    std::ifstream in(entry.path());
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
      if (std::regex_search(line, match, pattern)) includes.push_back({entry.path(), match[1]});
    }
  }
  return includes;
}

std::string FolderOf(const fs::path& path) { return path.parent_path().filename().string(); }

TEST(Architecture, EngineFloors) {
  const auto includes = AllIncludes("engine");
  EXPECT_GT(includes.size(), 100u);
  for (const Include& include : includes) {
    EXPECT_FALSE(std::regex_search(include.path,
                                   std::regex("^(app/|render/|imgui|backends/|GLFW|glad|GL/|EGL)")))
        << include.file << " includes " << include.path;
    if (include.path.rfind("engine/", 0) != 0) continue;
    const std::string from = FolderOf(include.file);
    const std::string to = FolderOf(fs::path(include.path));
    ASSERT_TRUE(kFloors.contains(from)) << include.file << ": a folder without a floor";
    ASSERT_TRUE(kFloors.contains(to)) << include.path << ": a folder without a floor";
    // sim and scene share a floor and may know each other's plain data
    const bool same = from == to || (kFloors.at(from) == 4 && kFloors.at(to) == 4);
    EXPECT_TRUE(same || kFloors.at(to) < kFloors.at(from))
        << include.file << " (" << from << ") includes " << include.path;
  }
}

TEST(Architecture, RenderKnowsSnapshotsOnly) {
  const std::set<std::string> allowed = {"engine/sim/snapshot.h", "engine/sim/signals.h",
                                         "engine/sim/camera_spec.h", "engine/dynamics/model.h",
                                         "engine/formulation/config.h",
                                         // what the model's bodies look like
                                         "engine/geometry/shape.h", "engine/geometry/mesh.h"};
  for (const Include& include : AllIncludes("render")) {
    EXPECT_FALSE(std::regex_search(include.path, std::regex("^(app/|imgui|backends/|GLFW)")))
        << include.file << " includes " << include.path;
    if (include.path.rfind("engine/", 0) != 0 || include.path.rfind("engine/core/", 0) == 0)
      continue;
    EXPECT_TRUE(allowed.contains(include.path)) << include.file << " includes " << include.path;
  }
}

// What these files compile for one instruction set must not be merged with what others compile.
TEST(Architecture, KernelsShareNoFunctions) {
  const std::set<std::string> allowed = {"immintrin.h", "engine/solver/kernels6.h",
                                         "engine/solver/kernels6_impl.h", "engine/solver/row6.h"};
  int found = 0;
  for (const Include& include : AllIncludes("engine")) {
    const std::string name = include.file.filename().string();
    if (name != "row6.h" && (name.rfind("kernels6", 0) != 0 || name == "kernels6.cpp")) continue;
    EXPECT_TRUE(allowed.contains(include.path)) << include.file << " includes " << include.path;
    ++found;
  }
  EXPECT_GE(found, 6);
}

TEST(Architecture, FilesStaySmall) {
  for (const char* folder : {"app", "engine", "render", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SLIP_SOURCE_DIR) / folder)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      std::ifstream in(entry.path());
      int lines = 0;
      for (std::string line; std::getline(in, line);) ++lines;
      EXPECT_LE(lines, 450) << entry.path();
    }
  }
}

}  // namespace
}  // namespace slip
