// Where scenes live, what they are called, and how a name becomes a file.
#include <algorithm>
#include <array>
#include <filesystem>

#include "engine/core/data_folder.h"
#include "engine/core/param_text.h"
#include "engine/scene/robot_scene.h"
#include "engine/scene/scene.h"
#include "engine/urdf/robot_description.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string SceneFolder() { return (fs::path(DataFolder()) / "scenes").string(); }

std::vector<std::string> ListScenes() {
  std::vector<std::string> names;
  std::error_code code;
  fs::directory_iterator folder(SceneFolder(), code);
  for (; !code && folder != fs::directory_iterator(); folder.increment(code)) {
    if (folder->path().extension() == ".toml") names.push_back(folder->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::shared_ptr<const Scene>> FindScene(const std::string& name_or_path) {
  const std::vector<std::string> names = ListScenes();
  if (std::find(names.begin(), names.end(), name_or_path) != names.end()) {
    return ReadScene((fs::path(SceneFolder()) / (name_or_path + ".toml")).string());
  }
  std::error_code code;
  // a robot's file, or the name of one of the program's own
  if (IsRobotFile(name_or_path) && !fs::exists(name_or_path, code)) {
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
