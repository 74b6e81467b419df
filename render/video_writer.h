// Frames into a video through an ffmpeg process, or into numbered PNG files.
#pragma once

#include <sys/types.h>

#include <string>

#include "engine/core/result.h"
#include "render/frame_writer.h"

namespace slip::render {

class VideoWriter {
 public:
  /// Starts a video. A path ending in ".png", or a folder path ending in "/", gives a sequence of
  /// numbered pictures; anything else is encoded by ffmpeg (H.264, 4:2:0, constant quality 20).
  /// The frame size is that of the first frame; odd sizes lose their last row or column.
  static Result<VideoWriter> Create(const std::string& path, double frames_per_second);
  VideoWriter(VideoWriter&& other) noexcept;
  VideoWriter& operator=(VideoWriter&& other) noexcept;
  ~VideoWriter();

  /// Adds a frame; one of another size is scaled to the first one's.
  Status Add(const Image& frame);
  /// Ends the file and waits for the encoder; an error carries ffmpeg's own words.
  Status Finish();
  int frames() const { return frames_; }

  /// Where ffmpeg is, searching PATH; empty when it is not installed.
  static std::string FindFfmpeg();

 private:
  VideoWriter() = default;
  Status Start(int width, int height);
  Error EncoderError(const std::string& what);

  std::string path_, ffmpeg_;
  double rate_ = 30;
  bool sequence_ = false;
  int width_ = 0, height_ = 0, frames_ = 0;
  pid_t process_ = -1;
  int pipe_ = -1, log_ = -1;
};

}  // namespace slip::render
