// ffmpeg as a child process: argv without a shell, raw frames down a socket pair (whose writes can
// fail without raising SIGPIPE), its messages in an unnamed file. It has a process group of its
// own, so that Ctrl+C reaches us alone, and whatever it started ends with it. It writes into the
// .part of the video: only a finished one gets the name.
#include "render/video/video_writer.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/core/aside_file.h"

extern char** environ;

namespace slip::render {
namespace {

// How often a waiting writer looks whether it shall stop.
constexpr int kPollMs = 50;
// The descriptor under which ffmpeg gets a file that has no name.
constexpr int kOutputFile = 3;

enum class Codec { kH264, kVp9, kGif };
struct VideoEnding {
  std::string_view ending, format;  ///< ffmpeg's name of the format
  Codec codec;
};
constexpr VideoEnding kVideoEndings[] = {{".mp4", "mp4", Codec::kH264},
                                         {".mov", "mov", Codec::kH264},
                                         {".mkv", "matroska", Codec::kH264},
                                         {".webm", "webm", Codec::kVp9},
                                         {".gif", "gif", Codec::kGif}};
// A GIF counts in hundredths of a second, and players slow down what is shown for one of them.
constexpr double kMostGifRate = 50;

const VideoEnding* FindEnding(std::string_view path) {
  for (const VideoEnding& video : kVideoEndings) {
    if (path.ends_with(video.ending) && path.size() > video.ending.size()) return &video;
  }
  return nullptr;
}

std::string ReadLog(int file) {
  char text[1024];
  const ssize_t size = file < 0 ? 0 : pread(file, text, sizeof text, 0);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
}

/// 4:2:0 halves both directions; a GIF takes any size.
int FittingSize(const VideoEnding& video, int size) {
  return video.codec == Codec::kGif ? size : size - size % 2;
}

/// Filter that brings frames to the size that was asked for; empty when they stay as they are.
std::string ScaleFilter(const VideoEnding& video, const VideoWriter::Options& options) {
  if (options.width < 1 || options.height < 1) return {};
  const std::string w = std::to_string(FittingSize(video, options.width));
  const std::string h = std::to_string(FittingSize(video, options.height));
  return "scale=" + w + ":" + h + ":force_original_aspect_ratio=decrease,pad=" + w + ":" + h +
         ":(ow-iw)/2:(oh-ih)/2,setsar=1";
}

/// What ffmpeg is told between its input and its output. What it has written so far plays, should
/// both of us be killed: a fragment a second, or two when live, and no index at the end that all
/// else waits for.
std::vector<std::string> CodecWords(const VideoEnding& video, const VideoWriter::Options& options) {
  const double fragment = options.frames_per_second / (options.live ? 2 : 1);
  const std::string second = std::to_string(std::max(1, static_cast<int>(std::lround(fragment))));
  const std::string scale = ScaleFilter(video, options);
  std::vector<std::string> words;
  if (!scale.empty() && video.codec != Codec::kGif) words = {"-vf", scale};
  const auto add = [&words](std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
  };
  switch (video.codec) {
    case Codec::kVp9:
      add({"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-g", second, "-deadline", "realtime"});
      add({"-cpu-used", options.live ? "8" : "5", "-row-mt", "1", "-pix_fmt", "yuv420p"});
      if (options.live) add({"-lag-in-frames", "0", "-cluster_time_limit", "500"});
      break;
    case Codec::kGif:  // a palette for each frame: one for all would keep all frames in memory
      add({"-filter_complex",
           (scale.empty() ? "" : scale + ",") +
               "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1"});
      break;
    case Codec::kH264:
      add({"-c:v", "libx264", "-preset", options.live ? "superfast" : "veryfast", "-crf", "20"});
      add({"-g", second, "-pix_fmt", "yuv420p"});
      if (options.live) add({"-tune", "zerolatency"});
      if (video.format != "matroska")
        add({"-movflags", "+frag_keyframe+empty_moov+default_base_moof"});
      break;
  }
  if (options.live) add({"-flush_packets", "1"});
  return words;
}

}  // namespace

double MostFramesPerSecond(const std::string& path) {
  const VideoEnding* video = FindEnding(path);
  return video != nullptr && video->codec == Codec::kGif ? kMostGifRate : 1000;
}

OutputKind KindOfOutput(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path name(path);
  if (path.ends_with("/") || std::filesystem::is_directory(name, ignored))
    return OutputKind::kFolder;
  if (path.size() > 4 && path.ends_with(".png")) return OutputKind::kPicture;
  if (FindEnding(path) != nullptr) return OutputKind::kVideo;
  return name.has_extension() ? OutputKind::kUnknown : OutputKind::kFolder;
}

std::string VideoWriter::FindFfmpeg() {
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "/usr/bin";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string candidate = rest.substr(0, colon) + "/ffmpeg";
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return "";
}

Result<VideoWriter> VideoWriter::Create(const std::string& path, Options options, bool* taken) {
  VideoWriter writer;
  writer.path_ = path;
  writer.options_ = std::move(options);
  const double rate = writer.options_.frames_per_second;
  if (!(rate > 0) || !std::isfinite(rate))
    return Error{.message = "a video needs a positive frame rate", .file = path};
  const OutputKind kind = KindOfOutput(path);
  if (kind == OutputKind::kUnknown) {
    return Error{.message = "is no name of a picture or a video",
                 .file = path,
                 .hint = "use .png, .mp4, .webm, .gif, or a folder for numbered pictures"};
  }
  if (rate > MostFramesPerSecond(path)) {
    return Error{.message = "a GIF shows at most 50 frames a second",
                 .file = path,
                 .hint = "use 25 or 50, or .mp4 or .webm"};
  }
  if (kind != OutputKind::kVideo) {
    const std::filesystem::path name(path);
    const bool folder = kind == OutputKind::kFolder;
    const std::string parent = folder ? path : name.parent_path().string();
    writer.stem_ = folder ? "frame" : name.stem().string();
    const auto series = OutputSeries::Open(parent.empty() ? "." : parent, {writer.stem_}, ".png",
                                           writer.options_.force, taken);
    if (!series) return series.errors();
    writer.series_ = *series;
    return writer;
  }
  writer.ffmpeg_ = FindFfmpeg();
  if (writer.ffmpeg_.empty()) {
    return Error{.message = "videos need the program ffmpeg, which is not on the PATH",
                 .file = path,
                 .hint = "install ffmpeg, or name a folder for numbered pictures"};
  }
  const auto file = OutputFile::Open(path, writer.options_.force, taken);
  if (!file) return file.errors();
  writer.file_ = *file;
  return writer;
}

VideoWriter::VideoWriter(VideoWriter&& other) noexcept { *this = std::move(other); }

VideoWriter& VideoWriter::operator=(VideoWriter&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(ffmpeg_, other.ffmpeg_);
  std::swap(stem_, other.stem_);
  std::swap(options_, other.options_);
  std::swap(file_, other.file_);
  std::swap(series_, other.series_);
  std::swap(width_, other.width_);
  std::swap(height_, other.height_);
  std::swap(frames_, other.frames_);
  std::swap(process_, other.process_);
  std::swap(pipe_, other.pipe_);
  std::swap(log_, other.log_);
  std::swap(wrote_nothing_, other.wrote_nothing_);
  return *this;
}

VideoWriter::~VideoWriter() { Discard(); }

Status VideoWriter::Start(int width, int height) {
  const VideoEnding* ending = series_ ? nullptr : FindEnding(path_);
  width_ = ending == nullptr ? width : FittingSize(*ending, width);
  height_ = ending == nullptr ? height : FittingSize(*ending, height);
  if (width_ < 1 || height_ < 1) return Error{.message = "the frames are too small", .file = path_};
  if (series_) return Ok{};

  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error{.message = std::string("no pipe to ffmpeg: ") + std::strerror(errno),
                 .file = path_};
  }
  log_ = memfd_create("ffmpeg-log", MFD_CLOEXEC);
  const std::string size = std::to_string(width_) + "x" + std::to_string(height_);
  const std::string rate = std::to_string(options_.frames_per_second);
  const std::string format = options_.live ? "rgb0" : "rgba";
  // "file:" keeps names with a colon from being read as a protocol
  const std::string output = "file:" + file_->part();
  const VideoEnding& video = *ending;
  // -xerror: without it a file that could not be ended, on a full disk, counts as done
  std::vector<std::string> words{ffmpeg_,    "-y",       "-xerror", "-loglevel", "error", "-f",
                                 "rawvideo", "-pix_fmt", format,    "-s",        size,    "-r",
                                 rate,       "-i",       "pipe:0",  "-an"};
  for (std::string& word : CodecWords(video, options_)) words.push_back(std::move(word));
  words.insert(words.end(), {"-f", std::string(video.format), output});
  const int failed = Spawn(words, ends[1]);
  close(ends[1]);
  pipe_ = ends[0];
  if (failed == 0) return Ok{};
  close(std::exchange(pipe_, -1));
  return Error{.message = "ffmpeg could not be started: " + std::string(std::strerror(failed)),
               .file = path_};
}

