// A file is read beside the session (engine/core/side_work.h); nobody waits for it longer than he
// likes. Without threads one file is read in one go.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "engine/core/side_work.h"

namespace slip::app {

class ReadingJob {
 public:
  /// What is done with what was read, on the session's thread; false: it was wrong.
  using Finish = std::function<bool()>;
  /// Reads, and touches nothing of the session.
  using Read = std::function<Finish()>;
  /// The same of many files.
  using ReadMany = std::function<Sliced<Finish>()>;

  ReadingJob(std::string path, Read read);
  ReadingJob(std::string path, ReadMany read);
  ~ReadingJob();  ///< stops; waits until the reader notices
  ReadingJob(const ReadingJob&) = delete;
  ReadingJob& operator=(const ReadingJob&) = delete;

  const std::string& path() const { return path_; }
  void Stop() { stop_.store(true, std::memory_order_relaxed); }
  /// Returns when it is done, after this long at the latest [s]. True when it is done.
  bool WaitFor(double seconds) { return work_->WaitFor(seconds); }
  bool done() { return WaitFor(0); }
  /// After done(), once.
  Finish Take() { return std::move(finish_); }

 private:
  Sliced<> Work();

  std::string path_;
  ReadMany read_;
  std::atomic<bool> stop_{false};
  Finish finish_;
  std::optional<SideWork> work_;  ///< last: everything else is there when it starts
};

}  // namespace slip::app
