#include "app/session/autosave.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "engine/core/output_file.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kPrefix = "autosave-", kSuffix = ".json";

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
    pid_t pid = 0;
    const char* begin = name.data() + kPrefix.size();
    const auto [end, error] = std::from_chars(begin, name.data() + name.size(), pid);
    if (error != std::errc{} || end != name.data() + name.size() - kSuffix.size()) continue;
    if (pid > 0 && (kill(pid, 0) == 0 || errno == EPERM)) continue;  // it still runs
    std::error_code ignored;
    found.emplace_back(fs::last_write_time(files->path(), ignored), files->path().string());
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> paths;
  for (auto& [time, path] : found) paths.push_back(std::move(path));
  return paths;
}

Autosave::Autosave(std::string folder, RunContext context) : context_(std::move(context)) {
  static_cast<void>(MakeFolder(folder));  // the first write says what is wrong
  path_ = (fs::path(folder) / fmt::format("{}{}{}", kPrefix, getpid(), kSuffix)).string();
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

Autosave::~Autosave() {
  thread_.request_stop();
  thread_.join();
  std::error_code ignored;
  fs::remove(path_, ignored);
}

void Autosave::Give(std::shared_ptr<const Recording> recording) {
  const std::lock_guard lock(mutex_);
  next_ = std::move(recording);
  wake_.notify_all();
}

void Autosave::Finish() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return next_ == nullptr && !writing_; });
}

void Autosave::Run(const std::stop_token& stop) {
  for (;;) {
    std::shared_ptr<const Recording> recording;
    {
      std::unique_lock lock(mutex_);
      writing_ = false;
      wake_.notify_all();
      if (!wake_.wait(lock, stop, [this] { return next_ != nullptr; })) return;
      recording = std::exchange(next_, nullptr);
      writing_ = true;
    }
    // a disk that is full must not stop the work; the next second tries again
    static_cast<void>(WriteFile(path_, FormatRecording(*recording, context_), true));
  }
}

}  // namespace slip::app
