// What is in a video, by ffprobe and ffmpeg.
#pragma once

#include <string>
#include <vector>

namespace slip {

/// Both programs are installed.
bool CanProbeVideos();

/// What ffprobe finds when it decodes every frame.
struct Probe {
  int frames = 0;
  double rate = 0;      ///< [1/s]
  double duration = 0;  ///< [s]
  int width = 0, height = 0;
};

Probe ProbeVideo(const std::string& path);
/// Its frames into numbered pictures of a new folder, whose files are given in order.
std::vector<std::string> UnpackVideo(const std::string& path, const std::string& folder);

}  // namespace slip
