#include "tests/support/video.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace slip {

bool CanProbeVideos() {
  return std::system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") == 0;
}

Probe ProbeVideo(const std::string& path) {
  const std::string command =
      "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
      "stream=width,height,r_frame_rate,nb_read_frames:format=duration -of default=nw=1 '" +
      path + "' 2>/dev/null";
  Probe probe;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return probe;
  char line[256];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    double over = 1, under = 1;
    if (std::sscanf(line, "r_frame_rate=%lf/%lf", &over, &under) == 2) probe.rate = over / under;
    std::sscanf(line, "nb_read_frames=%d", &probe.frames);
    std::sscanf(line, "duration=%lf", &probe.duration);
    std::sscanf(line, "width=%d", &probe.width);
    std::sscanf(line, "height=%d", &probe.height);
  }
  pclose(pipe);
  return probe;
}

std::vector<std::string> UnpackVideo(const std::string& path, const std::string& folder) {
  std::filesystem::create_directories(folder);
  const std::string command =
      "ffmpeg -v error -i '" + path + "' -vsync passthrough '" + folder + "/%06d.png' 2>/dev/null";
  std::vector<std::string> files;
  if (std::system(command.c_str()) != 0) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace slip
