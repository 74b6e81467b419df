// The dependency rule, read off the #include lines: a file includes only from lower floors or its
// own folder; the engine knows no window, GL or ImGui; render knows no ImGui and no app.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/folders.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

// Floors of architecture: a folder may include folders of a lower number, and itself.
// Who touches whom is found among bodies that move, so collide stands on dynamics; method knows
// which parameters the search depends on. What steps and what controls do not know each other.
// Formulations have no row: the list of methods says which folders they are.
const std::map<std::string, int> kFloors = {
    {"core", 0},  {"npz", 1},   {"geometry", 1}, {"contact", 1}, {"solver", 1},  {"dynamics", 2},
    {"urdf", 2},  {"mjcf", 3},  {"collide", 3},  {"method", 4},  {"control", 5}, {"sim", 6},
    {"scene", 6}, {"tell", 7},  {"fclib", 7},    {"export", 7},  {"foreign", 7}, {"dialect", 8},
    {"run", 8},   {"study", 9}, {"fit", 9}};
constexpr int kFormulationFloor = 5;
// The same for app/. Its main.cpp stands above them all; python is a module of its own, which draws
// pictures by the window's code.
const std::map<std::string, int> kAppFloors = {
    {"kit", 0},    {"plots", 1}, {"report", 2}, {"session", 3}, {"state", 4}, {"view", 5},
    {"panels", 6}, {"frame", 7}, {"host", 8},   {"cli", 9},     {"python", 9}};

struct Include {
  fs::path file;
  std::string path;
};

