// ffmpeg as a child process: argv without a shell, raw frames down a socket pair (whose writes can
// fail without raising SIGPIPE), its messages in an unnamed temporary file.
#include "render/video_writer.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

extern char** environ;

namespace slip::render {
namespace {

/// An unlinked temporary file, so that nothing is left behind whatever happens.
int OpenLog() {
  std::string name = (std::filesystem::temp_directory_path() / "slipscope-ffmpeg-XXXXXX").string();
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) unlink(name.c_str());
  return file;
}

std::string ReadLog(int file) {
  char text[1024];
  const ssize_t size = file < 0 ? 0 : pread(file, text, sizeof text, 0);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
}

}  // namespace

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

Result<VideoWriter> VideoWriter::Create(const std::string& path, double frames_per_second) {
  VideoWriter writer;
  writer.path_ = path;
  if (!(frames_per_second > 0) || !std::isfinite(frames_per_second)) {
    return Error{"a video needs a positive frame rate", path, 0, 0, ""};
  }
  writer.rate_ = frames_per_second;
  writer.sequence_ = path.ends_with(".png") || path.ends_with("/");
  if (writer.sequence_) return writer;
  writer.ffmpeg_ = FindFfmpeg();
  if (writer.ffmpeg_.empty()) {
    return Error{"videos need the program ffmpeg, which is not on the PATH", path, 0, 0,
                 "install ffmpeg, or give a name ending in .png for numbered pictures"};
  }
  return writer;
}

VideoWriter::VideoWriter(VideoWriter&& other) noexcept { *this = std::move(other); }

VideoWriter& VideoWriter::operator=(VideoWriter&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(ffmpeg_, other.ffmpeg_);
  std::swap(rate_, other.rate_);
  std::swap(sequence_, other.sequence_);
  std::swap(width_, other.width_);
  std::swap(height_, other.height_);
  std::swap(frames_, other.frames_);
  std::swap(process_, other.process_);
  std::swap(pipe_, other.pipe_);
  std::swap(log_, other.log_);
  return *this;
}

VideoWriter::~VideoWriter() { (void)Finish(); }

Status VideoWriter::Start(int width, int height) {
  // 4:2:0 halves both directions
  width_ = sequence_ ? width : width - width % 2;
  height_ = sequence_ ? height : height - height % 2;
  if (width_ < 1 || height_ < 1) return Error{"the frames are too small", path_, 0, 0, ""};
  if (sequence_) return Ok{};

  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error{std::string("no pipe to ffmpeg: ") + std::strerror(errno), path_, 0, 0, ""};
  }
  log_ = OpenLog();
  const std::string size = std::to_string(width_) + "x" + std::to_string(height_);
  const std::string rate = std::to_string(rate_);
  // "file:" keeps names with a colon from being read as a protocol
  const std::string output = "file:" + path_;
  std::vector<std::string> words{
      ffmpeg_,    "-y",      "-loglevel", "error",      "-f",       "rawvideo", "-pix_fmt",
      "rgba",     "-s",      size,        "-r",         rate,       "-i",       "pipe:0",
      "-an",      "-c:v",    "libx264",   "-preset",    "veryfast", "-crf",     "20",
      "-pix_fmt", "yuv420p", "-movflags", "+faststart", output};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  if (log_ >= 0) posix_spawn_file_actions_adddup2(&actions, log_, STDERR_FILENO);
  const int failed =
      posix_spawn(&process_, ffmpeg_.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  pipe_ = ends[0];
  if (failed == 0) return Ok{};
  process_ = -1;
  close(pipe_);
  pipe_ = -1;
  return Error{"ffmpeg could not be started: " + std::string(std::strerror(failed)), path_, 0, 0,
               ""};
}

Error VideoWriter::EncoderError(const std::string& what) {
  std::string words = ReadLog(log_);
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return Error{words.empty() ? what : what + ": " + words, path_, 0, 0, ""};
}

Status VideoWriter::Add(const Image& frame) {
  if (frame.empty()) return Error{"an empty frame cannot be recorded", path_, 0, 0, ""};
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
  if (sequence_) {
    char number[16];
    std::snprintf(number, sizeof number, "%06d.png", frames_);
    const bool folder = path_.ends_with("/");
    const std::string stem = folder ? path_ + "frame" : path_.substr(0, path_.size() - 4);
    if (folder && frames_ == 0) {
      std::error_code ignored;
      std::filesystem::create_directories(path_, ignored);
    }
    const Status written = WritePng(*image, stem + "-" + number);
    if (written) ++frames_;
    return written;
  }
  if (pipe_ < 0) return Error{"this video is already finished", path_, 0, 0, ""};
  const uint8_t* data = image->pixels.data();
  std::size_t left = image->pixels.size();
  while (left > 0) {
    const ssize_t sent = send(pipe_, data, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) {
      // let it end, so that its last words are in the log
      const Status finished = Finish();
      return finished ? Status(EncoderError("ffmpeg stopped reading frames")) : finished;
    }
    data += sent;
    left -= static_cast<std::size_t>(sent);
  }
  ++frames_;
  return Ok{};
}

Status VideoWriter::Finish() {
  if (pipe_ >= 0) close(std::exchange(pipe_, -1));
  Status status = Ok{};
  if (process_ > 0) {
    int code = 0;
    pid_t waited = 0;
    while ((waited = waitpid(process_, &code, 0)) < 0 && errno == EINTR) {
    }
    process_ = -1;
    if (waited < 0 || !WIFEXITED(code) || WEXITSTATUS(code) != 0) {
      status = EncoderError("ffmpeg failed");
    }
  }
  if (log_ >= 0) close(std::exchange(log_, -1));
  return status;
}

}  // namespace slip::render