/// ffmpeg with these words; `input` = its standard input, or -1; `output` = what it has as
/// kOutputFile, or -1. 0, or why it did not start.
int VideoWriter::Spawn(std::vector<std::string> words, int input, int output) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input >= 0) posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (input < 0) posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  if (log_ >= 0) posix_spawn_file_actions_adddup2(&actions, log_, STDERR_FILENO);
  // last: one of the others may have that number
  if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, kOutputFile);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int failed =
      posix_spawn(&process_, ffmpeg_.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) process_ = -1;
  return failed;
}

// Players seek in a whole file faster than in fragments, and some know its length only so. Nothing
// is encoded again. Where it cannot be done, for want of room, the fragments are the video.
bool VideoWriter::JoinFragments() {
  const VideoEnding& video = *FindEnding(path_);
  if (video.codec != Codec::kH264 || video.format == "matroska") return true;
  AsideFile whole(file_->part());
  if (whole.descriptor() < 0) return true;
  int code = 0;
  const bool started =
      Spawn({ffmpeg_, "-y", "-xerror", "-loglevel", "error", "-i", "file:" + file_->part(), "-c",
             "copy", "-movflags", "+faststart", "-f", std::string(video.format),
             "file:/proc/self/fd/" + std::to_string(kOutputFile)},
            -1, whole.descriptor()) == 0;
  const bool ended = !started || Wait(&code);
  const bool good = started && ended && WIFEXITED(code) && WEXITSTATUS(code) == 0;
  if (good && whole.size() > 0) file_->ReplacePart(&whole);
  return ended;
}

