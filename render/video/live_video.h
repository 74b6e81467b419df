// What is shown becomes a video while it is shown: frames come when the window has them, the video
// has so many a second by the clock. They go to the encoder beside the window
// (engine/core/side_work.h), so that nobody waits.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "engine/core/result.h"
#include "engine/core/side_work.h"
#include "render/video/video_writer.h"

namespace slip::render {

class LiveVideo {
 public:
  struct Options {
    double frames_per_second = 60;
    int width = 0, height = 0;  ///< of the video; 0 = of the first frame
  };
  /// Errors: VideoWriter::Create's.
  static Result<std::unique_ptr<LiveVideo>> Start(const std::string& path, const Options& options);
  /// Finishes what was begun, and waits for it.
  ~LiveVideo();
  LiveVideo(const LiveVideo&) = delete;
  LiveVideo& operator=(const LiveVideo&) = delete;

  /// Whether a frame of that time [s since the start] has a place of its own.
  bool Wants(double time) const { return SlotOf(time) >= next_; }
  /// The frame that is shown at that time. Where frames are missing the one before is repeated;
  /// one that has no place, or for which the encoder has no time, is skipped.
  void Add(Image frame, double time);
  /// Shows the picture for so long behind all others.
  void AddStill(Image picture, double seconds);
  /// No more frames; the last one stands until `end` [s]. Does not wait: see done().
  void Finish(double end);
  /// Stops, and leaves no video.
  void Cancel();

  bool done() const { return done_; }      ///< the encoder has ended
  bool failed() const { return failed_; }  ///< it will make no video any more
  Status status() const;                   ///< after done() or failed()
  int64_t frames() const { return next_; }
  int64_t repeated() const { return repeated_; }
  int64_t skipped() const { return skipped_; }

 private:
  struct Item {
    int64_t before = 0;  ///< the last picture is shown so often again first
    Image image;         ///< may be empty
    int64_t times = 1;   ///< it is shown
  };

  LiveVideo(VideoWriter writer, const Options& options);
  int64_t SlotOf(double time) const;
  void Push(Item item);
  Sliced<> Run();
  bool HasWork();
  Sliced<Status> Encode(const Item& item);

  VideoWriter writer_;
  double rate_ = 60;
  int64_t next_ = 0, repeated_ = 0, skipped_ = 0;
  // of Run alone
  Image last_;
  int width_ = 0, height_ = 0;
  // shared
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Item> waiting_;
  std::size_t waiting_bytes_ = 0;
  bool ended_ = false;
  Status status_ = Ok{};
  std::shared_ptr<std::atomic<bool>> cancelled_;  ///< the writer asks it, wherever it is moved
  std::atomic<bool> done_ = false, failed_ = false;
  std::optional<SideWork> work_;
};

}  // namespace slip::render
