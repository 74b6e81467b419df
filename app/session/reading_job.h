// A file is read on a thread of its own; nobody waits for it longer than he likes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace slip::app {

class ReadingJob {
 public:
  /// What is done with what was read, on the session's thread; false: it was wrong.
  using Finish = std::function<bool()>;
  /// Reads, and touches nothing of the session.
  using Read = std::function<Finish()>;

  ReadingJob(std::string path, Read read);
  ~ReadingJob();  ///< stops; waits until the reader notices
  ReadingJob(const ReadingJob&) = delete;
  ReadingJob& operator=(const ReadingJob&) = delete;

  const std::string& path() const { return path_; }
  void Stop() { stop_.store(true, std::memory_order_relaxed); }
  /// Returns when it is done, after this long at the latest [s]. True when it is done.
  bool WaitFor(double seconds);
  bool done() { return WaitFor(0); }
  /// After done(), once.
  Finish Take() { return std::move(finish_); }

 private:
  std::string path_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable ends_;
  bool done_ = false;
  Finish finish_;
  std::thread thread_;
};

}  // namespace slip::app