Error VideoWriter::EncoderError(const std::string& what) const {
  std::string words = ReadLog(log_);
  while (!words.empty() && words.back() == '\n') words.pop_back();
  // one error, one line
  for (std::size_t at = 0; (at = words.find('\n', at)) != std::string::npos;)
    words.replace(at, 1, "; ");
  return Error{.message = words.empty() ? what : what + ": " + words, .file = path_};
}

Status VideoWriter::Add(const Image& frame) {
  if (frame.empty()) return Error{.message = "an empty frame cannot be recorded", .file = path_};
  if (width_ == 0) {
    const Status started = Start(frame.width, frame.height);
    if (!started) {
      width_ = height_ = 0;
      return started;
    }
  }
  Image scaled;
  const Image* image = &frame;
  if (frame.width != width_ || frame.height != height_) {
    const bool only_odd = frame.width - width_ <= 1 && frame.height - height_ <= 1 &&
                          frame.width >= width_ && frame.height >= height_;
    scaled = only_odd ? Crop(frame, 0, 0, width_, height_) : Resize(frame, width_, height_);
    image = &scaled;
  }
  if (series_) {
    const auto file = series_->OpenFile(stem_, frames_);
    if (!file) return file.errors();
    const Status written = WritePng(*image, file->get());
    if (written) ++frames_;
    return written;
  }
  if (pipe_ < 0) return Error{.message = "this video is already finished", .file = path_};
  if (Status sent = Send(image->pixels.data(), image->pixels.size()); !sent) return sent;
  ++frames_;
  return Ok{};
}

Status VideoWriter::Send(const uint8_t* data, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = send(pipe_, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      data += sent;
      size -= static_cast<std::size_t>(sent);
      continue;
    }
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) {
      if (options_.stop && options_.stop()) {
        Discard();
        return Error{.message = "stopped before it was finished", .file = path_};
      }
      pollfd room{.fd = pipe_, .events = POLLOUT, .revents = 0};
      poll(&room, 1, kPollMs);
      continue;
    }
    // let it end, so that its last words are in the log
    close(std::exchange(pipe_, -1));
    int code = 0;
    Wait(&code);
    const Error error = EncoderError("ffmpeg stopped reading frames");
    Discard();
    return error;
  }
  return Ok{};
}

bool VideoWriter::Wait(int* code) {
  while (process_ > 0) {
    const pid_t ended = waitpid(process_, code, WNOHANG);
    if (ended == process_ || (ended < 0 && errno != EINTR)) {
      process_ = -1;
      return ended > 0;
    }
    if (options_.stop && options_.stop()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

void VideoWriter::Discard() {
  if (pipe_ >= 0) close(std::exchange(pipe_, -1));
  if (process_ > 0) {
    kill(-process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
  }
  if (log_ >= 0) close(std::exchange(log_, -1));
  file_ = nullptr;
}

Status VideoWriter::Finish() {
  Status status = Ok{};
  if (series_ && options_.force) series_->RemoveFrom(stem_, frames_);
  if (pipe_ >= 0) {
    close(std::exchange(pipe_, -1));
    int code = 0;
    if (!Wait(&code)) {
      status = Error{.message = "stopped before it was finished", .file = path_};
    } else if (!WIFEXITED(code) || WEXITSTATUS(code) != 0) {
      status = EncoderError("ffmpeg failed");
    } else if (std::error_code none; std::filesystem::file_size(file_->part(), none) == 0 || none) {
      wrote_nothing_ = true;
      status = EncoderError("ffmpeg ended well, and wrote nothing");
      status = Error{.message = status.error().message,
                     .file = path_,
                     .hint = "is the program of that name on the PATH another one?"};
    } else if (!JoinFragments()) {
      status = Error{.message = "stopped before it was finished", .file = path_};
    } else {
      status = file_->Commit();
    }
  } else if (file_ != nullptr) {
    status = Error{.message = "a video needs at least one frame", .file = path_};
  }
  Discard();
  return status;
}

}  // namespace slip::render
