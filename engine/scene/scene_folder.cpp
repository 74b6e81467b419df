// Where scenes live, what they are called, and how a name becomes a file.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "engine/core/data_folder.h"
#include "engine/core/numbers.h"
#include "engine/core/param_text.h"
#include "engine/scene/robot_scene.h"
#include "engine/scene/scene.h"
#include "engine/scene/toml_tree.h"
#include "engine/urdf/robot_description.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

const std::string kLarge = "large/";  // below the scenes

std::string FileOf(const std::string& name) {
  return (fs::path(SceneFolder()) / (name + ".toml")).string();
}

std::vector<std::string> ListNames(const fs::path& in) {
  std::vector<std::string> names;
  std::error_code code;
  fs::directory_iterator folder(in, code);
  for (; !code && folder != fs::directory_iterator(); folder.increment(code)) {
    if (folder->path().extension() == ".toml") names.push_back(folder->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The number of a scene's lesson, without reading the rest of the scene; 0 without one.
double LessonNumber(const std::string& name) {
  const std::string file = FileOf(name);
  const Result<std::string> text = ReadTextFile(file, kSceneFile);
  if (!text) return 0;
  const Result<TomlNode> document = ParseToml(*text, file);
  const TomlNode* lesson = document.ok() ? document->Find("lesson") : nullptr;
  const TomlNode* number = lesson != nullptr ? lesson->Find("number") : nullptr;
  return number != nullptr && number->kind == TomlNode::Kind::kNumber ? number->number : 0;
}

}  // namespace

std::string SceneFolder() { return (fs::path(DataFolder()) / "scenes").string(); }

std::vector<std::string> ListScenes() { return ListNames(SceneFolder()); }

std::vector<std::string> ListLargeScenes() { return ListNames(fs::path(SceneFolder()) / kLarge); }

std::vector<std::string> ListScenesToTeach() {
  std::vector<std::pair<double, std::string>> keyed;
  for (std::string& name : ListScenes()) {
    const double number = LessonNumber(name);
    keyed.emplace_back(number > 0 ? number : kInfinity, std::move(name));
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::string> names;
  for (auto& [number, name] : keyed) names.push_back(std::move(name));
  return names;
}

Result<std::shared_ptr<const Scene>> FindScene(const std::string& name_or_path) {
  std::vector<std::string> names = ListScenes();
  const std::vector<std::string> large = ListLargeScenes();
  if (std::find(names.begin(), names.end(), name_or_path) != names.end()) {
    return ReadScene(FileOf(name_or_path));
  }
  if (std::find(large.begin(), large.end(), name_or_path) != large.end()) {
    return ReadScene(FileOf(kLarge + name_or_path));
  }
  names.insert(names.end(), large.begin(), large.end());
  std::error_code code;
  // a robot's file, or the name of one of the program's own
  if (IsOfRobots(name_or_path) && !fs::exists(name_or_path, code)) {
    for (const std::string& robot : ListRobots()) {
      if (fs::path(robot).filename() == name_or_path) return ReadScene(robot);
    }
    return ReadScene(name_or_path);
  }
  const bool is_path = name_or_path.find('/') != std::string::npos ||
                       fs::path(name_or_path).extension() == ".toml" ||
                       fs::exists(name_or_path, code);
  if (is_path) return ReadScene(name_or_path);
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string word = fs::path(name_or_path).stem().string();
  return Error{.message = "no scene '" + name_or_path.substr(0, 200) + "'",
               .hint = DidYouMean(word, known)};
}

}  // namespace slip
