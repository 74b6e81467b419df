// Live videos whose program ended before they were whole: a note in the state folder names each
// video that is being made, and one that is found at the start was left by a crash.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"

namespace slip::app {

/// The note of a video; it goes with it.
class VideoNote {
 public:
  VideoNote() = default;
  /// Names the video's file in the folder, which is made if needed; an empty folder: no note.
  VideoNote(const std::string& folder, const std::string& video);
  ~VideoNote() { Remove(); }
  VideoNote(const VideoNote&) = delete;
  VideoNote& operator=(const VideoNote&) = delete;
  void Remove();

 private:
  std::string path_;
};

struct CutVideo {
  std::string video;  ///< the file that it was to become
  std::string part;   ///< the file with what was recorded
  std::string note;   ///< to be removed once it is kept or discarded
};
/// Those whose program is gone and whose part is still there. Notes of others that ended go.
std::vector<CutVideo> FindCutVideos(const std::string& folder);

/// Gives the part the name of the video, or one like it that is free; the name. Errors: the part
/// cannot be renamed.
Result<std::string> Keep(const CutVideo& cut);

}  // namespace slip::app
