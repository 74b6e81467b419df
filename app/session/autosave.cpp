#include "app/session/autosave.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "engine/core/output_file.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kPrefix = "autosave-", kSuffix = ".json";

/// The lock of a file, held; -1 when another holds it, or it cannot be made.
int Lock(const std::string& path, int flags) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
  if (file < 0) return -1;
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  close(file);
  return -1;
}

std::string LockOf(const fs::path& save) { return fs::path(save).replace_extension(".lock"); }

/// Does the program that writes it still run?
bool InUse(const fs::path& save) {
  std::error_code ignored;
  if (!fs::exists(LockOf(save), ignored)) return false;
  const int file = Lock(LockOf(save), 0);
  if (file >= 0) close(file);
  return file < 0;
}

}  // namespace

std::string StateFolder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state != nullptr && state[0] != '\0') return (fs::path(state) / "slipscope").string();
  if (home == nullptr || home[0] == '\0') return {};
  return (fs::path(home) / ".local" / "state" / "slipscope").string();
}

std::vector<std::string> LeftOverSaves(const std::string& folder) {
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  std::error_code code;
  fs::directory_iterator files(folder, code);
  for (; !code && files != fs::directory_iterator(); files.increment(code)) {
    const std::string name = files->path().filename().string();
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    if (InUse(files->path())) continue;
    std::error_code ignored;
    found.emplace_back(fs::last_write_time(files->path(), ignored), files->path().string());
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> paths;
  for (auto& [time, path] : found) paths.push_back(std::move(path));
  return paths;
}

Autosave::Autosave(std::string folder, RunContext context)
    : folder_(std::move(folder)), context_(std::move(context)) {
  const Status made = MakeFolder(folder_);
  std::error_code code;
  // a number may have been that of another program before
  for (int i = 1; path_.empty() || fs::exists(path_, code); ++i) {
    const std::string name =
        i == 1 ? fmt::format("{}", getpid()) : fmt::format("{}-{}", getpid(), i);
    path_ = (fs::path(folder_) / fmt::format("{}{}{}", kPrefix, name, kSuffix)).string();
  }
  lock_path_ = LockOf(path_);
  if (made.ok()) lock_ = Lock(lock_path_, O_CREAT);
  // said before there is anything to write
  if (!made.ok()) problem_ = made.error().Text();
  if (made.ok() && lock_ < 0)
    problem_ = fmt::format("{}: cannot be written: {}", lock_path_, std::strerror(errno));
  work_.emplace(Run());
}

Autosave::~Autosave() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    wake_.notify_all();
  }
  work_.reset();
  std::error_code ignored;
  fs::remove(path_, ignored);
  fs::remove(lock_path_, ignored);
  if (lock_ >= 0) close(lock_);
}

void Autosave::Replaces(const std::string& path) {
  const std::lock_guard lock(mutex_);
  replaced_.push_back(path);
}

void Autosave::Give(std::shared_ptr<const Recording> recording) {
  const std::lock_guard lock(mutex_);
  next_ = std::move(recording);
  wake_.notify_all();
}

std::string Autosave::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void Autosave::Finish() {
  constexpr double kLook = 0.005;  // [s]
  const auto written = [this] {
    const std::lock_guard lock(mutex_);
    return next_ == nullptr && !writing_;
  };
  while (!written() && !work_->WaitFor(kLook)) {
  }
}

/// Also the end.
bool Autosave::HasWork() {
  const std::lock_guard lock(mutex_);
  return next_ != nullptr || ended_;
}

Status Autosave::Write(const Recording& recording) {
  if (lock_ < 0) {
    // the folder could not be made, or was not writable, when the program began
    if (const Status made = MakeFolder(folder_); !made.ok()) return made;
    lock_ = Lock(lock_path_, O_CREAT);
  }
  return WriteFile(path_, FormatRecording(recording, context_), true);
}

Sliced<> Autosave::Run() {
  for (;;) {
    std::shared_ptr<const Recording> recording;
    std::vector<std::string> replaced;
    {
      const std::lock_guard lock(mutex_);
      writing_ = false;
    }
    while (Slice::Present() != nullptr && !HasWork()) co_await Rest{};
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return next_ != nullptr || ended_; });
      if (next_ == nullptr) co_return;
      recording = std::exchange(next_, nullptr);
      replaced = replaced_;
      writing_ = true;
    }
    // a disk that is full must not stop the work; the next second tries again
    const Status written = Write(*recording);
    {
      const std::lock_guard lock(mutex_);
      problem_ = written.ok() ? std::string() : written.error().Text();
    }
    if (!written.ok()) continue;
    for (const std::string& path : replaced) {
      std::error_code ignored;
      fs::remove(path, ignored);
      fs::remove(LockOf(path), ignored);
    }
  }
}

}  // namespace slip::app