std::vector<Include> AllIncludes(const std::string& folder) {
  static const std::regex pattern(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
  std::vector<Include> includes;
  const fs::path root = fs::path(SourceFolder()) / folder;
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

// Names of folders on the way to a file of the project, from its root on.
std::vector<std::string> FoldersOf(const fs::path& path) {
  const fs::path below = path.is_absolute() ? path.lexically_relative(SourceFolder()) : path;
  std::vector<std::string> folders;
  for (const fs::path& part : below.parent_path()) folders.push_back(part.string());
  return folders;
}

// The room of engine/ or app/ that a file is in; "app" for what lies in app/ itself.
std::string FolderOf(const fs::path& path) {
  const auto folders = FoldersOf(path);
  return folders.size() > 1 ? folders[1] : folders.at(0);
}

// Floors within large rooms: the same rule, one level deeper.
struct InnerFloors {
  std::vector<std::string> folder;
  std::map<std::string, int> floors;
};
const InnerFloors kInnerFloors[] = {
    {{"app", "panels"},
     {{"common", 0},
      {"curves", 1},
      {"learn", 2},
      {"picture", 2},
      {"time", 2},
      {"inspect", 3},
      {"record", 3},
      {"studies", 3},
      {"bars", 4}}},
    {{"engine", "run"}, {{"track", 0}, {"channels", 1}, {"record", 2}, {"study", 3}, {"scope", 4}}},
    {{"render"}, {{"scene", 0}, {"quantities", 1}, {"gl", 1}, {"frame", 2}, {"video", 2}}},
};

// The folders that the list of methods includes and nobody else knows.
std::set<std::string> Formulations() {
  std::set<std::string> folders;
  for (const Include& include : AllIncludes("engine")) {
    const bool of_list = include.file.filename().string().starts_with("method_list.");
    if (!of_list || !include.path.starts_with("engine/")) continue;
    const std::string folder = FolderOf(fs::path(include.path));
    if (!kFloors.contains(folder)) folders.insert(folder);
  }
  return folders;
}

TEST(Architecture, EngineFloors) {
  const auto includes = AllIncludes("engine");
  std::map<std::string, int> floors = kFloors;
  for (const std::string& folder : Formulations()) floors[folder] = kFormulationFloor;
  EXPECT_GT(includes.size(), 100u);
  for (const Include& include : includes) {
    EXPECT_FALSE(std::regex_search(include.path,
                                   std::regex("^(app/|render/|imgui|backends/|GLFW|glad|GL/|EGL)")))
        << include.file << " includes " << include.path;
    if (include.path.rfind("engine/", 0) != 0) continue;
    const std::string from = FolderOf(include.file);
    const std::string to = FolderOf(fs::path(include.path));
    ASSERT_TRUE(floors.contains(from)) << include.file << ": a folder without a floor";
    ASSERT_TRUE(floors.contains(to)) << include.path << ": a folder without a floor";
    // sim and scene share a floor and may know each other's plain data
    const int shared = floors.at("sim");
    const bool same = from == to || (floors.at(from) == shared && floors.at(to) == shared);
    EXPECT_TRUE(same || floors.at(to) < floors.at(from))
        << include.file << " (" << from << ") includes " << include.path;
  }
}

TEST(Architecture, InnerFloors) {
  for (const InnerFloors& inner : kInnerFloors) {
    const std::size_t depth = inner.folder.size();
    const auto room = [&](const fs::path& path) -> std::string {
      const auto folders = FoldersOf(path);
      if (folders.size() < depth ||
          !std::equal(inner.folder.begin(), inner.folder.end(), folders.begin()))
        return "";
      return folders.size() > depth ? folders[depth] : "none";
    };
    int crossed = 0;
    for (const Include& include : AllIncludes(inner.folder[0])) {
      const std::string from = room(include.file), to = room(fs::path(include.path));
      if (from.empty()) continue;
      ASSERT_TRUE(inner.floors.contains(from)) << include.file << ": no room has it";
      if (to.empty()) continue;
      ASSERT_TRUE(inner.floors.contains(to)) << include.path << ": no room has it";
      crossed += from != to;
      EXPECT_TRUE(from == to || inner.floors.at(to) < inner.floors.at(from))
          << include.file << " (" << from << ") includes " << include.path;
    }
    EXPECT_GT(crossed, 20) << inner.folder.back();
  }
}

// Whatever runs a simulation knows no formulation: only the list of them does, and who looks into a
// convex problem by name. fclib runs none: it reads such problems and has them solved.
TEST(Architecture, OnlyTheListKnowsFormulations) {
  const std::set<std::string> allowed = {"method_list.h", "method_list.cpp"};
  const std::set<std::string> formulations = Formulations();
  EXPECT_GE(formulations.size(), 3u);
  for (const Include& include : AllIncludes("engine")) {
    for (const std::string& formulation : formulations) {
      if (include.path.rfind("engine/" + formulation + "/", 0) != 0 ||
          FolderOf(include.file) == formulation ||
          (FolderOf(include.file) == "fclib" && formulation == "convex")) {
        continue;
      }
      EXPECT_TRUE(allowed.contains(include.file.filename().string()))
          << include.file << " includes " << include.path;
    }
  }
}

// One loop: what runs a simulation, with a window or without, runs a Track.
TEST(Architecture, OnlyTracksStep) {
  static const std::regex call(R"((\w+|\))(\.|->)Step\(\))");
  int found = 0;
  for (const char* folder : {"app", "engine", "render"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceFolder()) / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      std::ifstream in(entry.path());
      std::smatch match;
      for (std::string line; std::getline(in, line);) {
        if (line.find("Step()") == std::string::npos) continue;  // a regex takes its time
        if (!std::regex_search(line, match, call) || match[1] == "clipper") continue;  // ImGui's
        ++found;
        const fs::path name = entry.path().filename();
        EXPECT_TRUE(name == "track.cpp" || name == "local_error.cpp" || name == "toss.cpp")
            << entry.path() << ": " << line;
      }
    }
  }
  EXPECT_EQ(found, 5)
      << "to go on, to make dropped steps of the past again, a method and its ground "
         "truth from the same state, and a recorded run from its start";
}

TEST(Architecture, AppFloors) {
  for (const Include& include : AllIncludes("app")) {
    if (include.path.rfind("app/", 0) != 0) continue;
    const std::string from = FolderOf(include.file);
    const std::string to = FolderOf(fs::path(include.path));
    if (from == "app") continue;
    ASSERT_TRUE(kAppFloors.contains(from)) << include.file << ": a folder without a floor";
    ASSERT_TRUE(kAppFloors.contains(to)) << include.path << ": a folder without a floor";
    EXPECT_TRUE(from == to || kAppFloors.at(to) < kAppFloors.at(from))
        << include.file << " (" << from << ") includes " << include.path;
  }
}

// What draws reads the session; changes are asked for, and made by the frame when all is drawn.
TEST(Architecture, PanelsOnlyAsk) {
  const std::regex made(R"(equests(\.|->)(Perform|session|TakeActions)\(|const_cast<Session)");
  EXPECT_TRUE(std::regex_search("  requests->session().Say(text);", made));
  int asked = 0;
  for (const char* folder : {"app/kit", "app/plots", "app/panels", "app/view"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceFolder()) / folder)) {
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        if (line.find("equests->Ask(") != std::string::npos) ++asked;
        if (line.find("equests") == std::string::npos &&
            line.find("const_cast") == std::string::npos)
          continue;  // a regex takes its time
        EXPECT_FALSE(std::regex_search(line, made)) << entry.path() << ": " << line;
      }
    }
  }
  EXPECT_GT(asked, 30);
}

