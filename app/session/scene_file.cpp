#include "app/session/scene_file.h"

#include <filesystem>
#include <vector>

#include "app/session/session.h"
#include "engine/core/output_file.h"
#include "engine/run/record/recorded_scene.h"
#include "engine/scene/robot_scene.h"
#include "engine/scene/saved_scene.h"

namespace slip::app {

const char* WhyNoSceneFile(const Session& session) {
  const Scene* scene = session.scene();
  if (scene == nullptr || session.channel_count() == 0) return "No scene is loaded yet.";
  return IsRobotFile(scene->file) ? nullptr : "The scene has a file already.";
}

std::string SceneFileText(const Session& session, const std::string& path) {
  const Scene& scene = *session.scene();
  std::vector<SavedChannel> channels;
  for (int i = 0; i < session.channel_count(); ++i) {
    // what was asked for, which the engine may not have yet
    Config config = session.frame(i).config;
    for (const ParamEntry& entry : ListParams(config)) {
      if (entry.info->applies != Applies::kRebuild)
        (void)SetParam(&config, entry.path, session.params().Value(i, entry.path));
    }
    channels.push_back(SaveChannel(scene, config));
  }
  return SavedRobotScene(scene, PathFromExperiment(scene.file, path), channels);
}

void SaveScene(const std::string& path, Session* session) {
  if (WhyNoSceneFile(*session) != nullptr) return;
  const Status status = WriteFile(path, SceneFileText(*session, path), false);
  Message message;
  message.where = path;
  if (!status.ok()) {
    message.level = Message::Level::kError;
    message.what = "The scene was not saved.";
    message.advice = status.error().Text();
  } else {
    std::error_code ignored;
    message.what = "Scene saved.";
    message.where = std::filesystem::absolute(path, ignored).string();
    message.advice =
        "Its comments show how to go on. Open it with 'slipscope FILE', or drop it on the window.";
  }
  session->Post(std::move(message));
}

}  // namespace slip::app
