#include "engine/run/record/recorded_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "engine/core/data_folder.h"
#include "engine/scene/robot_scene.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

bool Exists(const fs::path& path) {
  std::error_code code;
  return fs::exists(path, code);
}

/// The folder whatever links lead there, and the file in it by its own name.
fs::path Whole(const fs::path& file) {
  std::error_code code;
  const fs::path absolute = fs::absolute(file, code).lexically_normal();
  const fs::path folder = fs::weakly_canonical(absolute.parent_path(), code);
  return (folder.empty() ? absolute.parent_path() : folder) / absolute.filename();
}

/// Where the scene's file may be, the best first. None is there twice, and at least one is.
std::vector<std::string> Places(const RecordedScene& recorded, const std::string& path) {
  const fs::path file(recorded.file), folder = fs::path(path).parent_path();
  const fs::path own =
      fs::path(SceneFolder()) / (fs::path(recorded.id).filename().string() + ".toml");
  std::vector<fs::path> wishes = {folder / file};
  if (file.is_absolute()) wishes.push_back(own);
  // "a/b/s.toml" in the experiment's folder: a whole folder was moved, or it was saved elsewhere
  fs::path tail = file.relative_path();
  while (tail.has_parent_path()) {
    tail = tail.lexically_relative(*tail.begin());
    wishes.push_back(folder / tail);
  }
  wishes.push_back(file);
  wishes.push_back(own);
  std::vector<std::string> places;
  const auto add = [&places](const fs::path& place) {
    const std::string name = place.lexically_normal().string();
    if (std::find(places.begin(), places.end(), name) == places.end()) places.push_back(name);
  };
  for (const fs::path& wish : wishes) {
    if (Exists(wish)) add(wish);
  }
  // the scene's file itself is not needed: its text is in the experiment
  for (const fs::path& wish : wishes) {
    if (wish != own && Exists(wish.has_parent_path() ? wish.parent_path() : fs::path(".")))
      add(wish);
  }
  add(wishes.front());
  return places;
}

}  // namespace

std::string PathFromExperiment(const std::string& scene_file, const std::string& path) {
  if (scene_file.empty()) return {};
  const fs::path file = Whole(scene_file);
  const fs::path data = Whole(fs::path(DataFolder()) / "here").parent_path();
  const bool own = *file.lexically_relative(data).begin() != "..";
  if (path.empty() || own) return file.string();
  const fs::path from_there = file.lexically_relative(Whole(path).parent_path());
  return from_there.empty() ? file.string() : from_there.string();
}

std::string SayOtherBodies(const std::string& id, const Model& model, bool text_changed,
                           const std::string& build) {
  const bool files = !model.robots.empty() ||
                     std::any_of(model.bodies.begin(), model.bodies.end(), [](const Body& body) {
                       return body.shape.convex || body.shape.triangles || body.shape.cloud;
                     });
  std::vector<std::string> causes;
  if (text_changed) causes.emplace_back("its text was changed");
  if (files) causes.emplace_back("a mesh, cloud or robot file was changed");
  causes.push_back(fmt::format("the build that recorded it{} makes other bodies of the same text{}",
                               build.empty() ? "" : " (" + build + ")", files ? " and files" : ""));
  return fmt::format("scene '{}' makes other bodies than when it was recorded: {}", id,
                     fmt::join(causes, ", or "));
}

Result<std::shared_ptr<const Scene>> ReadRecordedScene(const RecordedScene& recorded,
                                                       const std::string& path) {
  std::shared_ptr<const Scene> other;
  ErrorList errors;
  const std::vector<std::string> places = Places(recorded, path);
  for (const std::string& place : places) {
    Result<std::shared_ptr<const Scene>> scene = ReadSceneText(recorded.text, place);
    if (!scene) {
      if (errors.empty()) errors = scene.errors();
      continue;
    }
    if (fmt::format("{:016x}", Hash(*(*scene)->model)) == recorded.bodies_hash) return scene;
    if (other == nullptr) other = *scene;
  }
  if (other != nullptr) return other;
  // a robot of ours may have that name, and not fit
  if (IsRobotFile(recorded.file) && std::none_of(places.begin(), places.end(), Exists))
    return Error{.message = "no such file", .file = places.front()};
  return errors;
}

}  // namespace slip
