// Cameras and parameters as text: what "Copy camera" writes and what "Paste" understands.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/method/config.h"
#include "engine/sim/camera_spec.h"

namespace slip::app {

/// The [camera] table of a scene file.
std::string CameraText(const CameraSpec& camera);

struct Pasted {
  std::optional<CameraSpec> camera;
  std::vector<std::pair<std::string, double>> params;  ///< path, SI value
  std::vector<std::string> problems;                   ///< one sentence each
  bool empty() const { return !camera && params.empty() && problems.empty(); }
};
/// Reads a [camera] table (what it leaves out is taken from `now`), and parameters either as
/// command line options "-p path=value" or as lines "path = value". Other text is passed over.
Pasted ReadPasted(std::string_view text, const Config& config, const CameraSpec& now);

}  // namespace slip::app
