#include "app/session/reading_job.h"

#include <chrono>
#include <system_error>
#include <utility>

#include "engine/core/thread_stop.h"

namespace slip::app {

ReadingJob::ReadingJob(std::string path, Read read) : path_(std::move(path)) {
  const auto work = [this, read = std::move(read)] {
    const ThreadStop stop([this] { return stop_.load(std::memory_order_relaxed); });
    Finish finish = read();
    const std::lock_guard lock(mutex_);
    finish_ = std::move(finish);
    done_ = true;
    ends_.notify_all();
  };
  try {
    thread_ = std::thread(work);
  } catch (const std::system_error&) {
    work();  // no thread to be had: here and now
  }
}

ReadingJob::~ReadingJob() {
  Stop();
  if (thread_.joinable()) thread_.join();
}

bool ReadingJob::WaitFor(double seconds) {
  std::unique_lock lock(mutex_);
  return ends_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; });
}

}  // namespace slip::app