// A panel gets the session, its own part of the state and what it may ask for, never the whole
// window.
TEST(Architecture, PanelsDoNotKnowTheWindow) {
  const std::regex window(R"(\bUi\b)");
  EXPECT_TRUE(std::regex_search("void DrawSolver(Ui* ui) {", window));
  EXPECT_FALSE(std::regex_search("  const UiState& state_;", window));
  int files = 0;
  for (const char* folder :
       {"app/kit", "app/plots", "app/session", "app/state", "app/view", "app/panels"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceFolder()) / folder)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      ++files;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        if (line.find("Ui") == std::string::npos) continue;  // a regex takes its time
        EXPECT_FALSE(std::regex_search(line, window)) << entry.path() << ": " << line;
      }
    }
  }
  EXPECT_GT(files, 150);
}

TEST(Architecture, RenderKnowsSnapshotsOnly) {
  const std::set<std::string> allowed = {"engine/sim/snapshot.h", "engine/sim/signals.h",
                                         "engine/sim/camera_spec.h", "engine/dynamics/model.h",
                                         "engine/method/config.h", "engine/sim/method_list.h",
                                         "engine/sim/foot_load.h",
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

// A namespace has one type of a name: where two files that never meet have one each, the linker
// takes the functions of either for both.
TEST(Architecture, TypesHaveNamesOfTheirOwn) {
  const std::regex type(R"(^(struct|class|enum class) (\w+)( final)?( : [^{;]*)?\s*(\{.*)?$)");
  const std::regex space(R"(^namespace (\w+(::\w+)*) \{.*)");
  std::map<std::string, fs::path> first;
  for (const char* folder : {"engine", "render", "app", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceFolder()) / folder)) {
      if (entry.path().extension() != ".h") continue;
      std::ifstream in(entry.path());
      std::string within;
      std::set<std::string> here;  // a type may have one shape for each instruction set
      std::smatch match;
      for (std::string line; std::getline(in, line);) {
        if (std::regex_match(line, match, space)) within = match[1];
        if (!std::regex_match(line, match, type)) continue;
        const std::string name = within + "::" + match[2].str();
        if (!here.insert(name).second) continue;
        const auto [known, added] = first.emplace(name, entry.path());
        EXPECT_TRUE(added) << name << " is in " << known->second << " and in " << entry.path();
      }
    }
  }
  EXPECT_GT(first.size(), 500u);
}

