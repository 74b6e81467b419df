// The scene of a robot's file becomes a scene file.
#pragma once

#include <string>

namespace slip::app {

class Session;

/// Why there is nothing to save, as a sentence; null = there is.
const char* WhyNoSceneFile(const Session& session);

/// The scene as it is now, models and parameters included, for a file at `path`.
std::string SceneFileText(const Session& session, const std::string& path);

/// Writes it and says where it is.
void SaveScene(const std::string& path, Session* session);

}  // namespace slip::app
