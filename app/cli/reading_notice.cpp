#include "app/cli/reading_notice.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

#include "engine/core/side_work.h"

namespace slip::app {

ReadingNotice::ReadingNotice(std::string path, std::string mode)
    : path_(std::move(path)), mode_(std::move(mode)) {
  if (mode_ == "none" || !StartsThreads()) return;
  try {
    thread_ = std::thread([this] { Write(); });
  } catch (const std::system_error&) {
    // no thread to be had: it is read without a word
  }
}

ReadingNotice::~ReadingNotice() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ReadingNotice::Write() {
  using std::chrono::seconds;
  const bool terminal = mode_ == "auto" && isatty(STDERR_FILENO) == 1;
  std::unique_lock lock(mutex_);
  bool told = false;
  for (int elapsed = 1; !ends_.wait_for(lock, seconds(1), [this] { return ended_; }); ++elapsed) {
    // lines of a log: after 1, 5, 10 ... s
    if (!terminal && elapsed > 1 && elapsed % 5 != 0) continue;
    told = true;
    std::string text;
    if (mode_ == "json") {
      text = fmt::format("{{\"reading\": true, \"elapsed_s\": {}}}\n", elapsed);
    } else {
      text = fmt::format("{}reading {}, {} s so far{}", terminal ? "\r" : "", path_, elapsed,
                         terminal ? " " : "\n");
    }
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  }
  if (terminal && told) std::fputs("\n", stderr);
}

}  // namespace slip::app