// What a window or a picture remembers has an owner that is made and destroyed with it. Only which
// GL context is alive, and who draws with it, is one fact for the whole program, as GL's functions
// are; and that Python ends.
TEST(Architecture, NoHiddenStatics) {
  // "static" inside a function, or a variable at the beginning of a line, that is not constant
  const std::regex local(
      R"(^\s+(static|thread_local) (?!const |constexpr )[\w:<>,*& ]+ \w+( =.*|\{.*)?;.*$)");
  const std::regex global(
      R"(^(static |inline |thread_local )*(?!return|using|const|class|struct|enum|namespace))"
      R"([A-Za-z][\w:<>,*]* \w+( =.*|\{.*\})?;.*$)");
  EXPECT_TRUE(std::regex_match("  static DecimatedLine line;  // scratch", local));
  EXPECT_TRUE(std::regex_match("    static double drag_start = 0;", local));
  EXPECT_FALSE(std::regex_match("  static std::string FindFfmpeg();", local));
  EXPECT_TRUE(std::regex_match("int overlay_depth = 0;  // inside one", global));
  EXPECT_FALSE(std::regex_match("namespace fs = std::filesystem;", global));
  int files = 0;
  for (const char* folder : {"app", "render"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceFolder()) / folder)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      ++files;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        if (line.starts_with("bool context_alive") || line.starts_with("std::mutex one_picture"))
          continue;
        if (entry.path().filename() == "interrupts.h" && line.starts_with("  static std::atomic<"))
          continue;
        EXPECT_FALSE(std::regex_match(line, local) || std::regex_match(line, global))
            << entry.path() << ": " << line;
      }
    }
  }
  EXPECT_GT(files, 100);
}

// Transforms are multiplied in engine/core/pose.h, whose names say which of them keep a turn unit.
TEST(Architecture, PosesAreComposedInOnePlace) {
  const std::regex product(R"(\{[^{}]*\* [\w.]+\.p, [^{}]*\.q \* [\w.]+\.q)");
  EXPECT_TRUE(std::regex_search("  return {a * b.p, (a.q * b.q).normalized()};", product));
  int found = 0;
  for (const char* folder : {"app", "engine", "render"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceFolder()) / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        if (line.find(".q * ") == std::string::npos) continue;  // a regex takes its time
        if (!std::regex_search(line, product)) continue;
        ++found;
        EXPECT_EQ(entry.path().filename(), "pose.h") << entry.path() << ": " << line;
      }
    }
  }
  EXPECT_EQ(found, 3);
}

// What these files compile for one instruction set must not be merged with what others compile.
TEST(Architecture, KernelsShareNoFunctions) {
  const std::set<std::string> allowed = {"immintrin.h",
                                         "engine/core/sanitized.h",
                                         "engine/solver/dense_kernels.h",
                                         "engine/solver/dense_kernels_impl.h",
                                         "engine/solver/kernels6.h",
                                         "engine/solver/kernels6_impl.h",
                                         "engine/solver/lanes.h",
                                         "engine/solver/panel.h",
                                         "engine/solver/qp_kernels.h",
                                         "engine/solver/qp_kernels_impl.h",
                                         "engine/solver/qp_kernels_products.h",
                                         "engine/solver/qp_kernels_scale.h",
                                         "engine/solver/row6.h",
                                         "engine/solver/unroll.h"};
  int found = 0;
  for (const Include& include : AllIncludes("engine")) {
    const std::string name = include.file.filename().string();
    const bool kernel = name.starts_with("kernels6") || name.starts_with("dense_kernels") ||
                        name.starts_with("qp_kernels");
    if (name == "kernels6.cpp" || name == "dense_kernels.cpp" || name == "qp_kernels.cpp") {
      continue;  // they choose
    }
    if (name != "row6.h" && name != "unroll.h" && name != "lanes.h" && !kernel) continue;
    EXPECT_TRUE(allowed.contains(include.path)) << include.file << " includes " << include.path;
    ++found;
  }
  EXPECT_GE(found, 20);
}

TEST(Architecture, FilesStaySmall) {
  for (const char* folder : {"app", "engine", "render", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceFolder()) / folder)) {
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
