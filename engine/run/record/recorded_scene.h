// The scene of an experiment: its text is in the file, the meshes, clouds and robots that it names
// are not. They count from the folder of the scene's file, which moves along with the experiment.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/scene/scene.h"

namespace slip {

/// How the experiment `path` names the file of a scene: from its own folder on; those of the
/// program by a whole path. So is every one where `path` is empty: that file is kept for a while.
std::string PathFromExperiment(const std::string& scene_file, const std::string& path);

/// What an experiment says of a scene.
struct RecordedScene {
  std::string id, file, text;
  std::string bodies_hash;  ///< of the model, as it was recorded
};

/// The scene, with its files from the first place where they make the same bodies: the experiment's
/// folder and the path that it names from there on, the same path without its first folders, the
/// working folder (earlier experiments counted from there), the program's own scenes. Else from the
/// first where they make any. `path` is the experiment's.
Result<std::shared_ptr<const Scene>> ReadRecordedScene(const RecordedScene& recorded,
                                                       const std::string& path);

/// Why the bodies may be others than those that were recorded, a sentence. `text_changed`: the
/// experiment is not as it was saved; its build is the one that recorded it.
std::string SayOtherBodies(const std::string& id, const Model& model, bool text_changed,
                           const std::string& build);

}  // namespace slip
