// Frames into a video through an ffmpeg process, or into numbered PNG files.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/output_series.h"
#include "engine/core/result.h"
#include "render/video/frame_writer.h"

namespace slip::render {

/// What a name asks for: by its ending, or a folder.
enum class OutputKind { kPicture, kVideo, kFolder, kUnknown };
/// A folder is one that is there, a name that ends in "/" or one without an ending.
OutputKind KindOfOutput(const std::string& path);
/// More frames a second than that cannot be shown at their times by what this name asks for.
double MostFramesPerSecond(const std::string& path);

class VideoWriter {
 public:
  struct Options {
    double frames_per_second = 30;
    bool force = false;  ///< write over what is there
    /// Of the video: frames are scaled to it, with black bars where they have another shape; 0 = as
    /// the first frame.
    int width = 0, height = 0;
    /// Frames come by the clock, and may be the last: encoded fast, none held back, alpha ignored.
    bool live = false;
    /// Asked while the encoder makes us wait; true ends the waiting and the video.
    std::function<bool()> stop = {};
  };

  /// Starts a video. A path ending in ".png", or a folder, gives a sequence of numbered pictures;
  /// else ffmpeg encodes: .mp4, .mov and .mkv in H.264, 4:2:0, constant quality 20; .webm in VP9;
  /// .gif in 256 colours a frame. The frame size is that of the first frame; in 4:2:0 and VP9 odd
  /// sizes lose their last row or column. What was written when the program is killed plays, under
  /// the name of the .part. Errors: an ending of no video, too many frames a second for a GIF, no
  /// ffmpeg, and those of OutputFile::Open, which set *taken.
  static Result<VideoWriter> Create(const std::string& path, Options options,
                                    bool* taken = nullptr);
  VideoWriter(VideoWriter&& other) noexcept;
  VideoWriter& operator=(VideoWriter&& other) noexcept;
  /// A video that was not finished is discarded; finished pictures of a sequence stay.
  ~VideoWriter();

  /// Adds a frame; one of another size is scaled to the first one's.
  Status Add(const Image& frame);
  /// Waits for the encoder and gives the video its name; an error carries ffmpeg's own words, and
  /// no video is left.
  Status Finish();
  int frames() const { return frames_; }
  /// The encoder ended well and there is no video: it is none.
  bool wrote_nothing() const { return wrote_nothing_; }

  /// Where ffmpeg is, searching PATH; empty when it is not installed.
  static std::string FindFfmpeg();

 private:
  VideoWriter() = default;
  Status Start(int width, int height);
  int Spawn(std::vector<std::string> words, int input, int output = -1);
  /// An MP4 as a whole; false when it was stopped.
  bool JoinFragments();
  Status Send(const uint8_t* data, std::size_t size);
  /// Waits until the encoder has ended; false when it was stopped.
  bool Wait(int* code);
  void Discard();
  Error EncoderError(const std::string& what) const;

  std::string path_, ffmpeg_, stem_;
  Options options_;
  std::shared_ptr<OutputFile> file_;      ///< of a video
  std::shared_ptr<OutputSeries> series_;  ///< of pictures
  int width_ = 0, height_ = 0, frames_ = 0;
  pid_t process_ = -1;
  int pipe_ = -1, log_ = -1;
  bool wrote_nothing_ = false;
};

}  // namespace slip::render
