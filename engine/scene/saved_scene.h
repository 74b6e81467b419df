// A scene that was made for a robot's file, as a scene file of its own.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/scene/scene.h"

namespace slip {

/// One model of it, and what it has otherwise than the scene.
struct SavedChannel {
  MethodId model{};
  std::vector<std::pair<ParamEntry, double>> values = {};
};

/// What of `config` a channel of the scene's file can say otherwise than the scene does.
SavedChannel SaveChannel(const Scene& scene, const Config& config);

/// The text of such a file, which opens to the same; `robot`: the robot's file, from the scene
/// file's folder. What the window alone began with is what its channels have then.
std::string SavedRobotScene(const Scene& scene, const std::string& robot,
                            std::span<const SavedChannel> channels);

}  // namespace slip
