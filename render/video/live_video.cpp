#include "render/video/live_video.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace slip::render {
namespace {

// What may wait for the encoder: some frames, and no more memory than that [bytes].
constexpr std::size_t kMostWaiting = 8, kMostBytes = std::size_t{256} << 20;

}  // namespace

Result<std::unique_ptr<LiveVideo>> LiveVideo::Start(const std::string& path,
                                                    const Options& options) {
  auto cancelled = std::make_shared<std::atomic<bool>>(false);
  VideoWriter::Options video{.frames_per_second = options.frames_per_second,
                             .width = options.width,
                             .height = options.height,
                             .live = true};
  video.stop = [cancelled] { return cancelled->load(); };
  Result<VideoWriter> writer = VideoWriter::Create(path, std::move(video));
  if (!writer) return writer.errors();
  std::unique_ptr<LiveVideo> live(new LiveVideo(std::move(writer).value(), options));
  live->cancelled_ = std::move(cancelled);
  live->work_.emplace(live->Run());
  return live;
}

LiveVideo::LiveVideo(VideoWriter writer, const Options& options)
    : writer_(std::move(writer)), rate_(options.frames_per_second) {}

LiveVideo::~LiveVideo() {
  Finish(0);
  work_.reset();
}

// To the nearest: a window that is a little early or late meets its place all the same.
int64_t LiveVideo::SlotOf(double time) const {
  return static_cast<int64_t>(std::floor(std::max(time, 0.0) * rate_ + 0.5));
}

void LiveVideo::Push(Item item) {
  {
    const std::lock_guard lock(mutex_);
    waiting_bytes_ += item.image.pixels.size();
    waiting_.push_back(std::move(item));
  }
  ready_.notify_one();
}

void LiveVideo::Add(Image frame, double time) {
  const int64_t slot = SlotOf(time);
  bool room = true;
  {
    const std::lock_guard lock(mutex_);
    room = !ended_ && waiting_.size() < kMostWaiting &&
           waiting_bytes_ + frame.pixels.size() <= kMostBytes;
  }
  if (frame.empty() || slot < next_ || !room) {
    ++skipped_;
    return;
  }
  Item item{.before = slot - next_, .image = std::move(frame)};
  repeated_ += item.before;
  next_ = slot + 1;
  Push(std::move(item));
}

void LiveVideo::AddStill(Image picture, double seconds) {
  const int64_t times = std::max<int64_t>(1, SlotOf(seconds));
  if (picture.empty()) return;
  next_ += times;
  Push({.image = std::move(picture), .times = times});
}

void LiveVideo::Finish(double end) {
  const int64_t missing = next_ > 0 ? std::max<int64_t>(0, SlotOf(end) - next_) : 0;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    if (missing > 0) waiting_.push_back({.before = missing, .image = {}, .times = 0});
    ended_ = true;
  }
  repeated_ += missing;
  next_ += missing;
  ready_.notify_one();
}

void LiveVideo::Cancel() {
  cancelled_->store(true);
  Finish(0);
}

Status LiveVideo::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

Sliced<Status> LiveVideo::Encode(const Item& item) {
  Status status = Ok{};
  // before the first picture there is none to repeat: it stands for those, too
  const Image& earlier = last_.empty() ? item.image : last_;
  for (int64_t i = 0; i < item.before + item.times && status && !*cancelled_; ++i) {
    status = writer_.Add(i < item.before ? earlier : item.image);
    co_await MayRest{};
  }
  co_return status;
}

bool LiveVideo::HasWork() {
  const std::lock_guard lock(mutex_);
  return ended_ || !waiting_.empty();
}

Sliced<> LiveVideo::Run() {
  Status status = Ok{};
  for (;;) {
    Item item;
    while (Slice::Present() != nullptr && !HasWork()) co_await Rest{};
    {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      if (waiting_.empty() || *cancelled_) break;
      item = std::move(waiting_.front());
      waiting_.pop_front();
      waiting_bytes_ -= item.image.pixels.size();
    }
    if (!item.image.empty()) {
      // the window was resized: the video was not
      if (width_ == 0) width_ = item.image.width, height_ = item.image.height;
      if (item.image.width != width_ || item.image.height != height_)
        item.image = Letterbox(item.image, width_, height_);
    }
    status = co_await Encode(item);
    if (!status) break;
    if (!item.image.empty()) last_ = std::move(item.image);
  }
  if (status && !*cancelled_) status = writer_.Finish();
  { const VideoWriter gone = std::move(writer_); }  // what was not finished goes with it
  {
    const std::lock_guard lock(mutex_);
    status_ = status;
    ended_ = true;
    waiting_.clear();
    waiting_bytes_ = 0;
  }
  failed_ = !status.ok();
  done_ = true;
}

}  // namespace slip::render
