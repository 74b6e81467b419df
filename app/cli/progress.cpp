#include "app/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace slip::app {
namespace {

constexpr int kBarWidth = 30;

}  // namespace

Progress::Progress(std::string mode, std::string what)
    : mode_(std::move(mode)), what_(std::move(what)), start_(Clock::now()), last_(start_) {
  if (mode_ == "auto") mode_ = isatty(STDERR_FILENO) == 1 ? "bar" : "lines";
}

void Progress::Update(double fraction) {
  if (mode_ == "none") return;
  if (begun_ < 0) begun_ = fraction;
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double> since_start = now - start_, since_last = now - last_;
  const double pause = mode_ == "bar" ? 0.1 : mode_ == "json" ? 0.5 : 5;
  if (since_start.count() < 1 || since_last.count() < pause) return;
  last_ = now;
  drawn_ = true;
  const double made = fraction - begun_;
  const double left = made > 0 ? since_start.count() * (1 - fraction) / made : 0;
  std::string text;
  if (mode_ == "json") {
    text = fmt::format("{{\"progress\": {:.4f}, \"elapsed_s\": {:.1f}, \"left_s\": {:.1f}}}\n",
                       fraction, since_start.count(), left);
  } else if (mode_ == "bar") {
    const int full = std::clamp(static_cast<int>(fraction * kBarWidth), 0, kBarWidth);
    const auto bar = static_cast<std::size_t>(full);
    text = fmt::format("\r{} [{}{}] {:3.0f} %, {:.0f} s left ", what_, std::string(bar, '='),
                       std::string(static_cast<std::size_t>(kBarWidth) - bar, ' '), 100 * fraction,
                       left);
  } else {
    text = fmt::format("{}: {:.0f} %, {:.0f} s left\n", what_, 100 * fraction, left);
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Progress::Finish() {
  if (mode_ == "bar" && drawn_) std::fputs("\n", stderr);
}

}  // namespace slip::app
