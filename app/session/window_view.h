// What the window shows besides the run itself, as text that an experiment's file keeps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/sim/camera_spec.h"

namespace slip::app {

class Session;

struct WindowView {
  std::optional<CameraSpec> camera;
  std::vector<std::string> plots;  ///< names of signals
  bool run_ghost = false;          ///< the bodies of another run, too
};

/// With the session's notes, lead and branches that are drawn along.
std::string FormatView(const Session& session, const WindowView& view);
/// Gives these back to the session; nothing where the text is none. `path` is the experiment's.
std::optional<WindowView> ReadView(const std::string& text, const std::string& path,
                                   Session* session);

}  // namespace slip::app
